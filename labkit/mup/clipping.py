"""Gradient clipping whose norm does not change with the width."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from labkit.messages import text
from labkit.mup.given import positive, prepared_problems
from labkit.mup.memory import remembered, unwrapped
from labkit.mup.rules import RULES
from labkit.mup.sides import MupError


@torch.no_grad()
def clip_grad_norm_(model: nn.Module, max_norm: float) -> Tensor:
    """Scale a model's gradients so that their norm, brought back to the base width, is at most `max_norm`.

    When every unit becomes m copies, the gradient of a hidden weight keeps its norm, while those of biases,
    gains, input and output weights shrink by sqrt(m). The usual norm over all of them therefore changes with
    the width, and clipping by it breaks the equivalence. Here each tensor's norm is first divided by gamma *
    sqrt(copies of each entry), in the terms of `labkit.mup.rules`.

    Parameters
    ----------
    model : with gradients; one in the standard parametrisation is clipped as torch does it.
    max_norm : positive.

    Returns
    -------
    The norm before clipping, a scalar tensor.

    Raises
    ------
    MupError
        If `max_norm` is not positive, only a part of the model is prepared, or it has changed since.
    """
    if not positive(max_norm):
        raise MupError([text("mup.bad_max_norm", given=repr(max_norm))])
    model = unwrapped(model)
    sides = remembered(model)
    inner = [name for name, module in model.named_modules() if name and remembered(module) is not None]
    if sides is None and inner:
        raise MupError([text("mup.inside", model=type(model).__name__, name=inner[0])])
    if sides is not None and (problems := prepared_problems(model)):
        raise MupError(problems)
    gradients = [(n, p.grad) for n, p in model.named_parameters() if p.grad is not None]
    if not gradients:
        return torch.zeros(())
    norms = []
    for name, gradient in gradients:
        values = gradient.coalesce().values() if gradient.is_sparse else gradient
        norm = torch.linalg.vector_norm(values)
        if sides is not None:
            tensor = sides[name]
            norm = norm / (RULES["gradient"](tensor) * (tensor.out * tensor.into) ** 0.5)
        norms.append(norm.to(gradients[0][1].device))
    total: Tensor = torch.linalg.vector_norm(torch.stack(norms))
    factor = torch.clamp(max_norm / (total + 1e-6), max=1.0)
    for _, gradient in gradients:
        gradient.mul_(factor.to(gradient.device, gradient.dtype))
    return total
