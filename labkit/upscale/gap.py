"""Train a small and its widened model side by side and see how far their outputs part."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn
from torch.optim import Optimizer

from labkit.messages import text
from labkit.mup import RULES, WRONG_RULES, MupError, clip_grad_norm_
from labkit.mup.batches import Batches, Loss, at_step, cross_entropy
from labkit.mup.examples import inputs_in
from labkit.mup.given import model_problems, positive, whole
from labkit.mup.prepare import Build
from labkit.mup.rules import Rule
from labkit.upscale.difference import flat, is_continuous, relative_gap
from labkit.upscale.errors import UpscaleError
from labkit.upscale.grow import Factor, upscale
from labkit.upscale.refusals import structural


def equivalence_gap(  # noqa: PLR0917 - model, optimiser, factor, then what to train on
    model: nn.Module,
    optimizer: Optimizer,
    k: Factor,
    batches: Batches,
    steps: int = 200,
    loss: Loss = cross_entropy,
    *,
    wrong: str | None = None,
    rules: Mapping[str, Rule] | None = None,
    noise_std: float = 0.0,
    seed: int = 0,
    schedule: Any = None,
    max_norm: float | None = None,
    build: Build | None = None,
    width: int | None = None,
    inputs: Any = None,
) -> list[dict[str, float]]:
    """Train a model and its widened copy on the same batches and record how far apart their outputs are.

    The given model and optimiser stay as they are: both are copied first.

    Parameters
    ----------
    model, optimizer, k, noise_std, seed, build, width : as in `upscale`.
    inputs : as in `upscale`; by default the first batch, or its first entry, if the model runs on that.
    batches : a function of the step, such as a workload's `batch`, or a list of batches.
    steps : training steps.
    loss : function of the model and a batch, such as a workload's `loss`; by default the cross-entropy of
        (inputs, classes).
    wrong : the name of a rule to break on purpose, one of `WRONG_RULES`: what would go wrong without it?
    rules : the rules to widen by, instead of naming a wrong one.
    schedule : one of `labkit.schedules`, or a function that makes a scheduler for an optimiser; stepped after
        every step.
    max_norm : clip the gradients to this norm, as it is at the base width.

    Returns
    -------
    One row per step, the first before any training: "step", "gap" (largest absolute difference of the
    training outputs over their largest absolute value), "small_loss" and "wide_loss".

    Raises
    ------
    UpscaleError
        As `upscale`, or if another argument is not as above.
    """
    problems = [] if whole(steps, 0) is not None else [text("mup.bad_steps", given=repr(steps))]
    if max_norm is not None and not positive(max_norm):
        problems.append(text("mup.bad_max_norm", given=repr(max_norm)))
    given: Any = loss
    if not callable(given):
        problems.append(text("mup.bad_loss", given=repr(given)))
    try:
        batch = at_step(batches)
    except MupError as error:
        problems += error.problems
    if problems:
        raise UpscaleError(problems)
    if wrong is not None and wrong not in WRONG_RULES:
        known = ", ".join(f"“{name}”" for name in WRONG_RULES)
        raise UpscaleError([text("upscale.unknown_wrong", given=repr(wrong), known=known)])
    if wrong is not None:
        rules = {**(RULES if rules is None else rules), **WRONG_RULES[wrong]}
    if unusable := model_problems(model) or structural(model):
        raise UpscaleError(unusable)
    small, small_optimizer = copy.deepcopy((model, optimizer))
    inputs = inputs_in(small, batch(0)) if inputs is None else inputs
    options: dict[str, Any] = {"build": build, "width": width, "inputs": inputs, "rules": rules}
    wide, wide_optimizer = upscale(small, small_optimizer, k, noise_std, seed, **options)
    runs = [
        _Run(network, trainer, loss, schedule, max_norm)
        for network, trainer in ((small, small_optimizer), (wide, wide_optimizer))
    ]
    rows = []
    for step in range(steps + 1):
        (small_loss, ours), (wide_loss, theirs) = (run.forward(batch(step)) for run in runs)
        gap = relative_gap(ours, theirs)
        rows.append({"step": step, "gap": gap, "small_loss": small_loss, "wide_loss": wide_loss})
        if step < steps:
            for run in runs:
                run.step()
    return rows


class _Run:
    """One of the two models in training."""

    def __init__(
        self,
        model: nn.Module,
        optimizer: Optimizer,
        loss: Loss,
        schedule: Any,
        max_norm: float | None,
    ) -> None:
        self.model, self.optimizer, self.loss, self.max_norm = model, optimizer, loss, max_norm
        self.scheduler = None if schedule is None else getattr(schedule, "to_torch", schedule)(optimizer)
        if schedule is not None and not callable(getattr(self.scheduler, "step", None)):
            raise UpscaleError([text("upscale.bad_schedule", given=repr(self.scheduler))])

    def forward(self, batch: Any) -> tuple[float, list[Any]]:
        """Return the loss of a batch and the model's outputs on the way to it."""
        outputs: list[Any] = []
        handle = self.model.register_forward_hook(lambda module, inputs, output: outputs.append(output))
        try:
            self._value = self.loss(self.model, batch)
        finally:
            handle.remove()
        if not isinstance(self._value, Tensor) or self._value.numel() != 1 or not self._value.requires_grad:
            raise UpscaleError([text("mup.bad_loss", given=repr(self._value))])
        if not any(is_continuous(tensor) for tensor in flat(outputs)):
            missing = "upscale.no_outputs" if outputs else "upscale.not_called"
            raise UpscaleError([text(missing, model=type(self.model).__name__)])
        return float(self._value.detach()), outputs

    def step(self) -> None:
        """Train on the batch of the last `forward`."""
        self.optimizer.zero_grad()
        self._value.backward()  # type: ignore[no-untyped-call]
        if self.max_norm is not None:
            clip_grad_norm_(self.model, self.max_norm)
        self.optimizer.step()
        if self.scheduler is not None:
            self.scheduler.step()
