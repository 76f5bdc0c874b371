"""Look inside a model that somebody else wrote: inputs guessed from its first layer, layers watched."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from labkit.mup.sides import is_known

# What a model may say when an example does not suit it.
UNSUITABLE = (RuntimeError, ValueError, TypeError, IndexError, AttributeError, NotImplementedError, KeyError)


def example(model: nn.Module, count: int = 2, seed: int = 0) -> Tensor | None:
    """Return inputs that the model accepts, or None if no guess suits it.

    Parameters
    ----------
    model : asked in evaluation mode, without gradients; its state does not change.
    count : number of examples.
    seed : of their values.
    """
    first = next((m for m in model.modules() if is_known(m) and next(m.parameters(), None) is not None), None)
    if first is None:
        return None
    for guess in _guesses(first, count, torch.Generator().manual_seed(seed)):
        weight = next(first.parameters())
        inputs = guess.to(
            weight.device, weight.dtype if guess.is_floating_point() or guess.is_complex() else None
        )
        try:
            outputs(model, inputs)
        except UNSUITABLE:
            continue
        return inputs
    return None


def _guesses(first: nn.Module, count: int, luck: torch.Generator) -> list[Tensor]:
    if isinstance(first, nn.Embedding | nn.EmbeddingBag):
        return [torch.randint(first.num_embeddings, (count, 2), generator=luck)]
    shapes: list[tuple[int, ...]] = []
    if isinstance(first, nn.Linear):
        shapes = [(count, first.in_features), (count, 3, first.in_features)]
    elif isinstance(first, nn.RNNBase | nn.RNNCellBase):
        shapes = [(count, 3, first.input_size), (count, first.input_size)]
    elif isinstance(first, nn.modules.conv._ConvNd):
        sides = first.weight.dim() - 2
        shapes = [(count, first.in_channels, *[n] * sides) for n in (8, 28, 32, 40, 64)]
    dtype = torch.complex64 if shapes and next(first.parameters()).is_complex() else torch.float32
    return [torch.randn(shape, generator=luck, dtype=dtype) for shape in shapes]


@torch.no_grad()
def outputs(model: nn.Module, inputs: Any) -> Any:
    """Return what a model gives in evaluation mode for inputs, a tensor or a tuple of arguments."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.random.fork_rng(devices=[]):
            return model(*inputs) if isinstance(inputs, tuple) else model(inputs)
    finally:
        for module, training in modes.items():
            module.training = training


def inputs_in(model: nn.Module, batch: Any) -> Any:
    """Return the inputs in a batch, or None if the model does not run on what comes first in it."""
    inputs = batch[0] if isinstance(batch, tuple | list) and batch else batch
    try:
        outputs(model, inputs)
    except UNSUITABLE:
        return None
    return inputs


@contextlib.contextmanager
def watched(model: nn.Module, record: Callable[[str, nn.Module, Any, Any], None]) -> Iterator[None]:
    """Call `record(name, layer, inputs, output)` each time one of the layers that labkit knows is used."""

    def hook(name: str) -> Callable[[nn.Module, Any, Any], None]:
        return lambda layer, inputs, output: record(name, layer, inputs, output)

    handles = [m.register_forward_hook(hook(name)) for name, m in model.named_modules() if is_known(m)]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
