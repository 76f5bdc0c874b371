"""Files that change, vanish or are in the way while a recording is made."""

import gzip
import json
import shutil

import pytest

from labkit import recorded
from labkit.recorded import RecordedError, Recorder

FIELDS = {"seed": ("", "of the run"), "loss": ("nats", "at the end")}
SHEET = ("python record.py", "A test.", FIELDS, "CC0")


def finished(path):
    recorder = Recorder(path)
    recorder.add({"loss": 1.0}, seed=0)
    recorder.finish(*SHEET)
    return recorder


def test_a_partial_file_that_was_written_anew_is_read_anew(tmp_path):
    recorder = Recorder(tmp_path / "x")
    recorder.add({"loss": 1.0}, seed=0)
    other = Recorder(tmp_path / "other")
    for seed in (1, 2, 3):
        other.add({"loss": 2.0}, seed=seed)
    recorder.partial.write_bytes(other.partial.read_bytes())
    assert [row["seed"] for row in recorder.rows] == [1, 2, 3]
    recorder.add({"loss": 2.0}, seed=0)
    assert [row["seed"] for row in Recorder(tmp_path / "x").rows] == [1, 2, 3, 0]


def test_a_folder_that_vanishes_during_a_run_does_not_cost_its_result(tmp_path):
    recorder = Recorder(tmp_path / "new" / "x")

    def make(seed):
        shutil.rmtree(tmp_path / "new")
        return {"loss": 1.0}

    recorder.run(make, seed=0)
    recorder.finish(*SHEET)
    assert recorded.load("x", tmp_path / "new").rows == [{"seed": 0, "loss": 1.0}]


def test_a_result_that_could_not_be_written_is_in_the_error(tmp_path):
    recorder = Recorder(tmp_path / "new" / "x")

    def make(seed):
        shutil.rmtree(tmp_path / "new")
        (tmp_path / "new").touch()
        return {"loss": 1.0}

    with pytest.raises(RecordedError, match="still in this Recorder") as caught:
        recorder.run(make, seed=0)
    assert caught.value.rows == [{"seed": 0, "loss": 1.0}]


@pytest.mark.parametrize("name", ["x.csv", "x.md", "x.json.gz"])
def test_a_folder_in_the_place_of_a_file_is_named_and_an_older_recording_kept(tmp_path, name):
    recorder = finished(tmp_path / "x")
    before = {file: (tmp_path / file).read_bytes() for file in ("x.csv", "x.md")}
    before.pop(name, None)
    (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / name).mkdir()
    recorder.add({"loss": 2.0}, seed=1)
    with pytest.raises(RecordedError, match=rf"{name} cannot be written") as caught:
        recorder.finish(*SHEET)
    assert "call finish again" in str(caught.value)
    assert {file: (tmp_path / file).read_bytes() for file in before} == before


def test_a_text_that_utf_8_cannot_write_survives(tmp_path):
    recorder = Recorder(tmp_path / "x")
    recorder.add({"loss": "\ud800"}, seed=0)
    recorder.finish(*SHEET)
    assert recorded.load("x", tmp_path).rows == [{"seed": 0, "loss": "\ud800"}]


@pytest.mark.parametrize("content", [3, None, {"seed": 1}, [3], ["seed"], [["seed", 1]]], ids=json.dumps)
def test_a_compressed_file_of_something_else_is_refused(tmp_path, content):
    finished(tmp_path / "x").path.with_name("x.csv").unlink()
    (tmp_path / "x.json.gz").write_bytes(gzip.compress(json.dumps(content).encode()))
    with pytest.raises(RecordedError, match="cannot be used"):
        recorded.load("x", tmp_path)


def test_a_partial_file_nested_too_deeply_to_be_ours_is_refused(tmp_path):
    (tmp_path / "x.partial.jsonl").write_text("[" * 100_000)
    with pytest.raises(RecordedError, match="something else"):
        Recorder(tmp_path / "x")


class BytesPath:
    def __fspath__(self):
        return b"x"


def test_a_path_of_bytes_is_refused():
    with pytest.raises(RecordedError, match="folder and name"):
        Recorder(BytesPath())
