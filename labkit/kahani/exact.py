"""Entropy and probabilities of a language, computed from its automaton and not estimated.

Sentences are drawn independently, and the new line that ends one occurs nowhere else. So the past before
the current sentence tells nothing, and everything follows from one pass over the automaton's states.
"""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from graphlib import TopologicalSorter

from labkit.kahani.automaton import END, Automaton, State


class Exact:
    """What can be computed about an automaton's text, in nats and characters."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton = automaton
        self._states = automaton.states
        self._known: dict[tuple[int, str], list[float]] = {}
        before = {number: set(state.targets) - {END} for number, state in enumerate(self._states)}
        self._order = [*TopologicalSorter(before).static_order()][::-1]

    @functools.cached_property
    def sentence_entropy(self) -> float:
        """Nats in one sentence: sum over states of P(state is visited) times the entropy of its next word."""
        return math.fsum(
            visits * math.fsum(-p * math.log(p) for p in self._probabilities(number))
            for number, visits in self._visits.items()
        )

    @functools.cached_property
    def sentence_length(self) -> float:
        """Expected number of characters of a sentence, its new line included."""
        return math.fsum(
            visits
            * math.fsum(
                p * len(w)
                for p, w in zip(self._probabilities(number), self._states[number].words, strict=True)
            )
            for number, visits in self._visits.items()
        )

    @functools.cached_property
    def longest(self) -> int:
        """Number of characters of the longest sentence, its new line included."""
        left: dict[int, int] = {END: 0}
        for number in reversed(self._order):
            state = self._states[number]
            left[number] = max(len(w) + left[t] for w, t in zip(state.words, state.targets, strict=True))
        return left[0]

    @functools.cached_property
    def by_place(self) -> list[tuple[float, float]]:
        """For each place j in a sentence, (entropy, ending).

        entropy: E[-log p(character j | those before it)], counting 0 where the sentence is shorter than j.
        ending: the probability that the sentence has exactly j + 1 characters.
        """
        entropy: dict[int, list[float]] = defaultdict(list)
        ending: dict[int, list[float]] = defaultdict(list)
        arrivals: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        arrivals[0][0].append(1.0)
        for number in self._order:
            state = self._states[number]
            inside = _entropy_inside(state)
            for place, parts in arrivals.pop(number).items():
                chance = math.fsum(parts)
                for offset, nats in enumerate(inside):
                    entropy[place + offset].append(chance * nats)
                for p, word, target in zip(
                    self._probabilities(number), state.words, state.targets, strict=True
                ):
                    after = place + len(word)
                    if target == END:
                        ending[after - 1].append(chance * p)
                    else:
                        arrivals[target][after].append(chance * p)
        return [(math.fsum(entropy[j]), math.fsum(ending[j])) for j in range(self.longest)]

    def window_entropy(self, length: int) -> float:
        """Return the mean entropy per character of the first `length` characters from a sentence start.

        A renewal argument: character t of the text is character j of its sentence if a sentence starts at
        t - j, so h(t) = sum over j of start(t - j) entropy(j), and start(t) = sum over j of
        start(t - 1 - j) ending(j), start(0) = 1 (Feller, An Introduction to Probability Theory and Its
        Applications, vol. 1, chapter XIII).
        """
        table = self.by_place
        start: list[float] = []
        nats = []
        for t in range(length):
            recent = range(min(t, len(table)))
            start.append(math.fsum(start[t - 1 - j] * table[j][1] for j in recent) if t else 1.0)
            nats.append(math.fsum(start[t - j] * table[j][0] for j in range(min(t + 1, len(table)))))
        return math.fsum(nats) / length

    def surprisals(self, text: str) -> list[float]:
        """Return -log p of each character of a text, given those before it; inf where it cannot occur.

        After a character that cannot occur there is nothing to compute: the rest is inf, too.
        """
        nats: list[float] = []
        for state, word in self._automaton.walk(text):
            key = (id(state), word)
            if key not in self._known:
                found = _surprisals_inside(state, word)
                if word not in state.index:  # cut short or impossible: the walk ends here
                    nats += found
                    break
                self._known[key] = found
            nats += self._known[key]
        return nats + [math.inf] * (len(text) - len(nats))

    def _probabilities(self, number: int) -> list[float]:
        state = self._states[number]
        return [weight / state.total for weight in state.weights]

    @functools.cached_property
    def _visits(self) -> dict[int, float]:
        """The probability that a sentence visits each state."""
        parts: dict[int, list[float]] = defaultdict(list)
        parts[0].append(1.0)
        visits = {}
        for number in self._order:
            visits[number] = math.fsum(parts.pop(number))
            for p, target in zip(self._probabilities(number), self._states[number].targets, strict=True):
                if target != END:
                    parts[target].append(visits[number] * p)
        return visits


def _surprisals_inside(state: State, word: str) -> list[float]:
    """Return -log p of each character of a next word, up to the first impossible one."""
    nats: list[float] = []
    mass = state.total
    for end in range(1, len(word) + 1):
        kept = _weight_of_prefix(state, word[:end])
        if not kept:
            return [*nats, math.inf]
        nats.append(math.log(mass / kept))
        mass = kept
    return nats


def _weight_of_prefix(state: State, prefix: str) -> int:
    return sum(
        weight for word, weight in zip(state.words, state.weights, strict=True) if word.startswith(prefix)
    )


def _entropy_inside(state: State) -> list[float]:
    """Return for each offset the expected entropy of the character there, within a state's next word."""
    mass: dict[str, int] = defaultdict(int)
    for word, weight in zip(state.words, state.weights, strict=True):
        for end in range(len(word) + 1):
            mass[word[:end]] += weight
    nats: dict[int, list[float]] = defaultdict(list)
    for prefix, weight in mass.items():
        if prefix:
            share = weight / mass[prefix[:-1]]
            nats[len(prefix) - 1].append(-weight / state.total * math.log(share))
    return [math.fsum(nats[offset]) for offset in sorted(nats)]
