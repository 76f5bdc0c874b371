"""Show the result of a check: as HTML below the check cell, or as text."""

from __future__ import annotations

import html
import re
from typing import Any

from labkit.checks.calls import outcomes, paired
from labkit.checks.core import Remark, Result, grade, inputs
from labkit.checks.plain import JSON, to_plain
from labkit.messages import checked_language, text

ANSWER_TYPE = "application/vnd.labkit.answer+json"

# Icon and colour; colour-blind readers tell the colours apart, and they stand out on white and on black.
_LOOKS = {
    "right": ("✓", "#0b8a5f"),
    "partly": ("◐", "#c98500"),
    "not_yet": ("✗", "#d55e00"),
    "unanswered": ("○", "#808080"),
    "note": ("ⓘ", "#808080"),
}


class Points(float):
    """The points of one check, as a number; in a notebook it also shows the feedback.

    Its text is the number alone, so that nbgrader reads a check cell's output as (partial) credit.
    """

    result: Result
    answer: JSON
    lang: str | None

    def __new__(cls, result: Result, answer: JSON, lang: str | None = None) -> Points:
        """Make the number from `result.points`; `lang` None means the language in use when it is shown."""
        self = super().__new__(cls, result.points)
        self.result, self.answer, self.lang = result, answer, lang
        return self

    def __repr__(self) -> str:
        return f"{float(self):g}"

    __str__ = __repr__

    @property
    def feedback(self) -> str:
        """The feedback as text."""
        return to_text(self.result, self.lang)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {
            "text/plain": repr(self),
            "text/html": to_html(self.result, self.lang),
            ANSWER_TYPE: {"exercise": self.result.exercise, "answer": self.answer, "version": 1},
        }


def check(exercise: str, answer: object, lang: str | None = None) -> Points:
    """Grade an answer and return its points, which show the feedback in a notebook.

    Parameters
    ----------
    exercise : id such as `"2.4"`.
    answer : whatever the exercise asks for; `...` means "not answered yet". A function is called on sample
        arguments where the exercise asks for one.
    lang : `"en"`, `"hi"`, or None for the language in use.

    Raises
    ------
    UnknownExerciseError
        If there is no such exercise.
    """
    arguments = inputs(exercise)
    if arguments is not None and callable(answer):
        answer = paired(arguments, outcomes(answer, arguments))
    plain = to_plain(answer)
    return Points(grade(exercise, plain), plain, lang)


def to_text(result: Result, lang: str | None = None) -> str:
    """Return the feedback as a few lines of text."""
    lines = [_headline(result, lang)]
    for remark in result.remarks:
        said, next_step = split_message(remark.text(lang))
        icon, word, _ = _look(remark, lang)
        lines.append(f"{icon} {word}: {said}")
        if next_step:
            lines.append(f"  → {text('checks.word_next', lang)}: {next_step}")
    return "\n".join(lines)


def to_html(result: Result, lang: str | None = None) -> str:
    """Return the feedback as one block of HTML that inherits the notebook's text colour and font."""
    rows = "".join(_row(remark, lang) for remark in result.remarks)
    share = result.points / result.max_points if result.max_points else 1.0
    colour = _LOOKS["right" if share == 1 else "partly" if share > 0 else "not_yet"][1]
    if result.status == "not answered":
        colour = _LOOKS["unanswered"][1]
    return (
        f'<div class="labkit-check" lang="{checked_language(lang)}" role="status"'
        f' style="border-left:4px solid {colour};padding:.2em .8em;margin:.3em 0;line-height:1.5">'
        f"<div><strong>{html.escape(_headline(result, lang))}</strong></div>{rows}</div>"
    )


def _row(remark: Remark, lang: str | None) -> str:
    said, next_step = split_message(remark.text(lang))
    icon, word, colour = _look(remark, lang)
    after = f"<div>→ {text('checks.word_next', lang)}: {marked_up(next_step)}</div>" if next_step else ""
    return (
        f'<div style="margin:.3em 0;padding-left:1.5em"><span aria-hidden="true"'
        f' style="color:{colour};display:inline-block;width:1.5em;margin-left:-1.5em">{icon}</span>'
        f"<strong>{html.escape(word)}:</strong> {marked_up(said)}{after}</div>"
    )


def _headline(result: Result, lang: str | None) -> str:
    return text(
        "checks.headline",
        lang,
        exercise=result.exercise,
        points=f"{result.points:g}",
        max_points=f"{result.max_points:g}",
    )


def _look(remark: Remark, lang: str | None) -> tuple[str, str, str]:
    if remark.max_points == 0:
        kind = "note"
    elif remark.status == "not answered":
        kind = "unanswered"
    else:
        kind = "right" if remark.ok else "partly" if remark.points > 0 else "not_yet"
    icon, colour = _LOOKS[kind]
    return icon, text(f"checks.word_{kind}", lang), colour


def split_message(message: str) -> tuple[str, str]:
    """Split a message into what is said and the next step, which follows its last arrow."""
    said, arrow, next_step = message.rpartition(" → ")
    return (said, next_step) if arrow else (message, "")


def marked_up(message: str) -> str:
    """Escape a message for HTML; `code` and *stress* become elements."""
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(message))
    return re.sub(r"\*(\w[^*]*)\*", r"<strong>\1</strong>", marked)
