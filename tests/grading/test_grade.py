"""Grading a class from a folder of files to the gradebook: it ends, it resumes, it repeats itself exactly."""

import csv
import json
import os
import shutil
import threading
import time

import pytest
from mending_examples import code
from sandbox_examples import needs_sandbox

from labkit.cli import main
from labkit.grading import batch
from labkit.grading.batch import core_shares
from labkit.grading.grade import Options, grade
from labkit.workbook import WorkbookError

pytestmark = needs_sandbox
NAME = "09_small"
RELEASE = {
    "cells": [
        code("setup", "import labkit as lk"),
        code("settings", 'lang = "en"\nfast = False', tags=["parameters"]),
        code("answer-1-1", "guess = ...", solution=True),
        code("check-1-1", 'lk.check("1.1", guess)', grade=True),
        code("answer-1-2", "best = ...", solution=True),
        code("check-1-2", 'lk.check("1.2", best)', grade=True),
    ],
    "metadata": {"labkit": {"lang": "en"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
RELEASES = {NAME: {"en": RELEASE, "hi": RELEASE}}


def hand_in(folder, student, **answers):
    """Write a submission: the release with the given answers, such as `a1_1="guess = 3"`."""
    notebook = json.loads(json.dumps(RELEASE))
    for cell in notebook["cells"]:
        given = answers.get(cell["id"].replace("answer-", "a").replace("-", "_"))
        if given is not None:
            cell["source"] = [given]
    path = folder / student / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def files(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def scores(graded):
    return {one.student_id: (one.status, one.score) for one in graded.marked}


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    hand_in(folder, "asha", a1_1="guess = 3", a1_2='best = "mean"')
    hand_in(folder, "ravi", a1_1="import os\nos._exit(1)")
    (folder / "zoya").mkdir()
    (folder / "zoya" / f"{NAME}.ipynb").write_bytes(b"no notebook")
    return folder


@pytest.fixture(scope="module")
def first(handed_in, tmp_path_factory):
    out = tmp_path_factory.mktemp("results")
    return out, grade(handed_in, out, RELEASES, roster={"asha": "आशा", "veda": "वेद"})


def test_graded_not_run_and_not_submitted_are_three_things(first):
    assert scores(first[1]) == {
        "asha": ("graded", 2),
        "ravi": ("could not be run", 0),
        "veda": ("not submitted", 0),
        "zoya": ("could not be run", 0),
    }


def test_reasons_are_told(first):
    reasons = {one.student_id: one.reason and one.reason[0] for one in first[1].marked}
    assert reasons["asha"] is None
    assert reasons["ravi"] == "grading.kernel_died"
    assert reasons["zoya"].startswith("mending.")


def test_the_gradebook_has_names_in_their_script(first):
    with (first[0] / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert (rows["asha"]["name"], rows["asha"]["score"]) == ("आशा", "2")


def test_what_has_marks_is_not_run_again(first, handed_in, monkeypatch):
    monkeypatch.setattr(batch, "execute", lambda *a, **k: pytest.fail("it was run again"))
    again = grade(handed_in, first[0], RELEASES, roster={"asha": "आशा", "veda": "वेद"})
    assert scores(again) == scores(first[1])


def test_grading_twice_writes_the_same_files(first, handed_in, tmp_path):
    grade(handed_in, tmp_path, RELEASES, roster={"asha": "आशा", "veda": "वेद"}, options=Options(jobs=1))
    assert files(tmp_path) == files(first[0])


def test_damaged_marks_are_made_anew(first, handed_in):
    path = first[0] / "marks" / "asha" / f"{NAME}.json"
    before = path.read_bytes()
    path.write_bytes(before[:100])
    grade(handed_in, first[0], RELEASES, roster={"asha": "आशा", "veda": "वेद"})
    assert path.read_bytes() == before


def test_another_seed_runs_everything_again(first, handed_in, monkeypatch):
    monkeypatch.setattr(batch, "execute", lambda *a, **k: (_ for _ in ()).throw(RuntimeError("ran")))
    again = grade(handed_in, first[0], RELEASES, options=Options(seed=1))
    assert {one.student_id for one in again.marked if one.reason[0] == "grading.grader_failed"} == {
        "asha",
        "ravi",
    }


def test_a_failure_of_the_grader_does_not_end_the_batch_and_is_not_kept(handed_in, tmp_path, monkeypatch):
    def broken(content, release):
        raise RuntimeError("a fault in the grader")

    monkeypatch.setattr(batch, "mend", broken)
    graded = grade(handed_in, tmp_path, RELEASES)
    assert [one.reason for one in graded.marked] == [
        ("grading.grader_failed", {"why": "RuntimeError: a fault in the grader"})
    ] * 3
    assert not list((tmp_path / "marks").rglob("*.json"))


def test_an_interrupted_batch_stops_at_once_keeps_what_was_done_and_goes_on(tmp_path):
    folder, out = tmp_path / "in", tmp_path / "out"
    hand_in(folder, "a", a1_1="guess = 3")
    hand_in(folder, "b", a1_1="import time\ntime.sleep(30)")

    def interrupt(marked, done, total):
        raise KeyboardInterrupt

    others, begin = set(threading.enumerate()), time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        grade(folder, out, RELEASES, progress=interrupt, options=Options(jobs=2))
    assert time.monotonic() - begin < 25
    assert [path.parent.name for path in (out / "marks").rglob("*.json")] == ["a"]
    assert not [thread for thread in set(threading.enumerate()) - others if not thread.daemon]


def test_cores_are_divided_among_the_jobs():
    cores = sorted(os.sched_getaffinity(0))
    assert sorted(core for share in core_shares(None) for core in share) == cores
    assert core_shares(1) == [tuple(cores)]
    assert [len(share) for share in core_shares(len(cores) + 1)] == [1] * (len(cores) + 1)


def test_a_zip_is_graded_like_its_folder(first, handed_in, tmp_path):
    archive = shutil.make_archive(str(tmp_path / "class"), "zip", handed_in)
    graded = grade(tmp_path / archive, tmp_path / "out", RELEASES)
    assert scores(graded)["asha"] == ("graded", 2)


def test_nothing_is_graded_without_a_sandbox_unless_asked(handed_in, tmp_path, monkeypatch):
    monkeypatch.setattr("labkit.grading.grade.available", lambda: "grading.sandbox_missing")
    with pytest.raises(WorkbookError, match="bubblewrap"):
        grade(handed_in, tmp_path, RELEASES)


def test_a_folder_without_submissions_is_refused(tmp_path):
    with pytest.raises(WorkbookError, match="no submissions"):
        grade(tmp_path, tmp_path / "out", RELEASES)


@pytest.fixture
def workbook(tmp_path):
    notebooks = tmp_path / "notebooks"
    for folder in (notebooks, notebooks / "hi"):
        folder.mkdir()
        (folder / f"{NAME}.ipynb").write_text(json.dumps(RELEASE), encoding="utf-8")
    return notebooks


def test_the_command_says_how_many_and_where(handed_in, workbook, tmp_path, capsys):
    out = tmp_path / "out"
    code = main(["grade", str(handed_in), "--out", str(out), "--notebooks", str(workbook), "--lang", "en"])
    said = capsys.readouterr().out
    assert code == 1  # two could not be run
    assert "1 graded, 2 could not be run, 0 not submitted" in said
    assert str(out / "overview.html") in said


def test_the_command_refuses_a_limit_that_is_none(handed_in, workbook, tmp_path, capsys):
    out = ["--out", str(tmp_path / "out"), "--notebooks", str(workbook), "--lang", "en"]
    assert main(["grade", str(handed_in), *out, "--cell-seconds", "-1"]) == 1
    assert "--cell-seconds is -1.0" in capsys.readouterr().err
