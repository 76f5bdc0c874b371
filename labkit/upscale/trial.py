"""Try a model's copies in training before its own values are used: those and its dtype hide much."""

from __future__ import annotations

import contextlib
import copy
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from labkit.messages import number, text
from labkit.mup.examples import UNSUITABLE, watched
from labkit.mup.initial import normal
from labkit.mup.rules import RULES
from labkit.upscale.copies import in_parts, spread
from labkit.upscale.difference import (
    Blocks,
    Trace,
    as_wide,
    flat,
    is_continuous,
    largest,
    least_precise,
    parting,
    recorder,
    rounding,
)
from labkit.upscale.errors import UpscaleError
from labkit.upscale.generic import converted, give_generic_values
from labkit.upscale.widening import Pair, Widened

# Relative difference of gradients that rounding explains, by the bits of a real number; of a tensor whose own
# gradient is small, such as a bias before a norm, relative to this share of the largest gradient.
_ROUNDING = {64: 1e-6, 32: 1e-2}
_SHARE = 1e-3


@dataclass(frozen=True)
class Probe:
    """A copy of a model to try with, in training mode if it runs in it, and two runs of it.

    Attributes
    ----------
    model : its weights generic, its numbers as precise as its code allows.
    inputs : that it runs on.
    precisions : dtypes to compare in, the first the model's own, the last the least precise in its forward
        pass.
    first, second : traces of the runs.
    outputs : tensors with gradients that the second run has put out.
    """

    model: nn.Module
    inputs: Any
    precisions: tuple[torch.dtype, ...]
    first: Trace
    second: Trace
    outputs: list[Tensor]


class _Precision(TorchFunctionMode):
    """Note the least precise dtype that any torch function returns."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[torch.dtype, Tensor] = {}

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        self.seen |= {tensor.dtype: tensor.new_empty(0) for tensor in _tensors(result)}
        return result


def probe(model: nn.Module, inputs: Any) -> Probe:
    """Return a copy of a model to try with: small weights or a rough dtype would hide what differs.

    It is in float64 if its code runs in that, else in float32 or, at last, in the model's own dtype. A model
    that does not run in training mode, as with batch norm and one example, is tried in evaluation mode.

    Raises
    ------
    UpscaleError
        If it does not run on the inputs, or returns no numbers to compare.
    """
    for dtype in (torch.float64, torch.float32, None):
        made, given = converted(copy.deepcopy(model), dtype), converted(inputs, dtype)
        give_generic_values(made)
        for training in (True, False):
            watch = _Precision()
            try:
                with _kept_generators(made):
                    with torch.no_grad(), watch:
                        first, _ = _traced(made.train(training), given)
                    second, found = _traced(made, given)
            except UNSUITABLE as error:
                reason = (str(error).splitlines() or [type(error).__name__])[0]
                continue
            if not any(is_continuous(tensor) for tensor in flat(first[-1][2])):
                raise UpscaleError([text("upscale.no_outputs", model=type(model).__name__)])
            weights = [*made.parameters()]
            dtypes = (least_precise(weights), least_precise([*weights, *watch.seen.values()]))
            return Probe(made, given, tuple(dict.fromkeys(dtypes)), first, second, found)
    raise UpscaleError([text("upscale.inputs_unsuitable", model=type(model).__name__, reason=reason)])


def random_problems(trial: Probe) -> list[str]:
    """Return what is wrong if two runs of a probe on the same inputs differ: it drops or draws at random."""
    parted = parting(trial.first, trial.second, rounding(trial.precisions[-1]), {})
    name = type(trial.model).__name__
    return [text("upscale.random", model=name, gap=number(100 * parted.gap))] if parted else []


def training_problems(trial: Probe, widened: Widened, blocks: Blocks) -> list[str]:
    """Return where a probe and its copies part on the way forward or, in their gradients, back.

    Warns if nothing parts, but the code of the model rounds so much that small differences would not show.

    Parameters
    ----------
    trial : from `probe`; gets gradients.
    widened : the probe's copies; get gradients.
    blocks : as in `fill`.
    """
    wide_model = widened.model
    modes = {module: module.training for module in wide_model.modules()}
    try:
        theirs, wide = _traced(wide_model.train(trial.model.training), trial.inputs)
        parted = [parting(trial.second, theirs, rounding(dtype), blocks) for dtype in trial.precisions]
    except UNSUITABLE as error:
        raise UpscaleError([text("upscale.cannot_run", reason=error)]) from error
    finally:
        for module, training in modes.items():
            module.training = training
    if parted[-1]:
        return [parted[-1].reason(trial.model)]
    try:
        _backward(trial.outputs, wide)
    except RuntimeError:  # some layers cannot in evaluation mode
        unequal: list[list[str]] = [[]]
    else:
        gaps = _unequal_gradients(widened.pairs)
        unequal = [_gradient_problems(gaps, dtype) for dtype in trial.precisions]
    exact = torch.finfo(trial.precisions[0]).bits == 64 and not parted[0] and not unequal[0]
    if not unequal[-1] and not exact:
        words = {"model": type(trial.model).__name__, "dtype": str(trial.precisions[-1]).split(".")[-1]}
        warnings.warn(text("upscale.low_precision", **words), stacklevel=2)
    return unequal[-1]


def _tensors(value: Any) -> list[Tensor]:
    return [tensor for tensor in flat(value) if is_continuous(tensor)]


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


def _dense(gradient: Tensor | None) -> Any:
    return gradient.to_dense() if gradient is not None and gradient.is_sparse else gradient


@torch.no_grad()
def _unequal_gradients(pairs: list[Pair]) -> list[tuple[str, float]]:
    """Return by how much the gradients of each tensor's copies differ from what `RULES` asks for (relative).

    The gradients are used up.
    """
    found = [(p, _dense(p.small.grad), _dense(p.wide.grad)) for p in pairs if p.small.grad is not None]
    sizes = [largest(gradient) for _, gradient, _ in found]
    floor = _SHARE * max(sizes, default=0.0)
    gaps = []
    for (pair, small, wide), size in zip(found, sizes, strict=True):
        factor = RULES["gradient"](pair.sides)
        scale = factor * max(size, floor)
        got = torch.zeros_like(pair.wide) if wide is None else wide
        apart = []
        for part, wide_part in in_parts(small, got, pair.blocks):
            expected = torch.empty_like(wide_part)
            spread(part, expected, factor, pair.blocks)
            apart.append(largest(expected.sub_(wide_part)))
        gap = max(apart) / scale if scale and all(map(math.isfinite, apart)) else math.inf
        gaps.append((pair.sides.name, gap if scale else 0.0))
        pair.small.grad = pair.wide.grad = None
    return gaps


def _gradient_problems(gaps: list[tuple[str, float]], dtype: torch.dtype) -> list[str]:
    """Return the last tensor, nearest to the cause, whose copies' gradients differ by more than rounding."""
    allowed = _ROUNDING.get(torch.finfo(dtype).bits, 0.3)
    wrong = [(name, gap) for name, gap in gaps if gap > allowed]
    return [text("upscale.gradient", name=name, gap=number(100 * gap)) for name, gap in wrong[-1:]]
