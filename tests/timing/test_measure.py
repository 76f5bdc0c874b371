"""Measuring steps: what is run, what is counted, and what is said about it."""

from __future__ import annotations

import functools
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

import labkit as lk
from labkit.timing import StepTimes, TimingError, measure_steps


class Sleeper:
    """A step that takes known times: the first longer than the others."""

    def __init__(self, *seconds: float) -> None:
        self.seconds = list(seconds)
        self.batches: list[object] = []

    def __call__(self, batch: object = None) -> None:
        self.batches.append(batch)
        time.sleep(self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0])


def made(step_s: list[float], wait_s: list[float] | None = None, **more: object) -> StepTimes:
    waits = wait_s or [0.0] * len(step_s)
    values = {"first_s": step_s[0], "warmup_s": step_s[0], "warmup_steps": 1} | more
    return StepTimes(tuple(step_s), tuple(waits), **values)


def test_a_step_without_batches_is_called_once_per_warmup_and_measured_step() -> None:
    step = Sleeper(0.0)
    times = measure_steps(step, steps=7, warmup=3)
    assert len(step.batches) == 10
    assert (len(times.step_s), times.warmup_steps) == (7, 3)


def test_each_batch_is_given_to_the_step_in_order() -> None:
    step = Sleeper(0.0)
    measure_steps(step, ["a", "b", "c", "d"], steps=3, warmup=1)
    assert step.batches == ["a", "b", "c", "d"]


def test_a_list_that_is_too_short_is_begun_again() -> None:
    step = Sleeper(0.0)
    times = measure_steps(step, [1, 2], steps=4, warmup=1)
    assert step.batches == [1, 2, 1, 2, 1]
    assert times.notes == ()


def test_no_batch_is_fetched_beyond_those_used() -> None:
    fetched = []

    def batches() -> Iterator[int]:
        for i in range(100):
            fetched.append(i)
            yield i

    measure_steps(Sleeper(0.0), batches(), steps=4, warmup=2)
    assert len(fetched) == 6


def test_a_generator_that_ends_early_gives_fewer_steps_and_a_warning() -> None:
    times = measure_steps(Sleeper(0.0), iter(range(8)), steps=20, warmup=2)
    assert len(times.step_s) == 6
    assert any("ran out" in w for w in times.warnings("en"))


def test_a_generator_that_ends_during_the_warmup_is_an_error_that_says_after_how_many() -> None:
    with pytest.raises(TimingError, match="ran out after 3"):
        measure_steps(Sleeper(0.0), iter(range(3)), warmup=5)


@pytest.mark.parametrize("empty", [[], iter(())])
def test_no_batches_at_all_is_an_error_and_not_an_endless_loop(empty: object) -> None:
    with pytest.raises(TimingError, match="no batches at all"):
        measure_steps(Sleeper(0.0), empty)


def test_the_first_step_is_kept_apart_from_the_mean() -> None:
    times = measure_steps(Sleeper(0.1, 0.001), steps=5, warmup=1)
    assert times.first_s >= 0.1
    assert max(times.step_s) < 0.1


def test_the_warmup_includes_the_first_step() -> None:
    times = measure_steps(Sleeper(0.05, 0.05, 0.001), steps=5, warmup=2)
    assert times.warmup_s >= 0.1


def test_waiting_for_data_is_counted_apart_from_computing() -> None:
    def slow() -> Iterator[int]:
        while True:
            time.sleep(0.004)
            yield 0

    times = measure_steps(Sleeper(0.001), slow(), steps=10)
    assert min(times.wait_s) >= 0.004
    assert min(times.step_s) < 0.004
    assert times.data_wait_fraction > 0.5
    assert times.verdict == "waiting for data"


def test_without_batches_there_is_no_waiting() -> None:
    times = measure_steps(Sleeper(0.0), steps=5)
    assert times.wait_s == (0.0,) * 5
    assert times.verdict == "busy"


def test_an_exception_in_the_step_passes_through_untouched() -> None:
    class Mine(Exception):
        pass

    error = Mine("mine")

    def step() -> None:
        raise error

    with pytest.raises(Mine) as caught:
        measure_steps(step)
    assert caught.value is error


def test_a_stop_iteration_in_the_step_is_not_taken_for_the_end_of_the_batches() -> None:
    def step(batch: int) -> None:
        raise StopIteration

    with pytest.raises(StopIteration):
        measure_steps(step, [1, 2, 3])


