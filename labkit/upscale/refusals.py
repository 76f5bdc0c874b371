"""What would break the equivalence of a small and a widened model, each with its reason."""

from __future__ import annotations

import math
from collections.abc import Iterator
from numbers import Real
from typing import Any

from torch import nn

from labkit.messages import number, text
from labkit.mup.examples import UNSUITABLE, outputs
from labkit.mup.given import attention_problems, calls, layer_problems
from labkit.mup.layers import AttentionScale
from labkit.upscale.difference import flat

_GROUPS = ("num_groups", "heads", "num_heads", "n_heads", "n_head", "nhead")  # must not change with the width


def structural(small: nn.Module) -> list[str]:
    """Return what in a model cannot be widened, whatever the factor."""
    problems = [*attention_problems(small), *layer_problems(small)]
    for name, module in small.named_modules():
        words = {"name": name or type(module).__name__, "layer": type(module).__name__}
        if _draws_noise(module):
            problems.append(text("upscale.dropout", **words))
        if hasattr(module, "_orig_mod"):
            problems.append(text("upscale.compiled", name=name))
    return problems


def _draws_noise(module: nn.Module) -> bool:
    if isinstance(module, nn.RReLU):
        return module.lower != module.upper
    if isinstance(module, nn.modules.dropout._DropoutNd):
        return module.p > 0
    amount: Any = getattr(module, "dropout", None)
    if isinstance(module, nn.RNNBase):
        return bool(amount)
    return calls(module, "dropout") and not isinstance(amount, nn.Module) and bool(amount != 0)


def inputs_problems(small: nn.Module, inputs: Any) -> list[str]:
    """Return why a model cannot be compared on inputs."""
    given = flat(inputs)
    if any(not tensor.numel() for tensor in given):
        return [text("upscale.inputs_empty")]
    if not all(bool(tensor.isfinite().all()) for tensor in given):
        return [text("upscale.inputs_nan")]
    try:
        outputs(small, inputs)
    except UNSUITABLE as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        return [text("upscale.inputs_unsuitable", model=type(small).__name__, reason=reason)]
    return []


def other_layers(small: nn.Module, wide: nn.Module) -> list[str]:
    """Return which layers only one of two models has."""
    names = sorted(dict(small.named_modules()).keys() ^ dict(wide.named_modules()).keys())
    return [text("upscale.other_layers", names=", ".join(names))] if names else []


def other_width(small: nn.Module, fresh: nn.Module, width: int) -> list[str]:
    """Return how a model differs from what `build` gives at its width, if its layers have other shapes."""
    if problems := other_layers(small, fresh):
        return problems
    shapes = {name: tensor.shape for name, tensor in fresh.named_parameters()}
    for name, tensor in small.named_parameters():
        if name in shapes and shapes[name] != tensor.shape:
            words: dict[str, Any] = {"name": name, "mine": [*tensor.shape], "built": [*shapes[name]]}
            return [text("upscale.other_width", width=width, **words)]
    return []


def between(small: nn.Module, fresh: nn.Module, wide: nn.Module) -> list[str]:
    """Return what the width changes apart from shapes, and must not.

    Parameters
    ----------
    small : the trained model.
    fresh, wide : built at the small and at the large width.
    """
    problems = []
    olds, news = dict(fresh.named_modules()), dict(wide.named_modules())
    for name, module in small.named_modules():
        if name not in olds or name not in news:
            continue
        old, new = olds[name], news[name]
        for key, before, after in _changed(old, new):
            words = {"name": f"{name}.{key}" if name else key, "before": before, "after": after}
            if key in _GROUPS:
                problems.append(text("upscale.groups", **words))
            elif isinstance(before, float):
                words |= {"before": number(before, 4), "after": number(after, 4)}
                problems.append(text("upscale.constant", **words))
        if isinstance(new, nn.modules.conv._ConvNd) and not _groups_fit(module, new):
            problems.append(text("upscale.convolution_groups", name=name))
    return problems


def _changed(old: nn.Module, new: nn.Module) -> Iterator[tuple[str, Any, Any]]:
    """Yield the plain numbers of a module that differ between two widths, but for the scales labkit sets."""
    if isinstance(old, AttentionScale):
        return
    for key, before in vars(old).items():
        after = vars(new).get(key)
        if key.startswith("_") or not isinstance(before, int | float) or not isinstance(after, Real):
            continue
        if before != after and not (math.isnan(before) and math.isnan(after)):
            yield key, before, after


def _groups_fit(old: Any, new: Any) -> bool:
    """Return whether a convolution's groups still see the copies of what they saw: as many, or one each."""
    return bool(old.groups == new.groups or (old.groups == old.in_channels and new.groups == new.in_channels))


def keep_settings(small: nn.Module, fresh: nn.Module, wide: nn.Module) -> None:
    """Give the wide model what was changed in the small one after it was built, such as `eps` or the mode."""
    olds, news = dict(fresh.named_modules()), dict(wide.named_modules())
    for name, module in small.named_modules():
        news[name].training = module.training
        for key, value in vars(module).items():
            before, after = vars(olds[name]).get(key), vars(news[name]).get(key)
            if not key.startswith("_") and isinstance(value, int | float) and before == after:
                setattr(news[name], key, value)
