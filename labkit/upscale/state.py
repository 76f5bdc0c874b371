"""Widen an optimiser: its numbers and its memory, tensor by tensor."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

from labkit.messages import number, text
from labkit.mup.given import CLASSES
from labkit.mup.optimizers import scaled_group
from labkit.mup.rules import RULES, Rule, kind_of, multipliers
from labkit.upscale.copies import spread
from labkit.upscale.widening import Pair, Widened

# State that is a number for each entry of the parameter, under torch's names; the rest counts steps.
_MEMORY = ("momentum_buffer", "exp_avg", "exp_avg_sq", "max_exp_avg_sq")


def unfit_optimizer(optimizer: Optimizer, parameters: set[int]) -> list[str]:
    """Return what in an optimiser cannot be widened.

    Parameters
    ----------
    parameters : the `id` of each of the model's parameters.
    """
    if kind_of(optimizer) is None:
        return [text("mup.no_rules", given=type(optimizer).__name__, known=", ".join(CLASSES))]
    problems = []
    strange = [p for g in optimizer.param_groups for p in g["params"] if id(p) not in parameters]
    if strange:
        problems.append(text("upscale.other_parameters", count=number(len(strange))))
    states = {key for state in optimizer.state.values() for key in state} - {*_MEMORY, "step"}
    if states:
        problems.append(text("upscale.unknown_state", names=", ".join(sorted(states))))
    return problems


@torch.no_grad()
def widen_optimizer(optimizer: Optimizer, widened: Widened, rules: Mapping[str, Rule]) -> Optimizer:
    """Return an optimiser of the wide model that carries on where the small one's stands.

    Every group of the given optimiser becomes one group for each set of multipliers; its other entries, a
    scheduler's `initial_lr` among them, are kept.
    """
    kind = kind_of(optimizer)
    assert kind is not None
    pairs = {id(pair.small): pair for pair in widened.pairs}
    groups: list[dict[str, Any]] = []
    for group in optimizer.param_groups:
        parts: dict[tuple[float, ...], dict[str, Any]] = {}
        for parameter in group["params"]:
            pair = pairs[id(parameter)]
            factors = multipliers(kind, pair.sides, rules)
            marks = multipliers(kind, pair.sides, RULES)
            key = (*factors.values(), *marks.values())
            new = {**scaled_group(group, factors, marks), "params": []}
            parts.setdefault(key, new)["params"].append(pair.wide)
        groups += parts.values()
    made: Any = type(optimizer)
    options = {k: v for k, v in optimizer.defaults.items() if k in inspect.signature(made).parameters}
    wide: Optimizer = made(groups, **options)
    for parameter, state in optimizer.state.items():
        pair = pairs[id(parameter)]
        wide.state[pair.wide] = {
            name: _widen_state(name, value, pair, rules) for name, value in state.items()
        }
    return wide


def _widen_state(name: str, value: Any, pair: Pair, rules: Mapping[str, Rule]) -> Any:
    if name in _MEMORY and isinstance(value, Tensor):
        wide = torch.empty(pair.wide.shape, dtype=value.dtype, device=value.device)
        spread(value, wide, rules[name](pair.sides), pair.blocks)
        return wide
    return value.clone() if isinstance(value, Tensor) else copy.copy(value)
