"""What the models have in common: each knows how it was made, and can be made at another width."""

from __future__ import annotations

from typing import Any, Self

from torch import nn


class Scalable(nn.Module):
    """A model of one architecture at many widths.

    Parameters
    ----------
    arguments : those of the subclass's constructor, all of them, "width" among them.

    Attributes
    ----------
    width : units of a layer; what grows when the model does.
    arguments : as given.
    """

    def __init__(self, **arguments: Any) -> None:
        super().__init__()
        self.width: int = arguments["width"]
        self.arguments = arguments

    def at_width(self, width: int) -> Self:
        """Return a fresh model that differs in its width alone, its weights drawn from torch's generator."""
        return type(self)(**self.arguments | {"width": width})


def parameter_count(model: nn.Module) -> int:
    """Return how many numbers the model learns."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
