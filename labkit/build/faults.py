"""What can be wrong with a notebook source: a fault has a place, a message id and the message's values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from labkit.messages import text


@dataclass(frozen=True)
class Fault:
    """One fault in a source; `line` counts from 1."""

    path: Path
    line: int
    id: str
    values: dict[str, Any] = field(default_factory=dict)

    def text(self, lang: str | None = None) -> str:
        """Return `file:line: what is wrong and what to do`."""
        return f"{self.path}:{self.line}: {text(self.id, lang, **self.values)}"

    def __str__(self) -> str:
        return self.text()


class BuildError(Exception):
    """The sources cannot be built; `faults` holds every fault found, in reading order."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = sorted(faults, key=lambda f: (str(f.path), f.line))
        super().__init__("\n".join(map(str, self.faults)))
