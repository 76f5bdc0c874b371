"""Which sides of a tensor grow with the width, and by how much: a tensor's role under muP.

A weight maps units *in* to units *out*. Each of the two sides either grows with the model's width or does
not, and that decides everything else (`labkit.mup.rules`). Nothing here lists tensors by hand: the sides are
found by comparing the shapes of models that differ in their width alone.
"""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Iterator
from dataclasses import dataclass

from torch import nn

from labkit.messages import text
from labkit.mup.layers import Readout

# What each dimension of a layer's parameter is: "out", "in", or "fixed", which must not grow. The last entry
# stands for all further dimensions. A layer class of your own may be added.
LAYOUTS: dict[type[nn.Module], dict[str, tuple[str, ...]]] = {
    nn.Linear: {"weight": ("out", "in"), "bias": ("out",)},
    nn.Bilinear: {"weight": ("out", "in"), "bias": ("out",)},
    nn.Conv1d: {"weight": ("out", "in", "fixed"), "bias": ("out",)},
    nn.Conv2d: {"weight": ("out", "in", "fixed"), "bias": ("out",)},
    nn.Conv3d: {"weight": ("out", "in", "fixed"), "bias": ("out",)},
    nn.ConvTranspose1d: {"weight": ("in", "out", "fixed"), "bias": ("out",)},
    nn.ConvTranspose2d: {"weight": ("in", "out", "fixed"), "bias": ("out",)},
    nn.ConvTranspose3d: {"weight": ("in", "out", "fixed"), "bias": ("out",)},
    nn.Embedding: {"weight": ("fixed", "out")},
    nn.EmbeddingBag: {"weight": ("fixed", "out")},
    nn.LayerNorm: {"weight": ("out",), "bias": ("out",)},
    nn.GroupNorm: {"weight": ("out",), "bias": ("out",)},
    nn.modules.batchnorm._NormBase: {"weight": ("out",), "bias": ("out",)},
    nn.PReLU: {"weight": ("out",)},
    nn.RNNBase: {"weight_*": ("out", "in"), "bias_*": ("out",)},
    nn.RNNCellBase: {"weight_*": ("out", "in"), "bias_*": ("out",)},
}
if hasattr(nn, "RMSNorm"):  # torch 2.4 and later
    LAYOUTS[nn.RMSNorm] = {"weight": ("out",)}

NORMS = (nn.LayerNorm, nn.GroupNorm, nn.modules.batchnorm._NormBase, getattr(nn, "RMSNorm", nn.LayerNorm))


