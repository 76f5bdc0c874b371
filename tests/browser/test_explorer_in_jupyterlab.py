"""Buttons with a picture that follows them, in JupyterLab."""

from __future__ import annotations

import nbformat
import pytest
from jupyterlab_page import Notebook, wait_for

pytestmark = pytest.mark.browser

EXPLORER = """
import labkit as lk

rows = [
    {"width": w, "parametrization": p, "learning_rate": r, "loss": (r - 3 / w) ** 2}
    for w in (16, 32) for p in ("standard", "mup") for r in (0.05, 0.1, 0.2)
]
lk.explore(
    lambda widths, ask: lk.plots.transfer([row for row in rows if row["width"] in widths], ask=ask),
    {"widths": [16, 32], "ask": [True, False]},
    {"widths": [16, 32], "ask": False},
)
"""


def test_picture_follows_mouse_and_keyboard(page, lab):
    address, folder = lab
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(EXPLORER)])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, folder / "explorer.ipynb")
    opened = Notebook(page, address, "explorer.ipynb")
    opened.run_all(".labkit-explorer")
    explorer = page.locator(".jp-OutputArea-output .labkit-explorer").first
    first = opened.picture(".labkit-explorer")

    explorer.get_by_role("button", name="True", exact=True).click()
    wait_for(lambda: opened.picture(".labkit-explorer") != first, 10, "the picture after a click")

    second = opened.picture(".labkit-explorer")
    explorer.get_by_role("button", name="32", exact=True).focus()
    page.keyboard.press("Space")
    wait_for(lambda: opened.picture(".labkit-explorer") != second, 10, "the picture after a key")
    assert not opened.errors
