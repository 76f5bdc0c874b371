# %% [markdown] lang="en"
# # 5 · Toy upscaling
#
# Must a large model start from nothing when you have trained a small one? There is another way: **clone** every unit of the small model, scale some weights by the right factors, and train the large one on. A recent paper (Ma and others, *mupscaling*, arXiv 2602.10545) makes three claims: what becomes of the function, what the clones need, and whether the tuned learning rate can be kept. You test them on models for a laptop.
#
# **You will be able to**
#
# - widen a trained network, optimiser included, and find out which rule was broken when something goes wrong;
# - say why clones without noise are useless, and choose the noise at a small size;
# - read a figure of hyperparameter transfer: where the best learning rate stays and where it moves;
# - compare with training from scratch fairly, and say honestly what came out.
#
# | | |
# |---|---|
# | In the 30-minute lab | 12 minutes: sections 1, 4 and 7 |
# | On your own | 50 minutes: all sections |
# | Machine time | about a minute on two CPU cores; a third of that with `fast = True` |
# | You need | a laptop. A GPU is used if there is one, and is not needed |
#
# Run the cells from top to bottom with Shift + Enter. Where you see `...` it is your turn.
# %% [markdown] lang="hi"
# # 5 · Toy upscaling
#
# छोटा model train हो चुका हो, तो क्या बड़े को शून्य से ही शुरू करना होगा? एक और रास्ता है: छोटे model की हर unit के **clones** बनाइए, कुछ weights को सही factor से scale कीजिए, और बड़े model को आगे train कीजिए। एक नया paper (Ma और साथी, *mupscaling*, arXiv 2602.10545) तीन दावे करता है: function का क्या होता है, clones को क्या चाहिए, और tune किया हुआ learning rate चलेगा या नहीं। आप तीनों को laptop लायक models पर परखेंगे।
#
# **इसके बाद आप कर पाएँगे**
#
# - train किए हुए network को, उसके optimiser के साथ, चौड़ा करना; और कुछ गड़बड़ हो तो पकड़ना कि कौन-सा नियम टूटा;
# - बताना कि बिना noise के clones बेकार क्यों हैं, और noise कितना हो, यह छोटे size पर चुनना;
# - hyperparameter transfer का चित्र पढ़ना: सबसे अच्छा learning rate कहाँ टिकता है और कहाँ खिसकता है;
# - शून्य से train करने के साथ बराबरी की तुलना करना, और जो निकला उसे ईमानदारी से कहना।
#
# | | |
# |---|---|
# | 30 मिनट की lab में | 12 मिनट: भाग 1, 4 और 7 |
# | अकेले पढ़ते समय | 50 मिनट: सारे भाग |
# | मशीन का समय | दो CPU cores पर करीब एक मिनट; `fast = True` से उसका तिहाई |
# | क्या चाहिए | एक laptop। GPU हो तो काम आएगा, पर ज़रूरी नहीं |
#
# ऊपर से नीचे तक हर cell को Shift + Enter से चलाइए। जहाँ `...` दिखे, वहाँ आपकी बारी है।
# %% include="setup"
# %% tags=["parameters"]
# Settings you may change. Papermill and Colab can set them too.
lang = "en"  # @param ["en", "hi"]
fast = False  # @param {type:"boolean"}
seed = 0  # @param {type:"integer"}
small_width = 32  # @param {type:"integer"}
growth = 4  # @param {type:"integer"}
# %% id="begin"
import copy
import itertools
import statistics

import torch
from torch.nn import functional

lk.check_parameters(lang=lang, fast=fast, seed=seed, small_width=small_width, growth=growth)
lk.set_language(lang)
torch.set_num_threads(1)  # these models are too small for more to help
small_steps, more_steps = (150, 60) if fast else (500, 200)
networks, names = {"network": ["MLP", "ResNet", "GPT"]}, {"network": lk.text("nb5.network")}
# %% [markdown] lang="en"
# ## 1. Four times as wide
#
# A small MLP learns MNIST-1D with AdamW. Then `lk.upscale` makes a model from it that is four times as wide: every unit stands there four times, copies side by side.
#
# ### Exercise 5.1 · Guess first ({{points 5.1}} point, 1 minute)
#
# What is the wide model's loss *right after* the growth, before it trains on? `"jumps up"`, `"stays the same"` or `"falls"`?
# %% [markdown] lang="hi"
# ## 1. चार गुना चौड़ा
#
# एक छोटा MLP, AdamW से MNIST-1D सीखता है। फिर `lk.upscale` उससे चार गुना चौड़ा model बनाता है: हर unit चार बार आती है, copies पास-पास।
#
# ### अभ्यास 5.1 · पहले अंदाज़ा लगाइए ({{points 5.1}} अंक, 1 मिनट)
#
# चौड़ा करने के *ठीक बाद*, आगे train होने से पहले, बड़े model का loss क्या होगा? `"jumps up"` (उछलेगा), `"stays the same"` (उतना ही रहेगा) या `"falls"` (गिरेगा)?
# %% answer="5.1"
# "jumps up", "stays the same" or "falls"
prediction = ...
### BEGIN SOLUTION
prediction = "stays the same"
### END SOLUTION
# %% check="5.1"
lk.check("5.1", prediction)
# %% id="train-small" tags=["nbval-ignore-output"]
config = lk.Config(
    width=small_width,
    base_width=small_width,
    parametrization="mup",
    seed=seed,
    steps=small_steps,
    device="cpu",
)
training = lk.train.Training(config)
training.optimizer = lk.mup.optimizer(training.model, "adamw", lr=3e-3, betas=(0.9, 0.95))
for batch in itertools.islice(training.batches(), small_steps):
    training.step(batch)
