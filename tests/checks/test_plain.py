"""`to_plain`: anything a student leaves in a variable becomes small, plain JSON data."""

import json
import math
import threading
from collections import OrderedDict, namedtuple
from decimal import Decimal
from enum import IntEnum

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import labkit as lk
from labkit.checks import to_plain
from labkit.checks.plain import shown


class Noisy:
    """An object whose every special method fails."""

    def __getattribute__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError

    __str__ = __len__ = __iter__ = __bool__ = __float__ = __hash__ = __repr__


class LyingList(list):
    def __iter__(self):
        while True:
            yield 1

    def __len__(self):
        return 1


class LyingText(str):
    def __str__(self):
        raise RuntimeError

    def __getitem__(self, key):
        raise RuntimeError


class Colour(IntEnum):
    RED = 3


class LyingClass:
    @property
    def __class__(self):
        return torch.Tensor


def recursive_list():
    value = [1]
    value.append(value)
    return value


def deep_list(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


PLAIN = {
    "dots": (..., None),
    "true": (True, True),
    "subclass of int": (Colour.RED, 3),
    "numpy bool": (np.bool_(True), True),
    "numpy integer": (np.int64(3), 3),
    "numpy float": (np.float32(0.5), 0.5),
    "numpy array": (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
    "numpy NaN in an array": (np.array([np.nan]), ["<NaN>"]),
    "zero-dimensional array": (np.array(2.0), 2.0),
    "tensor": (torch.tensor([1.0, 2.0], requires_grad=True), [1.0, 2.0]),
    "scalar tensor": (torch.tensor(3), 3),
    "big tensor": (torch.zeros(10_000), "<tensor of 10000 numbers>"),
    "big array": (np.zeros(10_000), "<array of 10000 numbers>"),
    "NaN": (math.nan, "<NaN>"),
    "infinity": (-math.inf, "<-infinity>"),
    "enormous int": (10**5000, "<whole number with about 5001 digits>"),
    "tuple": ((1, (2,)), [1, [2]]),
    "named tuple": (namedtuple("P", "x y")(1, 2), [1, 2]),
    "set of numbers": ({3, 1, 2}, [1, 2, 3]),
    "set of texts": (frozenset("ba"), ["a", "b"]),
    "range": (range(0, 6, 2), [0, 2, 4]),
    "backward range": (range(3, 0, -1), [3, 2, 1]),
    "endless range": (range(10**30), f"<range of {10**30} items>"),
    "range whose size cannot be printed": (range(10**5000), f"<range of {10**40} items>"),
    "ordered dict": (OrderedDict(a=...), {"a": None}),
    "dict with other keys": ({1: "x", None: "y", (1,): "z"}, {"1": "x", "...": "y", "[1]": "z"}),
    "function": (len, "<builtin_function_or_method>"),
    "lambda": (lambda: 1, "<function>"),
    "class": (int, "<type>"),
    "module": (math, "<module>"),
    "complex": (1j, "<complex>"),
    "decimal": (Decimal(1), "<Decimal>"),
    "bytes": (b"x", "<bytes>"),
    "generator": ((i for i in iter(int, 1)), "<generator>"),
    "lock": (threading.Lock(), f"<{type(threading.Lock()).__name__}>"),
    "object that lies about its class": (LyingClass(), "<LyingClass>"),
    "list that never ends": (LyingList([5]), [5]),
    "text with its own methods": (LyingText("abc"), "abc"),
    "recursive list": (recursive_list(), [1, "<contains itself>"]),
    "long list": (list(range(100_000)), "<list of 100000 items>"),
    "lone surrogate": ("a\ud800", "a?"),
    "setting": (lk.Setting("mine", role="method"), lk.Setting("mine", role="method").to_dict()),
    "measured": (lk.Measured(minutes=40), lk.Measured(minutes=40).to_dict()),
    "draft": (lk.draft_plan(), lk.draft_plan().data),
}


@pytest.mark.parametrize(("value", "plain"), PLAIN.values(), ids=PLAIN)
def test_values_become_plain(value, plain):
    found = to_plain(value)
    assert (found, type(found)) == (plain, type(plain))


@pytest.mark.parametrize("value", [v for v, _ in PLAIN.values()], ids=PLAIN)
def test_the_result_can_leave_the_notebook_as_json(value):
    plain = to_plain(value)
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_an_object_whose_methods_all_fail_becomes_its_type():
    assert to_plain([Noisy()]) == ["<Noisy>"]


def test_depth_is_bounded():
    assert "<too deep>" in json.dumps(to_plain(deep_list(10_000)))


def test_the_size_is_bounded():
    wide = [[[["x" * 500] * 900] * 900] * 900] * 900
    assert len(json.dumps(to_plain(wide))) < 1_000_000


def test_long_text_is_cut():
    assert len(to_plain("क" * 10_000)) == 1_000


def test_a_shared_list_is_not_taken_for_a_recursive_one():
    shared = [1]
    assert to_plain([shared, shared]) == [[1], [1]]


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.just(...)
    | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(anything)
def test_plain_data_stays_as_it_is(value):
    plain = to_plain(value)
    assert to_plain(plain) == plain


@given(anything)
def test_what_was_given_is_shown_in_one_short_line(value):
    line = shown(to_plain(value))
    assert len(line) <= 160 and "\n" not in line


def test_devanagari_with_joiners_is_shown_as_written():
    assert shown("क्\u200dया") == '"क्\u200dया"'


def test_text_that_reorders_other_text_is_not_shown():
    assert "\u202e" not in shown("a\u202eb")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (2.6296967386169205, "2.63"),
        (100000, "100,000"),
        (100000.0, "100,000"),
        (1e300, "1e+300"),
        (2e-9, "2e-09"),
        ([0, 1, 100000, 0.123456], "[0, 1, 100000, 0.1235]"),
    ],
)
def test_numbers_are_shown_with_few_digits(value, said):
    assert shown(value) == said


def test_numbers_as_keys_keep_all_their_digits():
    assert to_plain({100000: 1, 0.123456789: 2}) == {"100000": 1, "0.123456789": 2}
