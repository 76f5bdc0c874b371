"""Checkpoints: whole or not there, safe to read, and refused where they do not belong."""

import pickle

import pytest
import torch

from labkit import checkpoint
from labkit.checkpoint import CheckpointError
from labkit.config import Config
from labkit.train import Training, run
from labkit.workload import Mnist1d

CONFIG = Config(width=8, steps=4, device="cpu")


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "run.pt"
    Training(CONFIG).save(path)
    return path


def test_a_state_comes_back_as_it_was_saved(tmp_path):
    state = {"w": torch.randn(3, 4), "n": 5, "name": "हिन्दी", "rows": [{"loss": 0.1}], "none": None}
    checkpoint.save(tmp_path / "new" / "s.pt", state)
    loaded = checkpoint.load(tmp_path / "new" / "s.pt")
    assert torch.equal(loaded.pop("w"), state.pop("w"))
    assert loaded == state


def test_a_file_cut_short_anywhere_is_refused(saved):
    content = saved.read_bytes()
    for length in [*range(0, len(content), len(content) // 40), len(content) - 1]:
        saved.write_bytes(content[:length])
        with pytest.raises(CheckpointError, match=r"run\.pt cannot be read"):
            checkpoint.load(saved)


def test_a_torch_file_that_is_not_ours_is_refused(tmp_path):
    torch.save({"model": torch.zeros(2)}, tmp_path / "other.pt")
    with pytest.raises(CheckpointError, match="format 1"):
        checkpoint.load(tmp_path / "other.pt")


class Touch:
    """Unpickling it would create a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return type(self.path).touch, (self.path,)


@pytest.mark.parametrize("write", [torch.save, lambda o, p: p.write_bytes(pickle.dumps(o, protocol=2))])
def test_a_file_with_code_in_it_is_refused_and_the_code_not_run(tmp_path, write):
    path = tmp_path / "bad.pt"
    write({"labkit_checkpoint": 1, "x": Touch(tmp_path / "ran")}, path)
    with pytest.raises(CheckpointError):
        checkpoint.load(path)
    assert not (tmp_path / "ran").exists()


def test_a_write_that_fails_leaves_the_old_checkpoint_and_nothing_else(saved):
    before = saved.read_bytes()
    with pytest.raises((AttributeError, pickle.PicklingError)):
        checkpoint.save(saved, {"x": lambda: None})
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_leftovers_of_killed_writers_are_removed_when_a_run_begins(saved):
    leftover = saved.with_name("run.pt.999999999.tmp")
    leftover.write_bytes(b"half")
    other = saved.with_name("other.pt.1.tmp")
    other.write_bytes(b"not ours")
    run(CONFIG, saved)
    assert not leftover.exists()
    assert other.exists()


def test_a_checkpoint_of_another_config_is_refused_with_every_difference(saved):
    asked = Config(width=16, steps=4, seed=1, shift=2, device="cpu")
    with pytest.raises(CheckpointError) as caught:
        run(asked, saved)
    lines = str(caught.value).splitlines()[1:]
    assert lines == [
        "- width: 8 in the checkpoint, 16 now",
        "- seed: 0 in the checkpoint, 1 now",
        "- shift: 0 in the checkpoint, 2 now",
    ]


def test_a_checkpoint_of_another_workload_is_refused(saved):
    class Other(Mnist1d):
        pass

    with pytest.raises(CheckpointError, match="- workload: Mnist1d in the checkpoint, Other now"):
        Training.load(saved, CONFIG, Other)


def test_another_device_is_no_difference(saved):
    assert Training.load(saved, Config(width=8, steps=4, device="auto")).position == 0


def test_a_missing_checkpoint_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"gone\.pt"):
        Training.load(tmp_path / "gone.pt")
