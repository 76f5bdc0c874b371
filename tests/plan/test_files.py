"""Plan files: what is saved comes back, what is wrong is named with its line."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from plan_examples import mixed, plan

import labkit as lk
from labkit.plan import problems_in_file

SOUND = """question: Does it help?
settings:
- {name: baseline, role: baseline}
- {name: mine, role: method}
seeds: [0, 1, 2]
seeds_why: three show the spread
run_time: {kind: measured, minutes: 40}
margin: 0.5
venue: {name: laptop}
risks: [it may be busy]
"""


def write(folder: Path, old: str = "", new: str = "") -> Path:
    """Write the sound YAML plan with one change."""
    assert old in SOUND
    path = folder / "plan.yaml"
    path.write_text(SOUND.replace(old, new, 1) if old else SOUND, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["plan.json", "plan.yaml", "plan.yml"])
def test_a_saved_plan_comes_back_whole(tmp_path: Path, name: str) -> None:
    mixed().save(tmp_path / name)
    assert lk.ComputePlan.load(tmp_path / name) == mixed()


@pytest.mark.parametrize(
    "words", ["no", "1e3", "010", "1:30", "2026-01-02", "null", "~", "- a", "a: b # c",
              "two\nlines\n", "\x85", "!x",
              "*a", "&b", " space ", "'", '"', "\\", "\u2028", "🎯", "1_0", ".5", "0x1F", "=", "<<"]
)  # fmt: skip
@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_text_that_yaml_could_misread_comes_back_as_text(tmp_path: Path, words: str, suffix: str) -> None:
    original = plan(question=words, risks=[words])
    original.save(tmp_path / f"plan{suffix}")
    assert lk.ComputePlan.load(tmp_path / f"plan{suffix}") == original


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_files_are_plain_utf8_that_people_can_read(tmp_path: Path, suffix: str) -> None:
    mixed().save(tmp_path / f"plan{suffix}")
    raw = (tmp_path / f"plan{suffix}").read_bytes()
    assert "मेरा तरीका" in raw.decode("utf-8") and b"\r" not in raw and raw.endswith(b"\n")


def test_a_failed_save_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan().save(tmp_path / "plan.json")
    before = (tmp_path / "plan.json").read_bytes()

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(lk.PlanError, match="No space left"):
        mixed().save(tmp_path / "plan.json")
    assert (tmp_path / "plan.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]


def test_a_folder_that_is_not_there_is_one_clear_problem(tmp_path: Path) -> None:
    with pytest.raises(lk.PlanError, match="existing folder"):
        plan().save(tmp_path / "nowhere" / "plan.json")


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_saving_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.yaml").symlink_to(tmp_path / "real" / "plan.yaml")
    plan().save(tmp_path / "link.yaml")
    assert (tmp_path / "link.yaml").is_symlink()
    assert lk.ComputePlan.load(tmp_path / "real" / "plan.yaml") == plan()


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("margin: 0.5", "margin: half", 8, "margin"),
        ("role: method", "role: metod", 4, "settings[1].role (mine)"),
        ("seeds: [0, 1, 2]", "seeds:\n- 0\n- one", 7, "seeds[1]"),
        ("name: laptop", "nme: laptop", 9, "venue.nme"),
        ("minutes: 40", "minutes:", 7, "run_time.minutes"),
        ("margin: 0.5", "margin: 0.5\nmargin: 0.6", 9, "line 8"),
        ("minutes: 40", "minutes: 1:30", 7, "1:30"),
        ("seeds: [0, 1, 2]", "seeds: [0, 010]", 5, "010"),
        ("name: mine", "name: yes", 4, "quotation marks"),
        ("name: mine", "name: 2026-01-02", 4, "2026-01-02"),
        ("question: Does", 'question: "C:\\new\\q', 1, "backslash"),
        ("risks: [", "risks:\n\t- [", 11, "tab"),
        ("margin: 0.5", "margin: 0.5\n---", 9, "second document"),
        ("it may", "@home it may", 10, "'@'"),
        ("[it may be busy]", "&a [*a]", 10, "alias"),
        ("[it may be busy]", "!!python/name:os.system", 10, "tag"),
    ],
)
def test_a_fault_is_named_with_its_line_and_key(
    tmp_path: Path, old: str, new: str, line: int, says: str
) -> None:
    with pytest.raises(lk.PlanError) as caught:
        lk.ComputePlan.load(write(tmp_path, old, new))
    (problem,) = caught.value.problems
    assert problem.line == line
    assert problem.text("en").startswith(f"In line {line}: ") and says in problem.text("en")
    assert problem.text("hi").startswith(f"Line {line} में: ")


def test_unsound_plans_are_named_with_their_lines_too(tmp_path: Path) -> None:
    (problem,) = problems_in_file(write(tmp_path, "margin: 0.5", "margin: 50"))
    assert (problem.id, problem.line) == ("plan.margin_percent", 8)
    assert problems_in_file(write(tmp_path)) == []


def test_a_file_that_is_not_there_is_a_problem_too(tmp_path: Path) -> None:
    (problem,) = problems_in_file(tmp_path / "plan.yaml")
    assert problem.id == "plan.file_not_found"


def test_numbers_with_an_exponent_are_numbers_in_both_formats(tmp_path: Path) -> None:
    assert lk.ComputePlan.load(write(tmp_path, "minutes: 40", "minutes: 4e1")).run_time == lk.Measured(40)
    (tmp_path / "plan.json").write_text(
        json.dumps(plan().to_dict()).replace("40.0", "4E+1"), encoding="utf-8"
    )
    assert lk.ComputePlan.load(tmp_path / "plan.json") == plan()


def test_json_indented_with_tabs_has_lines_too(tmp_path: Path) -> None:
    words = json.dumps({**plan().to_dict(), "margin": "x"}, indent="\t")
    (tmp_path / "plan.json").write_text(words, encoding="utf-8")
    (problem,) = problems_in_file(tmp_path / "plan.json")
    assert words.splitlines()[problem.line - 1].strip().startswith('"margin"')


def test_json_is_read_as_json_not_as_yaml(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({**plan().to_dict(), "question": "🎯 \ud83c\udfaf a/b"}), encoding="utf-8")
    assert lk.ComputePlan.load(path).question == "🎯 🎯 a/b"
    path.write_text(SOUND, encoding="utf-8")
    assert problems_in_file(path)[0].id == "plan.file_json"


def test_an_alias_may_be_used_but_not_to_blow_up_a_small_file(tmp_path: Path) -> None:
    shared = SOUND.replace("seeds_why: three", "seeds_why: &why three").replace("[it may be busy]", "[*why]")
    (tmp_path / "plan.yaml").write_text(shared, encoding="utf-8")
    assert lk.ComputePlan.load(tmp_path / "plan.yaml").risks == ("three show the spread",)
    levels = [f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 9)}]" for i in range(1, 12)]
    (tmp_path / "plan.yaml").write_text("\n".join(["l0: &l0 [x]", *levels]), encoding="utf-8")
    (problem,) = problems_in_file(tmp_path / "plan.yaml")
    assert problem.id == "plan.file_alias"


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "plan.yaml").write_bytes(b"#" * 3_000_000)
    (problem,) = problems_in_file(tmp_path / "plan.yaml")
    assert problem.id == "plan.file_too_big"
