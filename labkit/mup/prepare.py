"""Put a model into muP: find its tensors' roles, set its two scales, draw its first weights, remember it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import torch
from torch import nn

from labkit.messages import text
from labkit.mup.bare import bare_problems
from labkit.mup.given import (
    attention_problems,
    built_problems,
    layer_problems,
    model_problems,
    seed_problems,
    whole,
)
from labkit.mup.initial import draw
from labkit.mup.layers import AttentionScale, Readout
from labkit.mup.memory import remember, remembered
from labkit.mup.rules import RULES, sides_between
from labkit.mup.sides import MupError, Sides, tensors

Build = Callable[[int], nn.Module]
Model = TypeVar("Model", bound=nn.Module)


def prepare(
    model: Model,
    base_width: int | None = None,
    *,
    build: Build | None = None,
    width: int | None = None,
    seed: int | None = None,
    inputs: Any = None,
) -> Model:
    """Put a fresh model into muP and return it (the same object, changed in place).

    At its base width a model behaves under muP as in the standard parametrisation, but for its first weights;
    hyperparameters tuned there keep their meaning at other widths. Train it with `labkit.mup.optimizer`.

    All weights are drawn anew, whatever the model has learned; output layers, `Readout` or `Linear`, begin at
    0. To carry on with saved weights, prepare first and load then: a `state_dict` has the two scales too.

    Parameters
    ----------
    model : one of labkit's models, or your own: its layers those of `LAYOUTS`, its output layer a `Readout`
        (a plain `Linear` will do), its attention scaled by an `AttentionScale`.
    base_width : the width at which muP and the standard parametrisation agree; by default the model's own.
    build : returns a fresh model at the width that it is called with, of the same layers, heads, groups and
        tensors: only sizes may change; by default `model.at_width`.
    width : the model's width, what `build` was called with; by default `model.width`.
    seed : of the first weights; None draws them from torch's global generator.
    inputs : a tensor, or a tuple of arguments, that the model accepts, to see what parameters outside layers
        are used for; by default guessed from the first layer.

    Raises
    ------
    MupError
        If no width or no way to build is known, the model is under muP already, its attention has a scale of
        its own, a weight is computed from others, or a tensor's role cannot be known. Lists everything of a
        kind.
    """
    build, width = how_to_build(model, build, width)
    base_number = width if base_width is None else whole(base_width)
    problems = [] if seed is None else seed_problems(seed)
    if base_number is None:
        problems.append(text("mup.bad_base_width", given=repr(base_width)))
    if remembered(model) is not None:
        problems.append(text("mup.already", model=type(model).__name__))
    problems += [*attention_problems(model), *layer_problems(model)]
    if base_number is None or problems:
        raise MupError(problems)
    base, widest = shapes_at(build, base_number), 2 * max(width, base_number)
    wider = shapes_at(build, widest)
    sides = sides_between(base, model, wider)
    check_wider(base, base_number, wider, widest)
    if problems := bare_problems(model, sides, inputs):
        raise MupError(problems)
    for scale, value in _scales(base, model).items():
        scale.value = value
    for name, module, key, _ in tensors(model):
        if isinstance(module, Readout) and key == "weight":
            module.input_scale = RULES["readout.input_scale"](sides[name])
    generator = None if seed is None else torch.Generator().manual_seed(int(seed))
    draw(model, sides, generator)
    remember(model, sides)
    return model


def _scales(base: nn.Module, model: nn.Module) -> dict[AttentionScale, float]:
    """Return the muP value of every attention scale."""
    sizes = {name: m.head_size for name, m in base.named_modules() if isinstance(m, AttentionScale)}
    scales = {}
    for name, module in model.named_modules():
        if isinstance(module, AttentionScale):
            factor = module.head_size / sizes[name]
            sides = Sides(name, "attention", (), factor, factor)
            scales[module] = AttentionScale(sizes[name]).value * RULES["attention.scale"](sides)
    return scales


def how_to_build(model: nn.Module, build: Build | None, width: int | None) -> tuple[Build, int]:
    """Return the function that builds a model at a width, and the model's width, or say what is missing."""
    if problems := model_problems(model):
        raise MupError(problems)
    build = getattr(model, "at_width", None) if build is None else build
    width = getattr(model, "width", None) if width is None else width
    if not callable(build):
        problems.append(text("mup.no_build", model=type(model).__name__))
    if whole(width) is None:
        problems.append(text("mup.no_width", model=type(model).__name__, given=repr(width)))
    if problems:
        raise MupError(problems)
    return cast(Build, build), int(cast(int, width))


def shapes_at(build: Build, width: int) -> nn.Module:
    """Return a model at a width whose tensors have shapes but no values, where torch can make one.

    Otherwise it is a usual model; torch's global generator is left as it was either way.
    """
    with torch.random.fork_rng(devices=[]):
        try:
            with torch.device("meta"):
                made: Any = build(width)
        except (NotImplementedError, RuntimeError, TypeError, ValueError, AttributeError):
            made = build(width)
    if problems := built_problems(made, width):
        raise MupError(problems)
    return cast(nn.Module, made)


def check_wider(small: nn.Module, width: int, wide: nn.Module, large: int) -> None:
    """Refuse a function that builds models of the same shapes at two widths."""
    if width != large and [p.shape for p in small.parameters()] == [p.shape for p in wide.parameters()]:
        raise MupError([text("mup.not_wider", width=width, large=large)])
