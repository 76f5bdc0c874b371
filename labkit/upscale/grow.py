"""`widen` and `upscale`: refuse what cannot work, build the wide model, fill it, compare the two."""

from __future__ import annotations

import dataclasses
import math
import numbers
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from labkit.messages import text
from labkit.mup import RULES, MupError, check_optimizer
from labkit.mup.examples import example
from labkit.mup.given import model_problems, optimizer_problems, seed_problems, whole
from labkit.mup.prepare import Build, check_wider, how_to_build, shapes_at
from labkit.mup.rules import Rule
from labkit.upscale import refusals, trial
from labkit.upscale.difference import Blocks, Difference, difference, least_precise, rounding
from labkit.upscale.errors import UpscaleError
from labkit.upscale.state import unfit_optimizer, widen_optimizer
from labkit.upscale.unequal import resize
from labkit.upscale.widening import Widened, add_noise, corresponding, fill, head_problems

Model = TypeVar("Model", bound=nn.Module)
Factor = int | Mapping[str, int] | nn.Module


def widen(
    model: Model,
    k: Factor,
    *,
    build: Build | None = None,
    width: int | None = None,
    inputs: Any = None,
    rules: Mapping[str, Rule] | None = None,
) -> Model:
    """Return a model k times as wide that computes the same function: every unit becomes k equal copies.

    The small model is left as it is. The wide one is under muP (see `labkit.mup`): its base is the small
    model's own, or the small model itself if that is in the standard parametrisation.

    Parameters
    ----------
    model : trained or not; one of labkit's models or your own, built from the layers in `labkit.mup.LAYOUTS`.
    k : a whole number; or pattern of layer names → factor of the units that these layers put out, such as
        `{"blocks.*.mlp.0": 3, "*": 2}`; or a fresh model of the same architecture and any larger widths.
    build : returns a fresh model at the width that it is called with, of the same layers, heads, groups and
        tensors: only sizes may change; by default `model.at_width`. Its values do not matter.
    width : the model's width, for which `build` gives the model's own shapes; by default `model.width`.
        Layers grown by different factors have no width: give as k a model of the shapes that you want.
    inputs : a tensor, or a tuple of arguments, that the model accepts. Both models are compared on it; by
        default on inputs guessed from the first layer. Needed where no guess suits the model.
    rules : by default `labkit.mup.RULES`; other rules are for showing what goes wrong, and nothing is then
        compared.

    Raises
    ------
    UpscaleError
        If anything would make the two models differ, now or in training. Lists every reason.

    Warns
    -----
    UserWarning
        If the model's code does not run in float64, so that small differences would go unseen.
    """
    return cast(
        Model, _grow(_Request(model, k, build, width, inputs, RULES if rules is None else rules)).model
    )


def upscale(
    model: Model,
    optimizer: Optimizer,
    k: Factor,
    noise_std: float = 0.0,
    seed: int = 0,
    *,
    build: Build | None = None,
    width: int | None = None,
    inputs: Any = None,
    rules: Mapping[str, Rule] | None = None,
) -> tuple[Model, Optimizer]:
    """Return a model k times as wide and its optimiser, ready to carry on training.

    Without noise the wide model computes the same function as the small one would after every further
    training step (Ma et al., arXiv 2602.10545), and its copies stay equal for ever. Noise lets them part: a
    fresh muP initialisation times `noise_std` is added to the weights. A scheduler is made anew for the wide
    optimiser, from its groups' `initial_lr`.

    Parameters
    ----------
    model, k, build, width, inputs, rules : as in `widen`.
    optimizer : SGD, Adam or AdamW of the model's parameters, its state included; unchanged.
    noise_std : size of the noise relative to a fresh initialisation, 0 or more.
    seed : of the noise.

    Raises
    ------
    UpscaleError
        If anything would make the two models differ, now or in training. Lists every reason.
    """
    _refuse([*seed_problems(seed), *optimizer_problems(optimizer)])
    widened = _grow(
        _Request(model, k, build, width, inputs, RULES if rules is None else rules), optimizer, noise_std
    )
    wide_optimizer = widen_optimizer(optimizer, widened, RULES if rules is None else rules)
    if noise_std:
        add_noise(widened.pairs, float(noise_std), int(seed))
    return cast(Model, widened.model), wide_optimizer


