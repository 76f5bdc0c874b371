"""Recording and loading: what goes in comes out, complete, and every fault is named."""

import getpass
import json
import math
import platform
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from test_killed_recording import run_python

from labkit import recorded
from labkit.messages import set_language

ROOT = Path(__file__).resolve().parents[2]
OURS = sorted((ROOT / "data" / "recorded").glob("*.md"))
FIELDS = {
    "width": ("units", "width of the hidden layers"),
    "seed": ("", "seed of the run"),
    "loss": ("nats", "held-out loss | at the end"),
}
FACTS = ("python study.py | tee log", "Loss by width.\n\nWith a second paragraph.", FIELDS, "CC BY 4.0")


@pytest.fixture(autouse=True)
def english():
    yield
    set_language("en")


def record(path, loss=lambda width, seed: {"loss": seed / width}, widths=(16, 32), seeds=(0, 1, 2)):
    recorder = recorded.Recorder(path)
    for width in widths:
        for seed in seeds:
            recorder.run(loss, width=width, seed=seed)
    return recorder


def finished(path, **changes):
    record(path, **changes).finish(*FACTS)
    return recorded.load(path.name, path.parent)


def test_rows_come_back_in_order_with_their_keys_and_types(tmp_path):
    found = finished(tmp_path / "sizes")
    assert found.rows == [{"width": w, "seed": s, "loss": s / w} for w in (16, 32) for s in (0, 1, 2)]
    assert [type(value) for value in found.rows[0].values()] == [int, int, float]
    assert (found.name, found.path) == ("sizes", tmp_path / "sizes.csv")


def test_datasheet_says_everything(tmp_path):
    sheet = finished(tmp_path / "sizes").datasheet
    assert sheet["description"] == FACTS[1]
    assert (sheet["command"], sheet["licence"], sheet["rows"]) == (FACTS[0], "CC BY 4.0", 6)
    assert sheet["fields"] == {name: {"unit": unit, "meaning": what} for name, (unit, what) in FIELDS.items()}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", sheet["date"])
    assert re.fullmatch(r"\w+ \w+, \d+ cores.*", sheet["machine"])
    assert re.match(r"labkit [\d.]+, Python 3\.[\d.]+, torch [\d.]+", sheet["versions"])
    assert sheet["wall_time_s"] >= 1


def test_datasheet_does_not_name_the_machine_or_the_person(tmp_path):
    finished(tmp_path / "sizes")
    content = (tmp_path / "sizes.md").read_text(encoding="utf-8")
    assert platform.node() not in content
    assert str(tmp_path) not in content
    assert getpass.getuser() == "root" or getpass.getuser() not in content


def test_one_result_may_be_many_rows(tmp_path):
    found = finished(tmp_path / "curves", loss=lambda **_: [{"loss": 0.5}, {"loss": 0.25}], widths=[8])
    assert [row["loss"] for row in found.rows] == [0.5, 0.25] * 3


@pytest.mark.parametrize(
    "value",
    [3, 0.1 + 0.2, 1e-300, -0.0, math.inf, True, None, "hin", 'a,b\n"c"\n', "कहानी।\n"],
    ids=repr,
)
def test_value_survives(tmp_path, value):
    loaded = finished(tmp_path / "x", loss=lambda width, seed: {"loss": value}).rows[0]["loss"]
    assert loaded == value
    assert type(loaded) is type(value)


@pytest.mark.parametrize("value", ["", "1_000", "007", [1.5, 2], {"step": 1}], ids=repr)
def test_what_a_csv_would_change_is_kept_as_json(tmp_path, value):
    found = finished(tmp_path / "x", loss=lambda width, seed: {"loss": value})
    assert (found.path.name, found.rows[0]["loss"]) == ("x.json.gz", value)


def test_a_diverged_run_stays_nan(tmp_path):
    found = finished(tmp_path / "x", loss=lambda width, seed: {"loss": math.nan if seed else 1.5})
    assert found.path.suffix == ".csv"
    assert [math.isnan(row["loss"]) for row in found.rows] == [False, True, True] * 2


@pytest.mark.parametrize("value", [np.float32(0.5), np.int64(3), torch.tensor(0.5), np.bool_(True)], ids=repr)
def test_numbers_of_numpy_and_torch_become_plain_ones(tmp_path, value):
    assert finished(tmp_path / "x", loss=lambda width, seed: {"loss": value}).rows[0]["loss"] == value.item()


def test_a_large_recording_is_compressed_and_replaces_the_small_one(tmp_path):
    finished(tmp_path / "x")
    (tmp_path / "x.partial.jsonl").unlink()
    found = finished(tmp_path / "x", loss=lambda width, seed: [{"loss": n / 7} for n in range(20_000)])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.json.gz", "x.md", "x.partial.jsonl"]
    assert len(found.rows) == 120_000
    assert recorded.names(tmp_path) == ["x"]


