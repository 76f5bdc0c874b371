"""Sweeps: what is run in which way, and what is read from the results."""

import itertools
import time

import pytest

from labkit import train
from labkit.config import Config, ConfigError, DigitsConfig, KahaniConfig
from labkit.sweep import SweepError, cost, grid, methods, steps_to, sweep
from labkit.train import Training
from labkit.workload import Mnist1d


def mlp(**changes):
    return Config.from_dict({"width": 8, "steps": 8, "eval_every": 4, "device": "cpu"} | changes)


def rows(histories):
    return [history.rows for history in histories]


def test_histories_come_in_the_order_of_the_configs():
    configs = [*grid(mlp(), width=[8, 4], seed=[2, 0, 1, 3]), DigitsConfig(width=2, steps=2, device="cpu")]
    assert [history.config for history in sweep(configs, progress=False)] == configs


def test_no_configs_make_no_histories():
    assert sweep([], progress=False) == []


def test_processes_and_one_by_one_give_exactly_the_rows_of_single_runs():
    configs = [*grid(mlp(), seed=[0, 1]), KahaniConfig(lang="hi", width=4, steps=2, warmup_steps=0)]
    expected = [train.run(config).rows for config in configs]
    assert rows(sweep(configs, progress=False, method="processes")) == expected
    assert rows(sweep(configs, progress=False, method="one by one")) == expected


def test_the_same_sweep_has_the_same_rows_each_time():
    configs = grid(mlp(), learning_rate=[1e-3, 1e-2], seed=range(7))
    assert rows(sweep(configs, progress=False)) == rows(sweep(configs, progress=False))


def test_one_bar_counts_the_steps_of_all_runs(capsys):
    for method in methods.METHODS:
        sweep(grid(mlp(), seed=[0, 1, 2]), method=method)
        assert "24/24" in capsys.readouterr().err


def test_stacked_seconds_add_up_to_the_time_of_the_sweep():
    begin = time.perf_counter()
    histories = sweep(grid(mlp(steps=100), seed=range(4)), progress=False, method="stacked")
    assert 0 < sum(history.seconds for history in histories) <= time.perf_counter() - begin


def test_small_models_are_worth_stacking_and_wide_ones_or_few_are_not():
    assert cost.worth_stacking(grid(mlp(width=64), seed=range(6)), None)
    assert not cost.worth_stacking(grid(mlp(width=64), seed=range(3)), None)
    assert not cost.worth_stacking(grid(mlp(width=512), seed=range(6)), None)


def test_an_operation_grows_with_the_model():
    sizes = [cost.operation_size(Training(mlp(width=width))) for width in (8, 64, 512)]
    assert all(b > 3 * a for a, b in itertools.pairwise(sizes))


def test_processes_are_worth_their_start_for_long_runs_only():
    short, long = grid(mlp(), seed=[0, 1]), grid(mlp(steps=10_000_000), seed=[0, 1])
    assert not cost.worth_processes([short], None, 2)
    assert cost.worth_processes([long], None, 2)
    assert not cost.worth_processes([long], None, 1)
    assert not cost.worth_processes([long[:1]], None, 2)


def test_a_group_is_split_among_the_cores_but_not_into_tiny_or_huge_stacks():
    def sizes(count, cores):
        return [len(part) for part in methods._parts([(i, mlp()) for i in range(count)], cores)]

    assert sizes(24, 2) == [12, 12]
    assert sizes(9, 2) == [9]
    assert sizes(24, 1) == [24]
    assert sizes(60, 1) == [20, 20, 20]


class Broken(Mnist1d):
    def batch(self, step):
        if self.config.seed == 1 and step == 2:
            raise RuntimeError("the disk is full")
        return super().batch(step)


@pytest.mark.parametrize("method", ["stacked", "processes", "one by one"])
def test_the_failure_of_one_run_ends_the_sweep_and_is_told(method):
    with pytest.raises((RuntimeError, SweepError), match="the disk is full"):
        sweep(grid(mlp(steps=300), seed=[0, 1]), Broken, progress=False, method=method)


def test_everything_wrong_with_a_sweep_is_told_at_once():
    with pytest.raises(SweepError) as caught:
        sweep([mlp(), 3, {"width": 8}], method="parallel")
    assert len(caught.value.problems) == 3
    assert '"one by one"' in str(caught.value)


def test_a_workload_that_another_process_cannot_find_is_refused_there_and_runs_here():
    class Local(Mnist1d):
        pass

    with pytest.raises(SweepError, match="Local"):
        sweep([mlp()], Local, method="processes")
    assert rows(sweep([mlp()], Local, progress=False)) == [train.run(mlp()).rows]


def test_a_grid_has_every_combination_and_keeps_the_rest():
    configs = grid(KahaniConfig(lang="hi", width=16), learning_rate=[1e-3, 2e-3], seed=range(3))
    assert [(c.learning_rate, c.seed) for c in configs] == list(itertools.product([1e-3, 2e-3], range(3)))
    assert {(type(c), c.lang, c.width) for c in configs} == {(KahaniConfig, "hi", 16)}


def test_everything_wrong_with_a_grid_is_told_at_once():
    with pytest.raises(ConfigError) as caught:
        grid(Config(), learning_rate=[-1, 2e-3], seed=3, colour=["red"])
    told = str(caught.value)
    assert all(word in told for word in ("learning_rate is -1", "seed=[1, 2]", "colour"))


LOSSES = [{"step": s, "test_loss": x, "test_accuracy": 1 - x} for s, x in [(0, 0.9), (10, 0.5), (20, 0.6)]]


@pytest.mark.parametrize(
    ("metric", "value", "step"),
    [("test_loss", 0.9, 0), ("test_loss", 0.55, 10), ("test_loss", 0.4, None), ("test_accuracy", 0.45, 10)],
)
def test_steps_to_a_value(metric, value, step):
    assert steps_to(LOSSES, metric, value) == step


def test_a_diverged_run_never_gets_there():
    assert steps_to([{"step": 0, "test_loss": float("nan")}], "test_loss", 1.0) is None


def test_steps_to_reads_histories_and_names_the_figures_there_are():
    history = train.run(mlp())
    assert steps_to(history, "test_loss", 100) == 0
    with pytest.raises(KeyError, match="test_accuracy"):
        steps_to(history, "validation_loss", 1)


@pytest.mark.parametrize("configs", [mlp(), None, 3, "abc", {"a": 1}], ids=lambda given: type(given).__name__)
def test_a_forgotten_list_is_named(configs):
    with pytest.raises(SweepError, match="list of configs"):
        sweep(configs)


@pytest.mark.parametrize(
    ("history", "value", "count"),
    [(LOSSES, "x", 1), (LOSSES, float("nan"), 1), (None, 0.1, 1), ("run.csv", 0.1, 1), ([3], "x", 2)],
)
def test_steps_to_names_what_it_cannot_use(history, value, count):
    with pytest.raises(SweepError) as caught:
        steps_to(history, "test_loss", value)
    assert len(caught.value.problems) == count


def test_rows_without_a_step_are_named():
    with pytest.raises(KeyError, match="no figure called step"):
        steps_to([{"test_loss": 0.1}], "test_loss", 0.2)
