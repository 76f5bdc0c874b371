"""Kill training processes at random moments and carry them on; a script for test_kill.py, POSIX only.

    python kill_server.py FOLDER KILLS CHECKPOINT_EVERY [AIM]

A start of Python with torch costs a second or more, so this process loads torch once, trains nothing
itself and forks a child for each (re)start of a run. Each child is killed with SIGKILL after a random time,
until KILLS kills are done; with AIM "write", the next moment at which it writes is awaited first. Chains of
resumed children that reach the end leave chain*.pt. Prints a JSON report.
"""

import json
import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path

import torch
from torch import nn

from labkit import checkpoint, train
from labkit.workload import Mnist1d


class DropoutAndSchedule(Mnist1d):
    """Also needs torch's random state and a schedule's state to be carried on."""

    def build_model(self):
        return nn.Sequential(nn.Dropout(0.1), super().build_model())

    def build_scheduler(self, optimizer):
        return torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, self.config.steps)


def start(config, path):
    """Fork a child that trains until it is done or killed; return its process id."""
    child = os.fork()
    if child == 0:
        try:
            train.run(config, path, workload=DropoutAndSchedule)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return child


def killed(child):
    """Wait for a child; return whether SIGKILL ended it. Any other failure ends this script."""
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return True
    if os.WEXITSTATUS(status) != 0:
        sys.exit("a child failed")
    return False


def writes_within(child, path, seconds):
    """Wait until the child has its temporary file open; give up after some seconds."""
    temporary = path.with_name(f"{path.name}.{child}.tmp")
    end = time.perf_counter() + seconds
    while not temporary.exists() and time.perf_counter() < end:
        pass


def main(folder, kills, checkpoint_every, aim="moment"):
    torch.set_num_threads(1)
    train.Training(train.Config(device="cpu"), DropoutAndSchedule)  # loads what torch loads on first use
    chance = random.Random(2)
    config = train.Config(
        width=16,
        steps=30 * checkpoint_every + 7,
        shift=3,
        checkpoint_every=checkpoint_every,
        eval_every=40,
        device="cpu",
    )
    begin = time.perf_counter()
    killed(start(config, folder / "reference.pt"))
    run_time = time.perf_counter() - begin

    done = in_write = chains = 0
    while done < kills:
        path = folder / f"chain{chains}.pt"
        child = start(config, path)
        while True:
            if done < kills:
                time.sleep(chance.uniform(0, run_time / 2))
                if aim == "write":
                    writes_within(child, path, run_time)
                os.kill(child, signal.SIGKILL)
            if not killed(child):
                break
            done += 1
            in_write += any(folder.glob("*.tmp"))
            if path.exists():
                checkpoint.load(path)
            child = start(config, path)
        chains += 1
    print(json.dumps({"kills": done, "in_write": in_write, "chains": chains, "run_time": run_time}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])
