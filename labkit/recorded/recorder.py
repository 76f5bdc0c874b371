"""Record results one by one, so that a killed study carries on where it was."""

from __future__ import annotations

import csv
import datetime
import gzip
import hashlib
import io
import json
import os
import platform
import reprlib
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from labkit.disk import UnwritableError, append_line, atomic_file, ensure_room, reason
from labkit.messages import text
from labkit.recorded.datasheet import RecordedError, Row, faults, write
from labkit.recorded.reading import SUFFIXES, parse

_LARGE = 1_000_000  # bytes; a larger table is kept compressed
_RESULT = frozenset({"key", "rows", "seconds", "machine", "versions"})
_END = 1000  # bytes; enough to tell one result's line from every other
_BEGINNING = b'{"key": '  # of every line of a partial file
_PACKAGES = {"torch": "torch", "numpy": "numpy", "mnist1d": "mnist1d", "sklearn": "scikit-learn"}


class Recorder:
    """Results that survive a kill -9: each is on the disk before the next is begun.

    Parameters
    ----------
    path : folder and name, without a suffix. What is recorded goes to `<path>.partial.jsonl`, a file that is
        only ever appended to, and that a later process carries on; two at once see each other's results.
        `finish` makes `<path>.csv` and `<path>.md` of it; delete the partial file to begin again.

    Raises
    ------
    RecordedError
        If the path is none, or cannot be written; or if the partial file holds something else.

    Examples
    --------
    With a function `train_one(width, seed)` that returns a row, such as {"loss": 0.4}, or several::

        recorder = Recorder("data/recorded/sizes")
        for width, seed in itertools.product((16, 32), range(3)):
            recorder.run(train_one, width=width, seed=seed)
        recorder.finish("python data/recorded/sizes.py", "Loss by width.", fields, "CC BY 4.0")
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        usable = isinstance(path, str | os.PathLike) and isinstance(os.fspath(path), str)
        if not (usable and Path(path).name):
            raise RecordedError(text("recorded.bad_path", given=reprlib.repr(path)))
        self.path = Path(path)
        self.partial = self.path.with_name(f"{self.path.name}.partial.jsonl")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise _unwritable(self.path.parent, error) from None
        self._results: dict[str, Row] = {}
        self._unwritten: list[bytes] = []  # lines for which there was no room
        self._read, self._end = 0, b""  # bytes of the partial file, and the last of them
        self._read_on()
        self._since = time.perf_counter()

    @property
    def rows(self) -> list[Row]:
        """What has been recorded so far, by this and by other processes."""
        self._read_on()
        return [row for result in self._results.values() for row in _rows(result)]

    def done(self, **key: Any) -> bool:
        """Return whether the result of this key has been recorded."""
        self._read_on()
        return _identity(key) in self._results

    def run(self, make: Callable[..., Row | Sequence[Row]], **key: Any) -> None:
        """Call `make(**key)` and record what it returns, unless that has been done."""
        if not self.done(**key):
            self._ensure_room()  # before the time is spent
            self._since = time.perf_counter()
            self.add(make(**key), **key)

    def add(self, rows: Row | Sequence[Row], **key: Any) -> None:
        """Record one result and wait until it is on the disk.

        Parameters
        ----------
        rows : one dict or several: names → numbers (numpy's and torch's too), strings, None, lists of them.
        key : what the result belongs to, such as `width=16, seed=0`; becomes a part of each row. The time
            since the last result counts as this result's.

        Raises
        ------
        RecordedError
            If the key has a result, also one that another Recorder has just added; if something is no row,
            a row contradicts the key, a value cannot be kept, or the partial file cannot be written. In the
            last case this Recorder still holds the result: `run`, `add` and `finish` try to write it again.
        """
        several = list(rows) if isinstance(rows, Iterable) and not isinstance(rows, Mapping) else [rows]
        if not all(isinstance(row, Mapping) for row in several):
            problem = text("recorded.not_rows", given=reprlib.repr(rows))
            raise RecordedError(text("recorded.not_added"), [problem])
        problems = [text("recorded.twice", key=_identity(key))] if self.done(**key) else []
        clashes = {name for row in several for name in row.keys() & key.keys() if row[name] != key[name]}
        problems += [text("recorded.key_differs", field=name, key=_identity(key)) for name in sorted(clashes)]
        if problems:
            raise RecordedError(text("recorded.not_added"), problems)
        now = time.perf_counter()
        result = {
            "key": key,
            "rows": several,
            "seconds": now - self._since,
            "machine": _machine(),
            "versions": _versions(),
        }
        line = json.dumps(result, default=_plain)
        self._since = now
        self._unwritten.append(line.encode())
        self._write_all()
        self._read_on()
        if json.dumps(self._results[_identity(key)]) != line:
            problem = text("recorded.twice", key=_identity(key))
            raise RecordedError(text("recorded.not_added"), [problem])

    def finish(
        self, command: str, description: str, fields: Mapping[str, tuple[str, str]], licence: str
    ) -> Path:
        """Write the rows and their datasheet, `<path>.md`; return the path of the rows.

        The rows go to `<path>.csv`; to `<path>.json.gz` if they hold lists or the table is above 1 MB.

        Parameters
        ----------
        command : what to type, in the repository's root, to make the recording again.
        description : what was run, and on what data, in a paragraph or two of Markdown.
        fields : name → (unit, meaning) of each field of the rows; the unit is "" for what has none.
        licence : of the recorded data.

        Raises
        ------
        RecordedError
            If there is nothing recorded, the rows have unequal fields, or the datasheet is incomplete; lists
            everything.
        """
        self._write_all()
        rows, results = self.rows, list(self._results.values())
        suffix, content = _encoded(rows)
        described = fields if isinstance(fields, Mapping) else {}
        sheet = {
            "description": _said(description),
            "command": _said(command),
            "date": datetime.date.today().isoformat(),
            "machine": _distinct(results, "machine"),
            "versions": _distinct(results, "versions"),
            "wall_time_s": max(1, round(sum(result["seconds"] for result in results))),
            "rows": len(rows),
            "licence": _said(licence),
            "sha256": hashlib.sha256(content).hexdigest(),
            "fields": {name: _described(about) for name, about in described.items()},
        }
        problems = faults(sheet, rows) if rows else [text("recorded.no_rows", partial=self.partial)]
        if problems:
            raise RecordedError(text("recorded.unfinished", path=self.path), problems)
        self._publish(suffix, content, write(self.path.name, sheet).encode())
        return self._beside(suffix)

    def _publish(self, suffix: str, rows: bytes, sheet: bytes) -> None:
        """Write rows and datasheet; both are on the disk before either takes its place."""
        try:
            for any_suffix in (*SUFFIXES, ".md"):
                ensure_room(self._beside(any_suffix))
            with atomic_file(self._beside(".md")) as second, atomic_file(self._beside(suffix)) as first:
                for file, content in ((first, rows), (second, sheet)):
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
            for other in SUFFIXES:
                if other != suffix:
                    self._beside(other).unlink(missing_ok=True)
        except OSError as error:
            problem = text("recorded.finish_again", path=error.filename, reason=reason(error))
            raise RecordedError(text("recorded.unfinished", path=self.path), [problem]) from None

    def _beside(self, suffix: str) -> Path:
        return self.path.with_name(self.path.name + suffix)

    def _ensure_room(self) -> None:
        try:
            ensure_room(self.partial)
        except UnwritableError as error:
            raise _unwritable(self.partial, error) from None

    def _write_all(self) -> None:
        """Append what is not yet in the partial file."""
        while self._unwritten:
            try:
                append_line(self.partial, self._unwritten[0])
            except OSError as error:
                rows = [row for line in self._unwritten for row in _rows(json.loads(line))]
                values = {"reason": reason(error), "count": len(self._unwritten), "rows": reprlib.repr(rows)}
                lost = RecordedError(text("recorded.not_written", None, path=self.partial, **values))
                lost.rows = rows
                raise lost from None
            del self._unwritten[0]

    def _read_on(self) -> None:
        """Take in what was appended since; what a kill has cut off is as if never begun.

        If the file was deleted, or another one stands in its place, what was in it is forgotten.
        """
        content = b""
        try:
            with self.partial.open("rb") as file:
                file.seek(self._read - len(self._end))
                if file.read(len(self._end)) != self._end:
                    self._results, self._read, self._end = {}, 0, b""
                    file.seek(0)
                content = file.read()
        except (FileNotFoundError, NotADirectoryError):
            self._results, self._read, self._end = {}, 0, b""
        except (OSError, ValueError) as error:
            raise _unwritable(self.partial, error) from None
        self._take(content)
        for line in self._unwritten:
            self._take(line)
        whole = content[: content.rfind(b"\n") + 1]
        self._read += len(whole)
        self._end = (self._end + whole[-_END:])[-_END:]

    def _take(self, content: bytes) -> None:
        for line in content.splitlines():
            result = _result(line, self.partial)
            if result is not None:
                self._results.setdefault(_identity(result["key"]), result)


def _rows(result: Row) -> list[Row]:
    return [result["key"] | row for row in result["rows"]]


def _result(line: bytes, partial: Path) -> Row | None:
    """Return the result that a line of a partial file holds, None if a kill has cut it off.

    Raises
    ------
    RecordedError
        If the line is neither a result nor the beginning of one.
    """
    try:
        result = json.loads(line)
    except (ValueError, RecursionError):
        if _BEGINNING.startswith(line.strip(b"\0")[: len(_BEGINNING)]):
            return None
        result = None
    if not (isinstance(result, dict) and result.keys() >= _RESULT):
        raise RecordedError(text("recorded.not_partial", path=partial))
    return result


def _unwritable(path: Path, error: Exception) -> RecordedError:
    return RecordedError(text("recorded.unwritable", path=path, reason=reason(error)))


def _encoded(rows: list[Row]) -> tuple[str, bytes]:
    """Return suffix and content of the rows' file: CSV if it is small and gives the same rows again."""
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, list(rows[0]) if rows else [], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    content = table.getvalue().encode(errors="replace")
    if len(content) <= _LARGE and _same(rows, parse(".csv", content)):
        return ".csv", content
    return ".json.gz", gzip.compress(json.dumps(rows).encode(), mtime=0)


