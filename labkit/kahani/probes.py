"""Agreement as a question to a model: is the right form likelier than a wrong one."""

from __future__ import annotations

from typing import NamedTuple

from labkit.kahani.languages import Language, checked
from labkit.kahani.writing import sentences


class Probe(NamedTuple):
    """The beginning of a sentence, the form that agrees, and one that the grammar cannot write here."""

    prefix: str
    right: str
    wrong: str


def agreement_probes(lang: str | None = None, count: int = 100, seed: int = 0) -> list[Probe]:
    """Return different probes of agreement, from sentences of the test stream.

    A model is right on a probe if it gives `right` a higher probability than `wrong` after `prefix` (each
    predicted character by character). Guessing is right on half of them, the grammar on all.

    Raises
    ------
    ValueError
        If an argument cannot be used; the message lists every one.
    """
    language = checked(lang, count=count, seed=seed)
    forms = _forms(language)
    found: dict[Probe, None] = {}
    stream = sentences("test", seed, lang)
    while len(found) < count:
        prefix = ""
        for state, word in language.automaton.walk(next(stream)):
            right = word.rstrip()
            plain = right.rstrip("," + language.source.STOP)
            possible = {other.rstrip().rstrip("," + language.source.STOP) for other in state.words}
            wrong = sorted(forms.get(plain, set()) - possible)
            if prefix and wrong and len(found) < count:
                found[Probe(prefix, word, wrong[0] + word[len(plain) :])] = None
            prefix += word
    return list(found)


def _forms(language: Language) -> dict[str, set[str]]:
    """Return for each form of a verb or pronoun all forms of the same word."""
    together: dict[str, set[str]] = {}
    for citation in filter(language.source.is_verb_or_pronoun, language.grammar.inflected_words()):
        forms = {language.source.inflect(citation, agreement) for agreement in language.source.AGREEMENTS}
        for form in forms:
            together.setdefault(form, set()).update(forms)
    return together
