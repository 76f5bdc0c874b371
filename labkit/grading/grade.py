"""Grade a class: find the submissions, run and mark them, write the reports."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from labkit.grading.batch import Options, Progress, Releases, rubric_version, run_batch
from labkit.grading.frame import Cells
from labkit.grading.marks import Marked, max_score, not_submitted
from labkit.grading.merge import to_read, with_points_by_hand, write_reading_list
from labkit.grading.release import originals
from labkit.grading.reports import write_reports
from labkit.grading.runtime import missing_packages
from labkit.grading.sandbox import available
from labkit.grading.submissions import find_submissions
from labkit.messages import LANGUAGES, text
from labkit.workbook import Workbook, WorkbookError

__all__ = ["Graded", "Options", "Releases", "grade", "load_releases", "rubric_version"]


@dataclass(frozen=True)
class Graded:
    """A graded class: all marks, sorted; the page to open first; the list for reading, if there is any."""

    marked: tuple[Marked, ...]
    overview: Path
    reading_list: Path | None

    def count(self, status: str) -> int:
        """Return how many have a status."""
        return sum(one.status == status for one in self.marked)


def grade(
    submissions: Path,
    out: Path,
    releases: Releases,
    *,
    roster: Mapping[str, str] | None = None,
    merge: Path | None = None,
    options: Options | None = None,
    progress: Progress | None = None,
) -> Graded:
    """Grade every submission and write the gradebook, the feedback pages and the overview.

    Grading the same files twice writes the same bytes. An interrupted batch goes on where it stopped.

    Parameters
    ----------
    submissions : folder or zip, as `find_submissions` describes it.
    out : folder for the results; marks are kept under `out/marks`.
    releases : what students got, from `load_releases`.
    roster : student id → name; those without a submission are reported as "not submitted".
    merge : the reading list, with points that a person has given.

    Raises
    ------
    WorkbookError
        If there is no sandbox, a package is missing, there are no submissions, or `merge` has faults.
    """
    options = options or Options()
    names = dict(roster or {})
    _refuse_to_start(submissions, options.sandbox)
    with tempfile.TemporaryDirectory(prefix="labkit-") as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)
        found = find_submissions(submissions, list(releases), folder / "unpacked")
        if not found and not names:
            raise WorkbookError(text("grading.no_submissions", folder=submissions))
        done = run_batch(
            found,
            out,
            releases,
            folder,
            names=names,
            options=options,
            hidden=[submissions],
            progress=progress,
        )
        done += _not_submitted(done, releases, names)
        if merge is not None:
            done = with_points_by_hand(done, merge)
        reading_list = write_reading_list(out, to_read(found, releases, done))
    marked = tuple(sorted(done, key=lambda one: (one.student_id, one.notebook)))
    return Graded(marked, write_reports(out, marked, releases), reading_list)


def load_releases(workbook: Workbook, only: str | None = None) -> Releases:
    """Return the untouched student notebooks that have exercises: name → language → notebook data.

    Raises
    ------
    WorkbookError
        If there are none.
    """
    found = {
        name: versions
        for name, versions in originals(workbook).items()
        if (only is None or only in name) and Cells(next(iter(versions.values()))).exercises
    }
    if not found:
        raise WorkbookError(text("grading.no_releases", folder=workbook.notebooks))
    return found


def _refuse_to_start(submissions: Path, sandbox: bool) -> None:
    missing = missing_packages()
    if missing:
        raise WorkbookError(text("grading.packages_missing", names=" ".join(missing)))
    if not submissions.exists():
        raise WorkbookError(text("grading.no_submissions", folder=submissions))
    reason = available() if sandbox else None
    if reason is not None:
        raise WorkbookError(text(reason))


def _not_submitted(done: Sequence[Marked], releases: Releases, names: Mapping[str, str]) -> Iterator[Marked]:
    """Yield those on the roster without a submission, for each notebook that somebody handed in."""
    there = {(one.student_id, one.notebook) for one in done}
    for notebook in sorted({one.notebook for one in done} & set(releases)) or sorted(releases):
        most = max_score(next(iter(releases[notebook].values())))
        for student_id, name in names.items():
            if (student_id, notebook) not in there:
                yield not_submitted(student_id, name, notebook, LANGUAGES[0], most)
