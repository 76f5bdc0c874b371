# %% [markdown] lang="en"
# # 4 · How long to train
#
# The last missing number of every compute plan: how many steps? It is the one that people copy from somewhere else, and the one that costs the most. There are two kinds of workload, and for each there is a way to find a sensible length without trying every one. The rules in this notebook are those of the *Deep Learning Tuning Playbook* (Godbole and others, 2023); here you see each of them happen.
#
# **You will be able to**
#
# - look at a loss curve and say whether more steps would help;
# - find a first guess of the number of steps from a sweep of learning rates, and notice when a sweep must not be read;
# - change the length between studies, never inside one;
# - lengthen a schedule without wasting the new steps, and plan two rounds of tuning in a budget.
#
# | | |
# |---|---|
# | In the 30-minute lab | not part of it: extra, about 15 minutes for sections 1 and 2 |
# | On your own | about 45 minutes: all sections |
# | Machine time | under a minute on two CPU cores; a quarter of that with `fast = True` |
# | You need | a laptop. A GPU is used if there is one, and is not needed |
#
# Run the cells from top to bottom with Shift + Enter. Where you see `...` it is your turn.
# %% [markdown] lang="hi"
# # 4 · कितनी देर train करें
#
# Compute plan में अब एक ही संख्या बची है: कितने steps? यही संख्या लोग कहीं और से उठा लेते हैं, और यही सबसे महँगी पड़ती है। Workload दो तरह के होते हैं, और दोनों के लिए हर लंबाई आज़माए बिना ठीक-ठाक लंबाई निकालने का एक तरीका है। इस notebook के नियम *Deep Learning Tuning Playbook* (Godbole और साथी, 2023) के हैं; यहाँ आप हर नियम को सचमुच काम करते देखेंगे।
#
# **इसके बाद आप कर पाएँगे**
#
# - loss curve देखकर बताना कि और steps से फ़ायदा होगा या नहीं;
# - learning rates के sweep से steps की संख्या का पहला अंदाज़ा निकालना, और पहचानना कि किस sweep से अंदाज़ा नहीं निकालना चाहिए;
# - लंबाई को एक study और दूसरी study के बीच बदलना, study के अंदर कभी नहीं;
# - schedule को ऐसे लंबा करना कि नए steps बेकार न जाएँ, और budget के अंदर tuning के दो rounds का plan बनाना।
#
# | | |
# |---|---|
# | 30 मिनट की lab में | शामिल नहीं: अतिरिक्त, भाग 1 और 2 के लिए करीब 15 मिनट |
# | अकेले पढ़ते समय | करीब 45 मिनट: सारे भाग |
# | मशीन का समय | दो CPU cores पर एक मिनट से कम; `fast = True` से उसका चौथाई |
# | क्या चाहिए | एक laptop। GPU हो तो काम आएगा, पर ज़रूरी नहीं |
#
# ऊपर से नीचे तक हर cell को Shift + Enter से चलाइए। जहाँ `...` दिखे, वहाँ आपकी बारी है।
# %% include="setup"
# %% tags=["parameters"]
# Settings you may change. Papermill and Colab can set them too.
lang = "en"  # @param ["en", "hi"]
fast = False  # @param {type:"boolean"}
width = 128  # @param {type:"integer"}
fit_steps = 2000  # @param {type:"integer"}
# %% id="begin"
lk.check_parameters(lang=lang, fast=fast, width=width, fit_steps=fit_steps)
lk.set_language(lang)
if fast:
    fit_steps = min(fit_steps, 400)
