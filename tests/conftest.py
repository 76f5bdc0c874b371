"""What tests of several parts use."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass
class Disk:
    """A file system of its own with little room."""

    folder: Path

    def fill(self):
        """Leave no room."""
        room = os.statvfs(self.folder)
        (self.folder / "fill").write_bytes(b"x" * (room.f_bavail * room.f_bsize))

    def free(self):
        """Leave room again."""
        (self.folder / "fill").unlink()


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 200 kB, where the system lets us make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", folder]
    if (
        not sys.platform.startswith("linux")
        or subprocess.run(command, capture_output=True, check=False).returncode
    ):
        pytest.skip("needs Linux and the right to mount a file system")
    yield Disk(folder)
    subprocess.run(["umount", folder], check=True)
