"""Which device and how many threads a run uses, and the state of its random numbers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch
from torch import Tensor

from labkit.config import ConfigError
from labkit.messages import text


def resolve(name: str) -> torch.device:
    """Return the device of a config: for "auto" CUDA, else MPS, else the CPU.

    Raises
    ------
    ConfigError
        If this machine has no such device; the message lists those present.
    """
    present = ["cpu"]
    if torch.backends.mps.is_available():
        present.insert(0, "mps")
    if torch.cuda.is_available():
        present[:0] = ["cuda", *(f"cuda:{i}" for i in range(torch.cuda.device_count()))]
    if name == "auto":
        return torch.device(present[0])
    if name not in present:
        raise ConfigError([text("train.no_device", device=name, present=", ".join(present))])
    return torch.device(name)


@contextlib.contextmanager
def cpu_threads(count: int) -> Iterator[None]:
    """Let torch use this many CPU threads for a while."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def rng_state(device: torch.device) -> dict[str, Tensor]:
    """Return the state of torch's generators for the CPU and for the device."""
    state = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        state["cuda"] = torch.cuda.get_rng_state(device)
    elif device.type == "mps":
        state["mps"] = torch.mps.get_rng_state()
    return state


def set_rng_state(device: torch.device, state: dict[str, Tensor]) -> None:
    """Restore what `rng_state` returned; a generator that it does not hold is left as it is."""
    torch.set_rng_state(state["cpu"])
    if device.type == "cuda" and "cuda" in state:
        torch.cuda.set_rng_state(state["cuda"], device)
    elif device.type == "mps" and "mps" in state:
        torch.mps.set_rng_state(state["mps"])