fraction = 0.25 if fast else 1.0  # of the training data
# %% [markdown] lang="en"
# ## 1. Two kinds of workload
#
# **Compute-bound**: you could always go on, and the loss would still fall; what ends the run is your patience or your budget. The best length is “all that you can afford”, and making training faster makes the result better. **Not compute-bound**: at some point longer training does not help any more; the training loss is nearly nothing and the validation loss stands still, or rises.
#
# This workbook has one of each, or so we think: an MLP on MNIST-1D with 4,000 examples, and a tiny GPT on Kahani, whose stories never repeat.
#
# ### Exercise 4.1 · Guess first ({{points 4.1}} point, half a minute)
#
# Which is which? Write `"compute-bound"` or `"not compute-bound"` for each.
# %% [markdown] lang="hi"
# ## 1. दो तरह के workload
#
# **Compute-bound**: जितना चाहें train करते जाइए, loss गिरता ही रहेगा; run इसलिए रुकता है कि सब्र या budget खत्म हो गया। सबसे अच्छी लंबाई है “जितनी जेब इजाज़त दे”, और training तेज़ करने से नतीजा बेहतर होता है। **Not compute-bound**: किसी जगह के बाद और train करने से कुछ नहीं मिलता; training loss लगभग शून्य हो जाता है, और validation loss वहीं रुक जाता है, या बढ़ने लगता है।
#
# इस workbook में दोनों तरह का एक-एक है, या कम से कम हमें ऐसा लगता है: 4,000 उदाहरणों वाले MNIST-1D पर एक MLP, और Kahani पर एक नन्हा GPT, जहाँ कोई कहानी दोबारा नहीं आती।
#
# ### अभ्यास 4.1 · पहले अंदाज़ा लगाइए ({{points 4.1}} अंक, आधा मिनट)
#
# कौन-सा किस तरह का है? दोनों के लिए `"compute-bound"` या `"not compute-bound"` लिखिए।
# %% answer="4.1"
# "compute-bound" or "not compute-bound"
kinds = {
    "mnist1d": ...,
    "kahani": ...,
}
### BEGIN SOLUTION
kinds = {
    "mnist1d": "not compute-bound",
    "kahani": "compute-bound",
}
### END SOLUTION
# %% check="4.1"
lk.check("4.1", kinds)
# %% [markdown] lang="en"
# ### Exercise 4.2 · Four curves ({{points 4.2}} points, 3 minutes)
#
# Four recorded runs, longer than we have time for here (`data/recorded/training_length.py` made them), without their names. For each: `"compute-bound"`, `"not compute-bound"` or `"cannot tell"`?
#
# <details><summary>Hint 1</summary>
#
# Look at the last half (where it seems level, a small picture enlarges it). Does the validation loss still fall there? How low is the training loss?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Every run falls at its beginning. A curve that shows nothing but the beginning says nothing about the end.
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 4.2 · चार curves ({{points 4.2}} अंक, 3 मिनट)
#
# चार recorded runs, बिना नाम के; इतने लंबे runs का समय यहाँ नहीं है (`data/recorded/training_length.py` से बने)। हर एक के लिए: `"compute-bound"`, `"not compute-bound"` या `"cannot tell"` (कह नहीं सकते)?
#
# <details><summary>मदद 1</summary>
#
# आखिरी आधा हिस्सा देखिए (जहाँ वह सपाट लगे, वहाँ छोटे चित्र में बड़ा करके दिखाया है)। क्या वहाँ validation loss अब भी गिर रहा है? Training loss कितना नीचे है?
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# शुरू में हर run गिरता है। जिस curve में सिर्फ़ शुरुआत दिखे, वह अंत के बारे में कुछ नहीं बताती।
#
# </details>
# %% id="four-curves" tags=["nbval-ignore-output"]
from labkit.training_length.examples import four_curves as unnamed
from labkit.training_length.examples import recorded_runs

lk.plots.kinds(unnamed(), ask=True)
# %% answer="4.2"
# "compute-bound", "not compute-bound" or "cannot tell"
four_curves = {
    "A": ...,
    "B": ...,
    "C": ...,
    "D": ...,
}
### BEGIN SOLUTION
four_curves = {
    "A": "compute-bound",
    "B": "not compute-bound",
    "C": "cannot tell",
    "D": "not compute-bound",
}
### END SOLUTION
# %% check="4.2"
lk.check("4.2", four_curves)
# %% [markdown] lang="en"
# These are our two workloads again, with their names, and what `labkit` reads in them: it looks at how low the training loss came, and at what the last part of the curve still does.
# %% [markdown] lang="hi"
# ये वही दो workloads हैं, इस बार नाम के साथ, और `labkit` उनमें क्या पढ़ता है: वह देखता है कि training loss कितना नीचे आया, और curve का आखिरी हिस्सा अब भी क्या कर रहा है।
# %% id="kinds" tags=["nbval-ignore-output"]
names = {"mnist1d": "MLP, MNIST-1D", "kahani": "GPT, Kahani"}
found = {name: lk.training_length.workload(recorded_runs(task)) for task, name in names.items()}
for name, kind in found.items():
    print(lk.folded(f"{name}: {kind.to_text()}"))
for task, name in names.items():
    if isinstance(kinds[task], str):
        print(lk.text("nb4.you_guessed", name=name, said=kinds[task], was=found[name].verdict))
