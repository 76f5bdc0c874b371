"""Files that are damaged, odd, huge or no notebooks at all: read as far as they can be, else a reason."""

import json
import random

import pytest
from mending_examples import ANSWERS, RELEASES, answered, cell, raw, sources

from labkit.grading import rawjson, reading
from labkit.grading.mend import mend
from labkit.grading.reading import read_file

WHOLE = raw(answered())
DEEP = b"[" * 200_000 + b"]" * 200_000


def with_output(data: bytes) -> bytes:
    """Return the honest notebook with something as the data of an output of its first code cell."""
    notebook = answered()
    cell(notebook, "setup")["outputs"] = [{"output_type": "display_data", "data": "PLACE"}]
    return raw(notebook).replace(b'"PLACE"', data)


def conflict(ours: str, theirs: str) -> bytes:
    """Return the honest notebook with a conflict around the source of the first answer."""
    versions = [f"<<<<<<< HEAD\n{ours}\n||||||| base\n=======\n{theirs}\n>>>>>>> evening"]
    notebook = answered()
    cell(notebook, "answer-1-1")["source"] = "PLACE"
    return raw(notebook).decode().replace('"PLACE"', "\n".join(["", *versions, ""])).encode()


READABLE = {
    "byte_order_mark": (b"\xef\xbb\xbf" + WHOLE, ["mending.bom"]),
    "windows_line_ends_in_the_file": (WHOLE.replace(b"\n", b"\r\n"), []),
    "utf16_as_powershell_writes_it": (WHOLE.decode().encode("utf-16"), ["mending.encoding"]),
    "utf16_without_a_mark": (WHOLE.decode().encode("utf-16-le"), ["mending.encoding"]),
    "bytes_that_are_not_utf8": (with_output(b'"caf\xe9"'), ["mending.encoding"]),
    "zero_bytes_at_the_end": (WHOLE + b"\0" * 512, []),
    "nan_and_infinity": (with_output(b'{"application/json": [NaN, -Infinity]}'), ["mending.odd_json"]),
    "integer_of_5000_digits": (with_output(b"1" * 5000), ["mending.odd_json"]),
    "float_that_overflows": (with_output(b"1e999"), []),
    "duplicate_keys": (WHOLE.replace(b'"nbformat":', b'"nbformat": 3,\n "nbformat":'), ["mending.odd_json"]),
    "line_end_inside_a_string": (with_output(b'"a\nb"'), ["mending.odd_json"]),
    "two_files_in_one": (WHOLE + WHOLE, ["mending.odd_json"]),
    "trailing_comma": (
        WHOLE.replace(b' "metadata": {\n  "kernelspec"', b' ,"metadata": {\n  "kernelspec"'),
        None,
    ),
    "deeply_nested_output": (with_output(DEEP), []),
    "deeply_nested_metadata": (WHOLE.replace(b'"nbformat": 4', b'"nbformat": 4, "x": ' + DEEP), None),
    "merge_conflict_with_both_sides_whole": (
        conflict('"guess = ..."', '"guess = 3"'),
        ["mending.file_conflict"],
    ),
    "merge_conflict_with_a_broken_side": (conflict('"guess = 3"', '"guess = '), ["mending.file_conflict"]),
    "cut_off_after_the_last_answer": (WHOLE[: WHOLE.index(b'"check-1-2"')], None),
    "cut_off_in_the_metadata": (WHOLE[:-40], ["mending.damaged"]),
}


@pytest.mark.parametrize("name", READABLE)
def test_answers_survive(name):
    content, ids = READABLE[name]
    mended = mend(content, RELEASES)
    found = sources(mended.notebook)
    assert {grade_id: found[grade_id] for grade_id in ANSWERS} == ANSWERS
    if ids is not None:
        assert [note.id for note in mended.notes] == ids


