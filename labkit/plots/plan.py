"""The hours of a compute plan beside those of its plan B, or of another plan."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes

from labkit.messages import duration, number, text
from labkit.plots.figure import (
    GREY,
    PALETTE,
    VERMILLION,
    PlotFigure,
    in_style,
    ink,
    new_figure,
    short,
    time_unit,
)

if TYPE_CHECKING:
    from labkit.plan import ComputePlan, PlanB

MAX_SEGMENTS = 8  # settings drawn one by one; the rest are drawn together


@dataclass(frozen=True)
class _Bar:
    """One bar of the picture: time by setting name (without the margin), and the total with its range."""

    name: str
    runs: int
    times: dict[str, float]
    margin: float
    total: float
    low: float
    high: float


@in_style
def plan_hours(plan: ComputePlan, plan_b: PlanB | None = None, lang: str | None = None) -> PlotFigure:
    """Draw the hours of a plan and of its plan B side by side, setting by setting, the margin hatched.

    In hours; a plan under an hour in minutes or seconds.

    Parameters
    ----------
    plan : the plan; its total is the budget, and the line is drawn at half of it.
    plan_b : as `plan.plan_b()` returns it, which is also used for None.
    """
    plan_b = plan.plan_b() if plan_b is None else plan_b
    unit_s, unit = (3600.0, text("common.unit_h", lang))
    if plan.total_hours < 1:
        unit_s, unit = time_unit(3600 * plan.total_hours, lang)
    bars = [
        _bar(plan, text("plots.plan_hours.plan", lang), 3600 / unit_s),
        _bar(plan_b.plan, text("plots.plan_hours.plan_b", lang), 3600 / unit_s),
    ]
    which = "plots.plan_hours.title_fits" if plan_b.fits else "plots.plan_hours.title_does_not_fit"
    needs = {"total": f"{number(bars[0].total)} {unit}", "plan_b": f"{number(bars[1].total)} {unit}"}
    figure, (axes,) = new_figure(text(which, lang, **needs))
    legend = _draw_bars(axes, bars, {plan.margin}, lang)
    drawn = axes.axhline(bars[0].total / 2, color=VERMILLION, ls="--", lw=1.5)
    legend.insert(0, (drawn, text("plots.plan_hours.half", lang, half=f"{number(bars[0].total / 2)} {unit}")))
    names = [text("plots.plan_hours.under_bar", lang, name=bar.name, runs=bar.runs) for bar in bars]
    _name_axes(axes, names, unit, lang)
    axes.set_xlabel(_run_time_line(plan, lang))
    handles, labels = zip(*reversed(legend), strict=True)
    figure.legend(handles, labels, loc="outside right center")
    return figure


@in_style
def two_plans(plans: Mapping[str, ComputePlan], lang: str | None = None) -> PlotFigure:
    """Draw the hours of two plans for the same goal side by side, setting by setting, the margins hatched.

    Parameters
    ----------
    plans : what the plan is called, at most a word or two → the plan; two of them.

    Raises
    ------
    ValueError
        If there are not two.
    """
    if len(plans) != 2:
        raise ValueError(text("plots.two_plans.count", lang, count=len(plans)))
    unit_s, unit = (3600.0, text("common.unit_h", lang))
    if (most := max(plan.total_hours for plan in plans.values())) < 1:
        unit_s, unit = time_unit(3600 * most, lang)
    bars = [_bar(plan, short(name), 3600 / unit_s) for name, plan in plans.items()]
    less, more = sorted(bars, key=lambda bar: bar.total)
    needs = {"less": f"{number(less.total, 3)} {unit}", "more": f"{number(more.total, 3)} {unit}"}
    which = "title_same" if needs["less"] == needs["more"] else "title_less"
    title = text(f"plots.two_plans.{which}", lang, cheaper=less.name, dearer=more.name, **needs)
    figure, (axes,) = new_figure(title)
    legend = _draw_bars(axes, bars, {plan.margin for plan in plans.values()}, lang)
    _name_axes(axes, [bar.name for bar in bars], unit, lang)
    handles, labels = zip(*reversed(legend), strict=True)
    figure.legend(handles, labels, loc="outside right center")
    return figure


def _draw_bars(
    axes: Axes, bars: list[_Bar], margins: Collection[float], lang: str | None
) -> list[tuple[Any, str]]:
    """Draw two bars with their margins and ranges, and return what the legend has to name."""
    tallest = max(max(bar.high, bar.total) for bar in bars) or 1.0
    axes.set_ylim(0, 1.12 * tallest)
    legend = _draw_settings(axes, bars, tallest, lang)
    heights, bottoms = [bar.margin for bar in bars], [bar.total - bar.margin for bar in bars]
    drawn: Any = axes.bar((0, 1), heights, 0.6, bottoms, color="white", hatch="///", edgecolor="#777777")
    shares = " / ".join(number(100 * margin) for margin in sorted(margins))
    legend.append((drawn, text("plots.plan_hours.margin", lang, percent=shares)))
    for x, bar in enumerate(bars):
        if bar.low < bar.high:
            reach = [[max(0.0, bar.total - bar.low)], [max(0.0, bar.high - bar.total)]]
            drawn = axes.errorbar(x + 0.38, bar.total, reach, color="black", capsize=4, lw=1.5)
            if x == 0:
                legend.append((drawn, text("plots.plan_hours.range", lang)))
    return legend


def _name_axes(axes: Axes, names: Sequence[str], unit: str, lang: str | None) -> None:
    axes.set_xticks((0, 1), names)
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.5, 1.6)
    axes.set_ylabel(text("plots.plan_hours.axis", lang, unit=unit))


def _bar(plan: ComputePlan, name: str, per_hour: float) -> _Bar:
    """Return a plan's bar in a unit of which an hour has `per_hour`."""
    times: dict[str, float] = {}
    for setting in plan.settings:
        minutes = len(plan.seeds) * plan.run_time_of(setting).minutes
        times[setting.name] = times.get(setting.name, 0.0) + minutes / 60 * per_hour
    low, high = (per_hour * hours for hours in plan.total_range)
    total = per_hour * plan.total_hours
    return _Bar(name, plan.runs, times, total - per_hour * plan.base_hours, total, low, high)


