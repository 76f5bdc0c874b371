# %% [markdown] lang="en"
# # 2 · The compute plan
#
# An estimate on the back of an envelope takes ten minutes and can save weeks. In this notebook you write one for an experiment of your own, have it checked, and take it with you as a file: for yourself, for your mentor, or for the person who decides about the machine.
#
# **You will be able to**
#
# - list every setting an experiment needs, and choose seeds that make the comparison fair;
# - turn a measured run time, or an honest guess, into total hours;
# - say where it will run and what may get in the way;
# - write a plan B for half of the budget that still answers your question.
#
# | | |
# |---|---|
# | In the 30-minute lab | 12 to 15 minutes: sections 1 and 2 |
# | On your own | 35 minutes: all sections |
# | Machine time | a few seconds |
# | You need | any computer, no torch, no GPU. Paper works as well: the six steps are the same |
# %% [markdown] lang="hi"
# # 2 · Compute plan
#
# कागज़ के किसी टुकड़े पर किया गया मोटा हिसाब दस मिनट लेता है और हफ़्ते बचा सकता है। इस notebook में आप अपने ही एक प्रयोग के लिए ऐसा हिसाब लिखेंगे, उसकी जाँच कराएँगे, और उसे file में साथ ले जाएँगे: अपने लिए, अपने mentor के लिए, या उनके लिए जो मशीन देने का फ़ैसला करते हैं।
#
# **इसके बाद आप कर पाएँगे**
#
# - प्रयोग की हर setting की सूची बनाना, और ऐसे seeds चुनना जिनसे तुलना बराबरी की हो;
# - मापे हुए run time से, या ईमानदार अंदाज़े से, कुल घंटे निकालना;
# - बताना कि यह कहाँ चलेगा और क्या रुकावट आ सकती है;
# - आधे budget का plan B लिखना, जो फिर भी आपके सवाल का जवाब दे।
#
# | | |
# |---|---|
# | 30 मिनट की lab में | 12 से 15 मिनट: भाग 1 और 2 |
# | अकेले पढ़ते समय | 35 मिनट: सारे भाग |
# | मशीन का समय | कुछ सेकंड |
# | क्या चाहिए | कोई भी computer; torch या GPU नहीं। कागज़ पर भी हो जाएगा: छह कदम वही हैं |
# %% include="setup"
# %% tags=["parameters"]
# Settings you may change. Papermill and Colab can set them too.
lang = "en"  # @param ["en", "hi"]
fast = False  # @param {type:"boolean"}
margin = 0.5  # @param {type:"number"}
# %% id="begin"
import json
from pathlib import Path

