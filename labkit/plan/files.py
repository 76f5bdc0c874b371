"""Plan files: YAML and JSON, read without executing anything and written whole or not at all."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from labkit.plan import parse
from labkit.plan.notes import PlanError, Problem
from labkit.plan.validate import problems_in

SUFFIXES = (".json", ".yaml", ".yml")
MAX_BYTES = 2_000_000


@dataclasses.dataclass(frozen=True)
class Content:
    """What a plan file says.

    Attributes
    ----------
    data : the plain data, not checked.
    lines : line, counted from 1, of each place such as `"settings[1].role"`.
    """

    data: Any
    lines: Mapping[str, int]

    def located(self, problems: list[Problem]) -> list[Problem]:
        """Return the problems with their lines; what is missing has the line of what it is missing in."""
        return [dataclasses.replace(problem, line=self._line(problem.where)) for problem in problems]

    def _line(self, where: str) -> int | None:
        while where and where not in self.lines:
            where = where[: max(where.rfind("."), where.rfind("["), 0)]
        return self.lines.get(where) if where else None


def problems_in_file(path: str | Path) -> list[Problem]:
    """List every problem of a plan file, each with its line; a file that cannot be read is one problem."""
    try:
        content = read(path)
    except PlanError as error:
        return error.problems
    return content.located(problems_in(content.data))


def read(path: str | Path) -> Content:
    """Read a plan file, without checking the plan.

    Raises
    ------
    PlanError
        If there is no such file, or it is not readable, not UTF-8, or not valid YAML or JSON.
    """
    path = _checked_path(path)
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _fault("file_not_found", path) from None
    except (OSError, ValueError) as error:
        raise _fault("file_unreadable", path, reason=_reason(error)) from None
    if len(raw) > MAX_BYTES:
        raise _fault("file_too_big", path, limit=MAX_BYTES // 1000)
    try:
        words = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _fault("file_not_utf8", path, line=raw.count(b"\n", 0, error.start) + 1) from None
    if not words.strip():
        raise _fault("file_empty", path)
    parser = parse.parse_json if path.suffix.lower() == ".json" else parse.parse_yaml
    return Content(*parser(words, str(path)))


def write(path: str | Path, data: dict[str, Any]) -> None:
    """Write a plan file under a temporary name, then rename it: a crash never leaves half a file.

    Raises
    ------
    PlanError
        If the name ends in no known suffix, or the file cannot be written.
    """
    path = _checked_path(path)
    as_json = path.suffix.lower() == ".json"
    words = json.dumps(data, ensure_ascii=False, indent=2) + "\n" if as_json else parse.to_yaml(data)
    if len(words.encode()) > MAX_BYTES:
        raise _fault("file_too_big", path, limit=MAX_BYTES // 1000)
    target = Path(os.path.realpath(path))  # a link stays a link
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("x", encoding="utf-8", newline="\n") as file:
            file.write(words)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)
        raise _fault("file_unwritable", path, reason=_reason(error)) from None


def _checked_path(path: str | Path) -> Path:
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise _fault("file_suffix", path, known=", ".join(SUFFIXES))
    return path


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


def _fault(problem_id: str, path: Path, line: int | None = None, **values: Any) -> PlanError:
    return PlanError([Problem(f"plan.{problem_id}", str(path), values, fatal=True, line=line)])
