"""Open the workbook in JupyterLab."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from labkit.messages import text
from labkit.workbook import Workbook, WorkbookError

# JupyterLab asks every new user about its news; the question would cover a corner of the first notebook.
_PAGE_CONFIG = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}


def open_lab(
    workbook: Workbook,
    lang: str,
    *,
    port: int | None = None,
    browser: bool = True,
    report: Callable[[str], None] = lambda line: None,
) -> int:
    """Start JupyterLab in the notebooks' folder, wait until it ends, and return its exit code.

    Parameters
    ----------
    lang : which language's notebooks to open.
    port : the port to listen on; None lets JupyterLab choose, from 8888 on.
    browser : whether to open a browser window.
    report : gets the line that says where the notebooks are and how to stop.

    Raises
    ------
    WorkbookError
        If JupyterLab is not installed, or there are no notebooks in this language.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise WorkbookError(text("cli.no_jupyterlab"))
    folder = workbook.folder(lang)
    notebooks = workbook.built(lang)
    if not notebooks:
        raise WorkbookError(text("cli.no_notebooks_in_language", folder=folder))
    report(text("cli.lab_opens", folder=folder))
    with tempfile.TemporaryDirectory(prefix="labkit-") as temporary:
        settings = Path(temporary, "labconfig", "page_config.json")
        settings.parent.mkdir()
        settings.write_text(json.dumps(_PAGE_CONFIG), encoding="utf-8")
        before = os.environ.get("JUPYTER_CONFIG_PATH")
        paths = os.pathsep.join([temporary, before] if before else [temporary])
        command = lab_command(folder, notebooks[0].name, port, browser)
        with subprocess.Popen(command, env=os.environ | {"JUPYTER_CONFIG_PATH": paths}) as server:
            while True:
                try:
                    return server.wait()
                except KeyboardInterrupt:  # the terminal has sent it to JupyterLab too, which asks and ends
                    continue


def lab_command(folder: Path, first: str, port: int | None, browser: bool) -> list[str]:
    """Return the command that starts JupyterLab in `folder` with the notebook `first` open."""
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.default_url=/lab/tree/{first}",
    ]
    if port is not None:
        command.append(f"--ServerApp.port={port}")
    if not browser:
        command.append("--no-browser")
    if getattr(os, "geteuid", lambda: 1)() == 0:  # a container, where everybody is root
        command.append("--allow-root")
    return command
