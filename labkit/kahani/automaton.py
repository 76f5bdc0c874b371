"""A grammar as a deterministic automaton: one word an edge, so every text has one path and one probability.

A state of the automaton is what may still come: a weighted set of unfinished derivations. Reading a word
keeps the derivations that write it. Two derivations of one text therefore end up in the same state with
their probabilities added (the subset construction for weighted automata; Mohri, "Finite-state transducers
in language and speech processing", Computational Linguistics 23, 1997). A word ends with a space or a new
line and holds none before its end, so no word of a state begins another one: the path through the automaton
can be read off the text, character by character.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from labkit.kahani.grammar import (
    Alternative,
    Bind,
    Call,
    Entry,
    Grammar,
    Inflected,
    Literal,
    Token,
    Write,
    only,
)

END = -1  # the state after a sentence


@dataclass(eq=False, slots=True)
class _Place:
    """What is still to be written: the rest of an alternative, or of a word of several parts, then `below`.

    Equal places are one object (see `Automaton._place`), so that comparing them is quick.
    """

    alternative: Alternative
    next: int
    entries: dict[str, Entry]  # chosen before and still needed
    below: _Place | None

    @property
    def token(self) -> Token:
        return self.alternative.tokens[self.next]


_Rest = _Place | None  # None: the sentence is complete
_Step = tuple[int, int, str, _Rest]  # numerator and denominator of a probability, text written, what is left


@dataclass(frozen=True)
class State:
    """A state: the words that may come next.

    Attributes
    ----------
    words : sorted; each ends with a space, or with a new line if it ends the sentence.
    weights : positive integers; a word's probability is its weight over `total`.
    targets : the state after each word, or END.
    """

    words: tuple[str, ...]
    weights: tuple[int, ...]
    targets: tuple[int, ...]
    total: int
    cumulative: tuple[int, ...]
    index: dict[str, int]


class Automaton:
    """The deterministic automaton of a grammar; `states[0]` is the start of a sentence.

    Sampling uses integers only, and of Python's generator only `getrandbits` of the Mersenne Twister, so a
    seed gives the same text everywhere.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.states = _Builder(grammar).states()

    def sentence(self, source: random.Random) -> str:
        """Draw one sentence, its new line included."""
        written = []
        number = 0
        while number != END:
            state = self.states[number]
            draw = _below(state.total, source)
            choice = bisect_right(state.cumulative, draw)
            written.append(state.words[choice])
            number = state.targets[choice]
        return "".join(written)

    def walk(self, text: str) -> Iterator[tuple[State, str]]:
        """Yield each state on the text's path with the word read there; the last word may be cut short.

        The text begins at a sentence start and may hold many sentences. A word that the state does not
        know ends the walk: it is yielded as it is, and nothing after it.
        """
        number, place = 0, 0
        while place < len(text):
            ends = [end for mark in " \n" if (end := text.find(mark, place)) >= 0]
            word = text[place : min(ends) + 1] if ends else text[place:]
            state = self.states[number]
            yield state, word
            if word not in state.index:
                return
            number = max(0, state.targets[state.index[word]])
            place += len(word)

    def after(self, text: str) -> State | None:
        """Return the state after a text from a sentence start, or None if the text is cut or impossible."""
        number = 0
        for state, word in self.walk(text):
            if word not in state.index:
                return None
            number = max(0, state.targets[state.index[word]])
        return self.states[number]