def test_an_exception_in_the_batches_passes_through_untouched() -> None:
    def batches() -> Iterator[int]:
        yield 1
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        measure_steps(Sleeper(0.0), batches())


def test_a_time_budget_decides_the_number_of_steps() -> None:
    times = measure_steps(Sleeper(0.002), seconds=0.2)
    assert 3 <= len(times.step_s) <= 100
    assert times.warmup_s + sum(times.total_s) <= 0.2


def test_a_short_time_budget_still_gives_three_steps() -> None:
    times = measure_steps(Sleeper(0.01), seconds=0.015)
    assert len(times.step_s) == 3


def test_a_step_longer_than_the_budget_gives_an_answer_and_a_warning() -> None:
    step = Sleeper(0.2)
    times = measure_steps(step, seconds=0.02)
    assert len(step.batches) == 2
    assert any("about as long as the time allowed" in w for w in times.warnings("en"))


def test_a_slow_first_step_does_not_use_up_the_whole_budget_for_warming_up() -> None:
    times = measure_steps(Sleeper(0.2, 0.001), seconds=0.4, warmup=50)
    assert times.warmup_steps < 50
    assert len(times.step_s) >= 3


def test_an_empty_step_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("labkit.timing.MAX_STEPS", 500)
    assert len(measure_steps(lambda: None, seconds=2.0).step_s) <= 500


def test_the_timer_measures_what_it_adds_to_a_step() -> None:
    times = measure_steps(Sleeper(0.0), steps=3)
    assert 0 < times.timer_s < 1e-3


def test_an_empty_step_is_said_to_be_too_short_for_the_timer() -> None:
    assert any("the timing itself" in w for w in measure_steps(lambda: None, steps=50).warnings("en"))


def test_mean_median_and_quantiles_include_the_waiting() -> None:
    times = made([1.0, 2.0, 3.0, 4.0], [0.5, 0.5, 0.5, 4.5])
    assert times.total_s == (1.5, 2.5, 3.5, 8.5)
    assert (times.mean_s, times.median_s) == (4.0, 3.0)
    assert times.quantile(0.0) == 1.5
    assert times.quantile(1.0) == 8.5
    assert times.quantile(0.5) == times.median_s


def test_quantiles_agree_with_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    times = made([0.3, 0.1, 0.7, 0.2, 0.9])
    for q in (0.1, 0.25, 0.9):
        assert times.quantile(q) == pytest.approx(numpy.quantile(times.total_s, q))


@pytest.mark.parametrize("q", [-0.1, 1.5, 90, float("nan"), "0.9", None])
def test_a_quantile_outside_0_to_1_is_an_error(q: object) -> None:
    with pytest.raises(TimingError, match="from 0 to 1"):
        made([1.0]).quantile(q)


def test_steps_that_slow_down_are_reported_as_drift() -> None:
    times = made([1.0] * 10 + [1.1] * 10 + [1.3] * 10)
    assert times.drift == pytest.approx(1.3)
    assert any("30 % slower" in w for w in times.warnings("en"))


def test_steps_that_get_faster_are_reported_as_drift() -> None:
    assert any("20 % faster" in w for w in made([1.0] * 20 + [0.8] * 10).warnings("en"))


def test_steady_steps_give_no_warning() -> None:
    assert made([1.0, 1.05, 0.95] * 20).warnings() == []


def test_a_wide_spread_is_reported_as_a_busy_machine() -> None:
    times = made(([1.0] * 8 + [5.0] * 2) * 6)
    assert any("busy with something else" in w for w in times.warnings("en"))


def test_little_processor_time_while_computing_is_reported_as_a_shared_machine() -> None:
    assert any("only 40 % of the time" in w for w in made([1.0] * 20, cpu_share=0.4).warnings("en"))


def test_little_processor_time_while_waiting_for_data_or_a_gpu_is_not_reported() -> None:
    assert made([1.0] * 20, [4.0] * 20, cpu_share=0.2).warnings() == []
    assert made([1.0] * 20, device="mps", cpu_share=0.1).warnings() == []


def test_few_steps_are_reported() -> None:
    assert any("Only 4 measured" in w for w in made([1.0] * 4).warnings("en"))


def test_all_wrong_arguments_are_listed_at_once() -> None:
    with pytest.raises(TimingError) as caught:
        measure_steps(3, 4, steps=2.5, warmup=0, device="tpu", seconds=-1.0)  # type: ignore[arg-type]
    assert len(caught.value.problems) == 6
    for word in ("step is 3", "batches is 4", "steps is 2.5", "warmup is 0", "'tpu'", "seconds is -1.0"):
        assert word in str(caught.value)


