"""Training runs in processes of their own, which can be killed for real and carried on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from labkit import checkpoint
from labkit.config import Config
from labkit.messages import language, text
from labkit.train import History, load_state


class RunError(RuntimeError):
    """A run's process ended without finishing; the message holds the end of its log."""

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook."""
        return str(self).splitlines()


class RunFolder:
    """The files of one run: config, checkpoint, position, history and log."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.path = Path(folder)
        self.config = self.path / "config.json"
        self.checkpoint = self.path / "checkpoint.pt"
        self.position = self.path / "position.txt"
        self.history = self.path / "history.json"
        self.log = self.path / "log.txt"

    def saved_position(self) -> int:
        """Return the step that the checkpoint was saved at, 0 without a checkpoint."""
        try:
            return int(checkpoint.load(self.checkpoint)["position"])
        except FileNotFoundError:
            return 0

    def reported_position(self) -> int | None:
        """Return the step that the process last reported, None if it has not reported since its start."""
        try:
            return int(self.position.read_text(encoding="ascii") or 0)
        except (FileNotFoundError, ValueError):
            return None


class RunningProcess:
    """A training run in its own process; made by `start`."""

    def __init__(self, process: subprocess.Popen[bytes], folder: RunFolder) -> None:
        self._process = process
        self.folder = folder

    @property
    def running(self) -> bool:
        """Whether the process is still at work."""
        return self._process.poll() is None

    def position(self) -> int:
        """Return the number of training steps done, exact once the process has ended."""
        reported = self.folder.reported_position()
        if self.running and reported is not None:
            return reported
        return max(reported or 0, self.folder.saved_position())

    def kill(self) -> int:
        """End the process at once, without a chance to save (SIGKILL; TerminateProcess on Windows).

        Returns
        -------
        int
            The number of training steps it had done.
        """
        self._process.kill()
        self._process.wait()
        return self.position()

    def wait(self, timeout: float | None = None) -> History:
        """Wait until the run is finished and return its history.

        Parameters
        ----------
        timeout : seconds to wait at most; None waits as long as it takes.

        Raises
        ------
        RunError
            If the process was killed or failed.
        subprocess.TimeoutExpired
            If it is still at work after `timeout`.
        """
        code = self._process.wait(timeout)
        if code != 0:
            lines = self.folder.log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
            message = text("train.run_ended", folder=self.folder.path, code=code, log=self.folder.log)
            raise RunError("\n".join([message, *lines]))
        return History.load(self.folder.history)


def start(config: Config, folder: str | os.PathLike[str]) -> RunningProcess:
    """Start `python -m labkit.train` on a run, or carry on the run that the folder holds.

    Parameters
    ----------
    config : the run's settings.
    folder : where its files lie, see `RunFolder`; made if needed.

    Raises
    ------
    CheckpointError
        If the folder holds a damaged checkpoint or the checkpoint of another config.
    """
    files = RunFolder(folder)
    files.path.mkdir(parents=True, exist_ok=True)
    if files.checkpoint.exists():
        load_state(files.checkpoint, config)
    files.position.unlink(missing_ok=True)
    files.history.unlink(missing_ok=True)
    files.config.write_text(json.dumps(config.to_dict(), indent=1), encoding="utf-8")
    options = [
        f"--{name}={getattr(files, name).resolve()}"
        for name in ("config", "checkpoint", "position", "history")
    ]
    with files.log.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "labkit.train", *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=_environment(),
        )
    return RunningProcess(process, files)


def _environment() -> dict[str, str]:
    """Return an environment in which the child finds the same labkit and uses the same language."""
    home = str(Path(__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    return os.environ | {"PYTHONPATH": path, "LABKIT_LANG": language(), "PYTHONIOENCODING": "utf-8"}
