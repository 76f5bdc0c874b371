"""Each rule is needed: whichever is changed, for whichever role, the widened model leaves the small one."""

import itertools

import pytest
import torch
from torch import nn

from labkit import mup, upscale
from labkit.models import GPT, MLP
from labkit.mup import RULES, WRONG_RULES
from labkit.mup.batches import cross_entropy
from labkit.mup.rules import multipliers
from labkit.mup.sides import Sides

UNEQUAL = {"layers.0": 2, "layers.1": 3, "layers.2": 5}  # so that the two sides of a layer differ
OPTIONS = {"lr": 0.02, "weight_decay": 0.1}
OPTIMIZERS = {
    "sgd": lambda parameters: torch.optim.SGD(parameters, momentum=0.9, **OPTIONS),
    "adam": lambda parameters: torch.optim.Adam(parameters, eps=1e-2, amsgrad=True, **OPTIONS),
    "adamw": lambda parameters: torch.optim.AdamW(parameters, eps=1e-2, **OPTIONS),
}
MEMORY = {"momentum_buffer": "sgd", "exp_avg": "adamw", "exp_avg_sq": "adamw", "max_exp_avg_sq": "adam"}
TOLERANCE = 1e-9  # of the outputs; rounding stays a million times below it
ROLES = ("input", "hidden", "output", "vector", "fixed")


def mlp_batches():
    luck = torch.Generator().manual_seed(1)
    inputs = [torch.randn(12, 5, generator=luck, dtype=torch.float64) for _ in range(4)]
    return [(x, x[:, :3].argmax(1)) for x in inputs]


def trained(kind):
    torch.manual_seed(0)
    model = MLP(4, depth=3, inputs=5, outputs=3).double()
    optimizer = OPTIMIZERS[kind](model.parameters())
    for batch in itertools.islice(itertools.cycle(mlp_batches()), 30):
        optimizer.zero_grad()
        cross_entropy(model, batch).backward()
        optimizer.step()
    return model, optimizer


@pytest.fixture(scope="module")
def small():
    return {kind: trained(kind) for kind in OPTIMIZERS}


def largest_gap(small, rules, steps=8, k=UNEQUAL):
    rows = upscale.equivalence_gap(*small, k, mlp_batches(), steps, rules=rules)
    return max(row["gap"] for row in rows)


def with_one_changed(rule, role, factor=1.1):
    return {**RULES, rule: lambda sides: RULES[rule](sides) * (factor if sides.role == role else 1)}


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_with_every_rule_right_the_outputs_agree_for_200_steps(small, kind):
    assert largest_gap(small[kind], RULES, steps=200) < TOLERANCE


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    "rule", ["weight", *(rule for rule in RULES if "." in rule and rule.split(".")[0] in OPTIMIZERS), *MEMORY]
)
def test_one_rule_changed_for_one_role_is_noticed(small, rule, role):
    if (rule, role) == ("weight", "fixed"):
        rule, role = "readout.bias", "output"  # the one fixed tensor, the readout's bias, has its own rule
    kind = MEMORY.get(rule) or (rule.split(".")[0] if rule.split(".")[0] in OPTIMIZERS else "sgd")
    assert largest_gap(small[kind], with_one_changed(rule, role)) > 10 * TOLERANCE


def test_a_changed_scale_of_the_readout_is_noticed(small):
    assert largest_gap(small["sgd"], with_one_changed("readout.input_scale", "output")) > 1e-3


def test_every_rule_is_tried_above_or_in_the_tests_of_attention_and_clipping():
    tried = {rule for rule in RULES if rule.split(".")[0] in (*OPTIMIZERS, "readout")} | MEMORY.keys()
    assert RULES.keys() == tried | {"weight", "gradient", "attention.scale"}


def gpt():
    torch.manual_seed(0)
    model = GPT(8, depth=1, heads=2, vocabulary=7, context=6).double()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, eps=1e-3)
    luck = torch.Generator().manual_seed(1)
    text = torch.randint(7, (4, 7), generator=luck)
    batches = [(text[:, :-1], text[:, 1:])]
    for _ in range(20):
        optimizer.zero_grad()
        cross_entropy(model, batches[0]).backward()
        optimizer.step()
    return model, optimizer, batches


def test_a_changed_scale_of_attention_is_noticed():
    model, optimizer, batches = gpt()
    gaps = {}
    for name, rules in (("right", RULES), ("wrong", with_one_changed("attention.scale", "attention"))):
        rows = upscale.equivalence_gap(model, optimizer, 2, batches, 5, rules=rules)
        gaps[name] = max(row["gap"] for row in rows)
    assert gaps["right"] < 1e-12
    assert gaps["wrong"] > 1e-4


@pytest.mark.parametrize("name", WRONG_RULES)
def test_each_named_wrong_rule_shows_where_it_should(name):
    """Wrong weights and scales are seen at once; wrong steps only after the first step."""
    model, optimizer, batches = gpt()
    rows = upscale.equivalence_gap(model, optimizer, 4, batches, 10, wrong=name)
    at_once = name not in ("second moment divided by k", "learning rate not scaled")
    assert (rows[0]["gap"] > 1e-3) == at_once
    assert rows[-1]["gap"] > 1e-3


def test_an_unknown_wrong_rule_lists_the_known_ones():
    model, optimizer, batches = gpt()
    with pytest.raises(upscale.UpscaleError, match="readout bias scaled"):
        upscale.equivalence_gap(model, optimizer, 4, batches, 1, wrong="no such rule")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("sgd", {"lr": 2 / 3, "weight_decay": 3 / 2}),
        ("adam", {"lr": 1 / 3, "eps": 1 / 2, "weight_decay": 3 / 2}),
        ("adamw", {"lr": 1 / 3, "eps": 1 / 2, "weight_decay": 3}),
    ],
)
def test_multipliers_of_a_layer_with_unequal_sides(kind, expected):
    sides = Sides("w", "hidden", (4, 6), out=2, into=3)
    assert multipliers(kind, sides) == pytest.approx(expected)


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_an_output_layer_that_is_no_readout_follows_its_own_rules(kind):
    """Divided by k like a hidden weight, its rate with it: table 3 of the muP paper instead of table 8."""

    class Plain(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(5, width), nn.Linear(width, 3)])

        def forward(self, x):
            return self.layers[1](torch.tanh(self.layers[0](x)))

    torch.manual_seed(0)
    model = Plain(4).double()
    optimizer = OPTIMIZERS[kind](model.parameters())
    options = {"build": Plain, "width": 4}
    rows = upscale.equivalence_gap(model, optimizer, 3, mlp_batches(), 100, **options)
    assert max(row["gap"] for row in rows) < TOLERANCE
    wide, _ = upscale.upscale(model, optimizer, 3, **options)
    assert [row["role"] for row in mup.table(wide).rows][2:] == ["output", "fixed"]
