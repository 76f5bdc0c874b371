# %% [markdown] lang="en"
# # 3 · Scaling checks
#
# Your idea works on a small model. Will it work on a large one, which you cannot afford to try? Nobody can promise that. But a few small sizes, trained fairly, show a *trend*, and a trend is a hint. How much does it allow you to claim, and does it hold?
#
# **You will be able to**
#
# - read a trend over three sizes with its spread;
# - compare two methods seed by seed, at every size;
# - tell a claim from a hint, and both from a wish;
# - extrapolate with a band, test it, and say what the check cost.
#
# | | |
# |---|---|
# | In the 30-minute lab | about 15 minutes: sections 1, 2 and 4 |
# | On your own | about 40 minutes: all sections |
# | Machine time | about a minute on two CPU cores; a quarter of that with `fast = True` |
# | You need | a laptop. A GPU is used if there is one, and is not needed |
#
# Run the cells in order with Shift + Enter. Where you see `...` it is your turn.
# %% [markdown] lang="hi"
# # 3 · Scaling checks
#
# आपका idea छोटे model पर चल गया। बड़े model पर चलेगा क्या, जिसे आज़माने का budget ही नहीं है? इसका वादा कोई नहीं कर सकता। पर दो-तीन छोटे sizes, बराबरी से train किए हुए, एक *trend* दिखाते हैं, और trend एक इशारा है। उससे कितना दावा किया जा सकता है, और क्या वह सही निकलता है?
#
# **इसके बाद आप कर पाएँगे**
#
# - तीन sizes के trend को उसके spread के साथ पढ़ना;
# - हर size पर दो methods की seed-दर-seed तुलना करना;
# - दावे और इशारे में फ़र्क करना, और दोनों को मन की इच्छा से अलग रखना;
# - band के साथ आगे का अंदाज़ा लगाना, उसे परखना, और बताना कि जाँच में कितना खर्च हुआ।
#
# | | |
# |---|---|
# | 30 मिनट की lab में | लगभग 15 मिनट: भाग 1, 2 और 4 |
# | अकेले पढ़ते समय | लगभग 40 मिनट: सारे भाग |
# | मशीन का समय | दो CPU cores पर करीब एक मिनट; `fast = True` से उसका चौथाई |
# | क्या चाहिए | एक laptop। GPU हो तो काम आएगा, पर ज़रूरी नहीं |
#
# Cells को क्रम से Shift + Enter से चलाइए। जहाँ `...` दिखे, वहाँ आपकी बारी है।
# %% include="setup"
# %% tags=["parameters"]
# Settings you may change. Papermill and Colab can set them too.
lang = "en"  # @param ["en", "hi"]
fast = False  # @param {type:"boolean"}
sizes = "16, 32, 64"  # @param {type:"string"}
seeds = "0, 1, 2"  # @param {type:"string"}
steps = 500  # @param {type:"integer"}
live_method = False  # @param {type:"boolean"}
train_the_large_one = False  # @param {type:"boolean"}
# %% id="begin"
import itertools
import math
from pathlib import Path

switches = {"fast": fast, "live_method": live_method, "train_the_large_one": train_the_large_one}
given = lk.check_parameters(lang=lang, sizes=sizes, seeds=seeds, steps=steps, **switches)
lk.set_language(lang)
if fast:
    steps = min(steps, 60)
