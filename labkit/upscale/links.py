"""Which layers' units are the same units: found by watching one forward pass.

Layers that are added to one another, normalise one another or read one another share their units, and can
only grow by one factor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from labkit.mup.examples import outputs, watched
from labkit.mup.sides import is_known, tensors

# Layers whose outputs are the units of their inputs.
_SAME_UNITS = (
    nn.LayerNorm,
    nn.GroupNorm,
    nn.modules.batchnorm._NormBase,
    getattr(nn, "RMSNorm", nn.LayerNorm),
    nn.PReLU,
)


class Links:
    """Groups of units.

    Attributes
    ----------
    read : layer → the group that its input comes from, for layers that read units and not the model's inputs.
    """

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}
        self.read: dict[str, str] = {}

    def group(self, name: str) -> str:
        """Return the name that stands for a layer's units and all that are the same."""
        while name in self._parent:
            name = self._parent[name]
        return name

    def join(self, names: Iterable[str]) -> str | None:
        """Make several layers' units one group and return it, None for no names."""
        groups = [self.group(name) for name in names]
        for other in groups[1:]:
            if self.group(other) != self.group(groups[0]):
                self._parent[self.group(other)] = self.group(groups[0])
        return self.group(groups[0]) if groups else None


class _Watch(TorchFunctionMode):
    """Follow, through every torch function, which layers' units a tensor holds."""

    def __init__(self) -> None:
        super().__init__()
        self.sources: dict[int, frozenset[str]] = {}
        self.alive: list[Tensor] = []  # an id says nothing once its tensor is gone

    def of(self, value: Any) -> frozenset[str]:
        if isinstance(value, Tensor):
            return self.sources.get(id(value), frozenset())
        items = (
            value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
        )
        return frozenset().union(*(self.of(item) for item in items))

    def mark(self, value: Any, names: frozenset[str]) -> None:
        if isinstance(value, Tensor):
            self.alive.append(value)
            self.sources[id(value)] = names
        elif isinstance(value, list | tuple):
            for item in value:
                self.mark(item, names)

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        self.mark(result, self.of([*args, *(kwargs or {}).values()]))
        return result


def find_links(model: nn.Module, inputs: Any) -> Links:
    """Return which units of a model are the same.

    Parameters
    ----------
    model : run once, in evaluation mode.
    inputs : a tensor, or a tuple of arguments.
    """
    links, watch = Links(), _Watch()
    for name, module, _, parameter in tensors(model):
        watch.mark(parameter, frozenset([name.rpartition(".")[0] if is_known(module) else name]))

    def record(name: str, layer: nn.Module, given: Any, output: Any) -> None:
        read = links.join(sorted(watch.of(given)))
        if read is not None:
            links.read[name] = read
            alone = isinstance(layer, nn.modules.conv._ConvNd) and layer.groups == layer.in_channels > 1
            if isinstance(layer, _SAME_UNITS) or alone:
                links.join([read, name])
        watch.mark(output, frozenset([name]))

    with watched(model, record), watch:
        outputs(model, inputs)
    return links