lk.plots.kinds(found)
# %% [markdown] lang="en"
# ## 2. Not compute-bound: the first guess
#
# Here is a way to a first number. Assume that the training set can be fitted **perfectly**, say, with not one training example classified wrongly. Take some length N that is certainly enough. Sweep *constant* learning rates, N steps each, with no augmentation and no regularisation. The number of steps that the **fastest** of them needs to fit perfectly is the first guess of `max_train_steps`. (Fitting perfectly is only the yardstick of this guess: it asks how fast training *can* go, not which checkpoint you keep; section 1 showed that the best validation loss may come earlier.)
#
# Eight rates by three seeds are 24 runs. They are small and of one shape, so `lk.sweep` trains them together, as one stack.
# %% [markdown] lang="hi"
# ## 2. Compute-bound नहीं: पहला अंदाज़ा
#
# पहली संख्या तक पहुँचने का एक रास्ता यह है। मान लीजिए कि training set को **पूरा** fit किया जा सकता है, यानी training का एक भी उदाहरण गलत न रहे। कोई ऐसी लंबाई N लीजिए जो पक्का काफ़ी हो। *Constant* learning rates का sweep चलाइए, हर एक N steps, न augmentation, न regularisation। उनमें से **सबसे तेज़** को पूरा fit करने में जितने steps लगे, वही `max_train_steps` का पहला अंदाज़ा है। (पूरा fit करना यहाँ बस नापने का पैमाना है: training कितनी तेज़ *हो सकती* है; कौन-सा checkpoint रखना है, वह अलग बात है: भाग 1 में validation loss पहले ही सबसे अच्छा हो चुका था।)
#
# आठ rates और तीन seeds, यानी 24 runs। वे छोटे हैं और एक ही shape के, इसलिए `lk.sweep` सबको एक साथ (एक stack में) train करता है।
# %% id="sweep" tags=["nbval-ignore-output"]
rates = [3e-4, 6e-4, 1.2e-3, 2.5e-3, 5e-3, 1e-2, 2e-2, 4e-2]
config = lk.Config(
    width=width, fraction=fraction, steps=fit_steps, eval_every=fit_steps // 40, weight_decay=0.0
)
sweep = lk.sweep.sweep(lk.sweep.grid(config, learning_rate=rates, seed=[0, 1, 2]))
guess = lk.training_length.first_guess(sweep)
print(guess)
lk.plots.sweep(guess)
# %% [markdown] lang="en"
# ### Exercise 4.3 · A sweep that deceives ({{points 4.3}} points, 2 minutes)
#
# A colleague has swept as well, with the rates in this figure, and reads off a first guess from the fastest trial. What do you say? Set `first_guess` to the number of steps, or to `"no answer"` if none may be read from this sweep. Set `next_sweep` to what should be tried next: `"larger rates"`, `"smaller rates"` or `"longer trials"`.
#
# <details><summary>Hint</summary>
#
# Where does the fastest trial lie in the range that was tried? What would you see if you had tried one rate more on that side?
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 4.3 · धोखा देने वाला sweep ({{points 4.3}} अंक, 2 मिनट)
#
# एक साथी ने भी sweep किया है, इस चित्र वाले rates के साथ, और सबसे तेज़ trial से पहला अंदाज़ा पढ़ लिया है। आप क्या कहेंगे? `first_guess` में steps की संख्या लिखिए, या `"no answer"`, अगर इस sweep से कोई संख्या नहीं पढ़ी जा सकती। `next_sweep` में लिखिए कि आगे क्या आज़माया जाए: `"larger rates"` (बड़े rates), `"smaller rates"` (छोटे rates) या `"longer trials"` (लंबे trials)।
#
# <details><summary>मदद</summary>
#
# आज़माई गई range में सबसे तेज़ trial कहाँ पड़ता है? उस तरफ़ एक rate और आज़माते तो क्या दिखता?
#
# </details>
# %% id="colleague" tags=["nbval-ignore-output"]
colleague = [history for history in sweep if history.config.learning_rate <= 2.5e-3]
lk.plots.sweep(colleague, ask=True)
# %% answer="4.3"
first_guess = ...
next_sweep = ...
### BEGIN SOLUTION
first_guess = "no answer"
next_sweep = "larger rates"
### END SOLUTION
# %% check="4.3"
lk.check("4.3", {"guess": first_guess, "next": next_sweep})
# %% [markdown] lang="en"
# ## 3. After the study: where was the best checkpoint?
#
# *Extra.* In doubt, train longer than you need: if checkpoints are kept, the best one can be chosen afterwards, and the extra steps cost only time. But never tune the length *inside* a study: all its trials get the same `max_train_steps`. Then look at where the best checkpoints fell, and change the length for the *next* study.
# %% [markdown] lang="hi"
# ## 3. Study के बाद: सबसे अच्छा checkpoint कहाँ था?
#
# *अतिरिक्त।* शक हो तो ज़रूरत से लंबा train कीजिए: checkpoints रखे हों, तो सबसे अच्छा बाद में चुना जा सकता है, और फ़ालतू steps में बस समय जाता है। पर लंबाई को study के *अंदर* कभी tune मत कीजिए: उसके सारे trials को एक ही `max_train_steps` मिलता है। फिर देखिए कि सबसे अच्छे checkpoints कहाँ पड़े, और *अगली* study के लिए लंबाई बदलिए।
# %% id="best-checkpoint" tags=["nbval-ignore-output"]
for run in recorded_runs("mnist1d"):
    print(lk.training_length.best_checkpoint(run))