work = Path("work")
work.mkdir(exist_ok=True)
floor = lk.data.kahani_entropy(lang, window=lk.KahaniConfig().context)
characters = len(lk.kahani.vocabulary(lang))
# %% [markdown] lang="en"
# ## 1. A language whose floor is known
#
# A tiny GPT guesses each next character of stories in **Kahani**, a toy language. We made its rules, so we know *exactly* how surprising the next character is even for somebody who knows them all. No model can have a lower loss: this is the **floor**. Losses are in **nats**, as PyTorch gives them (natural logarithm; 0.69 nats are one bit).
# %% [markdown] lang="hi"
# ## 1. ऐसी भाषा, जिसका floor पता है
#
# एक नन्हा GPT कहानियों के हर अगले अक्षर का अंदाज़ा लगाता है। कहानियाँ **Kahani** में हैं, जो एक छोटी-सी बनाई हुई भाषा है। उसके नियम हमारे ही हैं, इसलिए हम *ठीक-ठीक* जानते हैं कि सारे नियम जानने वाले के लिए भी अगला अक्षर कितना चौंकाने वाला होगा। किसी भी model का loss इससे नीचे नहीं जा सकता: यही **floor** (फ़र्श) है। Loss **nats** में है, जैसा PyTorch देता है (natural logarithm; 0.69 nats = एक bit)।
# %% id="stories"
print(lk.data.kahani("test", 400, 1, lang))
uniform = math.log(characters)
said = lk.text("nb3.floor", floor=lk.number(floor), uniform=lk.number(uniform), characters=characters)
print(lk.messages.folded(said))
# %% [markdown] lang="en"
# Everything happens between these two.
#
# ### Exercise 3.1 · Guess first ({{points 3.1}} point, 1 minute)
#
# You will train at three widths. Which loss will the *largest* reach after a few hundred steps, in nats per character?
# %% [markdown] lang="hi"
# जो भी होना है, इन दोनों के बीच होता है।
#
# ### अभ्यास 3.1 · पहले अंदाज़ा लगाइए ({{points 3.1}} अंक, 1 मिनट)
#
# आप तीन widths पर train करेंगे। कुछ सौ steps के बाद *सबसे बड़े* model का loss कितना होगा, nats प्रति अक्षर में?
# %% answer="3.1"
# Your guess in nats per character, for example 1.5
predicted_loss = ...
### BEGIN SOLUTION
predicted_loss = 1.0
### END SOLUTION
# %% check="3.1"
lk.check("3.1", {"guess": predicted_loss, "floor": floor, "uniform": uniform})
# %% [markdown] lang="en"
# ## 2. Three sizes, three seeds
#
# First, how long will you wait? The next cell times a step at each width and multiplies. **Equal seeds** everywhere: seed 0 gives every size the same stories in the same order, so that all sit the same exam.
# %% [markdown] lang="hi"
# ## 2. तीन sizes, तीन seeds
#
# पहले, कितना इंतज़ार करना होगा? अगला cell हर width पर एक step का समय मापता है और गुणा करता है। **Seeds हर जगह बराबर**: seed 0 हर size को वही कहानियाँ उसी क्रम में देता है, ताकि सारे sizes एक ही परीक्षा दें।
# %% id="choose" tags=["nbval-ignore-output"]
chosen = {"widths": given["sizes"], "seeds": given["seeds"]}
offered = {"widths": {8, 16, 32, 64}, "seeds": {0, 1, 2, 3, 4}}
offered = {name: sorted({*values, *chosen[name]}) for name, values in offered.items()}
offered["steps"] = sorted({125, 250, 500, steps})


def config(width, seed, **changes):
    return lk.KahaniConfig(
        width=width, seed=seed, lang=lang, steps=steps, warmup_steps=steps // 20, **changes
    )


step_time = {}
for width in offered["widths"]:
    training = lk.train.Training(config(width, seed=0))
    step_time[width] = lk.measure_steps(training.step, training.batches(), seconds=0.15 if fast else 0.4)


def wait(widths, seeds, steps):
    forecasts = [step_time[width].forecast(steps) for width in widths]
    low, high = (
        lk.duration(len(seeds) * sum(getattr(f, end) for f in forecasts)) for end in ("low_s", "high_s")
    )
    return lk.text("nb3.wait", runs=len(widths) * len(seeds), low=low, high=high)


labels = {name: lk.text(f"nb3.{name}") for name in offered}
choice = lk.explore(wait, offered, {**chosen, "steps": steps}, labels)
choice
# %% [markdown] lang="en"
# All runs get the same steps and batches. The learning rate was tuned once, at width 32; **muP**, a way of scaling the model, keeps the best rate there at the other widths (notebook 5 tests that). Without it a “trend” may only show that the rate suits one size better than another.
# %% [markdown] lang="hi"
# सब runs को उतने ही steps और वही batches मिलते हैं। Learning rate एक ही बार, width 32 पर, tune हुआ। **muP**, यानी model को बड़ा करने का एक तरीका, सबसे अच्छे learning rate को बाकी widths पर भी वहीं रखता है (notebook 5 इसे परखता है)। इसका ध्यान न रखें, तो हो सकता है “trend” बस यही दिखाए कि learning rate एक size को रास आया और दूसरे को नहीं।
# %% id="run-sizes" tags=["nbval-ignore-output"]
baseline, trend, trained = [], None, {}  # nothing of an earlier choice is left if this one does not work
widths, seeds_used, steps = (choice.values[name] for name in ("widths", "seeds", "steps"))
lk.check_parameters(sizes=widths, seeds=seeds_used, steps=steps)


