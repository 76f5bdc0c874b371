# %% [markdown] lang="en"
# # 1 · Time a tiny run
#
# Before you ask for a big machine, find out what a small one can do. A cook preparing a feast tastes from a small pan first; you will time a run that takes seconds, and learn from it how long a run of hours will take.
#
# **You will be able to**
#
# - time a training step, and say which number predicts a long run;
# - tell whether the machine is busy or waiting for data, and mend the second;
# - kill a run in the middle and lose almost nothing;
# - forecast a run that is far longer than what you measured, with an honest range.
#
# | | |
# |---|---|
# | In the 30-minute lab | 6 to 9 minutes: sections 1, 2 and 6 |
# | On your own | 20 minutes: all sections |
# | Machine time | under a minute on two CPU cores; less with `fast = True` |
# | You need | a laptop. A GPU is used if there is one, and is not needed |
#
# Run the cells from top to bottom with Shift + Enter; the first one only finds labkit. Where you see `...` it is your turn. If a cell ends in a red error, mend it and run it again: until then the check below it sees your earlier answer. After a restart of the kernel begin again at the top.
# %% [markdown] lang="hi"
# # 1 · एक छोटा-सा run मापिए
#
# बड़ी मशीन माँगने से पहले देख लीजिए कि छोटी मशीन क्या-क्या कर लेती है। दावत का खाना बनाने वाला पहले छोटी कड़ाही में बनाकर चख लेता है; यहाँ आप कुछ सेकंड का run मापेंगे और उसी से जान लेंगे कि घंटों चलने वाला run कितना समय लेगा।
#
# **इसके बाद आप कर पाएँगे**
#
# - एक training step का समय मापना, और बताना कि लंबे run का अंदाज़ा किस संख्या से लगता है;
# - पहचानना कि मशीन काम में लगी है या data का इंतज़ार कर रही है, और इंतज़ार हो तो उसे दूर करना;
# - run को बीच में kill करके भी लगभग कुछ न खोना;
# - जितना मापा, उससे कहीं लंबे run का forecast करना, ईमानदार range के साथ।
#
# | | |
# |---|---|
# | 30 मिनट की lab में | 6 से 9 मिनट: भाग 1, 2 और 6 |
# | अकेले पढ़ते समय | 20 मिनट: सारे भाग |
# | मशीन का समय | दो CPU cores पर एक मिनट से कम; `fast = True` से और कम |
# | क्या चाहिए | एक laptop। GPU हो तो काम आएगा, पर ज़रूरी नहीं |
#
# ऊपर से नीचे तक हर cell को Shift + Enter से चलाइए; पहला cell बस labkit को ढूँढता है। जहाँ `...` दिखे, वहाँ आपकी बारी है। किसी cell के अंत में लाल error आए तो उसे ठीक करके फिर से चलाइए: तब तक नीचे की जाँच आपका पिछला जवाब देखती है। Kernel दोबारा शुरू हो, तो सबसे ऊपर से फिर चलाइए।
# %% include="setup"
# %% tags=["parameters"]
# Settings you may change. Papermill and Colab can set them too.
lang = "en"  # @param ["en", "hi"]
fast = False  # @param {type:"boolean"}
seed = 0  # @param {type:"integer"}
width = 64  # @param {type:"integer"}
long_steps = 12000  # @param {type:"integer"}
# %% id="begin"
import json
import shutil
import time
from pathlib import Path

import torch
from mnist1d.data import get_dataset_args, make_dataset
from tqdm.auto import tqdm

lk.check_parameters(lang=lang, fast=fast, seed=seed, width=width, long_steps=long_steps)
lk.set_language(lang)
seconds = 1.0 if fast else 2.0  # how long each measurement may take
if fast:
    long_steps = min(long_steps, 3000)