lk.check_parameters(lang=lang, fast=fast, margin=margin)
lk.set_language(lang)
work = Path("work")
work.mkdir(exist_ok=True)
# %% [markdown] lang="en"
# ## 1. A finished plan, to see where we are going
#
# Two methods are compared, a baseline and mine. Mine has two new parts, A and B, so two *ablations* switch off one part each: without them nobody could say which part helps. One run takes about 40 minutes. (The numbers are made up; in your plan they will be yours.)
# %% [markdown] lang="hi"
# ## 1. पहले एक पूरा plan, ताकि पता हो कि पहुँचना कहाँ है
#
# दो methods की तुलना है: baseline और मेरा। मेरे method में दो नए हिस्से हैं, A और B, इसलिए दो *ablations* हैं जो एक-एक हिस्सा बंद करते हैं: उनके बिना कोई नहीं बता सकता कि फ़ायदा किस हिस्से से हुआ। एक run लगभग 40 मिनट का है। (संख्याएँ काल्पनिक हैं; आपके plan में आपकी अपनी होंगी।)
# %% id="example-plan"
example = lk.ComputePlan(
    question=lk.text("nb2.example_question"),
    settings=[
        lk.Setting("baseline", role="baseline"),
        lk.Setting("mine", role="method"),
        lk.Setting("no A", role="ablation"),
        lk.Setting("no B", role="ablation"),
    ],
    seeds=[0, 1, 2],
    seeds_why=lk.text("nb2.example_seeds_why"),
    run_time=lk.Measured(minutes=40),
    margin=margin,
    venue=lk.Venue(lk.text("nb2.example_venue"), session_hours=4, hours_per_week=12, checkpoint_minutes=10),
    risks=[lk.text("nb2.example_risk")],
)
print(example)
# %% [markdown] lang="en"
# *Predict, then try.* With five seeds instead of three, how many hours does the plan need? And if you remove one ablation? Write the two numbers on a scrap of paper, then change the form. Plan and plan B, and the picture of the hours, follow as you type. The form is for playing; your answers will stand in the cells of section 2, where they cannot be lost. (Without a mouse: Tab goes from field to field, Space presses a button.)
# %% [markdown] lang="hi"
# *पहले सोचिए, फिर आज़माइए।* तीन की जगह पाँच seeds हों, तो plan को कितने घंटे चाहिए? और एक ablation हटा दें तो? दोनों संख्याएँ किसी कागज़ पर लिख लीजिए, फिर form में बदलकर देखिए। Plan, plan B और घंटों का चित्र साथ-साथ बदलते हैं। Form खेलने के लिए है; आपके जवाब भाग 2 के cells में रहेंगे, जहाँ वे खो नहीं सकते। (Mouse के बिना: Tab से अगले field पर जाइए, Space से button दबाइए।)
# %% id="example-form" tags=["nbval-ignore-output"]
lk.plan_form(example)
# %% [markdown] lang="en"
# ## 2. Your plan, in six steps
#
# Choose an experiment that you want to run next: reproduce a figure from a paper, or try an idea of your own. No idea yet? Take the example above and change what you would do differently.
#
# ### Exercise 2.1 · Every setting ({{points 2.1}} points, 2 minutes)
#
# Write down your question in one sentence, and then *every* setting you need: name and role. The role is `"baseline"` (what you compare with), `"method"` (what you propose) or `"ablation"` (your method with one part switched off). Put the most important ablation first; when hours run short, the last goes first.
#
# <details><summary>Hint 1</summary>
#
# For each new part of your method ask: if I am told that this part does nothing, which run proves the opposite? That is an ablation.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# The shape is a list of pairs: `[("name", "role"), ("name", "role"), ...]`, four pairs in the example above.
#
# </details>
#
# <details><summary>If you see a SyntaxError, or a help text opens</summary>
#
# Every opening bracket needs its closing one, every name and the question its quotation marks, and between two pairs stands a comma. (Without them Jupyter takes a `?` as a request for help.)
#
# </details>
# %% [markdown] lang="hi"
# ## 2. आपका plan, छह कदमों में
#
# कोई ऐसा प्रयोग चुनिए जो आप आगे करना चाहते हैं: किसी paper का एक चित्र दोहराना, या अपना कोई idea आज़माना। अभी कुछ नहीं सूझ रहा? ऊपर वाला उदाहरण लीजिए और जो आप अलग करते, वह बदल दीजिए।
#
# ### अभ्यास 2.1 · हर setting ({{points 2.1}} अंक, 2 मिनट)
#
# अपना सवाल एक वाक्य में लिखिए, फिर *हर* setting, जो आपको चलानी है: उसका नाम और role। Role इनमें से एक होगा: `"baseline"` (जिससे तुलना होगी), `"method"` (जो आप सुझा रहे हैं) या `"ablation"` (आपका method, एक हिस्सा बंद करके)। सबसे ज़रूरी ablation पहले लिखिए; घंटे कम पड़े तो आखिरी वाला पहले हटेगा।
#
# <details><summary>मदद 1</summary>
#
# अपने method के हर नए हिस्से के लिए पूछिए: कोई कहे कि इस हिस्से से कुछ नहीं होता, तो कौन-सा run उसे गलत साबित करेगा? वही ablation है।
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# इसे जोड़ों की सूची के रूप में लिखिए: `[("name", "role"), ("name", "role"), ...]`; ऊपर के उदाहरण में चार जोड़े हैं।
#
# </details>
#
# <details><summary>अगर SyntaxError दिखे, या help का text खुल जाए</summary>
#
# हर खुलने वाला bracket बंद होना चाहिए, हर नाम और सवाल quotes में हो, और दो जोड़ों के बीच comma हो। (Quotes के बिना Jupyter `?` को help की माँग समझता है।)
#
# </details>
# %% answer="2.1" open=true
question = ...  # one sentence in quotation marks
settings = ...  # [("name", "role"), ...]
### BEGIN SOLUTION
question = "Does my method beat the baseline on the small benchmark, and which of its two parts helps?"
settings = [("baseline", "baseline"), ("mine", "method"), ("no A", "ablation"), ("no B", "ablation")]
### END SOLUTION
# %% check="2.1"
lk.check("2.1", settings)
# %% [markdown] lang="en"
# ### Exercise 2.2 · Seeds, and why ({{points 2.2}} points, 1 minute)
#
# The same run with another seed ends a little differently. Several seeds show how much of a difference is luck. One list of seeds serves *all* settings: same number, same seeds, or the comparison is not fair. Choose the list, and say in a sentence why so many.
#
# <details><summary>Hint</summary>
#
# One seed shows no spread at all. Three show roughly how large it is. Does your effect look large or small against the spread you know, from a pilot run or from a paper?
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 2.2 · Seeds, और क्यों ({{points 2.2}} अंक, 1 मिनट)
#
# वही run दूसरे seed से थोड़ा अलग नतीजा देता है। कई seeds से दिखता है कि फ़र्क में किस्मत का हिस्सा कितना है। Seeds की एक ही सूची *सभी* settings के लिए है: उतने ही, और वही seeds, नहीं तो तुलना बराबरी की नहीं रहती। सूची चुनिए, और एक वाक्य में बताइए कि इतने ही क्यों।
#
# <details><summary>मदद</summary>
#
# एक seed से spread दिखता ही नहीं। तीन से मोटा अंदाज़ा मिलता है। किसी छोटे run या paper से जो spread आपको पता है, उसके मुकाबले आपका असर बड़ा लगता है या छोटा?
#
# </details>
# %% answer="2.2" open=true tags=["read"]
seeds = ...  # a list of whole numbers
seeds_why = ...  # one sentence
### BEGIN SOLUTION
seeds = [0, 1, 2]
seeds_why = "Three seeds show the spread; a pilot run suggests that the effect is larger than it."
### END SOLUTION
# %% check="2.2"
lk.check("2.2", {"seeds": seeds, "seeds_why": seeds_why})
# %% [markdown] lang="en"
# ### Exercise 2.3 · How long is one run? ({{points 2.3}} points, 2 minutes)
#
# Best is a measurement. Notebook 1 has left one for the running example, if you did it; the next cell shows it. For an experiment that you cannot time yet, write an honest guess *and say what it rests on*: a guess that is not marked as one turns into a fact in everybody's head.
# %% [markdown] lang="hi"
# ### अभ्यास 2.3 · एक run में कितना समय लगता है? ({{points 2.3}} अंक, 2 मिनट)
#
# सबसे अच्छा है मापा हुआ समय। अगर आपने notebook 1 किया है, तो उसमें हमारे उदाहरण का मापा हुआ समय save हुआ है; अगला cell उसे दिखाता है। जिस प्रयोग का समय अभी माप नहीं सकते, उसके लिए ईमानदार अंदाज़ा लिखिए *और यह भी कि वह किस पर टिका है*: जिस अंदाज़े पर “अंदाज़ा” न लिखा हो, वह सबके मन में सच बन जाता है।
# %% id="run-time-from-notebook-1" tags=["nbval-ignore-output"]
saved = work / "run_time.json"
from_notebook_1 = None
if saved.exists():
    from_notebook_1 = lk.Measured.from_dict(json.loads(saved.read_text(encoding="utf-8")))
