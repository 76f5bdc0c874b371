"""`validate`: what a student sees before handing in. Nothing is run."""

import json

import pytest
from mending_examples import RELEASES, answered, cell, raw, released, sources

from labkit.cli import main
from labkit.grading.validate import save_mended, validate
from labkit.messages import set_language
from labkit.workbook import WorkbookError

KNOWN = {"01_tiny_run": RELEASES}


@pytest.fixture(autouse=True)
def english():
    set_language("en")
    yield
    set_language("en")


@pytest.fixture
def workbook(tmp_path):
    """Return a folder as in the students' zip, and the path of the notebook to write into."""
    for lang, folder in (("en", "."), ("hi", "hi")):
        for home in (tmp_path / "notebooks", tmp_path / "notebooks" / "original"):
            (home / folder).mkdir(parents=True, exist_ok=True)
            (home / folder / "01_tiny_run.ipynb").write_bytes(raw(RELEASES[lang]))
    return tmp_path / "notebooks"


def written(folder, notebook, name="01_tiny_run.ipynb"):
    path = folder / name
    path.write_bytes(notebook if isinstance(notebook, bytes) else raw(notebook))
    return path


def test_finished_notebook_is_ok(tmp_path):
    found = validate(written(tmp_path, answered()), KNOWN)
    assert (found.ok, found.text("en").splitlines()[1:]) == (
        True,
        [
            "Nothing is damaged.",
            "Every exercise has an answer. "
            "(Whether it is right, the cell below each answer tells you when you run it.)",
        ],
    )


def test_unanswered_exercises_are_listed_as_students_know_them(tmp_path):
    found = validate(written(tmp_path, released()), KNOWN)
    assert (found.ok, found.text("en").splitlines()[-1]) == (False, "Not answered yet: 1.1, 1.2.")


def test_answer_that_is_begun_names_what_is_open(tmp_path):
    notebook = answered()
    cell(notebook, "answer-1-2")["source"] = "runs = 12\nhours = ..."
    found = validate(written(tmp_path, notebook), KNOWN)
    assert (found.ok, found.text("en").splitlines()[-1]) == (
        False,
        "1.2: begun, but these are still `...`: hours.",
    )


def test_damage_is_said_in_the_words_of_the_grader(tmp_path):
    notebook = answered()
    del notebook["metadata"]["kernelspec"]
    found = validate(written(tmp_path, notebook), KNOWN)
    assert [note.id for note in found.mended.notes] == ["mending.kernelspec"]
    assert (found.ok, found.mended.notes[0].text("en") in found.text("en")) == (True, True)


def test_report_is_in_the_language_of_the_notebook(tmp_path):
    assert "कुछ भी खराब नहीं है।" in validate(written(tmp_path, answered("hi")), KNOWN).text()


@pytest.mark.parametrize("content", [b"", b"%PDF", b"[]", b"PK\x03\x04"])
def test_file_that_cannot_be_graded_is_not_ok(tmp_path, content):
    found = validate(written(tmp_path, content, "mine.ipynb"), KNOWN)
    assert (found.ok, "cannot be graded" in found.text("en")) == (False, True)


def test_notebook_under_any_name_is_compared_with_the_right_release(tmp_path):
    two = {"02_other": {"en": json.loads(raw(released()).replace(b"-1-", b"-2-"))}, "01_tiny_run": RELEASES}
    assert validate(written(tmp_path, answered(), "homework.ipynb"), two).notebook == "01_tiny_run"


def test_mended_copy_has_the_answers_in_whole_cells(tmp_path):
    notebook = answered()
    cell(notebook, "check-1-1")["source"] = "1"
    copy = save_mended(validate(written(tmp_path, notebook), KNOWN), tmp_path / "mended")
    assert sources(json.loads(copy.read_text(encoding="utf-8"))) == sources(answered())


def test_mended_copy_never_replaces_a_file(tmp_path):
    found = validate(written(tmp_path, answered()), KNOWN)
    with pytest.raises(WorkbookError, match="exists already"):
        save_mended(found, tmp_path)


def test_command_compares_with_the_untouched_copies_of_a_release(workbook, capsys):
    notebook = answered()
    cell(notebook, "check-1-1")["source"] = "1"
    code = main(["validate", str(written(workbook, notebook)), "--notebooks", str(workbook)])
    assert (code, "set back (1): check 1.1" in capsys.readouterr().out) == (0, True)


def test_command_exits_with_1_while_an_answer_is_missing(workbook, capsys):
    assert main(["validate", str(workbook / "01_tiny_run.ipynb"), "--notebooks", str(workbook)]) == 1
    assert "Not answered yet: 1.1, 1.2." in capsys.readouterr().out


def test_command_writes_mended_copies(workbook, tmp_path, capsys):
    path = written(workbook, b"\xef\xbb\xbf" + raw(answered()))
    main(
        ["validate", str(path), "--mend", str(tmp_path / "out"), "--notebooks", str(workbook), "--lang", "hi"]
    )
    assert (tmp_path / "out" / "01_tiny_run.ipynb").read_bytes().startswith(b"{")
    assert "ठीक की हुई copy" in capsys.readouterr().out


def test_command_without_the_file_says_so(workbook, tmp_path, capsys):
    assert main(["validate", str(tmp_path / "none.ipynb"), "--notebooks", str(workbook)]) == 1
    assert "there is no such file" in capsys.readouterr().err


def test_nothing_is_run(tmp_path):
    mark = tmp_path / "was_run"
    notebook = answered()
    for one in notebook["cells"]:
        if one["cell_type"] == "code":
            one["source"] = f"open({str(mark)!r}, 'w')\n" + "".join(one["source"])
    found = validate(written(tmp_path, notebook), KNOWN)
    save_mended(found, tmp_path / "mended")
    assert (found.ok, mark.exists()) == (True, False)
