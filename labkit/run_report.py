"""The HTML report of a run: one page per executed notebook and an index."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labkit.messages import duration, language, text

_PAGE = """<!doctype html>
<html lang="{lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 16px/1.5 system-ui, "Noto Sans Devanagari", sans-serif }}
body {{ max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
table {{ border-collapse: collapse; width: 100% }}
th, td {{ text-align: left; vertical-align: top }}
th, td {{ padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8886 }}
td.failed {{ white-space: pre-wrap; font-weight: 600 }}
</style>
<h1>{title}</h1>
<p>{summary}</p>
<table>
<tr>{heads}</tr>
{rows}
</table>
</html>
"""


@dataclass(frozen=True)
class Outcome:
    """How one notebook ran: the executed copy, the seconds it took, and why it failed (None: it did not)."""

    name: str
    copy: Path
    seconds: float
    failure: str | None

    @property
    def page(self) -> Path:
        """The executed copy as HTML."""
        return self.copy.with_suffix(".html")


def write_page(notebook: Path, page: Path) -> None:
    """Write an executed notebook as HTML beside it."""
    from nbconvert import HTMLExporter

    body, _ = HTMLExporter().from_filename(str(notebook))
    page.write_text(body, encoding="utf-8", newline="\n")


def write_index(out: Path, outcomes: Sequence[Outcome]) -> Path:
    """Write `index.html`, a table of what ran, how long it took and what failed; return its path."""
    rows = []
    for outcome in outcomes:
        name = html.escape(outcome.name)
        if outcome.page.is_file():
            link = html.escape(outcome.page.relative_to(out).as_posix(), quote=True)
            name = f'<a href="{link}">{name}</a>'
        result = html.escape(outcome.failure or text("cli.report_ok"))
        mark = ' class="failed"' if outcome.failure else ""
        rows.append(f"<tr><td>{name}</td><td>{duration(outcome.seconds)}</td><td{mark}>{result}</td></tr>")
    page = _PAGE.format(
        lang=language(),
        title=html.escape(text("cli.report_title")),
        summary=html.escape(summary(outcomes)),
        heads="".join(
            f"<th>{html.escape(text(f'cli.report_{head}'))}</th>" for head in ("notebook", "time", "result")
        ),
        rows="\n".join(rows),
    )
    index = out / "index.html"
    index.write_text(page, encoding="utf-8", newline="\n")
    return index


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return how many notebooks ran to their end, and in what time, in words."""
    good = sum(outcome.failure is None for outcome in outcomes)
    seconds = duration(sum(outcome.seconds for outcome in outcomes))
    return text("cli.report_summary", good=good, all=len(outcomes), time=seconds)
