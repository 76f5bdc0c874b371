"""Find answers that a student notebook would give away.

Every solution line of a notebook is searched for in what its students get: code, comments and Markdown in
both languages. Spaces, the kind of quotes, and a trailing comment make no difference. Of a computed value
(`x = a / b`) the right-hand side alone is searched for too. Lines that say nothing by themselves (`else:`,
`return`, imports, one word, `x = [`) are left out. An answer cell marked `open=true`, where many
answers are right and the solution is one example, is not searched for.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence

from labkit.build.faults import Fault
from labkit.build.solutions import split_answer, student_text
from labkit.build.source import Cell

_TOKEN = re.compile(r"\w+|[^\w\s]")
_COMMENT = re.compile(r"""((?:"[^"]*"|'[^']*'|[^"'#])*)#.*""")
_TRIVIAL = re.compile(
    r"(import|from|def|class|for|with|try|except|finally|else)\b.*|return \w+|if \w+:|\w+ = [\[({]+"
)


def leak_faults(cells: Sequence[Cell]) -> list[Fault]:
    """Return a fault for every solution line that the student notebook would show."""
    shown = [(cell, student_text(cell)) for cell in cells]
    faults = []
    for answer in cells:
        if answer.option("answer") is None or answer.option("open"):
            continue
        for number, line in split_answer(answer)[1]:
            for part in _telling_parts(line):
                place = _find(part, shown)
                if place:
                    where = f"{place[0].path.name}:{place[1]}"
                    faults.append(answer.fault("leak", number, code=part, where=where))
                    break
    return faults


def _telling_parts(line: str) -> list[str]:
    """Return the line, and the right-hand side of a computation, as far as they would tell the answer."""
    code = _COMMENT.sub(r"\1", line).strip().rstrip(",;")
    if len(_TOKEN.findall(code)) < 3 or not re.search(r"[^\W\d_]", code) or _TRIVIAL.fullmatch(code):
        return []
    parts = [code]
    try:
        statement = ast.parse(textwrap.dedent(code)).body[0]
    except SyntaxError:
        return parts
    value = getattr(statement, "value", None)
    if value is not None and any(isinstance(node, ast.BinOp) for node in ast.walk(value)):
        parts.append(ast.get_source_segment(code, value) or code)
    return parts


def _find(part: str, shown: Sequence[tuple[Cell, str]]) -> tuple[Cell, int] | None:
    tokens = ["[\"']" if token in "\"'" else re.escape(token) for token in _TOKEN.findall(part)]
    pattern = re.compile(r"(?<![\w.])" + r"\s*".join(tokens) + r"(?!\w)")
    for cell, text in shown:
        found = pattern.search(text)
        if found:
            first_line = text[found.start() :].split("\n", 1)[0].strip()
            number = next((n for n, line in cell.lines if first_line in line), cell.line)
            return cell, number
    return None