work = Path("work")
work.mkdir(exist_ok=True)
# %% [markdown] lang="en"
# ## 1. Guess, then measure
#
# The model is tiny: an MLP with two hidden layers of 64 units. The data is MNIST-1D, ten digits drawn as curves of 40 numbers. One **step** takes a batch of 100 examples, computes the loss and its gradients, and moves the weights a little.
#
# ### Exercise 1.1 · Guess first ({{points 1.1}} point, half a minute)
#
# How many milliseconds does one such step take on the machine in front of you? Write down a number *before* you measure. The point is for guessing, not for being right: a guess you wrote down is one that you can learn from.
# %% [markdown] lang="hi"
# ## 1. पहले अंदाज़ा, फिर माप
#
# Model बहुत छोटा है: 64-64 units की दो hidden layers वाला MLP। Data MNIST-1D है: दस digits, हर एक 40 संख्याओं से बनी एक टेढ़ी रेखा (curve)। एक **step** में 100 उदाहरणों का batch लिया जाता है, loss और उसके gradients निकाले जाते हैं, और weights को थोड़ा-सा खिसकाया जाता है।
#
# ### अभ्यास 1.1 · पहले अंदाज़ा लगाइए ({{points 1.1}} अंक, आधा मिनट)
#
# आपके सामने वाली मशीन पर ऐसे एक step में कितने milliseconds लगेंगे? मापने से *पहले* एक संख्या लिख दीजिए। अंक अंदाज़ा लगाने का है, सही होने का नहीं: जो अंदाज़ा लिख लिया, उसी से कुछ सीखा जा सकता है।
# %% answer="1.1"
# Your guess in milliseconds, for example 5
predicted_ms = ...
### BEGIN SOLUTION
predicted_ms = 1.0
### END SOLUTION
# %% check="1.1"
lk.check("1.1", predicted_ms)
# %% [markdown] lang="en"
# Now measure. `labkit` runs the step again and again for a few seconds, keeps the warm-up apart, and also notes how long each step waited for its data.
# %% [markdown] lang="hi"
# अब मापिए। `labkit` कुछ सेकंड तक step को बार-बार चलाता है, warm-up को अलग रखता है, और यह भी लिख लेता है कि हर step ने data का कितना इंतज़ार किया।
# %% id="measure" tags=["nbval-ignore-output"]
config = lk.Config(width=width, seed=seed)
training = lk.train.Training(config)
t = lk.measure_steps(training.step, training.batches(), seconds=seconds)
if isinstance(predicted_ms, int | float):
    measured_ms = lk.number(1000 * t.median_s)
    print(lk.text("nb1.guess", guess=lk.number(predicted_ms), measured=measured_ms), end="\n\n")
