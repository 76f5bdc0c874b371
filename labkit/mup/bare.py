"""Whether parameters outside known layers are features, entry by entry, or weights of a product."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from labkit.messages import text
from labkit.mup.examples import UNSUITABLE, example, outputs
from labkit.mup.sides import Sides, is_known, tensors

# Names of torch's functions and methods that sum products of two tensors' entries.
_PRODUCTS = {
    *(
        "matmul",
        "__matmul__",
        "__rmatmul__",
        "mm",
        "bmm",
        "mv",
        "dot",
        "vdot",
        "inner",
        "einsum",
        "tensordot",
    ),
    *("linear", "bilinear", "addmm", "addmv", "addbmm", "baddbmm", "multi_dot", "cdist"),
    *("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
    *("scaled_dot_product_attention", "linalg_matmul", "linalg_vecdot", "linalg_multi_dot"),
}


class _Products(TorchFunctionMode):
    """Note which of some parameters, or views of one, are multiplied by anything but a known layer's weight.

    Attributes
    ----------
    names : of the parameters, by the `id` of each and of each tensor made from it alone.
    found : names of those multiplied.
    """

    def __init__(self, names: dict[int, str], weights: set[int]) -> None:
        super().__init__()
        self.names, self.weights, self.found = names, weights, set[str]()
        self._alive: list[Tensor] = []  # an id says nothing once its tensor is gone

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        given = _tensors([*args, *(kwargs or {}).values()])
        names = {self.names[id(tensor)] for tensor in given if id(tensor) in self.names}
        if not names:
            return result
        if getattr(func, "__name__", "") in _PRODUCTS:
            if not any(id(tensor) in self.weights for tensor in given):
                self.found |= names
        elif len(given) == 1 and isinstance(result, Tensor):
            self._alive.append(result)
            self.names[id(result)] = names.pop()
        return result


def bare_problems(model: nn.Module, sides: Mapping[str, Sides], inputs: Any = None) -> list[str]:
    """Return which parameters outside known layers are no features that are added or multiplied one by one.

    Parameters
    ----------
    model : run once in evaluation mode, if it has such parameters.
    sides : of its tensors, in which such parameters count as features.
    inputs : that the model accepts, by default guessed; without any, those of one dimension are let pass.
    """
    uses = {n: (module, p) for n, module, _, p in tensors(model) if not is_known(module)}
    bare = {name: use for name, use in uses.items() if sides[name].role in ("input", "vector")}
    if not bare:
        return []
    inputs = example(model) if inputs is None else inputs
    weights = {id(p) for _, module, _, p in tensors(model) if is_known(module)}
    watch = _Products({id(parameter): name for name, (_, parameter) in bare.items()}, weights)
    try:
        if inputs is not None:
            with watch:
                outputs(model, inputs)
    except UNSUITABLE:
        inputs = None
    if inputs is None:
        names = [name for name, (_, p) in bare.items() if sum(n > 1 for n in p.shape) > 1]
        words = {"names": ", ".join(names), "model": type(model).__name__}
        return [text("mup.bare", **words)] if names else []
    problems = []
    for name in sorted(watch.found):
        layer, parameter = bare[name]
        shape: Any = list(parameter.shape)
        problems.append(text("mup.no_layout", name=name, layer=type(layer).__name__, shape=shape))
    return problems


def _tensors(values: list[Any]) -> list[Tensor]:
    nested = [_tensors([*value]) for value in values if isinstance(value, list | tuple)]
    return [value for value in values if isinstance(value, Tensor)] + [t for found in nested for t in found]
