"""Places that cannot be written are named before the first step, and nobody else's files are deleted."""

import json

import pytest

import labkit as lk
from labkit import checkpoint, disk, train
from labkit.checkpoint import CheckpointError
from labkit.disk import UnwritableError

CONFIG = lk.Config(width=16, steps=2, eval_every=2, checkpoint_every=2)


@pytest.fixture
def arguments(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps(CONFIG.to_dict()), encoding="utf-8")
    return ["--config", str(tmp_path / "run.json"), "--checkpoint", str(tmp_path / "run.pt")]


@pytest.mark.parametrize("option", ["--history", "--position"])
def test_a_process_ends_with_one_sentence_before_it_trains(tmp_path, arguments, option):
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit, match="cannot be written"):
        train.main([*arguments, option, str(tmp_path / "file" / "x.csv")])
    assert not (tmp_path / "run.pt").exists()


def test_a_process_whose_checkpoint_is_a_folder_says_so(tmp_path, arguments):
    (tmp_path / "run.pt").mkdir()
    with pytest.raises(SystemExit, match=r"run\.pt cannot be written"):
        train.main(arguments)


def test_the_folder_of_a_history_is_made(tmp_path, arguments):
    train.main([*arguments, "--history", str(tmp_path / "new" / "h.csv")])
    assert (tmp_path / "new" / "h.csv").read_text(encoding="utf-8").startswith("step,")


@pytest.mark.parametrize("name", ["", "folder", "a\0b"])
def test_what_cannot_be_a_checkpoint_is_refused_in_words(tmp_path, name):
    (tmp_path / "folder").mkdir()
    with pytest.raises(CheckpointError, match="cannot be read as a checkpoint"):
        checkpoint.load(tmp_path / name)
    with pytest.raises(UnwritableError, match="cannot be written"):
        train.run(CONFIG, tmp_path / name)


@pytest.mark.parametrize("name", ["run.pt.mine.tmp", "run.pt.best.pt.999999999.tmp", "run.pt.tmp"])
def test_a_temporary_file_of_another_name_is_left_alone(tmp_path, name):
    (tmp_path / name).touch()
    disk.remove_leftovers(tmp_path / "run.pt")
    assert (tmp_path / name).exists()


def test_a_folder_that_is_not_there_has_no_leftovers(tmp_path):
    disk.remove_leftovers(tmp_path / "new" / "run.pt")


@pytest.mark.parametrize("number", ["999999999", "9" * 40])
def test_a_leftover_of_no_process_is_removed(tmp_path, number):
    (tmp_path / f"run.pt.{number}.tmp").touch()
    disk.remove_leftovers(tmp_path / "run.pt")
    assert not list(tmp_path.iterdir())


def test_the_file_that_failed_is_named_where_two_are_written(tmp_path):
    (tmp_path / "inner").mkdir()
    with (
        pytest.raises(UnwritableError, match=r"inner cannot be written"),
        disk.atomic_file(tmp_path / "outer"),
        disk.atomic_file(tmp_path / "inner"),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["inner"]
