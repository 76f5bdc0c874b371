"""The marks of one submission, as plain data that a file keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from labkit.checks.core import Remark, Result
from labkit.grading.notes import Note
from labkit.messages import LANGUAGES, checked_language

MarkStatus = Literal["graded", "not submitted", "could not be run"]


@dataclass(frozen=True)
class Marked:
    """The marks of one student for one notebook.

    Attributes
    ----------
    reason : why it could not be run, or did not run to its end: message id and values; None if all went well.
    score, max_score : sums over the exercises; finite, 0 <= score <= max_score.
    exercises : exercise → the result of its rubric; empty unless the status is "graded".
    seconds : wall time of execution; not saved, so that grading twice gives the same files.
    """

    student_id: str
    name: str
    notebook: str
    lang: str
    status: MarkStatus
    reason: tuple[str, Mapping[str, Any]] | None
    score: float
    max_score: float
    exercises: dict[str, Result]
    notes: tuple[Note, ...] = ()
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data, without the seconds."""
        plain = asdict(replace(self, exercises={}, notes=()))
        del plain["seconds"]
        plain["exercises"] = {exercise: _result_data(result) for exercise, result in self.exercises.items()}
        plain["notes"] = [{"id": n.id, "values": dict(n.values), "cell": n.cell} for n in self.notes]
        return plain

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Marked:
        """Return the marks that `to_dict` has written."""
        reason = data["reason"]
        return cls(
            **{
                **data,
                "reason": None if reason is None else (reason[0], reason[1]),
                "exercises": {e: _result(e, result) for e, result in data["exercises"].items()},
                "notes": tuple(Note(**note) for note in data["notes"]),
            }
        )


def _result_data(result: Result) -> dict[str, Any]:
    """Return a result as plain data; a phrase inside becomes its words in each language."""
    remarks = [{**asdict(replace(r, values={})), "values": _values(r.values)} for r in result.remarks]
    return {
        "points": result.points,
        "max_points": result.max_points,
        "status": result.status,
        "remarks": remarks,
    }


def _values(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value
        if isinstance(value, str | int | float)
        else {lang: value.text(lang) for lang in LANGUAGES}
        for name, value in values.items()
    }


@dataclass(frozen=True)
class Said:
    """Words that were said in each language when the marks were made."""

    words: Mapping[str, str]

    def text(self, lang: str | None = None) -> str:
        """Return the words in `lang` (None: the language in use)."""
        return self.words[checked_language(lang)]


def _result(exercise: str, data: Mapping[str, Any]) -> Result:
    remarks = tuple(
        Remark(**{**r, "values": {n: Said(v) if isinstance(v, dict) else v for n, v in r["values"].items()}})
        for r in data["remarks"]
    )
    return Result(exercise, data["points"], data["max_points"], data["status"], remarks)
