"""A real JupyterLab, and what a student does in it, for the browser tests."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "browser-test"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextlib.contextmanager
def jupyter_lab(folder: Path) -> Iterator[str]:
    """Run JupyterLab in `folder` and yield its address; nothing of the user's own settings is read."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = folder.parent / "settings"
    toast = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    toast.parent.mkdir(parents=True)
    toast.write_text('{"fetchNews": "false"}', encoding="utf-8")  # the news toast would cover a corner
    environment = os.environ | {
        "JUPYTERLAB_SETTINGS_DIR": str(settings),
        "JUPYTER_CONFIG_DIR": str(folder.parent / "config"),
        "IPYTHONDIR": str(folder.parent / "ipython"),
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
    }
    options = [
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--ServerApp.port_retries=0",
    ]
    options += [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"]
    command = [sys.executable, "-m", "jupyter", "lab", *options]
    with (folder.parent / "lab.log").open("w", encoding="utf-8") as log:
        server = subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: server.poll() is not None or answers(address), 120, "JupyterLab to start")
        assert server.poll() is None, (folder.parent / "lab.log").read_text(encoding="utf-8")
        yield address
    finally:
        server.send_signal(signal.SIGTERM)  # shuts its kernels down as well
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()


def answers(address: str) -> bool:
    """Tell whether the server is up."""
    try:
        api(address, "status")
    except OSError:
        return False
    return True


def api(address: str, path: str) -> Any:
    """Return what the server's REST interface says."""
    with urllib.request.urlopen(f"{address}/api/{path}?token={TOKEN}", timeout=5) as answer:
        return json.load(answer)


def wait_for(condition: Any, seconds: float, what: str) -> None:
    """Wait until `condition()` is true, or fail and say for what."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds:g} s for {what}"
        time.sleep(0.05)


class Notebook:
    """A notebook open in the browser."""

    def __init__(self, page: Any, address: str, path: str) -> None:
        self.page, self.address, self.path = page, address, path
        self.errors: list[str] = []
        page.on(
            "console", lambda message: self.errors.append(message.text) if message.type == "error" else None
        )
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{address}/lab/tree/{path}?token={TOKEN}&reset")
        page.wait_for_selector(".jp-NotebookPanel", timeout=30_000)
        # The toolbar says "idle" before there is a kernel: ask the server.
        wait_for(lambda: self._kernel("idle", connected=True), 30, "a kernel")
        page.wait_for_function("!document.querySelector('.jp-KernelName').textContent.includes('No Kernel')")

    def _kernel(self, state: str, connected: bool = False) -> bool:
        sessions = [s for s in api(self.address, "sessions") if s["path"] == self.path]
        return any(
            s["kernel"]["execution_state"] == state and (s["kernel"]["connections"] >= 1 or not connected)
            for s in sessions
        )

    def run_all(self, wait_for_picture: str = ".labkit-plan-form") -> None:
        """Run → Run All Cells, then wait for a picture inside what the selector finds."""
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name=re.compile("^Run All Cells")).first.click()
        error = self.page.locator(
            ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']"
        ).first
        picture = self.page.locator(f".jp-OutputArea-output {wait_for_picture} img").first
        picture.or_(error).first.wait_for(timeout=30_000)
        assert not error.count(), error.inner_text()

    @property
    def form(self) -> Any:
        """The first plan form on the page (what holds the seeds field)."""
        return self.page.locator(".jp-OutputArea-output .labkit-plan-form").first

    def picture(self, where: str = ".labkit-plan-form") -> str:
        """Return a digest of the bytes of the picture of the first form or explorer."""
        image = self.page.locator(f".jp-OutputArea-output {where} img").first
        get_bytes = "async img => Array.from(new Uint8Array(await (await fetch(img.src)).arrayBuffer()))"
        return hashlib.sha256(bytes(image.evaluate(get_bytes))).hexdigest()

    def total(self) -> str:
        """Return the large line with the total."""
        return self.form.locator(".labkit-total").inner_text()