def train(width, seed, **changes):
    training = lk.train.Training(config(width, seed, **changes))
    for batch in itertools.islice(training.batches(), steps):
        training.step(batch)
    trained[width, seed] = training.model
    found = training.evaluate()
    flops = lk.models.training_flops(training.model, (training.config.batch_size, training.config.context))
    size = lk.models.parameter_count(training.model)
    return {"loss": found["test_loss"], "excess": found["excess"], "parameters": size, "flops": steps * flops}


baseline = lk.scaling.run(train, widths, seeds_used)
trend = lk.scaling.trend(baseline)
print(trend)
if isinstance(predicted_loss, int | float):
    reached = lk.number(trend.means[-1])
    print(lk.text("nb3.looked_back", guess=lk.number(predicted_loss), loss=reached))
# %% id="loss-by-size" tags=["nbval-ignore-output"]
lk.plots.loss_by_size([row | {"size": row["parameters"]} for row in baseline], floor=floor)
# %% id="loss-by-compute" tags=["nbval-ignore-output"]
lk.plots.loss_by_size(baseline, floor=floor, axis="compute")
# %% [markdown] lang="en"
# Read the spread first: the trend counts only where it is larger than what the seeds alone do. The bars are equally long because the spread is pooled over all sizes; a bar is for the *mean*, so a single seed may lie outside it.
#
# And what does each size write, from the same beginning?
# %% [markdown] lang="hi"
# पहले spread देखिए: trend तभी गिना जाता है जब वह उस फ़र्क से बड़ा हो जो अकेले seeds से आ जाता है। सब bars बराबर लंबे हैं, क्योंकि spread सारे sizes को मिलाकर निकाला गया है। Bar *mean* के लिए है, इसलिए कोई अकेला seed उसके बाहर भी हो सकता है।
#
# और एक ही शुरुआत से हर size आगे क्या लिखता है?
# %% id="samples" tags=["nbval-ignore-output"]
lk.plots.side_by_side(
    {
        lk.text("nb3.width", width=width): lk.workload.sample(model, lang, 220, seed=7)
        for (width, seed), model in trained.items()
        if seed == seeds_used[0]
    }
)
# %% [markdown] lang="en"
# **In the 30-minute lab** you may now skip to section 4.
#
# ## 3. A method against the baseline, seed by seed
#
# *Extra, outside the 30 minutes.* Now the question that you really have: does *my method* help, and does it still help when the model grows? Our method is **token shift**: each position also gets a learned share of the character before it, which costs next to nothing. The same sizes and equal seeds once more: these runs are recorded, with five seeds and one size more (`live_method = True` trains yours here instead, which takes as long as section 2).
#
# With equal seeds the runs come in **pairs**: baseline and method with seed 0, with seed 1, with seed 2. What the seed does to both cancels in the difference of a pair.
#
# ### Exercise 3.2 · The paired difference ({{points 3.2}} points, 8 minutes)
#
# Write `paired(a, b)`. Both are lists of `[seed, loss]`, perhaps in different order, perhaps with a seed that the other lacks (which then does not count). Return `[mean, error]`: the mean of *b − a* over the common seeds, and the standard error of that mean.
#
# *Predict first:* the losses of three seeds are 1.0, 1.2, 1.4 for a, and 0.9, 1.1, 1.3 for b. Is the difference certain or uncertain?
#
# <details><summary>Hint 1</summary>
#
# `dict(a)` turns the pairs into a table from seed to loss. Which seeds are in both tables?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The standard error is the standard deviation of the differences (dividing by n − 1: `statistics.stdev`), divided by the square root of their number.
#
# </details>
#
# <details><summary>If you see a KeyError</summary>
#
# You asked a table for a seed that it does not have. Take only the seeds that both have: `set(x) & set(y)`.
#
# </details>
# %% [markdown] lang="hi"
# **30 मिनट की lab में** अब आप सीधे भाग 4 पर जा सकते हैं।
#
# ## 3. Baseline के सामने एक method, seed-दर-seed
#
# *अतिरिक्त, 30 मिनट में शामिल नहीं।* अब वह सवाल जो सच में आपका है: क्या *मेरा method* कुछ फ़ायदा देता है, और model बड़ा होने पर भी देता है? हमारा method **token shift** है: हर अक्षर के साथ उससे पिछले अक्षर का भी थोड़ा-सा हिस्सा मिलाया जाता है। कितना, यह model खुद सीखता है, और खर्च लगभग कुछ नहीं। वही sizes और बराबर seeds, एक बार और: ये runs पहले से record किए हुए हैं, पाँच seeds और एक size ज़्यादा के साथ (`live_method = True` से आपके अपने runs यहीं चलेंगे; समय उतना ही, जितना भाग 2 में)।
#
# Seeds बराबर हों तो runs **जोड़ियों** में आते हैं: seed 0 का baseline और method, seed 1 के दोनों, seed 2 के दोनों। Seed का जो असर दोनों पर पड़ता है, वह जोड़ी के फ़र्क में कट जाता है।
#
# ### अभ्यास 3.2 · जोड़ी का फ़र्क ({{points 3.2}} अंक, 8 मिनट)
#
# `paired(a, b)` लिखिए। दोनों `[seed, loss]` की lists हैं, हो सकता है क्रम अलग हो, और किसी में ऐसा seed हो जो दूसरी में नहीं है (तब वह seed नहीं गिना जाता)। `[mean, error]` लौटाइए: दोनों में मौजूद seeds पर *b − a* का mean, और उस mean का standard error।
#
# *पहले सोचिए:* तीन seeds के loss a में 1.0, 1.2, 1.4 हैं और b में 0.9, 1.1, 1.3। यह फ़र्क पक्का है, या इस पर भरोसा नहीं किया जा सकता?
#
# <details><summary>मदद 1</summary>
#
# `dict(a)` से जोड़ियाँ seed → loss की table बन जाती हैं। कौन-से seeds दोनों tables में हैं?
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# Standard error यानी फ़र्कों का standard deviation (n − 1 से भाग देकर: `statistics.stdev`) ÷ उनकी गिनती का वर्गमूल।
#
# </details>
#
# <details><summary>अगर KeyError दिखे</summary>
#
# आपने table से ऐसा seed माँगा जो उसमें नहीं है। सिर्फ़ वही seeds लीजिए जो दोनों में हों: `set(x) & set(y)`।
#
# </details>
# %% answer="3.2"
import statistics


