"""Roles, first weights and multipliers of each tensor of the three models, against a table made by hand.

m = width / base width. The multipliers follow from one wish: after a step with the gradients of a wide layer,
which are those of the narrow one divided by m, the wide network has to have changed as the narrow one did.
"""

import math
from fnmatch import fnmatch

import pytest
import torch
from torch import nn

from labkit import mup
from labkit.models import GPT, MLP, ResNet

ROLES = {
    "MLP": {
        "layers.0.weight": "input",
        "layers.0.bias": "vector",
        "layers.1.weight": "hidden",
        "layers.1.bias": "vector",
        "layers.2.weight": "hidden",
        "layers.2.bias": "vector",
        "layers.3.weight": "output",
        "layers.3.bias": "fixed",
    },
    "ResNet": {
        "stem.weight": "input",
        "stem_norm.weight": "vector",
        "stem_norm.bias": "vector",
        "blocks.0.first.weight": "hidden",
        "blocks.0.first_norm.weight": "vector",
        "blocks.0.first_norm.bias": "vector",
        "blocks.0.second.weight": "hidden",
        "blocks.0.second_norm.weight": "vector",
        "blocks.0.second_norm.bias": "vector",
        "blocks.1.first.weight": "hidden",
        "blocks.1.first_norm.weight": "vector",
        "blocks.1.first_norm.bias": "vector",
        "blocks.1.second.weight": "hidden",
        "blocks.1.second_norm.weight": "vector",
        "blocks.1.second_norm.bias": "vector",
        "blocks.1.shortcut.weight": "hidden",
        "readout.weight": "output",
        "readout.bias": "fixed",
    },
    "GPT": {
        "share": "vector",
        "characters.weight": "input",
        "positions.weight": "input",
        "blocks.0.attention_norm.weight": "vector",
        "blocks.0.attention_norm.bias": "vector",
        "blocks.0.attention.query_key_value.weight": "hidden",
        "blocks.0.attention.query_key_value.bias": "vector",
        "blocks.0.attention.output.weight": "hidden",
        "blocks.0.attention.output.bias": "vector",
        "blocks.0.mlp_norm.weight": "vector",
        "blocks.0.mlp_norm.bias": "vector",
        "blocks.0.mlp.0.weight": "hidden",
        "blocks.0.mlp.0.bias": "vector",
        "blocks.0.mlp.2.weight": "hidden",
        "blocks.0.mlp.2.bias": "vector",
        "norm.weight": "vector",
        "norm.bias": "vector",
        "readout.weight": "output",
        "readout.bias": "fixed",
    },
}
BUILD = {
    "MLP": lambda width: MLP(width, depth=3, inputs=5, outputs=3),
    "ResNet": lambda width: ResNet(width, channels=3, outputs=3),
    "GPT": lambda width: GPT(width, depth=1, heads=2, vocabulary=7, context=6, token_shift=True),
}
# kind → option → role → what m does to it, as a power of m
POWERS = {
    "sgd": {
        "lr": {"hidden": 0, "input": 1, "output": 1, "vector": 1, "fixed": 0},
        "weight_decay": {"hidden": 0, "input": -1, "output": -1, "vector": -1, "fixed": 0},
    },
    "adam": {
        "lr": {"hidden": -1, "input": 0, "output": 0, "vector": 0, "fixed": 0},
        "eps": {"hidden": -1, "input": -1, "output": -1, "vector": -1, "fixed": 0},
        "weight_decay": {"hidden": 0, "input": -1, "output": -1, "vector": -1, "fixed": 0},
    },
    "adamw": {
        "lr": {"hidden": -1, "input": 0, "output": 0, "vector": 0, "fixed": 0},
        "eps": {"hidden": -1, "input": -1, "output": -1, "vector": -1, "fixed": 0},
        "weight_decay": {"hidden": 1, "input": 0, "output": 0, "vector": 0, "fixed": 0},
    },
}
GIVEN = {"lr": 0.02, "eps": 1e-5, "weight_decay": 0.3}


def prepared(name, width=8, base=4):
    return mup.prepare(BUILD[name](width), base_width=base, seed=0)


def options(optimizer, model, option):
    """Return name → the option's value for each tensor of the model; each must be in one group only."""
    names = {parameter: name for name, parameter in model.named_parameters()}
    pairs = [(names[p], group[option]) for group in optimizer.param_groups for p in group["params"]]
    assert len(pairs) == len(dict(pairs))
    return dict(pairs)


@pytest.mark.parametrize("name", ROLES)
def test_every_tensor_has_the_role_found_by_hand(name):
    found = {row["tensor"]: row["role"] for row in mup.table(prepared(name)).rows}
    assert found == ROLES[name]


