"""Where the best checkpoint of a run fell, and what the best steps of a whole study say about its length."""

from __future__ import annotations

import itertools
import math
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from labkit.forecast import is_number, is_whole
from labkit.messages import number, text
from labkit.training_length.curves import VALIDATION_NAMES, named, read_curve
from labkit.training_length.result import Result, TrainingLengthError, shortened

CONSISTENTLY = 0.8  # share of the trials that must be best in their last 25 %
SPARSE = 0.1  # of the run: checkpoints further apart than this are not "often enough"
FEWEST_TRIALS = 3
EARLY = 0.2  # of the steps: all best steps before it, though not all in the first 10 %, are "nearly" early


@dataclass(frozen=True, repr=False)
class BestCheckpoint(Result):
    """The best checkpoint of one run, chosen after the run.

    Attributes
    ----------
    verdict : "first 10 %", "last 25 %" or "between": where in the run it fell.
    step, value : when it was reached, and the figure there.
    max_train_steps : the length of the run.
    metric : which figure was compared.
    higher_is_better : in which direction.
    last_value : the figure at the run's end.
    steps, best_so_far : for each evaluation, the best figure up to there; it never gets worse.
    """

    verdict: str
    step: int
    value: float
    max_train_steps: int
    metric: str
    last_value: float
    steps: tuple[int, ...]
    best_so_far: tuple[float, ...]
    higher_is_better: bool = False

    @property
    def share(self) -> float:
        """Where in the run the best step fell, 0 to 1."""
        return self.step / self.max_train_steps

    @property
    def spacing(self) -> int:
        """The largest number of steps between two checkpoints that could be chosen."""
        return max((b - a for a, b in itertools.pairwise(self.steps)), default=self.max_train_steps)

    @property
    def numbers(self) -> dict[str, Any]:
        """The best step, its figure, the figure at the end, and the run's length."""
        return {
            "step": self.step,
            "value": self.value,
            "last_value": self.last_value,
            "share": self.share,
            "spacing": self.spacing,
            "max_train_steps": self.max_train_steps,
        }

    def reason(self, lang: str | None = None) -> str:
        """Return where the best step fell and what choosing it afterwards saved."""
        said = text(
            "training_length.best_checkpoint",
            lang,
            metric=named(self.metric, lang),
            step=number(self.step),
            max_train_steps=number(self.max_train_steps),
            percent=number(100 * self.share, 2),
            value=number(self.value),
            last_value=number(self.last_value),
        )
        if self.higher_is_better or "loss" not in self.metric.lower():
            which = (
                "training_length.higher_better" if self.higher_is_better else "training_length.lower_better"
            )
            said = f"{said} {text(which, lang, metric=named(self.metric, lang))}"
        if self.spacing <= SPARSE * self.max_train_steps:
            return said
        return f"{said} {text('training_length.sparse', lang, spacing=number(self.spacing))}"


def best_checkpoint(
    history: Any, metric: str | None = None, higher_is_better: bool | None = None
) -> BestCheckpoint:
    """Choose the best checkpoint after the run (retrospective checkpoint selection).

    With it, and with checkpoints saved at every evaluation, training longer never makes the result worse.
    For an honest final figure choose by validation data and report on test data.

    Parameters
    ----------
    history : see `read_curve`.
    metric : column to compare; None takes the validation loss.
    higher_is_better : None says yes for names with "acc", "auc", "f1", "precision", "recall", "bleu",
        "rouge", "chrf", "ndcg", "psnr" or "reward", unless with "loss" or "error"; the reason says which.

    Raises
    ------
    TrainingLengthError
        If the column is missing, or holds no number; or an argument cannot be used.
    """
    problems = []
    if metric is not None and not hasattr(metric, "lower"):
        problems.append(text("training_length.bad_metric", given=reprlib.repr(metric)))
    if higher_is_better not in (None, True, False):
        problems.append(text("training_length.bad_direction", given=reprlib.repr(higher_is_better)))
    if problems:
        raise TrainingLengthError(problems)
    curve = read_curve(history)
    names = (metric,) if metric else VALIDATION_NAMES
    values = curve.column(names)
    metric = next(name for name in names if name in curve.columns)
    if higher_is_better is None:
        higher_is_better = _grows(metric.lower())
    sign = -1 if higher_is_better else 1
    costs = [sign * value if math.isfinite(value) else math.inf for value in values]
    best = min(range(len(costs)), key=costs.__getitem__)
    if math.isinf(costs[best]) or curve.max_train_steps == 0:
        raise TrainingLengthError([text("training_length.nothing_finite", metric=metric)])
    so_far = [min(costs[: place + 1]) for place in range(len(costs))]
    return BestCheckpoint(
        verdict=_place(curve.steps[best], curve.max_train_steps),
        step=curve.steps[best],
        value=values[best],
        max_train_steps=curve.max_train_steps,
        metric=metric,
        last_value=values[-1],
        steps=curve.steps,
        best_so_far=tuple(sign * cost for cost in so_far),
        higher_is_better=bool(higher_is_better),
    )


