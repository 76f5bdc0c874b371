"""Submissions in folders, flat files and zips, under good and bad names."""

import stat
import unicodedata
import zipfile

import pytest
from mending_examples import answered, raw

from labkit.grading import entries
from labkit.grading.students import read_roster, safe_id
from labkit.grading.submissions import find_submissions
from labkit.workbook import WorkbookError

KNOWN = ["01_tiny_run", "02_the_plan"]
FIRST = raw(answered())
SECOND = FIRST.replace(b"-1-", b"-2-").replace(b'\\"1.', b'\\"2.')
OTHER = b'{"cells": []}'


def write(folder, files):
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder


def zipped(target, files):
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target


def found(path, **rest):
    return [(one.student_id, one.notebook, *one.note_ids) for one in find_submissions(path, KNOWN, **rest)]


LAYOUTS = {
    "folders": {
        "asha/01_tiny_run.ipynb": FIRST,
        "asha/02_the_plan.ipynb": SECOND,
        "रवि/02_the_plan.ipynb": SECOND,
    },
    "flat": {
        "asha__01_tiny_run.ipynb": FIRST,
        "asha__02_the_plan.ipynb": SECOND,
        "रवि__02_the_plan.ipynb": SECOND,
    },
    "folders_in_between": {
        "asha/work/01_tiny_run.ipynb": FIRST,
        "asha/notebooks/hi/02_the_plan.ipynb": SECOND,
        "रवि/02_the_plan.ipynb": SECOND,
    },
    "mixed": {
        "asha/01_tiny_run.ipynb": FIRST,
        "asha__02_the_plan.ipynb": SECOND,
        "रवि/02_the_plan.ipynb": SECOND,
    },
    "with_things_that_are_no_submissions": {
        "asha/01_tiny_run.ipynb": FIRST,
        "asha/.ipynb_checkpoints/01_tiny_run-checkpoint.ipynb": FIRST,
        "asha/conftest.py": b"",
        "asha/labkit/__init__.py": b"",
        "asha/model.pt": b"",
        "asha/02_the_plan.ipynb": SECOND,
        "रवि/02_the_plan.ipynb": SECOND,
        "मीना/.keep": b"",
        "roster.csv": b"",
        "__MACOSX/asha/._01_tiny_run.ipynb": b"",
    },
}
CLASS = [("asha", "01_tiny_run"), ("asha", "02_the_plan"), ("रवि", "02_the_plan")]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout_in_a_folder(tmp_path, layout):
    assert found(write(tmp_path, LAYOUTS[layout])) == CLASS


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout_in_a_zip(tmp_path, layout):
    assert found(zipped(tmp_path / "class.zip", LAYOUTS[layout])) == CLASS


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout_in_a_zip_with_a_folder_around_it(tmp_path, layout):
    files = {f"submissions/{name}": content for name, content in LAYOUTS[layout].items()}
    assert found(zipped(tmp_path / "class.zip", files)) == CLASS


def test_content_of_a_zip_is_what_was_packed(tmp_path):
    path = zipped(tmp_path / "class.zip", LAYOUTS["folders"])
    submissions = find_submissions(path, KNOWN, tmp_path / "unpacked")
    assert [one.path.read_bytes() for one in submissions] == [FIRST, SECOND, SECOND]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("02_the_plan (1).ipynb", OTHER),
        ("Copy of 02_the_plan.ipynb", OTHER),
        ("02_the_plan-Copy1.ipynb", OTHER),
        ("The Plan FINAL.ipynb", OTHER),
        ("notebook2.ipynb", OTHER),
        ("Untitled.ipynb", SECOND),
        ("01_tiny_run.ipynb", SECOND),
    ],
)
def test_renamed_file_is_recognised_by_exercises_or_name(tmp_path, name, content):
    write(tmp_path, {f"asha/{name}": content})
    assert found(tmp_path) == [("asha", "02_the_plan", "mending.renamed")]


@pytest.mark.parametrize("ending", [".ipynb.txt", ".IPYNB.json", ".pdf", ".html", ".ipynb.zip", ""])
def test_file_with_another_ending_is_listed_as_the_notebook_it_is_named_for(tmp_path, ending):
    write(tmp_path, {f"asha/02_the_plan{ending}": b"something"})
    assert found(tmp_path) == [("asha", "02_the_plan")]


def test_file_that_cannot_be_told_is_listed_under_its_own_name(tmp_path):
    write(tmp_path, {"asha/answers.ipynb": OTHER})
    assert found(tmp_path) == [("asha", "answers", "mending.unknown_name")]


def test_of_several_copies_the_one_with_the_right_name_is_taken(tmp_path):
    write(tmp_path, {"asha/01_tiny_run.ipynb": FIRST, "asha/01_tiny_run (2).ipynb": FIRST})
    (one,) = find_submissions(tmp_path, KNOWN)
    assert (one.path.name, one.note_ids) == ("01_tiny_run.ipynb", ("mending.other_copies",))


def test_of_several_renamed_copies_the_last_is_taken(tmp_path):
    write(tmp_path, {"asha/tiny_run (1).ipynb": FIRST, "asha/tiny_run (2).ipynb": FIRST})
    (one,) = find_submissions(tmp_path, KNOWN)
    assert one.path.name == "tiny_run (2).ipynb"


def test_link_is_not_followed(tmp_path):
    outside = write(tmp_path / "outside", {"secret.ipynb": FIRST})
    inside = write(tmp_path / "class", {"asha/02_the_plan.ipynb": SECOND})
    try:
        (inside / "asha" / "01_tiny_run.ipynb").symlink_to(outside / "secret.ipynb")
        (inside / "ravi").symlink_to(outside)
    except OSError:
        pytest.skip("links need rights that this user does not have")
    submissions = find_submissions(inside, KNOWN)
    assert [(one.student_id, one.path and one.path.name, *one.note_ids) for one in submissions] == [
        ("asha", None, "mending.link"),
        ("asha", "02_the_plan.ipynb"),
        ("ravi", None, "mending.link"),
    ]