small, optimizer = training.model, training.optimizer
wide, wide_optimizer = lk.upscale(small, optimizer, growth)

x, y = training.workload.split.test_x, training.workload.split.test_y
with torch.no_grad():
    loss_small, loss_wide = (functional.cross_entropy(model(x), y).item() for model in (small, wide))
sizes = [lk.number(lk.models.parameter_count(model)) for model in (small, wide)]
print(
    lk.text("nb5.grown", small=sizes[0], wide=sizes[1], before=f"{loss_small:.4f}", after=f"{loss_wide:.4f}")
)


# %% [markdown] lang="en"
# Were you right in 5.1? The loss stays the same to four digits. Older methods could do that too. The stronger claim is about **training on**: with the optimiser scaled along, both models take the same path, step for step, if they get the same batches.
# %% [markdown] lang="hi"
# 5.1 में आपका अंदाज़ा सही था? Loss चार अंकों तक वही है। इतना तो पुराने तरीके भी कर लेते थे। असली दावा **आगे की training** का है: optimiser को भी साथ में scale किया जाए, तो वही batches मिलने पर दोनों models हर step पर एक ही रास्ता चलते हैं।
# %% id="equivalence" tags=["nbval-ignore-output"]
def next_batches(step):
    """The batches after those that the small model has seen."""
    return training.workload.batch(small_steps + step)


def take_step(model, its_optimizer, batch):
    its_optimizer.zero_grad()
    functional.cross_entropy(model(batch[0]), batch[1]).backward()
    its_optimizer.step()


gap = lk.upscale.equivalence_gap(small, optimizer, growth, next_batches, more_steps)
lk.plots.equivalence(gap)


# %% [markdown] lang="en"
# Two loss curves, one line. The outputs differ (right, logarithmic axis) by rounding in single precision, about 10⁻⁷ a number; in double precision by less than one part in a billion (labkit's tests check that). Try other growth factors, and noise (section 4):
# %% [markdown] lang="hi"
# दो loss curves, पर दिखती एक ही रेखा है। Outputs का फ़र्क (दाईं ओर, logarithmic axis) बस single precision की rounding है, हर संख्या में करीब 10⁻⁷; double precision में वह अरबवें हिस्से से भी कम है (labkit के tests इसे जाँचते हैं)। दूसरे growth factors आज़माइए, और noise भी (भाग 4):
# %% id="try-growth" tags=["nbval-ignore-output"]
def side_by_side(factor, noise):
    gap = lk.upscale.equivalence_gap(
        small, optimizer, factor, next_batches, more_steps, noise_std=noise, seed=seed
    )
    return lk.plots.equivalence(gap)


lk.explore(
    side_by_side,
    {"factor": [2, 3, 4, 8], "noise": [0.0, 0.1, 1.0]},
    {"factor": 2, "noise": 0.0},
    {"factor": lk.text("nb5.factor"), "noise": lk.text("nb5.noise")},
)


# %% [markdown] lang="en"
# ## 2. The rules
#
# *Extra, outside the 30 minutes.* Three kinds of weights, told apart by which of their sides grows:
#
# | role | which side grows | example |
# |---|---|---|
# | `"input"` | the outputs (rows) only | the first layer |
# | `"hidden"` | both | a layer between |
# | `"output"` | the inputs (columns) only | the readout |
#
# Each unit becomes *k* neighbouring copies: rows or columns 1, 2 become 1, 1, 2, 2 (for k = 2). A unit behind k copies of an input would add up k equal terms. For a **hidden** weight the k terms are divided by k to make up for it. The **output** weight is not divided, because in muP the readout already multiplies its *input* by 1/m (m: how many times the base width the model is).
#
# ### Exercise 5.2 · Widen a weight ({{points 5.2}} points, 8 minutes)
#
# Write `widen_weight(weight, role, k)`. The weight is a list of rows, one row for each output. Return the wide weight as a list of rows.
#
# <details><summary>Hint 1</summary>
#
# `[v for v in row for _ in range(k)]` repeats every value of a row k times, neighbours together.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Do the two sides one after the other: first the columns inside each row (unless the role is input), then the rows (unless it is output). Divide last.
#
# </details>
#
# <details><summary>If the check says that copies are not neighbours</summary>
#
# `row * k` puts the whole row k times one after the other: 1, 2, 1, 2. We need 1, 1, 2, 2.
#
# </details>
# %% [markdown] lang="hi"
# ## 2. नियम
#
# *अतिरिक्त, 30 मिनट में शामिल नहीं।* Weights तीन तरह के हैं। पहचान इससे होती है कि उनकी कौन-सी तरफ़ बढ़ती है:
#
# | role | कौन-सी तरफ़ बढ़ती है | उदाहरण |
# |---|---|---|
# | `"input"` | सिर्फ़ outputs (rows) | पहली layer |
# | `"hidden"` | दोनों | बीच की layer |
# | `"output"` | सिर्फ़ inputs (columns) | readout |
#
# हर unit की *k* copies पास-पास रखी जाती हैं: rows या columns 1, 2 बन जाती हैं 1, 1, 2, 2 (k = 2 के लिए)। जिस unit में किसी input की k copies पहुँचें, वह k बराबर संख्याएँ जोड़ेगी। **Hidden** weight में इसकी भरपाई k से भाग देकर होती है। **Output** weight को भाग नहीं दिया जाता, क्योंकि muP में readout अपने *input* को पहले ही 1/m से गुणा करता है (m: model base width से कितने गुना चौड़ा है)।
#
# ### अभ्यास 5.2 · Weight को चौड़ा कीजिए ({{points 5.2}} अंक, 8 मिनट)
#
# `widen_weight(weight, role, k)` लिखिए। Weight rows की list है, हर output की एक row। चौड़ा weight भी rows की list के रूप में लौटाइए।
#
# <details><summary>मदद 1</summary>
#
# `[v for v in row for _ in range(k)]` row की हर संख्या को k बार दोहराता है, copies पास-पास।
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# दोनों तरफ़ का काम बारी-बारी से कीजिए: पहले हर row के अंदर columns (अगर role input न हो), फिर rows (अगर output न हो)। भाग आखिर में।
#
# </details>
#
# <details><summary>अगर जाँच कहे कि copies पास-पास नहीं हैं</summary>
#
# `row * k` पूरी row को k बार एक के बाद एक रखता है: 1, 2, 1, 2। हमें 1, 1, 2, 2 चाहिए।
#
# </details>
# %% answer="5.2"
def widen_weight(weight, role, k):
    ...
    ### BEGIN SOLUTION
    if role != "input":
        weight = [[value for value in row for _ in range(k)] for row in weight]
    if role != "output":
        weight = [list(row) for row in weight for _ in range(k)]
    scale = k if role == "hidden" else 1
    return [[value / scale for value in row] for row in weight]
    ### END SOLUTION


