"""What the rubrics give for right, missing and mistaken answers."""

import math

import pytest
from answers import BY_MESSAGE, DRAFT, PLAN_B, SETTINGS, SOLUTIONS, TOTAL, unanswered

import labkit as lk
from labkit.checks import Result, UnknownExerciseError, exercises, grade, points, to_text
from labkit.messages import LANGUAGES, table

FRAME = {i for i in table("checks") if ".word_" in i} | {"checks.headline", "checks.unknown_exercise"}
GRADING = sorted(set(table("checks")) - FRAME)


def ids(result: Result) -> list[str]:
    return [remark.id.removeprefix("checks.") for remark in result.remarks]


def test_there_is_a_solution_for_every_exercise():
    assert list(SOLUTIONS) == exercises()


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_the_solution_earns_all_points(exercise):
    assert grade(exercise, SOLUTIONS[exercise]).points == points(exercise)


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_every_remark_on_the_solution_is_right(exercise):
    assert all(remark.ok for remark in grade(exercise, SOLUTIONS[exercise]).remarks)


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_a_gap_left_as_dots_is_not_answered_and_earns_nothing(exercise):
    result = grade(exercise, ...)
    assert (result.status, result.points, ids(result)) == ("not answered", 0, ["not_answered"])


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_the_untouched_check_cell_is_not_answered(exercise):
    result = grade(exercise, unanswered(exercise))
    assert (result.status, result.points) == ("not answered", 0)


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_the_parts_add_up_to_the_points_of_the_exercise(exercise):
    assert sum(r.max_points for r in grade(exercise, SOLUTIONS[exercise]).remarks) == points(exercise)


def test_every_message_has_an_example():
    assert sorted(f"checks.{name}" for name in BY_MESSAGE) == GRADING


@pytest.mark.parametrize("name", BY_MESSAGE)
def test_the_example_brings_about_its_message(name):
    exercise, answer = BY_MESSAGE[name]
    assert name in ids(grade(exercise, answer))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", BY_MESSAGE)
def test_a_remark_that_costs_points_says_what_to_do_next(name, lang):
    exercise, answer = BY_MESSAGE[name]
    result = grade(exercise, answer)
    assert all(" → " in remark.text(lang) for remark in result.remarks if not remark.ok)


@pytest.mark.parametrize("name", BY_MESSAGE)
def test_points_are_quarter_steps_within_the_exercise(name):
    exercise, answer = BY_MESSAGE[name]
    earned = grade(exercise, answer).points
    assert 0 <= earned <= points(exercise) and (4 * earned).is_integer()


def test_an_unknown_exercise_lists_the_known_ones():
    with pytest.raises(UnknownExerciseError, match=r"9\.9.*1\.1, 1\.2.*2\.9"):
        grade("9.9", 1)


def test_a_number_as_exercise_id_is_refused():
    with pytest.raises(UnknownExerciseError, match="text in quotes"):
        grade(2.4, 1)  # type: ignore[arg-type]


PARTIAL = {
    "median": ("1.2", "median", 0.5),
    "time left instead of speed-up": ("1.3", {"data_wait_fraction": 0.8, "max_speedup": 0.2}, 1),
    "last checkpoint instead of steps": BY_MESSAGE["1_4.last_checkpoint"] + (1,),
    "fixed costs forgotten": BY_MESSAGE["1_5.no_fixed"] + (1.5,),
    "one number instead of a forecast": BY_MESSAGE["1_5.one_number"] + (1,),
    "no ablation": ("2.1", SETTINGS[:2], 2.5),
    "two seeds": BY_MESSAGE["2_2.two"] + (1.5,),
    "a guess without a reason": BY_MESSAGE["2_3.guess_without_why"] + (1,),
    "runs wrong, the rest right for the plan": ("2.4", {**TOTAL, "runs": 7}, 2),
    "runs wrong, the rest follows from them": (
        "2.4",
        {**TOTAL, "runs": 7, "base_hours": 14 / 3, "total_hours": 7},
        2,
    ),
    "base wrong, the total follows": ("2.4", {**TOTAL, "base_hours": 9, "total_hours": 13.5}, 2),
    "one gap open": ("2.4", {**TOTAL, "total_hours": ...}, 2),
    "a name without limits": BY_MESSAGE["2_5.no_limit"] + (1.5,),
    "plan B without the baseline": ("2.6", {**PLAN_B, "keep_settings": ["mine"]}, 2),
    "plan B over budget": ("2.6", {**PLAN_B, "keep_settings": ["baseline", "mine", "no A"]}, 2),
    "one of eight wrong": BY_MESSAGE["2_8.wrong_3"] + (1.75,),
    "two of five wrong": BY_MESSAGE["2_9.passed"] + (3,),
}


@pytest.mark.parametrize(("exercise", "answer", "earned"), PARTIAL.values(), ids=PARTIAL)
def test_partial_credit(exercise, answer, earned):
    assert grade(exercise, answer).points == earned


def test_hours_follow_from_settings_with_their_own_run_time():
    slow = {**SETTINGS[1], "run_time": {"kind": "guess", "minutes": 80, "why": "twice as deep"}}
    draft = {**DRAFT, "settings": [SETTINGS[0], slow], "margin": 0.25}
    assert grade("2.4", {"draft": draft, "runs": 6, "base_hours": 6, "total_hours": 7.5}).points == 3


def test_priorities_decide_which_ablation_goes_first():
    settings = [*SETTINGS[:3], {**SETTINGS[3], "priority": 5}, {"name": "no C", "role": "ablation"}]
    draft = {**DRAFT, "settings": [*settings, {"name": "no D", "role": "ablation"}]}
    answer = {**PLAN_B, "draft": draft, "keep_settings": ["baseline", "mine", "no B"]}
    assert grade("2.6", answer).points == 3


def test_the_plan_b_of_labkit_earns_all_points():
    plan = lk.ComputePlan.from_dict({**DRAFT, "seeds": list(range(7))})
    smaller = plan.plan_b().plan
    names = [s.name for s in smaller.settings]
    answer = {
        "draft": plan,
        "keep_settings": names,
        "keep_seeds": len(smaller.seeds),
        "why": "the rest explains",
    }
    assert grade("2.6", answer).points == 3


def test_a_plan_and_a_draft_are_as_good_as_their_data():
    parts = {k: DRAFT[k] for k in ("question", "settings", "seeds", "seeds_why", "run_time")}
    answers = [
        {**TOTAL, "draft": lk.draft_plan(**parts)},
        {**TOTAL, "draft": lk.ComputePlan.from_dict(DRAFT)},
    ]
    assert [grade("2.4", answer).points for answer in answers] == [3, 3]


@pytest.mark.parametrize("fraction", [0.0, 0.01, 0.25, 1 / 3, 0.5, 0.66, 0.9, 0.999])
def test_the_speedup_is_right_for_every_waiting_share(fraction):
    answer = {"data_wait_fraction": fraction, "max_speedup": 1 / (1 - fraction)}
    assert grade("1.3", answer).points == 2


@pytest.mark.parametrize("killed_at", [0, 1, 99, 100, 101, 250])
def test_the_lost_steps_are_right_wherever_the_kill_falls(killed_at):
    answer = {"killed_at": killed_at, "checkpoint_every": 50, "steps_lost": math.fmod(killed_at, 50)}
    assert grade("1.4", answer).points == 2


def test_a_wrong_pick_does_not_name_the_right_one():
    said = to_text(grade("2.7", {"A": "no margin"}), "en")
    assert "unequal" not in said
