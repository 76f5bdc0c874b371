"""Try a model's copies in training before its own values are used: zeros and evaluation mode hide much."""

from __future__ import annotations

import contextlib
import copy
from typing import Any

import torch
from torch import Tensor, nn

from labkit.messages import number, text
from labkit.mup.examples import UNSUITABLE, watched
from labkit.mup.initial import normal
from labkit.mup.rules import RULES
from labkit.upscale.copies import spread
from labkit.upscale.difference import Blocks, Trace, as_wide, flat, parting, recorder, rounding
from labkit.upscale.errors import UpscaleError
from labkit.upscale.widening import Pair, Widened

# Relative difference of gradients that rounding explains, by a dtype's size in bytes; of a tensor whose own
# gradient is small, such as a bias before a norm, relative to this share of the largest gradient.
_ROUNDING = {8: 1e-6, 4: 1e-2}
_SHARE = 1e-3


def probe(model: nn.Module) -> nn.Module:
    """Return a copy of a model in training mode, random numbers where a tensor is 0: zeros hide much."""
    made = copy.deepcopy(model).train()
    luck = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in made.parameters():
            if parameter.is_floating_point() and parameter.numel() and not parameter.count_nonzero():
                fan_in = parameter.numel() // max(1, len(parameter)) if parameter.dim() else 1
                parameter.copy_(normal(parameter, 0.5 * fan_in**-0.5, luck))
    return made


def random_problems(trial: nn.Module, inputs: Any) -> list[str]:
    """Return what is wrong if two runs of a probe on the same inputs differ: it drops or draws at random.

    A probe that does not run in training mode, as with batch norm and one example, goes on in evaluation
    mode.
    """
    try:
        with torch.no_grad(), _kept_generators(trial):
            once, again = (_traced(trial, inputs)[0] for _ in range(2))
    except UNSUITABLE:
        trial.eval()
        return []
    parted = parting(once, again, rounding(trial), {})
    name = type(trial).__name__
    return [text("upscale.random", model=name, gap=number(100 * parted.gap))] if parted else []


def training_problems(trial: nn.Module, widened: Widened, inputs: Any, blocks: Blocks) -> list[str]:
    """Return where a probe and its copies part on the way forward or, in their gradients, back.

    Parameters
    ----------
    trial : from `probe`; gets gradients.
    widened : the probe's copies; get gradients.
    blocks : as in `fill`.
    """
    wide_model = widened.model
    ours, small = _traced(trial, inputs)
    modes = {module: module.training for module in wide_model.modules()}
    try:
        theirs, wide = _traced(wide_model.train(trial.training), inputs)
        parted = parting(ours, theirs, max(rounding(trial), rounding(wide_model)), blocks)
    except UNSUITABLE as error:
        raise UpscaleError([text("upscale.cannot_run", reason=error)]) from error
    finally:
        for module, training in modes.items():
            module.training = training
    if parted:
        return [parted.reason(trial)]
    try:
        _backward(small, wide)
    except RuntimeError:  # some layers cannot in evaluation mode
        return []
    return _gradient_problems(widened.pairs)


def _traced(model: nn.Module, inputs: Any) -> tuple[Trace, list[Tensor]]:
    """Return the trace of a run, and the outputs that have gradients."""
    trace: Trace = []
    with watched(model, recorder(trace)):
        output = model(*inputs) if isinstance(inputs, tuple) else model(inputs)
    trace.append(("", "outputs", output))
    return trace, [tensor for tensor in flat(output, detach=False) if tensor.requires_grad]


def _kept_generators(model: nn.Module) -> contextlib.AbstractContextManager[Any]:
    """Return a context after which torch's generators are as they were."""
    devices = {p.device.index or 0 for p in model.parameters() if p.device.type == "cuda"}
    return torch.random.fork_rng(devices=sorted(devices))


def _backward(small: list[Tensor], wide: list[Tensor]) -> None:
    """Give the parameters of both models the gradients of one random weighted sum of the outputs."""
    luck = torch.Generator().manual_seed(1)
    ours = [normal(output, 1.0, luck).to(output) for output in small]
    theirs = [as_wide(a, b) * (a.numel() / b.numel()) for a, b in zip(ours, wide, strict=True)]
    torch.autograd.backward(small, ours)
    torch.autograd.backward(wide, theirs)


@torch.no_grad()
def _gradient_problems(pairs: list[Pair]) -> list[str]:
    """Return the tensors whose copies' gradients are not those of the small one's as `RULES` has them."""
    found = [(p, p.small.grad, p.wide.grad) for p in pairs if p.small.grad is not None]
    floor = _SHARE * max((float(gradient.abs().max()) for _, gradient, _ in found), default=0.0)
    problems = []
    for pair, small, wide in found:
        factor = RULES["gradient"](pair.sides)
        expected = torch.empty_like(pair.wide)
        spread(small, expected, factor, pair.blocks)
        got = torch.zeros_like(expected) if wide is None else wide
        scale = max(float(expected.abs().max()), factor * floor)
        gap = float((got - expected).abs().max()) / scale if scale else 0.0
        if not gap <= _ROUNDING.get(small.element_size(), 0.3):
            problems.append(text("upscale.gradient", name=pair.sides.name, gap=number(100 * gap)))
    return problems[-1:]  # the last is nearest to the cause