@pytest.mark.parametrize("name", ROLES)
def test_roles_are_the_same_at_the_base_width_and_at_widths_equal_to_a_fixed_size(name):
    """A width of 3 outputs, 5 inputs or 7 characters must not be mistaken for those."""
    for width in (4, 6, 14):
        rows = mup.table(prepared(name, width, base=width)).rows
        assert {row["tensor"]: row["role"] for row in rows} == ROLES[name]


def test_roles_when_the_width_is_the_number_of_inputs_and_of_outputs():
    model = mup.prepare(MLP(6, depth=1, inputs=6, outputs=6), base_width=6)
    assert [row["role"] for row in mup.table(model).rows] == ["input", "vector", "output", "fixed"]


@pytest.mark.parametrize("m", [1, 2, 4])
@pytest.mark.parametrize("kind", POWERS)
@pytest.mark.parametrize("name", ROLES)
def test_each_tensor_is_trained_with_the_multipliers_of_its_role(name, kind, m):
    model = prepared(name, 4 * m)
    given = {option: GIVEN[option] for option in POWERS[kind]}
    optimizer = mup.optimizer(model, kind, **given)
    for option, powers in POWERS[kind].items():
        found = options(optimizer, model, option)
        assert found == pytest.approx(
            {tensor: GIVEN[option] * m ** powers[role] for tensor, role in ROLES[name].items()}, rel=1e-12
        ), option


def test_width_below_the_base_is_a_multiplier_below_one():
    model = prepared("MLP", width=4, base=16)
    rates = options(mup.optimizer(model, "adam", lr=1.0), model, "lr")
    assert (rates["layers.1.weight"], rates["layers.0.weight"]) == (4.0, 1.0)


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("sgd", {"momentum": 0.9, "nesterov": True}),
        ("sgd", {"momentum": 0.9, "dampening": 0.5}),
        ("adam", {"betas": (0.8, 0.95), "amsgrad": True}),
        ("adamw", {"betas": (0.8, 0.95), "amsgrad": True}),
    ],
)
def test_options_of_torch_reach_every_group(kind, given):
    optimizer = mup.optimizer(prepared("MLP"), kind, lr=0.1, **given)
    kinds = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
    assert type(optimizer) is kinds[kind]
    for group in optimizer.param_groups:
        assert {option: group[option] for option in given} == given


@pytest.mark.parametrize("kind", POWERS)
def test_defaults_are_torchs(kind):
    model = prepared("MLP", width=4)
    usual = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[kind]
    theirs = usual(model.parameters(), lr=0.1).param_groups[0]
    for group in mup.optimizer(model, kind, lr=0.1).param_groups:
        for option in POWERS[kind]:
            assert group[option] == pytest.approx(theirs[option])


def test_a_schedule_scales_all_groups_alike():
    optimizer = mup.optimizer(prepared("GPT"), "adamw", lr=0.1)
    before = [group["lr"] for group in optimizer.param_groups]
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 / (step + 1))
    optimizer.step()
    schedule.step()
    assert [group["lr"] for group in optimizer.param_groups] == pytest.approx([lr / 2 for lr in before])


# Standard deviation of the first weights: pattern → function of the width. The fan-in is of the wide model.
STD = {
    "MLP": {"layers.0.weight": lambda w: 5**-0.5, "layers.[12].weight": lambda w: w**-0.5},
    "ResNet": {
        "stem.weight": lambda w: (3 * 9) ** -0.5,
        "blocks.0.*.weight": lambda w: (9 * w) ** -0.5,
        "blocks.1.first.weight": lambda w: (9 * w) ** -0.5,
        "blocks.1.second.weight": lambda w: (9 * 2 * w) ** -0.5,
        "blocks.1.shortcut.weight": lambda w: w**-0.5,
    },
    "GPT": {
        "blocks.0.attention.*.weight": lambda w: w**-0.5,
        "blocks.0.mlp.0.weight": lambda w: w**-0.5,
        "blocks.0.mlp.2.weight": lambda w: (4 * w) ** -0.5,
    },
}


@pytest.mark.parametrize("width", [64, 128])
@pytest.mark.parametrize("name", ROLES)
def test_first_weights_have_the_size_of_their_role(name, width):
    model = prepared(name, width, base=16)
    for tensor, parameter in model.named_parameters():
        role = ROLES[name][tensor]
        expected = [f(width) for pattern, f in STD[name].items() if fnmatch(tensor, pattern)]
        if role in ("hidden", "input") and expected:
            error = 4 / math.sqrt(2 * parameter.numel())
            assert float(parameter.detach().std()) == pytest.approx(expected[0], rel=error), tensor
            assert abs(float(parameter.detach().mean())) < 5 * expected[0] / math.sqrt(parameter.numel())
        if tensor.endswith("bias"):
            assert not parameter.any(), tensor
        if "norm" in tensor and tensor.endswith("weight"):
            assert bool((parameter == 1).all()), tensor