@dataclass(frozen=True, repr=False)
class Diagnosis(Result):
    """What the best steps of a study's trials say about max_train_steps.

    Attributes
    ----------
    verdict : "far too long", "train longer", "keep", "not comparable" or "cannot tell".
    best_steps : the best step of each trial.
    max_train_steps : the length of each trial.
    """

    verdict: str
    best_steps: tuple[int, ...]
    max_train_steps: tuple[int, ...]

    @property
    def shares(self) -> tuple[float, ...]:
        """Where each best step fell in its trial, 0 to 1."""
        return tuple(step / length for step, length in self._pairs())

    @property
    def early(self) -> int:
        """How many trials were best within their first 10 %."""
        return sum(_place(*pair) == "first 10 %" for pair in self._pairs())

    @property
    def nearly_early(self) -> bool:
        """Whether the rule keeps the length although every trial was best within its first 20 %."""
        return self.verdict == "keep" and max(self.shares) <= EARLY

    @property
    def late(self) -> int:
        """How many trials were best within their last 25 %."""
        return sum(_place(*pair) == "last 25 %" for pair in self._pairs())

    @property
    def numbers(self) -> dict[str, Any]:
        """How many trials were best early and late, of how many, and where each best step fell."""
        return {
            "trials": len(self.best_steps),
            "early": self.early,
            "late": self.late,
            "shares": self.shares,
            "max_train_steps": self.max_train_steps,
        }

    def _pairs(self) -> list[tuple[int, int]]:
        return list(zip(self.best_steps, self.max_train_steps, strict=True))

    def reason(self, lang: str | None = None) -> str:
        """Return what was seen and what to change before the next study."""
        return text(
            "training_length.diagnose_" + self._case,
            lang,
            trials=len(self.best_steps),
            early=self.early,
            late=self.late,
            latest=number(max(self.best_steps)),
            first=number(100 * min(self.shares), 2),
            last=number(100 * max(self.shares), 2),
            enough=number(_rounded_up(2 * max(self.best_steps))),
            lengths=", ".join(number(length) for length in sorted(set(self.max_train_steps))),
        )

    def to_text(self, lang: str | None = None) -> str:
        """Return the verdict and its reason in words; a length kept that was generous is called so."""
        return f"{text('training_length.verdict_' + self._case, lang)}: {self.reason(lang)}"

    @property
    def _case(self) -> str:
        return "nearly_always_early" if self.nearly_early else self.verdict.replace(" ", "_")


