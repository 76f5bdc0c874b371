"""Figures about how long to train: kinds of workload, best steps of a study, and schedules.

`kinds` and `best_steps` take `ask=True` for an exercise: the title is then the question, and no answer is
shown. The rules behind the verdicts are in `labkit.training_length`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from labkit import training_length
from labkit.messages import number, text
from labkit.plots.figure import (
    BLUE,
    GREY,
    ORANGE,
    SKY,
    VERMILLION,
    PlotFigure,
    grouped,
    in_style,
    legend_below,
    name_rows,
    new_figure,
    panel_title,
    short,
    small_multiples,
)
from labkit.plots.given import judged, need, refusal

_LEVEL = 0.06  # of a panel's height: what changes less looks level in it
_STUDY = "([900, 950, 980], 1000)"


@in_style
def kinds(curves: Mapping[str, Any], ask: bool = False, lang: str | None = None) -> PlotFigure:
    """Draw training and validation loss of several workloads, each judged compute-bound or not.

    Parameters
    ----------
    curves : label → what `labkit.training_length.workload` takes (a history, or a list of them, one per
        seed), or what it returned. The stretch of steps that the verdict rests on is shaded.

    Raises
    ------
    ValueError
        If `curves` is empty, or a history cannot be read.
    """
    need(curves, "plots.kinds", "History", "{'MNIST-1D': history}", lang)
    found = {
        label: curve if hasattr(curve, "verdict") else training_length.workload(curve)
        for label, curve in curves.items()
    }
    words = {label: _verdict(kind.verdict, lang) for label, kind in found.items()}
    title = text("plots.kinds.question", lang) if ask else grouped(words)
    figure, axes = small_multiples(title, len(found))
    drawn: dict[str, Any] = {}
    for panel, (label, kind) in zip(axes, found.items(), strict=True):
        for name, losses, colour in (
            ("train", kind.train, ORANGE),
            ("validation", kind.validation, BLUE),
        ):
            if losses is not None:
                (drawn[text(f"plots.kinds.{name}", lang)],) = panel.plot(
                    kind.steps, losses, color=colour, lw=1.8
                )
        if not ask:
            span = panel.axvspan(*kind.part, color=GREY, alpha=0.3, lw=0)
            drawn[text("plots.kinds.part", lang)] = span
        panel.set_ylim(bottom=0)
        _enlarge_last_half(panel, kind, lang)
        panel.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        if len(found) > 1:
            panel.set_title(panel_title(short(label) if ask else grouped({label: words[label]})))
    for panel in axes[-2:]:
        panel.set_xlabel(text("plots.step_axis", lang))
    for panel in axes[::2]:
        panel.set_ylabel(text("plots.loss_axis", lang))
    legend_below(figure, drawn, per_line=3)
    return figure


def _enlarge_last_half(panel: Axes, kind: Any, lang: str | None) -> None:
    """Draw the last half again in the free corner where it would look level at the panel's scale."""
    late = [place for place, step in enumerate(kind.steps) if step >= kind.steps[-1] / 2]
    shown = [
        ([losses[place] for place in late], colour)
        for losses, colour in ((kind.train, ORANGE), (kind.validation, BLUE))
        if losses is not None
    ]
    values = [loss for losses, _ in shown for loss in losses]
    height = panel.get_ylim()[1]
    low, high = min(values), max(values)
    if len(late) < 2 or not high - low < _LEVEL * height or not high < 0.4 * height:
        return
    inset = panel.inset_axes((0.52, 0.45, 0.46, 0.38))
    for losses, colour in shown:
        inset.plot([kind.steps[place] for place in late], losses, color=colour, lw=1.2)
    centre, half = (low + high) / 2, 0.55 * _LEVEL * height
    inset.set_ylim(max(0.0, centre - half), max(0.0, centre - half) + 2 * half)
    inset.set_xticks([])
    inset.yaxis.set_major_locator(MaxNLocator(2))
    inset.set_title(text("plots.kinds.enlarged", lang), fontsize=9, pad=2)


def _verdict(verdict: str, lang: str | None) -> str:
    return text("plots.verdict_" + verdict.replace(" ", "_").replace("-", "_"), lang)


@in_style
def best_steps(studies: Mapping[str, Any], ask: bool = False, lang: str | None = None) -> PlotFigure:
    """Draw where in its trials each study's best checkpoints fell, and what that says about their length.

    Parameters
    ----------
    studies : label → as `labkit.training_length.diagnose` returns it, or a pair of its arguments: the best
        step of every trial, and max_train_steps (one number, or one per trial). The first 10 % and the last
        25 % of the steps are shaded.

    Raises
    ------
    ValueError
        If `studies` is empty or no mapping, or `diagnose` refuses a study.
    """
    need(studies, "plots.best_steps", "Diagnosis", f"{{'study A': {_STUDY}}}", lang)
    found = judged(studies, training_length.diagnose, "plots.best_steps", _STUDY, lang)
    figure, (axes,) = new_figure(_best_steps_title(found, ask, lang), height=1.7 + 0.36 * len(found))
    for low, high, colour, name in ((0, 10, ORANGE, "early"), (75, 100, SKY, "late")):
        axes.axvspan(low, high, color=colour, alpha=0.35, lw=0, label=text(f"plots.best_steps.{name}", lang))
    for row, study in enumerate(found.values()):
        axes.axhline(row, color=GREY, lw=0.6, zorder=1)
        shares = [100 * share for share in study.shares]
        heights = [row + 0.1 * (i % 3 - 1) for i in range(len(shares))]  # equal steps side by side
        axes.plot(shares, heights, "o", color=BLUE, ms=6, mec="white", mew=0.6, clip_on=False, zorder=3)
        if not ask:
            said = _verdict("nearly early" if study.nearly_early else study.verdict, lang)
            axes.annotate(said, (103, row), va="center", annotation_clip=False)
    axes.plot([], [], "o", color=BLUE, label=text("plots.best_steps.trial", lang))
    name_rows(axes, [_study_name(label, study, lang) for label, study in found.items()])
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel(text("plots.best_steps.axis", lang))
    handles, labels = axes.get_legend_handles_labels()
    legend_below(figure, dict(zip(labels, handles, strict=True)), per_line=3)
    return figure


