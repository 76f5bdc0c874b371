"""Read a percent-format source into cells that know their line numbers.

A cell starts at `# %%` (code) or `# %% [markdown]` and may carry options, `key=value` with JSON values:
`lang`, `tags`, `id`, `include`, `answer`, `open`, `check`. Anything before the first cell must be a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from labkit.build.faults import Fault
from labkit.messages import LANGUAGES

_HEADER = re.compile(r"#\s*%%(?P<rest>.*)")
_KIND = re.compile(r"\s*\[(?P<kind>\w+)\]")
_OPTION = re.compile(r"\s*(?P<key>\w+)=")
_MAGIC = re.compile(r"# (?=%[A-Za-z])")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_EXERCISE = re.compile(r"\d+\.\d+")
CODE_OPTIONS = ("answer", "check", "id", "include", "open", "tags")
MARKDOWN_OPTIONS = ("id", "lang", "tags")


@dataclass(frozen=True)
class Cell:
    """One cell: its kind ("code" or "markdown"), text, place and options."""

    kind: str
    text: str
    path: Path
    line: int  # of the `# %%` line
    first: int  # of the text's first line
    options: Mapping[str, Any]

    def option(self, name: str) -> Any:
        """Return an option's value, or None."""
        return self.options.get(name)

    @property
    def tags(self) -> list[str]:
        """The cell's tags, as written."""
        return list(self.options.get("tags", []))

    @property
    def lines(self) -> list[tuple[int, str]]:
        """The text's lines with their line numbers in the source."""
        return list(enumerate(self.text.split("\n"), self.first))

    def fault(self, id_: str, line: int | None = None, /, **values: object) -> Fault:
        """Return a fault in this cell, at `line` or at the cell's first line."""
        return Fault(self.path, line or self.line, f"build.{id_}", dict(values))


def read_source(path: Path, shared: Mapping[str, Cell] | None = None) -> tuple[list[Cell], list[Fault]]:
    """Read one source.

    Parameters
    ----------
    path : a percent-format `.py` file in UTF-8.
    shared : the cells that `include="name"` may stand for, by name.

    Returns
    -------
    cells : in order; included cells take the place of their `include` line.
    faults : everything that could not be understood.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        return [], [Fault(path, 1, "build.not_utf8", {"error": error})]
    starts = [n for n, line in enumerate(lines) if _HEADER.match(line)]
    faults = [
        Fault(path, n + 1, "build.before_first_cell")
        for n, line in enumerate(lines[: starts[0] if starts else len(lines)])
        if line.strip() and not line.startswith("#")
    ]
    if not starts:
        return [], [*faults, Fault(path, 1, "build.no_cells")]
    cells = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        cell, wrong = _cell(path, start, lines[start:end])
        name = cell.option("include")
        if name is not None and not wrong:
            if cell.text:
                wrong.append(cell.fault("include_with_text"))
            elif name not in (shared or {}):
                known = ", ".join(sorted(shared or {})) or "–"
                wrong.append(cell.fault("unknown_include", name=name, known=known))
            else:
                cell = (shared or {})[name]
        cells.append(cell)
        faults += wrong
    return cells, faults


def read_shared(path: Path) -> tuple[dict[str, Cell], list[Fault]]:
    """Read the shared cells (`_setup.py`) by their `id`; a missing file has none."""
    if not path.is_file():
        return {}, []
    cells, faults = read_source(path)
    faults += [cell.fault("shared_without_id") for cell in cells if not cell.option("id")]
    return {cell.option("id"): cell for cell in cells if cell.option("id")}, faults


def _cell(path: Path, start: int, lines: list[str]) -> tuple[Cell, list[Fault]]:
    """Return the cell whose header is `lines[0]` (line `start` counting from 0), and its faults."""
    cell = Cell("code", "", path, start + 1, start + 2, {})
    header = _HEADER.match(lines[0])
    rest = header["rest"] if header else ""
    kind = _KIND.match(rest)
    if kind:
        cell = replace(cell, kind=kind["kind"])
        rest = rest[kind.end() :]
    if cell.kind not in ("code", "markdown"):
        return cell, [cell.fault("unknown_kind", kind=cell.kind)]
    options, faults = _options(cell, rest)
    cell = replace(cell, options=options)
    body = lines[1:]
    while body and not body[-1].strip():
        body.pop()
    skipped = next((n for n, line in enumerate(body) if line.strip()), 0)
    cell = replace(cell, first=cell.first + skipped)
    body = body[skipped:]
    if cell.kind == "code":
        return replace(cell, text="\n".join(_MAGIC.sub("", line, count=1) for line in body)), faults
    faults += [
        cell.fault("not_commented", cell.first + n)
        for n, line in enumerate(body)
        if line.strip() and not re.match(r"#( |$)", line)
    ]
    return replace(cell, text="\n".join(line[2:].rstrip() for line in body)), faults


def _options(cell: Cell, rest: str) -> tuple[dict[str, Any], list[Fault]]:
    """Parse `key=value key=value`; report what is not an option of this kind of cell."""
    options: dict[str, Any] = {}
    faults: list[Fault] = []
    known = MARKDOWN_OPTIONS if cell.kind == "markdown" else CODE_OPTIONS
    while rest.strip():
        found = _OPTION.match(rest)
        try:
            if not found:
                raise ValueError
            value, used = json.JSONDecoder().raw_decode(rest, found.end())
        except ValueError:
            return options, [*faults, cell.fault("bad_header", rest=rest.strip())]
        key, rest = found["key"], rest[used:]
        if key not in known:
            faults.append(cell.fault("unknown_option", option=key, known=", ".join(known)))
        elif not _valid(key, value):
            faults.append(cell.fault("bad_option", option=key, value=json.dumps(value, ensure_ascii=False)))
        else:
            options[key] = value
    return options, faults


def _valid(key: str, value: Any) -> bool:
    if key == "tags":
        return isinstance(value, list) and all(isinstance(tag, str) and tag for tag in value)
    if key == "open":
        return isinstance(value, bool)
    if key == "lang":
        return value in LANGUAGES
    pattern = _EXERCISE if key in ("answer", "check") else _ID
    return isinstance(value, str) and pattern.fullmatch(value) is not None
