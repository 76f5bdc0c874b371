"""Check the exercises of the notebooks: `check("2.4", answer)` in a notebook, `grade` for everyone else."""

from labkit.checks.core import Phrase, Remark, Result, UnknownExerciseError, exercises, grade, inputs, points
from labkit.checks.display import ANSWER_TYPE, Points, check, to_html, to_text
from labkit.checks.plain import to_plain

__all__ = [
    "ANSWER_TYPE",
    "Phrase",
    "Points",
    "Remark",
    "Result",
    "UnknownExerciseError",
    "check",
    "exercises",
    "grade",
    "inputs",
    "points",
    "to_html",
    "to_plain",
    "to_text",
]
