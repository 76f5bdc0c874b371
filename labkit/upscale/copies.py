"""Repeat the entries of a tensor: every unit becomes several neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

_CHUNK = 2**17  # numbers written at a time: they stay in the processor's cache


def spread(small: Tensor, wide: Tensor, factor: float = 1.0, blocks: Sequence[int] = ()) -> None:
    """Fill a wide tensor with copies of a small one's entries, times a factor.

    In each dimension u1 u2 .. becomes u1 u1 .. u2 u2 .. as often as the shapes say. The wide tensor is
    written once, some rows at a time, and nothing else of its size is made.

    Parameters
    ----------
    small : shape (n1, n2, ..).
    wide : shape (k1 * n1, k2 * n2, ..), overwritten.
    blocks : for each dimension how many neighbouring entries belong to one unit and are repeated together, 1
        where not given (a layer that reads flattened images has one block of positions for each channel).
    """
    for part, wide_part in in_parts(small, wide, blocks):
        _spread(part, wide_part, factor, blocks)


def in_parts(small: Tensor, wide: Tensor, blocks: Sequence[int] = ()) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield some rows of a small tensor with those of the wide one that they become, as `spread` has them."""
    if small.dim() < 2 or not small.numel() or (blocks and blocks[0] != 1):
        yield small, wide
        return
    rows = max(1, _CHUNK * len(small) // wide.numel())
    wide_rows = rows * (len(wide) // len(small))
    yield from zip(torch.split(small, rows), torch.split(wide, wide_rows), strict=True)


def _spread(small: Tensor, wide: Tensor, factor: float, blocks: Sequence[int]) -> None:
    x = small if factor == 1 else small * factor
    sizes = list(zip(small.shape, wide.shape, [*blocks, *[1] * small.dim()], strict=False))
    for dimension in range(small.dim() - 1, 0, -1):
        n, wide_n, block = sizes[dimension]
        if wide_n != n:
            units = torch.unflatten(x, dimension, (n // block, block))
            shape = [*units.shape]
            shape.insert(dimension + 1, wide_n // n)
            copies = x.new_empty(shape)
            for number in range(wide_n // n):
                copies.select(dimension + 1, number).copy_(units)
            x = copies.flatten(dimension, dimension + 2)
    if not small.dim():
        wide.copy_(x)
        return
    n, wide_n, block = sizes[0]
    shape = [n // block, wide_n // n, block, *wide.shape[1:]]
    wide.view(shape).copy_(torch.unflatten(x, 0, (n // block, 1, block)).expand(shape))


def growth(small: Sequence[int], wide: Sequence[int]) -> tuple[int, ...] | None:
    """Return by how much each dimension grows, None unless all by whole numbers."""
    if len(small) != len(wide) or any(w < n or w % max(n, 1) for n, w in zip(small, wide, strict=True)):
        return None
    return tuple(w // max(n, 1) for n, w in zip(small, wide, strict=True))
