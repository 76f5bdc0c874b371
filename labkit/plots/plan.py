"""The hours of a compute plan beside those of its plan B."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matplotlib.axes import Axes

from labkit.messages import duration, number, text
from labkit.plots.figure import GREY, PALETTE, PlotFigure, in_style, new_figure, short

if TYPE_CHECKING:
    from labkit.plan import ComputePlan, PlanB, Setting

MAX_SEGMENTS = 8  # settings drawn one by one; the rest are drawn together


@dataclass(frozen=True)
class _Bar:
    """One bar of the picture: hours by setting name, margin left out, and the total with its range."""

    name: str
    runs: int
    hours: dict[str, float]
    margin_hours: float
    total: float
    low: float
    high: float


@in_style
def plan_hours(plan: ComputePlan, plan_b: PlanB | None = None, lang: str | None = None) -> PlotFigure:
    """Draw the hours of a plan and of its plan B side by side, setting by setting, the margin hatched.

    Parameters
    ----------
    plan : the plan; its total is the budget, and the line is drawn at half of it.
    plan_b : as `plan.plan_b()` returns it, which is also used for None.
    """
    plan_b = plan.plan_b() if plan_b is None else plan_b
    bars = [
        _bar(plan, text("plots.plan_hours.plan", lang)),
        _bar(plan_b.plan, text("plots.plan_hours.plan_b", lang)),
    ]
    which = "plots.plan_hours.title_fits" if plan_b.fits else "plots.plan_hours.title_does_not_fit"
    title = text(which, lang, total=number(plan.total_hours), plan_b=number(bars[1].total))
    figure, (axes,) = new_figure(title)
    tallest = max(max(bar.high, bar.total) for bar in bars) or 1.0
    axes.set_ylim(0, 1.12 * tallest)
    _draw_settings(axes, bars, tallest, lang)
    bottoms = [bar.total - bar.margin_hours for bar in bars]
    label = text("plots.plan_hours.margin", lang, percent=number(100 * plan.margin))
    margins = [bar.margin_hours for bar in bars]
    axes.bar((0, 1), margins, 0.6, bottoms, color="white", hatch="///", edgecolor="#777777", label=label)
    for x, bar in enumerate(bars):
        below_above = [[max(0.0, bar.total - bar.low)], [max(0.0, bar.high - bar.total)]]
        label = text("plots.plan_hours.range", lang) if x == 0 else ""
        axes.errorbar(x + 0.38, bar.total, below_above, color="black", capsize=4, lw=1.5, label=label or None)
    half = plan.total_hours / 2
    label = text("plots.plan_hours.half", lang, hours=number(half))
    axes.axhline(half, color="#D55E00", ls="--", lw=1.5, label=label)
    axes.set_xticks(
        (0, 1), [text("plots.plan_hours.under_bar", lang, name=b.name, runs=b.runs) for b in bars]
    )
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.5, 1.6)
    axes.set_ylabel(text("plots.plan_hours.axis", lang))
    axes.set_xlabel(_run_time_line(plan, lang))
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], loc="outside right center")
    return figure


def _hours(plan: ComputePlan, setting: Setting) -> float:
    run_time = setting.run_time or plan.run_time
    return len(plan.seeds) * run_time.minutes / 60 if run_time else 0.0


def _bar(plan: ComputePlan, name: str) -> _Bar:
    hours: dict[str, float] = {}
    for setting in plan.settings:
        hours[setting.name] = hours.get(setting.name, 0.0) + _hours(plan, setting)
    low, high = plan.total_range
    return _Bar(name, plan.runs, hours, plan.total_hours - plan.base_hours, plan.total_hours, low, high)


def _draw_settings(axes: Axes, bars: list[_Bar], tallest: float, lang: str | None) -> None:
    """Stack the settings of both bars, the first setting at the bottom, hours written where they fit."""
    names = list(bars[0].hours)
    alone = names if len(names) <= MAX_SEGMENTS else names[: MAX_SEGMENTS - 1]
    segments = [(short(name), [bar.hours.get(name, 0.0) for bar in bars]) for name in alone]
    if rest := names[len(alone) :]:
        label = text("plots.plan_hours.others", lang, count=len(rest))
        segments.append((label, [sum(bar.hours.get(name, 0.0) for name in rest) for bar in bars]))
    colours = [*PALETTE, GREY]
    bottoms = [0.0, 0.0]
    for colour, (label, hours) in zip(colours, segments, strict=False):
        axes.bar((0, 1), hours, 0.6, bottoms, color=colour, edgecolor="white", lw=1, label=label)
        for x, (bottom, height) in enumerate(zip(bottoms, hours, strict=True)):
            if height > 0.075 * tallest:
                words = text("plots.plan_hours.hours", lang, hours=number(height))
                axes.text(x, bottom + height / 2, words, ha="center", va="center", color=_ink(colour))
        bottoms = [bottom + height for bottom, height in zip(bottoms, hours, strict=True)]


def _ink(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour (Rec. 601 luma)."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 125 else "white"


def _run_time_line(plan: ComputePlan, lang: str | None) -> str:
    """Return whether the run times were measured or guessed, in words."""
    from labkit.plan import Guess

    times = {setting.run_time or plan.run_time for setting in plan.settings}
    kinds = {isinstance(time, Guess) for time in times}
    if len(kinds) > 1:
        return text("plots.plan_hours.mixed", lang)
    which = "plots.plan_hours.guessed" if kinds.pop() else "plots.plan_hours.measured"
    minutes = sorted({time.minutes for time in times if time})
    shown = [
        duration(60 * m, lang) for m in (minutes[:1] if len(minutes) == 1 else (minutes[0], minutes[-1]))
    ]
    return text(which, lang, time=" – ".join(shown))
