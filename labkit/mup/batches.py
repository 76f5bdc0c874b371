"""Batches and a loss from whatever a caller has: a workload's methods, a list of batches, a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from torch import Tensor, nn
from torch.nn import functional

from labkit.messages import text
from labkit.mup.sides import MupError

Batches = Callable[[int], Any] | Iterable[Any]
Loss = Callable[[nn.Module, Any], Tensor]


def at_step(batches: Batches) -> Callable[[int], Any]:
    """Return batches as a function of the step; a list or another iterable begins again at its end.

    Raises
    ------
    MupError
        If there are none.
    """
    if callable(batches):
        return batches
    listed = list(batches) if isinstance(batches, Iterable) else []
    if not listed:
        raise MupError([text("mup.no_batches", given=repr(batches))])
    return lambda step: listed[step % len(listed)]


def cross_entropy(model: nn.Module, batch: Any) -> Tensor:
    """Return the mean cross-entropy of a batch (inputs, classes), in nats.

    Outputs have shape (batch, classes) or, for sequences, (batch, positions, classes); classes (batch,) or
    (batch, positions).
    """
    inputs, classes = batch
    outputs: Tensor = model(inputs)
    return functional.cross_entropy(outputs.flatten(0, -2), classes.flatten())