studies_of = {name: lk.training_length.diagnose(recorded_runs(task)) for task, name in names.items()}
for name, diagnosis in studies_of.items():
    print(lk.folded(f"{name}: {diagnosis.to_text()}"))
lk.plots.best_steps(studies_of)
# %% [markdown] lang="en"
# ### Exercise 4.4 · Six studies ({{points 4.4}} points, 3 minutes)
#
# Each line is a study; each number is the step of one trial's best checkpoint.
#
# | study | `max_train_steps` | best steps |
# |---|---|---|
# | A | 10,000 | 410, 620, 530, 780 |
# | B | 10,000 | 8,900, 9,700, 9,300, 10,000 |
# | C | 10,000 | 4,200, 5,100, 6,300, 5,700 |
# | D | 10,000 and 20,000 | 9,800, 19,200, 9,500, 18,700 |
# | E | 10,000 | 900, 9,100, 4,800, 6,600 |
# | F | 2,000 | 1,760, 1,910, 1,640, 2,000 |
#
# What follows for the next study? `"far too long"`, `"train longer"`, `"keep"` or `"not comparable"`.
#
# <details><summary>Hint</summary>
#
# Divide by `max_train_steps`. *Always* within the first tenth? *Consistently* within the last quarter? And: did all trials get the same chance?
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 4.4 · छह studies ({{points 4.4}} अंक, 3 मिनट)
#
# हर line एक study है; हर संख्या किसी एक trial के सबसे अच्छे checkpoint का step है।
#
# | study | `max_train_steps` | सबसे अच्छे steps |
# |---|---|---|
# | A | 10,000 | 410, 620, 530, 780 |
# | B | 10,000 | 8,900, 9,700, 9,300, 10,000 |
# | C | 10,000 | 4,200, 5,100, 6,300, 5,700 |
# | D | 10,000 और 20,000 | 9,800, 19,200, 9,500, 18,700 |
# | E | 10,000 | 900, 9,100, 4,800, 6,600 |
# | F | 2,000 | 1,760, 1,910, 1,640, 2,000 |
#
# अगली study के लिए इससे क्या निकलता है? `"far too long"` (बहुत ज़्यादा लंबा), `"train longer"` (और लंबा चलाइए), `"keep"` (उतना ही रखिए) या `"not comparable"` (तुलना के लायक नहीं)।
#
# <details><summary>मदद</summary>
#
# `max_train_steps` से भाग दीजिए। क्या *हमेशा* पहले दसवें हिस्से में? क्या *लगातार* आखिरी चौथाई में? और: क्या सारे trials को बराबर मौका मिला?
#
# </details>
# %% answer="4.4"
# "far too long", "train longer", "keep" or "not comparable"
studies = {
    "A": ...,
    "B": ...,
    "C": ...,
    "D": ...,
    "E": ...,
    "F": ...,
}
### BEGIN SOLUTION
studies = {
    "A": "far too long",
    "B": "train longer",
    "C": "keep",
    "D": "not comparable",
    "E": "keep",
    "F": "train longer",
}
### END SOLUTION
# %% check="4.4"
lk.check("4.4", studies)
# %% [markdown] lang="en"
# ## 4. Noise in the gradient costs steps
#
# *Extra.* A smaller batch, data augmentation, dropout: each makes the gradient noisier, and noise slows progress. How many steps does each need to reach the *same* validation loss? Measured with three seeds each.
# %% [markdown] lang="hi"
# ## 4. Gradient में शोर हो, तो steps ज़्यादा लगते हैं
#
# *अतिरिक्त।* छोटा batch, data augmentation, dropout: हर एक gradient में शोर (noise) बढ़ाता है, और शोर रफ़्तार घटाता है। *उतने ही* validation loss तक पहुँचने में हर एक को कितने steps लगते हैं? हर एक को तीन seeds के साथ मापा गया है।
# %% id="gradient-noise" tags=["nbval-ignore-output"]
noisy_steps = 300 if fast else 800
plain = lk.Config(width=width, learning_rate=1e-3, steps=noisy_steps, eval_every=20, weight_decay=0.0)
changes = {
    lk.text("nb4.batch", size=100): {},
    lk.text("nb4.batch", size=25): {"batch_size": 25},
    lk.text("nb4.shift"): {"shift": 3},
    lk.text("nb4.dropout"): {"dropout": 0.2},
}
grids = {
    label: lk.sweep.grid(lk.Config.from_dict(plain.to_dict() | change), seed=[0, 1, 2])
    for label, change in changes.items()
}
done = iter(lk.sweep.sweep([one for grid in grids.values() for one in grid]))
noisy = {label: [next(done) for _ in grid] for label, grid in grids.items()}
cost = lk.training_length.gradient_noise(noisy, target=1.6 if fast else 1.2)
print(cost)
lk.plots.gradient_noise(cost)