def test_the_same_results_give_the_same_bytes(tmp_path):
    large = {"loss": lambda width, seed: {"loss": [seed]}}
    assert finished(tmp_path / "a" / "x", **large).path.read_bytes() == (
        finished(tmp_path / "b" / "x", **large).path.read_bytes()
    )


def test_results_can_be_added_later(tmp_path):
    finished(tmp_path / "x", widths=[16])
    assert [row["width"] for row in finished(tmp_path / "x", widths=[16, 32]).rows] == [16] * 3 + [32] * 3


def test_a_failing_result_leaves_those_before_it(tmp_path):
    def fails(width, seed):
        return {"loss": 1 / (1 - seed)}

    with pytest.raises(ZeroDivisionError):
        record(tmp_path / "x", fails)
    assert recorded.Recorder(tmp_path / "x").rows == [{"width": 16, "seed": 0, "loss": 1.0}]


def test_a_result_is_not_recorded_twice(tmp_path):
    recorder = record(tmp_path / "x")
    with pytest.raises(recorded.RecordedError, match="already"):
        recorder.add({"loss": 1}, seed=0, width=16)


def test_a_row_that_contradicts_its_key_is_refused(tmp_path):
    with pytest.raises(recorded.RecordedError, match='"seed" differs'):
        recorded.Recorder(tmp_path / "x").add({"loss": 1, "seed": 2}, seed=1)


def test_a_value_that_is_no_plain_data_is_refused_and_nothing_written(tmp_path):
    recorder = recorded.Recorder(tmp_path / "x")
    with pytest.raises(recorded.RecordedError, match="type Tensor"):
        recorder.add({"loss": torch.ones(2)}, seed=0)
    assert not recorder.partial.exists()


def test_finish_names_every_fault_at_once(tmp_path):
    recorder = recorded.Recorder(tmp_path / "x")
    recorder.add({"loss": 1}, seed=0)
    recorder.add({"loss": 2, "accuracy": 0.5}, seed=1)
    fields = {"loss": ("nats", ""), "seed": "a seed", "speed": ("ms", "per step")}
    with pytest.raises(recorded.RecordedError) as caught:
        recorder.finish(" ", "", fields, "")
    problems = "\n".join(caught.value.problems)
    for part in (
        '"command"',
        '"description"',
        '"licence"',
        '"loss" is not explained',
        '"seed" is not explained',
        '"accuracy" is not explained',
        '"accuracy" is missing in 1 of 2',
        '"speed", which no row has',
    ):
        assert part in problems
    assert len(caught.value.problems) == 8
    assert not list(tmp_path.glob("x.csv")) + list(tmp_path.glob("x.md"))


def test_nothing_recorded_cannot_be_finished(tmp_path):
    with pytest.raises(recorded.RecordedError, match="Nothing has been recorded"):
        recorded.Recorder(tmp_path / "x").finish(*FACTS)


@pytest.mark.parametrize(("lang", "said"), [("en", "There are: a, b."), ("hi", "ये हैं: a, b।")])
@pytest.mark.parametrize("name", ["c", "../a", "a.csv", "", None])
def test_an_unknown_name_lists_the_known_ones(tmp_path, lang, said, name):
    finished(tmp_path / "b")
    finished(tmp_path / "a")
    set_language(lang)
    with pytest.raises(recorded.RecordedError) as caught:
        recorded.load(name, tmp_path)
    assert said in str(caught.value)


@pytest.mark.parametrize(("lang", "said"), [("en", "install it again"), ("hi", "दोबारा install कीजिए")])
def test_without_the_workbooks_recordings_one_sentence_says_where_they_are(tmp_path, monkeypatch, lang, said):
    monkeypatch.setattr(recorded.reading, "_home", lambda: tmp_path)
    set_language(lang)
    with pytest.raises(recorded.RecordedError) as caught:
        recorded.load("a")
    assert said in str(caught.value)


@pytest.mark.parametrize("folder", ["", "missing"])
def test_a_folder_without_recordings_is_named(tmp_path, folder):
    with pytest.raises(recorded.RecordedError) as caught:
        recorded.load("a", tmp_path / folder)
    assert str(tmp_path / folder) in str(caught.value)
    assert "install" not in str(caught.value)


def test_an_unfinished_recording_is_not_offered(tmp_path):
    record(tmp_path / "x")
    assert recorded.names(tmp_path) == []


def cut(path):
    path.write_bytes(path.read_bytes()[:-7])


@pytest.mark.parametrize(
    "damage",
    [
        lambda found: cut(found.path),
        lambda found: found.path.write_text("", encoding="utf-8"),
        lambda found: found.path.write_bytes(b"\xff\xfe\x00"),
        lambda found: found.path.write_text(found.path.read_text(encoding="utf-8") + "16,9,1\n", "utf-8"),
        lambda found: found.path.with_suffix(".md").unlink(),
        lambda found: found.path.with_suffix(".md").write_text("# x\n", encoding="utf-8"),
        lambda found: cut(found.path.with_suffix(".md")),
    ],
    ids=["cut", "empty", "not text", "a row more", "no datasheet", "empty datasheet", "cut datasheet"],
)
def test_damaged_files_are_noticed(tmp_path, damage):
    damage(finished(tmp_path / "x"))
    with pytest.raises(recorded.RecordedError, match="cannot be used"):
        recorded.load("x", tmp_path)


