"""The GPT on Kahani: its text, its floor, and that width helps."""

import dataclasses
import itertools

import pytest
import torch
from torch import nn

from labkit import kahani
from labkit.config import KahaniConfig
from labkit.train import Training, run
from labkit.workload import sample
from labkit.workload.kahani import HELD_OUT, encode

SMALL = KahaniConfig(lang="hi", width=8, context=20, batch_size=5, device="cpu")


def decoded(codes, lang="hi"):
    return ["".join(kahani.vocabulary(lang)[code] for code in row) for row in codes.tolist()]


def batches(config, count):
    return [windows for (windows,) in itertools.islice(Training(config).batches(), count)]


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_a_batch_is_windows_of_text_from_a_sentence_start(lang):
    (windows,) = batches(dataclasses.replace(SMALL, lang=lang), 1)
    assert (windows.shape, windows.dtype) == ((5, 21), torch.int64)
    for window in decoded(windows, lang):
        assert window[0] == "\n"
        assert kahani.log_probability(window[1:], lang) > -float("inf")


def test_encoding_is_undone_by_the_vocabulary():
    texts = kahani.windows("train", 3, 50, lang="hi")
    assert decoded(encode(texts, "hi")) == texts


def test_a_batch_depends_on_seed_and_step_alone():
    training = Training(SMALL)
    training.position = 7
    assert torch.equal(next(training.batches())[0], batches(SMALL, 8)[7])


def test_no_step_repeats_the_text_of_another_step_or_seed():
    long = dataclasses.replace(SMALL, context=60)
    seen = [
        decoded(windows) for seed in (0, 1) for windows in batches(dataclasses.replace(long, seed=seed), 20)
    ]
    streams = {tuple(windows) for windows in seen}
    assert len(streams) == len(seen) == 40


class Oracle(nn.Module):
    """Gives each held-out character the probability that the grammar gives it, the rest to one other."""

    def __init__(self, windows, lang):
        super().__init__()
        best = [kahani.surprisals(window[1:], lang) for window in decoded(windows, lang)]
        chances = torch.tensor(best, dtype=torch.float64).neg().exp()
        target = windows[:, 1:, None]
        logits = torch.full((*chances.shape, len(kahani.vocabulary(lang))), -1e9, dtype=torch.float64)
        logits.scatter_(2, (target + 1) % logits.shape[2], (1 - chances).clamp_min(1e-300).log()[..., None])
        self.logits = logits.scatter_(2, target, chances.log()[..., None])

    def forward(self, characters):
        return self.logits


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_the_best_possible_model_has_no_excess_and_the_exact_entropy_as_its_loss(lang):
    config = dataclasses.replace(SMALL, lang=lang, context=40)
    workload = Training(config).workload
    figures = workload.evaluate(Oracle(workload.held_out, lang))
    assert figures["excess"] == pytest.approx(0, abs=1e-6)
    error = float(workload.best.std()) / HELD_OUT**0.5
    assert abs(figures["test_loss"] - kahani.kahani_entropy(lang, window=40)) < 4 * error


def test_a_model_that_knows_nothing_has_the_loss_of_a_uniform_guess():
    figures = Training(dataclasses.replace(SMALL, parametrization="mup")).evaluate()
    uniform = torch.log(torch.tensor(float(len(kahani.vocabulary("hi")))))
    assert figures["test_loss"] == pytest.approx(float(uniform), abs=1e-5)


def test_the_held_out_text_is_the_same_for_every_run():
    a, b = (Training(dataclasses.replace(SMALL, seed=seed)).workload.held_out for seed in (0, 1))
    assert torch.equal(a, b)


@pytest.mark.parametrize("setting", ["baseline", "mine"])
def test_width_helps_and_no_run_ends_below_the_floor(setting):
    common = {"lang": "en", "steps": 100, "context": 40, "eval_every": 50, "device": "cpu"}
    runs = {
        width: [
            run(KahaniConfig.running_example(setting, width=width, seed=seed, **common)).rows
            for seed in (0, 1)
        ]
        for width in (4, 32)
    }
    for rows in itertools.chain(*runs.values()):
        assert all(row["excess"] > -2 * row["excess_se"] for row in rows)
        assert rows[-1]["test_loss"] < rows[0]["test_loss"] - 0.5
    assert max(rows[-1]["test_loss"] for rows in runs[32]) < min(rows[-1]["test_loss"] for rows in runs[4])


def test_a_sample_is_decided_by_its_seed_and_leaves_torchs_numbers_alone():
    model = Training(SMALL).model
    before = torch.get_rng_state()
    texts = [sample(model, "hi", chars=60, seed=seed) for seed in (0, 0, 1)]
    assert torch.equal(torch.get_rng_state(), before)
    assert texts[0] == texts[1] != texts[2]
    assert len(texts[0]) >= 60
    assert set(texts[0]) <= set(kahani.vocabulary("hi"))


def test_a_sampled_sentence_ends_at_its_new_line_or_with_the_context():
    model = Training(SMALL).model
    lines = sample(model, "hi", chars=100).splitlines()
    assert all(len(line) <= 20 for line in lines)
    with torch.no_grad():
        model.readout.bias[0] = 50.0  # "\n" comes first in the vocabulary
    assert sample(model, "hi", chars=3) == "\n\n\n"
