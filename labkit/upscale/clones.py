"""How alike the copies of a unit are."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from labkit.messages import text
from labkit.mup.examples import example, outputs, watched
from labkit.mup.given import model_problems, whole
from labkit.mup.memory import remembered
from labkit.upscale.errors import UpscaleError
from labkit.upscale.refusals import inputs_problems


def clones(model: nn.Module, k: int, inputs: Any = None, units: int = 64) -> dict[str, Tensor]:
    """Return how alike the units of each layer that grew are, the k copies of a unit side by side.

    Identical copies have correlation 1. Without noise they keep it for ever: the wider model is no richer.

    Parameters
    ----------
    model : widened by k.
    k : copies of each unit, the factor it was widened by; of other layers nothing is returned.
    inputs : examples, the more the better; by default 64 random ones, guessed from the model's first layer.
    units : the most units of a layer to compare.

    Returns
    -------
    Layer → correlations of its outputs over the examples (and positions), in evaluation mode, shape (units,
    units); NaN for a unit that never changes.

    Raises
    ------
    UpscaleError
        If the model is not one widened by k, or no inputs can be guessed. Lists what can be said.
    """
    problems = [*model_problems(model), *([] if whole(k) else [text("upscale.bad_factor", given=repr(k))])]
    if whole(units) is None:
        problems.append(text("upscale.bad_units", given=repr(units)))
    if problems:
        raise UpscaleError(problems)
    sides = remembered(model)
    if sides is None:
        raise UpscaleError([text("upscale.not_widened", model=type(model).__name__)])
    factors = {int(tensor.out) for tensor in sides.values() if "out" in tensor.dimensions}
    if all(factor % k for factor in factors):
        known = ", ".join(map(str, sorted(factors)))
        raise UpscaleError([text("upscale.other_factor", given=k, known=known)])
    inputs = example(model, count=64) if inputs is None else inputs
    if inputs is None:
        raise UpscaleError([text("upscale.no_inputs", model=type(model).__name__)])
    grown = {
        name.rpartition(".")[0]
        for name, tensor in sides.items()
        if "out" in tensor.dimensions and not tensor.out % k
    }
    found: dict[str, Tensor] = {}

    def record(name: str, layer: nn.Module, given: Any, output: Any) -> None:
        if name in grown and isinstance(output, Tensor):
            by_unit = output.movedim(1 if _channels_first(layer) else -1, 0).flatten(1)
            kind = torch.complex128 if by_unit.is_complex() else torch.float64
            found[name] = torch.corrcoef(by_unit[: units // k * k or k].to(kind)).real

    if problems := inputs_problems(model, inputs):
        raise UpscaleError(problems)
    with watched(model, record):
        outputs(model, inputs)
    return found


def _channels_first(module: nn.Module) -> bool:
    return isinstance(module, nn.modules.conv._ConvNd | nn.modules.batchnorm._NormBase | nn.GroupNorm)