# %% check="5.2"
lk.check("5.2", widen_weight)


# %% [markdown] lang="en"
# The optimiser has a memory too, and it must grow with the weights. In the wide model each copy's gradient is 1/k of the small one's, because k copies share the work. Adam keeps a running mean of the gradients (first moment) and one of their *squares* (second moment).
#
# ### Exercise 5.3 · Widen Adam's second moment ({{points 5.3}} points, 5 minutes)
#
# Write `widen_second_moment(v, role, k)`; `v` has the shape of the weight. The role may also be `"fixed"`: the readout's bias, which no growth touches; its gradient stays as it was.
#
# <details><summary>Hint</summary>
#
# What happens to the square of a number when the number is divided by k? And what does your answer to 5.2 already do about the shape (and, in one of the roles, not only about the shape)?
#
# </details>
# %% [markdown] lang="hi"
# Optimiser की भी याददाश्त होती है, और उसे weights के साथ बढ़ना होगा। बड़े model में हर copy का gradient छोटे वाले का 1/k होता है, क्योंकि k copies काम बाँट लेती हैं। Adam gradients का चलता औसत (first moment) रखता है, और उनके *वर्गों* का भी (second moment)।
#
# ### अभ्यास 5.3 · Adam के second moment को चौड़ा कीजिए ({{points 5.3}} अंक, 5 मिनट)
#
# `widen_second_moment(v, role, k)` लिखिए; `v` का shape weight जैसा है। Role `"fixed"` भी हो सकता है: readout का bias, जो चौड़ा करने से नहीं बदलता; उसका gradient वैसा ही रहता है।
#
# <details><summary>मदद</summary>
#
# किसी संख्या को k से भाग दें तो उसके वर्ग का क्या होता है? और shape के लिए 5.2 का आपका जवाब पहले से क्या कर देता है (और एक role में shape के अलावा और क्या)?
#
# </details>
# %% answer="5.3"
def widen_second_moment(v, role, k):
    ...
    ### BEGIN SOLUTION
    if role == "fixed":
        return v
    if role != "input":
        v = [[value for value in row for _ in range(k)] for row in v]
    if role != "output":
        v = [list(row) for row in v for _ in range(k)]
    return [[value / k**2 for value in row] for row in v]
    ### END SOLUTION


