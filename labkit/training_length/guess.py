"""The first guess of max_train_steps, from a sweep of constant learning rates."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from labkit.forecast import is_number, is_whole
from labkit.messages import number, text
from labkit.training_length.curves import TRAIN_NAMES
from labkit.training_length.result import Result, TrainingLengthError
from labkit.training_length.sweeps import Trial, read_sweep

AS_FAST = 0.1  # two seeds of one rate differ by this much without meaning anything

# What a change of the workload does to the right length (Deep Learning Tuning Playbook, CC BY 4.0).
CHANGES = {
    "augmentation": "raise",
    "dropout": "raise",
    "regularisation": "raise",
    "smaller batch": "raise",
    "better optimiser": "may come down",
    "better schedule": "may come down",
    "architecture": "measure again",
    "data": "measure again",
}


@dataclass(frozen=True, repr=False)
class FirstGuess(Result):
    """A first guess of max_train_steps.

    Attributes
    ----------
    verdict : "guess" or "no answer".
    steps : the guess, None without an answer.
    rate : the learning rate of the fastest trial, None where none fitted.
    next : what to do next: "use it", "larger rates", "smaller rates", "more rates", "longer trials" or
        "repeat the sweep" (its trials cannot be compared).
    by_rate : one dict per rate tried, in order: "learning_rate", "trials", "fitted", "diverged", and
        "median", "fastest", "slowest" steps to fit (inf for a trial that never did), and "last_loss", the
        median training loss at the end (inf where it diverged or was not recorded).
    max_train_steps : the trials' length N; 0 where lengths differ.
    faults : what does not belong into the sweep: unequal lengths, augmentation, regularisation, a schedule.
    """

    verdict: str
    steps: int | None
    rate: float | None
    next: str
    by_rate: tuple[dict[str, Any], ...]
    max_train_steps: int
    faults: tuple[str, ...] = ()

    @property
    def numbers(self) -> dict[str, Any]:
        """The guess, the best rate, and the range of rates tried."""
        return {
            "steps": self.steps,
            "rate": self.rate,
            "next": self.next,
            "rates": tuple(row["learning_rate"] for row in self.by_rate),
            "max_train_steps": self.max_train_steps,
        }

    def reason(self, lang: str | None = None) -> str:
        """Return where the guess comes from, or why there is none and what to do."""
        edge = self.by_rate[-1 if self.next == "larger rates" else 0]["learning_rate"]
        reason = "training_length.guess_" + self.next.replace(" ", "_")
        if self.rate is None and self.next in ("larger rates", "smaller rates"):
            diverged = all(row["diverged"] == row["trials"] for row in self.by_rate)
            reason = "training_length.guess_all_diverged" if diverged else reason + "_unfitted"
        return text(
            reason,
            lang,
            steps=number(self.steps or 0),
            rate=number(self.rate or 0),
            edge=number(edge),
            lowest=number(self.by_rate[0]["learning_rate"]),
            highest=number(self.by_rate[-1]["learning_rate"]),
            rates=len(self.by_rate),
            max_train_steps=number(self.max_train_steps),
            faults="; ".join(self.faults),
        )

    def revised(self, changes: Iterable[str], measured_ratio: float | None = None) -> Revision:
        """Return what a change of the workload does to this guess; see `revise`."""
        if self.steps is None:
            raise TrainingLengthError([text("training_length.nothing_to_revise")])
        return revise(self.steps, changes, measured_ratio)


def first_guess(sweep: Any, perfect_loss: float = 0.01) -> FirstGuess:
    """Return the steps that the fastest trial of a constant learning-rate sweep needs to fit perfectly.

    The Deep Learning Tuning Playbook's algorithm (CC BY 4.0): find any configuration that fits the training
    set and take its length as N; sweep constant learning rates without augmentation and regularisation, N
    steps each; the fastest trial's steps are the guess. No answer where the best rate is the smallest or
    largest one tried (or a tenth slower at most), where no trial fits, or where trials cannot be compared.
    Where no trial fits, the training loss at the end shows whether the best rate lies at the edge.

    Parameters
    ----------
    sweep : see `read_sweep`. Augmentation, regularisation and schedules are seen where a trial comes with its
        config or with columns of these names, in whichever form.
    perfect_loss : the training loss that counts as a perfect fit where no training accuracy was recorded.

    Raises
    ------
    TrainingLengthError
        Listing everything that is wrong with the data.
    """
    trials = read_sweep(sweep, perfect_loss)
    lengths = {trial.curve.max_train_steps for trial in trials if not _stopped(trial)}
    lengths = lengths or {max(trial.curve.max_train_steps for trial in trials)}
    faults = sorted({fault for trial in trials for fault in trial.faults})
    if len(lengths) > 1:
        faults.insert(0, "max_train_steps = " + ", ".join(number(length) for length in sorted(lengths)))
    by_rate = tuple(
        _summary(rate, [t for t in trials if t.rate == rate]) for rate in sorted({t.rate for t in trials})
    )
    length = lengths.pop() if len(lengths) == 1 else 0
    fastest = min(by_rate, key=lambda row: row["fastest"])
    fitted = math.isfinite(fastest["fastest"])
    if faults:
        return FirstGuess("no answer", None, None, "repeat the sweep", by_rate, length, tuple(faults))
    widen = _edge(by_rate, ("fastest", "median") if fitted else ("last_loss",))
    if not fitted:
        if all(trial.curve.diverged for trial in trials):
            widen = "smaller rates"
        return FirstGuess("no answer", None, None, widen or "longer trials", by_rate, length)
    rate, steps = fastest["learning_rate"], fastest["fastest"]
    if widen is not None:
        return FirstGuess("no answer", None, rate, widen, by_rate, length)
    return FirstGuess("guess", steps, rate, "use it", by_rate, length)


def _edge(by_rate: tuple[dict[str, Any], ...], measures: tuple[str, ...]) -> str | None:
    """Return which way to widen the range, None where the best rate lies inside it.

    At the edge by any of the measures (the less the better) is at the edge. So is a rate at the edge that is
    worse by less than `AS_FAST`, since chance may have decided between it and the best.
    """
    if len(by_rate) < 3:
        return "more rates"
    at_low = at_high = False
    for measure in measures:
        best = min(row[measure] for row in by_rate)
        if math.isfinite(best):
            at_low |= by_rate[0][measure] <= (1 + AS_FAST) * best
            at_high |= by_rate[-1][measure] <= (1 + AS_FAST) * best
    if at_low and at_high:
        return "more rates"
    return "larger rates" if at_high else "smaller rates" if at_low else None


def _stopped(trial: Trial) -> bool:
    """Say whether a trial diverged, whose history may end early."""
    return trial.curve.diverged


def _summary(rate: float, trials: list[Trial]) -> dict[str, Any]:
    losses = [trial.curve.find(TRAIN_NAMES) for trial in trials]
    last = [loss[-1] if loss and math.isfinite(loss[-1]) else math.inf for loss in losses]
    steps = sorted(math.inf if trial.fit_step is None else trial.fit_step for trial in trials)
    return {
        "learning_rate": rate,
        "trials": len(trials),
        "fitted": sum(math.isfinite(step) for step in steps),
        "diverged": sum(trial.curve.diverged for trial in trials),
        "fastest": steps[0],
        "median": statistics.median_high(steps),
        "slowest": steps[-1],
        "last_loss": statistics.median_low(last),
    }


@dataclass(frozen=True, repr=False)
class Revision(Result):
    """What changes of a workload do to its number of training steps.

    Attributes
    ----------
    verdict : "raise", "may come down", "measure again" or "keep" (nothing named).
    changes : the changes, as named.
    steps : max_train_steps before.
    suggested : after; measured ratio times `steps` where one was given, else None: nobody knows by how much.
    """

    verdict: str
    changes: tuple[str, ...]
    steps: int
    suggested: int | None = None

    @property
    def numbers(self) -> dict[str, Any]:
        """The steps before and, where a ratio was measured, after."""
        return {"steps": self.steps, "suggested": self.suggested}

    def reason(self, lang: str | None = None) -> str:
        """Return why the number of steps should change."""
        said = text(
            "training_length.revise_" + self.verdict.replace(" ", "_"),
            lang,
            changes=", ".join(self.changes),
            steps=number(self.steps),
        )
        if self.suggested is None:
            return said
        return f"{said} {text('training_length.revise_measured', lang, suggested=number(self.suggested))}"


def revise(steps: int, changes: Iterable[str], measured_ratio: float | None = None) -> Revision:
    """Return what changes of a workload do to its max_train_steps.

    More gradient noise raises it; a better optimiser or schedule may bring it down; another architecture or
    other data, or changes in both directions, ask for a new measurement.

    Parameters
    ----------
    steps : max_train_steps before the change.
    changes : names out of `CHANGES`.
    measured_ratio : how many times the steps the changed workload needs, as `gradient_noise` measures it.

    Raises
    ------
    TrainingLengthError
        Listing every unknown change, and a ratio that is not positive.
    """
    named = (changes,) if isinstance(changes, str) else tuple(changes)
    known = ", ".join(CHANGES)
    problems = [
        text("training_length.unknown_change", given=repr(change), known=known)
        for change in named
        if change not in CHANGES
    ]
    if not is_whole(steps, least=1):
        problems.append(text("training_length.bad_first_length", given=repr(steps)))
    if measured_ratio is not None and not (is_number(measured_ratio) and measured_ratio > 0):
        problems.append(text("training_length.bad_ratio", given=repr(measured_ratio)))
    if problems:
        raise TrainingLengthError(problems)
    kinds = {CHANGES[change] for change in named}
    verdict = kinds.pop() if len(kinds) == 1 else "measure again" if kinds else "keep"
    suggested = None if measured_ratio is None else math.ceil(measured_ratio * steps - 1e-9)
    return Revision(verdict, named, steps, suggested)