class _Builder:
    """Makes the states of a grammar's automaton."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._places: dict[object, _Place] = {}
        self._words: dict[_Place, list[_Step]] = {}
        self._spelled: dict[str, Alternative] = {}

    def states(self) -> list[State]:
        """Return all states that can be reached, the start first."""
        start = Alternative(1, (Call("start", ()),), [{}, {}])
        first: dict[_Rest, int] = {self._place(start, 0, {}, None): 1}
        numbers = {frozenset(first.items()): 0}
        waiting, states = [first], []
        for current in waiting:  # grows while it is read
            after = self._read(current)
            words = tuple(sorted(after))
            weights = [sum(after[word].values()) for word in words]
            common = math.gcd(*weights)
            targets = []
            for word in words:
                target = _reduced(after[word])
                if None in target:
                    targets.append(END)
                    continue
                key = frozenset(target.items())
                if key not in numbers:
                    numbers[key] = len(waiting)
                    waiting.append(target)
                targets.append(numbers[key])
            states.append(_state(words, tuple(weight // common for weight in weights), tuple(targets)))
        return states

    def _read(self, current: dict[_Rest, int]) -> dict[str, dict[_Rest, int]]:
        """Return, for each word that may come next, the weighted set of derivations that write it."""
        steps = [(weight, step) for place, weight in current.items() for step in self._words_from(place)]
        scale = math.lcm(*{denominator for _, (_, denominator, _, _) in steps})
        after: dict[str, dict[_Rest, int]] = {}
        for weight, (numerator, denominator, word, rest) in steps:
            found = after.setdefault(word, {})
            found[rest] = found.get(rest, 0) + weight * numerator * (scale // denominator)
        return after

    def _words_from(self, rest: _Rest) -> list[_Step]:
        """Return the ways to write a next word, with its punctuation and its space or new line."""
        assert rest is not None, "a sentence goes on to its full stop"
        if rest not in self._words:
            self._words[rest] = [
                (n * m, d * e, word + mark + (" " if left else "\n"), left)
                for n, d, word, middle in self._first(rest)
                for m, e, mark, left in self._punctuation(middle)
            ]
        return self._words[rest]

    def _first(self, rest: _Rest) -> Iterator[_Step]:
        """Yield the ways to write a next word."""
        assert rest is not None, "a sentence goes on to its full stop"
        token, entries = rest.token, rest.entries
        if isinstance(token, Call):
            for weight, total, inside in self._enter(token, rest):
                for n, d, word, left in self._first(inside):
                    yield weight * n, total * d, word, left
        elif isinstance(token, Bind):
            total = sum(weight for weight, _ in token.entries)
            for weight, entry in token.entries:
                after = self._place(
                    rest.alternative, rest.next + 1, {**entries, token.variable: entry}, rest.below
                )
                for n, d, word, left in (
                    self._spell(getattr(entry, token.shown), after) if token.shown else self._first(after)
                ):
                    yield weight * n, total * d, word, left
        else:
            yield from self._spell(self._written(token, entries), self._after(rest))

    def _written(self, token: Token, entries: dict[str, Entry]) -> str:
        if isinstance(token, Literal):
            return token.word
        if isinstance(token, Write):
            return str(getattr(entries[token.variable], token.shown))
        assert isinstance(token, Inflected)
        word = token.word
        for mark, variable in token.marks:
            word = self._grammar.inflect(word + mark.replace("~", ""), entries[variable].agreement)
        return word

    def _punctuation(self, rest: _Rest) -> Iterator[_Step]:
        """Yield the ways to go on: with a punctuation mark, or with none ("") and the rest as it is."""
        if rest is None or not self._grammar.may_open_with_punctuation(rest.token):
            yield 1, 1, "", rest
        elif isinstance(rest.token, Literal):
            yield 1, 1, rest.token.word, self._after(rest)
        else:
            assert isinstance(rest.token, Call)
            for weight, total, inside in self._enter(rest.token, rest):
                for n, d, mark, left in self._punctuation(inside):
                    yield weight * n, total * d, mark, left

    def _enter(self, call: Call, rest: _Place) -> Iterator[tuple[int, int, _Rest]]:
        """Yield weight, total and start of each alternative of the rule that is called."""
        rule = self._grammar.target(call, rest.entries)
        known = [rest.entries.get(argument, Entry()) for argument in call.arguments]
        handed = dict(zip(rule.parameters, known, strict=True))
        after = self._after(rest)
        for alternative in rule.alternatives:
            yield alternative.weight, rule.total, self._place(alternative, 0, handed, after)

    def _spell(self, words: str, rest: _Rest) -> Iterator[_Step]:
        """Yield the first of the words; the others come before `rest`."""
        first, *others = words.split()
        if others:
            spelled = self._spelled.setdefault(
                words, Alternative(1, (*map(Literal, others),), [{}] * len(others))
            )
            rest = self._place(spelled, 0, {}, rest)
        yield 1, 1, first, rest

    def _after(self, rest: _Place) -> _Rest:
        return self._place(rest.alternative, rest.next + 1, rest.entries, rest.below)

    def _place(self, alternative: Alternative, number: int, entries: dict[str, Entry], below: _Rest) -> _Rest:
        """Return the one object for this place; an alternative that is read to its end is left out."""
        if number == len(alternative.tokens):
            return below
        needs = alternative.needs[number]
        kept = {variable: only(entries[variable], fields) for variable, fields in needs.items()}
        key = (alternative, number, tuple(kept.values()), below)
        if key not in self._places:
            self._places[key] = _Place(alternative, number, kept, below)
        return self._places[key]


def _reduced(target: dict[_Rest, int]) -> dict[_Rest, int]:
    common = math.gcd(*target.values())
    return {rest: weight // common for rest, weight in target.items()}


def _state(words: tuple[str, ...], weights: tuple[int, ...], targets: tuple[int, ...]) -> State:
    index = {word: place for place, word in enumerate(words)}
    return State(words, weights, targets, sum(weights), tuple(accumulate(weights)), index)


def _below(limit: int, source: random.Random) -> int:
    """Draw an integer from 0 to limit - 1, each equally likely (draws beyond the limit are thrown away)."""
    bits = limit.bit_length()
    while (draw := source.getrandbits(bits)) >= limit:
        pass
    return draw
