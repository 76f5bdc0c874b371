"""The compute plan as a form: change anything, and hours, picture and problems follow at once."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from labkit.messages import checked_language, number, text
from labkit.plan import ComputePlan, draft_plan, problems_in
from labkit.plan.notes import show_hours
from labkit.plots import plan_hours
from labkit.widgets.code import plan_code
from labkit.widgets.fields import RunTimeFields, SeedFields, SettingRows, VenueFields, heading, text_field
from labkit.widgets.labels import problem_text

if TYPE_CHECKING:
    from labkit.plan import Draft, Problem


def plan_form(
    plan: ComputePlan | Draft | Mapping[str, Any] | None = None, lang: str | None = None
) -> PlanForm:
    """Return a form for a compute plan; as the last line of a cell it shows itself.

    Parameters
    ----------
    plan : what to start from: a plan, a draft, a plan's plain dict, or None for an empty form.
    lang : `"en"`, `"hi"`, or None for the language in use.

    Raises
    ------
    TypeError
        If `plan` is anything else.
    """
    data = plan.to_dict() if isinstance(plan, ComputePlan) else getattr(plan, "data", plan)
    if not isinstance(data, Mapping | None):
        raise TypeError(text("widgets.bad_argument", lang, kind=type(plan).__name__))
    return PlanForm(data or {}, checked_language(lang))


class PlanForm(ipw.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The total, the form's fields, and below them what else follows from them.

    Attributes
    ----------
    draft : the plan as far as it is filled in; `draft.plan` is the plan once it can be calculated.
    code : Python code that makes this draft.
    """

    def __init__(self, data: Mapping[str, Any], lang: str) -> None:
        self._lang = lang
        self._drawn: object = None
        change = self._update
        hint = text("widgets.question_hint", lang)
        self._question = text_field(text("widgets.question", lang), data.get("question"), change, hint)
        self._settings = SettingRows(data.get("settings"), change, lang)
        self._seeds = SeedFields(data.get("seeds"), data.get("seeds_why"), change, lang)
        self._run_time = RunTimeFields(data.get("run_time"), change, lang)
        self._margin = _margin_slider(data.get("margin"), lang)
        self._margin.observe(lambda _: self._update(), names="value")
        self._venue = VenueFields(data.get("venue"), change, lang)
        risks = data.get("risks")
        lines = "\n".join(map(str, risks)) if isinstance(risks, list | tuple) else risks
        self._risks = text_field(text("widgets.risks", lang), lines, change, rows=3)

        self._total = ipw.HTML()
        self._total.add_class("labkit-total")
        self._picture = ipw.Image(format="png", layout=ipw.Layout(max_width="100%", align_self="flex-start"))
        self._problems = ipw.HTML()
        self._report = ipw.HTML()
        self._code = ipw.Textarea(
            rows=12, description=text("widgets.code", lang), layout=ipw.Layout(width="auto")
        )
        self._code.style.description_width = "initial"
        margin = ipw.VBox([heading(text("widgets.margin_title", lang)), self._margin])
        left = ipw.VBox([self._seeds.box, self._run_time.box, margin])
        right = ipw.VBox([self._venue.box, self._risks])
        for column in (left, right):
            column.layout = ipw.Layout(flex="1 1 24em", padding="0 1em 0 0")
        super().__init__(
            [
                self._total,
                self._question,
                self._settings.box,
                ipw.HBox([left, right], layout=ipw.Layout(flex_flow="row wrap")),
                self._problems,
                self._picture,
                *_folded(text("widgets.show_report", lang), self._report),
                *_folded(text("widgets.show_code", lang), self._code),
            ]
        )
        self.add_class("labkit-plan-form")
        self._ready = True
        self._update()

    def __repr__(self) -> str:
        # What a notebook stores as the form's text: nothing in it changes from run to run.
        return "PlanForm"

    @property
    def data(self) -> dict[str, Any]:
        """What is in the fields, as a plan's plain data; an empty field is None."""
        return {
            "question": self._question.value.strip() or None,
            "settings": self._settings.data() or None,
            "seeds": self._seeds.seeds(),
            "seeds_why": self._seeds.why.value.strip() or None,
            "run_time": self._run_time.data(),
            "margin": round(self._margin.value, 4),
            "venue": self._venue.data(),
            "risks": [line.strip() for line in self._risks.value.splitlines() if line.strip()] or None,
        }

    def _update(self) -> None:
        """Bring everything around the fields up to date; the picture only if the hours have changed."""
        if not getattr(self, "_ready", False):
            return
        data = self.data
        self.draft = draft_plan(**{key: ... if value is None else value for key, value in data.items()})
        self.code = plan_code(data)
        self._code.value = self.code
        self._problems.value = _problem_list(problems_in(self.draft.data), self._lang)
        plan = self.draft.plan
        self._total.value = _total_html(plan, self._lang)
        self._report.value = plan.to_html(self._lang) if plan else ""
        self._picture.layout.display = "none" if plan is None else None
        drawn = repr([data[key] for key in ("settings", "seeds", "run_time", "margin")])
        if plan is not None and drawn != self._drawn:
            self._picture.value = plan_hours(plan, lang=self._lang).png()
            self._drawn = drawn


def _margin_slider(margin: Any, lang: str) -> ipw.FloatSlider:
    usable = isinstance(margin, int | float) and not isinstance(margin, bool) and 0 <= margin <= 1e6
    value = float(margin) if usable else 0.5
    return ipw.FloatSlider(
        value=value,
        min=0.0,
        max=max(2.0, value),
        step=0.05,
        readout_format=".0%",
        description=text("widgets.margin", lang),
        style={"description_width": "13em"},
        layout=ipw.Layout(width="auto"),
    )


def _folded(label: str, content: ipw.DOMWidget) -> tuple[ipw.ToggleButton, ipw.DOMWidget]:
    """Return a button and what it shows and hides (an Accordion's title cannot be reached by keyboard)."""
    button = ipw.ToggleButton(description=label, layout=ipw.Layout(width="auto", align_self="flex-start"))
    content.layout.display = "none"

    def switch(_: object) -> None:
        content.layout.display = None if button.value else "none"

    button.observe(switch, names="value")
    return button, content


def _total_html(plan: ComputePlan | None, lang: str) -> str:
    if plan is None:
        large, small = text("widgets.no_total", lang), text("widgets.no_total_line", lang)
    else:
        low, high = plan.total_range
        large = text("widgets.total", lang, total=show_hours(plan.total_hours, lang))
        small = text(
            "widgets.total_line" if low == high else "widgets.total_line_range",
            lang,
            runs=number(plan.runs),
            base=show_hours(plan.base_hours, lang),
            percent=number(100 * plan.margin),
            low=show_hours(low, lang),
            high=show_hours(high, lang),
            plan_b=show_hours(plan.plan_b().total_hours, lang),
        )
    style = "font-size: 1.8em; line-height: 1.4; font-weight: bold"
    return f'<div style="{style}">{large}</div><div>{small}</div>'


def _problem_list(problems: list[Problem], lang: str) -> str:
    if not problems:
        return f"<p style='margin: 0'>✓ {text('widgets.no_problems', lang)}</p>"
    title = (
        text("widgets.problems_one", lang)
        if len(problems) == 1
        else text("widgets.problems_many", lang, count=len(problems))
    )
    items = "".join(f"<li>{html.escape(problem_text(problem, lang))}</li>" for problem in problems)
    return f'<p style="margin-bottom: 0">{title}</p><ul style="margin-top: 0; line-height: 1.4">{items}</ul>'
