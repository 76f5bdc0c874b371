"""Look at a notebook before it is handed in: what is damaged, what is unanswered. Nothing is run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.build.notebooks import Notebook, to_bytes
from labkit.grading.code import open_gaps
from labkit.grading.mend import Mended, mend
from labkit.grading.notes import cell_name
from labkit.grading.reading import read_file
from labkit.grading.submissions import which_notebook
from labkit.messages import text
from labkit.workbook import WorkbookError


@dataclass(frozen=True)
class Validation:
    """What was found in one file.

    Attributes
    ----------
    path : the file.
    notebook : which notebook it was taken for.
    mended : as the grader would take it; its notes are what the grader would say.
    unanswered : grade_ids of answer cells in which nothing is written.
    open : grade_id → names that are still `...` in an answer that is begun.
    """

    path: Path
    notebook: str
    mended: Mended
    unanswered: tuple[str, ...]
    open: Mapping[str, tuple[str, ...]]

    @property
    def ok(self) -> bool:
        """Whether it can be graded, every answer is written and is Python."""
        broken = any(note.id == "mending.not_python" for note in self.mended.notes)
        return self.mended.notebook is not None and not (broken or self.unanswered or self.open)

    def text(self, lang: str | None = None) -> str:
        """Return the report (None: in the notebook's own language)."""
        lang = lang or self.mended.lang
        lines = [text("mending.report_head", lang, file=self.path, notebook=self.notebook)]
        notes = [f"- {note.text(lang)}" for note in self.mended.notes]
        if self.mended.notebook is None:
            return "\n".join([*lines, text("mending.report_unreadable", lang), *notes])
        lines += [text("mending.report_notes" if notes else "mending.report_sound", lang), *notes]
        if self.unanswered:
            names = ", ".join(map(cell_name, self.unanswered))
            lines.append(text("mending.report_unanswered", lang, cells=names))
        for grade_id, names_open in self.open.items():
            values = {"cell": cell_name(grade_id), "names": ", ".join(names_open)}
            lines.append(text("mending.report_open", lang, **values))
        if self.ok:
            lines.append(text("mending.report_complete", lang))
        return "\n".join(lines)


def validate(path: Path, releases: Mapping[str, Mapping[str, Notebook]]) -> Validation:
    """Return what is damaged and what is unanswered in one file, without running anything.

    Parameters
    ----------
    path : the notebook to hand in, under whatever name.
    releases : name → language → untouched notebook, as `labkit.grading.release.originals` returns them.

    Raises
    ------
    WorkbookError
        If there is no such file.
    """
    if not path.is_file():
        raise WorkbookError(text("cli.cannot_read", file=path, why=text("mending.no_such_file")))
    content, notes = read_file(path)
    name = which_notebook(path, list(releases))
    tried = [name] if name else list(releases)
    results = {one: mend(content, releases[one]) for one in tried}
    best = max(tried, key=lambda one: _recognised(results[one]))
    mended = results[best]
    if mended.notebook is not None or not notes:
        mended = Mended(mended.notebook, mended.lang, (*notes, *mended.notes), mended.answered)
    else:
        mended = Mended(None, mended.lang, notes, {})
    unanswered = tuple(grade_id for grade_id, answered in mended.answered.items() if not answered)
    return Validation(path, best, mended, unanswered, _open(mended))


def _recognised(mended: Mended) -> tuple[bool, int, int]:
    return mended.notebook is not None, sum(mended.answered.values()), -len(mended.notes)


def _open(mended: Mended) -> dict[str, tuple[str, ...]]:
    cells: list[dict[str, Any]] = mended.notebook["cells"] if mended.notebook else []
    found = {}
    for cell in cells:
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if mended.answered.get(grade_id):
            found[grade_id] = tuple(open_gaps("".join(cell["source"])))
    return {grade_id: names for grade_id, names in found.items() if names}


def save_mended(validation: Validation, out: Path) -> Path | None:
    """Write the mended copy into the folder `out` under the notebook's own name; None if there is none.

    Raises
    ------
    WorkbookError
        If there is such a file already: it might be somebody's work.
    """
    if validation.mended.notebook is None:
        return None
    target = out / f"{validation.notebook}.ipynb"
    out.mkdir(parents=True, exist_ok=True)
    try:
        with target.open("xb") as file:
            file.write(to_bytes(validation.mended.notebook))
    except FileExistsError:
        raise WorkbookError(text("mending.copy_exists", file=target)) from None
    return target
