"""The compute plan and its parts. Every part is checked when it is made, by `validate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from labkit.messages import checked_language, text
from labkit.plan import files, hours, plan_b, render, report, request, validate, venue
from labkit.plan.notes import Problem
from labkit.plan.plain import Record, plain

Role = Literal["baseline", "method", "ablation"]


@dataclass(frozen=True)
class Measured(Record):
    """The time of one run, measured.

    Attributes
    ----------
    minutes : the expected time of one run.
    low, high : its range; both default to `minutes`.

    Raises
    ------
    PlanError
        For values that are not numbers in a usable range, or out of order.
    """

    minutes: float
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        _set_run_time(self, low=1.0, high=1.0)

    def to_dict(self) -> dict[str, Any]:
        """Return the plain dict of this run time."""
        return {"kind": "measured", "minutes": self.minutes, "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Guess(Record):
    """The time of one run, guessed; every report says so.

    Attributes
    ----------
    minutes : the guess for one run.
    why : what the guess rests on.
    low, high : its range; from half of `minutes` to twice `minutes` unless given.

    Raises
    ------
    PlanError
        For values that are not numbers in a usable range, or out of order.
    """

    minutes: float
    why: str = ""
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        _set_run_time(self, low=0.5, high=2.0)
        object.__setattr__(self, "why", self.why or "")

    def to_dict(self) -> dict[str, Any]:
        """Return the plain dict of this run time."""
        low_high = {"low": self.low, "high": self.high}
        return {"kind": "guess", "minutes": self.minutes, **low_high, "why": self.why}


RunTime = Measured | Guess


@dataclass(frozen=True)
class Setting(Record):
    """One thing that is run, with every seed.

    Attributes
    ----------
    name : as in the result table.
    role : `"baseline"`, `"method"` or `"ablation"`.
    run_time : time of one run if it differs from the plan's.
    priority : for ablations: the higher, the longer plan B keeps it. Default: the order listed.

    Raises
    ------
    PlanError
        For an empty name, an unknown role or a wrong type.
    """

    name: str
    role: Role
    run_time: RunTime | None = None
    priority: float | None = None

    def __post_init__(self) -> None:
        data = {key: plain(getattr(self, key)) for key in validate.SETTING_KEYS}
        validate.refuse(validate.setting_problems(data, "setting"))
        object.__setattr__(self, "run_time", _run_time(data["run_time"]))
        object.__setattr__(self, "priority", None if data["priority"] is None else float(data["priority"]))

    def to_dict(self) -> dict[str, Any]:
        """Return the plain dict of this setting."""
        data: dict[str, Any] = {"name": self.name, "role": self.role}
        if self.run_time is not None:
            data["run_time"] = self.run_time.to_dict()
        if self.priority is not None:
            data["priority"] = self.priority
        return data


@dataclass(frozen=True)
class Venue(Record):
    """Where the runs take place, with today's limits; None stands for "no limit", "not known" or "free".

    Attributes
    ----------
    name : what the place is.
    session_hours : longest session.
    hours_per_week : hours that can be used in a week.
    checkpoint_minutes : time between two checkpoints of a run.
    price_per_hour, currency : what an hour costs.
    days_available : calendar days until the result is needed.

    Raises
    ------
    PlanError
        For an empty name, or limits that are not positive numbers.
    """

    name: str
    session_hours: float | None = None
    hours_per_week: float | None = None
    checkpoint_minutes: float | None = None
    price_per_hour: float | None = None
    currency: str = ""
    days_available: float | None = None

    def __post_init__(self) -> None:
        data = {key: plain(getattr(self, key)) for key in validate.VENUE_KEYS}
        validate.refuse(validate.venue_problems(data))
        for key in validate.VENUE_LIMITS:
            object.__setattr__(self, key, None if data[key] is None else float(data[key]))
        object.__setattr__(self, "currency", self.currency or "")

    def to_dict(self) -> dict[str, Any]:
        """Return the plain dict of this venue; what is not given is left out."""
        return {
            key: getattr(self, key) for key in validate.VENUE_KEYS if getattr(self, key) not in (None, "")
        }


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
            "settings": tuple(_setting(setting) for setting in data["settings"]),
            "seeds": tuple(data["seeds"]),
            "seeds_why": data["seeds_why"] or "",
            "run_time": _run_time(data["run_time"]),
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
        run_time = setting.run_time or self.run_time
        assert run_time is not None, "checked when the plan was made"
        return run_time

    def problems(self) -> list[Problem]:
        """List everything that makes the plan unsound."""
        return validate.problems_in(self.to_dict())

    def plan_b(self) -> plan_b.PlanB:
        """Return the plan for half of the hours."""
        return plan_b.make_plan_b(self)

    def venue_fit(self) -> venue.VenueFit | None:
        """Return how the plan fits its venue; None without a venue."""
        return None if self.venue is None else venue.fit(self, self.venue)

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
    """Return a plan's fields as plain data, before any check; `(name, role)` settings become dicts."""
    if isinstance(fields.get("settings"), list | tuple):
        fields["settings"] = [
            dict(zip(("name", "role"), entry, strict=True))
            if isinstance(entry, list | tuple) and len(entry) == 2
            else entry
            for entry in fields["settings"]
        ]
    return {key: plain(value, missing, key) for key, value in fields.items()}


def _set_run_time(run_time: Measured | Guess, low: float, high: float) -> None:
    """Check a run time and fill in its range, by default `low` to `high` times the minutes."""
    data = plain({**vars(run_time), "kind": "guess" if isinstance(run_time, Guess) else "measured"})
    validate.refuse(validate.run_time_problems(data))
    minutes = float(data["minutes"])
    bounds = {"low": minutes * low, "high": minutes * high}
    object.__setattr__(run_time, "minutes", minutes)
    for key, default in bounds.items():
        given = data.get(key)
        object.__setattr__(run_time, key, default if given is None else float(given))


def _run_time(data: Mapping[str, Any] | None) -> RunTime | None:
    if data is None:
        return None
    values = {key: value for key, value in data.items() if key != "kind"}
    return Measured(**values) if data["kind"] == "measured" else Guess(**values)


def _setting(data: Mapping[str, Any]) -> Setting:
    return Setting(**{**data, "run_time": _run_time(data.get("run_time"))})
