"""How often verdicts are right, with fewer draws than tests/benchmarks/scaling_verdicts.py makes.

The draws are fixed by their seeds; limits are the benchmark's bars less what so few draws can stray.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "scaling_verdicts.py"
DRAWS = 200
STRAY = 0.03  # two standard errors of a share of 95 % over 200 draws


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("scaling_verdicts_benchmark", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


BENCHMARK = load()
JUDGED = [what for what in BENCHMARK.JUDGES if what not in BENCHMARK.NO_BAR and what[1] != "noise"]


@pytest.mark.parametrize("what", JUDGED, ids=" ".join)
def test_verdicts_are_right_where_the_signal_is_three_standard_errors_or_more(what) -> None:
    assert BENCHMARK.rates(what, DRAWS, 3, 6)[0] >= BENCHMARK.RIGHT - STRAY


@pytest.mark.parametrize("what", list(BENCHMARK.JUDGES), ids=" ".join)
def test_no_wrong_direction_is_named_where_the_signal_is_below_one_standard_error(what) -> None:
    assert 1 - BENCHMARK.rates(what, DRAWS, 0, 1)[1] >= BENCHMARK.NOT_WRONG - STRAY


@pytest.mark.parametrize("what", [("trend", "not steady"), ("trend", "flat")], ids=" ".join)
def test_verdicts_that_need_more_are_right_at_five_standard_errors(what) -> None:
    assert BENCHMARK.rates(what, DRAWS, 5, 8)[0] >= 0.9


@pytest.mark.parametrize("what", JUDGED, ids=" ".join)
def test_three_sizes_with_three_seeds_suffice_at_three_standard_errors(what) -> None:
    shape = BENCHMARK.Shape(sizes=3, seeds=3)
    assert BENCHMARK.rates(what, DRAWS, 3, 6, shape)[0] >= 0.9


@pytest.mark.parametrize("law", list(BENCHMARK.LAWS))
def test_bands_hold_the_law_about_as_often_as_they_say(law: str) -> None:
    low, high = BENCHMARK.COVERAGE
    assert low - STRAY <= BENCHMARK.coverage(law, DRAWS) <= high
