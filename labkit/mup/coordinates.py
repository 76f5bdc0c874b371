"""The coordinate check: whether activations keep their size when the model gets wider."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from labkit.messages import text
from labkit.mup.batches import Batches, Loss, at_step, cross_entropy
from labkit.mup.examples import example, inputs_in, outputs, watched
from labkit.mup.given import (
    CLASSES,
    built_problems,
    optimizer_name,
    optimizer_name_problems,
    rate_problems,
    whole,
    wholes,
)
from labkit.mup.optimizers import optimizer as make
from labkit.mup.prepare import Build, how_to_build, prepare
from labkit.mup.sides import MupError

PARAMETRIZATIONS = ("standard", "mup")


def coord_check(
    model: nn.Module | Build,
    widths: Sequence[int],
    steps: int = 4,
    batches: Batches | None = None,
    loss: Loss = cross_entropy,
    *,
    optimizer: str | type[Optimizer] = "adamw",
    lr: float = 1e-2,
    base_width: int | None = None,
    seeds: Sequence[int] = (0,),
    parametrizations: str | Sequence[str] = PARAMETRIZATIONS,
) -> list[dict[str, Any]]:
    """Train models of several widths for a few steps and record how large each layer's outputs are.

    Under muP the sizes at a step do not depend on the width; in the standard parametrisation some grow
    with it after the first steps (Yang et al., arXiv 2203.03466, appendix F.1).

    Parameters
    ----------
    model : one of labkit's models, or a function that builds a model at a width.
    widths : to try, a list, range or array.
    steps : training steps; step 0 is the untrained model.
    batches : function of the step, or a list of batches; by default one random batch, guessed from the
        model's first and last layers.
    loss : function of the model and a batch, by default the cross-entropy.
    optimizer, lr : "sgd", "adam" or "adamw", and its learning rate at the base width.
    base_width : where both parametrisations agree; by default the smallest of the widths.
    seeds : of the first weights; one row each.
    parametrizations : which to try, "standard", "mup" or both.

    Returns
    -------
    Rows with "parametrization", "width", "seed", "step", "layer" and "size": the mean absolute output.

    Raises
    ------
    MupError
        If an argument is not as above, a model cannot be built or prepared, or no batch can be guessed.
    """
    chosen = _chosen(parametrizations)
    sizes, luck, count, kind = wholes(widths), wholes(seeds, 0), whole(steps, 0), optimizer_name(optimizer)
    problems = [*optimizer_name_problems(optimizer), *rate_problems(lr)]
    if not sizes:
        problems.append(text("mup.bad_widths", given=repr(widths)))
    if not luck:
        problems.append(text("mup.bad_seeds", given=repr(seeds)))
    if count is None:
        problems.append(text("mup.bad_steps", given=repr(steps)))
    if not chosen:
        problems.append(text("mup.bad_parametrizations", given=repr(parametrizations)))
    if problems or count is None or kind is None:
        raise MupError(problems)
    if isinstance(model, nn.Module):
        build, _ = how_to_build(model, None, None)
    else:
        build = model
    batch = _guessed(_build(build, min(sizes), 0)) if batches is None else at_step(batches)
    base = min(sizes) if base_width is None else base_width
    options: dict[str, Any] = {"lr": lr}
    rows = []
    for name in chosen:
        for width in sizes:
            for seed in luck:
                made = _build(build, width, seed)
                trainer: Any
                if name == "mup":
                    with torch.random.fork_rng(devices=[]):
                        inputs = inputs_in(made, batch(0))
                    prepare(made, base, build=build, width=width, seed=seed, inputs=inputs)
                    trainer = make(made, kind, lr=lr)
                else:
                    trainer = CLASSES[kind](made.parameters(), **options)
                found = _sizes(made, trainer, batch, loss, count)
                common = {"parametrization": name, "width": width, "seed": seed}
                rows += [common | row for row in found]
    return rows


def _chosen(parametrizations: Any) -> list[str]:
    """Return the parametrisations as a list, an empty one if they are not among those that there are."""
    given = [parametrizations] if isinstance(parametrizations, str) else parametrizations
    names = list(given) if isinstance(given, Iterable) else []
    return names if all(name in PARAMETRIZATIONS for name in names) else []


def _build(build: Build, width: int, seed: int) -> nn.Module:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        made: Any = build(width)
    if problems := built_problems(made, width):
        raise MupError(problems)
    return cast(nn.Module, made)


def _guessed(model: nn.Module) -> Callable[[int], Any]:
    """Return a function that always gives the same batch: random inputs, random classes."""
    inputs = example(model, count=16)
    if inputs is None:
        raise MupError([text("mup.no_example", model=type(model).__name__)])
    scores = outputs(model, inputs)
    if not isinstance(scores, Tensor) or not scores.dim():
        raise MupError([text("mup.no_example", model=type(model).__name__)])
    shape = scores.shape
    classes = torch.randint(shape[-1], shape[:-1], generator=torch.Generator().manual_seed(1))
    return lambda step: (inputs, classes.to(inputs.device))


def _sizes(
    model: nn.Module, trainer: Any, batch: Callable[[int], Any], loss: Loss, steps: int
) -> list[dict[str, Any]]:
    rows = []
    sizes: dict[str, float] = {}

    def record(name: str, layer: nn.Module, inputs: Any, output: Any) -> None:
        if isinstance(output, Tensor):
            sizes[name] = float(output.detach().abs().mean())

    for step in range(steps + 1):
        with watched(model, record):
            value = loss(model, batch(step))
        if not isinstance(value, Tensor) or value.numel() != 1 or not (value.requires_grad or step == steps):
            raise MupError([text("mup.bad_loss", given=repr(value))])
        rows += [{"step": step, "layer": layer, "size": size} for layer, size in sizes.items()]
        if step < steps:
            trainer.zero_grad()
            value.backward()  # type: ignore[no-untyped-call]
            trainer.step()
    return rows
