"""The groups of input fields that the plan form is made of; each reads as one part of the plan's plain data.

Numbers are text fields: what is half typed stays as text in the data, and the plan's own rules say in words
what is wrong with it. Choices are toggle buttons: JupyterLab takes the letters typed in a drop-down list for
its own commands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as ipw

from labkit.messages import text

ROLES = ("baseline", "method", "ablation")
_RANGE = {"measured": (1.0, 1.0), "guess": (0.5, 2.0)}  # the plan's default range, as factors of the minutes
_VENUE = (
    "name",
    "session_hours",
    "hours_per_week",
    "checkpoint_minutes",
    "days_available",
    "price_per_hour",
    "currency",
)
_VENUE_WORDS = ("name", "currency")
_LABEL_WIDTH = "13em"
_MOST_SEEDS = 100  # by the spinner; a longer list can be typed

Changed = Callable[[], None]


def number_or_text(typed: str) -> int | float | str | None:
    """Return the number that was typed, None for an empty field, or else the text as it is."""
    typed = typed.strip()
    for kind in (int, float):
        try:
            return kind(typed)
        except ValueError:
            continue
    return typed or None


def as_text(value: Any) -> str:
    """Return a value as it stands in a text field: None is empty, 40.0 is 40."""
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    return "" if value is None else str(value)


def heading(words: str) -> ipw.HTML:
    """Return a line that names the fields below it."""
    return ipw.HTML(f"<b>{words}</b>")


def text_field(
    label: str, value: Any, changed: Changed, hint: str = "", rows: int = 1
) -> ipw.Text | ipw.Textarea:
    """Return a labelled text field that reports every key; with `rows` over 1 it takes several lines."""
    common: dict[str, Any] = {
        "value": as_text(value),
        "description": label,
        "placeholder": hint,
        "style": {"description_width": _LABEL_WIDTH},
        "layout": ipw.Layout(width="auto"),
    }
    field = ipw.Text(**common) if rows == 1 else ipw.Textarea(rows=rows, **common)
    field.observe(lambda _: changed(), names="value")
    return field


def choice(label: str, options: Mapping[str, Any], value: Any, changed: Changed) -> ipw.ToggleButtons:
    """Return labelled buttons, one of them chosen; `options` are the values by the words on the buttons."""
    buttons = ipw.ToggleButtons(
        options=[*options.items()],
        value=value,
        description=label,
        tooltip=label,
        style={"description_width": _LABEL_WIDTH, "button_width": "auto"},
        layout=ipw.Layout(width="auto"),
    )
    for name in (
        "widget-inline-hbox",
        "jupyter-widget-inline-hbox",
    ):  # the label beside it, as in other fields
        buttons.add_class(name)
    buttons.observe(lambda _: changed(), names="value")
    return buttons


class SettingRows:
    """The settings, one row each: name, role, up, remove; and a button that adds one."""

    def __init__(self, settings: Any, changed: Changed, lang: str | None) -> None:
        self._changed, self._lang = changed, lang
        self._list = ipw.VBox()
        left = ipw.Layout(width="auto", align_self="flex-start")
        add = ipw.Button(description=text("widgets.add", lang), layout=left)
        add.on_click(lambda _: self._add())
        self.box = ipw.VBox([heading(text("widgets.settings_title", lang)), self._list, add])
        given = settings or [{"name": "", "role": role} for role in ROLES[:2]]
        self._rows: list[ipw.HBox] = []
        self._show([self._row(setting) for setting in given], report=False)

    def data(self) -> list[dict[str, Any]]:
        """Return the settings as plain data."""
        return [
            {**row.own, "name": row.children[0].value, "role": row.children[1].value} for row in self._rows
        ]

    def _row(self, setting: Any) -> ipw.HBox:
        setting = setting if isinstance(setting, Mapping) else {"name": as_text(setting), "role": ROLES[0]}
        name = text_field("", setting.get("name"), self._changed)
        name.style.description_width = "5.5em"
        name.layout.flex = "1 1 12em"
        role = setting.get("role")
        roles = ROLES if role is None or role in ROLES else (*ROLES, role)
        chosen = choice(
            text("widgets.role", self._lang), {as_text(known): known for known in roles}, role, self._changed
        )
        chosen.style = {"description_width": "3em", "button_width": "5.5em"}
        chosen.layout = ipw.Layout(width="auto", flex="0 0 auto")
        own = {key: setting[key] for key in ("run_time", "priority") if setting.get(key) is not None}
        buttons = [
            ipw.Button(description=text(f"widgets.{what}", self._lang), layout=ipw.Layout(width="auto"))
            for what in ("up", "remove")
        ]
        row = ipw.HBox(
            [name, chosen, ipw.Label(self._own_words(own)), *buttons], layout=ipw.Layout(align_items="center")
        )
        row.own = own
        buttons[0].on_click(lambda _: self._up(row))
        buttons[1].on_click(lambda _: self._show([other for other in self._rows if other is not row]))
        return row

    def _own_words(self, own: Mapping[str, Any]) -> str:
        words = []
        if isinstance(own.get("run_time"), Mapping):
            words.append(
                text("widgets.own_run_time", self._lang, minutes=as_text(own["run_time"].get("minutes")))
            )
        if "priority" in own:
            words.append(text("widgets.priority", self._lang, priority=as_text(own["priority"])))
        return ", ".join(words)

    def _add(self) -> None:
        row = self._row({"name": "", "role": "ablation"})
        self._show([*self._rows, row])
        row.children[0].focus()

    def _up(self, row: ipw.HBox) -> None:
        place = self._rows.index(row)
        rest = [other for other in self._rows if other is not row]
        self._show([*rest[: max(0, place - 1)], row, *rest[max(0, place - 1) :]])

    def _show(self, rows: list[ipw.HBox], report: bool = True) -> None:
        self._rows = rows
        for place, row in enumerate(rows, start=1):
            label = text("widgets.setting", self._lang, number=place)
            name, _, _, up, remove = row.children
            name.description = label
            up.tooltip = text("widgets.up_tooltip", self._lang, name=label)
            up.disabled = place == 1
            remove.tooltip = text("widgets.remove_tooltip", self._lang, name=label)
        self._list.children = rows
        if report:
            self._changed()


class SeedFields:
    """How many seeds and which ones (each field follows the other), and why."""

    def __init__(self, seeds: Any, why: Any, changed: Changed, lang: str | None) -> None:
        self._changed = changed
        seeds = seeds if isinstance(seeds, list) else [] if seeds is None else [seeds]
        self.count = ipw.BoundedIntText(
            value=min(len(seeds), _MOST_SEEDS),
            min=0,
            max=_MOST_SEEDS,
            description=text("widgets.seed_count", lang),
            style={"description_width": _LABEL_WIDTH},
            layout=ipw.Layout(width="auto"),
        )
        self.which = text_field(
            text("widgets.seed_list", lang), ", ".join(map(as_text, seeds)), self._typed, "0, 1, 2"
        )
        self.why = text_field(text("widgets.seeds_why", lang), why, changed)
        self.count.observe(lambda _: self._counted(), names="value")
        self.box = ipw.VBox([heading(text("widgets.seeds_title", lang)), self.count, self.which, self.why])

    def seeds(self) -> list[Any] | None:
        """Return the seeds typed; what is not a whole number stays as it is."""
        return [number_or_text(part) for part in re.split(r"[,;\s]+", self.which.value) if part] or None

    def _counted(self) -> None:
        """Make the list as long as the number says: cut its end, or go on with the smallest new seeds."""
        seeds = self.seeds() or []
        if self.count.value == min(len(seeds), _MOST_SEEDS):
            return  # the number has followed the list, which is left as it was typed
        seeds = seeds[: self.count.value]
        new = (seed for seed in range(2 * _MOST_SEEDS) if seed not in seeds)
        seeds += [next(new) for _ in range(self.count.value - len(seeds))]
        self.which.value = ", ".join(map(as_text, seeds))

    def _typed(self) -> None:
        self.count.value = min(len(self.seeds() or []), _MOST_SEEDS)
        self._changed()


class RunTimeFields:
    """Measured or guessed, minutes with their range, and what a guess rests on."""

    def __init__(self, run_time: Any, changed: Changed, lang: str | None) -> None:
        given = run_time if isinstance(run_time, Mapping) else {"minutes": run_time}
        self._kind = choice(
            text("widgets.kind", lang),
            {text(f"widgets.{kind}", lang): kind for kind in _RANGE},
            "guess" if given.get("kind") == "guess" else "measured",
            self._switched,
        )
        optional = text("widgets.optional", lang)
        low, high = _own_range(given)
        self._minutes = text_field(text("widgets.minutes", lang), given.get("minutes"), changed)
        self._low = text_field(text("widgets.low", lang), low, changed, optional)
        self._high = text_field(text("widgets.high", lang), high, changed, optional)
        self._why = text_field(text("widgets.guess_why", lang), given.get("why"), changed)
        self._changed = changed
        self._show_why()
        fields = [self._kind, self._minutes, self._low, self._high, self._why]
        self.box = ipw.VBox([heading(text("widgets.run_time_title", lang)), *fields])

    def data(self) -> dict[str, Any] | None:
        """Return the run time as plain data, None while there are no minutes."""
        minutes = number_or_text(self._minutes.value)
        if minutes is None:
            return None
        bounds = {"low": number_or_text(self._low.value), "high": number_or_text(self._high.value)}
        data = {"kind": self._kind.value, "minutes": minutes}
        data |= {key: bound for key, bound in bounds.items() if bound is not None}
        return data if self._kind.value == "measured" else {**data, "why": self._why.value}

    def _switched(self) -> None:
        self._show_why()
        self._changed()

    def _show_why(self) -> None:
        self._why.layout.display = None if self._kind.value == "guess" else "none"


def _own_range(run_time: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return low and high, or None for both where they are the plan's default and so follow the minutes."""
    low, high, minutes = run_time.get("low"), run_time.get("high"), run_time.get("minutes")
    factors = _RANGE.get(str(run_time.get("kind")), (1.0, 1.0))
    follows = isinstance(minutes, int | float) and (low, high) == tuple(f * minutes for f in factors)
    return (None, None) if follows else (low, high)


class VenueFields:
    """Where it runs, with its limits; empty is no limit."""

    def __init__(self, venue: Any, changed: Changed, lang: str | None) -> None:
        given = venue if isinstance(venue, Mapping) else {"name": venue}
        self._fields = {
            key: text_field(
                text(f"widgets.{'venue_name' if key == 'name' else key}", lang), given.get(key), changed
            )
            for key in _VENUE
        }
        self.box = ipw.VBox([heading(text("widgets.venue_title", lang)), *self._fields.values()])

    def data(self) -> dict[str, Any] | None:
        """Return the venue as plain data, None while every field is empty."""
        values: dict[str, Any] = {
            key: field.value.strip() if key in _VENUE_WORDS else number_or_text(field.value)
            for key, field in self._fields.items()
        }
        return {key: value for key, value in values.items() if value not in (None, "")} or None
