"""Is a workload compute-bound? Judged from the last doubling of the steps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.messages import number, text
from labkit.training_length.curves import (
    ACCURACY_NAMES,
    TRAIN_NAMES,
    VALIDATION_NAMES,
    Curve,
    read_curves,
)
from labkit.training_length.result import Result, TrainingLengthError

Array = NDArray[np.float64]

FEWEST = 10  # evaluations; and half of it in the last doubling, or no slope can be told from noise
FALLING = 0.005  # of the whole fall, per doubling of the steps: the least that counts as falling
FLAT = 0.02  # of the whole fall, per doubling: what surely stays below "leaves the loss where it was"
EARLY = 0.4  # a last doubling with more of the whole fall than this belongs to the first steep descent
UNSTABLE = 0.2  # of the training loss's whole fall: more than this lost again is no passing spike
FITTED = 0.02  # of the first training loss: what counts as "very low"
# Standard errors of a clear difference. More than the usual 2, since evaluations next to each other share
# a part of their scatter, and since the lowest part of a curve is sought out among many.
FALL_ERRORS, FLAT_ERRORS, RISE_ERRORS = 3.0, 2.0, 5.0


@dataclass(frozen=True, repr=False)
class Kind(Result):
    """Whether a workload is compute-bound.

    Attributes
    ----------
    verdict : "compute-bound", "not compute-bound" or "cannot tell".
    cause : "still falling"; "overfits", "fitted", "levels off"; "too short", "too few", "too noisy",
        "unstable", "diverged" or "fitted, still improving".
    part : first and last step of the stretch that the verdict rests on.
    steps, train, validation : the mean curves; `train` is None where no training loss was recorded.
    train_slope, validation_slope : change of the loss per doubling of the steps over the last doubling, with
        its standard error.
    runs, decays : how many runs were averaged, and whether their learning rate decays.
    diverged : how many more runs diverged; they are left out.
    longest : the last step of the longest run; later than the last of `steps` where runs end at unequal
        steps, since only what all of them have is judged.
    """

    verdict: str
    cause: str
    part: tuple[int, int]
    steps: tuple[int, ...]
    train: tuple[float, ...] | None
    validation: tuple[float, ...]
    train_slope: tuple[float, float] | None = None
    validation_slope: tuple[float, float] | None = None
    best_step: int | None = None
    runs: int = 1
    decays: bool = False
    diverged: int = 0
    longest: int = 0

    @property
    def numbers(self) -> dict[str, Any]:
        """The slopes with their standard errors, first and last losses, and the best step."""
        train = self.validation if self.train is None else self.train
        return {
            "cause": self.cause,
            "part": self.part,
            "runs": self.runs,
            "diverged": self.diverged,
            "longest": self.longest,
            "train_first": train[0],
            "train_last": train[-1],
            "validation_last": self.validation[-1],
            "train_slope": self.train_slope,
            "validation_slope": self.validation_slope,
            "best_step": self.best_step,
        }

    def reason(self, lang: str | None = None) -> str:
        """Return why, naming the part of the curve that it rests on."""
        train = self.validation if self.train is None else self.train
        slopes = {"train": self.train_slope, "validation": self.validation_slope}
        said = [
            text(
                "training_length.kind_" + self.cause.replace(",", "").replace(" ", "_"),
                lang,
                begin=number(self.part[0]),
                last=number(self.part[1]),
                evaluations=len(self.steps),
                train_last=number(train[-1]),
                **{name: number(-slope[0] if slope else math.nan, 2) for name, slope in slopes.items()},
            )
        ]
        if self.train is None and self.verdict != "cannot tell":
            said.append(text("training_length.kind_fresh_data", lang))
        if self.decays:
            said.append(text("training_length.kind_decays", lang))
        if self.longest > self.steps[-1]:
            values = {"last": number(self.steps[-1]), "longest": number(self.longest)}
            said.append(text("training_length.kind_cut", lang, **values))
        if self.diverged and self.cause != "diverged":
            both = {"diverged": self.diverged, "runs": self.diverged + self.runs}
            said.append(text("training_length.kind_some_diverged", lang, **both))
        return " ".join(said)


@dataclass(frozen=True)
class _Trend:
    """Where one loss curve is going at its end."""

    word: str  # "falls", "flat", "rises" or "unclear"
    slope: float
    error: float
    fall: float  # from the first evaluation to the lowest part
    rise: float  # from the lowest part to the end
    best: int  # index of the lowest part
    begun: bool  # whether the loss has fallen beyond doubt


def workload(histories: Any, train: str | None = None, validation: str | None = None) -> Kind:
    """Say whether a workload is compute-bound, from one or more runs of one setting.

    Compute-bound: training longer keeps lowering the training loss, and the validation loss with it. Not
    compute-bound: longer training leaves the validation loss where it was, or raises it (Deep Learning
    Tuning Playbook, CC BY 4.0). Asked of the last doubling of the steps, on the mean over the runs.

    Parameters
    ----------
    histories : a history, or several of the same length (different seeds, say); see `read_curve`. Where runs
        end at unequal steps only those that all share are judged, and runs that diverged are left out; the
        reason says so.
    train, validation : the columns' names if they are not the usual ones. Without a training loss the
        validation loss stands for both, which is right where no example is seen twice.

    Raises
    ------
    TrainingLengthError
        Listing everything that is wrong with the data.
    """
    curves = read_curves(histories)
    validation_names = (validation,) if validation else VALIDATION_NAMES
    train_names = (train,) if train else TRAIN_NAMES
    has_train = train is not None or all(curve.has(TRAIN_NAMES) for curve in curves)
    needed = (validation_names, train_names) if has_train else (validation_names,)
    finite = [curve for curve in curves if all(np.isfinite(curve.column(names)).all() for names in needed)]
    steps, validation_curves = _common(finite or curves, validation_names)
    part = (int(steps[-1]) // 2, int(steps[-1]))
    if not finite:
        return Kind(
            "cannot tell",
            "diverged",
            part,
            _whole(steps),
            None,
            tuple(validation_curves[0]),
            runs=0,
            diverged=len(curves),
        )
    mean_validation = validation_curves.mean(axis=0)
    mean_train = _common(finite, train_names)[1].mean(axis=0) if has_train else None
    common: dict[str, Any] = {
        "steps": _whole(steps),
        "train": None if mean_train is None else tuple(mean_train.tolist()),
        "validation": tuple(mean_validation.tolist()),
        "runs": len(finite),
        "decays": any(curve.config.get("schedule", "constant") != "constant" for curve in curves),
        "diverged": len(curves) - len(finite),
        "longest": max(curve.steps[-1] for curve in finite),
    }
    early_start = steps[0] == 0 or steps[-1] >= 8 * steps[0]
    if len(steps) < FEWEST or int((steps >= steps[-1] / 2).sum()) < FEWEST // 2:
        return Kind("cannot tell", "too few", part, **common)
    of_validation = _trend(steps, mean_validation)
    of_train = of_validation if mean_train is None else _trend(steps, mean_train)
    fitted = _is_fitted(finite, of_validation.fall if mean_train is None else None, mean_train)
    cause = _cause(of_train, of_validation, fitted) if early_start else "too short"
    best_step = int(steps[of_validation.best])
    if cause == "overfits":
        part = (best_step, part[1])
    return Kind(
        _VERDICTS.get(cause, "cannot tell"),
        cause,
        part,
        train_slope=(of_train.slope, of_train.error),
        validation_slope=(of_validation.slope, of_validation.error),
        best_step=best_step,
        **common,
    )


_VERDICTS = {
    "still falling": "compute-bound",
    "overfits": "not compute-bound",
    "fitted": "not compute-bound",
    "levels off": "not compute-bound",
}


def _cause(train: _Trend, validation: _Trend, fitted: bool) -> str:
    """Return what the ends of the two curves show together."""
    if validation.word == "rises":
        return "unstable" if train.rise > UNSTABLE * train.fall else "overfits"
    if not train.begun or max(-train.slope / train.fall, -validation.slope / validation.fall) > EARLY:
        return "too short"
    if validation.word == "flat":
        return "fitted" if fitted else "levels off"
    if validation.word == "falls" and fitted:
        return "fitted, still improving"
    return "still falling" if validation.word == train.word == "falls" else "too noisy"


def _trend(steps: Array, values: Array) -> _Trend:
    """Return where a curve is going over the last doubling of its steps."""
    late = steps >= steps[-1] / 2
    noise = _noise(values[len(values) // 2 :])
    window = max(3, len(values) // 12)
    smooth = np.convolve(values, np.ones(window) / window, mode="valid")
    best = int(smooth.argmin())
    fall = max(float(values[0] - smooth[best]), 1e-12)
    slope, error = _slope(np.log2(steps[late]), values[late], noise)
    rise = float(smooth[-1] - smooth[best])
    if rise > max(FLAT * fall, RISE_ERRORS * noise * math.sqrt(2 / window)):
        word = "rises"
    elif slope <= -FALLING * fall and slope < -FALL_ERRORS * error:
        word = "falls"
    elif abs(slope) + FLAT_ERRORS * error < FLAT * fall:
        word = "flat"
    else:
        word = "unclear"
    begun = fall > max(8 * noise, 0.05 * abs(float(values[0])))
    return _Trend(word, slope, error, fall, rise, best + window // 2, begun)


def _slope(x: Array, y: Array, noise: float) -> tuple[float, float]:
    """Return the least-squares slope and its standard error; `noise` is a floor for the points' scatter."""
    centred = x - x.mean()
    spread = float((centred**2).sum())
    slope = float((centred * y).sum()) / spread
    residuals = y - y.mean() - slope * centred
    scatter = max(noise, math.sqrt(float((residuals**2).sum()) / (len(x) - 2)))
    return slope, scatter / math.sqrt(spread)


