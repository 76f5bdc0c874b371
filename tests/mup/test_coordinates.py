"""The coordinate check, and the table."""

import pytest
import torch
from torch import nn

from labkit import mup
from labkit.models import GPT, MLP, ResNet


def growth(rows, parametrization, step):
    """Return by how much the output layer's size grows from the smallest to the largest width."""
    mine = [r for r in rows if r["parametrization"] == parametrization and r["step"] == step]
    last = mine[-1]["layer"]
    sizes = {}
    for row in mine:
        if row["layer"] == last:
            sizes.setdefault(row["width"], []).append(row["size"])
    means = {width: sum(values) / len(values) for width, values in sizes.items()}
    return means[max(means)] / means[min(means)]


@pytest.mark.parametrize(
    "model",
    [MLP(16), GPT(16, depth=1, heads=2, vocabulary=7, context=8), ResNet(8)],
    ids=lambda m: type(m).__name__,
)
def test_after_a_few_steps_outputs_grow_with_the_width_only_without_mup(model):
    rows = mup.coord_check(model, [model.width, 16 * model.width], 3, seeds=(0, 1, 2))
    assert growth(rows, "mup", 3) < 1.6
    assert growth(rows, "standard", 3) > 2


def test_rows_have_every_width_seed_step_and_layer():
    rows = mup.coord_check(MLP(8), [8, 16], 2, seeds=(0, 1), parametrizations=("mup",))
    assert len(rows) == 2 * 2 * 3 * 3
    assert {tuple(row) for row in rows} == {("parametrization", "width", "seed", "step", "layer", "size")}


def test_own_batches_and_loss_and_a_function_that_builds():
    batches = [torch.randn(4, 3) for _ in range(2)]
    rows = mup.coord_check(
        lambda width: nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, 1)),
        [8, 32],
        2,
        lambda step: batches[step % 2],
        lambda model, x: (model(x)[:, 0] - x.sum(1)).square().mean(),
        optimizer="sgd",
        lr=0.1,
    )
    assert {row["layer"] for row in rows} == {"0", "2"}


def test_no_width_is_refused():
    with pytest.raises(mup.MupError, match="widths"):
        mup.coord_check(MLP(8), [])


def test_the_check_leaves_torchs_generator_alone():
    model = MLP(8)
    before = torch.random.get_rng_state()
    mup.coord_check(model, [8], 1)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_the_table_shows_both_parametrisations_where_they_differ():
    table = mup.table(mup.prepare(MLP(16, inputs=40), base_width=4))
    rows = {row["tensor"]: row for row in table.rows}
    assert rows["layers.1.weight"]["lr"] == 0.25
    assert rows["layers.1.weight"]["init_std"] == 0.25
    assert rows["layers.1.weight"]["standard_init_std"] == pytest.approx(0.25 / 3**0.5)
    assert "1 → 0.25" in str(table)
    assert "<td>1 → 0.25</td>" in table._repr_html_()
    assert "muP में" in table.to_text("hi")
