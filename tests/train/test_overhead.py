"""The overhead benchmark works; its bar is for a quiet machine and not applied here."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "overhead.py"


def test_our_loop_and_a_bare_one_do_the_same_arithmetic():
    done = subprocess.run(
        [sys.executable, SCRIPT, "--quick"], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "overhead / noise" in done.stdout