@dataclass(frozen=True)
class _Request:
    """What `widen` was asked for."""

    model: nn.Module
    k: Any
    build: Build | None
    width: int | None
    inputs: Any
    rules: Mapping[str, Rule]


def _grow(asked: _Request, optimizer: Optimizer | None = None, noise_std: Any = 0.0) -> Widened:
    """Return the wide model without noise, or refuse with every reason that is found."""
    model = asked.model
    _refuse(model_problems(model))
    problems = [*refusals.structural(model), *_factor_problems(asked.k)]
    is_number = not isinstance(noise_std, bool) and isinstance(noise_std, numbers.Real)
    if not is_number or not 0 <= float(noise_std) < math.inf:
        problems.append(text("upscale.bad_noise", given=repr(noise_std)))
    if optimizer is not None:
        problems += unfit_optimizer(optimizer, {id(p) for p in model.parameters()})
        problems += _mixed_up(model, optimizer)
    build, width = asked.build, asked.width
    if not isinstance(asked.k, nn.Module):
        try:
            build, width = how_to_build(model, build, width)
        except MupError as error:
            problems += error.problems
    if problems:
        raise UpscaleError(problems)
    inputs = example(model) if asked.inputs is None else asked.inputs
    _refuse([] if asked.inputs is None else refusals.inputs_problems(model, inputs))
    try:
        plan = _build(asked, build, width, inputs)
    except MupError as error:
        raise UpscaleError(error.problems) from None
    if asked.rules is not RULES:
        return fill(model, plan.wide, asked.rules, {}, plan.wider)
    if inputs is None:
        raise UpscaleError(_unknown_inputs(model, plan))
    blocks = _tried(model, plan, inputs)
    done = dataclasses.replace(plan, trial=plan.wide)  # the trial need not be kept
    del plan
    return _compared(asked, done, inputs, blocks)


def _factor_problems(k: Any) -> list[str]:
    """Return what is wrong with the growth factor or factors."""
    factors = list(k.values()) if isinstance(k, Mapping) else [] if isinstance(k, nn.Module) else [k]
    if isinstance(k, Mapping) and not k:
        factors = [k]
    return [text("upscale.bad_factor", given=repr(factor)) for factor in factors if whole(factor) is None]


def _mixed_up(model: nn.Module, optimizer: Optimizer) -> list[str]:
    try:
        check_optimizer(model, optimizer)
    except MupError as error:
        return error.problems
    return []


@dataclass(frozen=True)
class _Plan:
    """Models, all but their values: the wide one, one to try with, and a still wider one to tell roles."""

    wide: nn.Module
    trial: nn.Module
    wider: nn.Module | None = None


def _build(asked: _Request, build: Build | None, width: int | None, inputs: Any) -> _Plan:
    model, k = asked.model, asked.k
    if build is None or width is None:  # a wide model was given
        _refuse(refusals.other_layers(model, k))
        _refuse(refusals.between(model, model, k) + head_problems(model, k, None))
        return _Plan(k, k)
    fresh = shapes_at(build, width)
    _refuse(refusals.other_width(model, fresh, width))
    if isinstance(k, nn.Module):
        wide, factor = k, None
    else:
        factor = int(k.get("*", 1) if isinstance(k, Mapping) else k)
        wide = _without_values(build, width * factor)
    _refuse(refusals.other_layers(model, wide))
    if factor is not None:
        check_wider(fresh, width, wide, width * factor)
    _refuse(refusals.between(model, fresh, wide) + head_problems(model, wide, factor))
    refusals.keep_settings(model, fresh, wide)
    if factor == k != 1:
        double = wide if k == 2 else _without_values(build, 2 * width)  # twice as wide shows as much
        refusals.keep_settings(model, fresh, double)
        return _Plan(wide, double)
    wider = shapes_at(build, 2 * width)
    check_wider(fresh, width, wider, 2 * width)
    if isinstance(k, Mapping):
        if inputs is None:
            raise UpscaleError([text("upscale.no_inputs", model=type(model).__name__)])
        resize(model, wide, wider, {name: int(factor) for name, factor in k.items()}, inputs)
    return _Plan(wide, wide, wider)


