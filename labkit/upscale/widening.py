"""Widen a model: the same function with several copies of every unit."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from labkit.messages import text
from labkit.mup.initial import init_std
from labkit.mup.layers import AttentionScale, Readout
from labkit.mup.memory import remember, remembered
from labkit.mup.rules import Rule, sides_between
from labkit.mup.sides import MupError, Sides, tensors
from labkit.upscale.copies import growth, spread
from labkit.upscale.errors import UpscaleError

_CHUNK = 2**16  # numbers of noise drawn at a time: they stay in the processor's cache
_STD_OF_INT16 = 2**16 / 12**0.5  # of whole numbers from -32768 to 32767, all equally likely

Blocks = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Pair:
    """A parameter of the small model and what it became."""

    small: nn.Parameter
    wide: nn.Parameter
    sides: Sides
    blocks: tuple[int, ...]


@dataclass(frozen=True)
class Widened:
    """A widened model, and which of its parameters came from which (each pair once, however often used)."""

    model: nn.Module
    pairs: list[Pair]


@torch.no_grad()
def fill(
    small: nn.Module,
    wide: nn.Module,
    rules: Mapping[str, Rule],
    blocks: Blocks,
    wider: nn.Module | None = None,
) -> Widened:
    """Turn `wide`, of which only the shapes and settings count, into the widened `small`.

    Parameters
    ----------
    small : the model, unchanged.
    wide : built at the large width; its tensors are replaced by new ones of the small tensors' kind, on their
        device.
    rules : as `labkit.mup.RULES`.
    blocks : tensor → entries that belong together, see `spread`; for those where it is not 1 everywhere.
    wider : a still wider model, if `wide` is as wide as `small`: shows the tensors' roles.

    Raises
    ------
    UpscaleError
        If tensors do not correspond, or do not grow by whole numbers. Lists all.
    """
    sides = corresponding(small, wide, wider)
    modules = dict(wide.named_modules())
    pairs: dict[int, Pair] = {}
    for name, module, key, parameter in tensors(small):
        prefix = name.rpartition(".")[0]
        if id(parameter) not in pairs:
            shape = sides[name].shape
            tensor = torch.empty(shape, dtype=parameter.dtype, device=parameter.device)
            factor = rules["weight"](sides[name])
            if isinstance(module, Readout) and key == "bias":
                factor = rules["readout.bias"](sides[f"{prefix}.weight" if prefix else "weight"])
            spread(parameter, tensor, factor, blocks.get(name, ()))
            new = nn.Parameter(tensor, requires_grad=parameter.requires_grad)
            pairs[id(parameter)] = Pair(parameter, new, sides[name], blocks.get(name, ()))
        modules[prefix]._parameters[key] = pairs[id(parameter)].wide
    for buffer_module, key, buffer in _buffers(small, modules):
        here = buffer_module._buffers[key]
        shape = buffer.shape if here is None else here.shape
        copy = torch.empty(shape, dtype=buffer.dtype, device=buffer.device)
        spread(buffer, copy)
        buffer_module._buffers[key] = copy
    _set_scales(small, modules, sides, rules)
    _remember(small, wide, sides)
    return Widened(wide, list(pairs.values()))


def corresponding(small: nn.Module, wide: nn.Module, wider: nn.Module | None) -> dict[str, Sides]:
    """Return the sides of the wide model's tensors relative to the small one's, or refuse as `fill` does."""
    try:
        sides = sides_between(small, wide, wider, tied_as=small)
    except MupError as error:
        raise UpscaleError(error.problems) from None
    problems = []
    shapes = [(name, parameter.shape, sides[name].shape) for name, *_, parameter in tensors(small)]
    buffers = dict(wide.named_buffers())
    for name, buffer in small.named_buffers():
        if name not in buffers:
            problems.append(text("upscale.no_buffer", name=name))
        else:
            shapes.append((name, buffer.shape, tuple(buffers[name].shape)))
    for name, before, after in shapes:
        if growth(before, after) is None:
            shapes_shown: dict[str, Any] = {"before": list(before), "after": list(after)}
            problems.append(text("upscale.not_divisible", name=name, **shapes_shown))
    if problems:
        raise UpscaleError(problems)
    return sides


def _buffers(small: nn.Module, modules: Mapping[str, nn.Module]) -> Iterator[tuple[nn.Module, str, Tensor]]:
    """Yield (the wide model's module, name, the small model's buffer) for every buffer."""
    for prefix, module in small.named_modules():
        for key, buffer in module._buffers.items():
            if buffer is not None:
                yield modules[prefix], key, buffer


def _set_scales(
    small: nn.Module,
    modules: Mapping[str, nn.Module],
    sides: Mapping[str, Sides],
    rules: Mapping[str, Rule],
) -> None:
    """Set the scales of the wide model's readouts and attention from those of the small one."""
    for name, module in small.named_modules():
        wide = modules[name]
        if isinstance(module, Readout) and isinstance(wide, Readout):
            weight = sides[f"{name}.weight" if name else "weight"]
            wide.input_scale = module.input_scale * rules["readout.input_scale"](weight)
        elif isinstance(module, AttentionScale) and isinstance(wide, AttentionScale):
            factor = wide.head_size / module.head_size
            head = Sides(name, "attention", (), factor, factor)
            wide.value = module.value * rules["attention.scale"](head)


def _remember(small: nn.Module, wide: nn.Module, sides: Mapping[str, Sides]) -> None:
    """Keep the wide model's sides relative to the small model's base, which may be the small model itself."""
    before = remembered(small) or {}
    total = {}
    for name, here in sides.items():
        if name in before:
            base = before[name]
            here = dataclasses.replace(  # noqa: PLW2901
                here, role=base.role, out=here.out * base.out, into=here.into * base.into
            )
        total[name] = here
    remember(wide, total)


def head_problems(small: nn.Module, wide: nn.Module, k: int | None) -> list[str]:
    """Return what is wrong with the heads of attention: they must stay, and each grow by a whole number."""
    modules = dict(wide.named_modules())
    problems = []
    for name, module in small.named_modules():
        new = modules.get(name)
        if isinstance(module, AttentionScale) and isinstance(new, AttentionScale):
            factor = new.head_size / module.head_size
            if factor != (int(factor) if k is None else k):
                words = {"name": name, "before": module.head_size, "after": new.head_size}
                problems.append(text("upscale.heads", **words))
    return problems


@torch.no_grad()
def add_noise(pairs: list[Pair], noise_std: float, seed: int) -> None:
    """Add a fresh muP initialisation of the wide model, times `noise_std`, to the weights that grew.

    Biases and norm layers get none, nor do output weights, which begin at 0 under muP. The noise is uniform
    (muP asks for its standard deviation alone): four numbers come from each 64 random bits, three times as
    fast as normal ones, and the same ones on every device.
    """
    generator = torch.Generator().manual_seed(seed)
    bits = torch.empty(_CHUNK // 4, dtype=torch.int64)
    for pair in pairs:
        std = init_std(pair.sides)
        if std and pair.sides.role != "fixed":
            numbers = pair.wide.detach()
            if numbers.is_complex():
                numbers, std = torch.view_as_real(numbers), std / 2**0.5
            for part in torch.split(numbers.view(-1), _CHUNK):
                noise = bits.random_(-(2**63), None, generator=generator).view(torch.int16)[: len(part)]
                part.add_(noise.to(part), alpha=std * noise_std / _STD_OF_INT16)