print(t)
# %% id="step-times-figure" tags=["nbval-ignore-output"]
lk.plots.step_times(t)
# %% [markdown] lang="en"
# Look at three things. The **first step** is slow: memory is fetched, code is loaded, caches are cold. After it comes a crowd of steps that are nearly alike, with the **median** in its middle. And there are stragglers: now and then the machine does something else, and a step takes many times as long. The **mean** counts them, the median does not.
#
# ### Exercise 1.2 · Which number? ({{points 1.2}} point, 1 minute)
#
# You want to know how long 100,000 steps take, and you may multiply *one* number by 100,000. Which one: `"first step"`, `"median"` or `"mean"` (of the steps after warm-up)?
#
# <details><summary>Hint 1</summary>
#
# The long run will meet stragglers too. Which of the three knows about them?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# A total is a sum. Divide a sum by the number of its parts: what do you get?
#
# </details>
#
# <details><summary>If you see a NameError</summary>
#
# The answer is a piece of text and needs its quotation marks, as in `"first step"`.
#
# </details>
# %% [markdown] lang="hi"
# तीन बातें देखिए। **पहला step** धीमा है: memory ली जाती है, code load होता है, caches अभी खाली होते हैं। फिर लगभग एक जैसे steps की भीड़ है, जिसके बीच में **median** है। और कुछ पिछड़ने वाले steps हैं: कभी-कभी मशीन कोई और काम करने लगती है और step में कई गुना समय लगता है। **Mean** उन्हें गिनता है, median नहीं।
#
# ### अभ्यास 1.2 · कौन-सी संख्या? ({{points 1.2}} अंक, 1 मिनट)
#
# आपको जानना है कि 1,00,000 steps कितना समय लेंगे, और आप *एक* ही संख्या को 1,00,000 से गुणा कर सकते हैं। कौन-सी: `"first step"`, `"median"` या `"mean"` (warm-up के बाद के steps का)?
#
# <details><summary>मदद 1</summary>
#
# लंबे run में भी पिछड़ने वाले steps आएँगे। तीनों में से किसे उनका पता है?
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# कुल समय एक जोड़ है। जोड़ को उसके हिस्सों की गिनती से भाग देने पर क्या मिलता है?
#
# </details>
#
# <details><summary>अगर NameError दिखे</summary>
#
# जवाब एक text है, उसे quotes में लिखिए, जैसे `"first step"`।
#
# </details>
# %% answer="1.2"
# "first step", "median" or "mean"
best_number = ...
### BEGIN SOLUTION
best_number = "mean"
### END SOLUTION
# %% check="1.2"
lk.check("1.2", best_number)
# %% [markdown] lang="en"
# **Your own experiment.** Nothing here depends on our model. Give `measure_steps` any function that does one step. Replace the lines below by your own training step and you have measured *your* experiment:
# %% [markdown] lang="hi"
# **आपका अपना प्रयोग।** यहाँ कुछ भी हमारे model पर निर्भर नहीं है। `measure_steps` को कोई भी function दीजिए जो एक step करता हो। नीचे की lines की जगह अपना training step लिखिए, और आपने *अपना* प्रयोग माप लिया:
# %% id="own-step" tags=["nbval-ignore-output"]
network = torch.nn.Sequential(torch.nn.Linear(40, 128), torch.nn.GELU(), torch.nn.Linear(128, 10))
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
inputs, targets = torch.randn(256, 40), torch.randint(10, (256,))


