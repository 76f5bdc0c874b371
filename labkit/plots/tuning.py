"""Figures about finding the number of steps: the first guess from a sweep, rounds, and gradient noise."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from labkit import training_length
from labkit.messages import duration, number, text
from labkit.plots.figure import (
    BLUE,
    ORANGE,
    PALETTE,
    SKY,
    VERMILLION,
    PlotFigure,
    in_style,
    ink,
    name_rows,
    new_figure,
    plain,
    short,
    tiny,
)
from labkit.plots.given import refusal
from labkit.plots.rows import is_number, rows_of

_MOST_LABELS = 12  # learning rates named along an axis
_MOST_LINES = 60  # trials in a figure that still get a line between each other


@in_style
def sweep(trials: Any, ask: bool = False, lang: str | None = None) -> PlotFigure:
    """Draw the steps that each constant learning rate needs to fit the training set perfectly.

    Parameters
    ----------
    trials : as `labkit.training_length.first_guess` returns it, or what it takes.
    ask : for an exercise: the title is the question, and neither the answer nor the edge is marked.

    Raises
    ------
    ValueError
        If `first_guess` refuses the trials.
    """
    guess = trials if hasattr(trials, "by_rate") else training_length.first_guess(trials)
    rates = [row["learning_rate"] for row in guess.by_rate]
    title = text("plots.sweep.question", lang) if ask else _sweep_title(guess, lang)
    figure, (axes,) = new_figure(title)
    fitted = [row for row in guess.by_rate if math.isfinite(row["fastest"])]
    slowest = [row["slowest"] if math.isfinite(row["slowest"]) else row["fastest"] for row in fitted]
    if any(row["trials"] > 1 for row in fitted):
        axes.vlines(
            [row["learning_rate"] for row in fitted],
            [row["fastest"] for row in fitted],
            slowest,
            color=SKY,
            lw=6,
            alpha=0.7,
            label=text("plots.sweep.spread", lang),
        )
    axes.plot(
        [row["learning_rate"] for row in fitted],
        [row["fastest"] for row in fitted],
        "-o",
        color=BLUE,
        label=text("plots.sweep.fastest", lang),
    )
    top = guess.max_train_steps or max(slowest, default=1)
    if guess.max_train_steps:
        label = text("plots.sweep.length", lang, steps=number(top))
        axes.axhline(top, color="black", lw=1, ls=":", label=label)
    missing = [row["learning_rate"] for row in guess.by_rate if row["fitted"] < row["trials"]]
    if missing:
        label = text("plots.sweep.never", lang, steps=number(guess.max_train_steps))
        axes.plot(missing, [1.07 * top] * len(missing), "x", color=VERMILLION, ms=8, mew=2, label=label)
    if not ask:
        _mark(axes, guess, rates, lang)
    axes.set_xscale("log")
    axes.set_xlim(rates[0] / 1.6, rates[-1] * 1.6)
    axes.set_ylim(0, 1.18 * top)
    axes.set_xticks(_apart(rates), minor=False)
    axes.xaxis.set_major_formatter(lambda rate, _: tiny(rate) if rate < 1e-5 else number(rate))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(text("plots.rate_axis", lang))
    axes.set_ylabel(text("plots.sweep.axis", lang))
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def _apart(rates: list[float]) -> list[float]:
    """Return the rates, in order, whose labels have room on a logarithmic axis."""
    room = math.log(1.6**2 * rates[-1] / rates[0]) / _MOST_LABELS
    kept = rates[:1]
    for rate in rates:
        if math.log(rate / kept[-1]) >= room:
            kept.append(rate)
    return kept


def _mark(axes: Axes, guess: Any, rates: list[float], lang: str | None) -> None:
    """Mark the guess, or the side to which the range has to grow."""
    if guess.steps is not None:
        label = text("plots.sweep.guess", lang)
        axes.plot(guess.rate, guess.steps, "*", color=ORANGE, ms=17, mec="black", zorder=4, label=label)
    for side, edge, outside in (
        ("smaller", rates[0], rates[0] / 1.6),
        ("larger", rates[-1], rates[-1] * 1.6),
    ):
        if guess.next == f"{side} rates":
            label = text("plots.sweep.edge", lang)
            axes.axvspan(edge, outside, color=ORANGE, alpha=0.35, lw=0, label=label)


def _sweep_title(guess: Any, lang: str | None) -> str:
    case = {
        "use it": "title_guess",
        "larger rates": "title_larger",
        "smaller rates": "title_smaller",
        "more rates": "title_more",
        "longer trials": "title_longer",
    }.get(guess.next, "title_repeat")
    values = {"steps": number(guess.steps or 0), "rate": number(guess.rate or 0)}
    return text(f"plots.sweep.{case}", lang, length=number(guess.max_train_steps), **values)


@in_style
def rounds(plan: Any, lang: str | None = None) -> PlotFigure:
    """Draw rounds of tuning: every trial as a bar as long as it trains, round by round.

    Parameters
    ----------
    plan : as `labkit.training_length.rounds` returns it, or a dict like its `.numbers`: "rounds" (each a dict
        with "trials", "steps" and "hours"), "total_hours" (margin included) and "budget_hours"; without any
        round also "production_steps" and "longest_steps".

    Raises
    ------
    ValueError
        If `plan` is neither.
    """
    numbers = getattr(plan, "numbers", plan)
    if not isinstance(numbers, Mapping) or not {"rounds", "total_hours", "budget_hours"} <= numbers.keys():
        expected = text("plots.rounds.expected", lang)
        raise refusal("plots.rounds", text("plots.argument", lang), plan, expected, lang)
    figure, (axes,) = new_figure(_rounds_title(numbers, lang))
    bars = [(r["trials"], r["steps"]) for r in numbers["rounds"]]
    if bars:
        labels = [
            text(
                "plots.rounds.round",
                lang,
                place=place,
                trials=number(r["trials"]),
                steps=number(r["steps"]),
                hours=duration(3600 * r["hours"], lang),
            )
            for place, r in enumerate(numbers["rounds"], 1)
        ]
    else:
        bars = [(1, numbers["production_steps"]), (1, numbers["longest_steps"])]
        labels = [
            text(f"plots.rounds.{name}", lang, steps=number(n))
            for name, (_, n) in zip(("wanted", "possible"), bars, strict=True)
        ]
    longest = max(steps for _, steps in bars)
    total = sum(trials for trials, _ in bars)
    lines = 0.8 if total <= _MOST_LINES else 0
    gap, below = 0.06 * total, 0.0
    for (trials, steps), label, colour in zip(bars, labels, itertools.cycle(PALETTE), strict=False):
        each = max(1, 0.08 * total / trials)  # few trials among hundreds stay visible
        bottoms = [below + each * trial for trial in range(trials)]
        axes.barh(bottoms, steps, each, align="edge", color=colour, edgecolor="white", linewidth=lines)
        inside = steps > 0.6 * longest
        axes.annotate(
            label,
            (0 if inside else steps, below + each * trials / 2),
            (6, 0),
            textcoords="offset points",
            va="center",
            color=ink(colour) if inside else "black",
            bbox={"facecolor": colour if inside else "white", "edgecolor": "none", "pad": 1.5},
        )
        below += each * trials + gap
    axes.set_ylim(below - gap, -gap / 2)
    axes.set_yticks([])
    axes.set_xlim(0, 1.02 * longest)
    axes.set_xlabel(text("plots.rounds.axis", lang))
    if numbers["rounds"]:
        axes.set_ylabel(text("plots.rounds.trials", lang))
    return figure


def _rounds_title(numbers: Mapping[str, Any], lang: str | None) -> str:
    budget = duration(3600 * numbers["budget_hours"], lang)
    found = numbers["rounds"]
    if not found:
        return text("plots.rounds.title_none", lang, budget=budget)
    values = {"budget": budget, "total": duration(3600 * numbers["total_hours"], lang)}
    if numbers["total_hours"] > numbers["budget_hours"] * (1 + 1e-9):
        return text("plots.rounds.title_over", lang, **values)
    if len(found) == 1:
        return text("plots.rounds.title_one", lang, trials=number(found[0]["trials"]), **values)
    ends = {"first": number(found[0]["trials"]), "last": number(found[-1]["trials"])}
    return text("plots.rounds.title_fits", lang, **ends, **values)


@in_style
def gradient_noise(found: Any, target: float | None = None, lang: str | None = None) -> PlotFigure:
    """Draw the steps that settings with more or less gradient noise need for the same validation loss.

    A setting counts as slower or faster than the first where the ranges of at least two runs each lie apart.

    Parameters
    ----------
    found : as `labkit.training_length.gradient_noise` returns it; or rows with "setting" and "steps" (None
        where the loss was not reached), the setting that the others are compared with first.
    target : the validation loss to reach, for rows.

    Raises
    ------
    ValueError
        If there are no rows, or columns are missing.
    """
    if hasattr(found, "target"):
        target = found.target
        steps = {str(row.label): list(row.steps) for row in found.rows}
    else:
        steps = {}
        for run in rows_of(found, "plots.gradient_noise", (), lang, names=("setting", "steps")):
            steps.setdefault(str(run["setting"]), []).append(run["steps"])
    figure, (axes,) = new_figure(_noise_title(steps, lang), height=1.6 + 0.42 * len(steps))
    for row, needed in enumerate(steps.values()):
        reached = [n for n in needed if is_number(n)]
        axes.plot(reached, [row] * len(reached), "o", color=SKY, ms=7, alpha=0.8)
        if len(reached) == len(needed):
            middle = statistics.median(reached)
            axes.plot([middle] * 2, [row - 0.3, row + 0.3], color=BLUE, lw=3)
        else:
            missing = text("plots.gradient_noise.missing", lang, count=len(needed) - len(reached))
            axes.annotate(missing, (0.01, row), xycoords=("axes fraction", "data"), va="center")
    axes.plot([], [], "o", color=SKY, ms=7, label=text("plots.one_seed", lang))
    axes.plot([], [], color=BLUE, lw=3, label=text("plots.median_of_seeds", lang))
    name_rows(axes, [short(setting) for setting in steps])
    axes.set_ylim(len(steps) - 0.5, -0.5)
    axes.set_xlim(left=0)
    goal = "" if target is None else number(target)
    axes.set_xlabel(plain(text("plots.gradient_noise.goal", lang, target=goal)))
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def _noise_title(steps: Mapping[str, list[Any]], lang: str | None) -> str:
    never = [setting for setting, needed in steps.items() if not all(map(is_number, needed))]
    if never:
        return text("plots.gradient_noise.title_never", lang, settings=", ".join(map(short, never)))
    reference, *others = steps
    base = steps[reference]
    apart = [s for s in others if min(len(base), len(steps[s])) > 1]
    slower = [s for s in apart if min(steps[s]) > max(base)]
    faster = [s for s in apart if max(steps[s]) < min(base)]
    if slower:
        worst = max(slower, key=lambda setting: statistics.median(steps[setting]))
        ratio = number(statistics.median(steps[worst]) / statistics.median(base), 2)
        names = {"setting": short(worst), "reference": short(reference)}
        return text("plots.gradient_noise.title_slower", lang, ratio=ratio, **names)
    which = "title_faster" if faster else "title_unclear"
    names = {"settings": ", ".join(map(short, faster)), "reference": short(reference)}
    return text(f"plots.gradient_noise.{which}", lang, **names)