print(from_notebook_1 or lk.text("nb2.no_run_time"))
# %% [markdown] lang="en"
# <details><summary>Hint</summary>
#
# A measured time is `lk.Measured(minutes=...)`, or simply `from_notebook_1`. A guess is `lk.Guess(minutes=..., why="...")`, and may have `low=` and `high=`; without them the plan assumes half to double.
#
# </details>
# %% [markdown] lang="hi"
# <details><summary>मदद</summary>
#
# मापा हुआ समय `lk.Measured(minutes=...)` है, या सीधे `from_notebook_1`। अंदाज़ा `lk.Guess(minutes=..., why="...")` है, और उसमें `low=` और `high=` भी दे सकते हैं; न दें तो plan आधे से दुगुने तक मानता है।
#
# </details>
# %% answer="2.3" open=true tags=["read"]
run_time = ...  # lk.Measured(...) or lk.Guess(...)
### BEGIN SOLUTION
run_time = lk.Measured(minutes=40)
### END SOLUTION
# %% check="2.3"
lk.check("2.3", run_time)
# %% [markdown] lang="en"
# ### Exercise 2.4 · Multiply ({{points 2.4}} points, 2 minutes)
#
# Now the arithmetic, by hand or in Python, from *your* answers above: how many runs, how many hours they take, and how many hours with the margin for debugging and repeated runs? The margin is the parameter `margin` at the top, 0.5 for one half more. You will not need less: something always has to be run again.
#
# <details><summary>Hint 1</summary>
#
# Runs: settings times seeds. Hours: runs times minutes, divided by 60. The minutes of one run are in `run_time.minutes`.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# One half more of something is one and a half times that something.
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 2.4 · गुणा कीजिए ({{points 2.4}} अंक, 2 मिनट)
#
# अब हिसाब, हाथ से या Python में, ऊपर के *अपने* जवाबों से: कितने runs होंगे, वे कितने घंटे लेंगे, और debugging और दोबारा चलाने के लिए margin जोड़कर कितने घंटे? Margin सबसे ऊपर वाला parameter `margin` है; 0.5 यानी आधा और। इससे कम में काम नहीं चलता: कुछ न कुछ दोबारा चलाना ही पड़ता है।
#
# <details><summary>मदद 1</summary>
#
# Runs: settings × seeds। घंटे: runs × मिनट ÷ 60। एक run के मिनट `run_time.minutes` में हैं।
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# किसी चीज़ में उसका आधा और जोड़ दें, तो वह डेढ़ गुनी हो जाती है।
#
# </details>
# %% answer="2.4"
runs = ...
base_hours = ...
total_hours = ...
### BEGIN SOLUTION
runs = len(settings) * len(seeds)
base_hours = runs * run_time.minutes / 60
total_hours = base_hours * (1 + margin)
### END SOLUTION
# %% check="2.4"
draft = lk.draft_plan(settings=settings, seeds=seeds, run_time=run_time, margin=margin)
answer = {"runs": runs, "base_hours": base_hours, "total_hours": total_hours}
lk.check("2.4", {"draft": draft.data, **answer})
# %% [markdown] lang="en"
# ### Exercise 2.5 · Where, and what may stop it ({{points 2.5}} points, 2 minutes)
#
# Where will it run, and with which limits? Offers change often, so no service is named here: open the page of yours and type in *today's* limits. Even your own laptop has one: how many hours a week can it compute without you missing it? Then write at least one thing that may get in the way, and mind that sessions may end without warning.
#
# | Where | What it is | Watch out for |
# |---|---|---|
# | Your laptop | a CPU, perhaps a small GPU | free and always there; for small models, data work, evaluation, debugging |
# | Free notebook service | some GPU hours a week | limits and GPU kinds change; sessions end without warning, so write checkpoints |
# | University machines | shared GPU server or cluster | usually a faculty sponsor is needed; queues; others wait as well |
# | Research credits | a programme that grants compute | they come and go; a clean one-page proposal helps, and the last cell of this notebook writes a draft of yours |
# | Collaboration | a partner runs the large experiment | settle data use, authorship and what may be published before you start |
#
# **Two cautions.** A paid machine that idles costs as much as one that works: set a budget alert and switch it off when a run ends. And keys and passwords never go into a notebook, nor into any code that is shared.
#
# <details><summary>Hint</summary>
#
# `lk.Venue("name", session_hours=..., hours_per_week=..., checkpoint_minutes=...)`. Leave out what has no limit. `price_per_hour=` and `currency=` are there for machines that cost money, `days_available=` for a deadline. The risks are a list of sentences.
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 2.5 · कहाँ चलेगा, और क्या रोक सकता है ({{points 2.5}} अंक, 2 मिनट)
#
# यह कहाँ चलेगा, और वहाँ की सीमाएँ क्या हैं? Offers बदलते रहते हैं, इसलिए यहाँ किसी service का नाम नहीं है: अपनी service का पेज खोलिए और *आज* की सीमाएँ लिखिए। अपने laptop की भी सीमा होती है: हफ़्ते में कितने घंटे वह चल सकता है, बिना आपके काम में रुकावट डाले? फिर कम से कम एक बात लिखिए जो रुकावट बन सकती है, और याद रखिए कि sessions बिना बताए बंद हो सकते हैं।
#
# | कहाँ | क्या है | किस बात का ध्यान रखें |
# |---|---|---|
# | अपना laptop | CPU, शायद छोटा GPU | मुफ़्त और हमेशा पास; छोटे models, data का काम, evaluation, debugging |
# | मुफ़्त notebook service | हफ़्ते में GPU के कुछ घंटे | सीमाएँ और GPU के प्रकार बदलते रहते हैं; sessions बिना बताए बंद होते हैं, इसलिए checkpoints लिखिए |
# | University की मशीनें | साझा GPU server या cluster | अक्सर faculty sponsor चाहिए; queue होती है; और लोग भी इंतज़ार में रहते हैं |
# | Research credits | कोई programme जो compute देता है | आते-जाते रहते हैं; एक पेज का साफ़ प्रस्ताव काम आता है, और इस notebook का आखिरी cell आपके प्रस्ताव का draft लिख देता है |
# | साझेदारी | कोई partner बड़ा प्रयोग चलाता है | data का उपयोग, authorship और क्या छप सकता है, यह शुरू में ही तय कर लीजिए |
#
# **दो सावधानियाँ।** पैसे वाली मशीन खाली बैठी हो तब भी उतना ही बिल बनता है: budget alert लगाइए, और run खत्म होते ही मशीन बंद कीजिए। और keys और passwords कभी notebook में, या share होने वाले किसी भी code में, मत डालिए।
#
# <details><summary>मदद</summary>
#
# `lk.Venue("name", session_hours=..., hours_per_week=..., checkpoint_minutes=...)`। जिसकी सीमा नहीं है, उसे छोड़ दीजिए। पैसे वाली मशीन के लिए `price_per_hour=` और `currency=` हैं, deadline के लिए `days_available=`। Risks को वाक्यों की सूची में लिखिए।
#
# </details>
# %% answer="2.5" open=true tags=["read"]
venue = ...  # lk.Venue("name", ...)
risks = ...  # ["one sentence", ...]
### BEGIN SOLUTION
venue = lk.Venue("free notebook service", session_hours=4, hours_per_week=12, checkpoint_minutes=10)
risks = ["A session may end without warning, so every run writes a checkpoint each ten minutes."]
### END SOLUTION
# %% check="2.5"
lk.check("2.5", {"venue": venue, "risks": risks})
# %% [markdown] lang="en"
# Your plan so far. What is still missing, and what does not fit together, is listed with it.
# %% [markdown] lang="hi"
# अब तक का आपका plan। जो अभी बाकी है, और जो आपस में मेल नहीं खाता, वह साथ में लिखा है।
# %% id="draft"
draft = lk.draft_plan(
    question=question,
    settings=settings,
    seeds=seeds,
    seeds_why=seeds_why,
    run_time=run_time,
    margin=margin,
    venue=venue,
    risks=risks,
)
print(draft)
# %% [markdown] lang="en"
# ### Exercise 2.6 · Plan B, for half the budget ({{points 2.6}} points, 3 minutes)
#
# Tomorrow you learn that you get half of the hours. What do you run? The order of value: first the **main comparison**, every baseline and method; then the ablations, most important first. Fewer seeds come after fewer ablations, equally for all, and never below two. Write down which settings stay, with how many seeds, and why.
#
# *Predict first:* does your main comparison with all seeds fit into half of the hours?
#
# <details><summary>Hint 1</summary>
#
# Half of the total, margin included. Take the last ablation away, multiply again, compare. Does it fit? If not, the next one.
#
# </details>
#
# <details><summary>Hint 2</summary>
#
# If it fits exactly, it fits.
#
# </details>
# %% [markdown] lang="hi"
# ### अभ्यास 2.6 · Plan B, आधे budget में ({{points 2.6}} अंक, 3 मिनट)
#
# कल आपको पता चलता है कि आधे ही घंटे मिलेंगे। आप क्या चलाएँगे? ज़रूरत का क्रम यह है: पहले **मुख्य तुलना**, यानी हर baseline और method; फिर ablations, सबसे ज़रूरी पहले। Seeds घटाने की बारी ablations के बाद आती है, सबके लिए बराबर, और दो से कम कभी नहीं। लिखिए कि कौन-सी settings रहेंगी, कितने seeds के साथ, और क्यों।
#
# *पहले सोचिए:* क्या आपकी मुख्य तुलना सारे seeds के साथ आधे घंटों में आ जाती है?
#
# <details><summary>मदद 1</summary>
#
# कुल का आधा, margin के साथ। आखिरी ablation हटाइए, फिर से गुणा कीजिए, मिलाइए। Plan आधे में आ गया? नहीं, तो अगला हटाइए।
#
# </details>
#
# <details><summary>मदद 2</summary>
#
# ठीक-ठीक बराबर हो, तो भी आ गया।
#
# </details>
# %% answer="2.6" open=true tags=["read"]
keep_settings = ...  # ["name", ...]
keep_seeds = ...  # how many seeds
plan_b_why = ...  # one sentence
### BEGIN SOLUTION
keep_settings = ["baseline", "mine"]
keep_seeds = 3
plan_b_why = "The main comparison stays with all its seeds; the ablations follow if the effect holds."
### END SOLUTION
# %% check="2.6"
answer = {"keep_settings": keep_settings, "keep_seeds": keep_seeds, "why": plan_b_why}
lk.check("2.6", {"draft": draft.data, **answer})
# %% [markdown] lang="en"
# Compare with the plan B that `labkit` computes, and with the four conditions:
#
# 1. every setting and the number of seeds is listed;
# 2. the total follows from a measured run time, or from one marked as a guess;
# 3. time for debugging and repeated runs is in it;
# 4. plan B keeps the most important comparison and drops the least important runs first.
# %% [markdown] lang="hi"
# `labkit` के निकाले plan B से मिलाइए, और इन चार शर्तों से:
#
# 1. हर setting और seeds की संख्या लिखी है;
# 2. कुल घंटे मापे हुए run time से निकले हैं, या ऐसे अंदाज़े से जिस पर “अंदाज़ा” लिखा है;
# 3. debugging और दोबारा चलाने का समय उसमें है;
# 4. plan B सबसे ज़रूरी तुलना बचाता है और सबसे कम ज़रूरी runs पहले हटाता है।
# %% id="plan-b"
print(draft.plan.plan_b() if draft.plan else lk.text("nb2.plan_first"))
# %% id="hours-figure" tags=["nbval-ignore-output"]
lk.plots.plan_hours(draft.plan or example)
# %% [markdown] lang="en"
# **Take it with you.** The plan is saved as a file that `python -m labkit plan my_plan.yaml`, typed in the folder `work` beside this notebook, checks at any time, and as a page of text; with it comes a one-page request for compute, filled from your plan. Notebook 6 runs the plan for real.
# %% [markdown] lang="hi"
# **साथ ले जाइए।** Plan एक file में save होता है जिसे `python -m labkit plan my_plan.yaml` कभी भी जाँच सकता है (यह command इस notebook के पास वाले folder `work` में चलाइए), और एक पेज के text में भी; साथ में compute के लिए एक पेज का अनुरोध बनता है, जो आपके plan से भरा जाता है। Notebook 6 इस plan को सचमुच चलाता है।
# %% id="save-plan"
if draft.plan:
    draft.plan.save(work / "my_plan.yaml")
    (work / "my_plan.md").write_text(draft.plan.to_markdown(), encoding="utf-8")
    (work / "my_request.md").write_text(draft.plan.request(), encoding="utf-8")
    print(lk.text("nb2.saved", files="my_plan.yaml, my_plan.md, my_request.md"))