def _draw_settings(axes: Axes, bars: list[_Bar], tallest: float, lang: str | None) -> list[tuple[Any, str]]:
    """Stack the settings of both bars, the first at the bottom, and return what the legend has to name."""
    names = list(dict.fromkeys(name for bar in bars for name in bar.times))
    alone = names if len(names) <= MAX_SEGMENTS else names[: MAX_SEGMENTS - 1]
    segments = [(short(name), [bar.times.get(name, 0.0) for bar in bars]) for name in alone]
    if rest := names[len(alone) :]:
        label = text("plots.plan_hours.others", lang, count=len(rest))
        segments.append((label, [sum(bar.times.get(name, 0.0) for name in rest) for bar in bars]))
    colours = [*PALETTE, GREY]
    legend: list[tuple[Any, str]] = []
    bottoms = [0.0, 0.0]
    written: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 4}
    for colour, (label, times) in zip(colours, segments, strict=False):
        box = {"facecolor": colour, "edgecolor": "none", "pad": 1}  # keeps the half line off the number
        drawn = axes.bar((0, 1), times, 0.6, bottoms, color=colour, edgecolor="white", lw=1)
        legend.append((drawn, label))
        for x, (bottom, height) in enumerate(zip(bottoms, times, strict=True)):
            if height > 0.075 * tallest:
                axes.text(x, bottom + height / 2, number(height), color=ink(colour), **written, bbox=box)
        bottoms = [bottom + height for bottom, height in zip(bottoms, times, strict=True)]
    return legend


def _run_time_line(plan: ComputePlan, lang: str | None) -> str:
    """Return whether the run times were measured or guessed, in words."""
    from labkit.plan import Guess

    times = {setting.run_time or plan.run_time for setting in plan.settings}
    kinds = {isinstance(time, Guess) for time in times}
    if len(kinds) > 1:
        return text("plots.plan_hours.mixed", lang)
    which = "plots.plan_hours.guessed" if kinds.pop() else "plots.plan_hours.measured"
    minutes = [time.minutes for time in times if time]
    shown = dict.fromkeys(duration(60 * m, lang) for m in (min(minutes), max(minutes)))
    return text(which, lang, time=" – ".join(shown))