@pytest.mark.parametrize(
    "name",
    [
        "../../asha/01_tiny_run.ipynb",
        "/asha/01_tiny_run.ipynb",
        "C:\\asha\\01_tiny_run.ipynb",
        "asha/../01_tiny_run.ipynb",
    ],
)
def test_path_out_of_a_zip_is_refused_and_nothing_is_written_there(tmp_path, name):
    path = zipped(tmp_path / "class.zip", {name: FIRST, "ravi/01_tiny_run.ipynb": FIRST})
    submissions = find_submissions(path, KNOWN, tmp_path / "unpacked")
    refused = [one for one in submissions if one.path is None]
    assert [one.notes[0].id for one in refused] == ["mending.unsafe_path"]
    assert {p.name for p in tmp_path.rglob("*") if p.is_file()} == {"class.zip", "00001"}


def test_link_in_a_zip_is_refused(tmp_path):
    link = zipfile.ZipInfo("asha/01_tiny_run.ipynb")
    link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    (one,) = find_submissions(tmp_path / "class.zip", KNOWN)
    assert (one.path, one.note_ids) == (None, ("mending.link",))


def test_zip_bomb_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(entries, "MAX_ENTRY", 10_000)
    with zipfile.ZipFile(tmp_path / "class.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("asha/01_tiny_run.ipynb", b" " * 10_000_000)
        archive.writestr("ravi/01_tiny_run.ipynb", FIRST)
    assert found(tmp_path / "class.zip") == [
        ("asha", "01_tiny_run", "mending.zip_too_large"),
        ("ravi", "01_tiny_run"),
    ]


def test_damaged_file_in_a_zip_does_not_cost_the_others(tmp_path):
    path = zipped(tmp_path / "class.zip", {"asha/01_tiny_run.ipynb": FIRST, "ravi/01_tiny_run.ipynb": FIRST})
    content = path.read_bytes()
    path.write_bytes(content.replace(b"# A tiny notebook", b"# A tinx notebook", 1))
    assert found(path) == [("asha", "01_tiny_run", "mending.zip_damaged"), ("ravi", "01_tiny_run")]


def test_what_is_neither_folder_nor_zip_is_refused(tmp_path):
    write(tmp_path, {"class.rar": b"Rar!"})
    with pytest.raises(WorkbookError, match="neither a folder nor a zip"):
        find_submissions(tmp_path / "class.rar", KNOWN)


@pytest.mark.parametrize("given", ["asha", "2024-CS_07.b", "आशा", "Zoë", "学生"])
def test_sound_student_id_stays_as_it_is(given):
    assert safe_id(given) == given


@pytest.mark.parametrize(
    "given",
    [
        "",
        ".",
        "..",
        ".hidden",
        "a/b",
        "a\\b",
        "a b",
        "x" * 65,
        "CON",
        "nul.txt",
        "a\0b",
        "a\u202eb",
        "<b>",
        "\ud800",
    ],
)
def test_unsound_student_id_becomes_a_safe_one_of_its_own(given):
    made = safe_id(given)
    assert safe_id(made) == made != given
    assert safe_id(given + "!") != made


def test_student_id_is_the_same_however_its_letters_are_stored(tmp_path):
    name = "Zoë"
    write(tmp_path, {f"{unicodedata.normalize('NFD', name)}/01_tiny_run.ipynb": FIRST})
    assert found(tmp_path) == [(name, "01_tiny_run")]


def test_unsound_student_id_is_noted(tmp_path):
    write(tmp_path, {"asha devi/01_tiny_run.ipynb": FIRST})
    (one,) = find_submissions(tmp_path, KNOWN)
    assert (one.student_id, one.note_ids) == (safe_id("asha devi"), ("mending.safe_id",))


@pytest.mark.parametrize(
    "content",
    [
        'student_id,name\nasha,आशा देवी\nravi,"Rao, Ravi"\n'.encode(),
        "\ufeffStudent ID;Name\r\nasha;आशा देवी\r\nravi;Rao, Ravi\r\n\r\n".encode(),
        "Student\tSIS Login ID\nआशा देवी\tasha\nRao, Ravi\travi".encode("utf-16"),
    ],
)
def test_roster_is_read_as_spreadsheets_write_it(tmp_path, content):
    (tmp_path / "roster.csv").write_bytes(content)
    assert read_roster(tmp_path / "roster.csv") == {"asha": "आशा देवी", "ravi": "Rao, Ravi"}


def test_roster_without_names_gives_ids(tmp_path):
    (tmp_path / "roster.csv").write_text("id\nasha\n", encoding="utf-8")
    assert read_roster(tmp_path / "roster.csv") == {"asha": ""}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "columns –"),
        (b"first,last\na,b", "columns first, last"),
        (b"student_id,name\n\xe9,x", "cannot be read"),
        (b"student_id,name\n,Asha\nravi,R\nravi,R2", r"line 2: .*empty(.|\n)*line 4: .*ravi.* line 3"),
    ],
)
def test_roster_with_faults_says_all_of_them(tmp_path, content, said):
    (tmp_path / "roster.csv").write_bytes(content)
    with pytest.raises(WorkbookError, match=said):
        read_roster(tmp_path / "roster.csv")


def test_missing_roster_is_a_message(tmp_path):
    with pytest.raises(WorkbookError, match="No such file"):
        read_roster(tmp_path / "roster.csv")
