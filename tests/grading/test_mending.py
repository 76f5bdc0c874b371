"""Notebooks in which cells were changed: what is graded, and what is said about it."""

import copy

import pytest
from mending_examples import (
    ANSWERS,
    GAPS,
    RELEASES,
    added,
    answered,
    cell,
    place,
    raw,
    released,
    sources,
)

from labkit.grading.mend import mend


def split_with_marks(notebook):
    at = place(notebook, "answer-1-2")
    second = copy.deepcopy(notebook["cells"][at]) | {"id": "other", "source": "hours = runs * 40 / 60"}
    notebook["cells"][at]["source"] = "runs = 12"
    notebook["cells"].insert(at + 1, second)


def split_without_marks(notebook):
    at = place(notebook, "answer-1-2")
    notebook["cells"][at]["source"] = "runs = 12"
    notebook["cells"].insert(at + 1, added("hours = runs * 40 / 60"))


def duplicated_answer(notebook):
    at = place(notebook, "answer-1-2")
    notebook["cells"].insert(at, copy.deepcopy(cell(RELEASES["en"], "answer-1-2")) | {"id": "copy"})


def answer_in_an_own_cell(notebook):
    at = place(notebook, "answer-1-1")
    notebook["cells"][at]["source"] = GAPS["answer-1-1"]
    notebook["cells"].insert(at + 1, added("guess = 3"))


def answer_without_marks(notebook):
    notebook["cells"][place(notebook, "answer-1-2")] = added(ANSWERS["answer-1-2"])


def all_marks_gone(notebook):
    for one in notebook["cells"]:
        one["metadata"] = {}
        del one["id"]


def answer_retyped(notebook):
    at = place(notebook, "answer-1-1")
    notebook["cells"][at] |= {"cell_type": "markdown"}


def answer_moved_to_the_end(notebook):
    notebook["cells"].append(notebook["cells"].pop(place(notebook, "answer-1-1")))


def lock_edited(notebook):
    cell(notebook, "check-1-1")["source"] = "1"


def lock_retyped(notebook):
    cell(notebook, "check-1-1")["cell_type"] = "raw"


def lock_deleted(notebook):
    del notebook["cells"][place(notebook, "setup")]


def lock_duplicated(notebook):
    at = place(notebook, "check-1-1")
    notebook["cells"].insert(at, copy.deepcopy(notebook["cells"][at]) | {"id": "copy"})


def scratch_cells(notebook):
    notebook["cells"].insert(3, added("print('hello')"))
    notebook["cells"].append(added("1 + 1"))


def other_kernel(notebook):
    notebook["metadata"]["kernelspec"] = {"name": "ir", "language": "R"}


def no_kernel(notebook):
    del notebook["metadata"]["kernelspec"]


def saved_by_colab(notebook):
    notebook["metadata"] |= {"colab": {"provenance": []}}
    notebook["nbformat_minor"] = 0
    for one in notebook["cells"]:
        one["metadata"] |= {"id": one.pop("id"), "cellView": "form", "outputId": "x"}


def windows_line_ends(notebook):
    cell(notebook, "answer-1-2")["source"] = ["runs = 12\r\n", "hours = runs * 40 / 60"]


def nbformat_3(notebook):
    cells = []
    for one in notebook.pop("cells"):
        if one["cell_type"] == "code":
            one["input"], one["language"] = one.pop("source"), "python"
        cells.append(one)
    notebook |= {"nbformat": 3, "worksheets": [{"cells": cells, "metadata": {}}]}


def nbformat_5(notebook):
    notebook["nbformat"] = 5


def entries_that_are_no_cells(notebook):
    notebook["cells"] += [None, 7, "cell", [], {"cell_type": "code", "source": {"a": 1}}]


def hostile_metadata(notebook):
    for one in notebook["cells"]:
        one["metadata"]["tags"] = {"not": "a list"}
        one["metadata"]["collapsed"] = [[[]]]
    notebook["cells"].append(
        added("x = 1", id="../../etc/passwd", **{"metadata": {"nbgrader": {"grade_id": ["answer-1-1"]}}})
    )


def half_a_surrogate_in_a_comment(notebook):
    cell(notebook, "answer-1-1")["source"] = "# \ud800\nguess = 3"


def conflict_in_an_answer(notebook):
    cell(notebook, "answer-1-1")["source"] = (
        "<<<<<<< HEAD\nguess = ...\n=======\nguess = 3\n>>>>>>> evening\n"
    )


