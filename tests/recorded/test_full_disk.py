"""A recording on a full disk: nothing finished is lost, and what was there stays usable."""

import pytest

from labkit import recorded
from labkit.recorded import RecordedError, Recorder

FIELDS = {"seed": ("", "of the run"), "loss": ("nats", "at the end"), "note": ("", "of the run")}
SHEET = ("python record.py", "A test.", FIELDS, "CC0")


def rows(letters=2000, loss=1.0):
    return {"loss": loss, "note": "y" * letters}


def test_it_is_noticed_before_the_time_is_spent(small_disk):
    recorder = Recorder(small_disk.folder / "x")
    small_disk.fill()
    with pytest.raises(RecordedError, match="No space left"):
        recorder.run(lambda seed: pytest.fail("was run"), seed=0)


def test_a_result_for_which_there_was_no_room_is_written_later(small_disk):
    recorder = Recorder(small_disk.folder / "x")
    recorder.add(rows(), seed=0)

    def make(seed):
        small_disk.fill()
        return rows(9000)

    with pytest.raises(RecordedError, match=r"1 finished result.*No space left.*still in this Recorder"):
        recorder.run(make, seed=1)
    assert recorder.done(seed=1)
    small_disk.free()
    recorder.run(lambda seed: pytest.fail("was run again"), seed=1)
    recorder.finish(*SHEET)
    assert [row["seed"] for row in Recorder(small_disk.folder / "x").rows] == [0, 1]
    assert len(recorded.load("x", small_disk.folder).rows) == 2


def test_a_finish_that_fails_leaves_the_older_recording_whole(small_disk):
    recorder = Recorder(small_disk.folder / "x")
    recorder.add(rows(30_000), seed=0)
    recorder.finish(*SHEET)
    recorder.add(rows(30_000), seed=1)
    small_disk.fill()
    with pytest.raises(RecordedError, match=r"call finish again"):
        recorder.finish(*SHEET)
    assert len(recorded.load("x", small_disk.folder).rows) == 1
    small_disk.free()
    recorder.finish(*SHEET)
    assert len(recorded.load("x", small_disk.folder).rows) == 2
    assert not list(small_disk.folder.glob("*.tmp"))


@pytest.mark.parametrize("again", ["deleted", "another"])
def test_a_partial_file_that_is_gone_is_forgotten(tmp_path, again):
    recorder = Recorder(tmp_path / "x")
    for seed in range(3):
        recorder.add(rows(), seed=seed)
    recorder.partial.unlink()
    if again == "another":
        Recorder(tmp_path / "x").add(rows(loss=3.0), seed=1)
    recorder.run(lambda seed: rows(loss=2.0), seed=0)
    recorder.run(lambda seed: rows(loss=2.0), seed=3)
    expected = {0: 2.0, 3: 2.0} | ({1: 3.0} if again == "another" else {})
    assert {row["seed"]: row["loss"] for row in recorder.rows} == expected
    assert {row["seed"]: row["loss"] for row in Recorder(tmp_path / "x").rows} == expected


def test_a_folder_in_the_place_of_the_partial_file_is_refused(tmp_path):
    (tmp_path / "x.partial.jsonl").mkdir()
    with pytest.raises(RecordedError, match="cannot be written"):
        Recorder(tmp_path / "x")
