"""Texts in columns, to compare what several models write."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class SideBySide:
    """Texts under their titles; a notebook shows them in columns, a terminal one after the other."""

    texts: Mapping[str, str]

    def __str__(self) -> str:
        return "\n\n".join(f"{title}\n{'-' * len(title)}\n{text}" for title, text in self.texts.items())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        style = "text-align: left; vertical-align: top; line-height: 1.6; padding: 0.3em 1em 0.3em 0"
        titles = "".join(f'<th style="{style}">{html.escape(title)}</th>' for title in self.texts)
        cells = "".join(
            f'<td style="{style}">{html.escape(text.strip()).replace(chr(10), "<br>")}</td>'
            for text in self.texts.values()
        )
        return f"<table><tr>{titles}</tr><tr>{cells}</tr></table>"


def side_by_side(texts: Mapping[str, str]) -> SideBySide:
    """Return texts, by title, as columns of a table."""
    return SideBySide(dict(texts))