def _study_name(label: str, study: Any, lang: str | None) -> str:
    lengths = sorted(set(study.max_train_steps))
    shown = " – ".join(dict.fromkeys(number(length) for length in (lengths[0], lengths[-1])))
    return text("plots.best_steps.study", lang, label=short(label), steps=shown)


def _best_steps_title(found: Mapping[str, Any], ask: bool, lang: str | None) -> str:
    if ask:
        return text("plots.best_steps.question", lang)
    if len(found) == 1:
        ((label, study),) = found.items()
        return grouped({label: _verdict("nearly early" if study.nearly_early else study.verdict, lang)})
    change = sum(study.verdict in ("far too long", "train longer") for study in found.values())
    early = sum(study.nearly_early for study in found.values())
    which = "title_early" if early else "title_change" if change else "title_keep"
    return text(f"plots.best_steps.{which}", lang, change=change, early=early, count=len(found))


@in_style
def schedules(
    original: Any, extended: Any = None, mistake: Any = None, lang: str | None = None
) -> PlotFigure:
    """Draw a learning-rate schedule, the same extended to more steps, and the usual mistake beside it.

    Parameters
    ----------
    original, extended, mistake : a `labkit.schedules.Schedule` each, or anything with `.steps`, `.base_rate`
        and `.rate(step)`; the last two may be left out. Or, alone, what `labkit.training_length.extend`
        returned, which has all three.

    Raises
    ------
    ValueError
        If one of them is no schedule.
    """
    if extended is None and hasattr(original, "original"):
        original, extended, mistake = original.original, original.schedule, original.mistake
    for name, given in (("original", original), ("extended", extended), ("mistake", mistake)):
        left_out = given is None and name != "original"
        if not left_out and not all(hasattr(given, part) for part in ("steps", "base_rate", "rate")):
            raise refusal("plots.schedules", name, given, text("plots.schedules.expected", lang), lang)
    figure, (axes,) = new_figure(_schedules_title(original, extended, mistake, lang))
    # Where lines lie on each other the broad one shines through at the sides.
    drawn: list[tuple[Any, str, dict[str, Any]]] = [
        (original, "original", {"color": "black", "lw": 1.5, "zorder": 3}),
        (extended, "extended", {"color": BLUE, "lw": 5, "alpha": 0.55}),
        (mistake, "mistake", {"color": VERMILLION, "lw": 2.5, "ls": "--", "zorder": 2.5}),
    ]
    for schedule, name, look in drawn:
        if schedule is not None:
            steps = range(schedule.steps + 1)
            which = name if extended is not None else "alone"
            label = text(f"plots.schedules.{which}", lang, steps=number(schedule.steps))
            axes.plot(steps, [schedule.rate(step) for step in steps], label=label, **look)
    axes.axvline(original.steps, color=GREY, lw=1, ls=":")
    axes.set_ylim(-0.015 * original.base_rate, 1.08 * original.base_rate)
    axes.set_xlim(left=0)
    axes.set_xlabel(text("plots.step_axis", lang))
    axes.set_ylabel(text("plots.rate_axis", lang))
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def _schedules_title(original: Any, extended: Any, mistake: Any, lang: str | None) -> str:
    """Return how high a rate the extra steps get, or all steps of a schedule drawn alone."""
    if extended is None:
        total = sum(original.rate(step) for step in range(original.steps))
        share = number(100 * total / max(1, original.steps) / original.base_rate, 2)
        alone = {"steps": number(original.steps), "rate": number(original.base_rate)}
        return text("plots.schedules.title_alone", lang, share=share, **alone)
    values = {
        "extra": number(extended.steps - original.steps),
        "extended": number(100 * _gain(original, extended), 2),
    }
    if mistake is None:
        return text("plots.schedules.title_extended", lang, **values)
    more = _gain(original, extended) > _gain(original, mistake)
    which = "title_more" if more else "title_no_more"
    values["mistake"] = number(100 * _gain(original, mistake), 2)
    return text(f"plots.schedules.{which}", lang, **values)


def _gain(original: Any, longer: Any) -> float:
    """Return what a longer schedule adds to the sum of rates, per extra step, as a share of the base rate."""
    more, less = (sum(s.rate(step) for step in range(s.steps)) for s in (longer, original))
    extra = max(1, longer.steps - original.steps)
    return float((more - less) / extra / original.base_rate)
