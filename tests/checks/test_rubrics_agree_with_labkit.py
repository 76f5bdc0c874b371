"""What labkit itself computes earns all points in the exercises that ask for the same by hand."""

import pytest
import torch
from student_functions import called

from labkit import upscale
from labkit.checks import grade, points
from labkit.checks.notebook5 import RULES as CHANGEABLE
from labkit.models import MLP
from labkit.schedules import Schedule
from labkit.upscale import RULES, WRONG_RULES


def schedule_of(base, warmup, constant, decay, kind):
    if kind == "cosine":
        return Schedule(kind, base, warmup, 0, constant + decay)
    return Schedule(kind, base, warmup, constant, decay)


def remarks(exercise, answer):
    return [r.id.rpartition(".")[2] for r in grade(exercise, answer).remarks]


def test_a_schedule_extended_by_labkit_earns_all_points():
    def rate(step, base, warmup, constant, decay, extra, kind):
        old = schedule_of(base, warmup, constant, decay, kind)
        return old.extended(old.steps + extra).rate(step)

    assert {grade("4.5", called("4.5", rate, seed)).points for seed in range(10)} == {3}


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        ("mistaken", ["start_right", "not_lengthened", "cosine_not_stretched"]),
        ("stretched", ["start_right", "decay_stretched", "cosine_right"]),
    ],
)
def test_the_mistakes_that_labkit_draws_are_recognised(mistake, said):
    def rate(step, base, warmup, constant, decay, extra, kind):
        old = schedule_of(base, warmup, constant, decay, kind)
        return getattr(old, mistake)(old.steps + extra).rate(step)

    assert remarks("4.5", called("4.5", rate)) == said


def upscaled(k, rules=RULES):
    """Return calls as if labkit's upscaling of an MLP had answered: of its weights, and of Adam's memory."""
    torch.manual_seed(0)
    small = MLP(width=6, depth=2, inputs=5, outputs=3).double()
    optimizer = torch.optim.AdamW(small.parameters())
    (1000 * small(torch.randn(8, 5).double()).square().sum()).backward()
    optimizer.step()
    wide, wide_optimizer = upscale(small, optimizer, k, rules=rules)
    weights, moments = [], []
    roles = {"layers.0.weight": "input", "layers.1.weight": "hidden", "layers.2.weight": "output"}
    wide_parameters = dict(wide.named_parameters())
    for name, parameter in small.named_parameters():
        role = "fixed" if name == "layers.2.bias" else roles.get(name)
        if role is None:
            continue
        pair = ((parameter, optimizer), (wide_parameters[name], wide_optimizer))
        before, after = (one.state[p]["exp_avg_sq"] for p, one in pair)
        scale = before.max()
        moments.append(call(*map(torch.atleast_2d, (before / scale, after / scale)), role, k))
        if role != "fixed":
            weights.append(call(parameter, wide_parameters[name], role, k))
    return weights, moments


def call(before, after, role, k):
    return {"arguments": [before.tolist(), role, k], "returned": after.tolist()}


@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_network_upscaled_by_labkit_earns_all_points(k):
    weights, moments = upscaled(k)
    assert grade("5.2", weights).points == points("5.2")
    assert grade("5.3", moments).points == points("5.3")


def test_a_network_upscaled_with_wrong_rules_does_not():
    hidden, moment = "hidden weights not divided by k", "second moment divided by k"
    weights, moments = upscaled(3, {**RULES, **WRONG_RULES[hidden], **WRONG_RULES[moment]})
    assert remarks("5.2", weights) == ["input_right", "hidden_not_divided", "output_right"]
    assert remarks("5.3", moments) == ["shapes_right", "divided_once"]


def test_the_rules_to_choose_from_are_those_that_labkit_can_change():
    assert set(CHANGEABLE) == set(WRONG_RULES)
