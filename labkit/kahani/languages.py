"""The two languages, made ready once per process, and the check of what callers ask for."""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from typing import Any

from labkit.kahani.automaton import Automaton
from labkit.kahani.exact import Exact
from labkit.kahani.grammar import Grammar
from labkit.messages import LANGUAGES, language, text

SPLITS = ("train", "test")
_MODULES = {"en": "english", "hi": "hindi"}


@dataclass(frozen=True)
class Language:
    """A language ready for use; `source` is its module, `english` or `hindi`."""

    source: Any
    grammar: Grammar
    automaton: Automaton
    exact: Exact


@functools.cache
def ready(lang: str) -> Language:
    """Build a language's automaton, which takes about a second the first time."""
    source = importlib.import_module(f"labkit.kahani.{_MODULES[lang]}")
    grammar = Grammar(source.RULES, source.WORDS, source.inflect, source.STOP)
    automaton = Automaton(grammar)
    return Language(source, grammar, automaton, Exact(automaton))


def checked(lang: str | None, *, split: str | None = None, **numbers: object) -> Language:
    """Return the language asked for; None is the language in use.

    Parameters
    ----------
    lang, split : as the caller got them; split None is not checked.
    numbers : by name; each must be a whole number, 0 or more.

    Raises
    ------
    ValueError
        If anything is wrong; the message lists all of it.
    """
    lang = language() if lang is None else lang
    problems = []
    if lang not in LANGUAGES:
        problems.append(text("kahani.bad_choice", name="lang", value=repr(lang), choices=_listed(LANGUAGES)))
    if split is not None and split not in SPLITS:
        problems.append(text("kahani.bad_choice", name="split", value=repr(split), choices=_listed(SPLITS)))
    for name, value in numbers.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            problems.append(text("kahani.bad_number", name=name, value=repr(value)))
    if problems:
        raise ValueError("\n".join(problems))
    return ready(lang)


def _listed(choices: tuple[str, ...]) -> str:
    return ", ".join(f'"{choice}"' for choice in choices)
