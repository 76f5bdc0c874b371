"""The page that a student gets for a notebook: points, what was seen and expected, and the next step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape

from labkit.checks import Remark, Result
from labkit.checks.display import marked_up, split_message
from labkit.grading.marked import Marked
from labkit.grading.notes import cell_name
from labkit.grading.page import Titles, page, reason_text, table, who
from labkit.grading.tables import points_text
from labkit.messages import text

_SIGNS = {"right": "✓", "partly": "◐", "not_yet": "✗", "unanswered": "○", "note": "ⓘ"}
_STYLE = """\
.score { font-size: 2rem; font-weight: 700; line-height: 1.2; margin: 1rem 0 .4rem }
h3 { margin: 0 }
.head { display: flex; justify-content: space-between; gap: 1rem; align-items: baseline }
.head > :last-child { white-space: nowrap }
.part { display: grid; grid-template-columns: 1.7em minmax(0, 1fr) auto; margin-top: .7em }
.part > div { overflow-wrap: anywhere } .part > .number { padding-left: 1rem }
.sign { font-weight: 700 }
.is_right { color: var(--right) } .is_partly { color: var(--partly) } .is_not_yet { color: var(--not_yet) }
.is_unanswered, .is_note { color: var(--soft) }
.next { margin-top: .2em }
td .sign { display: inline-block; width: 1.5em } .result { white-space: nowrap }
ul { padding-left: 1.3em } li { margin: .4rem 0 }
"""


def feedback_page(one: Marked, titles: Titles | None = None) -> str:
    """Return the page as HTML, in the language of the submission."""
    lang, titles = one.lang, titles or Titles()
    title = titles.notebook(one.notebook, lang)
    named = {e: " · ".join(filter(None, (e, titles.exercise(one.notebook, e, lang)))) for e in one.exercises}
    how = f"<p>{text('feedback.how', lang)}</p>" if one.status == "graded" else ""
    parts = [
        f"<header>\n<h1>{escape(title)}</h1>\n<p>{who(one.student_id, one.name)}</p>\n</header>\n<main>",
        _outcome(one, named),
        _summary(one, named) if one.exercises else "",
        *(_exercise(result, named[e], lang) for e, result in one.exercises.items()),
        _notes(one),
        f'</main>\n<footer class="soft">{how}<p>{marked_up(text("feedback.validate", lang))}</p></footer>',
    ]
    return page(f"{title} · {one.name or one.student_id}", "\n".join(filter(None, parts)), lang, _STYLE)


def _outcome(one: Marked, named: Mapping[str, str]) -> str:
    """Return the score, or that there is none, and why."""
    lang = one.lang
    said, next_step = split_message(reason_text(one, lang))
    why = f"<p>{marked_up(said)}</p>{_next(next_step, lang)}" if said else ""
    if one.status != "graded":
        kind = one.status.replace(" ", "_")
        look = "unanswered" if one.status == "not submitted" else "not_yet"
        return (
            f'<div class="card edge {look}"><strong>{text(f"feedback.{kind}", lang)}</strong>{why}'
            f'<p class="soft">{text("feedback.no_score", lang)}</p></div>'
        )
    card = (
        f'<div class="card edge not_yet"><strong>{text("feedback.stopped", lang)}</strong>{why}</div>'
        if why
        else ""
    )
    values = {"points": points_text(one.score), "max_points": points_text(one.max_score)}
    score = text("feedback.score", lang, **values)
    return f'<p class="score">{score}</p>\n{_most_to_gain(one, named)}{card}'


def _most_to_gain(one: Marked, named: Mapping[str, str]) -> str:
    """Say where most points are still to be had, the first such exercise."""
    missing = {e: result.max_points - result.points for e, result in one.exercises.items()}
    if not any(missing.values()):
        return f"<p>{text('feedback.all_right', one.lang)}</p>"
    best = max(missing, key=lambda e: missing[e])
    link = f'<a href="#{_anchor(best)}">{escape(named[best])}</a>'
    return (
        f"<p>{text('feedback.most_to_gain', one.lang, exercise=link, points=points_text(missing[best]))}</p>"
    )


def _summary(one: Marked, named: Mapping[str, str]) -> str:
    heads = [text(f"feedback.column_{name}", one.lang) for name in ("exercise", "result", "points")]
    rows = [
        [
            f'<a href="#{_anchor(exercise)}">{escape(named[exercise])}</a>',
            f'<span class="result">{_sign(look_of(result))}{_word(look_of(result), one.lang)}</span>',
            _points(result.points, result.max_points, one.lang),
        ]
        for exercise, result in one.exercises.items()
    ]
    return table(heads, rows, numbers=[2])


def look_of(part: Remark | Result) -> str:
    """Return whether an exercise, or a part of one, is right, partly right, not yet, unanswered or a note."""
    if part.max_points == 0:
        return "note"
    if part.status == "not answered":
        return "unanswered"
    if part.points >= part.max_points:
        return "right"
    return "partly" if part.points > 0 else "not_yet"


def _exercise(result: Result, name: str, lang: str) -> str:
    several = sum(remark.max_points > 0 for remark in result.remarks) > 1
    parts = "\n".join(_part(remark, lang, several) for remark in result.remarks)
    return (
        f'<section class="card edge {look_of(result)}" id="{_anchor(result.exercise)}">\n'
        f'<div class="head"><h3>{escape(text("feedback.exercise", lang, name=name))}</h3>'
        f"<strong>{_points(result.points, result.max_points, lang)}</strong></div>\n{parts}\n</section>"
    )


def _part(remark: Remark, lang: str, several: bool) -> str:
    """Return one remark: what was seen and expected, the next step; of several, its share of the points."""
    if "cell" in remark.values:
        remark = replace(remark, values={**remark.values, "cell": cell_name(str(remark.values["cell"]))})
    said, next_step = split_message(remark.text(lang))
    look = look_of(remark)
    share = ""
    if several and remark.max_points:
        share = f'<span class="number soft">{_points(remark.points, remark.max_points, lang)}</span>'
    return (
        f'<div class="part">{_sign(look)}<div><strong>{_word(look, lang)}:</strong> '
        f"{marked_up(said)}{_next(next_step, lang)}</div>{share}</div>"
    )


def _notes(one: Marked) -> str:
    """Return what was mended in the file."""
    if not one.notes:
        return ""
    notes = "\n".join(f"<li>{marked_up(note.text(one.lang))}</li>" for note in one.notes)
    title, why = text("feedback.notes", one.lang), text("feedback.notes_why", one.lang)
    return f"<h2>{title}</h2>\n<p>{why}</p>\n<ul>\n{notes}\n</ul>"


def _next(step: str, lang: str) -> str:
    return f'<div class="next">→ {text("checks.word_next", lang)}: {marked_up(step)}</div>' if step else ""


def _sign(look: str) -> str:
    return f'<span class="sign is_{look}" aria-hidden="true">{_SIGNS[look]}</span>'


def _word(look: str, lang: str) -> str:
    return escape(text(f"checks.word_{look}", lang))


def _points(points: float, most: float, lang: str) -> str:
    return text("feedback.points", lang, points=points_text(points), max_points=points_text(most))


def _anchor(exercise: str) -> str:
    return f"exercise-{escape(exercise).replace('.', '-')}"