@pytest.mark.parametrize("name", ROLES)
def test_readout_and_embeddings_do_not_shrink_with_the_width(name):
    stds = []
    for width in (32, 128):
        model = prepared(name, width, base=16)
        roles = ROLES[name]
        stds.append(
            [
                float(p.detach().std())
                for tensor, p in model.named_parameters()
                if roles[tensor] == "output" or tensor in ("characters.weight", "positions.weight")
            ]
        )
    assert stds[0] == pytest.approx(stds[1], rel=0.3)


def test_the_seed_alone_decides_the_first_weights():
    def weights(seed, around):
        torch.manual_seed(around)
        return torch.cat([p.flatten() for p in mup.prepare(MLP(8), base_width=4, seed=seed).parameters()])

    assert torch.equal(weights(0, 1), weights(0, 2))
    assert not torch.equal(weights(0, 1), weights(1, 1))


@pytest.mark.parametrize("m", [1, 2, 4])
def test_readout_divides_its_input_but_not_its_bias(m):
    model = prepared("MLP", 4 * m)
    readout = model.layers[-1]
    with torch.no_grad():
        readout.weight.fill_(1.0)
        readout.bias.fill_(10.0)
    assert readout(torch.ones(1, 4 * m))[0].tolist() == pytest.approx([10.0 + 4.0] * 3)


@pytest.mark.parametrize("m", [1, 2, 4])
def test_attention_scores_are_divided_by_the_head_size_and_agree_at_the_base(m):
    model = prepared("GPT", 4 * m)
    base, size = 2, 2 * m  # two heads
    assert model.blocks[0].attention.scale() == pytest.approx(math.sqrt(base) / size)


class Own(nn.Module):
    """A student's own network, with no help from labkit but the readout."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.symbols = nn.Embedding(5, width)
        self.convolution = nn.Conv1d(width, 3 * width, 3, padding=1)
        self.norm = nn.GroupNorm(1, 3 * width)
        self.pair = nn.Linear(3 * width, width, bias=False)
        self.readout = mup.Readout(width, 4)

    def forward(self, symbols):
        x = self.symbols(symbols).transpose(1, 2)
        x = torch.relu(self.norm(self.convolution(x))).mean(2)
        return self.readout(torch.tanh(self.pair(x)))


def test_roles_of_a_students_own_module():
    model = mup.prepare(Own(8), base_width=4, build=Own, seed=0)
    assert {row["tensor"]: row["role"] for row in mup.table(model).rows} == {
        "symbols.weight": "input",
        "convolution.weight": "hidden",
        "convolution.bias": "vector",
        "norm.weight": "vector",
        "norm.bias": "vector",
        "pair.weight": "hidden",
        "readout.weight": "output",
        "readout.bias": "fixed",
    }
    rates = options(mup.optimizer(model, "adamw", lr=1.0), model, "lr")
    assert {tensor for tensor, rate in rates.items() if rate == 0.5} == {"convolution.weight", "pair.weight"}


def test_an_unprepared_model_gets_no_mup_optimizer():
    with pytest.raises(ValueError, match="prepare"):
        mup.optimizer(MLP(8), "adamw", lr=0.1)


@pytest.mark.parametrize("kind", ["rmsprop", "lbfgs", None])
def test_an_unknown_optimizer_lists_the_known_ones(kind):
    with pytest.raises(ValueError, match=r"adamw"):
        mup.optimizer(prepared("MLP"), kind, lr=0.1)


@pytest.mark.parametrize("plain", [torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW])
def test_a_plain_optimizer_on_a_wide_mup_model_is_noticed(plain):
    model = prepared("MLP")
    with pytest.raises(ValueError, match=r"mup\.optimizer"):
        mup.check_optimizer(model, plain(model.parameters(), lr=0.1))


@pytest.mark.parametrize("kind", POWERS)
def test_the_right_optimizer_passes(kind):
    model = prepared("MLP")
    mup.check_optimizer(model, mup.optimizer(model, kind, lr=0.1))


@pytest.mark.parametrize("base", [0, -4, 2.5, "4"])
def test_a_base_width_that_is_none_is_refused(base):
    with pytest.raises(ValueError, match="base"):
        mup.prepare(MLP(8), base_width=base)


def test_the_table_prints_standard_beside_mup_in_both_languages():
    shown = str(mup.table(prepared("GPT")))
    for tensor, role in ROLES["GPT"].items():
        (line,) = [line for line in shown.splitlines() if tensor in line.split()]
        assert role in line
