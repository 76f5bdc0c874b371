"""What the rubrics give for right, missing and mistaken answers."""

import math

import pytest
from answers import BY_MESSAGE, DRAFT, PLAN_B, SETTINGS, SOLUTIONS, TOTAL, unanswered

import labkit as lk
from labkit.checks import Result, UnknownExerciseError, exercises, grade, points, to_text
from labkit.messages import LANGUAGES, table

FRAME = {i for i in table("checks") if ".word_" in i or ".phrase_" in i} | {
    "checks.headline",
    "checks.unknown_exercise",
}
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


@pytest.mark.parametrize(("fraction", "given"), [(0.6528, 3), (0.8, 4.8), (0.3, 1.4)])
def test_a_speedup_rounded_by_hand_is_right(fraction, given):
    assert grade("1.3", {"data_wait_fraction": fraction, "max_speedup": given}).points == 2


def test_a_usual_mistake_close_to_the_right_speedup_stays_a_mistake():
    assert ids(grade("1.3", {"data_wait_fraction": 0.2, "max_speedup": 1.2})) == ["1_3.one_plus"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("given", [{"minutes": 3}, {"low_s": 1, "expected_s": 2}, {}])
def test_a_dictionary_without_the_forecasts_keys_is_no_open_gap(given, lang):
    result = grade("1.5", {**SOLUTIONS["1.5"], "forecast": given})
    assert (ids(result), result.status) == (["1_5.not_a_forecast"], "malformed")


def test_a_real_measurement_and_a_real_run_time_are_told_apart_from_a_forecast():
    times = lk.measure_steps(lambda _: None, [0] * 10, steps=5, warmup=1)
    answers = [{**SOLUTIONS["1.5"], "forecast": f} for f in (times, times.forecast(100).as_run_time())]
    assert [ids(grade("1.5", a)) for a in answers] == [["1_5.measurement"], ["1_5.run_time"]]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_numbers_in_feedback_have_four_digits_at_most(lang):
    answer = {**TOTAL, "base_hours": 2.6296967386169205, "total_hours": 123456.789}
    said = to_text(grade("2.4", answer), lang)
    assert "2.63" in said and "2.6296" not in said and "123,457" in said


@pytest.mark.parametrize(("lang", "said"), [("en", "0.0115 hours (41.4 s)"), ("hi", "0.0115 घंटे (41.4 सेकंड)")])
def test_hours_below_one_are_also_said_in_a_smaller_unit(lang, said):
    assert said in to_text(grade("2.4", {**TOTAL, "base_hours": 0.0115}), lang)


@pytest.mark.parametrize(("lang", "said"), [("en", "takes 108 s"), ("hi", "108 सेकंड")])
def test_a_small_plan_b_is_measured_in_seconds(lang, said):
    draft = {**DRAFT, "run_time": {"kind": "measured", "minutes": 0.1}}
    keep = [s["name"] for s in SETTINGS]
    assert said in to_text(grade("2.6", {**PLAN_B, "draft": draft, "keep_settings": keep}), lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("exercise", "shape"), [("2.7", '"A": '), ("2.8", '"1": '), ("2.9", '"q1": ')])
def test_a_list_of_picks_is_told_the_shape_of_the_dictionary(exercise, shape, lang):
    result = grade(exercise, list(SOLUTIONS[exercise].values()))
    assert ids(result) == ["picks_not_a_dictionary"] and shape in result.remarks[0].text(lang)


@pytest.mark.parametrize("written", ["{}", "({})", "{})", " {}. "])
def test_a_pick_may_be_in_brackets_and_in_capitals(written):
    answer = {q: written.format(p.upper()) for q, p in SOLUTIONS["2.9"].items()}
    assert grade("2.9", answer).points == 5


@pytest.mark.parametrize("lang", LANGUAGES)
def test_fewer_seeds_than_would_fit_keep_full_marks_and_the_number_is_said(lang):
    result = grade("2.6", {**PLAN_B, "keep_seeds": 2})
    assert (result.points, "3 seeds" in to_text(result, lang)) == (3, True)


@pytest.mark.parametrize("exercise", ["2.4", "2.6"])
def test_nothing_answered_beside_an_unusable_draft_is_not_answered(exercise):
    draft = {"settings": "text", "seeds": 3, "run_time": 40}
    assert grade(exercise, {"draft": draft}).status == "not answered"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_shape_of_picks_gives_no_answer_away(lang):
    said = grade("3.3", ["flips"] * 4).remarks[0].text(lang)
    assert '{"A": "…", "B": "…", …}' in said


@pytest.mark.parametrize(
    ("exercise", "key", "variable"), [("3.1", "guess", "predicted_loss"), ("3.5", "ratio", "times_as_much")]
)
def test_a_gap_is_called_by_the_name_of_the_students_variable(exercise, key, variable):
    said = grade(exercise, {**SOLUTIONS[exercise], key: None}).remarks[0].text("en")
    assert f"`{variable}`" in said
