"""Run and mark every submission of a class, in parallel; one that fails never ends the batch."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeAlias

import labkit
from labkit.grading.execute import Executed, StoppedError, execute
from labkit.grading.frame import for_grading
from labkit.grading.marks import Marked, mark
from labkit.grading.mend import Mended, mend
from labkit.grading.notes import shown
from labkit.grading.reading import read_file
from labkit.grading.runtime import Runtime, prepare_runtime
from labkit.grading.sandbox import Limits
from labkit.grading.store import load_marks, save_marks
from labkit.grading.submissions import Submission
from labkit.messages import LANGUAGES

# notebook → language → notebook data
Releases: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Any]]]
Progress: TypeAlias = Callable[[Marked, int, int], None]  # what was just done, how many are, of how many


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


def run_batch(
    found: Sequence[Submission],
    out: Path,
    releases: Releases,
    folder: Path,
    *,
    names: Mapping[str, str],
    options: Options,
    hidden: Sequence[Path] = (),
    progress: Progress | None = None,
) -> list[Marked]:
    """Return the marks of all submissions, in no particular order; kept under `out/marks`.

    What has marks for the same file, release, rubrics and options is not run again, so an interrupted batch
    goes on where it stopped. A submission that makes the grader itself fail becomes a reason.

    Parameters
    ----------
    folder : for temporary files; every user must be able to enter it.
    names : student id → name.
    hidden : folders that no notebook may see.
    """
    grader = _Grader(out, releases, names, options, _Place(folder, (out, folder, *hidden)))
    done: list[Marked] = []
    with ThreadPoolExecutor(grader.shares.qsize()) as pool:
        tasks = [pool.submit(grader.safely, one, number) for number, one in enumerate(found)]
        try:
            for task in as_completed(tasks):
                done.append(task.result())
                if progress:
                    progress(done[-1], len(done), len(tasks))
        except BaseException:
            grader.stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return done


@cache
def rubric_version() -> str:
    """Return a hash of the whole of labkit: marks made by another version are made anew."""
    digest = hashlib.sha256(labkit.__version__.encode())
    package = Path(labkit.__file__).parent
    for path in sorted(p for p in package.rglob("*") if p.suffix in (".py", ".toml")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def core_shares(jobs: int | None) -> list[tuple[int, ...]]:
    """Divide the processor cores among jobs, so that a notebook that spins slows nobody else's.

    Returns
    -------
    list
        One entry a job (None: as many as cores), the numbers of its cores. With more jobs than cores several
        share one. Empty entries where the system does not tell its cores.
    """
    if not hasattr(os, "sched_getaffinity"):
        return [()] * (jobs or os.cpu_count() or 1)
    cores = sorted(os.sched_getaffinity(0))
    jobs = jobs or len(cores)
    return [tuple(cores[job::jobs]) or (cores[job % len(cores)],) for job in range(jobs)]


class _Place:
    """The batch's temporary folder, and the runtime in it, which is made when it is first needed."""

    def __init__(self, folder: Path, hidden: Sequence[Path]) -> None:
        self.folder, self.hidden = folder, hidden
        self._runtime: Runtime | None = None
        self._making = threading.Lock()

    def runtime(self) -> Runtime:
        """Return what the sandboxes show of labkit."""
        with self._making:
            if self._runtime is None:
                self._runtime = prepare_runtime(self.folder / "runtime", self.hidden)
            return self._runtime


class _Grader:
    """Grades one submission at a time in each of several threads."""

    def __init__(
        self, out: Path, releases: Releases, names: Mapping[str, str], options: Options, place: _Place
    ) -> None:
        self.out, self.releases, self.names, self.options = out, releases, names, options
        self.place = place
        self.stop = threading.Event()
        self.shares: SimpleQueue[tuple[int, ...]] = SimpleQueue()
        for share in core_shares(options.jobs):
            self.shares.put(share)

    def one(self, submission: Submission, number: int) -> Marked:
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
            folder = self.place.folder / str(number)
            folder.mkdir()
            notebook = for_grading(mended.notebook, self.options.seed, {"fast": self.options.fast})
            executed = self._executed(notebook, folder)
        marked = mark(
            submission.student_id,
            submission.notebook,
            mended,
            executed,
            name=self.names.get(submission.student_id, ""),
            seed=self.options.seed,
            notes=(*submission.notes, *notes),
        )
        save_marks(path, key, marked)
        return marked

    def _executed(self, notebook: Mapping[str, Any], folder: Path) -> Executed:
        """Run a notebook on the cores of a job that is free: there are as many jobs as threads."""
        share = self.shares.get()
        try:
            return execute(
                notebook,
                folder,
                self.place.runtime(),
                self.options.limits,
                sandbox=self.options.sandbox,
                cores=share,
                stop=self.stop,
            )
        finally:
            self.shares.put(share)

    def safely(self, submission: Submission, number: int) -> Marked:
        """Return the marks; a failure of the grader itself becomes a reason, and is not kept."""
        try:
            return self.one(submission, number)
        except StoppedError:
            raise
        except Exception as error:  # noqa: BLE001 - one submission must not end the batch
            why = shown(f"{type(error).__name__}: {error}", 200)
            return Marked(
                submission.student_id,
                self.names.get(submission.student_id, ""),
                submission.notebook,
                LANGUAGES[0],
                "could not be run",
                ("grading.grader_failed", {"why": why}),
                0.0,
                0.0,
                {},
                submission.notes,
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
            "name": self.names.get(submission.student_id, ""),
            "seed": self.options.seed,
            "fast": self.options.fast,
            "limits": self.options.limits.to_dict(),
            "sandbox": self.options.sandbox,
        }
        plain = json.dumps(settings, sort_keys=True).encode()
        return hashlib.sha256(plain + b"\0" + content).hexdigest()
