"""The plan form in JupyterLab, with keyboard and mouse, as a student uses it."""

from __future__ import annotations

import shutil

import nbformat
import pytest
from jupyterlab_page import ROOT, Notebook, wait_for

from labkit.messages import text

pytestmark = pytest.mark.browser

SMALL = """
import labkit as lk
lk.set_language("{lang}")
settings = [("baseline", "baseline"), ("mine", "method"), ("no A", "ablation"), ("no B", "ablation")]
run_time = lk.Measured(40, low=35, high=50)
venue = lk.Venue("free notebook service", session_hours=4, hours_per_week=12, checkpoint_minutes=10)
risks = ["A session may end without warning."]
why = "Three show the spread."
lk.plan_form(lk.ComputePlan("Does mine help?", settings, [0, 1, 2], why, run_time, venue=venue, risks=risks))
"""

CELLS = """() => [...document.querySelectorAll('.jp-Notebook .jp-Cell')]
    .map(cell => cell.className.match(/jp-\\w+Cell/)[0])"""


def small_notebook(folder, lang):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SMALL.format(lang=lang))])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, folder / f"small_{lang}.ipynb")
    return f"small_{lang}.ipynb"


def committed_notebook(folder, lang):
    source = ROOT / "notebooks" / ("" if lang == "en" else lang) / "02_the_compute_plan.ipynb"
    if not source.is_file():
        pytest.skip(f"{source.relative_to(ROOT)} has not been built")
    shutil.copy(source, folder / f"02_{lang}.ipynb")
    return f"02_{lang}.ipynb"


@pytest.mark.parametrize("lang", ["en", "hi"])
@pytest.mark.parametrize("notebook", [small_notebook, committed_notebook])
def test_hours_and_picture_follow_keyboard_and_mouse(page, lab, tmp_path, notebook, lang):
    address, folder = lab
    opened = Notebook(page, address, notebook(folder, lang))
    opened.run_all()
    form = opened.form
    total, picture = opened.total(), opened.picture()

    form.get_by_label(text("widgets.seed_count", lang)).focus()
    page.keyboard.press("ArrowUp")
    wait_for(lambda: opened.total() != total, 5, "the total after a key")
    wait_for(lambda: opened.picture() != picture, 5, "the picture after a key")

    total, picture = opened.total(), opened.picture()
    form.get_by_role("button", name=text("widgets.remove", lang), exact=True).last.click()
    wait_for(lambda: opened.total() != total, 5, "the total after a click")
    wait_for(lambda: opened.picture() != picture, 5, "the picture after a click")

    form.screenshot(path=tmp_path / f"form_{lang}.png")
    assert opened.errors == []


def test_keyboard_alone_reaches_every_field_in_reading_order(page, lab):
    address, folder = lab
    opened = Notebook(page, address, small_notebook(folder, "en"))
    opened.run_all()
    opened.form.get_by_label("Question").focus()
    label = "() => (document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()"
    reached = []
    while "Show as code" not in reached and len(reached) < 60:
        page.keyboard.press("Tab")
        reached.append(page.evaluate(label))
    fields = [
        name for name in reached if name.startswith(("Setting", "How", "Minutes", "Name", "Risks", "Show"))
    ]
    assert fields == [
        *(f"Setting {number}" for number in (1, 2, 3, 4)),
        "How many seeds",
        "Minutes",
        "Name",
        "Risks, one a line",
        "Show the plan in words",
        "Show as code",
    ]

    page.keyboard.press("Space")
    code = opened.form.get_by_label(text("widgets.code", "en"))
    code.wait_for(timeout=5_000)
    assert "draft = lk.draft_plan(" in code.input_value()
    assert opened.errors == []


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_role_chosen_by_keyboard_leaves_the_notebook_alone(page, lab, key):
    address, folder = lab
    opened = Notebook(page, address, small_notebook(folder, "en"))
    opened.run_all()
    roles = opened.form.locator(".widget-toggle-buttons").nth(2)
    assert roles.locator(".mod-active").inner_text() == "ablation"

    opened.form.get_by_label("Setting 3").focus()
    for press in ("Tab", "Tab", key):
        page.keyboard.press(press)
    opened.form.get_by_role("button", name=text("widgets.show_code", "en")).click()
    code = opened.form.get_by_label(text("widgets.code", "en"))
    wait_for(lambda: '("no A", "method")' in code.input_value(), 5, "the role in the plan")

    assert roles.locator(".mod-active").inner_text() == "method"
    assert page.evaluate(CELLS) == ["jp-CodeCell"]
    assert opened.errors == []


def test_name_of_an_added_setting_can_be_typed_at_once(page, lab):
    address, folder = lab
    opened = Notebook(page, address, small_notebook(folder, "en"))
    opened.run_all()
    opened.form.get_by_role("button", name="Add a setting").click()
    added = opened.form.get_by_label("Setting 5")
    page.wait_for_function("document.activeElement.labels?.[0]?.textContent === 'Setting 5'")
    page.keyboard.type("mab")
    assert added.input_value() == "mab"
    assert page.evaluate(CELLS) == ["jp-CodeCell"]
