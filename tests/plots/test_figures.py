"""What holds for every figure: it is readable, complete in both languages, and leaves matplotlib alone."""

from __future__ import annotations

import functools
import re
import struct
import subprocess
import sys

import matplotlib as mpl
import pytest
from figure_examples import LONG, forecast, plan, rows, times, words
from notebook_figures import DIVERGED, NOTEBOOKS_3_TO_5

import labkit as lk
from labkit import plots
from labkit.plots.figure import STYLE

FIGURES = {
    "step_times": lambda lang: plots.step_times(times(), lang),
    "step_times, one step": lambda lang: plots.step_times(times(steps=1), lang),
    "waiting": lambda lang: plots.waiting({"slow": times(wait_s=3e-3), LONG: times()}, lang),
    "waiting, one": lambda lang: plots.waiting({"prepared": times()}, lang),
    "speed": lambda lang: plots.speed({"float32": times(), LONG: times(2e-3)}, lang),
    "losses": lambda lang: plots.losses({"1 %": rows()}, lang=lang),
    "losses, seeds": lambda lang: plots.losses({LONG: [rows(), rows(seed=1)], "mine": rows()}, lang=lang),
    "forecast": lambda lang: plots.forecast(forecast(), 12.5, lang),
    "forecast, open": lambda lang: plots.forecast(forecast(), lang=lang),
    "plan_hours": lambda lang: plots.plan_hours(plan(), lang=lang),
    "plan_hours, many": lambda lang: plots.plan_hours(plan([f"{i} {LONG}" for i in range(30)]), lang=lang),
    "two_plans": lambda lang: plots.two_plans(
        {"A": plan(), f"B {LONG}": plan(["baseline", "one more"])}, lang
    ),
    "plan_hours, guess": lambda lang: plots.plan_hours(plan(run_time=lk.Guess(0.1, "a hunch")), lang=lang),
    **NOTEBOOKS_3_TO_5,
    **DIVERGED,
}


@functools.cache
def draw(name, lang):
    """Return a figure of FIGURES and its PNG, drawn once for all tests."""
    figure = FIGURES[name](lang)
    return figure, figure.png()


@pytest.fixture(params=FIGURES)
def name(request):
    return request.param


@pytest.fixture(params=["en", "hi"])
def lang(request):
    return request.param


def test_png_is_small_and_fits_a_notebook_column(name, lang):
    _, png = draw(name, lang)
    width, height = struct.unpack(">II", png[16:24])
    assert width == 770
    assert height <= 500  # four panels; most are 400 or less
    assert len(png) < 80_000


def test_nothing_is_cut_off(name, lang):
    figure, _ = draw(name, lang)
    with mpl.rc_context(STYLE):
        box = figure.get_tightbbox(figure.canvas.get_renderer())  # without one it would be laid out anew
    width, height = figure.get_size_inches()
    assert min(box.x0, box.y0) >= -0.01
    assert box.x1 <= width + 0.01
    assert box.y1 <= height + 0.01


def test_every_text_is_at_least_nine_points_in_fonts_that_know_devanagari(name, lang):
    for t in words(draw(name, lang)[0]):
        assert t.get_fontsize() >= 9, t.get_text()
        assert t.get_fontfamily() == ["DejaVu Sans", "Noto Sans Devanagari"], t.get_text()


def test_the_title_and_axes_speak_the_language_asked_for(name):
    figure, _ = draw(name, "hi")
    shown = " ".join(t.get_text() for t in words(figure))
    assert re.search("[ऀ-ॿ]", figure._suptitle.get_text())
    assert not re.search("time|took|needs|computing|expected", shown)


def test_settings_of_matplotlib_stay_as_they_were():
    before = dict(mpl.rcParams)
    plots.plan_hours(plan(), lang="hi").png()
    assert dict(mpl.rcParams) == before


def test_a_dark_style_of_the_student_does_not_leak_in():
    with mpl.rc_context({"text.color": "white", "axes.labelcolor": "white", "font.family": ["serif"]}):
        drawn = plots.forecast(forecast(), 12.5, "en")
        assert {t.get_color() for t in words(drawn)} <= {"black", "#333333"}


def test_pyplot_is_not_loaded():
    code = "import sys, labkit.plots as p; p.PlotFigure('x').png(); print('matplotlib.pyplot' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"


def test_a_notebook_shows_the_picture_and_stores_only_a_short_fixed_text():
    drawn = plots.forecast(forecast(), lang="en")
    assert drawn._repr_png_().startswith(b"\x89PNG")
    assert re.fullmatch(r"<PlotFigure size 770x\d+ with 1 Axes>", repr(drawn))


@pytest.mark.parametrize("name", ["$x", "$x^2$", r"$\frac{", "_hidden", "<b>", "\U0001f600"])
def test_a_name_is_shown_as_it_is_written(name, recwarn):
    shown = [t.get_text().strip() for t in words(plots.plan_hours(plan([name, "mine"]), lang="en"))]
    assert name.replace("$", r"\$") in shown
    assert not [w for w in recwarn.list if w.category is UserWarning]
