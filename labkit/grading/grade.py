"""Grade a class: find, mend, run and mark every submission, in parallel, and never lose the batch."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import labkit
from labkit.grading.execute import StoppedError, execute
from labkit.grading.frame import Cells, for_grading
from labkit.grading.marks import Marked, mark, max_score, not_submitted
from labkit.grading.mend import Mended, mend
from labkit.grading.notes import shown
from labkit.grading.reading import read_file
from labkit.grading.runtime import Runtime, missing_packages, prepare_runtime
from labkit.grading.sandbox import Limits, available
from labkit.grading.store import load_marks, save_marks
from labkit.grading.submissions import Submission, find_submissions
from labkit.messages import LANGUAGES, text
from labkit.workbook import Workbook, WorkbookError

Releases = Mapping[str, Mapping[str, Mapping[str, Any]]]  # notebook → language → notebook data
Progress = Callable[[int, int, str], None]  # done, of how many, what was just done


@dataclass(frozen=True)
class Options:
    """How to grade.

    Attributes
    ----------
    jobs : submissions at one time; None for one a processor core.
    seed : decides the arguments with which function exercises are called; the same for the whole class.
    fast : run the notebooks with their small settings.
    """

    jobs: int | None = None
    limits: Limits = field(default_factory=Limits)
    sandbox: bool = True
    seed: int = 0
    fast: bool = True


@dataclass(frozen=True)
class Batch:
    """The outcome: marks by student and notebook, and how many of them were run now, not found ready."""

    marked: tuple[Marked, ...]
    ran: int


def grade(
    submissions: Path,
    out: Path,
    releases: Releases,
    *,
    roster: Mapping[str, str] | None = None,
    options: Options | None = None,
    progress: Progress | None = None,
) -> Batch:
    """Grade every submission and keep the marks under `out/marks`.

    What has marks for the same file, release, rubrics and seed is not run again, so an interrupted batch goes
    on where it stopped. A submission that makes the grader itself fail is reported and does not end the batch.

    Parameters
    ----------
    submissions : folder or zip, as `find_submissions` describes it.
    out : folder for the results.
    releases : what students got, from `load_releases`.
    roster : student id → name; those without a submission are reported as "not submitted".

    Raises
    ------
    WorkbookError
        If there is no sandbox, or a package is missing.
    """
    options = options or Options()
    refuse_to_start(options.sandbox)
    found = find_submissions(submissions, list(releases))
    done: list[Marked] = []
    grader = _Grader(out, releases, dict(roster or {}), options)
    with tempfile.TemporaryDirectory(prefix="labkit-") as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)
        runtime = prepare_runtime(folder / "runtime", hidden=[submissions, out, folder])
        with ThreadPoolExecutor(options.jobs or os.cpu_count() or 1) as pool:
            tasks = _submit(pool, grader, found, runtime, folder)
            try:
                for n, task in enumerate(as_completed(tasks), 1):
                    done.append(task.result())
                    if progress:
                        progress(n, len(tasks), f"{done[-1].student_id} {done[-1].notebook}")
            except BaseException:
                grader.stop.set()
                pool.shutdown(cancel_futures=True)
                raise
    done += _not_submitted(done, releases, grader.roster)
    return Batch(tuple(sorted(done, key=lambda m: (m.student_id, m.notebook))), grader.ran)


def refuse_to_start(sandbox: bool) -> None:
    """Raise WorkbookError if notebooks cannot be run here."""
    missing = missing_packages()
    if missing:
        raise WorkbookError(text("grading.packages_missing", names=" ".join(missing)))
    reason = available() if sandbox else None
    if reason is not None:
        raise WorkbookError(text(reason))


def load_releases(workbook: Workbook, only: str | None = None) -> Releases:
    """Return the student notebooks that have exercises: name → language → notebook data."""
    releases: dict[str, dict[str, Any]] = {}
    for lang in LANGUAGES:
        for path in workbook.built(lang):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            if Cells(notebook).exercises and (only is None or only in path.stem):
                releases.setdefault(path.stem, {})[lang] = notebook
    return releases


@cache
def rubric_version() -> str:
    """Return a hash of the whole of labkit: marks made by another version are made anew."""
    digest = hashlib.sha256(labkit.__version__.encode())
    package = Path(labkit.__file__).parent
    for path in sorted(p for p in package.rglob("*") if p.suffix in (".py", ".toml")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


class _Grader:
    """Grades one submission at a time for each of several threads."""

    def __init__(self, out: Path, releases: Releases, roster: dict[str, str], options: Options) -> None:
        self.out, self.releases, self.roster, self.options = out, releases, roster, options
        self.stop = threading.Event()
        self.ran = 0
        self._counting = threading.Lock()

    def one(self, submission: Submission, runtime: Runtime, folder: Path, number: int) -> Marked:
        """Return the marks of one submission, from its file if they are there."""
        content, notes = read_file(submission.path) if submission.path else (b"", ())
        path = self.out / "marks" / submission.student_id / f"{submission.notebook}.json"
        key = self._key(submission, content)
        ready = load_marks(path, key)
        if ready is not None:
            return ready
        mended = self._mended(submission, content)
        executed = None
        if mended.notebook is not None:
            folder.mkdir()
            notebook = for_grading(mended.notebook, self.options.seed, {"fast": self.options.fast})
            executed = execute(
                notebook,
                folder,
                runtime,
                self.options.limits,
                sandbox=self.options.sandbox,
                number=number,
                stop=self.stop,
            )
        marked = mark(
            submission.student_id,
            submission.notebook,
            mended,
            executed,
            name=self.roster.get(submission.student_id, ""),
            seed=self.options.seed,
            notes=(*submission.notes, *notes),
        )
        save_marks(path, key, marked)
        with self._counting:
            self.ran += 1
        return marked

    def safely(self, submission: Submission, runtime: Runtime, folder: Path, number: int) -> Marked:
        """Return the marks; a failure of the grader itself becomes a reason, and is not kept."""
        try:
            return self.one(submission, runtime, folder, number)
        except StoppedError:
            raise
        except Exception as error:  # noqa: BLE001 - one submission must not end the batch
            why = shown(f"{type(error).__name__}: {error}", 200)
            lang = LANGUAGES[0]
            name = self.roster.get(submission.student_id, "")
            reason = ("grading.grader_failed", {"why": why})
            return Marked(
                submission.student_id,
                name,
                submission.notebook,
                lang,
                "could not be run",
                reason,
                0.0,
                0.0,
                {},
            )

    def _mended(self, submission: Submission, content: bytes) -> Mended:
        release = self.releases.get(submission.notebook)
        if submission.path is None or release is None:
            return Mended(None, "en", (), {})
        return mend(content, release)

    def _key(self, submission: Submission, content: bytes) -> str:
        """Return a hash of everything that the marks depend on."""
        settings = {
            "rubrics": rubric_version(),
            "release": self.releases.get(submission.notebook),
            "notes": [note.id for note in submission.notes],
            "name": self.roster.get(submission.student_id, ""),
            "seed": self.options.seed,
            "fast": self.options.fast,
            "limits": self.options.limits.to_dict(),
            "sandbox": self.options.sandbox,
        }
        plain = json.dumps(settings, sort_keys=True).encode()
        return hashlib.sha256(plain + b"\0" + content).hexdigest()


def _submit(
    pool: ThreadPoolExecutor,
    grader: _Grader,
    found: Sequence[Submission],
    runtime: Runtime,
    folder: Path,
) -> list[Future[Marked]]:
    return [
        pool.submit(grader.safely, submission, runtime, folder / f"{number}", number)
        for number, submission in enumerate(found)
    ]


def _not_submitted(done: Sequence[Marked], releases: Releases, roster: Mapping[str, str]) -> Iterator[Marked]:
    """Yield those on the roster without a submission, for each notebook that somebody handed in."""
    there = {(marked.student_id, marked.notebook) for marked in done}
    for notebook in sorted({marked.notebook for marked in done if marked.notebook in releases}):
        most = max_score(next(iter(releases[notebook].values())))
        for student_id, name in roster.items():
            if (student_id, notebook) not in there:
                yield not_submitted(student_id, name, notebook, LANGUAGES[0], most)
