"""Widen different layers by different factors."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from labkit.messages import text
from labkit.mup.sides import Sides, compare, is_known, tensors
from labkit.upscale.errors import UpscaleError
from labkit.upscale.links import Links, find_links

# What a layer calls the numbers of its units.
_OUT = (
    *("out_features", "out_channels", "num_features", "num_channels", "num_parameters", "embedding_dim"),
    *("hidden_size", "proj_size"),
)
_IN = ("in_features", "in_channels", "input_size")


def resize(
    small: nn.Module, wide: nn.Module, reference: nn.Module, factors: Mapping[str, int], inputs: Any
) -> None:
    """Give the layers of `wide`, built for the factor of "*", the sizes that the other factors ask for.

    Parameters
    ----------
    small : the trained model.
    wide : built at the small width times the factor of "*" (1 if not given); changed in place, its values
        lost.
    reference : built at another width than `small`: shows what can grow at all.
    factors : pattern of layer names, such as "blocks.*.mlp.0" → growth factor of the layer's outputs. The
        first pattern that matches counts; "*" stands for all the others.
    inputs : that `small` accepts.

    Raises
    ------
    UpscaleError
        If a pattern matches no layer whose outputs can grow, or layers with the same units get different
        factors. Lists all.
    """
    sides = compare(small, reference)
    links = find_links(small, inputs)
    _join_shared(links, small, sides)
    chosen = _by_group(links, factors, _growing(small, sides))
    default = factors.get("*", 1)
    modules, references = dict(wide.named_modules()), dict(reference.named_modules())
    for name, module, key, parameter in tensors(small):
        unit = name.rpartition(".")[0]
        units = _units(links, name, module, key, sides[name])
        factors_of = [1 if u is None else chosen.get(links.group(u), default) for u in units]
        shape = [n * factor for n, factor in zip(parameter.shape, factors_of, strict=True)]
        modules[unit]._parameters[key] = nn.Parameter(torch.empty(shape, device="meta"))
    for name, module in small.named_modules():
        if is_known(module):
            out = chosen.get(links.group(name), default)
            into = chosen.get(links.group(links.read.get(name, "")), default)
            _set_sizes(module, modules[name], references[name], out, into)


def _units(links: Links, name: str, module: nn.Module, key: str, sides: Sides) -> list[str | None]:
    """Return whose units each dimension of a parameter stands for, None for one that does not grow."""
    layer = name.rpartition(".")[0]
    own = layer if is_known(module) else name
    recurrent = isinstance(module, nn.RNNBase | nn.RNNCellBase)
    again = recurrent and key not in ("weight_ih", "weight_ih_l0", "weight_ih_l0_reverse")  # reads its own
    read = own if again else links.read.get(layer, "")
    return [{"out": own, "in": read}.get(dimension) for dimension in sides.dimensions]


def _join_shared(links: Links, model: nn.Module, sides: Mapping[str, Sides]) -> None:
    """Join the units that the dimensions of a shared tensor stand for in each of its uses."""
    uses: dict[int, list[list[str | None]]] = {}
    for name, module, key, parameter in tensors(model):
        uses.setdefault(id(parameter), []).append(_units(links, name, module, key, sides[name]))
    for same in uses.values():
        for units in zip(*same, strict=True):
            links.join([unit for unit in units if unit])


def _growing(model: nn.Module, sides: Mapping[str, Sides]) -> list[str]:
    """Return the layers, and single parameters, whose out side grows with the width."""
    names = {
        name.rpartition(".")[0] if is_known(module) else name: None
        for name, module, *_ in tensors(model)
        if "out" in sides[name].dimensions
    }
    return list(names)


def _by_group(links: Links, factors: Mapping[str, int], growing: list[str]) -> dict[str, int]:
    """Return the factor of each group of units for which one is given."""
    asked: dict[str, dict[str, int]] = {}
    unused = {pattern for pattern in factors if pattern != "*"}
    for name in growing:
        matching = [p for p in factors if p != "*" and fnmatch.fnmatch(name, p)]
        unused -= set(matching)
        if matching:
            asked.setdefault(links.group(name), {})[name] = factors[matching[0]]
    problems = [text("upscale.no_layer", pattern=p, known=", ".join(growing)) for p in sorted(unused)]
    for layers in asked.values():
        if len(set(layers.values())) > 1:
            shown = ", ".join(f"{name} × {factor}" for name, factor in layers.items())
            problems.append(text("upscale.same_units", layers=shown))
    if problems:
        raise UpscaleError(problems)
    return {group: next(iter(layers.values())) for group, layers in asked.items()}


def _set_sizes(old: nn.Module, new: nn.Module, reference: nn.Module, out: int, into: int) -> None:
    """Set what a layer knows of its own sizes, and the shapes of its buffers."""
    for names, factor in ((_OUT, out), (_IN, into)):
        for name in names:
            size = getattr(old, name, None)
            if isinstance(size, int) and size != getattr(reference, name):
                setattr(new, name, size * factor)
    if isinstance(old, nn.modules.conv._ConvNd) and old.groups != getattr(reference, "groups", None):
        setattr(new, "groups", old.groups * into)  # noqa: B010 - one group for each channel
    shape = getattr(old, "normalized_shape", None)
    if isinstance(shape, tuple):
        grown: Any = getattr(reference, "normalized_shape", shape)
        sizes = tuple(n * out if n != g else n for n, g in zip(shape, grown, strict=True))
        setattr(new, "normalized_shape", sizes)  # noqa: B010
    for key, buffer in old._buffers.items():
        grown = reference._buffers[key]
        if buffer is not None and grown is not None:
            sizes = tuple(n * out if n != g else n for n, g in zip(buffer.shape, grown.shape, strict=True))
            new._buffers[key] = torch.empty(sizes, device="meta")
