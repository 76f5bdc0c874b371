"""Histories in every form that a student may have, and what is said about those that cannot be read."""

import csv

import pytest

from labkit.config import Config
from labkit.train import History
from labkit.training_length import TrainingLengthError, read_curve, workload

ROWS = [{"step": step, "train_loss": 2 - step / 100, "test_loss": 2.5} for step in (0, 50, 100)]


def as_csv(folder):
    path = folder / "history.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(ROWS)
    return path


class Frame:
    """What a data frame offers, without pandas."""

    columns = tuple(ROWS[0])

    def to_dict(self, orient: str):
        assert orient == "records"
        return ROWS


FORMS = {
    "rows": lambda _: ROWS,
    "rows in another order": lambda _: ROWS[::-1],
    "history": lambda _: History(Config(steps=100), ROWS, 1.0),
    "csv": as_csv,
    "csv as text": lambda folder: str(as_csv(folder)),
    "columns": lambda _: {name: [row[name] for row in ROWS] for name in ROWS[0]},
    "data frame": lambda _: Frame(),
    "curve": lambda _: read_curve(ROWS),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_reads_the_same(form, tmp_path):
    curve = read_curve(FORMS[form](tmp_path))
    assert curve.steps == (0, 50, 100)
    assert curve.columns["train_loss"] == (2.0, 1.5, 1.0)
    assert curve.max_train_steps == 100


def test_labkits_own_csv_file_is_read(tmp_path):
    History(Config(), ROWS, 1.0).save(tmp_path / "run.csv")
    assert read_curve(tmp_path / "run.csv").columns["test_loss"] == (2.5, 2.5, 2.5)


def test_a_run_that_diverged_is_read_and_known_as_such():
    curve = read_curve([*ROWS, {"step": 150, "train_loss": "nan", "test_loss": float("inf")}])
    assert curve.diverged
    assert not read_curve(ROWS).diverged


@pytest.mark.parametrize(
    ("history", "problem"),
    [
        (3, "not a history"),
        (None, "not a history"),
        ([1, 2], "not a history"),
        ([], "step"),
        ([{"loss": 1.0}], "loss"),
        ([{"step": 0, "loss": 1.0}, {"step": 0, "loss": 0.9}], "twice"),
        ([{"step": -5, "loss": 1.0}], "at least 0"),
        ([{"step": 0, "loss": "low"}], "Row 1"),
        ("no/such/file.csv", "could not be read"),
    ],
)
def test_what_cannot_be_read_is_explained(history, problem):
    with pytest.raises(TrainingLengthError, match=problem):
        read_curve(history)


def test_every_value_that_is_no_number_is_listed():
    with pytest.raises(TrainingLengthError) as refused:
        read_curve([{"step": "a", "loss": "b"}, {"step": 1, "loss": "c"}])
    assert len(refused.value.problems) == 3


def test_a_column_with_gaps_is_not_there():
    gaps = [{"step": 0, "train_loss": 1.0, "test_loss": 2.0}, {"step": 1, "test_loss": 1.9}]
    assert list(read_curve(gaps).columns) == ["test_loss"]


def test_rows_of_one_step_are_read_as_one():
    apart = [{"step": row["step"], name: row[name]} for row in ROWS for name in ("train_loss", "test_loss")]
    assert read_curve(apart) == read_curve(ROWS)


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_other_delimiters_and_blank_cells_are_read(tmp_path, delimiter):
    path = tmp_path / "log.csv"
    lines = ["step,train_loss,val_loss,epoch", "0,2,,0", "0,,2.5,0", "50,1.5,,1", "50,,2.5,1"]
    path.write_text("\n".join(lines).replace(",", delimiter), encoding="utf-8")
    assert read_curve(path).columns == {"train_loss": (2.0, 1.5), "epoch": (0, 1), "val_loss": (2.5, 2.5)}


@pytest.mark.parametrize("missing", ["train_loss", "test_loss"])
def test_a_column_with_gaps_is_named_with_its_steps(missing):
    rows = [dict(row) for row in ROWS]
    del rows[1][missing]
    with pytest.raises(TrainingLengthError, match=rf"{missing} has no number at the steps \[50\] \(1 of 3"):
        workload(rows)


def test_of_many_faults_the_first_are_shown():
    with pytest.raises(TrainingLengthError) as refused:
        read_curve([{"step": step, "loss": "x"} for step in range(1000)])
    assert len(refused.value.problems) == 7
    assert "994 more" in refused.value.problems[-1]