CHANGES = [
    (split_with_marks, {"mending.split"}),
    (split_without_marks, {"mending.split"}),
    (duplicated_answer, {"mending.duplicated"}),
    (answer_in_an_own_cell, {"mending.split"}),
    (answer_without_marks, {"mending.recognised"}),
    (all_marks_gone, {"mending.recognised"}),
    (answer_retyped, {"mending.retyped"}),
    (answer_moved_to_the_end, {"mending.moved"}),
    (lock_edited, {"mending.locked_edited"}),
    (lock_retyped, {"mending.locked_retyped"}),
    (lock_deleted, {"mending.locked_missing"}),
    (lock_duplicated, {"mending.locked_duplicated"}),
    (scratch_cells, {"mending.extra_cells"}),
    (other_kernel, {"mending.kernelspec"}),
    (no_kernel, {"mending.kernelspec"}),
    (saved_by_colab, {"mending.colab"}),
    (windows_line_ends, {"mending.line_ends"}),
    (nbformat_3, {"mending.nbformat"}),
    (nbformat_5, {"mending.nbformat"}),
    (entries_that_are_no_cells, {"mending.odd_cells"}),
    (hostile_metadata, {"mending.extra_cells"}),
    (half_a_surrogate_in_a_comment, {"mending.odd_characters"}),
    (conflict_in_an_answer, {"mending.cell_conflict"}),
]


def run(source):
    names = {}
    exec(source, names)
    return {name: names[name] for name in ("guess", "runs", "hours") if name in names}


@pytest.mark.parametrize(("change", "ids"), CHANGES, ids=lambda value: getattr(value, "__name__", ""))
def test_change_is_mended_and_noted(change, ids):
    notebook = answered()
    change(notebook)
    mended = mend(raw(notebook), RELEASES)
    assert {note.id for note in mended.notes} == ids


@pytest.mark.parametrize(("change", "ids"), CHANGES, ids=lambda value: getattr(value, "__name__", ""))
def test_no_answer_is_lost_by_mending(change, ids):
    notebook = answered()
    change(notebook)
    mended = mend(raw(notebook), RELEASES)
    found = sources(mended.notebook)
    assert [one["id"] for one in mended.notebook["cells"]] == [one["id"] for one in released()["cells"]]
    assert run(found["answer-1-1"]) == {"guess": 3}
    assert run(found["answer-1-2"]) == {"runs": 12, "hours": 8}
    assert mended.answered == {"answer-1-1": True, "answer-1-2": True}


@pytest.mark.parametrize(("change", "ids"), CHANGES, ids=lambda value: getattr(value, "__name__", ""))
def test_cells_that_are_not_answers_come_from_the_release(change, ids):
    notebook = answered()
    change(notebook)
    mended = mend(raw(notebook), RELEASES)
    own, given = sources(mended.notebook), sources(released())
    assert {name: own[name] for name in own if name not in GAPS} == {
        name: given[name] for name in given if name not in GAPS
    }


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_honest_notebook_is_taken_as_it_is_without_a_note(lang):
    mended = mend(raw(answered(lang)), RELEASES)
    assert (mended.notes, mended.lang, mended.notebook) == ((), lang, answered(lang))


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_untouched_notebook_is_not_answered(lang):
    mended = mend(raw(released(lang)), RELEASES)
    assert mended.answered == {"answer-1-1": False, "answer-1-2": False}


@pytest.mark.parametrize(
    ("source", "is_answered"),
    [
        ("", False),
        ("# I do not know", False),
        ("guess = ...   # in ms, later", False),
        ("guess = 3", True),
        ("guess = ...\nguess = 4", True),
        ("guess = (", True),
        ("guess = " + "(" * 500, True),
        ("guess = " + "-" * 20_000 + "1", True),
        ("guess = " + "+".join("1" * 9000), True),
    ],
)
def test_answer_counts_as_written_if_it_holds_more_than_a_gap(source, is_answered):
    notebook = answered()
    cell(notebook, "answer-1-1")["source"] = source
    assert mend(raw(notebook), RELEASES).answered["answer-1-1"] is is_answered


def test_emptied_answer_gets_its_gap_back():
    notebook = answered()
    cell(notebook, "answer-1-1")["source"] = ""
    assert sources(mend(raw(notebook), RELEASES).notebook)["answer-1-1"] == GAPS["answer-1-1"]


