"""Notes: what was mended in a submission, or why it cannot be, with a next step, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from labkit.messages import number, text

_JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"  # they shape letters in Hindi


@dataclass(frozen=True)
class Note:
    """One sentence about a submission.

    Attributes
    ----------
    id : message id, `"mending.…"`.
    values : placeholders of the message, as `shown` makes them safe to show.
    cell : grade_id of the one cell it is about, or None for the file or several cells.
    """

    id: str
    values: Mapping[str, str | int | float] = field(default_factory=dict)
    cell: str | None = None

    def text(self, lang: str | None = None) -> str:
        """Return the note's sentence in `lang` (None: the language in use)."""
        said = {name: v if isinstance(v, str) else number(v) for name, v in self.values.items()}
        return text(self.id, lang, **({"cell": cell_name(self.cell)} if self.cell else {}), **said)


def cell_name(grade_id: str) -> str:
    """Return a cell's name as students know it: `answer-2-4` is exercise 2.4."""
    kind, _, exercise = grade_id.partition("-")
    if kind not in ("answer", "check"):
        return grade_id
    return ("check " if kind == "check" else "") + exercise.replace("-", ".")


def shown(value: object, limit: int = 60) -> str:
    """Return something from a student's file as one short printable line."""
    start = str(value)[: limit + 1]
    line = "".join(c if c.isprintable() or c in _JOINERS else "\N{REPLACEMENT CHARACTER}" for c in start)
    return line if len(line) <= limit else line[: limit - 1] + "…"