UNREADABLE = {
    "empty": (b"", "mending.empty_file"),
    "only_zero_bytes": (b"\0" * 4096, "mending.empty_file"),
    "zip": (b"PK\x03\x04rest", "mending.is_zip"),
    "gzip": (b"\x1f\x8b\x08rest", "mending.is_zip"),
    "pdf": (b"%PDF-1.7", "mending.is_pdf"),
    "web_page": (b"\n<!DOCTYPE html><html></html>", "mending.is_html"),
    "python_script": (b"# %%\nimport labkit as lk\n", "mending.is_python"),
    "plain_text": ("मेरे जवाब".encode(), "mending.no_notebook"),
    "random_bytes": (random.Random(0).randbytes(5000), "mending.no_notebook"),
    "json_list": (b"[1, 2, 3]", "mending.no_cells"),
    "json_without_cells": (b'{"nbformat": 4}', "mending.no_cells"),
    "cells_that_are_a_word": (b'{"cells": "none", "nbformat": 4}', "mending.no_cells"),
    "notebook_without_cells": (b'{"cells": [], "nbformat": 4, "metadata": {}}', "mending.empty_notebook"),
    "nothing_but_brackets": (DEEP, "mending.too_deep"),
    "cut_off_in_the_first_cell": (WHOLE[:40], "mending.no_notebook"),
    "string_that_never_ends": (b'{"cells": ["' + b"a" * 100_000, "mending.no_notebook"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_file_says_why(name):
    content, reason = UNREADABLE[name]
    mended = mend(content, RELEASES)
    assert (mended.notebook, mended.notes[-1].id, mended.answered) == (None, reason, {})


@pytest.mark.parametrize("lang", ["en", "hi"])
@pytest.mark.parametrize("name", [*READABLE, *UNREADABLE])
def test_notes_can_be_said_in_both_languages(name, lang):
    content, _ = (READABLE | UNREADABLE)[name]
    assert all(note.text(lang) for note in mend(content, RELEASES).notes)


def test_cut_off_file_reports_what_is_missing():
    mended = mend(WHOLE[: WHOLE.index(b"hours = runs")], RELEASES)
    assert mended.answered == {"answer-1-1": True, "answer-1-2": False}
    assert {note.id for note in mended.notes} == {
        "mending.damaged",
        "mending.locked_missing",
        "mending.answer_missing",
    }


def test_side_of_a_conflict_with_more_answers_is_named():
    mended = mend(conflict('"guess = ..."', '"guess = 3"'), RELEASES)
    assert mended.notes[0].values == {"taken": "evening"}


def test_outputs_of_50_megabytes_are_dropped():
    image = b'{"image/png": "' + b"iVBORw0KGgo" * 4_600_000 + b'"}'
    mended = mend(with_output(image), RELEASES)
    assert [note.id for note in mended.notes] == ["mending.outputs_dropped"]
    assert sources(mended.notebook)["answer-1-1"] == ANSWERS["answer-1-1"]


def test_file_that_is_large_without_outputs_is_refused():
    notebook = answered()
    notebook["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "a" * 11_000_000})
    mended = mend(raw(notebook), RELEASES)
    assert (mended.notebook, mended.notes[-1].id) == (None, "mending.too_large")


def test_large_file_is_read_without_its_outputs(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "SLIM_FILE", 1000)
    path = tmp_path / "large.ipynb"
    path.write_bytes(with_output(b'["' + b"x" * 50_000 + b'"]'))
    content, notes = read_file(path)
    assert (len(content) < 10_000, [note.id for note in notes]) == (True, ["mending.outputs_dropped"])
    assert mend(content, RELEASES).notebook is not None


def test_file_beyond_the_stated_size_is_not_even_scanned(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "SLIM_FILE", 1000)
    monkeypatch.setattr(reading, "MAX_FILE", 2000)
    path = tmp_path / "large.ipynb"
    path.write_bytes(WHOLE)
    assert [note.id for note in read_file(path)[1]] == ["mending.too_large"]


def test_file_of_too_many_brackets_is_refused_not_scanned_for_ever(monkeypatch):
    monkeypatch.setattr(rawjson, "MAX_TOKENS", 1000)
    monkeypatch.setattr(reading, "MAX_TEXT", 1000)
    assert mend(b'{"cells": [' + b"[]," * 2000, RELEASES).notes[-1].id == "mending.too_large"


def test_cells_with_the_source_of_a_whole_book_count_as_empty():
    notebook = answered()
    cell(notebook, "answer-1-1")["source"] = "guess = 3\n" + "#" * 200_000
    mended = mend(raw(notebook), RELEASES)
    assert (mended.notes[0].id, mended.answered["answer-1-1"]) == ("mending.long_cells", False)


def test_outputs_named_inside_a_text_are_not_dropped():
    content = json.dumps({"source": '"outputs": [1], {"', "outputs": [{"a": "]"}], "b": [{}]}).encode()
    slim = json.loads(rawjson.without_outputs(content))
    assert slim == {"source": '"outputs": [1], {"', "outputs": [], "b": [{}]}


@pytest.mark.parametrize("seed", range(60))
def test_no_damage_at_all_makes_mending_fail(seed):
    chance = random.Random(seed)
    content = bytearray(WHOLE)
    for _ in range(chance.randint(1, 30)):
        at = chance.randrange(len(content))
        action = chance.randrange(3)
        if action == 0:
            content[at] = chance.randrange(256)
        elif action == 1:
            del content[at : at + chance.randint(1, 200)]
        else:
            content[at:at] = chance.choice([b"{", b'"', b"]", b"\\", b"<<<<<<< HEAD\n", b"NaN", b"\xff"])
    mended = mend(bytes(content), RELEASES)
    assert mended.notes or mended.notebook
    assert all(note.text(lang) for note in mended.notes for lang in ("en", "hi"))


VALUES = [
    None,
    7,
    -1.5,
    "answer-1-1",
    [],
    {},
    [[]],
    {"grade_id": "answer-1-1"},
    True,
    "x" * 300,
    ["a", 1],
    "\ud800",
]


@pytest.mark.parametrize("seed", range(60))
def test_no_odd_value_anywhere_makes_mending_fail(seed):
    chance = random.Random(seed)
    notebook = answered()
    for _ in range(chance.randint(1, 12)):
        part = notebook
        while True:
            keys = list(part) if isinstance(part, dict) else list(range(len(part)))
            key = chance.choice(keys) if keys else None
            if key is None or not isinstance(part[key], dict | list) or chance.random() < 0.3:
                break
            part = part[key]
        if key is not None:
            part[key] = chance.choice(VALUES)
    mended = mend(raw(notebook), RELEASES)
    assert mended.notes or mended.notebook
    json.dumps([[note.id, dict(note.values), note.cell] for note in mended.notes]).encode()
