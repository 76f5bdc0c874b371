"""The page about the whole class, for the instructor: scores, mistakes, and who has no score and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from statistics import fmean, median
from urllib.parse import quote

from labkit.checks import Remark, Result
from labkit.checks.display import marked_up, split_message
from labkit.grading.feedback import look_of
from labkit.grading.marked import Marked
from labkit.grading.page import Titles, page, reason_text, table, who
from labkit.grading.students import safe_id
from labkit.grading.tables import points_text
from labkit.messages import checked_language, number, text

MOST_MISTAKES = 15  # shown for each notebook
_BINS = 10  # of the histogram: a tenth of the points each
_LOOKS = ("right", "partly", "not_yet", "unanswered")
_STYLE = """\
.stack { display: flex; min-width: 12rem; height: 1.5rem; border-radius: 4px; overflow: hidden }
.stack span { min-width: 1.4rem; font-size: .85rem; line-height: 1.5rem; text-align: center; color: #000 }
.stack, .key i, .histogram i { print-color-adjust: exact; -webkit-print-color-adjust: exact }
.of_right { background: #56c19a } .of_partly { background: #f0c25a } .of_not_yet { background: #f08a4b }
.of_unanswered { background: #c4c9cf }
.key { display: inline-block; margin-right: 1.2rem }
.key i { display: inline-block; width: .9em; height: .9em; border-radius: 2px; margin-right: .4em }
.histogram { display: grid; grid-template-columns: repeat(10, 1fr); gap: 4px; margin: 1rem 0 }
.histogram div { display: flex; flex-direction: column; justify-content: end; height: 7.5rem;
 text-align: center; font-size: .85rem }
.histogram i { background: #4a90d9; border-radius: 3px 3px 0 0 }
.histogram small { border-top: 1px solid var(--soft); color: var(--soft); white-space: nowrap }
"""


def overview_page(marked: Sequence[Marked], titles: Titles | None = None, lang: str | None = None) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    marked : the marks of everybody, sorted.
    lang : language of the page (None: the language in use).
    """
    lang, titles = checked_language(lang), titles or Titles()
    notebooks = sorted({one.notebook for one in marked})
    parts = [f"<h1>{text('feedback.overview', lang)}</h1>", _counts(marked, notebooks, titles, lang)]
    for notebook in notebooks:
        parts.append(_notebook([one for one in marked if one.notebook == notebook], titles, lang))
    failed = [one for one in marked if one.status == "could not be run"]
    stopped = [one for one in marked if one.status == "graded" and one.reason]
    parts += [
        _list("could_not_be_run", failed, titles, lang),
        _list("stopped_early", stopped, titles, lang),
        _missing(marked, titles, lang),
        _mended(marked, lang),
        f'<footer class="soft"><p>{marked_up(text("feedback.overview_footer", lang))}</p></footer>',
    ]
    return page(text("feedback.overview", lang), "\n".join(filter(None, parts)), lang, _STYLE)


def mistakes(marked: Iterable[Marked]) -> list[tuple[int, str, Remark]]:
    """Return for each message about a mistake how many students met it, the exercise and an example.

    The most frequent come first. What is not answered is no mistake, and what a person has decided is
    not counted.
    """
    examples: dict[tuple[str, str], Remark] = {}
    times: Counter[tuple[str, str]] = Counter()
    for one in marked:
        seen = set()
        for exercise, result in one.exercises.items():
            for remark in result.remarks:
                if look_of(remark) in ("not_yet", "partly") and not remark.id.startswith("feedback."):
                    examples.setdefault((exercise, remark.id), remark)
                    seen.add((exercise, remark.id))
        times.update(seen)
    order = sorted(times, key=lambda key: (-times[key], key))
    return [(times[key], key[0], examples[key]) for key in order]


def _counts(marked: Sequence[Marked], notebooks: Sequence[str], titles: Titles, lang: str) -> str:
    heads = [
        text(f"feedback.column_{name}", lang)
        for name in ("notebook", "graded", "could_not_be_run", "not_submitted", "mean", "median", "range")
    ]
    rows = []
    for notebook in notebooks:
        group = [one for one in marked if one.notebook == notebook]
        status = Counter(one.status for one in group)
        scores = [one.score for one in group if one.status == "graded"]
        most = points_text(max(one.max_score for one in group))
        row = [escape(titles.notebook(notebook, lang))]
        row += [str(status[kind]) for kind in ("graded", "could not be run", "not submitted")]
        if scores:
            low, high = points_text(min(scores)), points_text(max(scores))
            row += [f"{number(fmean(scores))} / {most}", number(median(scores)), f"{low}–{high}"]
        rows.append(row + ["–"] * (len(heads) - len(row)))
    return table(heads, rows, numbers=range(1, len(heads)))


def _notebook(group: Sequence[Marked], titles: Titles, lang: str) -> str:
    graded = [one for one in group if one.status == "graded"]
    title = f"<h2>{escape(titles.notebook(group[0].notebook, lang))}</h2>"
    if not graded:
        return f"{title}\n<p>{text('feedback.nobody', lang)}</p>"
    found = mistakes(graded)[:MOST_MISTAKES]
    rows = [
        [
            str(count),
            escape(exercise),
            f"{marked_up(split_message(remark.text(lang))[0])} <code>{escape(remark.id)}</code>",
        ]
        for count, exercise, remark in found
    ]
    heads = [text(f"feedback.column_{name}", lang) for name in ("students", "exercise", "mistake")]
    parts = [title, _histogram(graded, lang), _exercises(graded, titles, lang)]
    if rows:
        parts += [f"<h3>{text('feedback.mistakes', lang)}</h3>", table(heads, rows, numbers=[0])]
    return "\n".join(parts)


def _histogram(graded: Sequence[Marked], lang: str) -> str:
    """Return how many students have which share of the points, as bars with their numbers."""
    bins = Counter(
        min(int(_BINS * one.score / one.max_score), _BINS - 1) if one.max_score else 0 for one in graded
    )
    tallest = max(bins.values())
    bars = []
    for n in range(_BINS):
        height, count = 5 * bins[n] / tallest, bins[n] or ""
        label = f"{100 // _BINS * n}–{100 // _BINS * (n + 1)}"
        bars.append(f'<div>{count}<i style="height:{height:.2f}rem"></i><small>{label}</small></div>')
    return f'<h3>{text("feedback.scores", lang)}</h3>\n<div class="histogram">{"".join(bars)}</div>'


def _exercises(graded: Sequence[Marked], titles: Titles, lang: str) -> str:
    heads = [
        text(f"feedback.column_{name}", lang)
        for name in ("exercise", "students_by_result", "mean", "points_counts")
    ]
    rows = []
    for exercise in graded[0].exercises:
        found = [one.exercises[exercise] for one in graded if exercise in one.exercises]
        name = " · ".join(filter(None, (exercise, titles.exercise(graded[0].notebook, exercise, lang))))
        mean = f"{number(fmean(r.points for r in found))} / {points_text(found[0].max_points)}"
        rows.append([escape(name), _stack(found, lang), mean, _points_counts(found)])
    keys = "".join(
        f'<span class="key"><i class="of_{look}"></i>{text(f"checks.word_{look}", lang)}</span>'
        for look in _LOOKS
    )
    title = f"<h3>{text('feedback.by_exercise', lang)}</h3>"
    return f'{title}\n<p class="soft">{keys}</p>\n{table(heads, rows, numbers=[2])}'


def _stack(found: Sequence[Result], lang: str) -> str:
    looks = Counter(look_of(result) for result in found)
    words = {look: text(f"checks.word_{look}", lang) for look in looks}
    parts = "".join(
        f'<span class="of_{look}" style="flex:{looks[look]}" title="{words[look]}">{looks[look]}</span>'
        for look in _LOOKS
        if looks[look]
    )
    return f'<div class="stack">{parts}</div>'


def _points_counts(found: Sequence[Result]) -> str:
    """Return how many students have how many points: `3: 12 · 2: 4`."""
    times = Counter(result.points for result in found if result.status != "not answered")
    counts = " · ".join(f"{points_text(points)}: {times[points]}" for points in sorted(times, reverse=True))
    return f'<span class="soft">{counts}</span>'


def _list(kind: str, found: Sequence[Marked], titles: Titles, lang: str) -> str:
    """Return who has no score, or was stopped, and why."""
    if not found:
        return ""
    heads = [text(f"feedback.column_{name}", lang) for name in ("student", "notebook", "why")]
    rows = [
        [
            _linked(one),
            escape(titles.notebook(one.notebook, lang)),
            marked_up(split_message(reason_text(one, lang))[0]),
        ]
        for one in found
    ]
    return f"<h2>{text(f'feedback.{kind}_title', lang)}</h2>\n{table(heads, rows)}"


def _missing(marked: Sequence[Marked], titles: Titles, lang: str) -> str:
    groups: dict[str, list[Marked]] = {}
    for one in marked:
        if one.status == "not submitted":
            groups.setdefault(one.notebook, []).append(one)
    if not groups:
        return ""
    heads = [text(f"feedback.column_{name}", lang) for name in ("notebook", "students")]
    rows = [
        [escape(titles.notebook(notebook, lang)), "<br>".join(who(one.student_id, one.name) for one in group)]
        for notebook, group in groups.items()
    ]
    return f"<h2>{text('feedback.not_submitted_title', lang)}</h2>\n{table(heads, rows)}"


def _mended(marked: Sequence[Marked], lang: str) -> str:
    """Return how often what was mended, with one example each."""
    examples = {note.id: note for one in reversed(marked) for note in reversed(one.notes)}
    times = Counter(note_id for one in marked for note_id in {note.id for note in one.notes})
    if not times:
        return ""
    heads = [text(f"feedback.column_{name}", lang) for name in ("submissions", "example")]
    rows = [
        [str(times[key]), f"{marked_up(examples[key].text(lang))} <code>{escape(key)}</code>"]
        for key in sorted(times, key=lambda key: (-times[key], key))
    ]
    return f"<h2>{text('feedback.mended_title', lang)}</h2>\n{table(heads, rows, numbers=[0])}"


def _linked(one: Marked) -> str:
    target = f"feedback/{quote(safe_id(one.student_id))}/{quote(safe_id(one.notebook))}.html"
    return f'<a href="{escape(target)}">{who(one.student_id, one.name)}</a>'