@pytest.mark.parametrize("end", [20, -20], ids=["header", "body"])
def test_a_damaged_compressed_file_is_noticed(tmp_path, end):
    path = finished(tmp_path / "x", loss=lambda width, seed: {"loss": [seed]}).path
    path.write_bytes(path.read_bytes()[:end])
    with pytest.raises(recorded.RecordedError, match="cannot be used"):
        recorded.load("x", tmp_path)


def test_reading_needs_no_torch(tmp_path):
    finished(tmp_path / "x")
    code = f"import sys; from labkit import recorded; recorded.load('x', {str(tmp_path)!r}); "
    assert run_python(code + "print('torch' in sys.modules, 'numpy' in sys.modules)") == "False False"


@pytest.mark.parametrize("sheet", OURS, ids=lambda path: path.stem)
def test_the_workbooks_own_recordings_are_whole_repeatable_and_listed(sheet):
    found = recorded.load(sheet.stem)
    script = re.search(r"data/recorded/\w+\.py", found.datasheet["command"])
    assert script and (ROOT / script[0]).is_file()
    assert f"](recorded/{sheet.name})" in (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    assert found.path.stat().st_size < 5_000_000


def test_partial_file_holds_one_result_a_line(tmp_path):
    recorder = record(tmp_path / "x", widths=[16], seeds=[0])
    (line,) = recorder.partial.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["key"] == {"width": 16, "seed": 0}


def test_two_recorders_of_one_file_see_each_others_results(tmp_path):
    first, second = recorded.Recorder(tmp_path / "x"), recorded.Recorder(tmp_path / "x")
    first.add({"loss": 1.0}, seed=0)
    with pytest.raises(recorded.RecordedError, match="already"):
        second.add({"loss": 2.0}, seed=0)
    assert second.done(seed=0)
    second.run(lambda seed: {"loss": math.nan}, seed=1)
    first.run(lambda seed: 1 / 0, seed=1)
    assert [row["seed"] for row in first.rows] == [row["seed"] for row in second.rows] == [0, 1]


def test_a_result_added_by_another_recorder_at_the_same_moment_is_noticed(tmp_path):
    class Overtaken(dict):
        """A row during whose writing another recorder adds a result of the same key."""

        def items(self):
            other.add({"loss": 2.0}, seed=0)
            return super().items()

    recorder, other = recorded.Recorder(tmp_path / "x"), recorded.Recorder(tmp_path / "x")
    with pytest.raises(recorded.RecordedError, match="already"):
        recorder.add(Overtaken(loss=1.0), seed=0)
    assert recorder.rows == [{"seed": 0, "loss": 2.0}]


@pytest.mark.parametrize("rows", [3, None, [{}, 3], "loss", [[("loss", 1)]]], ids=repr)
def test_what_is_no_row_is_refused(tmp_path, rows):
    with pytest.raises(recorded.RecordedError, match="expected a dict"):
        recorded.Recorder(tmp_path / "x").add(rows, seed=0)


def test_finish_without_words_names_what_is_missing(tmp_path):
    recorder = record(tmp_path / "x")
    for given in (None, 3):
        with pytest.raises(recorded.RecordedError) as caught:
            recorder.finish(given, given, given, given)
        assert len(caught.value.problems) == 6


@pytest.mark.parametrize("path", ["", ".", None, 3], ids=repr)
def test_a_path_that_is_none_is_refused(path):
    with pytest.raises(recorded.RecordedError, match="folder and name"):
        recorded.Recorder(path)


def test_a_place_that_cannot_be_written_is_noticed_before_the_time_is_spent(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(recorded.RecordedError, match="cannot be written"):
        recorded.Recorder(tmp_path / "file" / "x")
    recorder = recorded.Recorder(tmp_path / "new" / "x")
    recorder.path.parent.rmdir()
    recorder.path.parent.touch()
    with pytest.raises(recorded.RecordedError, match="cannot be written"):
        recorder.run(lambda seed: 1 / 0, seed=0)


@pytest.mark.parametrize("content", ["hello\n", '{"a": 1}\n', "[1]\n", "3", '{"key": {}}\n'])
def test_a_partial_file_of_something_else_is_left_alone(tmp_path, content):
    partial = tmp_path / "x.partial.jsonl"
    partial.write_text(content, encoding="utf-8")
    with pytest.raises(recorded.RecordedError, match="something else"):
        recorded.Recorder(tmp_path / "x")
    assert partial.read_text(encoding="utf-8") == content
