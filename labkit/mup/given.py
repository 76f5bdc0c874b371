"""What callers give: whole numbers of any library, models, names of optimisers; and what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from torch import Tensor, nn
from torch.nn.parameter import is_lazy
from torch.nn.utils import parametrize
from torch.optim import SGD, Adam, AdamW, Optimizer

from labkit.messages import text
from labkit.mup.layers import AttentionScale
from labkit.mup.memory import WRAPPERS, remembered
from labkit.mup.sides import tensors

CLASSES: dict[str, type[Optimizer]] = {"sgd": SGD, "adam": Adam, "adamw": AdamW}


def whole(value: Any, least: int = 1) -> int | None:
    """Return a whole number, of Python or numpy, as an int; None for anything else or one below `least`."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        return None
    return int(value) if int(value) >= least else None


def wholes(values: Any, least: int = 1) -> list[int]:
    """Return a list, range or array of whole numbers as ints; an empty list if it is anything else."""
    found = [whole(value, least) for value in values] if isinstance(values, Iterable) else []
    return [] if None in found else [value for value in found if value is not None]


def positive(value: Any) -> bool:
    """Return whether a value is a number above 0."""
    return not isinstance(value, bool) and isinstance(value, Real) and 0 < float(value) < math.inf


def seed_problems(seed: Any) -> list[str]:
    """Return what is wrong with a seed."""
    number = whole(seed, 0)
    return [] if number is not None and number < 2**63 else [text("mup.bad_seed", given=repr(seed))]


def model_problems(model: Any) -> list[str]:
    """Return why a value is no model whose tensors can be looked at by name."""
    if not isinstance(model, nn.Module):
        return [text("mup.no_model", given=repr(model)[:80])]
    if hasattr(model, "_orig_mod"):
        return [text("mup.compiled")]
    if isinstance(model, WRAPPERS):
        return [text("mup.wrapped", layer=type(model).__name__)]
    lazy = [name for name, tensor in [*model.named_parameters(), *model.named_buffers()] if is_lazy(tensor)]
    return [text("mup.lazy", names=", ".join(lazy))] if lazy else []


def prepared_problems(model: nn.Module) -> list[str]:
    """Return why a model is not as `prepare` or `labkit.upscale` has left it."""
    sides = remembered(model)
    if sides is None:
        return [text("mup.not_prepared", model=type(model).__name__)]
    found = {name: tuple(parameter.shape) for name, _, _, parameter in tensors(model)}
    other = [name for name, shape in found.items() if name not in sides or sides[name].shape != shape]
    return [text("mup.changed", model=type(model).__name__, names=", ".join(other))] if other else []


def built_problems(made: Any, width: int) -> list[str]:
    """Return what is wrong with what a function built at a width."""
    if not isinstance(made, nn.Module) or hasattr(made, "_orig_mod"):
        return [text("mup.build_gave", width=width, given=type(made).__name__)]
    return model_problems(made)


def layer_problems(model: nn.Module) -> list[str]:
    """Return the layers whose weights are not simply their own: computed from others, or limited in norm."""
    problems = []
    for name, module in model.named_modules():
        words = {"name": name or type(module).__name__, "layer": type(module).__name__}
        if parametrize.is_parametrized(module) or _has_old_norm(module):
            problems.append(text("mup.parametrized", **words))
        if isinstance(module, nn.Embedding | nn.EmbeddingBag) and module.max_norm is not None:
            problems.append(text("mup.max_norm", **words))
    return problems


def _has_old_norm(module: nn.Module) -> bool:
    """Return whether a hook of torch's computes a weight: old weight or spectral normalisation, pruning."""
    hooks = module._forward_pre_hooks.values()
    return any(type(hook).__module__.startswith("torch.nn.utils.") for hook in hooks)


def attention_problems(model: nn.Module) -> list[str]:
    """Return the attention whose scores do not have the scale that muP asks for."""
    problems = []
    for name, module in model.named_modules():
        words = {"name": name or type(module).__name__, "layer": type(module).__name__}
        if isinstance(module, nn.MultiheadAttention):
            problems.append(text("mup.multihead", **words))
        elif _attends(module) and not _has_scale(module):
            problems.append(text("mup.attention_scale", **words))
    return problems


def calls(module: nn.Module, function: str) -> bool:
    """Return whether the `forward` of a class that is not torch's own mentions a function or attribute."""
    code = getattr(type(module).forward, "__code__", None)
    own = not type(module).__module__.startswith("torch.")
    return own and code is not None and function in code.co_names


def _attends(module: nn.Module) -> bool:
    """Return whether any method of a class that is not torch's own mentions torch's attention."""
    own = [kind for kind in type(module).__mro__ if not kind.__module__.startswith("torch.")]
    codes = [getattr(member, "__code__", None) for kind in own for member in vars(kind).values()]
    return any(code is not None and "scaled_dot_product_attention" in code.co_names for code in codes)


def _has_scale(module: nn.Module) -> bool:
    return any(isinstance(inner, AttentionScale) for inner in module.modules())


def optimizer_problems(given: Any) -> list[str]:
    """Return why a value is no optimiser."""
    return [] if isinstance(given, Optimizer) else [text("mup.no_optimizer", given=repr(given)[:80])]


def optimizer_name(given: Any) -> str | None:
    """Return "sgd", "adam" or "adamw" for a name in any case or torch's class, None for anything else."""
    for name, kind in CLASSES.items():
        if given is kind or (isinstance(given, str) and given.lower() == name):
            return name
    return None


def optimizer_name_problems(given: Any) -> list[str]:
    """Return what is wrong with the name of an optimiser."""
    if optimizer_name(given) is not None:
        return []
    return [text("mup.unknown_optimizer", given=repr(given), known=", ".join(CLASSES))]


def rate_problems(lr: Any) -> list[str]:
    """Return what is wrong with a learning rate: a number from 0, or a tensor."""
    is_number = not isinstance(lr, bool) and isinstance(lr, Real)
    fits = isinstance(lr, Tensor) or (is_number and 0 <= float(lr) < math.inf)
    return [] if fits else [text("mup.bad_lr", given=repr(lr))]
