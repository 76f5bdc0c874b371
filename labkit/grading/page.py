"""The frame of the HTML pages: one file, no scripts, light and dark, fit for paper."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from labkit.grading.marked import Marked
from labkit.grading.notes import Note, cell_name

Releases: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Notebook → language → release notebook (nbformat 4 data)."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # whatever slips in, it is not run or fetched
# Right, partly right, wrong, not answered: told apart by colour-blind readers, on white and on black; each
# also has its own sign or word.
_STYLE = """\
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --ground: #fff;
 --card: #f6f8fa; --link: #0b5cad; --right: #0b8a5f; --partly: #c98500; --not_yet: #d55e00;
 --unanswered: #808080; --note: #808080 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #a9b1ba; --line: #3a424b;
 --ground: #14171a; --card: #1e2328; --link: #79b8ff } }
@media print { :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --ground: #fff;
 --card: #fff; --link: #000 } body { font-size: 10.5pt; margin: 0; max-width: none }
 a { text-decoration: none } }
* { box-sizing: border-box }
body { font: 16px/1.6 system-ui, "Segoe UI", "Noto Sans", "Noto Sans Devanagari", sans-serif;
 color: var(--ink); background: var(--ground); max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 .3rem }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--line); break-after: avoid }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; break-after: avoid }
p { margin: .5rem 0 }
a { color: var(--link) }
code { font: .9em/1.4 ui-monospace, Menlo, Consolas, monospace; background: #8882; border-radius: 3px;
 padding: .05em .3em; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0;
 border-bottom: 1px solid var(--line); overflow-wrap: break-word }
th { font-size: .9em; color: var(--soft); vertical-align: bottom }
tr { break-inside: avoid }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
th.number { white-space: normal }
.soft { color: var(--soft); font-size: .92em }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem;
 margin: 1rem 0; break-inside: avoid }
.edge { border-left: 5px solid var(--note) }
footer { margin: 2.5rem 0 1rem; border-top: 1px solid var(--line) }
.right { border-left-color: var(--right) } .partly { border-left-color: var(--partly) }
.not_yet { border-left-color: var(--not_yet) } .unanswered { border-left-color: var(--unanswered) }
"""


def page(title: str, body: str, lang: str, style: str = "") -> str:
    """Return a whole page.

    Parameters
    ----------
    title : plain text; it is escaped.
    body : HTML.
    lang : language of the page.
    style : CSS on top of the common one.
    """
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{_STYLE}{style}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], numbers: Iterable[int] = ()) -> str:
    """Return a table; `heads` and cells are HTML, `numbers` the columns that hold numbers."""
    right = set(numbers)

    def row(tag: str, cells: Iterable[str]) -> str:
        return "".join(
            f'<{tag} class="number">{cell}</{tag}>' if n in right else f"<{tag}>{cell}</{tag}>"
            for n, cell in enumerate(cells)
        )

    body = "\n".join(f"<tr>{row('td', cells)}</tr>" for cells in rows)
    return f"<table>\n<thead><tr>{row('th', heads)}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def who(student_id: str, name: str) -> str:
    """Return a student's name and id as HTML; the text around them keeps its direction whatever they hold."""
    known = f"<bdi>{html.escape(name)}</bdi> " if name else ""
    return f'{known}<span class="soft"><bdi>{html.escape(student_id)}</bdi></span>'


def reason_text(one: Marked, lang: str | None = None) -> str:
    """Return in words why a notebook could not be run or did not run to its end; empty if all went well."""
    if one.reason is None:
        return ""
    reason, values = one.reason
    named = {n: cell_name(str(v)) if n == "cell" else v for n, v in values.items()}
    return Note(reason, named).text(lang)


class Titles:
    """The titles of notebooks and exercises in each language, as the release notebooks have them."""

    def __init__(self, releases: Releases | None = None) -> None:
        self._headings: dict[tuple[str, str], list[str]] = {}
        for notebook, languages in (releases or {}).items():
            for lang, content in languages.items():
                text = "\n".join(
                    "".join(cell["source"]) for cell in content["cells"] if cell["cell_type"] == "markdown"
                )
                self._headings[notebook, lang] = re.findall(r"^#{1,4} (.+)$", text, re.MULTILINE)

    def notebook(self, name: str, lang: str) -> str:
        """Return the title of a notebook, its file name if it has none."""
        return next(iter(self._headings.get((name, lang), [])), name)

    def exercise(self, notebook: str, exercise: str, lang: str) -> str:
        """Return what an exercise is called, without its number, points and minutes; empty if unknown."""
        number = re.compile(rf"(?<![\d.]){re.escape(exercise)}(?![\d.])[\s·:.–-]*")
        for heading in self._headings.get((notebook, lang), []):
            found = number.search(heading)
            if found:
                return re.sub(r"\s*\([^()]*\)\s*$", "", heading[found.end() :])
        return ""
