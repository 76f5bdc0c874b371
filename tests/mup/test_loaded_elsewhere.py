"""A prepared model that another process loads is known there too."""

import subprocess
import sys

import torch

from labkit import mup
from labkit.models import MLP

SCRIPT = """
import sys, torch
model = torch.load(sys.argv[1], weights_only=False)
model(torch.randn(4, 40)).sum().backward()
try:
    torch.optim.AdamW(model.parameters()).step()
except ValueError as error:
    print(error)
"""


def test_a_plain_optimizer_is_refused_in_a_process_that_only_loads(tmp_path):
    torch.save(mup.prepare(MLP(16), base_width=8), tmp_path / "model.pt")
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "model.pt")]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert "labkit.mup.optimizer(model" in done.stdout