# %% check="5.3"
lk.check("5.3", widen_second_moment)
# %% [markdown] lang="en"
# `labkit.mup` finds the role of every tensor by building the model at two widths and looking at which sides have grown. Beside the three kinds there are `vector` (a bias of hidden units: only its one side grows) and `fixed` (the readout's bias: nothing grows). `init std` is the spread of fresh weights (under muP the readout begins at 0); `eps` is the small number in Adam's denominator, scaled down with the gradients. This is the whole of muP for our model, beside the standard way:
# %% [markdown] lang="hi"
# `labkit.mup` हर tensor का role ऐसे पहचानता है: वह model को दो widths पर बनाता है और देखता है कि कौन-सी तरफ़ बढ़ी। तीन तरह के weights के अलावा यहाँ `vector` (hidden units का bias: उसकी एक ही तरफ़ है, और वह बढ़ती है) और `fixed` (readout का bias: कुछ नहीं बढ़ता) भी हैं। `init std` नए weights का spread है (muP में readout 0 से शुरू होता है); `eps` Adam के भाजक में जुड़ने वाली छोटी संख्या है, जो gradients के साथ छोटी की जाती है। हमारे model के लिए पूरा muP यही है, साथ में standard तरीका:
# %% id="mup-table"
lk.mup.table(wide)
# %% [markdown] lang="en"
# ## 3. Which rule is broken?
#
# *Extra.* In each of four experiments exactly one rule was changed on purpose. The figure shows how far the wide model's outputs are from the small one's, step by step.
#
# ### Exercise 5.4 · The detective ({{points 5.4}} points, 6 minutes)
#
# Assign to each experiment what was changed: `"attention scale 1/sqrt(head size)"`, `"hidden weights not divided by k"`, `"learning rate not scaled"`, `"readout bias scaled"` or `"second moment divided by k"`. One of the five was not used.
#
# <details><summary>Hint 1</summary>
#
# Which are wrong *before* any training, at step 0? Only a change to the function itself can do that. One of these is off by a lot, the other by very little.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The other two begin at rounding and part from it at the first update. A wrong memory is forgotten in time (old gradients fade out of the running mean); a wrong learning rate is wrong at every step. The lengths of the updates tell which is which.
#
# </details>
#
# <details><summary>Hint 3</summary>
#
# An MLP has no attention.
#
# </details>
# %% [markdown] lang="hi"
# ## 3. कौन-सा नियम टूटा?
#
# *अतिरिक्त।* चार प्रयोगों में से हर एक में जान-बूझकर ठीक एक नियम बदला गया। चित्र दिखाता है कि हर step पर बड़े model के outputs छोटे model के outputs से कितने दूर हैं।
#
# ### अभ्यास 5.4 · जासूस ({{points 5.4}} अंक, 6 मिनट)
#
# हर प्रयोग के लिए बताइए कि क्या बदला गया: `"attention scale 1/sqrt(head size)"`, `"hidden weights not divided by k"`, `"learning rate not scaled"`, `"readout bias scaled"` या `"second moment divided by k"`। पाँच में से एक का इस्तेमाल नहीं हुआ।
#
# <details><summary>मदद 1</summary>
#
# कौन-से training से *पहले* ही, step 0 पर गलत हैं? ऐसा उसी बदलाव से हो सकता है जो function को ही बदल दे। उनमें से एक बहुत दूर है, दूसरा बस थोड़ा-सा।
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# बाकी दो rounding से शुरू होते हैं और पहले update पर अलग हो जाते हैं। गलत याददाश्त समय के साथ मिट जाती है (चलते औसत से पुराने gradients धीरे-धीरे निकल जाते हैं); गलत learning rate हर step पर गलत रहता है। Updates की लंबाई से पता चलेगा कि कौन-सा कौन है।
#
# </details>
#
# <details><summary>मदद 3</summary>
#
# MLP में attention होता ही नहीं।
#
# </details>
# %% id="wrong-rules" tags=["nbval-ignore-output"]
known = sorted(lk.mup.WRONG_RULES)
changed = {letter: known[place] for letter, place in zip("ABCD", (2, 3, 1, 4), strict=True)}  # no peeping
gaps = {
    letter: lk.upscale.equivalence_gap(small, optimizer, growth, next_batches, more_steps, wrong=rule)
    for letter, rule in changed.items()
}
lk.plots.wrong_rules(gaps, ask=True)


# %% [markdown] lang="en"
# One more clue. How long is the update of the hidden weights in the wide model, compared with the small one? With the right rules the two are equally long at every step (k² times as many numbers, each 1/k as large).
# %% [markdown] lang="hi"
# एक सुराग और। बड़े model में hidden weights का update छोटे model के मुकाबले कितना लंबा है? सही नियमों से दोनों हर step पर बराबर लंबे होते हैं (k² गुना संख्याएँ, हर एक 1/k जितनी)।
# %% id="updates" tags=["nbval-ignore-output"]
def update_lengths(rule):
    """The wide model's hidden update over the small one's, step by step."""
    rules = {**lk.mup.RULES, **lk.mup.WRONG_RULES[rule]}
    pairs = [copy.deepcopy((small, optimizer)), lk.upscale(small, optimizer, growth, rules=rules)]
    ratios = []
    for step in range(more_steps):
        moved = []
        for model, its_optimizer in pairs:
            before = model.layers[1].weight.detach().clone()
            take_step(model, its_optimizer, next_batches(step))
            moved.append((model.layers[1].weight.detach() - before).norm().item())
        ratios.append(moved[1] / moved[0])
    return ratios


for letter, rule in changed.items():
    ratios = update_lengths(rule)
    first, last = lk.number(ratios[0], 2), lk.number(ratios[-1], 2)
    print(lk.text("nb5.updates", letter=letter, first=first, last=last, steps=more_steps))
# %% answer="5.4"
broken_rules = {
    "A": ...,
    "B": ...,
    "C": ...,
    "D": ...,
}
### BEGIN SOLUTION
broken_rules = {
    "A": "learning rate not scaled",
    "B": "readout bias scaled",
    "C": "hidden weights not divided by k",
    "D": "second moment divided by k",
}
### END SOLUTION
# %% check="5.4"
lk.check("5.4", broken_rules)


# %% [markdown] lang="en"
# ## 4. Clones stay clones
#
# Equal copies get equal gradients, so they stay equal for ever, and the wide model is a small one that costs more. **Noise** must part them; `noise_std=1` is as much as in a fresh muP initialisation. How alike are the hidden units after some more training? Dark squares on the diagonal are groups of clones.
# %% [markdown] lang="hi"
# ## 4. Clones, clones ही रहते हैं
#
# बराबर copies को बराबर gradients मिलते हैं, इसलिए वे हमेशा बराबर रहती हैं, और बड़ा model असल में छोटा ही है, बस महँगा। उन्हें **noise** से अलग करना पड़ता है; `noise_std=1` यानी नए muP initialisation जितना। थोड़ी और training के बाद hidden units एक-दूसरे से कितनी मिलती हैं? Diagonal पर गहरे चौकोर खाने clones के समूह हैं।
# %% id="clones" tags=["nbval-ignore-output"]
def grown(noise_std):
    model, its_optimizer = lk.upscale(small, optimizer, growth, noise_std=noise_std, seed=seed)
    for step in range(more_steps):
        take_step(model, its_optimizer, next_batches(step))
    return lk.upscale.clones(model, growth, x[:256])


