"""Figures about time: single steps, waiting for data, speed, and a forecast beside what it really took."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Mapping
from typing import TYPE_CHECKING

from matplotlib.ticker import MaxNLocator

from labkit.messages import duration, number, text
from labkit.plots.figure import (
    BLUE,
    GREY,
    ORANGE,
    PALETTE,
    SKY,
    VERMILLION,
    PlotFigure,
    in_style,
    name_rows,
    new_figure,
    short,
    time_unit,
)
from labkit.plots.given import need

if TYPE_CHECKING:
    from labkit.forecast import Forecast
    from labkit.timing import StepTimes


@in_style
def step_times(t: StepTimes, lang: str | None = None) -> PlotFigure:
    """Draw every measured step in order, warm-up and first step marked, and how the times are distributed."""
    title = text(
        "plots.step_times.title", lang, mean=duration(t.mean_s, lang), first=duration(t.first_s, lang)
    )
    figure, (series, spread) = new_figure(title, columns=(3, 2))
    largest = max(t.total_s)
    unit, unit_name = time_unit(largest, lang)
    times = [s / unit for s in t.total_s]
    steps = range(t.warmup_steps + 1, t.warmup_steps + 1 + len(times))
    series.plot(steps, times, color=BLUE, lw=0.6, marker=".", ms=4 if len(times) <= 300 else 1)
    if t.warmup_steps:
        label = text("plots.step_times.warmup", lang)
        series.axvspan(0.5, t.warmup_steps + 0.5, color=GREY, alpha=0.5, lw=0, label=label)
    series.plot(
        1, t.first_s / unit, "D", color=VERMILLION, ms=7, label=text("plots.step_times.first", lang), zorder=3
    )
    if t.first_s > 4 * largest or largest > 20 * t.median_s:
        series.set_yscale("log")
        series.yaxis.set_major_formatter(lambda value, _: number(value))
    else:
        series.set_ylim(0, 1.1 * max(largest, t.first_s) / unit)
    series.set_xlabel(text("plots.step_axis", lang))
    series.set_ylabel(text("plots.time_per_step_axis", lang, unit=unit_name))

    shown = t.quantile(0.99) / unit
    spread.hist([min(x, shown) for x in times], bins=min(30, max(10, len(times) // 4)), color=SKY)
    for name, value, colour, line in (
        ("mean", t.mean_s, VERMILLION, "-"),
        ("median", t.median_s, "black", "--"),
    ):
        label = text(f"plots.step_times.{name}", lang, value=duration(value, lang))
        spread.axvline(value / unit, color=colour, ls=line, lw=1.5, label=label)
    spread.set_xlabel(text("plots.time_per_step_axis", lang, unit=unit_name))
    spread.set_ylabel(text("plots.count_axis", lang))
    spread.yaxis.set_major_locator(MaxNLocator(integer=True))
    figure.legend(loc="outside lower center", ncols=4)
    return figure


@in_style
def waiting(times: Mapping[str, StepTimes], lang: str | None = None) -> PlotFigure:
    """Draw, for each labelled measurement, how much of a mean step is computing and how much is waiting.

    Raises
    ------
    ValueError
        If `times` is empty.
    """
    need(times, "plots.waiting", "StepTimes", "{'slow loader': t}", lang)
    worst = max(times, key=lambda label: times[label].data_wait_fraction)
    percent = number(100 * times[worst].data_wait_fraction, 2)
    busy_everywhere = all(t.verdict == "busy" for t in times.values())
    which = "plots.waiting.title_busy" if busy_everywhere else "plots.waiting.title_waiting"
    figure, (axes,) = new_figure(
        text(which, lang, label=short(worst), percent=percent), height=1.7 + 0.55 * len(times)
    )
    unit, unit_name = time_unit(max(t.mean_s for t in times.values()), lang)
    names = [short(label) for label in times]
    computing = [statistics.fmean(t.step_s) / unit for t in times.values()]
    waits = [statistics.fmean(t.wait_s) / unit for t in times.values()]
    rows = range(len(names))
    axes.barh(rows, computing, 0.6, color=BLUE, label=text("plots.waiting.busy", lang))
    label = text("plots.waiting.waiting", lang)
    axes.barh(rows, waits, 0.6, left=computing, color=ORANGE, hatch="//", edgecolor="white", label=label)
    for row, t in enumerate(times.values()):
        share = text("plots.waiting.share", lang, percent=number(100 * t.data_wait_fraction, 2))
        axes.annotate(share, (t.mean_s / unit, row), (5, 0), textcoords="offset points", va="center")
    name_rows(axes, names)
    axes.set_xlim(0, 1.25 * max(t.mean_s for t in times.values()) / unit)
    axes.set_xlabel(text("plots.time_per_step_axis", lang, unit=unit_name))
    figure.legend(loc="outside lower center", ncols=2)
    return figure


@in_style
def speed(times: Mapping[str, StepTimes], lang: str | None = None) -> PlotFigure:
    """Compare the speed of several ways to do a training step; the first label is the reference.

    A difference counts as clear only where the middle 80 % of the two measurements' steps do not overlap.

    Raises
    ------
    ValueError
        If `times` is empty.
    """
    need(times, "plots.speed", "StepTimes", "{'float32': t}", lang)
    labels = list(times)
    reference, best = labels[0], min(labels, key=lambda label: times[label].mean_s)
    unclear = [
        label
        for label in labels[1:]
        if times[label].quantile(0.1) <= times[reference].quantile(0.9)
        and times[reference].quantile(0.1) <= times[label].quantile(0.9)
    ]
    if len(labels) > 1 and (best in unclear or len(unclear) == len(labels) - 1):
        title = text("plots.speed.title_unclear", lang)
    elif best == reference:
        title = text("plots.speed.title_slower", lang, reference=short(reference))
    else:
        ratio = number(times[reference].mean_s / times[best].mean_s, 2)
        title = text(
            "plots.speed.title_faster", lang, label=short(best), ratio=ratio, reference=short(reference)
        )
    figure, (axes,) = new_figure(title, height=1.3 + 0.6 * len(labels))
    unit, unit_name = time_unit(max(t.quantile(0.9) for t in times.values()), lang)
    for row, (colour, t) in enumerate(zip(itertools.cycle(PALETTE[:-1]), times.values(), strict=False)):
        axes.hlines(row, t.quantile(0.1) / unit, t.quantile(0.9) / unit, color=colour, lw=5, alpha=0.5)
        axes.plot(t.mean_s / unit, row, "o", color=colour, ms=9)
        axes.annotate(
            duration(t.mean_s, lang), (t.mean_s / unit, row), (0, 9), textcoords="offset points", ha="center"
        )
    name_rows(axes, [short(label) for label in labels])
    axes.set_ylim(len(labels) - 0.4, -0.7)
    axes.set_xlim(0, 1.1 * max(max(t.quantile(0.9), t.mean_s) for t in times.values()) / unit)
    axes.set_xlabel(text("plots.speed.axis", lang, unit=unit_name))
    return figure


@in_style
def forecast(prediction: Forecast, actual_s: float | None = None, lang: str | None = None) -> PlotFigure:
    """Draw a forecast with its range and, where known, what the run really took (`actual_s`, seconds)."""
    values = {
        "expected": duration(prediction.expected_s, lang),
        "low": duration(prediction.low_s, lang),
        "high": duration(prediction.high_s, lang),
        "level": number(100 * prediction.level),
    }
    if actual_s is None:
        title = text("plots.forecast.title_open", lang, **values)
    else:
        inside = prediction.low_s <= actual_s <= prediction.high_s
        which = "plots.forecast.title_inside" if inside else "plots.forecast.title_outside"
        title = text(which, lang, actual=duration(actual_s, lang), **values)
    figure, (axes,) = new_figure(title, height=2.3)
    largest = max(prediction.high_s, actual_s or 0)
    unit, unit_name = time_unit(largest, lang)
    low, expected, high = (s / unit for s in (prediction.low_s, prediction.expected_s, prediction.high_s))
    label = text("plots.forecast.range", lang, level=values["level"])
    axes.barh(0, high - low, 0.35, left=low, color=SKY, label=f"{label}: {values['low']} – {values['high']}")
    label = text("plots.forecast.expected", lang)
    axes.plot(expected, 0, "o", color=BLUE, ms=10, label=f"{label}: {values['expected']}")
    if actual_s is not None:
        label = f"{text('plots.forecast.actual', lang)}: {duration(actual_s, lang)}"
        axes.plot([actual_s / unit] * 2, [-0.4, 0.4], color=VERMILLION, lw=3, label=label)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_ylim(-0.6, 0.6)
    axes.set_xlim(0, 1.08 * largest / unit)
    axes.set_xlabel(text("plots.forecast.axis", lang, steps=number(prediction.steps), unit=unit_name))
    figure.legend(loc="outside lower center", ncols=3)
    return figure