def _noise(values: Array) -> float:
    """Return the standard deviation of the scatter about a smooth curve, from each point and its neighbours.

    A point minus the mean of its two neighbours has variance 3/2 of a point's; 1.4826 times the median
    deviation is the standard deviation of a normal distribution.
    """
    bends = values[1:-1] - (values[:-2] + values[2:]) / 2
    return float(1.4826 * np.median(np.abs(bends)) / math.sqrt(1.5))


def _is_fitted(curves: list[Curve], fall: float | None, train: Array | None) -> bool:
    """Say whether the training examples are fitted: none misclassified, or the training loss very low."""
    accuracies = [curve.find(ACCURACY_NAMES) for curve in curves]
    if all(accuracies):
        return all(max(accuracy) >= 1 for accuracy in accuracies if accuracy)
    return train is not None and fall is None and float(train[-3:].mean()) <= FITTED * float(train[0])


def _common(curves: list[Curve], names: tuple[str, ...]) -> tuple[Array, Array]:
    """Return the steps that all curves share, and the column there, shape (curves, steps)."""
    shared = sorted(set.intersection(*(set(curve.steps) for curve in curves)))
    if len(shared) < min(len(curve.steps) for curve in curves) / 2:
        raise TrainingLengthError([text("training_length.steps_differ", shared=len(shared))])
    places = [[curve.steps.index(step) for step in shared] for curve in curves]
    values = [np.array(curve.column(names))[at] for curve, at in zip(curves, places, strict=True)]
    return np.array(shared, dtype=np.float64), np.array(values, dtype=np.float64)


def _whole(steps: Array) -> tuple[int, ...]:
    return tuple(int(step) for step in steps)
