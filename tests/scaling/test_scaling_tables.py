"""Tables from anywhere: every form is read, and everything wrong with one is said at once."""

from __future__ import annotations

import copy
import math
import subprocess
import sys

import numpy as np
import pytest
import torch
from scaling_tables import FALLING, rows, shifted

from labkit import messages
from labkit.scaling import TableError, effect, fit_power_law, trend


class Frame:
    """What trend uses of a pandas DataFrame."""

    def __init__(self, records: list[dict[str, object]]) -> None:
        self.records = records
        self.columns = list(records[0])

    def to_dict(self, orient: str) -> list[dict[str, object]]:
        assert orient == "records"
        return self.records


class PolarsFrame:
    """What trend uses of a polars DataFrame."""

    def __init__(self, records: list[dict[str, object]]) -> None:
        self.to_dicts = lambda: records


def problems(table: object, **options: object) -> list[str]:
    with pytest.raises(TableError) as caught:
        trend(table, **options)
    return caught.value.problems


@pytest.mark.parametrize(
    "form",
    [
        Frame,
        PolarsFrame,
        lambda table: [(r["size"], r["seed"], r["loss"]) for r in table],
        lambda table: (r for r in table),
        lambda table: [
            {k: np.float32(v) if k == "loss" else np.int64(v) for k, v in r.items()} for r in table
        ],
    ],
    ids=["pandas", "polars", "tuples", "generator", "numpy"],
)
def test_every_form_of_table_gives_the_same_trend(form) -> None:
    table = rows(FALLING)
    expected = trend(table)
    found = trend(form(table))
    assert (found.verdict, found.direction, found.sizes) == (
        expected.verdict,
        expected.direction,
        (16, 32, 64),
    )
    assert found.means == pytest.approx(expected.means, rel=1e-6)


def test_another_metric_and_another_size_can_be_named() -> None:
    table = [{"parameters": r["parameters"], "seed": r["seed"], "error": r["loss"]} for r in rows(FALLING)]
    assert trend(table, metric="error", size="parameters").sizes == (256, 1024, 4096)


def test_rows_out_of_order_are_sorted_and_that_is_said() -> None:
    table = rows({64: 1.7, 16: 2.0, 32: 1.8})
    assert trend(table).sizes == (16, 32, 64)
    assert "sorted" in trend(table).text("en")
    assert "sorted" not in trend(rows(FALLING)).text("en")
    by_seed = sorted(rows(FALLING), key=lambda r: r["seed"])
    assert "sorted" not in trend(by_seed).text("en")


def test_one_seed_is_refused_with_the_reason() -> None:
    (problem,) = problems(rows(FALLING, seeds=2)[::2])
    assert "only one seed, 0" in problem
    assert "luck" in problem


def test_one_size_is_refused_with_what_to_do() -> None:
    (problem,) = problems(rows({16: 2.0}))
    assert "only one size, 16" in problem
    assert "train a smaller or a larger model" in problem


def test_missing_seeds_are_named_for_each_size() -> None:
    table = [r for r in rows(FALLING) if (r["size"], r["seed"]) not in {(16, 2), (64, 0), (64, 1)}]
    found = problems(table)
    assert [("Size 16" in p, "Size 64" in p) for p in found] == [(True, False), (False, True)]
    assert "seed 0, 1" in found[1]


def test_doubled_runs_are_named() -> None:
    table = rows(FALLING)
    (problem,) = problems([*table, table[4]])
    assert "size 32 with seed 1" in problem


def test_seeds_that_change_nothing_are_as_good_as_one() -> None:
    (problem,) = problems([(size, seed, value) for size, value in FALLING.items() for seed in range(3)])
    assert "exactly the same values" in problem


def test_everything_wrong_is_listed_at_once() -> None:
    table = rows(FALLING)
    table[0] |= {"loss": "1.9"}
    table[1] |= {"size": -32}
    table[2] |= {"seed": 0.5, "loss": None}
    found = problems(table, level=95)
    for part in (
        "level is 95",
        "Row 1: loss is '1.9'",
        "Row 2: size is -32",
        "Row 3: seed is 0.5",
        "Row 3: loss",
    ):
        assert any(p.startswith(part) for p in found), part


def test_a_table_full_of_faults_gives_a_short_message() -> None:
    found = problems([{"size": 16, "seed": k, "loss": "?"} for k in range(1000)])
    assert len(found) <= 8
    assert "994 more" in found[-1]


