"""What every answer of this package has in common, and the error for input that no answer can rest on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from labkit.messages import folded, text

SHOWN = 6  # as many faults of one kind as a reader bears


class TrainingLengthError(ValueError):
    """The data cannot be read as histories, sweeps or budgets; the message lists everything that is wrong."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook."""
        return [f"{type(self).__name__}: {self}"]


def shortened(problems: Sequence[str]) -> list[str]:
    """Return the first few faults of one kind, and how many more there are."""
    more = len(problems) - SHOWN
    return [*problems[:SHOWN], *([text("training_length.more", count=more)] if more > 0 else [])]


class Result:
    """A verdict, its reason in words, and the numbers it rests on.

    Attributes
    ----------
    verdict : one of the few phrases that the function's docstring lists; always English, for programs.
    """

    verdict: str

    def reason(self, lang: str | None = None) -> str:
        """Return why, in `lang` (None: the language in use)."""
        raise NotImplementedError

    @property
    def numbers(self) -> dict[str, Any]:
        """The numbers that the verdict rests on."""
        raise NotImplementedError

    def to_text(self, lang: str | None = None) -> str:
        """Return the verdict and its reason in words."""
        shown = text("training_length.verdict_" + self.verdict.replace(" ", "_"), lang)
        return f"{shown}: {self.reason(lang)}"

    def __str__(self) -> str:
        return folded(self.to_text())

    def __repr__(self) -> str:
        return folded(self.to_text())  # what a notebook shows
