"""Checkpoints and histories on a disk without room, and paths that are no files."""

import os
import subprocess
import sys

import pytest

import labkit as lk
from labkit import disk, train
from labkit.disk import UnwritableError

CONFIG = lk.Config(width=16, steps=6, eval_every=6, checkpoint_every=3)


def steps_done(path, **options):
    done = []
    with pytest.raises(UnwritableError, match="cannot be written"):
        train.run(CONFIG, path, on_step=done.append, **options)
    return done


def test_a_full_disk_is_noticed_before_the_first_step(small_disk):
    small_disk.fill()
    assert steps_done(small_disk.folder / "run.pt") == []


def test_a_disk_that_fills_up_leaves_the_old_checkpoint_and_the_run_goes_on_from_there(small_disk):
    path = small_disk.folder / "run.pt"

    def fill(step):
        if step == 4:
            small_disk.fill()

    with pytest.raises(UnwritableError, match="No space left"):
        train.run(CONFIG, path, on_step=fill)
    small_disk.free()
    assert train.run(CONFIG, path).resumed_from == 3
    assert not list(small_disk.folder.glob("*.tmp"))


@pytest.mark.parametrize("path", ["", ".", "file/run.pt"])
def test_a_path_that_is_no_file_is_refused_before_the_first_step(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert steps_done(path, resume=False) == []


def test_a_history_that_cannot_be_saved_says_so(small_disk):
    history = train.run(CONFIG)
    small_disk.fill()
    with pytest.raises(UnwritableError, match=r"history\.csv cannot be written"):
        history.save(small_disk.folder / "history.csv")


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a file that is being written cannot be deleted")
def test_leftovers_of_the_dead_are_removed_and_those_of_the_living_are_not(tmp_path):
    path = tmp_path / "lr[0.1].pt"
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    alive = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    for process in (dead, alive):
        path.with_name(f"{path.name}.{process.pid}.tmp").touch()
    disk.remove_leftovers(path)
    left = [file.name for file in tmp_path.iterdir()]
    alive.communicate(b"\n")
    assert left == [f"{path.name}.{alive.pid}.tmp"]
