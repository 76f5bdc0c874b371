"""The datasheet of a recording: Markdown for people, from which `read` takes the facts again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from labkit.messages import text

Row = dict[str, Any]

# The first table's lines: key in the dict → what the line is called.
_LABELS = {
    "command": "Command",
    "date": "Date",
    "machine": "Machine",
    "versions": "Versions",
    "wall_time_s": "Wall time (s)",
    "rows": "Rows",
    "licence": "Licence",
    "sha256": "SHA-256",  # of the rows' file
}
_WHOLE_NUMBERS = ("wall_time_s", "rows")
_FACTS = "\n|  |  |\n"  # the first table's head
_HEAD = ("Field", "Unit", "Meaning")
_NO_UNIT = "–"


class RecordedError(ValueError):
    """A recording cannot be used or finished.

    Attributes
    ----------
    problems : every fault as a sentence.
    rows : finished rows that could not be written.
    """

    rows: Sequence[Row] = ()

    def __init__(self, headline: str, problems: Sequence[str] = ()) -> None:
        self.problems = list(problems) or [headline]
        super().__init__("\n".join([headline, *(f"- {problem}" for problem in problems)]))

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook."""
        return str(self).splitlines()


def write(name: str, sheet: Mapping[str, Any]) -> str:
    """Return a datasheet as Markdown.

    Parameters
    ----------
    name : the recording's name, the title.
    sheet : "description" (Markdown), "command", "date" (ISO), "machine", "versions", "wall_time_s" (seconds),
        "rows" (how many), "licence" and "sha256" (of the rows' file); "fields": name → {"unit" ("" for none),
        "meaning"}.
    """
    facts = [(label, f"`{sheet[key]}`" if key == "command" else sheet[key]) for key, label in _LABELS.items()]
    fields = [
        (field, about["unit"] or _NO_UNIT, about["meaning"]) for field, about in sheet["fields"].items()
    ]
    parts = [
        f"# {name}",
        sheet["description"].strip(),
        _table([("", ""), *facts]),
        _table([_HEAD, *fields]),
    ]
    return "\n\n".join(parts) + "\n"


def read(content: str) -> dict[str, Any]:
    """Return the facts of a datasheet, as `write` takes them; what it lacks is empty or 0."""
    about, _, tables = content.partition(_FACTS)
    cells = [_cells(line) for line in tables.splitlines()]
    facts = {row[0]: row[1] for row in cells if len(row) == 2}
    fields = [row for row in cells if len(row) == 3 and tuple(row) != _HEAD and row[0] != "---"]
    sheet: dict[str, Any] = {"description": about.partition("\n")[2].strip()}
    sheet |= {key: facts.get(label, "").strip("`") for key, label in _LABELS.items()}
    sheet |= {key: int(sheet[key]) if sheet[key].isdecimal() else 0 for key in _WHOLE_NUMBERS}
    sheet["fields"] = {
        name: {"unit": "" if unit == _NO_UNIT else unit, "meaning": meaning} for name, unit, meaning in fields
    }
    return sheet


def faults(sheet: Mapping[str, Any], rows: Sequence[Row]) -> list[str]:
    """Return everything that a datasheet lacks, and in what it does not fit the rows."""
    found = [text("recorded.blank", key=key) for key in ("description", *_LABELS) if not _filled(sheet[key])]
    present = list(dict.fromkeys(field for row in rows for field in row))
    for field in present:
        if not sheet["fields"].get(field, {}).get("meaning", "").strip():
            found.append(text("recorded.undocumented", field=field))
        lacking = sum(field not in row for row in rows)
        if lacking:
            found.append(text("recorded.uneven", field=field, lacking=lacking, count=len(rows)))
    unknown = [field for field in sheet["fields"] if field not in present]
    return found + [text("recorded.not_recorded", field=field) for field in unknown if rows]


def _filled(value: object) -> bool:
    return bool(value.strip() if isinstance(value, str) else value)


def _table(rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table; the first row is its head."""
    lines = ["| " + " | ".join(_escaped(cell) for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _escaped(cell: object) -> str:
    return " ".join(str(cell).split()).replace("|", r"\|")


def _cells(line: str) -> list[str]:
    """Return the cells of one line of a table, as `_table` was given them."""
    parts = re.split(r"(?<!\\)\|", line.strip())[1:-1]
    return [part.strip().replace(r"\|", "|") for part in parts]
