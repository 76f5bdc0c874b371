"""The parts of a compute plan: run times, settings, venues. Each is checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, cast

from labkit.messages import text
from labkit.plan import validate
from labkit.plan.plain import Record, plain

Role = Literal["baseline", "method", "ablation"]


class _RunTime(Record):
    """What both kinds of run time share."""

    kind: ClassVar[str]

    def to_text(self, lang: str | None = None) -> str:
        """Return the time in words, and whether it is measured or guessed, in `lang` (None: in use)."""
        from labkit.plan.fields import visible
        from labkit.plan.report import show_run_time

        time = show_run_time(cast("RunTime", self), lang)
        why = visible(getattr(self, "why", ""))
        return text(f"plan.{self.kind}" + ("_because" if why else ""), lang, time=time, why=why)

    def __str__(self) -> str:
        return self.to_text()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build the run time from the plain dict of `to_dict`.

        Raises
        ------
        PlanError
            With everything that is wrong, a dict of the other kind included.
        """
        validate.refuse(validate.run_time_problems(plain(data), kinds=(cls.kind,)))
        return cls(**{key: value for key, value in data.items() if key != "kind"})


@dataclass(frozen=True)
class Measured(_RunTime):
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

    kind: ClassVar[str] = "measured"

    minutes: float
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        _set_run_time(self, low=1.0, high=1.0)

    def to_dict(self) -> dict[str, Any]:
        """Return the plain dict of this run time."""
        return {"kind": self.kind, "minutes": self.minutes, "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Guess(_RunTime):
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

    kind: ClassVar[str] = "guess"

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
        return {"kind": self.kind, "minutes": self.minutes, **low_high, "why": self.why}


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
        object.__setattr__(self, "role", known_role(self.role))
        data = {key: plain(getattr(self, key)) for key in validate.SETTING_KEYS}
        validate.refuse(validate.setting_problems(data, "setting"))
        object.__setattr__(self, "run_time", run_time_from(data["run_time"]))
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


def run_time_from(data: Mapping[str, Any] | None) -> RunTime | None:
    """Build a run time from its plain dict, checked before."""
    if data is None:
        return None
    values = {key: value for key, value in data.items() if key != "kind"}
    return Measured(**values) if data["kind"] == "measured" else Guess(**values)


def setting_from(data: Mapping[str, Any]) -> Setting:
    """Build a setting from its plain dict, checked before."""
    return Setting(**{**data, "run_time": run_time_from(data.get("run_time"))})


def known_role(role: Any) -> Any:
    """Return the role that is written with capitals or spaces; anything else as it is."""
    if not isinstance(role, str):
        return role
    meant = role.strip().casefold()
    return meant if meant in validate.ROLES else role


def _set_run_time(run_time: Measured | Guess, low: float, high: float) -> None:
    """Check a run time and fill in its range, by default `low` to `high` times the minutes."""
    data = plain({**vars(run_time), "kind": run_time.kind})
    validate.refuse(validate.run_time_problems(data))
    minutes = float(data["minutes"])
    bounds = {"low": minutes * low, "high": minutes * high}
    object.__setattr__(run_time, "minutes", minutes)
    for key, default in bounds.items():
        given = data.get(key)
        object.__setattr__(run_time, key, default if given is None else float(given))
