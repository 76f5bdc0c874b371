from __future__ import annotations

import pytest
from jupyterlab_page import CHROMIUM, CHROMIUM_FLAGS, jupyter_lab


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """Address of a running JupyterLab and the folder that it shows."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    folder = tmp_path_factory.mktemp("lab") / "notebooks"
    folder.mkdir()
    with jupyter_lab(folder) as address:
        yield address, folder


@pytest.fixture(scope="session")
def chromium():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(CHROMIUM_FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    page = chromium.new_page(viewport={"width": 1280, "height": 1400})
    yield page
    page.close()
