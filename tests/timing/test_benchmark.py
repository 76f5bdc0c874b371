"""The forecast benchmark's judgement, and that the script runs (its quick figures are not judged)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "forecast.py"


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("forecast_benchmark", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def rows(benchmark: ModuleType, count: int = 20, inside: int = 17, **changes: object) -> list:
    """Return forecasts 4 % off, runs 5 % apart, of which `inside` have a range that holds the truth."""
    values = {
        "workload": "MLP 64",
        "steps": 1000,
        "measured_s": 1.0,
        "first_s": 3.0,
        "expected_s": 104.0,
        "high_s": 110.0,
        "run_s": (100.0, 105.13),
    } | changes
    return [benchmark.Row(low_s=99.0 if i < inside else 101.0, **values) for i in range(count)]


def failed(benchmark: ModuleType, *args: object, **kwargs: object) -> list[str]:
    bars = benchmark.judge(rows(benchmark, *args, **kwargs))
    return [bar.name.split(",")[0] for bar in bars if not bar.passed]


def test_good_forecasts_pass_every_bar(benchmark: ModuleType) -> None:
    assert failed(benchmark) == []


def test_too_few_forecasts_fail(benchmark: ModuleType) -> None:
    assert failed(benchmark, count=19, inside=16) == ["forecasts"]


def test_a_measurement_over_five_seconds_fails(benchmark: ModuleType) -> None:
    assert failed(benchmark, measured_s=5.2) == ["longest measurement"]


def test_an_error_well_above_the_noise_fails(benchmark: ModuleType) -> None:
    assert failed(benchmark, expected_s=107.0) == ["median error"]


def test_on_a_quiet_machine_an_error_above_five_percent_fails_for_all_and_for_the_workload(
    benchmark: ModuleType,
) -> None:
    assert failed(benchmark, expected_s=106.0, run_s=(100.0, 101.0)) == ["median error", "median error"]


def test_on_a_quiet_machine_an_error_of_four_percent_passes(benchmark: ModuleType) -> None:
    assert failed(benchmark, expected_s=104.0, run_s=(100.0, 101.0)) == []


@pytest.mark.parametrize("inside", [13, 20])
def test_ranges_that_hold_the_truth_too_rarely_or_always_fail(benchmark: ModuleType, inside: int) -> None:
    assert failed(benchmark, inside=inside) == ["80 % range holds the truth"]


def test_a_forecast_hardly_better_than_the_first_step_fails(benchmark: ModuleType) -> None:
    assert failed(benchmark, first_s=0.11) == ["median error against that of first step x N"]


@pytest.mark.slow
def test_the_quick_run_prints_its_table_and_judges_nothing() -> None:
    pytest.importorskip("torch")
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}  # two on a busy two-core machine are 100 times slower
    done = subprocess.run(
        [sys.executable, SCRIPT, "--quick"], capture_output=True, encoding="utf-8", check=True, env=one_thread
    )
    for part in ("MLP 64", "conv net", "not judged", "80 % range holds"):
        assert part in done.stdout
