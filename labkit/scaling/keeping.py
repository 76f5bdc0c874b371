"""The file in which a study keeps its finished runs: a JSON object a line, only ever appended to."""

from __future__ import annotations

import errno
import json
import reprlib
from pathlib import Path

from labkit.disk import append_line, ensure_room, reason
from labkit.messages import text
from labkit.scaling.table import Row, Seed, TableError

TITLE = "scaling.error_title_run"
_BEGINNING = b'{"size": '  # of every row
_KEYS = frozenset({"size", "seed", "seconds"})


class RowFile:
    """The finished runs in a file, shared by all processes that work on the same study.

    What a kill has cut off stays in the file and counts as never begun; of two rows for one run the first
    counts.

    Raises
    ------
    TableError
        If the file cannot be written, or holds something else than such rows; it is then left as it is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows: dict[tuple[float, Seed], Row] = {}
        self._read = -1  # bytes
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():
                raise OSError(errno.EINVAL, text("scaling.no_file"))
            self.rows()
            with path.open("ab"):  # to learn before the first run that it can be written
                pass
            ensure_room(path)
        except TableError:
            raise
        except (OSError, ValueError) as error:
            raise TableError([text("scaling.unwritable", path=path, reason=reason(error))], TITLE) from None

    def rows(self) -> dict[tuple[float, Seed], Row]:
        """Return (size, seed) → row of all runs that are finished by now."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            content = b""
        except OSError as error:
            problem = text("scaling.unwritable", path=self.path, reason=reason(error))
            raise TableError([problem], TITLE) from None
        if len(content) != self._read:
            self._rows = {}
            for line in content.splitlines():
                row = _row(line, self.path)
                if row is not None:
                    self._rows.setdefault((row["size"], row["seed"]), row)
            self._read = len(content)
        return self._rows

    def append(self, row: Row) -> Row:
        """Keep a row, wait for the disk, and return the row that counts: another process may be faster.

        Raises
        ------
        TableError
            If it cannot be written.
        """
        try:
            append_line(self.path, json.dumps(row).encode("utf-8"))
        except OSError as error:
            run = {"size": row["size"], "seed": row["seed"], "row": reprlib.repr(row)}
            problem = text("scaling.not_kept", None, path=self.path, reason=reason(error), **run)
            raise TableError([problem], TITLE) from None
        return self.rows().get((row["size"], row["seed"]), row)


def _row(line: bytes, path: Path) -> Row | None:
    """Return the row that a line holds, None if a kill has cut it off."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        if _BEGINNING.startswith(line.strip(b"\0")[: len(_BEGINNING)]):
            return None
        row = None
    sound = isinstance(row, dict) and row.keys() >= _KEYS
    if not (sound and all(_is_plain(row[key]) for key in _KEYS) and not isinstance(row["seconds"], str)):
        raise TableError([text("scaling.bad_file", path=path)], TITLE)
    return dict(row)


def _is_plain(value: object) -> bool:
    return isinstance(value, int | float | str) and not isinstance(value, bool)
