"""kill -9 at any moment, then resume: the weights are those of the run that nobody disturbed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from labkit import checkpoint

needs_fork = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="forks its runs; test_runs.py kills on any system"
)


def kill_and_resume(folder, *arguments):
    """Run kill_server.py; return its report and, for the reference and each chain, the final checkpoint."""
    script = Path(__file__).with_name("kill_server.py")
    command = [sys.executable, script, folder, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    chains = [checkpoint.load(folder / f"chain{i}.pt") for i in range(report["chains"])]
    return report, checkpoint.load(folder / "reference.pt"), chains


def assert_identical(a, b):
    """Compare nested dicts and lists of tensors and plain values bit for bit; clock times may differ."""
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for key in a.keys() - {"seconds"}:
            assert_identical(a[key], b[key])
    elif isinstance(a, list):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_identical(x, y)
    else:
        assert torch.equal(a, b) if isinstance(a, torch.Tensor) else a == b


@needs_fork
@pytest.mark.slow
def test_fifty_kills_at_random_moments_change_no_bit(tmp_path):
    report, reference, chains = kill_and_resume(tmp_path, "50", "10")
    assert report["kills"] == 50
    for chain in chains:
        assert_identical(chain, reference)


@needs_fork
@pytest.mark.slow
def test_kills_in_the_middle_of_writing_change_no_bit(tmp_path):
    report, reference, chains = kill_and_resume(tmp_path, "25", "1", "write")
    assert report["in_write"] >= 5
    for chain in chains:
        assert_identical(chain, reference)