def test_deleted_answer_is_not_answered_and_noted():
    notebook = answered()
    del notebook["cells"][place(notebook, "answer-1-1")]
    mended = mend(raw(notebook), RELEASES)
    assert [(note.id, note.cell) for note in mended.notes] == [("mending.answer_missing", "answer-1-1")]
    assert mended.answered["answer-1-1"] is False


def test_answer_without_one_of_its_lines_still_sets_every_name():
    notebook = answered()
    cell(notebook, "answer-1-2")["source"] = "runs = 12"
    mended = mend(raw(notebook), RELEASES)
    assert run(sources(mended.notebook)["answer-1-2"]) == {"runs": 12, "hours": ...}
    assert mended.notes[0].values == {"names": "hours"}


def test_own_cells_that_an_answer_needs_come_with_it():
    notebook = answered()
    at = place(notebook, "answer-1-2")
    notebook["cells"][at]["source"] = "runs = 12\nhours = in_hours(runs * MINUTES)"
    notebook["cells"][3:3] = [
        added("SIXTY = 60"),
        added("def in_hours(minutes):\n    return minutes / SIXTY"),
        added("MINUTES = 40"),
        added("unused = 1"),
    ]
    mended = mend(raw(notebook), RELEASES)
    assert run(sources(mended.notebook)["answer-1-2"]) == {"runs": 12, "hours": 8}
    assert {(note.id, note.values["count"]) for note in mended.notes} == {
        ("mending.helpers", 3),
        ("mending.extra_cells", 1),
    }


def test_answer_that_is_no_python_is_noted_with_its_line():
    notebook = answered()
    cell(notebook, "answer-1-2")["source"] = "runs = 12\nhours = 12 *"
    (note,) = mend(raw(notebook), RELEASES).notes
    assert (note.id, note.cell, note.values["line"]) == ("mending.not_python", "answer-1-2", 2)


def test_line_of_an_expression_that_starts_like_a_magic_is_no_fault():
    notebook = answered()
    cell(notebook, "answer-1-2")["source"] = ["runs = (7\n    % 4)\nhours = 8"]
    assert not mend(raw(notebook), RELEASES).notes


def test_magics_in_an_answer_are_no_fault():
    notebook = answered()
    cell(notebook, "answer-1-1")["source"] = "%time\n!ls\nguess = 3"
    assert mend(raw(notebook), RELEASES).notes == ()


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ('margin = 0.75  #@param {type:"number"}', "margin = 0.75"),
        ("margin = -1", None),
        ("shift = -1", "shift = -1"),
        ("margin = 1e400", None),
        ("margin = 'much'", None),
        ("margin = True", None),
        ("margin = __import__('os').getpid()", None),
        ("other = 3", None),
        ("fast = True", "fast = True"),
        ("fast = 1", None),
    ],
)
def test_parameters_keep_plain_values_of_their_kind_and_no_code(line, kept):
    notebook = answered()
    cell(notebook, "settings")["source"] = f'lang = "en"\n{line}'
    mended = mend(raw(notebook), RELEASES)
    settings = sources(mended.notebook)["settings"]
    assert [note.values["values"] for note in mended.notes] == ([kept] if kept else [])
    assert settings.splitlines()[0] == 'lang = "en"  # @param ["en", "hi"]'
    assert (kept or "margin = 0.5") in settings
    assert "import" not in settings


def test_language_comes_from_the_text_cells_where_nothing_names_it():
    notebook = answered("hi")
    notebook["metadata"] = {}
    del notebook["cells"][place(notebook, "settings")]
    assert mend(raw(notebook), RELEASES).lang == "hi"


def test_single_release_serves_both_languages():
    mended = mend(raw(answered("hi")), released("en"))
    assert (mended.lang, 'lang = "hi"' in "".join(cell(mended.notebook, "settings")["source"])) == (
        "hi",
        True,
    )


def test_another_notebook_is_refused_not_marked_as_unanswered():
    other = {"cells": [added("import labkit as lk"), added("x = 1"), added("print(x)")], "nbformat": 4}
    mended = mend(raw(other), RELEASES)
    assert (mended.notebook, mended.notes[-1].id) == (None, "mending.other_notebook")


@pytest.mark.parametrize(("change", "ids"), CHANGES, ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.parametrize("lang", ["en", "hi"])
def test_notes_can_be_said_in_both_languages(change, ids, lang):
    notebook = answered()
    change(notebook)
    assert all(note.text(lang) for note in mend(raw(notebook), RELEASES).notes)
