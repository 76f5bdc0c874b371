"""Kahani's text: the same everywhere, as long as asked, in two independent streams."""

import hashlib
import itertools
import subprocess
import sys
import unicodedata

import pytest

from labkit import kahani as k

LANGUAGES = ("en", "hi")
GOLDEN = {
    ("en", "train"): "9d43c36ce3238a7645a40017bae47f1410a37c76d75a96ddf225f8f2cb379d48",
    ("en", "test"): "bae695a813981de429b6ba8fd59412f767747b3ee0b69bd01bd26f0a2eafcc62",
    ("hi", "train"): "eb38426d041fbc5d2793dfce82fe4b816b869a9e4a5b33b40a398879f36fa3c7",
    ("hi", "test"): "b88fe8627fd6041e76e1e52f22484286f9fa0f2ab086eac2264c7cc167648898",
}


@pytest.mark.parametrize(("lang", "split"), GOLDEN)
def test_text_is_the_same_on_every_platform(lang, split):
    text = k.kahani(split, 10_000, seed=0, lang=lang)
    assert hashlib.sha256(text.encode()).hexdigest() == GOLDEN[lang, split]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chars", [0, 1, 77, 5000])
def test_text_is_long_enough_and_ends_with_a_sentence(lang, chars):
    text = k.kahani("train", chars, lang=lang)
    assert chars <= len(text) < chars + k.lengths(lang).longest
    assert text.endswith((".\n", "।\n")) or (text, chars) == ("", 0)


def test_longer_text_begins_with_the_shorter_one():
    assert k.kahani("train", 9000, seed=3, lang="hi").startswith(k.kahani("train", 4000, seed=3, lang="hi"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentences_are_the_lines_of_the_text(lang):
    lines = itertools.islice(k.sentences("test", 5, lang), 20)
    assert k.kahani("test", 500, 5, lang).startswith("".join(lines)[:500])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_train_and_test_are_different_streams(lang):
    train, test = (k.kahani(split, 300_000, lang=lang).splitlines() for split in ("train", "test"))
    known = set(train)
    assert sum(line in known for line in test) < 0.02 * len(test)


def test_seeds_give_different_text():
    assert len({k.kahani("train", 200, seed, "en") for seed in range(20)}) == 20


@pytest.mark.parametrize("lang", LANGUAGES)
def test_windows_begin_at_sentence_starts_and_have_one_length(lang):
    cut = k.windows("test", 30, 100, lang=lang)
    starts = set(k.kahani("test", 40_000, lang=lang).splitlines())
    assert len(cut) == 30
    assert all(len(window) == 101 and window[0] == "\n" for window in cut)
    assert all(any(line.startswith(window[1:].split("\n")[0]) for line in starts) for window in cut)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_vocabulary_is_small_sorted_and_covers_the_text(lang):
    characters = k.vocabulary(lang)
    assert len(characters) <= 64
    assert characters == "".join(sorted(set(characters)))
    assert set(k.kahani("train", 50_000, lang=lang)) <= set(characters)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_text_is_normalised(lang):
    assert unicodedata.is_normalized("NFC", k.kahani("train", 200_000, lang=lang))


def test_every_wrong_argument_is_listed_with_the_choices():
    with pytest.raises(ValueError, match="lang") as caught:
        k.kahani("valid", -1, seed=1.5, lang="fr")
    message = str(caught.value)
    assert all(part in message for part in ("'valid'", '"train", "test"', "'fr'", '"en", "hi"', "-1", "1.5"))


@pytest.mark.parametrize(
    "call",
    [
        lambda: k.sentences("dev", 0, "en"),
        lambda: k.windows("test", -1, 10, lang="en"),
        lambda: k.vocabulary("de"),
        lambda: k.kahani_entropy("de"),
        lambda: k.kahani_entropy("en", window=0),
        lambda: k.kahani_entropy("en", window=2.5),
        lambda: k.kahani("train", True, lang="en"),
        lambda: k.next_words("the gi", "en"),
        lambda: k.next_words("colourless ", "en"),
        lambda: k.agreement_probes("en", count=-5),
    ],
)
def test_arguments_that_cannot_be_used_are_refused(call):
    with pytest.raises(ValueError, match=r"\S"):
        call()


def test_kahani_needs_nothing_but_the_standard_library():
    code = """
import sys
for name in ("torch", "numpy", "matplotlib"):
    sys.modules[name] = None
from labkit.kahani import kahani
print(len(kahani("train", 100, lang="en")) >= 100)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "True", done.stderr