@pytest.mark.parametrize("option", ["level", "same"])
@pytest.mark.parametrize("value", ["0.95", None, -0.1, math.nan, True])
def test_options_that_are_no_usable_numbers_are_refused(option: str, value: object) -> None:
    (problem,) = problems(rows(FALLING), **{option: value})
    assert problem.startswith(f"{option} is {value!r}; expected a number")


@pytest.mark.parametrize("table", [None, 3, "rows", {"size": 1}, [1, 2], [(1, 2)], b"x"])
def test_what_is_no_table_says_what_a_table_is(table: object) -> None:
    (problem,) = problems(table)
    assert "expected a list of rows with size, seed and loss" in problem


def test_an_empty_table_and_missing_columns_say_what_is_needed() -> None:
    assert "no rows" in problems([])[0]
    found = problems([{"width": 16, "seed": 0, "loss": 2.0}])
    assert found == [found[0]]
    assert "no column size; the rows have width, seed, loss" in found[0]


def test_a_diverged_run_is_shown_and_its_seed_left_out_at_every_size() -> None:
    table = rows(FALLING, seeds=4)
    table[5] |= {"loss": math.nan}
    table[10] |= {"loss": math.inf}
    found = trend(table)
    assert found.seeds == (0, 3)
    assert [(r["size"], r["seed"]) for r in found.diverged] == [(32, 1), (64, 2)]
    assert "Diverged: size 32 with seed 1, size 64 with seed 2" in found.text("en")
    assert "size 32, seed 1" in found.text("hi")


def test_too_many_diverged_runs_are_refused_and_named() -> None:
    table = rows(FALLING)
    for place in (0, 4):
        table[place] |= {"loss": math.nan}
    (problem,) = problems(table)
    assert "size 16 with seed 0, size 32 with seed 1" in problem


def test_a_fault_in_one_of_two_tables_says_in_which() -> None:
    table = rows(FALLING)
    with pytest.raises(TableError) as caught:
        effect(table[:-1], [r | {"loss": "?"} for r in table[:3]])
    found = caught.value.problems
    assert found[0].startswith("In the table of the baseline: Size 64")
    assert found[1].startswith("In the table of the method: Row 1")


def test_tables_with_other_sizes_or_seeds_are_refused() -> None:
    table = rows(FALLING)
    other = [r | {"seed": r["seed"] + 1, "size": r["size"] * 2} for r in table]
    with pytest.raises(TableError) as caught:
        effect(table, other)
    sizes, seeds = caught.value.problems
    assert sizes.endswith("only one of them has: 16, 128. Compare what was run at the same sizes.")
    assert "only one of them has: 0, 3" in seeds


def test_a_run_that_diverged_in_either_table_leaves_both_without_that_seed() -> None:
    a = rows(FALLING)
    b = shifted(a, dict.fromkeys(FALLING, -0.1))
    b[4] |= {"loss": math.nan}
    found = effect(a, b)
    assert found.seeds == (0, 2)
    assert [(r["table"], r["size"], r["seed"]) for r in found.diverged] == [("b", 32, 1)]


def test_the_error_speaks_the_language_in_use_and_survives_copying() -> None:
    messages.set_language("hi")
    try:
        with pytest.raises(TableError, match="इस table से") as caught:
            trend([])
    finally:
        messages.set_language("en")
    assert copy.copy(caught.value).problems == caught.value.problems


def test_a_power_law_needs_three_sizes_and_says_so() -> None:
    with pytest.raises(TableError, match="only 2 sizes; this needs at least 3"):
        fit_power_law(rows({16: 2.0, 32: 1.8}))


def test_scaling_needs_neither_torch_nor_matplotlib() -> None:
    code = "import sys, labkit.scaling; print({'torch', 'matplotlib', 'tqdm'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize(
    "kind", [np.float32, np.array, torch.tensor], ids=["scalar", "0-d array", "0-d tensor"]
)
def test_numbers_of_numpy_and_torch_are_numbers_in_every_column(kind) -> None:
    table = [{key: kind(value) for key, value in row.items()} for row in rows(FALLING)]
    assert trend(table).sizes == (16, 32, 64)
    assert trend(table).seeds == (0, 1, 2)
    assert trend(table).direction == "falls"


def test_an_array_of_three_columns_is_a_table() -> None:
    table = [(r["size"], r["seed"], r["loss"]) for r in rows(FALLING)]
    assert trend(np.array(table)) == trend(table)


def test_a_loss_too_large_to_calculate_with_is_named() -> None:
    table = [row | {"loss": 1e200 * row["loss"]} for row in rows(FALLING)]
    with pytest.raises(TableError, match="write NaN for it"):
        fit_power_law(table)