lk.plots.clones(grown(0.0), grown(1.0), growth, layer="layers.1")
# %% [markdown] lang="en"
# **In the 30-minute lab** you may now skip to section 7.
#
# ## 5. How much noise?
#
# *Extra.* Too little, and the clones take long to part; too much, and what was learned drowns. Nobody knows the right amount beforehand, so it is tuned, but on a **small** pair of models, where a trial is cheap. This sweep grew the small network to four times its width and trained it on, with several noises and seeds (recorded; the script is `data/recorded/upscaling.py`).
# %% [markdown] lang="hi"
# **30 मिनट की lab में** अब आप सीधे भाग 7 पर जा सकते हैं।
#
# ## 5. Noise कितना?
#
# *अतिरिक्त।* बहुत कम हो, तो clones को अलग होने में देर लगती है; बहुत ज़्यादा हो, तो सीखा हुआ डूब जाता है। सही मात्रा पहले से किसी को नहीं पता, इसलिए उसे tune करते हैं, पर models की **छोटी** जोड़ी पर, जहाँ एक trial सस्ता है। इस sweep में छोटे network को चार गुना चौड़ा करके आगे train किया गया, कई noise और seeds के साथ (record किया हुआ; script `data/recorded/upscaling.py` है)।
# %% id="noise-sweep" tags=["nbval-ignore-output"]
study = lk.recorded.load("upscaling_noise")
noise_rows = [
    row for row in study.rows if (row["network"], row["pair"], row["rate"]) == ("MLP", "small", 1.0)
]
lk.plots.noise_sweep(noise_rows, ask=True)
# %% [markdown] lang="en"
# ### Exercise 5.5 · Pick the noise ({{points 5.5}} points, 3 minutes)
#
# Which of the noises that were tried would you take to a larger pair? Look at the means *and* at their standard errors (the cell below prints both): values that cannot be told apart are equally good choices.
#
# <details><summary>Hint</summary>
#
# Look for the lowest mean. For each other noise: is the difference of the two means larger than twice the error of that difference, √(e₁² + e₂²)? Zero is no choice: why?
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 5.5 · Noise चुनिए ({{points 5.5}} अंक, 3 मिनट)
#
# आज़माए गए noise में से कौन-सा आप बड़ी जोड़ी के लिए लेंगे? Means देखिए और उनके standard errors *भी* (नीचे का cell दोनों print करता है): जिनमें फ़र्क नहीं किया जा सकता, वे बराबर के विकल्प हैं।
#
# <details><summary>मदद</summary>
#
# सबसे कम mean ढूँढिए। बाकी हर noise के लिए: क्या दोनों means का फ़र्क उस फ़र्क के error, √(e₁² + e₂²), के दो गुने से ज़्यादा है? शून्य विकल्प नहीं है: क्यों?
#
# </details>
# %% id="noise-means"
sweep = []
for noise in sorted({row["noise"] for row in noise_rows}):
    losses = [row["loss"] for row in noise_rows if row["noise"] == noise]
    error = statistics.stdev(losses) / len(losses) ** 0.5
    sweep.append([noise, statistics.fmean(losses), error])
    print(lk.text("nb5.noise_mean", noise=lk.number(noise), mean=f"{sweep[-1][1]:.4f}", error=f"{error:.4f}"))
# %% answer="5.5"
chosen_noise = ...
### BEGIN SOLUTION
chosen_noise = min((mean, noise) for noise, mean, error in sweep if noise > 0)[1]
### END SOLUTION
# %% check="5.5"
lk.check("5.5", {"sweep": sweep, "noise": chosen_noise})


# %% [markdown] lang="en"
# Do the best settings (learning rate and noise) of a small pair of models stay the best for a large pair? That is the third claim, for upscaled models. Each square below is one combination, the number in it the final loss (mean of three seeds); `rate` is a multiple of the small network's learning rate. On the left the small pair, on the right the large one: the star is the best combination of each, and the circle shows where the small pair's best would have led you. Choose a network:
# %% [markdown] lang="hi"
# क्या models की छोटी जोड़ी की सबसे अच्छी settings (learning rate और noise) बड़ी जोड़ी के लिए भी सबसे अच्छी रहती हैं? Upscaled models के लिए तीसरा दावा यही है। नीचे के हर खाने में एक rate और एक noise है, और उसमें लिखी संख्या आखिर का loss (तीन seeds का mean); `rate` यानी छोटे network के learning rate का कितने गुना। बाईं ओर छोटी जोड़ी, दाईं ओर बड़ी: तारा हर तरफ़ की सबसे अच्छी settings हैं, और गोला दिखाता है कि छोटी जोड़ी की settings लेकर आप कहाँ पहुँचते। Network चुनिए:
# %% id="noise-map" tags=["nbval-ignore-output"]
def noise_map(network):
    rows = [row for row in study.rows if row["network"] == network]
    pairs = {row["width"]: row["pair"] for row in rows}
    panels = {width: lk.text(f"nb5.{pair}_pair", start=width, end=4 * width) for width, pair in pairs.items()}
    return lk.plots.settings_map(rows, across="noise", down="rate", panels=panels)