@pytest.mark.parametrize("steps", [0, -5, 2.0, True, "50", None, float("nan")])
def test_steps_must_be_a_positive_whole_number(steps: object) -> None:
    with pytest.raises(TimingError, match="whole number"):
        measure_steps(Sleeper(0.0), steps=steps)


@pytest.mark.parametrize("seconds", [0, -1, float("inf"), float("nan"), "3", True])
def test_seconds_must_be_a_positive_finite_number(seconds: object) -> None:
    with pytest.raises(TimingError, match="seconds is"):
        measure_steps(Sleeper(0.0), seconds=seconds)


def test_numbers_of_numpy_are_accepted() -> None:
    numpy = pytest.importorskip("numpy")
    times = measure_steps(Sleeper(0.0), steps=numpy.int64(4), warmup=numpy.int32(1))
    assert len(times.step_s) == 4


def test_a_step_that_needs_a_batch_without_batches_is_explained_before_anything_runs() -> None:
    def step(batch: int) -> None: ...

    with pytest.raises(TimingError, match="no batches are given"):
        measure_steps(step)


def test_a_step_that_takes_no_batch_is_explained_before_anything_runs() -> None:
    with pytest.raises(TimingError, match=r"def step\(batch\)"):
        measure_steps(lambda: None, [1, 2])


async def coroutine_step() -> None: ...


def generator_step() -> Iterator[int]:
    yield 1


async def async_generator_step() -> AsyncIterator[int]:
    yield 1


class AsyncStep:
    async def __call__(self) -> None: ...


def behind_a_function(step: Callable[[], object]) -> Callable[[], object]:
    def ordinary() -> object:
        return step()

    return ordinary


@pytest.mark.filterwarnings("error")  # also: no coroutine is left behind that nobody awaited
@pytest.mark.parametrize(
    "step",
    [
        coroutine_step,
        generator_step,
        async_generator_step,
        AsyncStep(),
        functools.partial(coroutine_step),
        behind_a_function(coroutine_step),
        behind_a_function(generator_step),
        behind_a_function(async_generator_step),
    ],
)
@pytest.mark.parametrize("lang", lk.messages.LANGUAGES)
def test_a_step_that_only_makes_a_coroutine_or_a_generator_is_refused(step: object, lang: str) -> None:
    before = lk.messages.language()
    lk.set_language(lang)
    try:
        with pytest.raises(TimingError, match=r"asyncio\.run") as refused:
            measure_steps(step, steps=3)
    finally:
        lk.set_language(before)
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize("seconds", [10**400, -(10**400)])
def test_a_number_too_large_for_a_float_is_refused_in_words(seconds: int) -> None:
    with pytest.raises(TimingError, match="seconds is"):
        measure_steps(Sleeper(0.0), seconds=seconds)


def test_a_function_that_makes_batches_must_be_called_first() -> None:
    with pytest.raises(TimingError, match=r"call it: batches\(\)"):
        measure_steps(Sleeper(0.0), lambda: iter([1]))  # type: ignore[arg-type]


def test_in_a_notebook_the_error_shows_its_message_alone() -> None:
    assert TimingError(["one", "two"])._render_traceback_() == ["TimingError: one\ntwo"]


def test_the_summary_names_device_steps_and_verdict_in_both_languages() -> None:
    times = made([0.002] * 20, [0.003] * 20, device="cuda:0")
    for lang in lk.messages.LANGUAGES:
        assert "20 steps" in times.to_text(lang)
        assert "cuda:0" in times.to_text(lang)
        assert "60 %" in times.to_text(lang)
    assert "waiting for data: faster" in str(times)
    assert "इंतज़ार" in times.to_text("hi")


def test_a_notebook_shows_the_summary_and_not_thousands_of_numbers() -> None:
    times = made([1.0] * 1000)
    assert repr(times) == times.to_text()


def test_the_summary_ends_with_the_warnings() -> None:
    assert made([1.0] * 4).to_text("en").splitlines()[-1].startswith("Note: Only 4")


def test_the_measurement_as_plain_data_is_json() -> None:
    import json

    plain = made([0.5, 1.5]).to_dict()
    assert json.loads(json.dumps(plain))["mean_s"] == 1.0


def test_timing_loads_neither_torch_nor_numpy() -> None:
    code = (
        "import sys, labkit as lk; t = lk.measure_steps(lambda: None); str(t), t.warnings('hi'); "
        "assert not {'torch', 'numpy', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
