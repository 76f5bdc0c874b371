"""How alike the copies of a unit are."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from labkit.messages import text
from labkit.mup.examples import example, outputs
from labkit.mup.memory import remembered
from labkit.mup.sides import is_known
from labkit.upscale.errors import UpscaleError


def clones(model: nn.Module, k: int, inputs: Any = None, units: int = 64) -> dict[str, Tensor]:
    """Return how alike the units of each layer that grew are, the k copies of a unit side by side.

    Identical copies have correlation 1. Without noise they keep it for ever: the wider model is no richer.

    Parameters
    ----------
    model : widened by k.
    k : copies of each unit.
    inputs : examples, the more the better; by default 64 random ones, guessed from the model's first layer.
    units : the most units of a layer to compare.

    Returns
    -------
    Layer → correlations of its outputs over the examples (and positions), in evaluation mode, shape (units,
    units); NaN for a unit that never changes.

    Raises
    ------
    UpscaleError
        If the model is not a widened one, or no inputs can be guessed.
    """
    sides = remembered(model)
    if sides is None:
        raise UpscaleError([text("upscale.not_widened", model=type(model).__name__)])
    inputs = example(model, count=64) if inputs is None else inputs
    if inputs is None:
        raise UpscaleError([text("upscale.no_inputs", model=type(model).__name__)])
    grown = {name.rpartition(".")[0] for name, tensor in sides.items() if "out" in tensor.dimensions}
    found: dict[str, Tensor] = {}

    def watch(name: str, convolution: bool) -> Any:
        def record(module: nn.Module, given: Any, output: Any) -> None:
            if isinstance(output, Tensor):
                by_unit = output.movedim(1 if convolution else -1, 0).flatten(1)
                found[name] = torch.corrcoef(by_unit[: units // k * k or k].double())

        return record

    handles = [
        module.register_forward_hook(watch(name, _channels_first(module)))
        for name, module in model.named_modules()
        if name in grown and is_known(module)
    ]
    try:
        outputs(model, inputs)
    finally:
        for handle in handles:
            handle.remove()
    return found


def _channels_first(module: nn.Module) -> bool:
    return isinstance(module, nn.modules.conv._ConvNd | nn.modules.batchnorm._NormBase | nn.GroupNorm)
