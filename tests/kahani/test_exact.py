"""What is said to be exact is exact: against enumeration by hand, and against samples."""

import itertools
import math
import statistics

import pytest

from labkit import kahani as k
from labkit.kahani.automaton import Automaton
from labkit.kahani.exact import Exact
from labkit.kahani.grammar import Grammar
from labkit.kahani.languages import ready

LANGUAGES = ("en", "hi")


def tiny() -> Automaton:
    """A grammar with two derivations of one sentence ("fish swims."), optional parts and agreement."""
    rules = {
        "start": "3 S=animal <where> swims~S . | 1 fish swims .",
        "where": "1 - | 1 , W=place ,",
    }
    words = {"animal": "s fish 1, old_crab 1\n p fishes 2", "place": "x here 3, there 1"}
    return Automaton(Grammar(rules, words, lambda word, number: word[:-1] if number == "p" else word, "."))


TINY = {
    "fish swims.\n": 3 / 4 * 1 / 4 * 1 / 2 + 1 / 4,
    "old crab swims.\n": 3 / 4 * 1 / 4 * 1 / 2,
    "fishes swim.\n": 3 / 4 * 1 / 2 * 1 / 2,
    "fish, here, swims.\n": 3 / 4 * 1 / 4 * 1 / 2 * 3 / 4,
    "fish, there, swims.\n": 3 / 4 * 1 / 4 * 1 / 2 * 1 / 4,
    "old crab, here, swims.\n": 3 / 4 * 1 / 4 * 1 / 2 * 3 / 4,
    "old crab, there, swims.\n": 3 / 4 * 1 / 4 * 1 / 2 * 1 / 4,
    "fishes, here, swim.\n": 3 / 4 * 1 / 2 * 1 / 2 * 3 / 4,
    "fishes, there, swim.\n": 3 / 4 * 1 / 2 * 1 / 2 * 1 / 4,
}


@pytest.mark.parametrize("sentence", TINY)
def test_probability_sums_over_derivations(sentence):
    assert math.exp(-math.fsum(Exact(tiny()).surprisals(sentence))) == pytest.approx(
        TINY[sentence], rel=1e-12
    )


def test_entropy_and_lengths_equal_those_of_the_listed_sentences():
    exact = Exact(tiny())
    assert math.fsum(TINY.values()) == pytest.approx(1, rel=1e-12)
    assert exact.sentence_entropy == pytest.approx(
        -math.fsum(p * math.log(p) for p in TINY.values()), rel=1e-12
    )
    assert exact.sentence_length == pytest.approx(math.fsum(p * len(s) for s, p in TINY.items()), rel=1e-12)
    assert exact.longest == max(map(len, TINY))


@pytest.mark.parametrize("length", [1, 7, 30])
def test_window_entropy_equals_that_of_the_listed_windows(length):
    windows: dict[str, float] = {}
    for parts in itertools.product(TINY, repeat=3):
        window = "".join(parts)[:length]
        windows[window] = windows.get(window, 0) + math.prod(TINY[part] for part in parts)
    entropy = -math.fsum(p * math.log(p) for p in windows.values())
    assert Exact(tiny()).window_entropy(length) == pytest.approx(entropy / length, rel=1e-12)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_one_path_for_every_text(lang):
    """No word of a state is the beginning of another, so reading a text leaves no choice."""
    for state in ready(lang).automaton.states:
        assert all(not b.startswith(a) for a, b in itertools.pairwise(state.words))  # sorted
        assert all(word.endswith((" ", "\n")) and not set(word[:-1]) & {" ", "\n"} for word in state.words)
        assert all(weight > 0 for weight in state.weights)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_entropy_by_word_equals_entropy_by_character(lang):
    exact = ready(lang).exact
    places = exact.by_place
    assert math.fsum(entropy for entropy, _ in places) == pytest.approx(exact.sentence_entropy, rel=1e-9)
    assert math.fsum(ending for _, ending in places) == pytest.approx(1, rel=1e-9)
    assert math.fsum((j + 1) * p for j, (_, p) in enumerate(places)) == pytest.approx(exact.sentence_length)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sampled_loss_over_whole_sentences_agrees_with_the_entropy(lang):
    rate = k.kahani_entropy(lang)
    lines = list(itertools.islice(k.sentences("test", 1, lang), 6000))
    beyond = [
        -k.log_probability(line, lang) - rate * len(line) for line in lines
    ]  # mean 0 if the rate is right
    assert abs(statistics.fmean(beyond)) < 4 * statistics.stdev(beyond) / math.sqrt(len(beyond))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("length", [20, 90])
def test_sampled_loss_over_windows_agrees_with_the_window_entropy(lang, length):
    cut = k.windows("test", 3000, length, seed=2, lang=lang)
    losses = [statistics.fmean(k.surprisals(window[1:], lang)) for window in cut]
    error = statistics.stdev(losses) / math.sqrt(len(losses))
    assert abs(statistics.fmean(losses) - k.kahani_entropy(lang, window=length)) < 4 * error


@pytest.mark.parametrize("lang", LANGUAGES)
def test_window_entropy_tends_to_the_rate(lang):
    rate = k.kahani_entropy(lang)
    gaps = [(k.kahani_entropy(lang, window=n) - rate) * n for n in (400, 800)]
    assert gaps[0] == pytest.approx(gaps[1], rel=0.05)  # what the first sentence costs extra is paid once


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_can_be_read_and_a_damaged_one_cannot(lang):
    for line in itertools.islice(k.sentences("train", 9, lang), 500):
        assert -60 < k.log_probability(line, lang) < 0
        assert k.log_probability(line.rstrip("\n"), lang) == pytest.approx(k.log_probability(line, lang))
        assert k.log_probability(line[1:], lang) == -math.inf


@pytest.mark.parametrize("lang", LANGUAGES)
def test_surprisals_have_one_number_per_character_even_after_an_impossible_one(lang):
    text = k.kahani("test", 300, lang=lang)
    numbers = k.surprisals(text[:100] + "#" + text[100:], lang)
    assert len(numbers) == len(text) + 1
    assert all(map(math.isfinite, numbers[:100]))
    assert numbers[100:] == [math.inf] * (len(text) - 99)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_next_words_are_a_distribution_that_the_sampler_follows(lang):
    words = k.next_words("", lang)
    assert math.fsum(words.values()) == pytest.approx(1, rel=1e-12)
    word, p = max(words.items(), key=lambda item: item[1])
    count = 20_000
    starts = sum(line.startswith(word) for line in itertools.islice(k.sentences("train", 4, lang), count))
    assert abs(starts - count * p) < 4 * math.sqrt(count * p * (1 - p))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_is_longer_than_the_longest(lang):
    assert max(map(len, itertools.islice(k.sentences("train", 0, lang), 5000))) <= k.lengths(lang).longest