lk.explore(noise_map, networks, {"network": "MLP"}, names)
# %% [markdown] lang="en"
# What do the recorded maps show? In all three networks the best noise is the same for both pairs, and the best rate moves by one step of the grid (a factor of 2) at most. The title says whether the small pair's best can be told from the large pair's. It is still three networks, two pairs and three seeds, not a law.
#
# ## 6. The map of learning rates: does the best one move?
#
# *Extra.* The same network at three widths, with many learning rates and several seeds. On one side the standard parametrisation, on the other muP. At these widths the standard way may be saved by luck: look at all three networks before you judge. The MLP's runs happen right here, all seeds and rates of a width in one stack; then come recorded ones.
# %% [markdown] lang="hi"
# Record किए हुए maps क्या दिखाते हैं? तीनों networks में सबसे अच्छा noise दोनों जोड़ियों के लिए वही है, और सबसे अच्छा rate ज़्यादा से ज़्यादा grid का एक कदम (दो गुना) खिसकता है। शीर्षक बताता है कि छोटी जोड़ी की सबसे अच्छी settings और बड़ी जोड़ी की सबसे अच्छी settings में फ़र्क दिखता है या नहीं। फिर भी ये तीन networks, दो जोड़ियाँ और तीन seeds हैं, कोई नियम नहीं।
#
# ## 6. Learning rate का map: क्या सबसे अच्छा rate खिसकता है?
#
# *अतिरिक्त।* वही network तीन widths पर, कई learning rates और कई seeds के साथ। एक तरफ़ standard parametrisation, दूसरी तरफ़ muP। इन widths पर standard तरीका किस्मत से भी बच सकता है: फ़ैसला करने से पहले तीनों networks देखिए। MLP के runs यहीं होते हैं, एक width के सारे seeds और rates एक साथ; उसके बाद record किए हुए runs हैं।
# %% id="rate-map" tags=["nbval-ignore-output"]
map_steps = 100 if fast else 300
settings = {"base_width": 32, "shift": 3, "schedule": "cosine", "steps": map_steps, "eval_every": map_steps}
rates = [7.5e-4 * 2.0**power for power in range(8)]
maps = [
    lk.Config(width=width, parametrization=parametrization, **settings)
    for parametrization in ("standard", "mup")
    for width in (32, 64, 128)
]
grids = [one for config in maps for one in lk.sweep.grid(config, learning_rate=rates, seed=[0, 1, 2])]
map_rows = [run.config.to_dict() | {"loss": run.rows[-1]["test_loss"]} for run in lk.sweep.sweep(grids)]
lk.plots.transfer(map_rows)
# %% [markdown] lang="en"
# And the recorded maps of all three networks, with five seeds:
# %% [markdown] lang="hi"
# और तीनों networks के record किए हुए maps, पाँच seeds के साथ:
# %% id="recorded-maps" tags=["nbval-ignore-output"]
recorded_map = lk.recorded.load("upscaling_transfer").rows


def rate_map(network, ask=False):
    return lk.plots.transfer([row for row in recorded_map if row["network"] == network], ask=ask)


lk.explore(rate_map, networks, {"network": "GPT"}, names)
# %% [markdown] lang="en"
# Why should it stay under muP? Because there each layer's outputs, and their change by a step, stay about as large whatever the width. This **coordinate check** shows it, and it is the first thing to look at when you bring muP to a model of your own: after a few steps no line may climb with the width.
# %% [markdown] lang="hi"
# muP में वह टिकता क्यों है? क्योंकि width कुछ भी हो, हर layer के outputs के मान, और एक step से उनमें आया बदलाव, लगभग उतने ही बड़े रहते हैं। यह **coordinate check** यही दिखाता है, और अपने model पर muP लगाएँ तो सबसे पहले यही देखिए: कुछ steps के बाद कोई रेखा width के साथ ऊपर नहीं चढ़नी चाहिए।
# %% id="coordinates" tags=["nbval-ignore-output"]
checked = lk.mup.coord_check(lk.models.MLP(width=32), [32, 64, 128, 256], lr=3e-2, seeds=[0, 1, 2])
lk.plots.coordinates(checked)
# %% [markdown] lang="en"
# ### Exercise 5.6 · Read the map ({{points 5.6}} points, 3 minutes)
#
# Here is the recorded map of a network, with the names of the two sides taken away. Which side is muP, `"left"` or `"right"`? And which learning rate would you use at the largest width if you could only afford to tune at the smallest?
#
# <details><summary>Hint</summary>
#
# Follow the lowest point of each curve from width to width. On one side it wanders to the left; on the other it stays within one step of the grid, and all curves begin together.
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 5.6 · Map पढ़िए ({{points 5.6}} अंक, 3 मिनट)
#
# यह एक network का record किया हुआ map है, जिसमें दोनों तरफ़ के नाम हटा दिए गए हैं। muP किस तरफ़ है, `"left"` (बाएँ) या `"right"` (दाएँ)? और अगर tuning सिर्फ़ सबसे छोटी width पर कर सकते हों, तो सबसे बड़ी width पर कौन-सा learning rate लेंगे?
#
# <details><summary>मदद</summary>
#
# हर curve के सबसे निचले point को width-दर-width देखते जाइए। एक तरफ़ वह बाईं ओर खिसकता जाता है; दूसरी तरफ़ grid के एक कदम के अंदर रहता है, और सारी curves एक साथ शुरू होती हैं।
#
# </details>
# %% id="blind-map" tags=["nbval-ignore-output"]
by_rate = {}
for row in recorded_map:
    if (row["network"], row["parametrization"], row["width"]) == ("GPT", "mup", 16):
        by_rate.setdefault(row["learning_rate"], []).append(row["loss"])
