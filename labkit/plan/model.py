"""The compute plan, checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from labkit.messages import checked_language, text
from labkit.plan import files, hours, render, report, request, validate
from labkit.plan.notes import Problem
from labkit.plan.parts import RunTime, Setting, Venue, known_role, run_time_from, setting_from
from labkit.plan.plain import Record, plain
from labkit.plan.plan_b import PlanB, make_plan_b
from labkit.plan.venue import VenueFit, fit_venue


@dataclass(frozen=True)
class ComputePlan(Record):
    """A written compute plan for one experiment.

    total = sum over settings of seeds × run time × (1 + margin)

    Attributes
    ----------
    question : what the experiment is to answer.
    settings : everything that is run; a `Setting`, a dict or `(name, role)` each.
    seeds : one list for all settings, so that every comparison is fair and paired.
    seeds_why : why these seeds, and why this many.
    run_time : `Measured` or `Guess`, for every setting without its own.
    margin : share added for debugging and reruns; 0.5 is 50 %.
    venue : where it runs.
    risks : what may get in the way.

    Raises
    ------
    PlanError
        With every fault that leaves nothing to calculate with. All others are listed by `problems()`.
    """

    question: str
    settings: Sequence[Setting]
    seeds: Sequence[int]
    seeds_why: str = ""
    run_time: RunTime | None = None
    margin: float = 0.5
    venue: Venue | None = None
    risks: Sequence[str] = ()

    def __post_init__(self) -> None:
        data = raw_dict(**{key: getattr(self, key) for key in validate.PLAN_KEYS})
        validate.refuse(validate.problems_in(data))
        values = {
            "question": data["question"] or "",
            "settings": tuple(setting_from(setting) for setting in data["settings"]),
            "seeds": tuple(data["seeds"]),
            "seeds_why": data["seeds_why"] or "",
            "run_time": run_time_from(data["run_time"]),
            "margin": float(data["margin"]),
            "venue": None if data["venue"] is None else Venue(**data["venue"]),
            "risks": tuple(data["risks"] or ()),
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)

    @property
    def runs(self) -> int:
        """Number of runs: settings × seeds."""
        return len(self.settings) * len(self.seeds)

    @property
    def base_hours(self) -> float:
        """Hours of all runs, without the margin."""
        return float(hours.base_hours(self))

    @property
    def total_hours(self) -> float:
        """Hours of all runs, margin included."""
        return float(hours.total_hours(self))

    @property
    def total_range(self) -> tuple[float, float]:
        """Total hours if every run takes its low or its high time, margin included."""
        return float(hours.total_hours(self, "low")), float(hours.total_hours(self, "high"))

    def run_time_of(self, setting: Setting) -> RunTime:
        """Return the time of one run of `setting`: its own, or the plan's."""
        return cast(
            "RunTime", setting.run_time or self.run_time
        )  # one of them is there: checked at the start

    def problems(self) -> list[Problem]:
        """List everything that makes the plan unsound."""
        return validate.problems_in(self.to_dict())

    def plan_b(self) -> PlanB:
        """Return the plan for half of the hours."""
        return make_plan_b(self)

    def venue_fit(self) -> VenueFit:
        """Return how the plan fits its venue; without a venue no limit is known."""
        return fit_venue(self)

    def to_text(self, lang: str | None = None) -> str:
        """Return the plan as plain text, in `lang` (None: the language in use)."""
        return render.to_text(text("plan.title", lang), report.sections(self, lang))

    def to_markdown(self, lang: str | None = None) -> str:
        """Return the plan as Markdown, in `lang` (None: the language in use)."""
        return render.to_markdown(text("plan.title", lang), report.sections(self, lang))

    def to_html(self, lang: str | None = None) -> str:
        """Return the plan as an HTML fragment without scripts, in `lang` (None: the language in use)."""
        lang = checked_language(lang)
        return render.to_html(text("plan.title", lang), report.sections(self, lang), lang)

    def request(self, why_it_matters: str = "", team: str = "", lang: str | None = None) -> str:
        """Return a one-page request for compute as Markdown; what the plan cannot know is left blank.

        Parameters
        ----------
        why_it_matters : two or three sentences for the reader who grants the hours.
        team : who asks: names, institution, sponsor.
        lang : `"en"`, `"hi"`, or None for the language in use.
        """
        return request.make_request(self, why_it_matters, team, lang)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain data, the form of the files."""
        return {
            "question": self.question,
            "settings": [setting.to_dict() for setting in self.settings],
            "seeds": list(self.seeds),
            "seeds_why": self.seeds_why,
            "run_time": None if self.run_time is None else self.run_time.to_dict(),
            "margin": self.margin,
            "venue": None if self.venue is None else self.venue.to_dict(),
            "risks": list(self.risks),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ComputePlan:
        """Build a plan from plain data; PlanError names everything that is wrong, unknown keys too."""
        data = plain(data)
        validate.refuse(validate.problems_in(data))
        return cls(**{"question": "", **data})

    def save(self, path: str | Path) -> None:
        """Write the plan to a `.json`, `.yaml` or `.yml` file, whole or not at all."""
        files.write(path, self.to_dict())

    @classmethod
    def load(cls, path: str | Path) -> ComputePlan:
        """Read a plan from a `.json`, `.yaml` or `.yml` file.

        Raises
        ------
        PlanError
            If the file cannot be read, or for values no plan can be built from; each with its line and key.
        """
        content = files.read(path)
        validate.refuse(content.located(validate.problems_in(content.data)))
        return cls.from_dict(content.data)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def raw_dict(missing: list[str] | None = None, **fields: Any) -> dict[str, Any]:
    """Return a plan's fields as plain data, before any check; `(name, role)` settings become dicts.

    A role may be written with capitals.
    """
    if isinstance(fields.get("settings"), list | tuple):
        fields["settings"] = [
            dict(zip(("name", "role"), entry, strict=True))
            if isinstance(entry, list | tuple) and len(entry) == 2
            else entry
            for entry in fields["settings"]
        ]
    data = {key: plain(value, missing, key) for key, value in fields.items()}
    for setting in data["settings"] if isinstance(data.get("settings"), list) else ():
        if isinstance(setting, dict) and "role" in setting:
            setting["role"] = known_role(setting["role"])
    return data
