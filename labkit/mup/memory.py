"""What a prepared model remembers about itself: the sides of its tensors relative to its base model."""

from __future__ import annotations

from collections.abc import Mapping

from torch import nn

from labkit.mup.sides import Sides, tensors

_NAME = "width_sides"  # attribute of the model: name → sides; and of each parameter: its own


def remember(model: nn.Module, sides: Mapping[str, Sides]) -> None:
    """Keep the sides of a model's tensors, relative to its base model, on the model and on each parameter."""
    setattr(model, _NAME, dict(sides))
    for name, _, _, parameter in tensors(model):
        setattr(parameter, _NAME, sides[name])


def remembered(model: nn.Module) -> dict[str, Sides] | None:
    """Return what `remember` kept, or None for a model in the standard parametrisation."""
    return getattr(model, _NAME, None)


def sides_of(parameter: nn.Parameter) -> Sides | None:
    """Return the sides of a parameter of a prepared model, None for any other."""
    return getattr(parameter, _NAME, None)