best_small = min(by_rate, key=lambda rate: statistics.fmean(by_rate[rate]))
rate_map("GPT", ask=True)
# %% answer="5.6"
mup_side = ...
rate_at_large = ...
### BEGIN SOLUTION
mup_side = "right"
rate_at_large = best_small
### END SOLUTION
# %% check="5.6"
lk.check("5.6", {"mup": mup_side, "rate_at_large": rate_at_large, "best_small": best_small})
# %% [markdown] lang="en"
# ## 7. Upscaled against scratch
#
# With the *same total compute*, is it better to train small, grow, and train on, or to train the large network from scratch? Both routes got the same number of tuning trials (at the small size) and the same seeds, and the small network's training is **counted** (“not counted”: somebody gave it to you). The tuning found (`rate` is a multiple of the small network's learning rate):
# %% [markdown] lang="hi"
# ## 7. Upscaled के सामने scratch
#
# *कुल compute बराबर* हो, तो क्या बेहतर है: छोटा train करके चौड़ा करना और आगे train करना, या बड़े network को scratch से train करना? दोनों को tuning के लिए उतने ही trials मिले (छोटे size पर) और वही seeds, और छोटे network की training **गिनी गई** है (“गिने बिना”: छोटा network किसी ने आपको दे दिया)। Tuning में यह मिला (`rate` यानी छोटे network के learning rate का कितने गुना):
# %% id="tuned"
contest, trials = (lk.recorded.load(name).rows for name in ("upscaling_race", "upscaling_tuning"))
tuned = [("upscaled", "rate", "rate"), ("upscaled", "noise", "noise"), ("scratch", "rate", "scratch_rate")]
for network in networks["network"]:
    run = next(row for row in contest if row["network"] == network)
    for route, name, key in tuned:
        tried = [row[name] for row in trials if (row["network"], row["route"]) == (network, route)]
        where = "edge" if run[key] in (min(tried), max(tried)) else "inside"
        low, high, best = map(lk.number, (min(tried), max(tried), run[key]))
        found = lk.text(f"nb5.tuned_{where}", setting=name, best=best, low=low, high=high)
        print(f"{network:7}{route:9} {found}")


# %% [markdown] lang="en"
# And the race itself, at the large size:
# %% [markdown] lang="hi"
# और अब असली मुक़ाबला, बड़े size पर:
# %% id="race" tags=["nbval-ignore-output"]
def race(network):
    rows = [row for row in contest if row["network"] == network]
    return lk.plots.race(rows, base_compute=rows[0]["base_compute"])


lk.explore(race, networks, {"network": "MLP"}, names)
# %% [markdown] lang="en"
# The title says who won, on these toys, with this budget. The upscaled curve does not begin where the small network ended: the noise (section 4) disturbs the function. It can go either way: with few examples (MNIST-1D, the digits) a large network overfits however it began, and four is a large factor (Mallik and others, arXiv 2605.13405, find growth by two the most reliable).
#
# ### Exercise 5.7 · The honest claim ({{points 5.7}} points, 4 minutes)
#
# Which sentences may stand in your report, `"may"` or `"may not"`?
#
# - **A.** Widened without noise, the outputs agreed to rounding for all the steps that we ran.
# - **B.** Upscaling is better than training from scratch.
# - **C.** We counted the small network's training and gave both the same tuning trials and seeds.
# - **D.** It worked for GPT-2 in the paper, so it works for our network.
# - **E.** muP finds the best learning rate.
# - **F.** At the widths and steps that we tried, the best rate moved by at most one step of our grid under muP.
#
# <details><summary>Hint</summary>
#
# The same question as in notebook 3: does the sentence speak of what was run, or of the world?
#
# </details>
# %% [markdown] lang="hi"
# शीर्षक बताता है कि इन खिलौना models पर, इस budget में, कौन जीता। Upscaled curve वहाँ से शुरू नहीं होती जहाँ छोटा network रुका था: noise (भाग 4) function को बिगाड़ता है। नतीजा किसी भी ओर जा सकता है: कम उदाहरणों में (MNIST-1D, digits) बड़ा network overfit करता है, शुरुआत चाहे जैसी हो; और चार गुना काफ़ी बड़ा factor है (Mallik और साथी, arXiv 2605.13405, के अनुसार दो गुना सबसे भरोसेमंद है)।
#
# ### अभ्यास 5.7 · ईमानदार दावा ({{points 5.7}} अंक, 4 मिनट)
#
# आपकी report में कौन-से वाक्य लिखे जा सकते हैं, `"may"` (हाँ) या `"may not"` (नहीं)?
#
# - **A.** बिना noise के चौड़ा करने के बाद जितने steps हमने चलाए, उन सबमें, rounding के फ़र्क को छोड़ दें, तो outputs बराबर रहे।
# - **B.** Upscaling, scratch से train करने से बेहतर है।
# - **C.** हमने छोटे network की training गिनी, और दोनों को tuning के लिए उतने ही trials और वही seeds दिए।
# - **D.** Paper में यह तरीका GPT-2 पर चला, इसलिए हमारे network पर भी चलेगा।
# - **E.** muP सबसे अच्छा learning rate ढूँढ देता है।
# - **F.** जितनी widths और जितने steps हमने आज़माए, उनमें muP के साथ सबसे अच्छा rate हमारे grid के एक कदम से ज़्यादा नहीं खिसका।
#
# <details><summary>मदद</summary>
#
# वही सवाल जो notebook 3 में था: वाक्य उसकी बात करता है जो चलाया गया, या पूरी दुनिया की?
#
# </details>
# %% answer="5.7"
# "may" or "may not"
claims = {
    "A": ...,
    "B": ...,
    "C": ...,
    "D": ...,
    "E": ...,
    "F": ...,
}
### BEGIN SOLUTION
claims = {
    "A": "may",
    "B": "may not",
    "C": "may",
    "D": "may not",
    "E": "may not",
    "F": "may",
}
### END SOLUTION
# %% check="5.7"
lk.check("5.7", claims)
# %% [markdown] lang="en"
# ## 8. What does it do to your compute plan?
#
# Two routes to one large network. Plan A: tune and train it from scratch. Plan B: tune and train a small one, grow it, and train on. Put *your* minutes per run into the first line below.
# %% [markdown] lang="hi"
# ## 8. आपके compute plan पर क्या असर होगा?
#
# एक बड़े network तक दो रास्ते। Plan A: उसे scratch से tune और train कीजिए। Plan B: छोटे को tune और train कीजिए, चौड़ा कीजिए, और आगे train कीजिए। नीचे की पहली line में एक run के *अपने* मिनट लिखिए।
# %% id="two-routes"
large_minutes, small_minutes, grown_minutes, trials = 40, 6, 15, 16
why = lk.text("nb5.your_minutes")
seeds = [0, 1, 2]


