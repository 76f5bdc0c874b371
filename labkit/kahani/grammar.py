"""A small language for writing grammars with agreement, and its parser.

A grammar is a table of rules and a table of word classes. A rule is a list of alternatives, one a line (or
divided by "|"): an integer weight and a template of tokens:

    word        itself; "," and the full stop attach to the word before
    S=boy,girl  choose an entry of these classes, call it S, write it (`S=boy.obl`: write its oblique form)
    (S=boy)     choose it now, write it later
    S  S.obl    write it again
    runs~S      the form of "runs" that agrees with S; marks can be chained, or be "!" (see hindi.py)
    <does:S,O>  the rule "does S O", with these entries
    <does@S>    the rule "does@bird S" if S is of the kind "bird"; <some%O>: "some%p O" if O agrees as "p"
    -           nothing

A line of a word class starts with the agreement of its entries, `ms कुत्ता/कुत्ते#dog 5, मोर#bird`: direct form,
oblique form after "/" (if it differs), kind after "#", weight (1 if absent); "_" stands for a space.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Inflect = Callable[
    [str, str], str
]  # (citation form, with its mark "!" if any; agreement) → the form that agrees
Needs = dict[str, frozenset[str]]  # variable → the fields of its entry that are still needed

_BIND = re.compile(r"(\()?([A-Z])=([\w,]+?)(\.obl)?\)?")
_WRITE = re.compile(r"([A-Z])(\.obl)?")
_CALL = re.compile(r"<(\w+)(?:([@%])([A-Z]))?(?::([A-Z,]+))?>")
_INFLECTED = re.compile(r"([^~!]+)((?:[~!][A-Z])+)")


class Entry(NamedTuple):
    """A word of the lexicon; fields that a later part of the sentence cannot need are blanked."""

    word: str = ""
    oblique: str = ""
    agreement: str = ""
    kind: str = ""


@functools.cache
def only(entry: Entry, fields: frozenset[str]) -> Entry:
    """Return the entry with every field but these blanked: what differs elsewhere no longer matters."""
    return Entry(*(value if name in fields else "" for name, value in zip(entry._fields, entry, strict=True)))


@dataclass(frozen=True)
class Literal:
    """A word, or a punctuation mark."""

    word: str


@dataclass(frozen=True)
class Bind:
    """Choose an entry; write the field `shown` of it ("" writes nothing)."""

    variable: str
    entries: tuple[tuple[int, Entry], ...]
    shown: str


@dataclass(frozen=True)
class Write:
    """Write one field of an entry chosen before."""

    variable: str
    shown: str


@dataclass(frozen=True)
class Inflected:
    """Write a word that agrees with one or more entries, applied in order."""

    word: str
    marks: tuple[tuple[str, str], ...]  # (mark, variable)


@dataclass(frozen=True)
class Call:
    """Go on with a rule and these entries; the field `key` of the first one completes its name."""

    rule: str
    arguments: tuple[str, ...]
    key: str = ""


Token = Literal | Bind | Write | Inflected | Call


@dataclass(eq=False)
class Alternative:
    """One line of a rule. `needs[i]` tells what the tokens from i on need of the entries chosen before."""

    weight: int
    tokens: tuple[Token, ...]
    needs: list[Needs] = field(default_factory=list)


@dataclass(eq=False)
class Rule:
    """A rule: its parameters and its alternatives."""

    name: str
    parameters: tuple[str, ...]
    alternatives: tuple[Alternative, ...]
    total: int


class Grammar:
    """Rules and words of one language, read from their tables.

    Parameters
    ----------
    rules : "name PARAMETERS" → lines of alternatives. The rule "start" makes a sentence. No rule may lead
        back to itself, so every grammar has finitely many sentences.
    words : class → lines of entries.
    inflect : gives the form of a word that agrees.
    stop : the full stop of the language.

    Raises
    ------
    ValueError
        If a line cannot be read. Only a person who edits a grammar can see this.
    """

    def __init__(
        self, rules: Mapping[str, str], words: Mapping[str, str], inflect: Inflect, stop: str
    ) -> None:
        self.inflect = inflect
        self.punctuation = frozenset((",", stop))
        self._words = {name: _entries(lines) for name, lines in words.items()}
        self.rules = {rule.name: rule for rule in (self._rule(*item) for item in rules.items())}
        self._rule_needs: dict[str, Needs] = {}
        self._opens: dict[Call, bool] = {}
        for name in self.rules:
            self.needed_by(name)

    def needed_by(self, name: str) -> Needs:
        """Return what a rule needs of its arguments, and fill in the needs of its alternatives."""
        if name not in self._rule_needs:
            rule = self.rules[name]
            for alternative in rule.alternatives:
                needs: list[Needs] = [{}]
                for token in reversed(alternative.tokens):
                    needs.append(self._before(token, needs[-1]))
                alternative.needs = needs[::-1]
            firsts = [alternative.needs[0] for alternative in rule.alternatives]
            self._rule_needs[name] = _union(*firsts)
        return self._rule_needs[name]

    def target(self, call: Call, entries: Mapping[str, Entry]) -> Rule:
        """Return the rule that a call leads to, given the entries chosen so far."""
        suffix = getattr(entries[call.arguments[0]], call.key) if call.key else ""
        return self.rules[call.rule + suffix]

    def may_open_with_punctuation(self, token: Token) -> bool:
        """Tell whether a token can write nothing, or a punctuation mark first."""
        if isinstance(token, Literal):
            return token.word in self.punctuation
        if not isinstance(token, Call):
            return False
        if token not in self._opens:
            self._opens[token] = any(
                not alternative.tokens or self.may_open_with_punctuation(alternative.tokens[0])
                for rule in self._targets(token)
                for alternative in rule.alternatives
            )
        return self._opens[token]

    def inflected_words(self) -> set[str]:
        """Return the citation form, with its mark, of every word of the rules that agrees with one entry."""
        return {
            token.word + token.marks[0][0].replace("~", "")
            for rule in self.rules.values()
            for alternative in rule.alternatives
            for token in alternative.tokens
            if isinstance(token, Inflected) and len(token.marks) == 1
        }

    def _before(self, token: Token, after: Needs) -> Needs:
        """Return the needs just before a token, given those just after it."""
        if isinstance(token, Bind):
            return {variable: fields for variable, fields in after.items() if variable != token.variable}
        if isinstance(token, Write):
            return _union(after, {token.variable: frozenset((token.shown,))})
        if isinstance(token, Inflected):
            return _union(after, {variable: frozenset(("agreement",)) for _, variable in token.marks})
        if isinstance(token, Call):
            own: list[Needs] = [{token.arguments[0]: frozenset((token.key,))}] if token.key else []
            for rule in self._targets(token):
                inner = self.needed_by(rule.name)
                pairs = zip(rule.parameters, token.arguments, strict=True)
                own += [{argument: inner[parameter]} for parameter, argument in pairs if parameter in inner]
            return _union(after, *own)
        return after

    def _targets(self, call: Call) -> list[Rule]:
        if not call.key:
            return [self.rules[call.rule]]
        return [rule for name, rule in self.rules.items() if name.startswith(call.rule)]

    def _rule(self, head: str, lines: str) -> Rule:
        name, *parameters = head.split()
        alternatives = []
        for line in re.split(r"[|\n]", lines.strip()):
            weight, *tokens = line.split()
            kept = tuple(self._token(token) for token in tokens if token != "-")
            alternatives.append(Alternative(int(weight), kept))
        total = sum(alternative.weight for alternative in alternatives)
        return Rule(name, tuple(parameters), tuple(alternatives), total)

    def _token(self, token: str) -> Token:
        if found := _BIND.fullmatch(token):
            silent, variable, names, oblique = found.groups()
            entries = tuple(entry for name in names.split(",") for entry in self._words[name])
            return Bind(variable, entries, "" if silent else "oblique" if oblique else "word")
        if found := _WRITE.fullmatch(token):
            return Write(found[1], "oblique" if found[2] else "word")
        if found := _CALL.fullmatch(token):
            name, way, first, others = found.groups()
            arguments = tuple(first or "") + tuple((others or "").replace(",", ""))
            return Call(name + (way or ""), arguments, {"@": "kind", "%": "agreement", None: ""}[way])
        if found := _INFLECTED.fullmatch(token):
            marks = found[2]
            return Inflected(found[1], tuple(zip(marks[::2], marks[1::2], strict=True)))
        if re.search(r"[A-Z~!<>=@%]", token):
            raise ValueError(f"{token!r} is not a token of a grammar.")
        return Literal(token)


def _entries(lines: str) -> tuple[tuple[int, Entry], ...]:
    """Read the entries of one word class."""
    found = []
    for line in lines.strip().splitlines():
        agreement, text = line.split(maxsplit=1)
        for item in text.split(","):
            written, *weight = item.split()
            forms, _, kind = written.partition("#")
            word, _, oblique = forms.replace("_", " ").partition("/")
            found.append((int(*weight) if weight else 1, Entry(word, oblique or word, agreement, kind)))
    return tuple(found)


def _union(*needs: Needs) -> Needs:
    joined: Needs = {}
    for part in needs:
        for variable, fields in part.items():
            joined[variable] = joined.get(variable, frozenset()) | fields
    return joined