def my_step():
    loss = torch.nn.functional.cross_entropy(network(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


print(lk.measure_steps(my_step, seconds=seconds / 3))
# %% [markdown] lang="en"
# ## 2. Busy, or waiting for data?
#
# A training step has two parts: get a batch, compute with it. If the machine waits for the data, a faster GPU changes nothing, and you would pay for a machine that waits faster. Here is a loader that many of us have written: it holds the examples as text and turns them into numbers every time they are asked for.
# %% [markdown] lang="hi"
# ## 2. मशीन काम में लगी है, या data का इंतज़ार कर रही है?
#
# Training step के दो हिस्से हैं: batch लाना, और उससे हिसाब करना। मशीन अगर data का इंतज़ार कर रही हो, तो तेज़ GPU से कुछ नहीं बदलेगा; आप बस ऐसी मशीन के पैसे देंगे जो और तेज़ी से इंतज़ार करती है। यह loader वैसा ही है जैसा हममें से कई लोग लिख चुके हैं: उदाहरण text के रूप में रखे हैं, और जब भी माँगे जाएँ, उन्हें फिर से संख्याओं में बदला जाता है।
# %% id="slow-loader" tags=["nbval-ignore-output"]
split = lk.data.mnist1d()
lines = [",".join(f"{value:.6f}" for value in row) for row in split.train_x.tolist()]


def slow_batches():
    pick = torch.Generator().manual_seed(seed)
    while True:
        rows = torch.randint(len(lines), (config.batch_size,), generator=pick)
        parsed = [[float(value) for value in lines[row].split(",")] for row in rows]
        yield torch.tensor(parsed).to(training.device), split.train_y[rows].to(training.device)


slow = lk.measure_steps(training.step, slow_batches(), seconds=seconds)
print(slow)
# %% id="waiting-figure" tags=["nbval-ignore-output"]
lk.plots.waiting({lk.text("nb1.parsed_every_time"): slow, lk.text("nb1.prepared_once"): t})
# %% [markdown] lang="en"
# The second bar is the same training with the data **prepared once**: turned into numbers a single time, saved, and loaded ready to use. `lk.data.mnist1d()` works that way. How much does preparing cost, and how much does every later load save?
# %% [markdown] lang="hi"
# दूसरी पट्टी वही training है, बस data **एक ही बार तैयार** किया गया है: एक बार संख्याओं में बदला, save किया, और फिर तैयार data load किया। `lk.data.mnist1d()` यही करता है। तैयार करने में कितना समय लगता है, और हर अगली बार कितना बचता है?
# %% id="prepared-once" tags=["nbval-ignore-output"]
start = time.perf_counter()
make_dataset(get_dataset_args())  # what the very first lk.data.mnist1d() has to do
generate_s = time.perf_counter() - start
start = time.perf_counter()
lk.data.mnist1d()  # what every later one does: read the file, check it, done
load_s = time.perf_counter() - start
ratio = lk.number(generate_s / load_s, digits=2)
times = {"generate": lk.duration(generate_s), "load": lk.duration(load_s)}
print(lk.text("nb1.generate_or_load", **times, ratio=ratio))
# %% [markdown] lang="en"
# ### Exercise 1.3 · What would faster loading buy? ({{points 1.3}} points, 2 minutes)
#
# `slow.data_wait_fraction` is the share of each step that the slow loader spent on the data, between 0 and 1. Suppose that loading cost nothing at all. How many *times* as fast would the training be? Compute it from that share.
#
# *Predict first:* if half of the time is waiting, is the answer 1.5, 2 or 4?
#
# <details><summary>Hint 1</summary>
#
# Say a step takes 10 ms and 8 ms of it are waiting. How many ms remain without the waiting? What is 10 ms divided by that?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# Call the share f. What remains of each second is 1 − f. The speed-up is the old time divided by the new time.
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 1.3 · Loading तेज़ हो तो क्या मिलेगा? ({{points 1.3}} अंक, 2 मिनट)
#
# `slow.data_wait_fraction` बताता है कि धीमे loader के साथ हर step का कितना हिस्सा data पर गया, 0 से 1 के बीच। मान लीजिए loading में ज़रा भी समय न लगे। तब training कितने *गुना* तेज़ होगी? इसी हिस्से से निकालिए।
#
# *पहले सोचिए:* अगर आधा समय इंतज़ार में जाता है, तो जवाब 1.5, 2 और 4 में से क्या होगा?
#
# <details><summary>मदद 1</summary>
#
# मान लीजिए एक step 10 ms का है और उसमें 8 ms इंतज़ार है। इंतज़ार हटा दें तो कितने ms बचे? 10 ms को उससे भाग देने पर क्या आता है?
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# उस हिस्से को f कहिए। हर सेकंड में से 1 − f बचता है। Speed-up यानी पुराना समय ÷ नया समय।
#
# </details>
# %% answer="1.3"
# Compute it from slow.data_wait_fraction
max_speedup = ...
### BEGIN SOLUTION
max_speedup = 1 / (1 - slow.data_wait_fraction)
### END SOLUTION
# %% check="1.3" tags=["nbval-ignore-output"]
share = slow.data_wait_fraction
lk.check("1.3", {"data_wait_fraction": share, "max_speedup": max_speedup})
# %% [markdown] lang="en"
# **In the 30-minute lab** you may now skip to section 6; sections 3 to 5 are for afterwards.
# %% [markdown] lang="hi"
# **30 मिनट की lab में** अब आप सीधे भाग 6 पर जा सकते हैं; भाग 3 से 5 बाद के लिए हैं।
# %% [markdown] lang="en"
# ## 3. One percent of the data, a few hundred steps
#
# *Extra, outside the 30 minutes.* Before a long run, make sure that the pipeline works at all: take 1 % of the data (here 40 examples) and a few hundred steps. A healthy pipeline learns 40 examples by heart. If the training loss does not even fall here, there is a bug, and no amount of compute will find it for you.
# %% [markdown] lang="hi"
# ## 3. Data का एक प्रतिशत, कुछ सौ steps
#
# *अतिरिक्त, 30 मिनट में शामिल नहीं।* लंबे run से पहले पक्का कर लीजिए कि pipeline चलती भी है: data का 1 % लीजिए (यहाँ 40 उदाहरण) और कुछ सौ steps चलाइए। सही pipeline 40 उदाहरण रट लेती है। अगर यहाँ भी training loss नीचे न आए, तो code में कोई bug है, और compute कितना भी हो, वह उसे नहीं ढूँढेगा।
# %% id="one-percent" tags=["nbval-ignore-output"]
small = lk.Config(width=width, seed=seed, fraction=0.01, batch_size=20, steps=300, eval_every=25)
history = lk.train.run(small)
lk.plots.losses({lk.text("nb1.one_percent"): history})
# %% id="one-percent-test-loss" tags=["nbval-ignore-output"]
lk.plots.losses({lk.text("nb1.one_percent"): history}, column="test_loss")
# %% [markdown] lang="en"
# The training loss (in nats, the unit of the natural logarithm) should fall almost to zero: the pipeline works. The *test* loss, in the second figure, cannot follow: 40 examples are too few to learn digits from. That is fine. This run was for finding bugs, not for finding out how good the model is.
# %% [markdown] lang="hi"
# Training loss (nats में, जो natural logarithm की इकाई है) गिरकर लगभग 0 हो जाना चाहिए: यानी pipeline चलती है। दूसरे चित्र में *test* loss साथ नहीं दे पाता: digits सीखने के लिए 40 उदाहरण बहुत कम हैं। इसमें कोई हर्ज नहीं। यह run bug ढूँढने के लिए था, यह जानने के लिए नहीं कि model कितना अच्छा है।
# %% [markdown] lang="en"
# ## 4. Lower precision, gradient accumulation: faster *here*?
#
# *Extra.* Two pieces of advice that you will often hear. **Mixed precision** (bfloat16) does part of the arithmetic with fewer bits; on most GPUs it is faster and needs less memory. **Gradient accumulation** adds up the gradients of several small batches where one large batch does not fit into memory; it saves memory, not time. Advice is cheap, so measure. All three below do the same job: one update from 400 examples.
# %% [markdown] lang="hi"
# ## 4. कम precision, gradient accumulation: क्या *यहाँ* तेज़ है?
#
# *अतिरिक्त।* दो सलाहें आप अक्सर सुनेंगे। **Mixed precision** (bfloat16) हिसाब का एक हिस्सा कम bits में करता है; ज़्यादातर GPUs पर यह तेज़ है और memory कम लेता है। **Gradient accumulation** कई छोटे batches के gradients जोड़ता है, जब एक बड़ा batch memory में न समाए; इससे memory बचती है, समय नहीं। सलाह देना आसान है, इसलिए खुद मापिए। नीचे तीनों एक ही काम करते हैं: 400 उदाहरणों से एक update।
# %% id="variants" tags=["nbval-ignore-output"]
variants = {
    "float32": lk.Config(width=width, seed=seed, batch_size=400),
    "bfloat16": lk.Config(width=width, seed=seed, batch_size=400, precision="bfloat16"),
    "float32, 4 × 100": lk.Config(width=width, seed=seed, batch_size=400, accumulate=4),
}
measured = {}
for name, variant in tqdm(variants.items()):
    candidate = lk.train.Training(variant)
    measured[name] = lk.measure_steps(candidate.step, candidate.batches(), seconds=seconds / 2)
lk.plots.speed(measured)
# %% [markdown] lang="en"
# Read the title of the figure: it says what was found on *this* machine. On many laptop CPUs bfloat16 is the slower one, because there is no hardware for it, and accumulation costs time everywhere with a model this small. That is no reason to distrust the advice; it is a reason to measure it where you will run.
# %% [markdown] lang="hi"
# चित्र का शीर्षक पढ़िए: वह बताता है कि *इस* मशीन पर क्या निकला। कई laptop CPUs पर bfloat16 धीमा निकलता है, क्योंकि उसके लिए hardware ही नहीं है; और इतने छोटे model में accumulation हर जगह समय लेता है। इसका मतलब यह नहीं कि सलाह पर भरोसा न किया जाए; मतलब यह है कि जहाँ run चलाना है, वहीं मापिए।
# %% [markdown] lang="en"
# ## 5. Kill a training run
#
# *Extra.* Free sessions end without warning. So we start a real training process, let it work for a while and then kill it: no warning, no time to clean up. Every 250 steps it has written a **checkpoint**: weights, optimiser state, random numbers and the place in the data.
# %% [markdown] lang="hi"
# ## 5. Run को kill कीजिए
#
# *अतिरिक्त।* मुफ़्त sessions बिना बताए बंद हो जाते हैं। इसलिए हम सचमुच का एक training process शुरू करते हैं, उसे थोड़ी देर चलने देते हैं, फिर kill कर देते हैं: न कोई चेतावनी, न सँभलने का समय। हर 250 steps पर उसने एक **checkpoint** लिखा है: weights, optimiser की state, random numbers, और data में अपनी जगह।
# %% id="kill-and-resume" tags=["nbval-ignore-output"]
checkpoint_every = 250
steps = 2000 if fast else 6000
killed_config = lk.Config(
    width=width, seed=seed, steps=steps, eval_every=steps, checkpoint_every=checkpoint_every
)
shutil.rmtree(work / "killed", ignore_errors=True)  # begin anew when this cell is run again
process = lk.runs.start(killed_config, work / "killed")
while process.running and process.position() < steps // 2 + 90:  # between two checkpoints
    time.sleep(0.01)
killed_at = process.kill()
print(lk.text("nb1.killed", step=killed_at, steps=steps))
resumed = lk.train.run(killed_config, checkpoint=process.folder.checkpoint, progress=True)
print(lk.text("nb1.resumed", step=resumed.resumed_from))
# %% [markdown] lang="en"
# ### Exercise 1.4 · What did the kill cost? ({{points 1.4}} points, 2 minutes)
#
# The process had finished `killed_at` steps. How many of them were lost, that is, had to be done again? Compute it from `killed_at` and `checkpoint_every` (without looking at `resumed`: when a real session dies you want to know the answer beforehand).
#
# <details><summary>Hint 1</summary>
#
# The last checkpoint was written at a multiple of 250. Which one?
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# In Python, `a // b` is the whole part of a division and `a % b` is what remains.
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 1.4 · Kill से क्या गया? ({{points 1.4}} अंक, 2 मिनट)
#
# Process `killed_at` steps पूरे कर चुका था। उनमें से कितने बेकार गए, यानी दोबारा चलाने पड़े? `killed_at` और `checkpoint_every` से निकालिए (`resumed` को देखे बिना: जब सचमुच का session बंद होता है, तब यह जवाब पहले से पता होना चाहिए)।
#
# <details><summary>मदद 1</summary>
#
# आखिरी checkpoint 250 के किसी गुणज पर लिखा गया था। किस पर?
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# Python में `a // b` भागफल का पूरा हिस्सा है और `a % b` वह है जो बाकी बचता है।
#
# </details>
# %% answer="1.4"
# Compute it from killed_at and checkpoint_every
steps_lost = ...
### BEGIN SOLUTION
steps_lost = killed_at % checkpoint_every
### END SOLUTION
# %% check="1.4" tags=["nbval-ignore-output"]
interrupted = {"killed_at": killed_at, "checkpoint_every": checkpoint_every}
lk.check("1.4", {**interrupted, "steps_lost": steps_lost})
# %% [markdown] lang="en"
# Now the real test of a checkpoint: is the resumed run *the same run*? We train once more without any interruption and compare every bit of every weight.
# %% [markdown] lang="hi"
# अब checkpoint की असली परीक्षा: क्या फिर से शुरू किया गया run *वही run* है? हम एक बार और, बिना रुके, train करते हैं और हर weight का हर bit मिलाते हैं।
# %% id="bit-identical" tags=["nbval-ignore-output"]
lk.train.run(killed_config, work / "uninterrupted.pt", resume=False, progress=True)
one = lk.train.Training.load(process.folder.checkpoint).model.state_dict()
other = lk.train.Training.load(work / "uninterrupted.pt").model.state_dict()
same = all(torch.equal(one[name], other[name]) for name in one)
print(lk.text("nb1.identical" if same else "nb1.not_identical"))
# %% [markdown] lang="en"
# ## 6. Forecast a long run, then check the forecast
#
# You measured for a few seconds. Now say how long `long_steps` steps will take, and then run them.
#
# ### Exercise 1.5 · The forecast ({{points 1.5}} points, 2 minutes)
#
# `t` is your measurement from section 1. Ask it for a forecast of `long_steps` steps. (`t.` and the Tab key show what it can do.) A forecast is a range: most likely value, and the low and high ends between which the truth should fall four times out of five. (The run evaluates the model only at its beginning and end. A run that evaluates or saves often pays for it: measure that too and add it as `fixed_s=`.)
#
# <details><summary>Hint 1</summary>
#
# The method is called `forecast`, and it wants the number of steps.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# It has the shape `measurement.method(steps=number)`.
#
# </details>
#
# <details><summary>If you see “NameError: name 't' is not defined”</summary>
#
# The measuring cell of section 1 has not been run since the kernel started. Run the cells above first.
#
# </details>
# %% [markdown] lang="hi"
# ## 6. लंबे run का forecast कीजिए, फिर उसे परखिए
#
# आपने कुछ ही सेकंड के steps मापे हैं। अब बताइए कि `long_steps` steps कितना समय लेंगे, और फिर उन्हें चलाकर देखिए।
#
# ### अभ्यास 1.5 · Forecast ({{points 1.5}} अंक, 2 मिनट)
#
# `t` भाग 1 की आपकी माप है। उससे `long_steps` steps का forecast माँगिए। (`t.` लिखकर Tab दबाइए तो दिखेगा कि वह क्या-क्या कर सकता है।) Forecast में एक range होती है: सबसे संभावित मान, और नीचे-ऊपर के वे सिरे जिनके बीच असली समय पाँच में से चार बार आना चाहिए। (यह run model को सिर्फ़ शुरू में और आखिर में evaluate करता है। जो run बार-बार evaluate या save करता है, उसमें उसका समय भी लगता है: उसे भी मापिए और `fixed_s=` में जोड़िए।)
#
# <details><summary>मदद 1</summary>
#
# Method का नाम `forecast` है, और उसे steps की संख्या चाहिए।
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# वह ऐसे लिखा जाता है: `measurement.method(steps=number)`।
#
# </details>
#
# <details><summary>अगर “NameError: name 't' is not defined” दिखे</summary>
#
# Kernel शुरू होने के बाद भाग 1 का मापने वाला cell चला ही नहीं है। पहले ऊपर के cells चलाइए।
#
# </details>
# %% answer="1.5"
# Ask t for a forecast of long_steps steps
forecast = ...
### BEGIN SOLUTION
forecast = t.forecast(steps=long_steps)
### END SOLUTION
# %% check="1.5" tags=["nbval-ignore-output"]
asked = {"mean_s": t.mean_s, "steps": long_steps, "fixed_s": t.slow_start_s}
lk.check("1.5", {**asked, "forecast": forecast})
# %% [markdown] lang="en"
# Now really run it, and see where the truth falls.
# %% [markdown] lang="hi"
# अब उसे सचमुच चलाइए और देखिए कि असली समय कहाँ आता है।
# %% id="long-run" tags=["nbval-ignore-output"]
known = isinstance(forecast, lk.Forecast)
print(forecast if known else lk.text("nb1.no_forecast"))
long_config = lk.Config(width=width, seed=seed, steps=long_steps, eval_every=long_steps)
long_run = lk.train.run(long_config, progress=True)
lk.plots.forecast(forecast, long_run.seconds) if known else lk.duration(long_run.seconds)
# %% [markdown] lang="en"
# Did the truth fall into the range? One time in five it should not, or the range would be too wide to be honest. On a shared machine the same run can differ by a tenth from one time to the next, and no forecast can be better than that.
#
# ## Take it with you
#
# The run time goes into a file for notebook 2, marked as **measured**.
# %% [markdown] lang="hi"
# क्या असली समय range के अंदर आया? पाँच में से एक बार उसे बाहर आना ही चाहिए, वरना range इतनी चौड़ी है कि ईमानदार नहीं रही। साझा मशीन पर उसी run का समय हर बार दसवें हिस्से तक बदल सकता है, और कोई forecast इससे ज़्यादा सटीक नहीं हो सकता।
#
# ## साथ ले जाइए
#
# Run का समय notebook 2 के लिए एक file में जाता है, इस निशान के साथ कि वह **मापा हुआ** (measured) है।
# %% id="save-run-time" tags=["nbval-ignore-output"]
run_time = forecast.as_run_time() if known else lk.Measured(minutes=long_run.seconds / 60)
(work / "run_time.json").write_text(json.dumps(run_time.to_dict(), indent=2), encoding="utf-8")
print(lk.text("nb1.saved", time=lk.duration(60 * run_time.minutes), file=work / "run_time.json"))
# %% [markdown] lang="en"
# **Next:** notebook 2, *The compute plan*.
#
# ## Answers in words
#
# For those who study alone. Try first; then open.
#
# <details><summary>1.2</summary>
#
# The average over the steps after warm-up. A total is that average times the number of steps, by definition. The median describes a typical step and forgets the stragglers; the first step may be fifty times too slow.
#
# </details>
#
# <details><summary>1.3</summary>
#
# If a share f of the time is waiting, 1 − f remains, so the training would be one divided by (one minus f) times as fast: at one half, twice as fast; at nine tenths, ten times. If f is small, better loading buys little, and you should look elsewhere.
#
# </details>
#
# <details><summary>1.4</summary>
#
# All steps since the last checkpoint: what remains when the number of finished steps is divided by the checkpoint interval. At worst that is one step less than the interval; on average half of it.
#
# </details>
#
# <details><summary>1.5</summary>
#
# Ask the measurement for the forecast of that many steps. Its most likely value is the mean step times the number of steps, plus the slow beginning.
#
# </details>
# %% [markdown] lang="hi"
# **आगे:** notebook 2, *Compute plan*।
#
# ## जवाब, शब्दों में
#
# जो अकेले पढ़ रहे हैं उनके लिए। पहले खुद कोशिश कीजिए, फिर खोलिए।
#
# <details><summary>1.2</summary>
#
# Warm-up के बाद के steps का औसत। औसत की परिभाषा ही यही है: कुल समय = औसत × steps की संख्या। Median एक आम step का समय बताता है और पिछड़ने वालों को भूल जाता है; पहला step पचास गुना तक धीमा हो सकता है।
#
# </details>
#
# <details><summary>1.3</summary>
#
# अगर समय का हिस्सा f इंतज़ार में जाता है, तो 1 − f बचता है, यानी training एक बटा (एक घटा f) गुना तेज़ होगी: f आधा हो तो दो गुना; नौ बटा दस हो तो दस गुना। f छोटा हो तो loading सुधारने से खास कुछ नहीं मिलेगा; तब कहीं और देखिए।
#
# </details>
#
# <details><summary>1.4</summary>
#
# आखिरी checkpoint के बाद के सारे steps: पूरे हुए steps को checkpoint के अंतर से भाग देने पर जो बचता है। सबसे बुरे हाल में अंतर से एक कम; औसतन अंतर का आधा।
#
# </details>
#
# <details><summary>1.5</summary>
#
# माप से ही उतने steps का forecast माँगिए। उसका सबसे संभावित मान यह है: औसत step × steps की संख्या, और उसमें शुरू के धीमे steps का समय जोड़कर।
#
# </details>
