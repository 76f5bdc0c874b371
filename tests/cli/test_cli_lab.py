"""JupyterLab really starts, in the folder of the language, with the first notebook as its page."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CELLS = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab") / "notebooks"
    for name in ("01_first.ipynb", "hi/01_first.ipynb", "hi/02_second.ipynb"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(CELLS), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "labkit", "lab", "--lang", "hi", "--no-browser"]
    command += ["--port", str(port), "--notebooks", str(folder)]
    log = folder.parent / "log"
    with log.open("wb") as output:
        environment = os.environ | {"JUPYTER_TOKEN": "test", "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            command, stdout=output, stderr=output, env=environment, start_new_session=True
        )
    try:
        yield f"http://127.0.0.1:{port}", log
    finally:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGTERM)
        else:
            process.terminate()
        process.wait(timeout=30)


def get(lab, path):
    address, log = lab
    for _ in range(300):
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            answer = urllib.request.urlopen(f"{address}{path}?token=test", timeout=10)
            return answer.geturl(), answer.read().decode("utf-8")
        time.sleep(0.1)
    raise AssertionError(log.read_text(encoding="utf-8"))


def test_lab_serves_the_notebooks_of_the_language(lab):
    names = {entry["name"] for entry in json.loads(get(lab, "/api/contents")[1])["content"]}
    assert names == {"01_first.ipynb", "02_second.ipynb"}


def test_lab_opens_the_first_notebook(lab):
    assert "/lab/tree/01_first.ipynb" in get(lab, "/")[0]


def test_lab_does_not_ask_about_news(lab):
    page = get(lab, "/lab")[1]
    config = json.loads(
        page.split('id="jupyter-config-data" type="application/json">')[1].split("</script>")[0]
    )
    assert "@jupyterlab/apputils-extension:announcements" in config["disabledExtensions"]


def test_lab_says_where_the_notebooks_are(lab):
    get(lab, "/lab")
    assert str(Path("notebooks", "hi")) in lab[1].read_text(encoding="utf-8")
