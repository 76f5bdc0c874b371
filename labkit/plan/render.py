"""Sections as plain text, Markdown and HTML."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Sequence

from labkit.plan.report import Section

_WIDTH = 96
_INDENT = "  "
# Grey at half strength reads on a light and on a dark page; all other colours are the page's own.
_TABLE = "border-collapse:collapse;margin:0.25em 0;color:inherit;font-size:inherit"
_CELL = "padding:0.15em 0.6em;text-align:left;border-bottom:1px solid rgba(128,128,128,0.5)"
_FIGURE = _CELL.replace("left", "right") + ";white-space:nowrap"


def to_text(title: str, sections: Sequence[Section]) -> str:
    """Return plain text; figures stand before their words, so that columns hold in any script."""
    blocks = [title, "=" * min(len(title), _WIDTH)]
    for section in sections:
        width = max((len(figure) for figure, _ in section.rows), default=0) + len(_INDENT)
        blocks += ["", section.title]
        for figure, words in section.rows:
            blocks.append(_wrap(f"{figure:>{width}} {words}", " " * (width + 1)))
        bullet = "- " if len(section.lines) > 1 and not section.rows else ""
        blocks += [_wrap(f"{_INDENT}{bullet}{line}", _INDENT + " " * len(bullet)) for line in section.lines]
    return "\n".join(blocks)


def to_markdown(title: str, sections: Sequence[Section]) -> str:
    """Return Markdown in which every word is text, whatever characters it has."""
    blocks = [f"## {_markdown(title)}"]
    for section in sections:
        blocks.append(f"### {_markdown(section.title)}")
        if section.rows:
            rows = [f"| {_markdown(figure)} | {_markdown(words)} |" for figure, words in section.rows]
            blocks.append("\n".join(["| | |", "|---:|:---|", *rows]))
        if section.lines:
            bullet = "- " if len(section.lines) > 1 else ""
            blocks.append("\n".join(f"{bullet}{_markdown(line)}" for line in section.lines))
    return "\n\n".join(blocks) + "\n"


def to_html(title: str, sections: Sequence[Section], lang: str) -> str:
    """Return an HTML fragment without scripts, styles from outside or colours of its own."""
    parts = [f'<div class="labkit-plan" lang="{lang}">', f"<h3>{html.escape(title)}</h3>"]
    for section in sections:
        parts.append(f"<h4>{html.escape(section.title)}</h4>")
        if section.rows:
            rows = (
                f'<tr><td style="{_FIGURE}">{html.escape(figure)}</td>'
                f'<td style="{_CELL}">{html.escape(words)}</td></tr>'
                for figure, words in section.rows
            )
            parts.append(f'<table style="{_TABLE}"><tbody>{"".join(rows)}</tbody></table>')
        if len(section.lines) > 1:
            parts.append(f"<ul>{''.join(f'<li>{html.escape(line)}</li>' for line in section.lines)}</ul>")
        else:
            parts += [f"<p>{html.escape(line)}</p>" for line in section.lines]
    return "\n".join([*parts, "</div>"])


def _wrap(line: str, indent: str) -> str:
    return textwrap.fill(
        line,
        _WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )


def _markdown(line: str) -> str:
    """Escape everything that Markdown or its mathematics could take for a command."""
    line = re.sub(r"([\\`*_\[\]{}|~#!])", r"\\\1", line)
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")
    line = re.sub(r"^([-+=])", r"\\\1", line)
    return re.sub(r"^(\d+)([.)])", r"\1\\\2", line)