def paired(a, b):
    ...
    ### BEGIN SOLUTION
    x, y = dict(a), dict(b)
    differences = [y[seed] - x[seed] for seed in set(x) & set(y)]
    error = statistics.stdev(differences) / len(differences) ** 0.5
    return [statistics.fmean(differences), error]
    ### END SOLUTION


# %% check="3.2"
lk.check("3.2", paired)
# %% id="method" tags=["nbval-ignore-output"]
if live_method:
    method = lk.scaling.run(lambda width, seed: train(width, seed, token_shift=True), widths, seeds_used)
    pair = (baseline, method)
else:
    rows = [
        row | {"size": row["width"]} for row in lk.recorded.load("kahani_sizes").rows if row["lang"] == lang
    ]
    pair = ([row for row in rows if row["width"] <= 128 and row["token_shift"] == on] for on in (False, True))
effect = lk.scaling.effect(*pair)
print(effect)
lk.plots.effect_by_size({"token shift": effect})
# %% [markdown] lang="en"
# The title says what was found here, with these sizes and seeds. An effect may shrink when the model grows (a large model finds the trick by itself), grow, flip, or be lost in the noise. Which of these you see is a result; which you had hoped for is not.
#
# ### Exercise 3.3 · Read four effects ({{points 3.3}} points, 2 minutes)
#
# Four made-up methods, each measured at three sizes. Below zero the method is better than the baseline. For each: `"shrinks"`, `"grows"`, `"flips"` or `"too noisy"`?
#
# <details><summary>Hint</summary>
#
# Look at the intervals before the points. Can a horizontal line pass through all of them, and can it be the zero line?
#
# </details>
# %% [markdown] lang="hi"
# Title बताता है कि इन sizes और seeds से यहाँ क्या निकला। Model बड़ा होने पर असर घट सकता है (बड़ा model वह तरकीब खुद सीख लेता है), बढ़ सकता है, पलट सकता है, या शोर (noise) में खो सकता है। जो दिखा, वह नतीजा है; जो आप चाहते थे, वह नहीं।
#
# ### अभ्यास 3.3 · चार असर पढ़िए ({{points 3.3}} अंक, 2 मिनट)
#
# चार काल्पनिक methods, हर एक तीन sizes पर मापा हुआ। Zero से नीचे मतलब method baseline से बेहतर है। हर एक के लिए बताइए: `"shrinks"` (घटता है), `"grows"` (बढ़ता है), `"flips"` (पलट जाता है) या `"too noisy"` (शोर इतना कि कह नहीं सकते)?
#
# <details><summary>मदद</summary>
#
# Points से पहले intervals देखिए। क्या कोई सीधी, आड़ी line उन सबसे होकर जा सकती है, और क्या वह zero line हो सकती है?
#
# </details>
# %% id="four-effects"
made_up = {  # effect of the method for seeds 0, 1, 2 at widths 16, 32 and 64
    "A": [(-0.101, -0.094, -0.107), (-0.056, -0.049, -0.061), (-0.022, -0.015, -0.027)],
    "B": [(-0.062, -0.055, -0.068), (-0.008, 0.001, -0.013), (0.051, 0.058, 0.044)],
    "C": [(-0.071, 0.048, -0.006), (0.039, -0.058, 0.012), (-0.044, 0.067, -0.015)],
    "D": [(-0.019, -0.012, -0.025), (-0.051, -0.044, -0.058), (-0.094, -0.087, -0.102)],
}