def route(name, run_minutes, tuning, trial_minutes):
    """A plan with a final run for each seed, and the tuning of its settings, which is done once."""
    runs = lk.Setting(lk.text(f"nb5.{name}"), "method", run_time=lk.Guess(run_minutes, why))
    share = trials * trial_minutes / len(seeds)
    tuned = lk.Setting(lk.text(f"nb5.{tuning}"), "ablation", run_time=lk.Guess(share, why))
    question = lk.text("nb5.question")
    return lk.ComputePlan(question, [runs, tuned], seeds, seeds_why=lk.text("nb5.seeds_why"))


plans = {
    "Plan A": route("scratch", large_minutes, "tuning_large", large_minutes),
    "Plan B": route(
        "upscaled",
        small_minutes + grown_minutes,
        "tuning_small",
        small_minutes + grown_minutes / growth**2,
    ),
}
lk.plots.two_plans(plans)
# %% [markdown] lang="en"
# Most of the hours go into tuning: sixteen trials at the large size, or sixteen at the small one. That much muP alone gives you, also without growing anything. When would you grow? When the small network exists already (a released one, or your own from the scaling check), when you need several sizes anyway, or when a small network was the safe first step of your plan. When not? When the large run is far longer than the small one, or the data is too little for the large network.
#
# **Next:** notebook 6, *Run your plan*, is being written.
#
# ## Answers in words
#
# For those who study alone. Try first; then open.
#
# <details><summary>5.2 and 5.3</summary>
#
# Repeat what grows, as neighbours: rows for an input weight, columns for an output weight, both for a hidden one; only the hidden one is divided by the factor. The second moment is repeated in the same way and divided by the factor's square, whatever the role, since every gradient has become smaller by the factor; the fixed one is left alone.
#
# </details>
#
# <details><summary>5.4</summary>
#
# C is wrong from the start and by a lot: sums that should have been means. B is wrong from the start by a constant: the bias. D starts at rounding; its first updates are too short, the later ones are not, since the wrong memory fades. A starts at rounding, and its updates are too long from the first to the last.
#
# </details>
#
# <details><summary>5.5 and 5.6</summary>
#
# The lowest mean, or any that cannot be told from it; without noise the clones never part. In the map: the side where the lowest points stay within a step of one another; and the best rate of the smallest width (or one step above it, where the larger widths have theirs).
#
# </details>
#
# <details><summary>5.7</summary>
#
# The first, the third and the last speak of what was done. The others speak as if it were true everywhere.
#
# </details>
# %% [markdown] lang="hi"
# ज़्यादातर घंटे tuning में जाते हैं: सोलह trials बड़े size पर, या सोलह छोटे पर। इतना तो अकेला muP दे देता है, कुछ चौड़ा किए बिना भी। चौड़ा कब करें? जब छोटा network पहले से हो (किसी का release किया हुआ, या scaling check वाला आपका अपना), जब कई sizes वैसे भी चाहिए हों, या जब छोटा network आपके plan का सुरक्षित पहला कदम हो। कब नहीं? जब बड़ा run छोटे से कहीं ज़्यादा लंबा हो, या बड़े network के लिए data बहुत कम हो।
#
# **आगे:** notebook 6, *अपना plan चलाइए*, अभी लिखा जा रहा है।
#
# ## जवाब, शब्दों में
#
# जो अकेले पढ़ रहे हैं उनके लिए। पहले खुद कोशिश कीजिए, फिर खोलिए।
#
# <details><summary>5.2 और 5.3</summary>
#
# जो बढ़ता है उसे पास-पास दोहराइए: input weight की rows, output weight के columns, hidden के दोनों; सिर्फ़ hidden को factor से भाग दीजिए। Second moment भी वैसे ही दोहराया जाता है और factor के वर्ग से भाग दिया जाता है, role कोई भी हो, क्योंकि हर gradient उतने गुना छोटा हो गया है; fixed को वैसा ही छोड़ दीजिए।
#
# </details>
#
# <details><summary>5.4</summary>
#
# C शुरू से ही गलत है, और बहुत: जहाँ mean होना था वहाँ जोड़ रह गया। B शुरू से, हर step पर उतना ही गलत है: bias। D rounding से शुरू होता है; उसके पहले updates छोटे हैं, बाद के ठीक, क्योंकि गलत याददाश्त मिटती जाती है। A rounding से शुरू होता है, और उसके updates पहले से आखिरी तक ज़्यादा लंबे हैं।
#
# </details>
#
# <details><summary>5.5 और 5.6</summary>
#
# सबसे कम mean, या कोई भी, जिसमें और उसमें फ़र्क नहीं किया जा सकता; बिना noise के clones कभी अलग नहीं होते। Map में: वह तरफ़ जहाँ सबसे निचले points एक कदम के अंदर ही रहते हैं; और सबसे छोटी width का सबसे अच्छा rate (या उससे एक कदम ऊपर, जहाँ बड़ी widths का है)।
#
# </details>
#
# <details><summary>5.7</summary>
#
# पहला, तीसरा और आखिरी वाक्य उसकी बात करते हैं जो किया गया। बाकी ऐसे बोलते हैं मानो बात हर जगह सच हो।
#
# </details>