def _refuse(problems: list[str]) -> None:
    if problems:
        raise UpscaleError(problems)


def _without_values(build: Build, width: int) -> nn.Module:
    """Return a model at a width, without spending time and memory on first weights if that is possible."""
    made = shapes_at(build, width)
    if any(isinstance(value, Tensor) and value.is_meta for m in made.modules() for value in vars(m).values()):
        with torch.random.fork_rng(devices=[]):  # tensors that are no buffers need their values
            return build(width)
    return made


def _tried(small: nn.Module, plan: _Plan, inputs: Any) -> dict[str, tuple[int, ...]]:
    """Return which weights read flattened images (see `fill`) once copies train as they should, or refuse."""
    probe = trial.probe(small, inputs)
    _refuse(trial.random_problems(probe))
    flattened = dict(_flattened(small))
    blocks: dict[str, tuple[int, ...]] = {}
    widened = fill(probe.model, plan.trial, RULES, blocks, plan.wider)
    allowed = rounding(probe.precisions[-1])
    parted = _difference(probe.model, plan.trial, probe.inputs, blocks, allowed) if flattened else None
    while parted and parted.weight in flattened:
        blocks[parted.weight] = flattened.pop(parted.weight)
        widened = fill(probe.model, plan.trial, RULES, blocks, plan.wider)
        parted = _difference(probe.model, plan.trial, probe.inputs, blocks, allowed)
    _refuse([parted.reason(small)] if parted else [])
    _refuse(trial.training_problems(probe, widened, blocks))
    return blocks


def _unknown_inputs(model: nn.Module, plan: _Plan) -> list[str]:
    """Return why nothing can be compared where no inputs can be guessed, after what is wrong without any."""
    flattened, name = ", ".join(dict(_flattened(model))), type(model).__name__
    ask = text("upscale.flattened", names=flattened) if flattened else text("upscale.no_inputs", model=name)
    try:
        corresponding(model, plan.wide, plan.wider)
    except UpscaleError as error:
        return [*error.problems, ask]
    return [ask]


def _compared(asked: _Request, plan: _Plan, inputs: Any, blocks: dict[str, tuple[int, ...]]) -> Widened:
    """Return the widened model, whose outputs are those of the small one, or refuse."""
    widened = fill(asked.model, plan.wide, asked.rules, blocks, plan.wider)
    allowed = rounding(least_precise([*asked.model.parameters(), *widened.model.parameters()]))
    parted = _difference(asked.model, widened.model, inputs, blocks, allowed)
    _refuse([parted.reason(asked.model)] if parted else [])
    return widened


def _difference(
    small: nn.Module, wide: nn.Module, inputs: Any, blocks: Blocks, allowed: float
) -> Difference | None:
    try:
        return difference(small, wide, inputs, blocks, allowed)
    except (RuntimeError, ValueError, TypeError, IndexError) as error:
        raise UpscaleError([text("upscale.cannot_run", reason=error)]) from error


def _flattened(model: nn.Module) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the weights of linear layers that may read flattened images: name, positions of one channel."""
    channels = 0
    for name, module in model.named_modules():
        if isinstance(module, nn.modules.conv._ConvNd):
            channels = module.out_channels
        elif isinstance(module, nn.Linear) and channels:
            if module.in_features > channels and module.in_features % channels == 0:
                yield f"{name}.weight" if name else "weight", (1, module.in_features // channels)
            channels = 0
