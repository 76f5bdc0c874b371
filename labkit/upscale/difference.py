"""How far apart what a small and a wide model compute is, layer by layer."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from labkit.messages import number, text
from labkit.mup.examples import outputs, watched
from labkit.upscale.copies import growth, spread

# Relative difference of outputs that rounding explains, by the bits of a real number.
_ROUNDING = {64: 1e-9, 32: 1e-3}

Blocks = Mapping[str, tuple[int, ...]]
Trace = list[tuple[str, str, Any]]  # layer, "inputs" or "outputs", the values


@dataclass(frozen=True)
class Difference:
    """Where two models part: the first layer, whether its "inputs" or "outputs", by how much (relative)."""

    layer: str
    what: str
    gap: float

    @property
    def weight(self) -> str:
        """The name of the layer's weight."""
        return f"{self.layer}.weight" if self.layer else "weight"

    def reason(self, model: nn.Module) -> str:
        """Return the sentence that says so."""
        name = self.layer or type(model).__name__
        what = text(f"upscale.{self.what}_of", name=name)
        return text("upscale.differs", what=what, gap=number(100 * self.gap))


def difference(
    small: nn.Module, wide: nn.Module, inputs: Any, blocks: Blocks, allowed: float
) -> Difference | None:
    """Return where two models part in evaluation mode by more than what is allowed, or None.

    Every layer is compared, what it reads and what it puts out, since weights that are still 0 hide all that
    comes before them. The layer is "" if only the models' own outputs differ.
    """
    traces = []
    for model in (small, wide):
        trace: Trace = []
        with watched(model, recorder(trace)):
            trace.append(("", "outputs", outputs(model, inputs)))
        traces.append(trace)
    return parting(traces[0], traces[1], allowed, blocks)


def recorder(trace: Trace) -> Any:
    """Return a function for `watched` that adds every layer's inputs and outputs to a trace."""

    def record(name: str, layer: nn.Module, given: Any, output: Any) -> None:
        trace.extend([(name, "inputs", given), (name, "outputs", output)])

    return record


def parting(ours: Trace, theirs: Trace, allowed: float, blocks: Blocks) -> Difference | None:
    """Return where the traces of a small and a wide model part by more than what is allowed, or None."""
    for (layer, what, mine), (_, _, other) in zip(ours, theirs, strict=True):
        block = blocks.get(f"{layer}.weight" if layer else "weight", (1, 1))[1] if what == "inputs" else 1
        pairs = zip(flat(mine), flat(other), strict=True)
        gap = max((relative_gap(as_wide(a, b, block), b) for a, b in pairs), default=0.0)
        if gap > allowed:
            return Difference(layer, what, gap)
    return None


def as_wide(small: Tensor, wide: Tensor, block: int = 1) -> Tensor:
    """Return a small layer's values with their units repeated as in the wide layer's, NaN if they cannot be.

    Parameters
    ----------
    block : entries of the last dimension that belong to one unit, see `spread`.
    """
    if small.shape == wide.shape:
        return small
    if growth(small.shape, wide.shape) is None:
        return torch.full(wide.shape, math.nan, device=wide.device)
    copies = torch.empty_like(wide)
    spread(small, copies, blocks=[*[1] * (small.dim() - 1), block])
    return copies


def relative_gap(ours: Any, theirs: Any) -> float:
    """Return the largest absolute difference of two outputs, over the largest absolute value of the first.

    Outputs are tensors, real or complex, or whatever `flat` takes apart. Not finite counts as infinite.
    """
    gaps = []
    for a, b in zip(flat(ours), flat(theirs), strict=True):
        if not is_continuous(a) or not a.numel():
            continue
        gap = largest(a - b)
        if gap:
            scale = largest(a)
            gaps.append(gap / scale if scale else math.inf)
    return max((gap if math.isfinite(gap) else math.inf for gap in gaps), default=0.0)


def largest(tensor: Tensor) -> float:
    """Return the largest absolute value of a tensor, 0 for an empty one, NaN if there is one."""
    if not tensor.numel():
        return 0.0
    low, high = torch.aminmax(tensor.abs() if tensor.is_complex() else tensor)
    return max(-float(low), float(high))


def flat(value: Any, detach: bool = True) -> list[Tensor]:
    """Return the tensors in a tensor, tuple, list, mapping or dataclass."""
    if isinstance(value, Tensor):
        return [value.detach() if detach else value]
    if isinstance(value, Mapping):
        items = list(value.values())
    elif dataclasses.is_dataclass(value):
        items = [getattr(value, field.name) for field in dataclasses.fields(value)]
    else:
        items = list(value) if isinstance(value, list | tuple) else []
    return [tensor for item in items for tensor in flat(item, detach)]


def is_continuous(tensor: Tensor) -> bool:
    """Return whether a tensor holds real or complex numbers, rather than whole ones."""
    return tensor.is_floating_point() or tensor.is_complex()


def least_precise(tensors: Iterable[Tensor]) -> torch.dtype:
    """Return the dtype that rounds most among those of the real and complex tensors; float32 for none."""
    dtypes = {tensor.dtype for tensor in tensors if is_continuous(tensor)}
    return max(dtypes, key=lambda dtype: torch.finfo(dtype).eps, default=torch.float32)


def rounding(dtype: torch.dtype) -> float:
    """Return the relative difference of outputs up to which two models in this dtype count as equal."""
    return _ROUNDING.get(torch.finfo(dtype).bits, 0.1)
