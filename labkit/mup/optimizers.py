"""Optimisers for models under muP: torch's own, with one parameter group per set of multipliers."""

from __future__ import annotations

import inspect
import math
import weakref
from collections.abc import Iterable
from typing import Any

from torch import nn
from torch.optim import Optimizer
from torch.optim.optimizer import register_optimizer_step_pre_hook

from labkit.messages import number, text
from labkit.mup.given import (
    CLASSES,
    optimizer_name,
    optimizer_name_problems,
    optimizer_problems,
    prepared_problems,
    rate_problems,
)
from labkit.mup.memory import remembered, sides_of, unwrapped, when_remembered
from labkit.mup.rules import RATES, kind_of, multipliers
from labkit.mup.sides import MupError, Sides

MULTIPLIERS = "width_multipliers"  # key of a parameter group: what muP has multiplied its numbers by
_checked: weakref.WeakSet[Optimizer] = weakref.WeakSet()


def optimizer(
    model: nn.Module, name: str | type[Optimizer] = "adamw", *, lr: Any, **torch_options: Any
) -> Optimizer:
    """Return one of torch's optimisers for a prepared model, its numbers scaled for each tensor.

    The parameter groups' learning rates are multiples of `lr`, as schedulers expect: each scales its group.
    (A scheduler that ends at an absolute rate, as `CosineAnnealingLR` with an `eta_min`, needs 0 there.)

    Parameters
    ----------
    model : as `prepare` or `labkit.upscale` returns it, compiled or wrapped for several devices or not.
    name : "sgd", "adam" or "adamw", or torch's class; other optimisers have no rules here.
    lr : learning rate at the base width.
    torch_options : further arguments of torch's class, such as `betas`; `eps` and `weight_decay` hold at the
        base width.

    Raises
    ------
    MupError
        If the model is not prepared or wholly frozen, the optimiser is not one of the three, or `lr` no
        learning rate. Lists all that can be said.
    """
    model = unwrapped(model)
    sides = remembered(model)
    problems = prepared_problems(model)
    problems += [*optimizer_name_problems(name), *rate_problems(lr)]
    kind = optimizer_name(name)
    if sides is None or kind is None or problems:
        raise MupError(problems)
    defaults = {
        key: parameter.default
        for key, parameter in inspect.signature(CLASSES[kind]).parameters.items()
        if key in ("eps", "weight_decay")
    }
    numbers = defaults | {key: torch_options[key] for key in defaults if key in torch_options} | {"lr": lr}
    groups: dict[tuple[float, ...], dict[str, Any]] = {}
    for tensor_name, parameter in model.named_parameters():
        if parameter.requires_grad:
            factors = multipliers(kind, sides[tensor_name])
            scaled = {key: numbers[key] * factor for key, factor in factors.items()}
            new = {"params": [], MULTIPLIERS: factors, **scaled}
            groups.setdefault(tuple(factors.values()), new)["params"].append(parameter)
    if not groups:
        raise MupError([text("mup.frozen", model=type(model).__name__)])
    made: Any = CLASSES[kind]
    result: Optimizer = made(list(groups.values()), lr=lr, **torch_options)
    return result


def check_optimizer(model: nn.Module, optimizer: Optimizer) -> None:
    """Refuse an optimiser that does not know the widths of a prepared model.

    A model in the standard parametrisation, or at its base width, may have any optimiser.

    Raises
    ------
    MupError
        Naming the tensors whose learning rate, eps or weight decay would be wrong, and what to do.
    """
    if problems := optimizer_problems(optimizer):
        raise MupError(problems)
    model = unwrapped(model)
    sides = remembered(model)
    if sides is not None:
        if problems := prepared_problems(model):
            raise MupError(problems)
        uses = {id(parameter): sides[name] for name, parameter in model.named_parameters()}
        _refuse_unscaled(optimizer, uses)


def _refuse_unscaled(optimizer: Optimizer, sides: dict[int, Sides]) -> None:
    kind = kind_of(optimizer)
    wrong = [
        sides[id(parameter)].name
        for group in optimizer.param_groups
        for parameter in group["params"]
        if id(parameter) in sides and not _scaled(group, kind, sides[id(parameter)])
    ]
    if not wrong:
        return
    given = type(optimizer).__name__
    if kind is None:
        raise MupError([text("mup.no_rules", given=given, known=", ".join(CLASSES))])
    shown = ", ".join(wrong[:3]) + (" …" if len(wrong) > 3 else "")
    words = {"given": given, "count": number(len(wrong)), "names": shown, "kind": kind}
    raise MupError([text("mup.plain_optimizer", **words)])


def _scaled(group: dict[str, Any], kind: str | None, sides: Sides) -> bool:
    """Return whether a group's numbers have been multiplied as a tensor's sides ask."""
    if kind is None:
        return sides.out == sides.into == 1
    done = group.get(MULTIPLIERS, {})
    return all(math.isclose(done.get(key, 1.0), value) for key, value in multipliers(kind, sides).items())


@when_remembered
def _watch_optimizers() -> None:
    """From now on check every optimiser at its first step: a plain one on a prepared model is refused."""
    register_optimizer_step_pre_hook(_check_first_step)


def _check_first_step(optimizer: Optimizer, arguments: Iterable[Any], options: dict[str, Any]) -> None:
    if optimizer in _checked:
        return
    _refuse_unscaled(optimizer, sides_of(p for group in optimizer.param_groups for p in group["params"]))
    _checked.add(optimizer)


def scaled_group(group: dict[str, Any], factors: dict[str, float], marks: dict[str, float]) -> dict[str, Any]:
    """Return a parameter group, without its parameters, with its numbers multiplied.

    Parameters
    ----------
    group : of an optimiser.
    factors : for "lr" (every learning rate in the group), "eps" and "weight_decay".
    marks : the factors by the right rules, to be remembered in the group.
    """
    scaled = {key: value for key, value in group.items() if key != "params"}
    for key in RATES:
        if key in scaled:
            scaled[key] = scaled[key] * factors["lr"]
    for key in ("eps", "weight_decay"):
        if key in scaled and key in factors:
            scaled[key] = scaled[key] * factors[key]
    before = group.get(MULTIPLIERS, {})
    scaled[MULTIPLIERS] = {key: before.get(key, 1.0) * mark for key, mark in marks.items()}
    return scaled
