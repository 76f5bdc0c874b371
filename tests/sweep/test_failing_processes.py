"""A sweep in processes one of which fails: it ends with the reason, and leaves nothing behind."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import failing_workloads
import pytest

import labkit as lk
from labkit.sweep import processes, threads
from labkit.sweep.processes import SweepError

CONFIGS = lk.sweep.grid(lk.Config(width=8, steps=40, threads=1, eval_every=40), seed=range(6))


def run(workload, configs=CONFIGS, count=2):
    return processes.run_in_processes(configs, workload, threads.Progress(1, show=False), count)


@pytest.mark.parametrize("count", [1, 2])
def test_an_error_in_a_workload_ends_the_sweep_although_runs_wait(count):
    with pytest.raises(SweepError, match="my own mistake"):
        run(failing_workloads.Raises, count=count)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_process_is_called_killed():
    with pytest.raises(SweepError, match=r"killed \(signal 9\).*memory"):
        run(failing_workloads.IsKilled)


def test_what_a_workload_prints_is_no_answer():
    assert [history.rows for history in run(failing_workloads.Prints, CONFIGS[:1])] == [
        lk.train.run(CONFIGS[0]).rows
    ]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_processes_end_when_the_one_that_wants_their_runs_is_killed():
    code = """
import labkit as lk
configs = lk.sweep.grid(lk.Config(width=8, steps=10**8, threads=1, eval_every=10**8), seed=range(2))
lk.sweep.sweep(configs, method="processes", progress=False)
"""
    parent = subprocess.Popen([sys.executable, "-c", code])
    try:
        until = time.monotonic() + 60
        while len(at_work := children(parent.pid)) < 1 and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(3)  # well into their runs
        at_work = children(parent.pid)
        assert at_work
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    until = time.monotonic() + 30
    while (left := [pid for pid in at_work if is_alive(pid)]) and time.monotonic() < until:
        time.sleep(0.1)
    assert left == []


def children(pid):
    found = []
    for thread in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (thread / "children").read_text().split()]
    return found


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
