"""Kahani, a tiny story language in Hindi and English whose exact entropy is known.

A grammar written by us makes sentences such as "the girls who live near the river feed the brown cows." or
"जो लड़की नदी के पास रहती है, वह रोज़ फूल चुनती है।", one a line, each drawn independently of the others. Verbs and
pronouns agree with a noun that may stand a clause away, so a model with more capacity and context predicts
better, and there is unlimited text.

The grammar is an automaton with one path for every text (see automaton.py). So the probability of every next
character is known, and with it the loss that no model can beat:

- `kahani_entropy(lang)` is the entropy rate: nats in a sentence over characters in a sentence. It is the mean
  loss of the best possible model over whole sentences: for any model, E[loss summed over n whole sentences]
  is at least n * (nats in a sentence), and E[characters] is n * (characters in a sentence).
- `kahani_entropy(lang, window=T)` is the same for windows of exactly T characters that begin at a sentence
  start and may end in mid-sentence, as `windows` cuts them: the expected mean loss of any model over all T
  characters is at least this. A beginning is harder to guess than an end, so it is a little higher than the
  rate, and tends to it as T grows.
- `surprisals(text, lang)` is the best model's loss on each character of one text. The mean difference
  between a model's loss and this has a far smaller error bar than the model's loss alone, and an expectation
  of at least 0.

A window that begins in mid-sentence hides what came before; its floor is higher, and not given here.
"""

from labkit.kahani.probabilities import (
    Lengths,
    kahani_entropy,
    lengths,
    log_probability,
    next_words,
    surprisals,
)
from labkit.kahani.probes import Probe, agreement_probes
from labkit.kahani.writing import kahani, sentences, vocabulary, windows

__all__ = [
    "Lengths",
    "Probe",
    "agreement_probes",
    "kahani",
    "kahani_entropy",
    "lengths",
    "log_probability",
    "next_words",
    "sentences",
    "surprisals",
    "vocabulary",
    "windows",
]
