"""The recorded runs that notebook 4 shows without their names are of the kinds that its exercise expects."""

from labkit.training_length import diagnose, workload
from labkit.training_length.examples import four_curves, recorded_runs


def test_the_four_curves_are_judged_as_the_exercise_expects():
    found = {letter: workload(runs).verdict for letter, runs in four_curves().items()}
    assert found["A"] == "compute-bound"
    assert found["B"] == found["D"] == "not compute-bound"
    assert found["C"] not in ("compute-bound", "not compute-bound")


def test_a_study_whose_trials_are_mostly_best_early_is_not_called_fine():
    diagnosis = diagnose([700, 800, 950], 8000)
    assert diagnosis.verdict == "keep"
    assert diagnosis.reason("en").startswith("2 of 3 trials were best within their first 10 %")
    assert "between 8.8 % and 12 %" in diagnosis.reason("en")
    assert "2,000 steps would have done" in diagnosis.reason("en")
    assert diagnosis.to_text("en").startswith("Nearly always early:")


def test_a_study_that_is_early_only_in_part_keeps_its_length():
    assert diagnose([900, 950, 4800, 980], 10_000).to_text("en").startswith("Keep it:")


def test_a_part_of_a_run_is_its_beginning():
    (whole, *_), (part, *_) = recorded_runs("kahani"), recorded_runs("kahani", 0.06)
    assert part == whole[: len(part)]
    assert part[-1]["step"] <= 0.06 * whole[-1]["step"] < whole[len(part)]["step"]
