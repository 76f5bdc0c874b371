"""The command `python -m labkit grade`: options in, a progress bar, a summary out."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace

from tqdm import tqdm

from labkit.grading.batch import Options
from labkit.grading.grade import Graded, grade, load_releases
from labkit.grading.marks import Marked
from labkit.grading.sandbox import Limits
from labkit.grading.students import read_roster
from labkit.messages import duration, text
from labkit.workbook import WorkbookError, find_workbook

Say = Callable[[object], None]


def run_grade(given: argparse.Namespace, report: Say, complain: Say) -> int:
    """Grade as the command line asks for; return 1 if a submission could not be run."""
    options = _options(given)
    releases = load_releases(find_workbook(given.notebooks), given.only)
    roster = read_roster(given.roster) if given.roster else None
    if not options.sandbox:
        complain(text("grading.without_sandbox"))
    begin = time.monotonic()
    with tqdm(desc=text("grading.progress"), unit="", leave=False) as bar:

        def progress(marked: Marked, done: int, total: int) -> None:
            bar.total = total
            bar.set_postfix_str(marked.student_id, refresh=False)
            bar.update(done - bar.n)

        graded = grade(
            given.submissions,
            given.out,
            releases,
            roster=roster,
            merge=given.merge,
            options=options,
            progress=progress,
        )
    _summary(graded, given, time.monotonic() - begin, report)
    return 1 if graded.count("could not be run") else 0


def _options(given: argparse.Namespace) -> Options:
    for name in ("jobs", "cell_seconds", "total_seconds"):
        value = getattr(given, name)
        if value is not None and not 0 < value < 1e9:
            raise WorkbookError(text("grading.bad_limit", name=name.replace("_", "-"), given=value))
    limits = Limits()
    return Options(
        jobs=given.jobs,
        limits=replace(
            limits,
            cell_s=given.cell_seconds or limits.cell_s,
            total_s=given.total_seconds or limits.total_s,
        ),
        sandbox=not given.no_sandbox,
        seed=given.seed or 0,
        fast=not given.full,
    )


def _summary(graded: Graded, given: argparse.Namespace, seconds: float, report: Say) -> None:
    report(
        text(
            "grading.done",
            graded=graded.count("graded"),
            failed=graded.count("could not be run"),
            missing=graded.count("not submitted"),
            took=duration(seconds),
        )
    )
    report(text("grading.see", overview=graded.overview, gradebook=given.out / "gradebook.csv"))
    if graded.reading_list is not None:
        report(text("grading.read_by_hand", file=graded.reading_list))
