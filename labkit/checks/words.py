"""Values of messages that are said in words of their own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Hours:
    """Hours that are said in a unit which fits their size."""

    hours: float

    def text(self, lang: str | None = None) -> str:
        """Return the hours in `lang` (None: the language in use)."""
        from labkit.plan.notes import show_hours

        return show_hours(self.hours, lang)
