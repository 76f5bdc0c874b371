"""Histories in every form that a student may have, and what is said about those that cannot be read."""

import csv
import math

import pytest

from labkit.config import Config
from labkit.train import History
from labkit.training_length import (
    TrainingLengthError,
    best_checkpoint,
    diagnose,
    first_guess,
    read_curve,
    read_sweep,
    workload,
)

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


class Polars:
    """What a data frame of polars offers: `rows` is a method."""

    columns = tuple(ROWS[0])

    def rows(self):
        return [tuple(row.values()) for row in ROWS]

    def to_dicts(self):
        return ROWS

    def to_dict(self):
        return {name: [row[name] for row in ROWS] for name in ROWS[0]}


class Missing:
    """What pandas writes into an empty cell of its newer column types."""

    def __eq__(self, other):
        return self

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    __hash__ = None


Missing.__name__ = "NAType"

FORMS = {
    "rows": lambda _: ROWS,
    "rows in another order": lambda _: ROWS[::-1],
    "history": lambda _: History(Config(steps=100), ROWS, 1.0),
    "csv": as_csv,
    "csv as text": lambda folder: str(as_csv(folder)),
    "columns": lambda _: {name: [row[name] for row in ROWS] for name in ROWS[0]},
    "data frame": lambda _: Frame(),
    "data frame of polars": lambda _: Polars(),
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


class Table:
    """A data frame with the rows given, the columns being those of the first."""

    def __init__(self, rows, columns=None):
        self.kept, self.columns = rows, list(columns or rows[0])

    def to_dict(self, orient):
        return self.kept


@pytest.mark.parametrize("function", [read_curve, workload, best_checkpoint])
def test_epochs_are_not_taken_for_steps(function):
    epochs = [{"step": 0.05 * place, "train_loss": 2 - place / 99, "val_loss": 2.5} for place in range(40)]
    with pytest.raises(TrainingLengthError, match="multiply them by the number of steps of an epoch"):
        function(Table(epochs))


def test_best_epochs_are_not_taken_for_best_steps():
    with pytest.raises(TrainingLengthError, match="epoch"):
        diagnose([0.5, 2.5, 4.0], 5)


def test_whole_steps_that_are_written_as_floats_are_read():
    assert read_curve([{"step": 0.0, "loss": 2}, {"step": "50.0", "loss": 1}]).steps == (0, 50)


def every_fifth(missing, rows=40):
    """A run whose validation loss was recorded at every fifth step only."""
    for place in range(rows):
        validation = missing if place % 5 else 2.5 - place / 50
        yield {"step": 10 * place, "train_loss": 2 - place / 50, "val_loss": validation}


@pytest.mark.parametrize("missing", [math.nan, None, "", " ", Missing()])
@pytest.mark.parametrize("function", [workload, best_checkpoint])
def test_empty_cells_are_gaps_and_no_divergence_however_they_are_written(missing, function):
    with pytest.raises(TrainingLengthError, match=r"val_loss has no number at the steps .*32 of 40 rows"):
        function(Table(list(every_fifth(missing))))


def test_rows_of_one_step_in_a_data_frame_are_read_as_one():
    apart = [
        {"step": row["step"], **{key: row[key] if key == kept else math.nan for key in list(row)[1:]}}
        for row in ROWS
        for kept in ("train_loss", "test_loss")
    ]
    assert read_curve(Table(apart)) == read_curve(ROWS)


def test_nan_to_the_end_of_a_run_is_divergence():
    rows = [*ROWS, *({"step": step, "train_loss": math.nan, "test_loss": math.nan} for step in (150, 200))]
    assert read_curve(Table(rows)).diverged


def test_a_column_of_another_run_is_no_divergence():
    assert not read_curve(Table([row | {"val_accuracy": math.nan} for row in ROWS])).diverged


def test_a_setting_that_other_runs_have_is_no_setting_of_a_sweeps_trial():
    rows = [row | {"learning_rate": 0.1, "dropout": math.nan, "shift": Missing()} for row in ROWS]
    (trial,) = read_sweep(Table(rows))
    assert trial.faults == []


@pytest.mark.parametrize("function", [read_curve, workload, best_checkpoint, first_guess])
def test_columns_of_unequal_length_are_refused_with_their_lengths(function):
    columns = {"step": range(40), "train_loss": [1.0] * 40, "val_loss": [2.0] * 20}
    with pytest.raises(TrainingLengthError, match="step: 40, train_loss: 40, val_loss: 20"):
        function(columns | ({"learning_rate": [0.1] * 40} if function is first_guess else {}))


def test_a_single_value_beside_columns_is_refused_in_words():
    with pytest.raises(TrainingLengthError, match=r"step: 3, loss: 3, seed: 1\)"):
        read_curve({"step": [0, 1, 2], "loss": [3.0, 2.0, 1.0], "seed": 0})


@pytest.mark.parametrize("head", ["step,loss,loss", "step,loss, loss"])
def test_a_column_name_that_stands_twice_in_a_csv_file_is_named(tmp_path, head):
    path = tmp_path / "log.csv"
    path.write_text(f"{head}\n0,2,3\n10,1,2\n", encoding="utf-8")
    with pytest.raises(TrainingLengthError, match="same name: loss"):
        read_curve(path)


def test_a_column_name_that_stands_twice_in_a_data_frame_is_named():
    with pytest.raises(TrainingLengthError, match="same name: test_loss"):
        read_curve(Table(ROWS, ["step", "test_loss", "test_loss"]))


def test_decimal_commas_in_a_csv_file_are_not_read_as_other_numbers(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("step,loss\n0,2,31\n10,1,95\n", encoding="utf-8")
    with pytest.raises(TrainingLengthError, match="Row 1 has 3 cells for 2 columns") as refused:
        read_curve(path)
    assert len(refused.value.problems) == 2


def test_blanks_around_names_and_blank_lines_in_a_csv_file_do_no_harm(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("step, loss\n\n0, 2\n10, 1\n\n", encoding="utf-8")
    assert read_curve(path).columns == {"loss": (2.0, 1.0)}


@pytest.mark.parametrize("column", ["step", "loss"])
@pytest.mark.parametrize("digits", [400, 9000])
def test_numbers_too_large_for_a_float_are_refused_in_words(column, digits):
    with pytest.raises(TrainingLengthError, match=f"Row 1: the number in {column} is too large"):
        read_curve([{"step": 0, "loss": 1.0} | {column: 10**digits}])
