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
_OUT = ("out_features", "out_channels", "num_features", "num_channels", "num_parameters", "embedding_dim")
_IN = ("in_features", "in_channels")


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
    chosen = _by_group(links, factors, _growing(small, sides))
    default = factors.get("*", 1)
    modules, references = dict(wide.named_modules()), dict(reference.named_modules())
    for name, module, key, parameter in tensors(small):
        unit = name.rpartition(".")[0]
        amounts = {
            "out": chosen.get(links.group(unit if is_known(module) else name), default),
            "in": chosen.get(links.group(links.read.get(unit, "")), default),
            "fixed": 1,
        }
        shape = [n * amounts[d] for n, d in zip(parameter.shape, sides[name].dimensions, strict=True)]
        modules[unit]._parameters[key] = nn.Parameter(torch.empty(shape, device="meta"))
    for name, module in small.named_modules():
        if is_known(module):
            out = chosen.get(links.group(name), default)
            into = chosen.get(links.group(links.read.get(name, "")), default)
            _set_sizes(module, modules[name], references[name], out, into)


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
