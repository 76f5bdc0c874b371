"""Unequal growth of the workbook's models, the gap, the clones, and the module that is a function."""

import math

import pytest
import torch

import labkit as lk
from labkit import mup, upscale
from labkit.models import GPT, MLP, ResNet
from labkit.mup.batches import cross_entropy
from labkit.upscale.copies import growth, spread

TOLERANCE = 1e-9
UNEQUAL = {
    "ResNet": [{"stem": 2, "blocks.0.first": 4, "blocks.1.*": 3}, {"*": 2, "blocks.1.shortcut": 1}],
    "GPT": [{"*": 2, "blocks.*.mlp.0": 3}, {"blocks.0.mlp.0": 4}],
}


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def trained(name, dtype=torch.float64, steps=20):
    torch.manual_seed(0)
    luck = torch.Generator().manual_seed(1)
    if name == "GPT":
        model = GPT(8, depth=2, heads=2, vocabulary=7, context=6, token_shift=True)
        # Something to learn: random text learned by heart goes through steps that blow rounding up to 1e-9,
        # between two models of equal width that differ in their last digit just as between these.
        text = (torch.randint(7, (3, 4, 1), generator=luck) + 3 * torch.arange(7)) % 7
        batches = [(part[:, :-1], part[:, 1:]) for part in text]
    else:
        model = ResNet(4, outputs=3) if name == "ResNet" else MLP(6, inputs=5, outputs=3)
        shape = (3, 6, 1, 6, 6) if name == "ResNet" else (3, 12, 5)
        batches = [(x, x.flatten(1)[:, :3].argmax(1)) for x in torch.randn(shape, generator=luck).to(dtype)]
    model.to(dtype)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, eps=1e-3)
    for step in range(steps):
        optimizer.zero_grad()
        cross_entropy(model, batches[step % 3]).backward()
        optimizer.step()
    return model, optimizer, batches


@pytest.mark.parametrize(("name", "k"), [(name, k) for name, ks in UNEQUAL.items() for k in ks])
def test_layers_that_grow_unequally_stay_equivalent_for_200_steps(name, k):
    rows = upscale.equivalence_gap(*trained(name)[:2], k, trained(name)[2], 200)
    assert max(row["gap"] for row in rows) < TOLERANCE


def test_the_gap_in_float32_is_that_of_rounding():
    model, optimizer, batches = trained("MLP", torch.float32)
    rows = upscale.equivalence_gap(model, optimizer, 4, batches, 50)
    assert 0 < max(row["gap"] for row in rows) < 1e-3


def test_the_gap_has_one_row_per_step_and_both_losses():
    model, optimizer, batches = trained("MLP")
    rows = upscale.equivalence_gap(model, optimizer, 2, lambda step: batches[step % 3], 4)
    assert [row["step"] for row in rows] == [0, 1, 2, 3, 4]
    assert rows[0].keys() == {"step", "gap", "small_loss", "wide_loss"}
    assert all(row["wide_loss"] == pytest.approx(row["small_loss"], rel=1e-12) for row in rows)
    assert rows[0]["small_loss"] != rows[3]["small_loss"]


def test_the_gap_under_a_schedule():
    model, optimizer, batches = trained("MLP")

    def schedule(optimizer):
        return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 / (1 + step))

    plain, scheduled = (
        upscale.equivalence_gap(model, optimizer, 2, batches, 20, schedule=given)
        for given in (None, schedule)
    )
    assert max(row["gap"] for row in scheduled) < TOLERANCE
    assert plain[-1]["small_loss"] != scheduled[-1]["small_loss"]


def test_noise_shows_in_the_gap():
    model, optimizer, batches = trained("MLP")
    rows = upscale.equivalence_gap(model, optimizer, 2, batches, 2, noise_std=0.1)
    assert 1e-3 < rows[0]["gap"] < 1


@pytest.mark.parametrize("name", ["MLP", "ResNet", "GPT"])
def test_clones_are_identical_without_noise_and_part_with_it(name):
    model, optimizer, _ = trained(name)
    alike = {}
    for noise in (0.0, 0.3):
        wide, _ = lk.upscale(model, optimizer, 2, noise)
        pairs = [matrix.diagonal(1)[::2] for matrix in upscale.clones(wide, 2).values()]
        alike[noise] = torch.cat(pairs).nan_to_num(1.0)
    assert float(alike[0.0].min()) == pytest.approx(1.0)
    assert float(alike[0.3].median()) < 0.999


def test_clones_of_a_model_that_was_never_widened_are_refused():
    with pytest.raises(upscale.UpscaleError, match="has not been widened"):
        upscale.clones(MLP(8), 2)


def test_the_noise_has_the_asked_size_and_comes_from_the_seed_alone():
    torch.manual_seed(0)
    model = MLP(64, depth=3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    plain = lk.widen(model, 4).layers[1].weight
    first, again, other = (
        lk.upscale(model, optimizer, 4, 0.5, seed)[0].layers[1].weight.detach() for seed in (1, 1, 2)
    )
    noise = first - plain.detach()
    assert float(noise.std()) == pytest.approx(0.5 * 256**-0.5, rel=0.02)
    assert abs(float(noise.mean())) < 4 * float(noise.std()) / math.sqrt(noise.numel())
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_factor_of_one_gives_an_equal_model_of_its_own():
    model, optimizer, _ = trained("GPT")
    wide, _ = lk.upscale(model, optimizer, 1)
    torch.testing.assert_close(wide.state_dict(), model.state_dict(), rtol=0, atol=0)
    assert wide.readout.weight.data_ptr() != model.readout.weight.data_ptr()
    assert {row["role"] for row in mup.table(wide).rows} == {"input", "hidden", "output", "vector", "fixed"}


def test_the_module_is_the_function():
    model, optimizer, _ = trained("MLP")
    wides = [function(model, optimizer, 2)[0] for function in (lk.upscale, upscale.upscale, upscale)]
    for wide in wides[1:]:
        torch.testing.assert_close(wide.state_dict(), wides[0].state_dict(), rtol=0, atol=0)


@pytest.mark.parametrize(
    ("small", "wide", "factors"),
    [
        ((2, 3), (4, 3), (2, 1)),
        ((2,), (3,), None),
        ((2, 3), (2, 3, 1), None),
        ((4,), (2,), None),
        ((), (), ()),
    ],
)
def test_growth(small, wide, factors):
    assert growth(small, wide) == factors


def test_copies_are_neighbours_and_blocks_stay_together():
    small = torch.arange(4.0).reshape(1, 4)
    wide = torch.empty(2, 8)
    spread(small, wide, 10)
    assert wide.tolist() == [[0, 0, 10, 10, 20, 20, 30, 30]] * 2
    spread(small, wide, blocks=(1, 2))
    assert wide.tolist() == [[0, 1, 0, 1, 2, 3, 2, 3]] * 2