# %% [markdown] lang="en"
# Read the spread before the order. (A batch of 25 needs about twice the steps of one of 100, but only half the examples: each of its steps uses a quarter as many.) So: when you add augmentation or dropout, or make the batch smaller, raise the first guess of the length. A better optimiser or schedule may lower it.
#
# ## 5. Compute-bound: rounds
#
# When the loss would fall for ever, the length is what the budget allows; but you need not tune at that length. **Many short trials teach more than a few long ones.** So tune in one to three rounds with growing length: short runs first, at about a tenth of the full length, to find good settings, then very few long ones. What was found short must be re-checked long.
#
# The usual mistake when going from short to long concerns the **schedule**: all the new steps go to the end, where the learning rate is tiny, and are wasted.
# %% [markdown] lang="hi"
# पहले spread देखिए, फिर क्रम। (Batch 25 को batch 100 से करीब दुगुने steps लगते हैं, पर उदाहरण आधे ही: उसके हर step में उदाहरण चौथाई होते हैं।) और नतीजा यह: augmentation या dropout जोड़ें, या batch छोटा करें, तो लंबाई का पहला अंदाज़ा बढ़ाइए। बेहतर optimiser या schedule हो, तो वह घट भी सकता है।
#
# ## 5. Compute-bound: rounds
#
# Loss गिरता ही रहे, तो लंबाई उतनी ही होगी जितनी budget में आए; पर tuning उसी लंबाई पर करना ज़रूरी नहीं। **बहुत-से छोटे trials थोड़े-से लंबे trials से ज़्यादा सिखाते हैं।** इसलिए एक से तीन rounds में tune कीजिए, हर बार लंबाई बढ़ाकर: पहले छोटे runs, पूरी लंबाई के करीब दसवें हिस्से पर, ताकि अच्छी settings मिलें; फिर गिने-चुने लंबे runs। छोटे runs में जो अच्छा निकला, उसे लंबे runs में फिर परखना होगा।
#
# छोटे से लंबे पर जाते समय आम गलती **schedule** में होती है: सारे नए steps अंत में चले जाते हैं, जहाँ learning rate बहुत छोटा है, और बेकार जाते हैं।
# %% id="schedules" tags=["nbval-ignore-output"]
def lengthened(kind, new_steps):
    parts = {"linear": (800, 1000), "cosine": (0, 1800)}[kind]
    schedule = lk.schedules.Schedule(kind, 3e-3, 200, *parts)
    return lk.plots.schedules(lk.training_length.extend(schedule, new_steps))


lk.explore(
    lengthened,
    {"kind": ["linear", "cosine"], "new_steps": [4000, 8000]},
    {"kind": "linear", "new_steps": 4000},
    {"kind": lk.text("nb4.kind"), "new_steps": lk.text("nb4.new_steps")},
)
# %% [markdown] lang="en"
# ### Exercise 4.5 · Lengthen a schedule ({{points 4.5}} points, 9 minutes)
#
# Write `rate(step, base, warmup, constant, decay, extra, kind)`: the learning rate at `step` (from 0 on) of a schedule that was lengthened by `extra` steps. The round-1 schedule: a linear warm-up from 0 to `base` over `warmup` steps, then, for `kind`
#
# - `"linear"`: `constant` steps at `base`, then a straight line down to 0 over `decay` steps. Lengthened: the decay keeps its length, the constant part takes all the extra steps.
# - `"cosine"`: half a cosine from `base` down to 0 over the rest, `constant + decay` steps. Lengthened: the same base rate, half a cosine over `constant + decay + extra` steps.
#
# At step `warmup` the rate is `base`, at the last step (`warmup + constant + decay + extra`) and after it 0.
#
# <details><summary>Hint 1</summary>
#
# Three cases for linear: in the warm-up; before the decay begins; in the decay. When does the decay begin in the lengthened schedule?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Half a cosine that goes from 1 to 0 while p goes from 0 to 1: (1 + cos(π p)) / 2.
#
# </details>
#
# <details><summary>If you see a ZeroDivisionError</summary>
#
# `warmup` may be 0. Ask whether the step is in the warm-up before you divide by it.
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 4.5 · Schedule को लंबा कीजिए ({{points 4.5}} अंक, 9 मिनट)
#
# `rate(step, base, warmup, constant, decay, extra, kind)` लिखिए: `extra` steps से लंबे किए गए schedule में `step` (0 से गिनकर) पर learning rate। Round 1 का schedule: `warmup` steps में 0 से `base` तक सीधी रेखा वाला warm-up, फिर `kind` के हिसाब से
#
# - `"linear"`: `constant` steps `base` पर, फिर `decay` steps में सीधी रेखा से 0 तक। लंबा करने पर: decay की लंबाई वही रहती है, सारे extra steps constant हिस्से को मिलते हैं।
# - `"cosine"`: बाकी `constant + decay` steps में `base` से 0 तक आधा cosine। लंबा करने पर: वही base rate, और `constant + decay + extra` steps में आधा cosine।
#
# Step `warmup` पर rate `base` है; आखिरी step (`warmup + constant + decay + extra`) पर और उसके बाद 0।
#
# <details><summary>मदद 1</summary>
#
# Linear में step तीन जगह हो सकता है: warm-up में; decay शुरू होने से पहले; decay में। लंबे किए हुए schedule में decay कब शुरू होता है?
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# आधा cosine, जो p के 0 से 1 तक जाने पर 1 से 0 तक आता है: (1 + cos(π p)) / 2।
#
# </details>
#
# <details><summary>अगर ZeroDivisionError दिखे</summary>
#
# `warmup` 0 भी हो सकता है। भाग देने से पहले देख लीजिए कि step warm-up में है या नहीं।
#
# </details>
# %% answer="4.5"
import math


