"""Rubrics of notebook 4, "How long to train", on curves and sweeps (4.1 to 4.4, 4.7)."""

from __future__ import annotations

from collections.abc import Iterator

from labkit.checks.core import AnswerError, Remark, part, right, rubric, wrong
from labkit.checks.picks import graded_picks, slug
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import choice, fields, unanswered

WORKLOADS = ("mnist1d", "kahani")
CURVES = {"A": "compute-bound", "B": "not compute-bound", "C": "cannot tell", "D": "not compute-bound"}
STUDIES = {
    "A": "far too long",
    "B": "train longer",
    "C": "keep",
    "D": "not comparable",
    "E": "keep",
    "F": "train longer",
}
CONCLUSIONS = {
    "A": "very likely",
    "B": "very likely",
    "C": "likely",
    "D": "perhaps",
    "E": "perhaps",
    "F": "perhaps",
    "G": "unlikely",
    "H": "unlikely",
}
_LIKELIHOODS = ("very likely", "likely", "perhaps", "unlikely")


@rubric("4.1", points=1)
def predicted_kinds(answer: JSON) -> Iterator[Remark]:
    """Grade that the kind of two workloads was predicted, not how good the prediction is."""

    def about(workload: str, _picked: str) -> Remark:
        return right("checks.4_1.right", name=workload)

    yield from graded_picks(answer, WORKLOADS, ("compute-bound", "not compute-bound"), 0.5, about)


@rubric("4.2", points=4)
def curves(answer: JSON) -> Iterator[Remark]:
    """Grade which kind of workload four pictured runs show, one point each."""

    def about(curve: str, picked: str) -> Remark:
        if picked == CURVES[curve]:
            return right(f"checks.4_2.{curve}_right")
        return wrong(f"checks.4_2.{curve}_{slug(picked)}")

    options = ("compute-bound", "not compute-bound", "cannot tell")
    yield from graded_picks(answer, CURVES, options, 1, about)


@rubric("4.3", points=2)
def edge_of_a_sweep(answer: JSON) -> Iterator[Remark]:
    """Grade a sweep whose best rate is the largest tried: no first guess, and larger rates next."""
    guess, following = fields(answer, "guess", "next")
    yield part(1, _first_guess, guess)
    yield part(1, _next_sweep, following)


def _first_guess(guess: JSON) -> Remark:
    if guess is None:
        raise unanswered("first_guess")
    if isinstance(guess, int | float) and not isinstance(guess, bool):
        return wrong("checks.4_3.read_anyway", given=shown(guess))
    if not isinstance(guess, str) or guess.strip(" .").casefold() != "no answer":
        raise AnswerError("checks.4_3.not_a_guess", given=shown(guess))
    return right("checks.4_3.guess_right")


def _next_sweep(following: JSON) -> Remark:
    picked = choice(following, "next_sweep", ("larger rates", "smaller rates", "longer trials"))
    if picked == "larger rates":
        return right("checks.4_3.next_right")
    return wrong(f"checks.4_3.{slug(picked)}")


@rubric("4.4", points=3)
def best_steps(answer: JSON) -> Iterator[Remark]:
    """Grade what to change after six studies, from where their best steps fell, half a point each."""

    def about(study: str, picked: str) -> Remark:
        if picked == STUDIES[study]:
            return right(f"checks.4_4.{slug(picked)}_right", name=study)
        if STUDIES[study] == "not comparable":
            return wrong("checks.4_4.unequal", name=study)
        return wrong(f"checks.4_4.not_{slug(picked)}", name=study)

    options = ("far too long", "train longer", "keep", "not comparable")
    yield from graded_picks(answer, STUDIES, options, 0.5, about)


@rubric("4.7", points=4)
def carried_over(answer: JSON) -> Iterator[Remark]:
    """Grade how likely eight conclusions of a short run hold for a long one.

    Half a point each, a quarter for the likelihood next to the right one.

    From the Deep Learning Tuning Playbook (https://github.com/google-research/tuning_playbook, CC BY 4.0).
    """

    def about(conclusion: str, picked: str) -> Remark:
        truth = CONCLUSIONS[conclusion]
        if picked == truth:
            return right(f"checks.4_7.{slug(picked)}_right", name=conclusion)
        apart = abs(_LIKELIHOODS.index(picked) - _LIKELIHOODS.index(truth))
        return wrong(f"checks.4_7.wrong_{conclusion}", 0.25 if apart == 1 else 0)

    yield from graded_picks(answer, CONCLUSIONS, _LIKELIHOODS, 0.5, about)