else:
    print(lk.text("nb2.plan_first"))
# %% [markdown] lang="en"
# The same plan as a form. Change it and watch; if you like the change, open *Show as code* and copy it into your answers above.
# %% [markdown] lang="hi"
# वही plan, form के रूप में। बदलिए और देखिए; बदलाव पसंद आए तो *Code के रूप में दिखाएँ* खोलिए और उसे ऊपर अपने जवाबों में copy कर लीजिए।
# %% id="my-form" tags=["nbval-ignore-output"]
lk.plan_form(draft.plan or example)
# %% [markdown] lang="en"
# ## 3. Spot the flaw
#
# *Outside the 30 minutes.* Five plans by five people, each with exactly one flaw.
#
# **Plan A.** *Run time measured: 20 min. Baseline: 1 seed. Mine: 5 seeds (that is where the interesting spread is). Margin: half. Total: 6 × 20 min = 2 h, with margin 3 h. Plan B: baseline 1 seed, mine 2 seeds, 1.5 h.*
#
# **Plan B.** *One run is about 40 min. 2 settings × 3 seeds = 6 runs = 4 h, with half as margin 6 h. Plan B: the same runs at half the length, 3 h.*
#
# **Plan C.** *Measured: 30 min. Baseline, mine, no A, no B; 3 seeds; 6 h, with margin 9 h. Plan B: mine and no A with all seeds, 4.5 h, since the baseline is known from the paper.*
#
# **Plan D.** *Measured: 60 min. Baseline and mine, 5 seeds = 10 runs = 10 h. The free hours of this week are exactly 10, so it fits. Plan B: 2 seeds each, 4 h.*
#
# **Plan E.** *Measured: 40 min. Baseline, mine, no A, no B; 3 seeds each: 6 h. With half as margin 9 h. Plan B: baseline and mine with 3 seeds.*
#
# ### Exercise 2.7 · Which flaw is where? ({{points 2.7}} points, 4 minutes)
#
# Give each plan one of: `"unequal seeds"`, `"guess not marked"`, `"plan B drops the baseline"`, `"no margin"`, `"total does not follow"`.
#
# <details><summary>Hint</summary>
#
# Begin with the arithmetic: multiply settings, seeds and minutes in each plan. Then look for what is *not* written.
#
# </details>
# %% [markdown] lang="hi"
# ## 3. चूक पकड़िए
#
# *30 मिनट में शामिल नहीं।* पाँच लोगों के पाँच plans, हर एक में ठीक एक चूक।
#
# **Plan A.** *Run time मापा: 20 मिनट। Baseline: 1 seed। मेरा: 5 seeds (दिलचस्प spread तो वहीं है)। Margin: आधा। कुल: 6 × 20 मिनट = 2 घंटे, margin के साथ 3 घंटे। Plan B: baseline 1 seed, मेरा 2 seeds, 1.5 घंटे।*
#
# **Plan B.** *एक run लगभग 40 मिनट का है। 2 settings × 3 seeds = 6 runs = 4 घंटे, आधा margin जोड़कर 6 घंटे। Plan B: वही runs, आधी लंबाई के, 3 घंटे।*
#
# **Plan C.** *मापा: 30 मिनट। Baseline, मेरा, no A, no B; 3 seeds; 6 घंटे, margin के साथ 9 घंटे। Plan B: मेरा और no A सारे seeds के साथ, 4.5 घंटे, क्योंकि baseline तो paper से पता है।*
#
# **Plan D.** *मापा: 60 मिनट। Baseline और मेरा, 5 seeds = 10 runs = 10 घंटे। इस हफ़्ते मुफ़्त घंटे ठीक 10 हैं, तो इनमें आ गया। Plan B: दोनों के 2-2 seeds, 4 घंटे।*
#
# **Plan E.** *मापा: 40 मिनट। Baseline, मेरा, no A, no B; सबके 3 seeds: 6 घंटे। आधा margin जोड़कर 9 घंटे। Plan B: baseline और मेरा, 3 seeds के साथ।*
#
# ### अभ्यास 2.7 · कौन-सी चूक कहाँ है? ({{points 2.7}} अंक, 4 मिनट)
#
# हर plan के लिए इनमें से एक लिखिए: `"unequal seeds"` (seeds बराबर नहीं), `"guess not marked"` (अंदाज़े पर निशान नहीं), `"plan B drops the baseline"` (plan B से baseline गायब), `"no margin"` (margin नहीं), `"total does not follow"` (कुल का हिसाब नहीं बैठता)।
#
# <details><summary>मदद</summary>
#
# हिसाब से शुरू कीजिए: हर plan में settings, seeds और मिनट गुणा कीजिए। फिर वह ढूँढिए जो लिखा ही *नहीं* है।
#
# </details>
# %% answer="2.7"
flaws = {
    "A": ...,
    "B": ...,
    "C": ...,
    "D": ...,
    "E": ...,
}
### BEGIN SOLUTION
flaws = {
    "A": "unequal seeds",
    "B": "guess not marked",
    "C": "plan B drops the baseline",
    "D": "no margin",
    "E": "total does not follow",
}
### END SOLUTION
# %% check="2.7"
lk.check("2.7", flaws)
# %% [markdown] lang="en"
# ## 4. Do I really need more compute?
#
# ### Exercise 2.8 · Not yet, or perhaps? ({{points 2.8}} points, 2 minutes)
#
# Eight people want a larger machine. To whom do you say `"not yet"`, and to whom `"perhaps"`?
#
# 1. "The pipeline still has bugs, but on a big GPU I would find them faster."
# 2. "The effect only appears above a certain model size, and here are the runs that show it."
# 3. "I have not tried a small model; the paper used a large one."
# 4. "A reviewer likes the clean small result and asks whether it holds at scale."
# 5. "Every run is slow, since reading the data takes most of the time."
# 6. "For this claim I need ten seeds, and my hours allow three."
# 7. "I am not quite sure what I am testing. With more runs it will become clear."
# 8. "The small runs all work, and my next question is about scale itself."
# %% [markdown] lang="hi"
# ## 4. क्या सच में और compute चाहिए?
#
# ### अभ्यास 2.8 · अभी नहीं, या शायद? ({{points 2.8}} अंक, 2 मिनट)
#
# आठ लोगों को बड़ी मशीन चाहिए। किससे कहेंगे `"not yet"` (अभी नहीं), और किससे `"perhaps"` (शायद)?
#
# 1. “Pipeline में अभी bugs हैं, पर बड़े GPU पर जल्दी मिल जाएँगे।”
# 2. “असर model के एक size से ऊपर ही दिखता है, और ये रहे वे runs जिनमें यह दिखता है।”
# 3. “छोटा model तो आज़माया नहीं; paper में बड़ा था।”
# 4. “Reviewer को छोटा और साफ़ नतीजा पसंद आया, और वे पूछते हैं कि क्या यह बड़े scale पर भी टिकता है।”
# 5. “हर run धीमा है, क्योंकि ज़्यादातर समय data पढ़ने में जाता है।”
# 6. “इस दावे के लिए दस seeds चाहिए, और मेरे घंटों में तीन ही आते हैं।”
# 7. “मुझे ठीक से पता नहीं कि परखना क्या है। और runs होंगे तो साफ़ हो जाएगा।”
# 8. “छोटे runs सब काम कर रहे हैं, और मेरा अगला सवाल scale के ही बारे में है।”
# %% answer="2.8"
more_compute = {
    "1": ...,
    "2": ...,
    "3": ...,
    "4": ...,
    "5": ...,
    "6": ...,
    "7": ...,
    "8": ...,
}
### BEGIN SOLUTION
more_compute = {
    "1": "not yet",
    "2": "perhaps",
    "3": "not yet",
    "4": "perhaps",
    "5": "not yet",
    "6": "perhaps",
    "7": "not yet",
    "8": "perhaps",
}
### END SOLUTION
# %% check="2.8"
lk.check("2.8", more_compute)
# %% [markdown] lang="en"
# ## 5. Two hard questions
#
# Answer each aloud or on paper before you open it.
#
# **Question 1.** To save compute, a friend runs the baseline with one seed and her own method with five. Is that fair?
#
# <details><summary>One answer</summary>
#
# No. Of her method she knows the spread, of the baseline only one draw, which may have been lucky or unlucky. Half of what looks like an improvement could be that one draw. Everything that is compared gets the same number of seeds, and the same seeds: then whatever a seed does to both cancels in the difference. Where hours are short, cut ablations or settings; fairness is not the place to save.
#
# </details>
#
# **Question 2.** Your idea works at the two smallest sizes, which is all you can afford. May you claim that it works for large models?
#
# <details><summary>One answer</summary>
#
# Not like that. You may say that it held at the two sizes you tested, show the trend with its spread, and name the sizes among the limitations. With size an effect can grow, shrink, vanish or turn round, and two points cannot tell which. Invite those with larger machines to look: a clear small result is worth repeating.
#
# </details>
# %% [markdown] lang="hi"
# ## 5. दो कठिन सवाल
#
# खोलने से पहले हर एक का जवाब बोलकर या कागज़ पर दीजिए।
#
# **सवाल 1.** Compute बचाने के लिए एक दोस्त baseline को एक seed से चलाती है और अपने method को पाँच से। क्या यह बराबरी की तुलना है?
#
# <details><summary>एक जवाब</summary>
#
# नहीं। अपने method का spread उसे पता है, पर baseline का बस एक नमूना है, जो किस्मत से अच्छा या बुरा निकल सकता है। जो सुधार दिख रहा है, हो सकता है उसका आधा उसी एक नमूने से आया हो। जिन चीज़ों की तुलना हो, उन सबको उतने ही seeds मिलें, और वही seeds: तब seed का जो असर दोनों पर पड़ता है, वह अंतर निकालते समय कट जाता है। घंटे कम हों तो ablations या settings घटाइए; बचत के लिए बराबरी नहीं छोड़ी जाती।
#
# </details>
#
# **सवाल 2.** आपका idea दो सबसे छोटे sizes पर काम करता है, और उससे ज़्यादा आपके बस में नहीं। क्या आप कह सकते हैं कि यह बड़े models पर भी चलेगा?
#
# <details><summary>एक जवाब</summary>
#
# ऐसे नहीं। आप कह सकते हैं कि जिन दो sizes पर परखा, वहाँ वह टिका; trend और उसका spread दिखाइए, और limitations में sizes के नाम लिखिए। Size के साथ असर बढ़ सकता है, घट सकता है, गायब हो सकता है, या उलट सकता है, और दो बिंदु यह नहीं बता सकते। जिनके पास बड़ी मशीनें हैं, उन्हें देखने का न्योता दीजिए: छोटा पर साफ़ नतीजा दोहराने लायक होता है।
#
# </details>
# %% [markdown] lang="en"
# ## 6. The lesson test
#
# ### Exercise 2.9 · Five questions ({{points 2.9}} points, 3 minutes; three right answers pass)
#
# **q1.** A new idea. What comes first?
# (a) rent the largest GPU there is · (b) try it on a small model with little data · (c) begin to write the paper
#
# **q2.** Baseline with one seed, my method with five. This is
# (a) fair · (b) fair as long as the budget is small · (c) not fair: everything compared gets the same seeds
#
# **q3.** The run time in a compute plan is
# (a) measured, or a guess that is marked as one · (b) the number in the paper · (c) best left out
#
# **q4.** Only half of the budget comes. What goes first?
# (a) the baseline · (b) the least important ablations · (c) the baseline's seeds
#
# **q5.** The idea held at two small sizes. You
# (a) claim it for every size · (b) claim nothing at all · (c) say that it held at these sizes, show the trend and name the limit
# %% [markdown] lang="hi"
# ## 6. पाठ का test
#
# ### अभ्यास 2.9 · पाँच सवाल ({{points 2.9}} अंक, 3 मिनट; तीन सही हों तो पास)
#
# **q1.** एक नया idea है। सबसे पहले क्या?
# (a) सबसे बड़ा GPU किराए पर लेना · (b) छोटे model और थोड़े data पर आज़माना · (c) paper लिखना शुरू करना
#
# **q2.** Baseline एक seed से, मेरा method पाँच से। यह
# (a) बराबरी की तुलना है · (b) budget छोटा हो तो ठीक है · (c) बराबरी की नहीं: जिनकी तुलना हो, सबको वही seeds मिलें
#
# **q3.** Compute plan में run का समय
# (a) मापा हुआ हो, या ऐसा अंदाज़ा जिस पर “अंदाज़ा” लिखा हो · (b) paper वाली संख्या हो · (c) न लिखा जाए तो ही अच्छा
#
# **q4.** आधा ही budget मिला। पहले क्या हटेगा?
# (a) baseline · (b) सबसे कम ज़रूरी ablations · (c) baseline के seeds
#
# **q5.** Idea दो छोटे sizes पर टिका। आप
# (a) हर size के लिए दावा करेंगे · (b) कोई दावा नहीं करेंगे · (c) कहेंगे कि इन sizes पर टिका, trend दिखाएँगे और सीमा बताएँगे
# %% answer="2.9"
quiz = {
    "q1": ...,
    "q2": ...,
    "q3": ...,
    "q4": ...,
    "q5": ...,
}
### BEGIN SOLUTION
quiz = {
    "q1": "b",
    "q2": "c",
    "q3": "a",
    "q4": "b",
    "q5": "c",
}
### END SOLUTION
# %% check="2.9"
lk.check("2.9", quiz)
# %% [markdown] lang="en"
# **Next:** notebook 3, *Scaling checks*.
#
# ## Answers in words
#
# <details><summary>2.1 to 2.6, for the example of section 1</summary>
#
# Four settings (baseline, mine and two ablations) with three seeds are twelve runs. At 40 minutes each they take eight hours, with one half added for debugging twelve. Half of that is six hours, which is exactly what the baseline and mine need with all three seeds, margin included. A tie fits, so plan B keeps the main comparison whole and lets the ablations wait until the main result holds.
#
# </details>
#
# <details><summary>2.7</summary>
#
# The first plan gives one seed to one side and five to the other. The second never says whether its run time was measured. The third throws out the very thing it wants to compare with; a number from a paper was made with other code, other data order and other tuning. The fourth has planned every hour and left none for what goes wrong. The fifth cannot multiply: twelve runs of 40 minutes are eight hours.
#
# </details>
#
# <details><summary>2.8</summary>
#
# More compute answers questions that are about scale or about certainty (the even numbers). It does not mend bugs, slow loading, an untried small model or a missing hypothesis (the odd ones).
#
# </details>
#
# <details><summary>2.9</summary>
#
# Try small first; the same seeds for all that is compared; measured, or marked as a guess; the least important ablations go first; claim what was tested, show the trend, name the limit.
#
# </details>
# %% [markdown] lang="hi"
# **आगे:** notebook 3, *Scaling checks*।
#
# ## जवाब, शब्दों में
#
# <details><summary>2.1 से 2.6, भाग 1 के उदाहरण के लिए</summary>
#
# चार settings (baseline, मेरा, और दो ablations), तीन seeds के साथ, बारह runs हैं। 40 मिनट के हिसाब से आठ घंटे, debugging के लिए आधा जोड़कर बारह। उसका आधा छह घंटे है, और ठीक इतना ही baseline और मेरे method को तीनों seeds के साथ चाहिए, margin जोड़कर। बराबर हो तो भी आ गया, इसलिए plan B मुख्य तुलना पूरी रखता है, और ablations तब तक रुकते हैं जब तक मुख्य नतीजा टिक न जाए।
#
# </details>
#
# <details><summary>2.7</summary>
#
# पहला plan एक तरफ़ एक seed देता है और दूसरी तरफ़ पाँच। दूसरा कहीं नहीं बताता कि run का समय मापा गया था या नहीं। तीसरा उसी चीज़ को निकाल देता है जिससे तुलना करनी है; paper की संख्या किसी और code, data के किसी और क्रम और किसी और tuning से निकली थी। चौथे ने हर घंटा बाँट दिया और गड़बड़ के लिए एक भी नहीं छोड़ा। पाँचवें का गुणा गलत है: 40 मिनट के बारह runs में आठ घंटे लगते हैं।
#
# </details>
#
# <details><summary>2.8</summary>
#
# ज़्यादा compute उन सवालों का जवाब देता है जो scale या भरोसे के बारे में हैं (सम संख्याएँ)। उससे न bugs ठीक होते हैं, न data की धीमी loading, न यह कि छोटा model आज़माया नहीं या hypothesis पता नहीं (विषम संख्याएँ)।
#
# </details>
#
# <details><summary>2.9</summary>
#
# पहले छोटा आज़माइए; जिनकी तुलना हो, सबको वही seeds; मापा हुआ समय, या ऐसा अंदाज़ा जिस पर “अंदाज़ा” लिखा हो; सबसे कम ज़रूरी ablations पहले हटें; जितना परखा उतना ही कहिए, trend दिखाइए, सीमा बताइए।
#
# </details>