def _same(a: list[Row], b: list[Row]) -> bool:
    """Compare rows; NaN, the loss of a diverged run, equals itself."""
    return len(a) == len(b) and all(
        x.keys() == y.keys() and all(x[name] == y[name] or x[name] != x[name] for name in x)
        for x, y in zip(a, b, strict=True)
    )


def _said(given: object) -> str:
    return given if isinstance(given, str) else ""


def _described(about: object) -> dict[str, str]:
    unit, meaning = about if isinstance(about, tuple | list) and len(about) == 2 else ("", "")
    return {"unit": str(unit), "meaning": str(meaning)}


def _identity(key: Mapping[str, Any]) -> str:
    return json.dumps(key, sort_keys=True, default=_plain)


def _plain(value: Any) -> Any:
    """Return a number of numpy's or torch's as Python's."""
    try:
        return value.item()
    except (AttributeError, ValueError, RuntimeError):
        raise RecordedError(text("recorded.not_plain", kind=type(value).__name__)) from None


def _distinct(results: Sequence[Row], name: str) -> str:
    return "; ".join(dict.fromkeys(result[name] for result in results))


def _machine() -> str:
    """Return the kind of machine, without its name."""
    shown = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        shown += f", {torch.cuda.get_device_name()}"
    return shown


def _versions() -> str:
    """Return the versions of Python, labkit and the packages in use."""
    from labkit import __version__

    shown = [f"labkit {__version__}", f"Python {platform.python_version()}"]
    for module, package in _PACKAGES.items():
        if module in sys.modules:
            try:
                shown.append(f"{package} {version(package)}")
            except PackageNotFoundError:
                continue
    return ", ".join(shown)
