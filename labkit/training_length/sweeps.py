"""Read a learning-rate sweep: trials with a rate, a seed and a history each."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from labkit.forecast import is_number
from labkit.messages import text
from labkit.training_length.curves import ACCURACY_NAMES, TRAIN_NAMES, Curve, read_curve
from labkit.training_length.result import SHOWN, TrainingLengthError, shortened
from labkit.training_length.rows import STEP_NAMES, Row, is_frame, is_missing, read_rows

RATE_NAMES = ("learning_rate", "lr", "rate")
# What may make the gradient noisy or keep a model from fitting: config key → the values that mean "off".
AUGMENTATION = {"augmentation": (0, False, None, "", "none"), "shift": (0,), "mixup": (0,), "cutmix": (0,)}
REGULARISATION = {
    "regularisation": (0, False, None, "", "none"),
    "weight_decay": (0,),
    "label_smoothing": (0,),
    "dropout": (0,),
}
_OFF: dict[str, tuple[Any, ...]] = AUGMENTATION | REGULARISATION | {"schedule": ("constant", None)}


@dataclass(frozen=True)
class Trial:
    """One trial of a sweep.

    Attributes
    ----------
    rate : its constant learning rate.
    curve : its history.
    fit_step : the step at which it first fitted the training set, None if it never did.
    """

    rate: float
    curve: Curve
    fit_step: int | None

    @property
    def faults(self) -> list[str]:
        """Settings that do not belong into this sweep: "name = value" each, the schedule included."""
        config = self.curve.config
        return [f"{key} = {config[key]}" for key in _OFF if key in config and config[key] not in _OFF[key]]


def fit_step(history: Any, perfect_loss: float = 0.01) -> int | None:
    """Return the first evaluated step at which the training set is fitted perfectly, None if there is none.

    "Perfectly" is meant informally. Where a training accuracy was recorded: no example is misclassified.
    Else the mean training loss is at most `perfect_loss`. With the cross-entropy in nats a misclassified
    example costs at least ln 2, so that at a mean of 0.01 at most 1.4 % can be misclassified; below ln 2 / n
    none of n examples can.

    Parameters
    ----------
    history : see `read_curve`; it needs a training accuracy or a training loss.
    perfect_loss : used only where no training accuracy was recorded.

    Raises
    ------
    TrainingLengthError
        If it has neither column, or `perfect_loss` is no number.
    """
    problems = _loss_problems(perfect_loss)
    if problems:
        raise TrainingLengthError(problems)
    curve = read_curve(history)
    accuracy = curve.find(ACCURACY_NAMES)
    if accuracy is not None:
        fits = [value >= 1 for value in accuracy]
    else:
        fits = [value <= perfect_loss for value in curve.column((*ACCURACY_NAMES, *TRAIN_NAMES))]
    return next((step for step, fit in zip(curve.steps, fits, strict=True) if fit), None)


def read_sweep(sweep: Any, perfect_loss: float = 0.01) -> list[Trial]:
    """Return the trials of a sweep, in the order of their rates.

    Parameters
    ----------
    sweep : histories with configs; or a mapping or list of pairs from learning rate to a history or a list
        of histories; or one table (rows, data frame, CSV path) with a column `learning_rate` and, for
        several seeds, `seed`.
    perfect_loss : see `fit_step`.

    Raises
    ------
    TrainingLengthError
        Listing everything that is wrong.
    """
    pairs = [(_as_rate(rate), _with_settings(history)) for rate, history in _pairs(sweep)]
    problems = shortened([found for rate, curve in pairs for found in _rate_problems(rate, curve)])
    problems += _loss_problems(perfect_loss)
    if not pairs:
        problems.append(text("training_length.no_trials"))
    if problems:
        raise TrainingLengthError(problems)
    trials = [Trial(float(rate), curve, fit_step(curve, perfect_loss)) for rate, curve in pairs]
    return sorted(trials, key=lambda trial: trial.rate)


def _rate_problems(rate: Any, curve: Curve) -> list[str]:
    if not (is_number(rate) and rate > 0):
        return [text("training_length.bad_rate", given=reprlib.repr(rate))]
    recorded = {_as_rate(curve.config[name]) for name in RATE_NAMES if name in curve.config}
    recorded |= {value for name in RATE_NAMES for value in curve.columns.get(name, ())}
    others = [
        other for other in recorded if not (is_number(other) and math.isclose(other, rate, rel_tol=1e-5))
    ]
    if not others:
        return []
    shown = ", ".join(map(str, others[:SHOWN]))
    return [text("training_length.rate_differs", given=f"{rate:g}", recorded=shown)]


def _loss_problems(perfect_loss: object) -> list[str]:
    good = is_number(perfect_loss)
    return [] if good else [text("training_length.bad_perfect_loss", given=reprlib.repr(perfect_loss))]


def _with_settings(history: Any) -> Curve:
    """Return the curve; of plain rows, with the settings that stand in their columns as its config."""
    if isinstance(history, Curve) or (hasattr(history, "config") and not is_frame(history)):
        return read_curve(history)
    rows = read_rows(history)
    return replace(read_curve(rows), config=_settings(rows))


def _settings(rows: list[Row]) -> dict[str, Any]:
    """Return the settings that stand in the rows' columns; where rows differ, one that is not "off"."""
    settings = {}
    for key, off in _OFF.items():
        values = [_plain(row[key]) for row in rows if not is_missing(row.get(key))]
        if values:
            settings[key] = next((value for value in values if value not in off), values[0])
    return settings


def _pairs(sweep: Any) -> Iterable[tuple[Any, Any]]:
    """Yield (rate, history) of each trial."""
    if isinstance(sweep, Mapping) and not any(name in sweep for name in STEP_NAMES):
        for rate, histories in sweep.items():
            for history in _several(histories):
                yield rate, history
        return
    entries = list(sweep) if isinstance(sweep, list | tuple) else None
    if entries and all(hasattr(entry, "rows") and hasattr(entry, "config") for entry in entries):
        for entry in entries:
            curve = read_curve(entry)
            yield next((curve.config[name] for name in RATE_NAMES if name in curve.config), None), curve
        return
    if entries and all(isinstance(entry, list | tuple) and len(entry) == 2 for entry in entries):
        for rate, histories in entries:
            for history in _several(histories):
                yield rate, history
        return
    yield from _from_table(read_rows(sweep))


def _from_table(rows: list[Row]) -> Iterable[tuple[Any, Any]]:
    """Yield the trials of one long table: a rate and its rows for each rate and seed."""
    name = next((name for name in RATE_NAMES if rows and name in rows[0]), None)
    if name is None:
        known = ", ".join(map(str, rows[0])) if rows else "-"
        raise TrainingLengthError(
            [text("training_length.no_column", wanted=", ".join(RATE_NAMES), known=known)]
        )
    grouped: dict[tuple[Any, Any], list[Row]] = {}
    for row in rows:
        grouped.setdefault((row.get(name), row.get("seed")), []).append(row)
    for (rate, _), members in grouped.items():
        yield rate, members


def _several(histories: Any) -> list[Any]:
    """Return a list of histories as it is, and one history as a list of one."""
    many = isinstance(histories, list | tuple) and not (histories and isinstance(histories[0], Mapping))
    return list(histories) if many else [histories]


def _as_rate(rate: Any) -> Any:
    """Return a rate that is written as text (a CSV file's, a JSON key) as a number."""
    try:
        return float(rate)
    except (TypeError, ValueError):
        return rate


def _plain(value: Any) -> Any:
    """Return text that holds a number as that number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return value
