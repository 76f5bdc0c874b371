"""The training loop: what it computes, what it records, and that chance is under control."""

import csv
import itertools

import pytest
import torch
from torch import nn

from labkit.config import Config, ConfigError
from labkit.models import MLP, parameter_count
from labkit.train import History, Training, run
from labkit.workload import Mnist1d


def config(**changes):
    return Config.from_dict({"width": 16, "steps": 60, "eval_every": 20, "device": "cpu"} | changes)


def first_batches(training, count):
    return list(itertools.islice(training.batches(), count))


def test_the_loss_falls_and_the_test_accuracy_rises():
    rows = run(config(steps=300, eval_every=100)).rows
    assert [row["step"] for row in rows] == [0, 100, 200, 300]
    assert rows[-1]["train_loss"] < 0.8 * rows[0]["train_loss"]
    assert rows[-1]["test_accuracy"] > rows[0]["test_accuracy"] + 0.1


def test_equal_configs_end_in_equal_weights(same_weights):
    trainings = [Training(config(shift=3)) for _ in range(2)]
    for training in trainings:
        for batch in first_batches(training, 50):
            training.step(batch)
    assert same_weights(*(training.model.state_dict() for training in trainings))


def test_another_seed_means_other_first_weights_and_another_order():
    a, b = Training(config(seed=0)), Training(config(seed=1))
    assert not torch.equal(a.model.layers[0].weight, b.model.layers[0].weight)
    assert not torch.equal(next(a.batches())[1], next(b.batches())[1])


def test_a_batch_depends_on_seed_and_step_alone():
    used, fresh = Training(config(shift=3)), Training(config(shift=3))
    expected = first_batches(used, 100)[90]
    fresh.position = 90
    assert all(torch.equal(a, b) for a, b in zip(expected, next(fresh.batches()), strict=True))


def test_an_epoch_visits_each_example_once():
    training = Training(config(batch_size=100))
    seen = torch.cat([x for x, _ in first_batches(training, 40)])
    assert torch.equal(seen.sort(0).values, training.workload.split.train_x.sort(0).values)


def test_two_epochs_have_different_orders():
    batches = first_batches(Training(config(batch_size=4000)), 2)
    assert not torch.equal(batches[0][1], batches[1][1])


def test_part_a_shifts_each_example_circularly_within_its_limit():
    plain, labels = next(Training(config()).batches())
    shifted, same_labels = next(Training(config(shift=3)).batches())
    assert torch.equal(labels, same_labels)
    used = set()
    for before, after in zip(plain, shifted, strict=True):
        by = [s for s in range(-3, 4) if torch.equal(before.roll(s), after)]
        assert len(by) == 1
        used.update(by)
    assert used == set(range(-3, 4))


def test_part_b_smooths_the_labels_of_training_only():
    plain, smooth = Training(config()), Training(config(label_smoothing=0.1))
    assert plain.evaluate() == smooth.evaluate()
    batch = next(plain.batches())
    assert not torch.equal(plain.step(batch), smooth.step(batch))


def test_a_subset_smaller_than_a_batch_is_one_batch():
    x, y = next(Training(config(fraction=0.01, batch_size=100)).batches())
    assert (len(x), len(y)) == (40, 40)


@pytest.mark.parametrize("parts", [2, 4, 7, 100])
def test_accumulated_gradients_equal_those_of_the_large_batch(parts):
    whole = Training(config(width=64, label_smoothing=0.1))
    split = Training(config(width=64, label_smoothing=0.1, accumulate=parts))
    batch = next(whole.batches())
    losses = whole.accumulate_gradients(batch), split.accumulate_gradients(batch)
    assert abs(losses[0] - losses[1]) < 1e-6
    for a, b in zip(whole.model.parameters(), split.model.parameters(), strict=True):
        assert (a.grad - b.grad).abs().max() < 1e-6


def test_bfloat16_trains_and_keeps_float32_weights():
    training = Training(config(precision="bfloat16"))
    exact = Training(config())
    batch = next(training.batches())
    loss, exact_loss = training.step(batch), exact.step(batch)
    assert loss != exact_loss
    assert abs(loss - exact_loss) < 0.02
    assert {p.dtype for p in training.model.parameters()} == {torch.float32}


def test_sgd_trains_too():
    rows = run(config(optimizer="sgd", learning_rate=0.05, steps=200, eval_every=200)).rows
    assert rows[-1]["train_loss"] < rows[0]["train_loss"]


