"""No JSON, however strange, makes grading fail, hang or give points outside the exercise."""

import json
import math

import pytest
from answers import BY_MESSAGE, SOLUTIONS
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.checks import grade, points, to_html, to_plain, to_text
from labkit.messages import LANGUAGES

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        ["<NaN>", "<too deep>", "a", "no margin", "perhaps", "mean", "baseline", "mine", "3", "0.5 ms"]
    )
    | st.sampled_from(["may", "compute-bound", "no answer", "linear", "cosine", "hidden", "fixed", "right"])
)
keys = (
    st.text(max_size=3)
    | st.sampled_from(["name", "role", "kind", "minutes", "A", "1", "q1", "draft", "seeds"])
    | st.sampled_from(["arguments", "returned", "raised", "guess", "rounds", "sweep", "noise"])
)
any_json = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def paths(value, here=()):
    """List the places of a nested value: the way to each part of it."""
    yield here
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from paths(part, (*here, key))


def changed(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


@st.composite
def damaged_solutions(draw, exercise):
    """Draw the solution of an exercise with up to three parts replaced by any JSON."""
    answer = to_plain(SOLUTIONS[exercise])
    for _ in range(draw(st.integers(1, 3))):
        answer = changed(answer, draw(st.sampled_from(list(paths(answer)))), draw(any_json))
    return answer


def assert_sound(exercise, answer):
    result = grade(exercise, answer)
    assert math.isfinite(result.points) and 0 <= result.points <= points(exercise)
    assert (4 * result.points).is_integer()
    assert result.remarks
    assert sum(r.max_points for r in result.remarks) == result.max_points
    for lang in LANGUAGES:
        assert len(to_text(result, lang)) < 10_000
        assert len(to_html(result, lang)) < 20_000


@pytest.mark.parametrize("exercise", SOLUTIONS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_json_gives_a_sound_result(exercise, data):
    assert_sound(exercise, data.draw(any_json))


@pytest.mark.parametrize("exercise", SOLUTIONS)
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_a_damaged_solution_gives_a_sound_result(exercise, data):
    assert_sound(exercise, data.draw(damaged_solutions(exercise)))


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_nan_and_infinity_as_json_writes_them_earn_nothing(exercise):
    for word in ("NaN", "Infinity", "-Infinity", "1e999"):
        assert grade(exercise, json.loads(word)).points == 0


@pytest.mark.parametrize("exercise", SOLUTIONS)
@pytest.mark.parametrize("answer", [True, -1, 10**6, "100 %", ["a"] * 500, {"a": {}}], ids=str)
def test_nothing_but_a_prediction_can_be_earned_without_the_right_shape(exercise, answer):
    assert exercise == "1.1" or grade(exercise, answer).points == 0


@pytest.mark.parametrize("name", BY_MESSAGE)
def test_grading_does_not_change_the_answer(name):
    exercise, answer = BY_MESSAGE[name]
    plain = to_plain(answer)
    before = json.dumps(plain)
    grade(exercise, plain)
    assert json.dumps(plain) == before


def test_the_same_answer_gives_the_same_result():
    assert all(grade(e, a) == grade(e, a) for e, a in SOLUTIONS.items())
