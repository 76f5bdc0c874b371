"""GPU synchronisation, on a stand-in for torch that records the order of calls: no GPU is needed."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from labkit.timing import TimingError, measure_steps


class FakeTorch:
    """As much of torch as labkit looks at. Its `step` is what first takes memory on the GPU."""

    def __init__(self, kind: str) -> None:
        self.calls: list[str] = []
        self.memory = 0
        self.cuda = SimpleNamespace(
            is_available=lambda: kind == "cuda",
            is_initialized=lambda: kind == "cuda" and self.memory > 0,
            device_count=lambda: 2 if kind == "cuda" else 0,
            memory_allocated=lambda index: self.memory if index == 1 else 0,
            synchronize=lambda device: self.calls.append(f"wait for {device}"),
        )
        self.backends = SimpleNamespace(mps=SimpleNamespace(is_available=lambda: kind == "mps"))
        self.mps = SimpleNamespace(
            current_allocated_memory=lambda: self.memory,
            synchronize=lambda: self.calls.append("wait for mps"),
        )

    def step(self) -> None:
        self.memory = 1024
        self.calls.append("step")


@pytest.fixture
def fake(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> FakeTorch:
    torch = FakeTorch(request.param)
    monkeypatch.setitem(sys.modules, "torch", torch)
    return torch


@pytest.mark.parametrize(("fake", "name"), [("cuda", "cuda:1"), ("mps", "mps")], indirect=["fake"])
def test_a_gpu_that_the_first_step_begins_to_use_is_waited_for_after_every_step(
    fake: FakeTorch, name: str
) -> None:
    times = measure_steps(fake.step, steps=3, warmup=2)
    assert fake.calls == ["step", f"wait for {name}"] * 5
    assert times.device == name


@pytest.mark.parametrize("fake", ["cuda"], indirect=True)
def test_the_named_gpu_is_the_one_waited_for(fake: FakeTorch) -> None:
    times = measure_steps(fake.step, steps=1, warmup=1, device="cuda:0")
    assert fake.calls == ["step", "wait for cuda:0"] * 2
    assert times.device == "cuda:0"


@pytest.mark.parametrize("fake", ["cuda", "mps"], indirect=True)
def test_a_named_cpu_is_never_waited_for(fake: FakeTorch) -> None:
    measure_steps(fake.step, steps=2, warmup=1, device="cpu")
    assert fake.calls == ["step"] * 3


@pytest.mark.parametrize("fake", ["cuda", "mps"], indirect=True)
def test_a_gpu_without_anything_on_it_is_left_alone(fake: FakeTorch) -> None:
    times = measure_steps(lambda: fake.calls.append("step"), steps=2, warmup=1)
    assert fake.calls == ["step"] * 3
    assert times.device == "cpu"


@pytest.mark.parametrize("fake", ["none"], indirect=True)
@pytest.mark.parametrize("device", ["cuda", "cuda:1", "mps"])
def test_a_device_that_is_not_there_is_an_error(fake: FakeTorch, device: str) -> None:
    with pytest.raises(TimingError, match="no such device on this machine"):
        measure_steps(fake.step, device=device)


@pytest.mark.parametrize("fake", ["cuda"], indirect=True)
def test_a_gpu_number_beyond_the_last_is_an_error(fake: FakeTorch) -> None:
    with pytest.raises(TimingError, match="no such device on this machine"):
        measure_steps(fake.step, device="cuda:2")


@pytest.mark.parametrize("device", ["gpu", "CUDA", "cuda:x", "cpu:one", "", 0])
def test_an_unknown_device_is_an_error_that_names_the_choices(device: object) -> None:
    with pytest.raises(TimingError, match='"cpu", "cuda"'):
        measure_steps(lambda: None, device=device)


def test_a_gpu_without_torch_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with pytest.raises(TimingError, match="torch is not loaded"):
        measure_steps(lambda: None, device="cuda")


def test_a_real_torch_on_the_cpu_is_seen_as_cpu() -> None:
    torch = pytest.importorskip("torch")
    times = measure_steps(lambda: torch.ones(2).sum(), steps=2, device=torch.device("cpu"))
    assert times.device == "cpu"
