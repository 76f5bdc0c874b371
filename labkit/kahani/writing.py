"""Kahani's text: by the character, by the sentence and in windows for evaluation."""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Iterator

from labkit.kahani.automaton import Automaton
from labkit.kahani.languages import checked
from labkit.messages import checked_language

_VERSION = 2  # raise it when a grammar changes: the same seed then gives other text on purpose


def kahani(split: str, chars: int, seed: int = 0, lang: str | None = None) -> str:
    r"""Return Kahani text, one sentence a line.

    Parameters
    ----------
    split : "train" or "test": two independent streams of sentences. A short sentence may turn up in both, as
        it would in any two samples of a language.
    chars : at least this many characters; the text goes on to the end of the sentence, its "\n" included.
    seed : a whole number, 0 or more. A longer text with the same seed begins with the shorter one, and is the
        same on every platform and Python version.
    lang : "en", "hi", or None for the language in use.

    Raises
    ------
    ValueError
        If an argument cannot be used; the message lists every one.
    """
    automaton = checked(lang, split=split, chars=chars, seed=seed).automaton
    stream = _stream(automaton, split, seed, checked_language(lang))
    lines, length = [], 0
    while length < chars:
        lines.append(next(stream))
        length += len(lines[-1])
    return "".join(lines)


def sentences(split: str, seed: int = 0, lang: str | None = None) -> Iterator[str]:
    r"""Return an endless iterator over the sentences of `kahani`, each with its "\n".

    Raises
    ------
    ValueError
        As for `kahani`, at once.
    """
    automaton = checked(lang, split=split, seed=seed).automaton
    return _stream(automaton, split, seed, checked_language(lang))


def windows(split: str, count: int, length: int, seed: int = 0, lang: str | None = None) -> list[str]:
    r"""Return independent windows for which `kahani_entropy(lang, window=length)` is the exact floor.

    Each is "\n" (the end of a sentence before, so that a model sees where it is) and then `length` characters
    from a sentence start. Score all of them: predict window[1:] from window[:-1]. What a window cuts off is
    thrown away and the next one begins with the next sentence.

    Raises
    ------
    ValueError
        As for `kahani`.
    """
    automaton = checked(lang, split=split, seed=seed, count=count, length=length).automaton
    stream = _stream(automaton, split, seed, checked_language(lang))
    cut = []
    for _ in range(count):
        window = "\n"
        while len(window) <= length:
            window += next(stream)
        cut.append(window[: length + 1])
    return cut


def vocabulary(lang: str | None = None) -> str:
    r"""Return every character of the language once, in the order of their code points ("\n" and " " first).

    Raises
    ------
    ValueError
        If the language is unknown.
    """
    return _characters(checked(lang).automaton)


@functools.cache
def _characters(automaton: Automaton) -> str:
    words = (word for state in automaton.states for word in state.words)
    return "".join(sorted({character for word in words for character in word}))


def _stream(automaton: Automaton, split: str, seed: int, lang: str) -> Iterator[str]:
    """Yield sentences from a generator seeded with the SHA-256 of all that names the stream."""
    name = f"kahani {_VERSION} {lang} {split} {seed}"
    source = random.Random(int.from_bytes(hashlib.sha256(name.encode()).digest(), "big"))
    while True:
        yield automaton.sentence(source)