class MupError(ValueError):
    """A model or an optimiser does not fit muP. `.problems` lists every reason as a sentence."""

    heading = "mup.cannot"

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join([text(self.heading), *(f"- {problem}" for problem in problems)]))

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook: the traceback leads only into labkit."""
        return str(self).splitlines()


@dataclass(frozen=True)
class Sides:
    """By how much each side of one tensor is larger than in another model, and what follows from that.

    Attributes
    ----------
    name : of the tensor in the model, such as "layers.0.weight".
    role : "input" (only the out side grows with the width), "hidden" (both), "output" (only the in side),
        "vector" (biases, gains and norms of width), "fixed" (nothing grows).
    shape : of the tensor in the larger model.
    out, into : factors of the two sides, 1 for a side that does not grow.
    fan_in : numbers that are summed for one output, 1 for an embedding, 0 for what is no layer's weight.
    readout : whether this is the weight of a `Readout`, which multiplies its input by a number of its own.
    dimensions : of each dimension, which side it belongs to; "fixed" if it does not grow with the width.
    """

    name: str
    role: str
    shape: tuple[int, ...]
    out: float = 1.0
    into: float = 1.0
    fan_in: int = 0
    readout: bool = False
    dimensions: tuple[str, ...] = ()


def tensors(model: nn.Module) -> Iterator[tuple[str, nn.Module, str, nn.Parameter]]:
    """Yield (name, module, the parameter's name in it, parameter) for every use of every parameter.

    A parameter that two modules share is yielded twice.
    """
    for prefix, module in model.named_modules():
        for key, parameter in module._parameters.items():
            if parameter is not None:
                yield (f"{prefix}.{key}" if prefix else key), module, key, parameter


def compare(small: nn.Module, large: nn.Module, wider: nn.Module | None = None) -> dict[str, Sides]:
    """Return the sides of every parameter of `large`, relative to `small`.

    Parameters
    ----------
    small, large : two models of one architecture; the shapes are all that counts.
    wider : a third one, wider than `large`, that shows what grows where `small` and `large` may be equally
        wide; by default `large` itself.

    Returns
    -------
    Name → sides, for every use of every parameter.

    Raises
    ------
    MupError
        If the models do not have the same parameters, or a parameter's growth has no rule. Lists all.
    """
    uses, small_uses, wider_uses = (
        {name: (module, key, tuple(tensor.shape)) for name, module, key, tensor in tensors(model)}
        for model in (large, small, large if wider is None else wider)
    )
    unknown = sorted(small_uses.keys() ^ uses.keys() | wider_uses.keys() ^ uses.keys())
    if unknown:
        raise MupError([text("mup.other_tensors", names=", ".join(unknown))])
    sides: dict[str, Sides] = {}
    problems: list[str] = []
    for name, (module, key, shape) in uses.items():
        three = (small_uses[name], uses[name], wider_uses[name])
        depthwise = all(_is_depthwise(layer) for layer, *_ in three)
        try:
            shapes = (small_uses[name][2], shape, wider_uses[name][2])
            sides[name] = _sides(name, module, key, shapes, depthwise)
        except MupError as error:
            problems += error.problems
    if problems:
        raise MupError(problems)
    return sides


def _is_depthwise(layer: nn.Module) -> bool:
    """Return whether a layer is a transposed convolution of each channel by itself."""
    transposed = isinstance(layer, nn.modules.conv._ConvTransposeNd)
    return transposed and layer.groups == layer.in_channels


def _sides(
    name: str, module: nn.Module, key: str, shapes: tuple[tuple[int, ...], ...], depthwise: bool
) -> Sides:
    """Return the sides of one tensor from its shapes in `compare`'s three models."""
    small, shape, wider = shapes
    if not len(shape) == len(small) == len(wider):
        raise MupError([text("mup.other_dimensions", name=name, one=list(small), other=list(shape))])
    grows = [len(set(sizes)) > 1 for sizes in zip(*shapes, strict=True)]
    kinds = _layout(name, module, key, shape, grows)
    if depthwise and key == "weight" and grows[0]:
        kinds = ("out", *["fixed"] * (len(shape) - 1))
    if any(grows[d] for d, kind in enumerate(kinds) if kind == "fixed"):
        raise MupError([text("mup.fixed_grows", name=name, one=list(small), other=list(wider))])
    if any(s == 0 != n for n, s in zip(shape, small, strict=True)):
        raise MupError([text("mup.empty", name=name, one=list(small))])
    factors = {
        kind: math.prod(
            n / max(s, 1) for k, n, s in zip(kinds, shape, small, strict=True) if k == kind and n != s
        )
        for kind in ("out", "in")
    }
    growing = {kind for kind, grown in zip(kinds, grows, strict=True) if grown}
    is_weight = "in" in kinds or (len(shape) > 1 and not isinstance(module, NORMS))
    return Sides(
        name,
        role=_role(growing, is_weight),
        shape=shape,
        out=factors["out"],
        into=factors["in"],
        fan_in=_fan_in(module, kinds, shape) if is_weight and is_known(module) else 0,
        readout=isinstance(module, Readout) and key == "weight",
        dimensions=tuple(kind if grown else "fixed" for kind, grown in zip(kinds, grows, strict=True)),
    )


def _role(growing: set[str], is_weight: bool) -> str:
    if growing == {"out", "in"}:
        return "hidden"
    if growing == {"in"}:
        return "output"
    if growing == {"out"}:
        return "input" if is_weight else "vector"
    return "fixed"


def _fan_in(module: nn.Module, kinds: tuple[str, ...], shape: tuple[int, ...]) -> int:
    """Return how many products are summed for one output: an embedding picks one row, so 1."""
    if isinstance(module, nn.modules.conv._ConvTransposeNd):
        return math.prod(shape[2:]) * module.in_channels // module.groups
    if "in" not in kinds:
        return 1
    return math.prod(n for kind, n in zip(kinds, shape, strict=True) if kind != "out")


def is_known(module: nn.Module) -> bool:
    """Return whether a module is one of the layers in `LAYOUTS`."""
    return any(kind in LAYOUTS for kind in type(module).__mro__)


def _layout(
    name: str, module: nn.Module, key: str, shape: tuple[int, ...], grows: list[bool]
) -> tuple[str, ...]:
    """Return what each dimension of a parameter is: "out", "in" or "fixed".

    A parameter of a module that is not in `LAYOUTS` counts as features that are added or multiplied entry by
    entry, such as positions or a gain, if only its last dimension grows or it has only one dimension.

    Raises
    ------
    MupError
        If the parameter has no place in `LAYOUTS` and does not look like that.
    """
    for kind in type(module).__mro__:
        for pattern, dimensions in LAYOUTS.get(kind, {}).items():
            if fnmatch.fnmatch(key, pattern):
                return (dimensions + dimensions[-1:] * len(shape))[: len(shape)]
    known = is_known(module)
    growing = [d for d, grown in enumerate(grows) if grown]
    if not growing and not known:
        return ("fixed",) * len(shape)
    alone = len(growing) == 1 and all(n == 1 for d, n in enumerate(shape) if d != growing[0])
    if not known and (growing == [len(shape) - 1] or alone):
        return tuple("out" if d == growing[0] else "fixed" for d in range(len(shape)))
    raise MupError([text("mup.no_layout", name=name, layer=type(module).__name__, shape=list(shape))])