def as_tables(effects):
    runs = [(w, seed, e) for w, row in zip((16, 32, 64), effects, strict=True) for seed, e in enumerate(row)]
    losses = {seed: 0.5 + 0.03 * seed for seed in (0, 1, 2)}  # of the baseline
    before = [{"size": w, "seed": seed, "loss": losses[seed]} for w, seed, _ in runs]
    return before, [{"size": w, "seed": seed, "loss": losses[seed] + e} for w, seed, e in runs]


lk.plots.effect_by_size(
    {name: lk.scaling.effect(*as_tables(effects)) for name, effects in made_up.items()}, ask=True
)
# %% answer="3.3"
# "shrinks", "grows", "flips" or "too noisy"
four_effects = {
    "A": ...,
    "B": ...,
    "C": ...,
    "D": ...,
}
### BEGIN SOLUTION
four_effects = {
    "A": "shrinks",
    "B": "flips",
    "C": "too noisy",
    "D": "grows",
}
### END SOLUTION
# %% check="3.3"
lk.check("3.3", four_effects)
# %% [markdown] lang="en"
# ## 4. What may you claim?
#
# Somebody else's small study (invented, for practice): a baseline and a method at widths 16, 32 and 64, three seeds each.
# %% [markdown] lang="hi"
# ## 4. कितना दावा किया जा सकता है?
#
# किसी और की छोटी-सी study (काल्पनिक, अभ्यास के लिए): एक baseline और एक method, widths 16, 32 और 64 पर, तीन-तीन seeds के साथ।
# %% id="small-study"
losses = {
    "baseline": [(0.621, 0.632, 0.613), (0.522, 0.531, 0.516), (0.451, 0.459, 0.455)],
    "method": [(0.570, 0.583, 0.560), (0.491, 0.503, 0.486), (0.448, 0.451, 0.461)],
}
study = {
    name: [
        {"size": w, "seed": s, "loss": x}
        for w, row in zip((16, 32, 64), rows, strict=True)
        for s, x in enumerate(row)
    ]
    for name, rows in losses.items()
}
lk.plots.loss_by_size(study["baseline"], axis="width")
# %% id="small-study-effect"
lk.plots.effect_by_size({"method": lk.scaling.effect(study["baseline"], study["method"])})
# %% [markdown] lang="en"
# ### Exercise 3.4 · Claim, hint or wish ({{points 3.4}} points, 4 minutes)
#
# May the sentence stand in the report? `"may"`: the study shows it. `"hint"`: it looks beyond what was run, and says so. `"may not"`: the study does not support it.
#
# - **A.** At widths 16, 32 and 64 (three seeds each) the baseline's loss fell with every step in width.
# - **B.** The loss goes on falling at every larger width.
# - **C.** If the trend goes on, width 128 reaches a lower loss than width 64; we have not tried it.
# - **D.** The method helps at every width that was tried.
# - **E.** At widths 16 and 32 the method lowered the loss with all three seeds.
# - **F.** The method is of no use for large models.
# - **G.** Beyond width 64 the gain seems to go on shrinking; larger sizes and more seeds would tell.
# - **H.** At width 64 three seeds are too few to say whether the method helps.
#
# <details><summary>Hint 1</summary>
#
# Does the sentence speak only of what was run? Does the interval allow it?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# “We could not see it” and “it is not there” are different sentences.
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 3.4 · दावा, इशारा (hint) या मन की इच्छा ({{points 3.4}} अंक, 4 मिनट)
#
# इनमें से कौन-सा वाक्य report में लिखा जा सकता है? `"may"`: study यह दिखाती है। `"hint"`: जो चलाया गया उससे आगे की बात है, और ऐसा कहती भी है। `"may not"`: study से यह नहीं निकलता।
#
# - **A.** Widths 16, 32 और 64 पर, तीन-तीन seeds के साथ, width बढ़ने पर हर बार baseline का loss घटा।
# - **B.** इससे बड़ी हर width पर loss घटता ही जाएगा।
# - **C.** Trend ऐसा ही रहा तो width 128 का loss width 64 से कम होगा; हमने यह आज़माया नहीं है।
# - **D.** जितनी widths आज़माई गईं, सब पर method फ़ायदा देता है।
# - **E.** Widths 16 और 32 पर method ने तीनों seeds के साथ loss घटाया।
# - **F.** बड़े models में यह method किसी काम का नहीं।
# - **G.** लगता है कि width 64 के आगे भी फ़ायदा घटता जाएगा; और बड़े sizes और ज़्यादा seeds से पता चलेगा।
# - **H.** Width 64 पर तीन seeds इतने कम हैं कि कहा नहीं जा सकता कि method से फ़ायदा है या नहीं।
#
# <details><summary>मदद 1</summary>
#
# क्या वाक्य सिर्फ़ उसी की बात करता है जो चलाया गया? क्या interval इसकी इजाज़त देता है?
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# “हमें दिखा नहीं” और “है ही नहीं” दो अलग बातें हैं।
#
# </details>
# %% answer="3.4"
# "may", "hint" or "may not"
claims = {
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
claims = {
    "A": "may",
    "B": "may not",
    "C": "hint",
    "D": "may not",
    "E": "may",
    "F": "may not",
    "G": "hint",
    "H": "may",
}
### END SOLUTION
# %% check="3.4"
lk.check("3.4", claims)
# %% [markdown] lang="en"
# And this is what *your own* runs of section 2 allow you to say, with its limits.
# %% [markdown] lang="hi"
# और भाग 2 के *आपके अपने* runs से इतना कहा जा सकता है, अपनी सीमाओं के साथ।
# %% id="own-claim" tags=["nbval-ignore-output"]
claim = lk.scaling.claim(trend)
(work / "claim.txt").write_text(f"{claim.sentence}\n{claim.limits}\n", encoding="utf-8")
print(claim)
# %% [markdown] lang="en"
# **In the 30-minute lab** this was the last section; go on with notebook 5.
#
# ## 5. Extrapolate, then look
#
# *Extra.* Through three sizes or more one can lay a curve: loss = floor + c · size^(−α), a **power law**. It gives a band for a size that nobody has run. Widths 128 and 256 were kept for later: they were recorded beforehand with the same steps and seeds (`train_the_large_one = True` trains width 128 right here, in a minute or two). The band first; the next cell shows where the runs fell.
# %% [markdown] lang="hi"
# **30 मिनट की lab में** यह आखिरी भाग था; आगे notebook 5।
#
# ## 5. आगे का अंदाज़ा लगाइए, फिर देखिए
#
# *अतिरिक्त।* तीन या ज़्यादा sizes से होकर एक curve खींची जा सकती है: loss = floor + c · size^(−α), जिसे **power law** कहते हैं। वह उस size के लिए एक band देती है जिसे किसी ने नहीं चलाया। Widths 128 और 256 बाद के लिए बचाकर रखी गई हैं: उनके runs उतने ही steps और उन्हीं seeds के साथ पहले ही record कर लिए गए थे (`train_the_large_one = True` से width 128 यहीं train होगी, एक-दो मिनट में)। पहले band; runs कहाँ पहुँचे, यह अगला cell दिखाता है।
# %% id="recorded-sizes"
recorded = [
    row for row in lk.recorded.load("kahani_sizes").rows if row["lang"] == lang and not row["token_shift"]
]
recorded = [row | {"size": row["parameters"]} for row in recorded if row["seed"] < 3]
small = [row for row in recorded if row["width"] <= 64]
later = [row for row in recorded if row["width"] == 128]
law = lk.scaling.fit_power_law(small)
print(lk.messages.folded(law.text(size=later[0]["size"], seeds=len(later))))
lk.plots.extrapolation(law, small, held_out=later, floor=floor, ask=True)
# %% [markdown] lang="en"
# Do you expect the runs of width 128 inside the band, above it or below? Then look.
# %% [markdown] lang="hi"
# आपको क्या लगता है: width 128 के runs band के अंदर होंगे, ऊपर या नीचे? फिर देखिए।


# %% id="extrapolate" tags=["nbval-ignore-output"]
def kept_for_later(width):
    rows = [row for row in recorded if row["width"] == width]
    if train_the_large_one:
        rows = [row | {"size": row["parameters"]} for row in lk.scaling.run(train, [width], seeds_used)]
    return lk.plots.extrapolation(law, small, held_out=rows, floor=floor)


if train_the_large_one:
    shown = kept_for_later(128)
else:
    shown = lk.explore(
        kept_for_later, {"width": [128, 256]}, {"width": 128}, {"width": lk.text("nb3.held_out")}
    )
shown
# %% [markdown] lang="en"
# Did the size that was kept for later fall into the band? The title says so. Look at the floor as well: the curve has one of its own, guessed from three sizes, and this time you know the true one. The interval of the fitted floor is wide, and for a good reason: three points and three unknowns (floor, c, α) always fit, so nothing is left to check the fit with, and a higher floor with a steeper curve fits the same three points nearly as well. That is why the band is a **hint**. (Try the other `lang` as well: the same kind of law may hold for one language and miss for the other.) There is one more reason why the true floor is out of reach here: these models are trained for a few hundred steps only, and what a size would reach *in the end* is not what it reaches in the time it was given.
#
# ## 6. What did the check cost?
#
# ### Exercise 3.5 · The price of knowing ({{points 3.5}} points, 2 minutes)
#
# `check_flops` is the arithmetic of the nine small runs together, `big_flops` that of *one* run at width 256. How many times the check does the one big run cost? Compute it.
#
# <details><summary>Hint</summary>
#
# “How many times as much as the check” puts the check below the line.
#
# </details>
# %% [markdown] lang="hi"
# बाद के लिए बचाया हुआ size band के अंदर आया? Title बता रहा है। Floor भी देखिए: curve का अपना एक floor है, जो तीन sizes से लगाया गया अंदाज़ा है, और इस बार असली floor आपको पता है। Fit किए हुए floor का interval चौड़ा है, और इसकी वजह है: तीन points पर तीन अनजान संख्याएँ (floor, c, α) हमेशा बैठ जाती हैं, fit को परखने के लिए कुछ बचता ही नहीं; और थोड़े ऊँचे floor के साथ ज़्यादा ढलान वाली curve भी उन्हीं तीन points पर लगभग उतनी ही ठीक बैठती है। इसीलिए band एक **इशारा** है। (दूसरी `lang` से भी चलाकर देखिए: हो सकता है वही law एक भाषा में ठीक बैठे और दूसरी में चूक जाए।) असली floor तक यहाँ न पहुँचने की एक और वजह है: ये models बस कुछ सौ steps चले हैं, और कोई size *आखिर में* जहाँ तक पहुँचेगा, दिए गए समय में वहाँ तक नहीं पहुँचता।
#
# ## 6. जाँच में कितना खर्च हुआ?
#
# ### अभ्यास 3.5 · जानने की कीमत ({{points 3.5}} अंक, 2 मिनट)
#
# `check_flops` नौ छोटे runs के कुल FLOPs हैं, और `big_flops` width 256 के *एक* run के। वह एक बड़ा run जाँच से कितने गुना महँगा है? निकालिए।
#
# <details><summary>मदद</summary>
#
# “जाँच से कितने गुना” में भाग जाँच से दिया जाता है।
#
# </details>
# %% id="flops"
check_flops = sum(row["flops"] for row in small)
big_flops = max(row["flops"] for row in recorded)
print(lk.messages.folded(lk.text("nb3.flops", check=f"{check_flops:.2e}", big=f"{big_flops:.2e}")))
# %% answer="3.5"
# Compute it from check_flops and big_flops
times_as_much = ...
### BEGIN SOLUTION
times_as_much = big_flops / check_flops
### END SOLUTION
# %% check="3.5"
lk.check("3.5", {"check_flops": check_flops, "big_flops": big_flops, "ratio": times_as_much})
# %% [markdown] lang="en"
# That is for *one* big run. A fair comparison at the big size needs two methods and three seeds: six of them. If the small check says that the effect is gone at width 64, you have saved all six.
#
# ## Your own experiment
#
# Nothing in `lk.scaling` knows our model. Give it rows of size, seed and loss (a list of dicts, a DataFrame), from wherever they come, and it answers in the same words. Here from a file:
# %% [markdown] lang="hi"
# यह तो *एक* बड़े run की बात है। बड़े size पर बराबरी की तुलना के लिए दो methods और तीन seeds चाहिए: ऐसे छह runs। अगर छोटी जाँच बता दे कि width 64 पर असर जा चुका है, तो आपने छहों बचा लिए।
#
# ## आपका अपना प्रयोग
#
# `lk.scaling` को हमारे model के बारे में कुछ नहीं पता। उसे size, seed और loss की rows दीजिए (dicts की list या DataFrame), कहीं से भी आई हों, वह उन्हीं शब्दों में जवाब देता है। यहाँ एक file से:
# %% id="own-table"
import csv
import io

my_file = io.StringIO(
    "size,seed,loss\n100,0,2.31\n100,1,2.35\n200,0,2.04\n200,1,2.09\n400,0,1.83\n400,1,1.85\n"
)
my_rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(my_file)]
print(lk.scaling.trend(my_rows))
# %% [markdown] lang="en"
# **Next:** notebook 4, *How long to train* (extra), or notebook 5, *Toy upscaling*.
#
# ## Answers in words
#
# For those who study alone. Try first; then open.
#
# <details><summary>3.2</summary>
#
# Make a table from seed to loss for each side, take the seeds that both have, and subtract a's loss from b's for each. Return the mean of these differences, and their standard deviation (dividing by one less than their number) over the square root of their number. In the prediction the three differences are equal, so the difference is certain, although the losses themselves are spread far more widely than the difference is large.
#
# </details>
#
# <details><summary>3.3</summary>
#
# A starts far below zero and comes closer with each size. B crosses the line. C could be anything: every interval contains zero. D moves away from zero.
#
# </details>
#
# <details><summary>3.4</summary>
#
# A, E and H speak of what was run, and the intervals bear them out. C and G look beyond it and say so: hints. B and F speak of sizes that nobody ran, as if they were known. D counts the largest width in, where the interval contains zero.
#
# </details>
#
# <details><summary>3.5</summary>
#
# The one big run's arithmetic divided by that of the whole check.
#
# </details>
# %% [markdown] lang="hi"
# **आगे:** notebook 4, *कितनी देर train करें* (अतिरिक्त), या notebook 5, *Toy upscaling*।
#
# ## जवाब, शब्दों में
#
# जो अकेले पढ़ रहे हैं उनके लिए। पहले खुद कोशिश कीजिए, फिर खोलिए।
#
# <details><summary>3.2</summary>
#
# दोनों तरफ़ की seed → loss की table बनाइए, दोनों में मौजूद seeds लीजिए, और हर seed के लिए b के loss में से a का loss घटाइए। इन फ़र्कों का mean लौटाइए, और साथ में उनका standard deviation (गिनती से एक कम से भाग देकर) ÷ गिनती का वर्गमूल। “पहले सोचिए” वाले सवाल में तीनों फ़र्क बराबर हैं, इसलिए फ़र्क पक्का है, भले ही loss खुद उस फ़र्क से कहीं ज़्यादा फैले हुए हों।
#
# </details>
#
# <details><summary>3.3</summary>
#
# A zero से बहुत नीचे शुरू होता है और हर size के साथ पास आता है। B zero line पार कर जाता है। C कुछ भी हो सकता है: हर interval में zero है। D zero से दूर जाता है।
#
# </details>
#
# <details><summary>3.4</summary>
#
# A, E और H उसी की बात करते हैं जो चलाया गया, और intervals उनका साथ देते हैं। C और G उससे आगे देखते हैं और ऐसा कहते भी हैं: ये इशारे हैं। B और F ऐसे sizes की बात करते हैं जिन्हें किसी ने नहीं चलाया, मानो सब पता हो। D सबसे बड़ी width को भी गिन लेता है, जहाँ interval में zero भी आता है।
#
# </details>
#
# <details><summary>3.5</summary>
#
# एक बड़े run के FLOPs ÷ पूरी जाँच के FLOPs।
#
# </details>
