"""What is known exactly about Kahani: entropy, probabilities, lengths (in nats and characters)."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from labkit.kahani.exact import Exact
from labkit.kahani.languages import checked
from labkit.messages import text as message


class Lengths(NamedTuple):
    """Characters of a sentence, its new line included."""

    mean: float
    longest: int


def kahani_entropy(lang: str | None = None, window: int | None = None) -> float:
    """Return the exact entropy of Kahani in nats per character: the mean loss that no model can beat.

    Parameters
    ----------
    lang : "en", "hi", or None for the language in use.
    window : None for the entropy rate, which is the floor over whole sentences; or the number of characters
        of the windows that are scored, each from a sentence start (see `windows`).

    Raises
    ------
    ValueError
        If the language is unknown or the window is not a whole number of 1 or more.
    """
    known = checked(lang, window=0 if window is None else window).exact
    if window is None:
        return known.sentence_entropy / known.sentence_length
    if window == 0:
        raise ValueError(message("kahani.empty_window"))
    return _window_entropy(known, window)


def lengths(lang: str | None = None) -> Lengths:
    """Return the expected length of a sentence and that of the longest one.

    A model whose context holds the longest sentence sees everything that matters.
    """
    known = checked(lang).exact
    return Lengths(known.sentence_length, known.longest)


def surprisals(text: str, lang: str | None = None) -> list[float]:
    """Return -log p of each character given those before it, in nats: the best model's loss on this text.

    Parameters
    ----------
    text : begins at a sentence start; may hold many sentences and may end in mid-sentence.
    lang : the language of the text.

    Returns
    -------
    One number per character; `inf` from the first character on that the grammar cannot write.
    """
    return checked(lang).exact.surprisals(text)


def log_probability(sentence: str, lang: str | None = None) -> float:
    r"""Return log p of a text that begins at a sentence start, in nats; -inf if the grammar cannot write it.

    After the full stop only "\n" can follow, so it may be left out.
    """
    return -math.fsum(surprisals(sentence, lang))


def next_words(prefix: str = "", lang: str | None = None) -> dict[str, float]:
    """Return the true probability of each word that may follow, with its punctuation and its space.

    Parameters
    ----------
    prefix : from a sentence start to the end of a word, its space included; "" is a sentence start.
    lang : the language of the text.

    Raises
    ------
    ValueError
        If the grammar cannot write the prefix, or the prefix ends within a word.
    """
    automaton = checked(lang).automaton
    state = automaton.after(prefix)
    if state is None:
        raise ValueError(message("kahani.bad_prefix", prefix=repr(prefix)))
    return {word: weight / state.total for word, weight in zip(state.words, state.weights, strict=True)}


@functools.cache
def _window_entropy(known: Exact, window: int) -> float:
    return known.window_entropy(window)
