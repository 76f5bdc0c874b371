"""Attacks in what is handed in: the file itself, what lies beside it, names, links."""

import json
import os
from functools import partial
from pathlib import Path

from hostile_class import NAME, Attack, submission, write

NOT_RUN = "could not be run"
MIME = "application/vnd.labkit.answer+json"
RIGHT = {"q1": "b", "q2": "c", "q3": "a", "q4": "b", "q5": "c"}


def beside(folder: Path, name: str, notebook: dict, *, files: tuple[str, ...]) -> None:
    """Put Python files beside the notebook that leave a trace if anybody ever runs them."""
    write(folder, name, notebook)
    for file in files:
        path = folder / name / file
        path.parent.mkdir(exist_ok=True)
        trace = folder.parent / "outside" / "owned.txt"
        path.write_text(f"open({str(trace)!r}, 'a').write({file!r})\nraise SystemExit\n", encoding="utf-8")


def pytest_ini(folder: Path, name: str, notebook: dict) -> None:
    """Put settings of pytest beside the notebook, and a plugin that they name."""
    beside(folder, name, notebook, files=("owned.py",))
    for file, section in (("pytest.ini", "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        (folder / name / file).write_text(f"[{section}]\naddopts = -p owned --nbval-lax\n", encoding="utf-8")


def file_of(folder: Path, name: str, _: dict, *, content: bytes) -> None:
    """Hand in bytes."""
    write(folder, name, {})
    (folder / name / f"{NAME}.ipynb").write_bytes(content)


def link_to_file(folder: Path, name: str, _: dict) -> None:
    """Hand in a link to another student's notebook."""
    (folder / name).mkdir()
    (folder / name / f"{NAME}.ipynb").symlink_to(folder / "honest" / f"{NAME}.ipynb")


def link_to_secret(folder: Path, name: str, _: dict) -> None:
    """Hand in a link to a file outside the class's folder."""
    (folder / name).mkdir()
    (folder / name / f"{NAME}.ipynb").symlink_to(folder.parent / "outside" / "secret.txt")


def link_to_folder(folder: Path, name: str, _: dict) -> None:
    """Hand in a link to another student's folder."""
    (folder / name).symlink_to(folder / "honest")


def endless_file(folder: Path, name: str, _: dict) -> None:
    """Hand in a link to a device that never ends."""
    (folder / name).mkdir()
    (folder / name / f"{NAME}.ipynb").symlink_to("/dev/zero")


def pipe(folder: Path, name: str, notebook: dict) -> None:
    """Hand in a pipe that nobody writes to, beside a notebook."""
    write(folder, name, notebook)
    os.mkfifo(folder / name / f"{NAME} (2).ipynb")


def changed(folder: Path, name: str, notebook: dict, *, change) -> None:
    """Hand in the notebook with a change."""
    change(notebook)
    write(folder, name, notebook)


def cell(notebook: dict, grade_id: str) -> dict:
    return next(one for one in notebook["cells"] if one["id"] == grade_id)


def paths_as_ids(notebook: dict) -> None:
    for one in notebook["cells"]:
        one["metadata"]["nbgrader"]["grade_id"] = f"../../../../../outside/{one['id']}"
        one["id"] = "../../../../../../etc/cron.d/owned"


def edited_checks(notebook: dict) -> None:
    for one in notebook["cells"]:
        if one["id"].startswith("check-"):
            one["source"] = [f'lk.check("2.9", {RIGHT})\n12.0']


def own_answer_key(notebook: dict) -> None:
    """Make answers of locked cells, locked cells of answers, and change the points."""
    for one in notebook["cells"]:
        marks = one["metadata"]["nbgrader"]
        marks["solution"], marks["grade"] = not marks["solution"], True
        marks["points"] = 1e308 if one["id"] != "check-2-9" else float("nan")


def stored_outputs(notebook: dict) -> None:
    for one in notebook["cells"]:
        sent = {"exercise": one["id"][6:].replace("-", "."), "answer": RIGHT, "version": 1, "points": 12}
        data = {"text/plain": "12.0", MIME: sent, "text/html": "<script>alert(1)</script>"}
        one["outputs"] = [
            {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": 1}
        ]


def code_in_parameters(notebook: dict) -> None:
    cell(notebook, "settings")["source"] = [
        "import os\nlang = os._exit(0) or 'en'\nfast = lk.__dict__.clear()\nlk = None\n"
    ]


def hostile_metadata(notebook: dict) -> None:
    notebook["metadata"] = {
        "kernelspec": {"name": "../../../outside", "display_name": "<script>", "argv": ["touch", "/owned"]},
        "labkit": {"lang": "<script>alert(1)</script>"},
        "celltoolbar": ["x"] * 1000,
        "papermill": {"parameters": {"points": 12}},
        "language_info": {"name": "bash"},
    }
    for one in notebook["cells"]:
        one["metadata"]["tags"] = ["nbval-skip", "raises-exception", "parameters", "<script>"]


def several_checks(notebook: dict) -> None:
    honest = cell(notebook, "check-2-9")
    notebook["cells"] += [{**honest, "source": [f'lk.check("2.9", {RIGHT})']}] * 3


DEEP = b'{"cells": ' + b"[" * 200_000 + b"]" * 200_000 + b', "nbformat": 4}'
HONEST = submission(**{"answer-1-2": 'best = "median"'})
TWICE = json.dumps(HONEST)[:-1] + ', "cells": [], "cells": ' + json.dumps(submission()["cells"]) + "}"

ATTACKS = [
    *(
        Attack(
            f"{file.removesuffix('.py').replace('/', '_')}_beside",
            "code in the grader's process, by a file that Python or pytest may import",
            hand_in=partial(beside, files=(file,)),
        )
        for file in ("conftest.py", "sitecustomize.py", "usercustomize.py", "labkit/__init__.py", "nbval.py")
    ),
    Attack("pytest_ini_beside", "code in the runner, by pytest's settings", hand_in=pytest_ini),
    Attack(
        "link_to_a_neighbour",
        "somebody else's marks",
        hand_in=link_to_file,
        points=0,
        status=NOT_RUN,
        reason="mending.link",
    ),
    Attack(
        "link_to_a_secret",
        "a file's content in an error",
        hand_in=link_to_secret,
        points=0,
        status=NOT_RUN,
        reason="mending.link",
    ),
    Attack(
        "link_to_a_neighbours_folder",
        "somebody else's marks",
        hand_in=link_to_folder,
        points=0,
        status=NOT_RUN,
        reason="mending.link",
    ),
    Attack(
        "link_to_an_endless_file",
        "a grader that reads for ever",
        hand_in=endless_file,
        points=0,
        status=NOT_RUN,
        reason="mending.link",
    ),
    Attack("pipe_beside", "a grader that waits at a pipe", hand_in=pipe),
    Attack(
        "cell_ids_are_paths",
        "files outside, by names of cells",
        hand_in=partial(changed, change=paths_as_ids),
    ),
    Attack(
        "edits_the_check_cells",
        "checks that award points",
        hand_in=partial(changed, change=edited_checks),
        notes=("mending.locked_edited",),
    ),
    Attack("own_points", "points in the metadata", hand_in=partial(changed, change=own_answer_key)),
    Attack("stored_outputs", "points in the stored outputs", hand_in=partial(changed, change=stored_outputs)),
    Attack(
        "code_in_the_parameters", "code in a locked cell", hand_in=partial(changed, change=code_in_parameters)
    ),
    Attack(
        "hostile_metadata",
        "a kernel of its own, cells that nbval skips",
        hand_in=partial(changed, change=hostile_metadata),
    ),
    Attack(
        "several_check_cells",
        "more points for the same, and a right answer in a locked cell",
        hand_in=partial(changed, change=several_checks),
        notes=("mending.locked_duplicated",),
    ),
    Attack(
        "keys_twice",
        "one notebook for the eye and one for the grader",
        hand_in=partial(file_of, content=TWICE.encode()),
    ),
    Attack(
        "deep_json",
        "a grader that breaks while it reads",
        hand_in=partial(file_of, content=DEEP),
        points=0,
        status=NOT_RUN,
        reason="mending.too_deep",
    ),
    Attack(
        "a_number_of_a_million_digits",
        "a grader that converts for hours",
        hand_in=partial(
            file_of, content=json.dumps(submission())[:-1].encode() + b', "n": ' + b"9" * 10**6 + b"}"
        ),
    ),
    Attack(
        "empty_file",
        "a broken batch",
        hand_in=partial(file_of, content=b""),
        points=0,
        status=NOT_RUN,
        reason="mending.empty_file",
    ),
    Attack(
        "rubbish",
        "a broken batch",
        hand_in=partial(file_of, content=bytes(range(256)) * 999),
        points=0,
        status=NOT_RUN,
        reason="mending.no_notebook",
    ),
    Attack(
        "a_web_page",
        "scripts in the report",
        hand_in=partial(file_of, content=b"<html><script>alert(1)</script>"),
        points=0,
        status=NOT_RUN,
        reason="mending.is_html",
    ),
    Attack("<img src=x onerror=alert(1)>", "scripts in the report, by a name"),
    Attack("=HYPERLINK(0)", "formulas in the gradebook, by a name"),
    Attack("-rf", "options, by a name"),
    Attack("CON", "a name that no file can have on Windows"),
    Attack("a" * 250, "a name that is too long for a file of results"),
    Attack("two names", "somebody else's marks, by a name that is made safe alike"),
    Attack("two\tnames", "somebody else's marks, by a name that is made safe alike"),
    Attack("two\u202enames", "turned text in the report, by a name"),
]