class WithSchedule(Mnist1d):
    def build_scheduler(self, optimizer):
        return torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.5, total_iters=10)


def test_a_workload_may_bring_a_schedule():
    training = Training(config(learning_rate=0.01), WithSchedule)
    for batch in first_batches(training, 10):
        training.step(batch)
    assert training.optimizer.param_groups[0]["lr"] == pytest.approx(0.005)


class SeesThreads(Mnist1d):
    def loss(self, model, batch):
        self.threads = torch.get_num_threads()
        return super().loss(model, batch)


@pytest.mark.parametrize(("asked", "used"), [(1, 1), (2, 2), (0, 3)])
def test_a_step_uses_the_threads_of_its_config_and_gives_torchs_setting_back(asked, used):
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        training = Training(config(threads=asked), SeesThreads)
        training.step(next(training.batches()))
        assert (training.workload.threads, torch.get_num_threads()) == (used, 3)
    finally:
        torch.set_num_threads(before)


def test_the_step_returns_a_loss_without_a_graph():
    training = Training(config())
    loss = training.step(next(training.batches()))
    assert loss.shape == ()
    assert not loss.requires_grad


def test_evaluating_changes_nothing():
    training = Training(config())
    before = torch.get_rng_state()
    assert training.evaluate() == training.evaluate()
    assert training.model.training
    assert torch.equal(torch.get_rng_state(), before)


def test_a_stopped_run_carries_on_as_if_nothing_had_happened(tmp_path, same_weights):
    whole, parts = tmp_path / "whole.pt", tmp_path / "parts.pt"
    expected = run(config(shift=2), whole)
    first = run(config(shift=2), parts, stop_at=25)
    second = run(config(shift=2), parts)
    assert [row["step"] for row in first.rows] == [0, 20]
    assert (first.resumed_from, second.resumed_from) == (None, 25)
    assert second.rows == expected.rows
    assert second.seconds > first.seconds
    assert same_weights(*(Training.load(path).model.state_dict() for path in (whole, parts)))


def test_a_finished_run_is_not_trained_again(tmp_path):
    path = tmp_path / "run.pt"
    steps = []
    first = run(config(), path)
    again = run(config(), path, on_step=steps.append)
    assert steps == []
    assert (again.rows, again.resumed_from) == (first.rows, 60)


def test_resume_false_begins_anew(tmp_path):
    path = tmp_path / "run.pt"
    run(config(), path, stop_at=30)
    assert run(config(), path, resume=False).resumed_from is None


def test_on_step_hears_of_every_step():
    steps = []
    run(config(steps=5), on_step=steps.append)
    assert steps == [1, 2, 3, 4, 5]


def test_a_quiet_run_prints_nothing(capfd):
    run(config(steps=5))
    assert capfd.readouterr() == ("", "")


def test_a_bar_shows_the_progress(capfd):
    run(config(steps=5), progress=True)
    assert "5/5" in capfd.readouterr().err


def test_a_history_survives_its_json_file(tmp_path):
    history = run(config())
    history.save(tmp_path / "h.json")
    assert History.load(tmp_path / "h.json") == history


def test_a_history_is_saved_as_rows_of_csv(tmp_path):
    history = run(config())
    history.save(tmp_path / "h.csv")
    with (tmp_path / "h.csv").open(encoding="utf-8", newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    assert rows == history.rows


def test_a_device_that_is_not_there_is_refused_and_those_present_are_listed():
    with pytest.raises(ConfigError, match=r'"cuda:99".*cpu'):
        Training(config(device="cuda:99"))


def test_the_mlp_is_its_linear_layers_in_order():
    model = MLP(width=64, depth=3)
    shapes = [(layer.in_features, layer.out_features) for layer in model.layers]
    assert shapes == [(40, 64), (64, 64), (64, 64), (64, 10)]
    assert parameter_count(model) == sum((a + 1) * b for a, b in shapes)
    assert all(isinstance(layer, nn.Linear) for layer in model.layers)


def test_dropout_leaves_units_out_of_a_step_and_of_no_evaluation():
    plain, dropping = Training(config()), Training(config(dropout=0.5))
    batch = next(plain.batches())
    assert plain.evaluate() == dropping.evaluate()
    assert plain.step(batch) != dropping.step(batch)