def rate(step, base, warmup, constant, decay, extra, kind):
    ...
    ### BEGIN SOLUTION
    end = sum([warmup, constant, decay, extra])
    if step >= end:
        return 0.0
    if step < warmup:
        return base * step / warmup
    if kind == "linear":
        return base * min(1.0, (end - step) / decay)
    return base * (1 + math.cos(math.pi * (step - warmup) / (end - warmup))) / 2
    ### END SOLUTION


# %% check="4.5"
lk.check("4.5", rate)
# %% [markdown] lang="en"
# ### Exercise 4.6 · Two rounds in a budget ({{points 4.6}} points, 3 minutes)
#
# A run of full length is 20,000 steps, a step takes `step_s` seconds, and you have `budget_hours`. Plan two rounds: how many trials of how many steps? The first is for learning, with several short trials (a tenth to a third as long as those of round 2); the second for the final model, with fewer and longer ones. The time of all trials together must fit (a tie fits), and round 2 should get at least a third of the budget.
#
# <details><summary>Hint 1</summary>
#
# Steps that the budget buys: hours × 3600 / seconds per step. Spend about half of them on each round.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Begin with round 2: how many runs of full length fit into half of the budget? What is left goes to short trials, each at a tenth to a third of round 2's length.
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 4.6 · Budget में दो rounds ({{points 4.6}} अंक, 3 मिनट)
#
# पूरी लंबाई का run 20,000 steps का है, एक step `step_s` सेकंड लेता है, और आपके पास `budget_hours` घंटे हैं। दो rounds का plan बनाइए: कितने trials, कितने-कितने steps के? पहला सीखने के लिए है, कई छोटे trials के साथ (round 2 वालों की लंबाई के दसवें हिस्से से एक तिहाई तक); दूसरा अंतिम model के लिए, कम पर लंबे trials के साथ। सारे trials का कुल समय budget में आना चाहिए (बराबर हो तो भी चलेगा), और round 2 को budget का कम से कम एक तिहाई मिले।
#
# <details><summary>मदद 1</summary>
#
# Budget में कितने steps आएँगे: घंटे × 3600 / एक step के सेकंड। लगभग आधे-आधे दोनों rounds को दीजिए।
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# Round 2 से शुरू कीजिए: आधे budget में पूरी लंबाई के कितने runs आते हैं? जो बचे वह छोटे trials को दीजिए, जो round 2 वालों के दसवें हिस्से से एक तिहाई तक हो।
#
# </details>
# %% id="budget"
budget_hours, step_s = 5.0, 0.2
print(lk.text("nb4.budget", hours=lk.number(budget_hours), steps=lk.number(budget_hours * 3600 / step_s)))
# %% answer="4.6"
# Fill in the four numbers
my_rounds = [
    {"trials": ..., "steps": ...},
    {"trials": ..., "steps": ...},
]
### BEGIN SOLUTION
my_rounds = [
    {"trials": 20, "steps": 2000},
    {"trials": 2, "steps": 20000},
]
### END SOLUTION
# %% check="4.6"
lk.check("4.6", {"budget_hours": budget_hours, "step_s": step_s, "rounds": my_rounds})
# %% [markdown] lang="en"
# ### Exercise 4.7 · What may be carried over? ({{points 4.7}} points, 3 minutes)
#
# After a round at a tenth of the full length you have eight conclusions. How likely is each to hold at full length? `"very likely"`, `"likely"`, `"perhaps"` or `"unlikely"`.
#
# - **A.** The warm-up needs 200 steps, else training becomes unstable.
# - **B.** This scale of the first weights avoids the early spikes.
# - **C.** The model with twice the depth is clearly better at equal time.
# - **D.** This optimiser with these momenta is the best of five.
# - **E.** A little augmentation helps.
# - **F.** Weight decay 0.1 is better than 0.01.
# - **G.** A cosine schedule beats a linear one.
# - **H.** The decay should end at a hundredth of the base rate.
#
# <details><summary>Hint</summary>
#
# What goes wrong early is settled early. What concerns the end of a run has not been seen in a short one.
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 4.7 · लंबे run में क्या साथ जाएगा? ({{points 4.7}} अंक, 3 मिनट)
#
# पूरी लंबाई के दसवें हिस्से वाले round के बाद आपके पास आठ निष्कर्ष हैं। पूरी लंबाई पर हर एक के टिकने की संभावना कितनी है? `"very likely"` (बहुत ज़्यादा), `"likely"` (अच्छी), `"perhaps"` (शायद) या `"unlikely"` (कम)।
#
# - **A.** Warm-up को 200 steps चाहिए, वरना training अस्थिर (unstable) हो जाती है।
# - **B.** शुरुआती weights का यह scale शुरू के झटकों (spikes) से बचाता है।
# - **C.** दुगुनी depth वाला model बराबर समय में साफ़ तौर पर बेहतर है।
# - **D.** पाँच में से यह optimiser, momentum के इन मानों के साथ, सबसे अच्छा है।
# - **E.** थोड़ा-सा augmentation फ़ायदा देता है।
# - **F.** Weight decay 0.1, 0.01 से बेहतर है।
# - **G.** Cosine schedule linear से बेहतर है।
# - **H.** Decay को base rate के सौवें हिस्से पर खत्म होना चाहिए।
#
# <details><summary>मदद</summary>
#
# जो शुरू में बिगड़ता है, वह शुरू में ही तय हो जाता है। जो run के अंत से जुड़ा है, वह छोटे run में दिखा ही नहीं।
#
# </details>
# %% answer="4.7"
# "very likely", "likely", "perhaps" or "unlikely"
transfer = {
    "A": ...,
    "B": ...,
    "C": ...,
    "D": ...,
    "E": ...,
    "F": ...,
    "G": ...,
    "H": ...,
}
### BEGIN SOLUTION
transfer = {
    "A": "very likely",
    "B": "very likely",
    "C": "likely",
    "D": "perhaps",
    "E": "perhaps",
    "F": "perhaps",
    "G": "unlikely",
    "H": "unlikely",
}
### END SOLUTION
# %% check="4.7"
lk.check("4.7", transfer)
# %% [markdown] lang="en"
# The order is the playbook authors' suspicion, not a law; they say so themselves. Where much hangs on it, re-check.
#
# `labkit` plans rounds too, from the time of a step that you have measured. For our GPT, on *your* machine, with half an hour to spend:
# %% [markdown] lang="hi"
# यह क्रम playbook लिखने वालों का अनुमान है, कोई नियम नहीं; ऐसा वे खुद कहते हैं। जिस पर बहुत कुछ टिका हो, उसे फिर परखिए।
#
# `labkit` भी rounds का plan बनाता है, आपके मापे हुए step के समय से। *आपकी* मशीन पर हमारे GPT के लिए, अगर आधा घंटा हो:
# %% id="rounds" tags=["nbval-ignore-output"]
gpt = lk.train.Training(lk.KahaniConfig(width=64, lang=lang))
t = lk.measure_steps(gpt.step, gpt.batches(), seconds=0.5 if fast else 1.0)
tuning = lk.training_length.rounds(budget_hours=0.5, step_time=t, production_steps=20_000)
print(tuning)
lk.plots.rounds(tuning)
# %% [markdown] lang="en"
# `tuning.to_plan("your question")` makes a compute plan of it, as in notebook 2; for two methods with three seeds each it needs at least six trials in every round, so give it more hours if there are fewer. The plan B that it writes leaves out seeds; for rounds it is better to plan again with half the hours: they shrink by having fewer trials, not by dropping one side of a comparison.
#
# **Next:** notebook 5, *Toy upscaling*.
#
# ## Answers in words
#
# For those who study alone. Try first; then open.
#
# <details><summary>4.2</summary>
#
# The first still falls at its end, in training and in validation, and as no story comes twice, there is nothing to learn by heart. The second has learned its training set; the validation loss has stood still for long. The third shows only a beginning, and every beginning looks like that. The fourth has a training loss near zero while its validation loss rises: it overfits, and its best checkpoint lies far back.
#
# </details>
#
# <details><summary>4.3</summary>
#
# The fastest trial is the one with the largest rate that was tried. A larger one may be faster still, so the number that could be read is too large by an unknown factor: no answer. Widen the sweep upwards.
#
# </details>
#
# <details><summary>4.4</summary>
#
# A lies within the first tenth every time. B and F lie in the last quarter every time. C is in the middle and E is mixed: leave them. In D some trials had twice as long as the others, so nothing can be compared.
#
# </details>
#
# <details><summary>4.5</summary>
#
# During the warm-up the rate is the base times the part of the warm-up that is done. Linear: the decay begins `decay` steps before the new end; until then the base, after it the base times the part of the decay that is left. Cosine: half a cosine from the end of the warm-up to the new end.
#
# </details>
#
# <details><summary>4.6</summary>
#
# The budget buys 90,000 steps. Two runs of full length take 40,000; twenty short trials at a tenth of the length take another 40,000; and a little is left for what goes wrong.
#
# </details>
#
# <details><summary>4.7</summary>
#
# Warm-up and first weights: very likely. Architecture: likely. Optimiser settings, augmentation, regularisation: perhaps. Anything about the schedule: unlikely.
#
# </details>
# %% [markdown] lang="hi"
# `tuning.to_plan("आपका सवाल")` इससे compute plan बना देता है, जैसा notebook 2 में था; दो methods और तीन-तीन seeds के लिए हर round में कम से कम छह trials चाहिए, इसलिए trials कम हों तो ज़्यादा घंटे दीजिए। उसका plan B seeds कम करता है; rounds के लिए बेहतर है कि आधे घंटों के साथ फिर से plan बनाइए: rounds trials कम करके छोटे होते हैं, तुलना का कोई पक्ष हटाकर नहीं।
#
# **आगे:** notebook 5, *Toy upscaling*।
#
# ## जवाब, शब्दों में
#
# जो अकेले पढ़ रहे हैं उनके लिए। पहले खुद कोशिश कीजिए, फिर खोलिए।
#
# <details><summary>4.2</summary>
#
# पहला अंत तक गिर रहा है, training में भी और validation में भी, और कोई text दोबारा नहीं आता, इसलिए रटने को कुछ है ही नहीं। दूसरे ने अपना training set सीख लिया है; validation loss बहुत देर से वहीं रुका है। तीसरा सिर्फ़ शुरुआत दिखाता है, और शुरुआत सबकी ऐसी ही होती है। चौथे का training loss शून्य के पास है पर validation loss बढ़ रहा है: वह overfit कर रहा है, और उसका सबसे अच्छा checkpoint बहुत पीछे छूट गया।
#
# </details>
#
# <details><summary>4.3</summary>
#
# सबसे तेज़ trial वही है जिसका rate आज़माए गए rates में सबसे बड़ा था। उससे बड़ा rate और भी तेज़ हो सकता है, इसलिए पढ़ी गई संख्या न जाने कितने गुना ज़्यादा है: कोई जवाब नहीं। Sweep को ऊपर की ओर बढ़ाइए।
#
# </details>
#
# <details><summary>4.4</summary>
#
# A हर बार पहले दसवें हिस्से में है। B और F हर बार आखिरी चौथाई में हैं। C बीच में है और E मिला-जुला: इनकी लंबाई उतनी ही रखिए। D में कुछ trials को बाकी से दुगुना समय मिला, इसलिए तुलना ही नहीं हो सकती।
#
# </details>
#
# <details><summary>4.5</summary>
#
# Warm-up में rate = base × warm-up का जितना हिस्सा हो चुका। Linear: decay नए अंत से `decay` steps पहले शुरू होता है; तब तक base, उसके बाद base × decay का जितना हिस्सा बचा है। Cosine: warm-up के अंत से नए अंत तक आधा cosine।
#
# </details>
#
# <details><summary>4.6</summary>
#
# Budget में 90,000 steps आते हैं। पूरी लंबाई के दो runs 40,000 लेते हैं; उसके दसवें हिस्से वाले बीस छोटे trials भी 40,000; और थोड़ा-सा गड़बड़ के लिए बच जाता है।
#
# </details>
#
# <details><summary>4.7</summary>
#
# Warm-up और शुरुआती weights: बहुत ज़्यादा। Architecture: अच्छी। Optimiser की settings, augmentation, regularisation: शायद। Schedule से जुड़ी कोई भी बात: कम।
#
# </details>