def diagnose(
    best_steps: Iterable[Any], max_train_steps: int | Sequence[int] | None = None, metric: str | None = None
) -> Diagnosis:
    """Say whether the trials of one study were too long or too short, from where their best checkpoints fell.

    Always within the first 10 % of the steps: far too long. Consistently (four trials in five) within the
    last 25 %: train longer and tune the decay anew. Trials of different lengths are not comparable: never
    tune max_train_steps inside a study. From the Deep Learning Tuning Playbook (CC BY 4.0).

    Parameters
    ----------
    best_steps : the best step of each trial, or the trials' histories; a list, or a mapping from trial to it.
    max_train_steps : the length of all trials, or of each; not needed for histories.
    metric : for histories, the column to compare, as in `best_checkpoint`.

    Raises
    ------
    TrainingLengthError
        Listing everything that is wrong.
    """
    if isinstance(best_steps, Mapping):
        best_steps = list(best_steps.values())
    if isinstance(best_steps, str) or not isinstance(best_steps, Iterable):
        raise TrainingLengthError([text("training_length.bad_best_steps", given=reprlib.repr(best_steps))])
    entries = list(best_steps)
    max_train_steps = _plain(max_train_steps)
    if not entries:
        raise TrainingLengthError([text("training_length.no_trials")])
    if all(is_number(entry) for entry in entries):
        return _diagnose(entries, max_train_steps)
    found = [_best(entry, metric) for entry in entries]
    lengths = max_train_steps or [one.max_train_steps for one in found]
    return _diagnose([one.step for one in found], lengths)


def _diagnose(best_steps: Sequence[int], max_train_steps: Any) -> Diagnosis:
    several = isinstance(max_train_steps, list | tuple)
    lengths = list(max_train_steps) if several else [max_train_steps] * len(best_steps)
    problems = []
    if len(lengths) != len(best_steps):
        problems.append(text("training_length.lengths_missing", lengths=len(lengths), trials=len(best_steps)))
    if not all(is_whole(length, least=1) for length in lengths):
        problems.append(text("training_length.bad_length", given=reprlib.repr(max_train_steps)))
    if not all(float(step).is_integer() for step in best_steps):
        problems.append(text("training_length.fractional_steps", given=reprlib.repr(list(best_steps))))
    if not problems:
        pairs = zip(best_steps, lengths, strict=True)
        problems = shortened(
            [
                text("training_length.bad_best_step", trial=place, step=step, length=length)
                for place, (step, length) in enumerate(pairs, 1)
                if not 0 <= step <= length
            ]
        )
    if problems:
        raise TrainingLengthError(problems)
    places = [_place(step, length) for step, length in zip(best_steps, lengths, strict=True)]
    if len(set(lengths)) > 1:
        verdict = "not comparable"
    elif len(places) < FEWEST_TRIALS:
        verdict = "cannot tell"
    elif all(place == "first 10 %" for place in places):
        verdict = "far too long"
    elif places.count("last 25 %") >= CONSISTENTLY * len(places):
        verdict = "train longer"
    else:
        verdict = "keep"
    return Diagnosis(verdict, tuple(int(step) for step in best_steps), tuple(int(n) for n in lengths))


def _plain(max_train_steps: Any) -> Any:
    """Return an array as a list."""
    return max_train_steps.tolist() if hasattr(max_train_steps, "tolist") else max_train_steps


def _rounded_up(steps: int) -> int:
    """Return a length as people choose it: one digit and zeros, not below `steps`."""
    unit = int("1" + "0" * (len(str(steps)) - 1))
    return math.ceil(steps / unit) * unit


def _best(entry: Any, metric: str | None) -> BestCheckpoint:
    return entry if isinstance(entry, BestCheckpoint) else best_checkpoint(entry, metric)


def _place(step: int, max_train_steps: int) -> str:
    """Return in which part of the run a step lies; the borders belong to the outer parts."""
    if 10 * step <= max_train_steps:
        return "first 10 %"
    return "last 25 %" if 4 * step >= 3 * max_train_steps else "between"


_HIGHER = ("acc", "auc", "f1", "precision", "recall", "bleu", "rouge", "chrf", "ndcg", "psnr", "reward")


def _grows(metric: str) -> bool:
    """Say whether a figure of this name is the better the higher it is."""
    return any(word in metric for word in _HIGHER) and not any(word in metric for word in ("loss", "error"))
