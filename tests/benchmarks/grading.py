"""Submissions a minute: `labkit grade`, sandbox included, beside `nbgrader autograde`.

    python tests/benchmarks/grading.py                     (some minutes; needs nbgrader and bubblewrap)
    python tests/benchmarks/grading.py --quick             (two submissions, one round)

Both grade the same copies of a notebook's solution, as processes of their own, start to finish. The order is
ours, nbgrader, nbgrader, ours, so that slow drift of the machine falls on both alike; the two runs of each
kind show the machine's own noise. All scores must be full marks in both. The exit code is 1 if labkit grades
fewer than twice as many submissions a minute.
"""

import argparse
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean

from labkit.grading.grade import load_releases
from labkit.grading.marks import max_score
from labkit.workbook import find_workbook

BAR = 2.0
ASSIGNMENT = "lab"


def hand_in(name: str, count: int, course: Path) -> list[str]:
    """Lay out the copies as nbgrader wants them, and as labkit does; return the students' ids."""
    workbook = find_workbook()
    students = [f"student-{n:02}" for n in range(count)]
    source = course / "source" / ASSIGNMENT
    source.mkdir(parents=True)
    shutil.copy(workbook.folder("en") / f"{name}.ipynb", source)
    for student in students:
        for folder in (course / "submitted" / student / ASSIGNMENT, course / "class" / student):
            folder.mkdir(parents=True)
            shutil.copy(workbook.folder("en", solutions=True) / f"{name}.ipynb", folder)
    return students


def timed(command: list[str], course: Path) -> float:
    """Run a command and return its seconds; its output is shown only if it fails."""
    begin = time.perf_counter()
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return time.perf_counter() - begin


def ours(course: Path, jobs: int, name: str, most: float, run: int) -> float:
    out = course / f"results-{run}"
    command = [sys.executable, "-m", "labkit", "grade", "class", "--out", str(out), "--only", name]
    notebooks = find_workbook().notebooks
    seconds = timed([*command, "--jobs", str(jobs), "--notebooks", str(notebooks)], course)
    with (out / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        scores = {float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {most}, scores
    return seconds


def nbgraders(course: Path, most: float) -> float:
    from nbgrader.api import Gradebook

    shutil.rmtree(course / "autograded", ignore_errors=True)
    nbgrader = [sys.executable, "-m", "nbgrader"]
    seconds = timed([*nbgrader, "autograde", ASSIGNMENT, "--force"], course)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        scores = {submission.score for submission in book.assignment_submissions(ASSIGNMENT)}
    assert scores == {most}, scores
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notebook", default="02_the_compute_plan")
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    count, rounds = (2, "on") if given.quick else (given.count, "onno")
    most = max_score(next(iter(load_releases(find_workbook(), given.notebook).values()))["en"])
    seconds: dict[str, list[float]] = {"o": [], "n": []}
    with tempfile.TemporaryDirectory() as temporary:
        course = Path(temporary)
        course.chmod(0o755)
        hand_in(given.notebook, count, course)
        timed([sys.executable, "-m", "nbgrader", "generate_assignment", ASSIGNMENT], course)
        for run, kind in enumerate(rounds):
            took = (
                ours(course, given.jobs, given.notebook, most, run)
                if kind == "o"
                else nbgraders(course, most)
            )
            seconds[kind].append(took)
    a_minute = {kind: 60 * count / mean(runs) for kind, runs in seconds.items()}
    ratio = a_minute["o"] / a_minute["n"]
    print(f"{given.notebook}, {count} submissions, {os.cpu_count()} cores, {given.jobs} jobs")
    for kind, label in (("o", "labkit grade, sandbox"), ("n", "nbgrader autograde")):
        runs = ", ".join(f"{s:.1f}" for s in seconds[kind])
        print(f"{label:24} {a_minute[kind]:6.1f} submissions a minute   (runs: {runs} s)")
    print(f"ratio {ratio:.2f}, bar {BAR}")
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
