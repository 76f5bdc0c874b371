"""Rounds of tuning: what they cost, what carries over from one to the next, and the plan they make."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from labkit.messages import duration, number, text
from labkit.plan import ComputePlan, Guess, Measured, Setting, Venue
from labkit.training_length.result import Result, TrainingLengthError

USUAL_ROUNDS = 3
# What is expected to hold in longer runs, most to least likely; from "perhaps" on, check again
# (Deep Learning Tuning Playbook, CC BY 4.0; on picking rates short-sightedly: Wu et al., arXiv 1803.02021).
TRANSFER = (
    ("warm-up length", "very likely"),
    ("initialisation", "very likely"),
    ("architecture", "likely"),
    ("optimiser", "perhaps"),
    ("augmentation", "perhaps"),
    ("regularisation", "perhaps"),
    ("learning-rate schedule", "unlikely"),
)


@dataclass(frozen=True)
class Round:
    """One round of tuning.

    Attributes
    ----------
    place : 1 for the first round.
    trials, steps : how many trials of how many steps each.
    minutes : time of one trial; `low` and `high` its range.
    share : steps over production length.
    """

    place: int
    trials: int
    steps: int
    minutes: float
    low: float
    high: float
    share: float

    @property
    def hours(self) -> float:
        """Hours of all trials, without a margin."""
        return self.trials * self.minutes / 60


@dataclass(frozen=True)
class Transfer:
    """What one kind of finding from short runs is worth in longer ones.

    Attributes
    ----------
    what : a name out of `TRANSFER`.
    likelihood : "very likely", "likely", "perhaps" or "unlikely".
    """

    what: str
    likelihood: str

    @property
    def recheck(self) -> bool:
        """Whether it must be checked again in the next round."""
        return self.likelihood in ("perhaps", "unlikely")

    def to_text(self, lang: str | None = None) -> str:
        """Return the finding and its likelihood in words."""
        what = text("training_length.transfer_" + self.what.replace(" ", "_").replace("-", "_"), lang)
        return f"{what}: {text('training_length.likelihood_' + self.likelihood.replace(' ', '_'), lang)}"


@dataclass(frozen=True, repr=False)
class Rounds(Result):
    """Rounds of tuning with growing step limits.

    Attributes
    ----------
    verdict : "fits" or "does not fit" (then there are no rounds).
    rounds : the rounds in order, the last at production length.
    budget_hours, margin : as given; hours of the rounds × (1 + margin) stay within the budget.
    production_steps : length of the last round's trials.
    longest_steps : the longest production length for which the budget would do.
    measured : whether the time of a step was measured or given as a number.
    count : how many rounds were asked for; one that could not compare two trials is left out.
    transfer : what is expected to hold from round to round, most to least likely.
    """

    verdict: str
    rounds: tuple[Round, ...]
    budget_hours: float
    margin: float
    production_steps: int
    longest_steps: int
    measured: bool
    count: int = 2
    transfer: tuple[Transfer, ...] = field(default_factory=lambda: tuple(Transfer(*t) for t in TRANSFER))

    @property
    def hours(self) -> float:
        """Hours of all rounds, without the margin."""
        return math.fsum(one.hours for one in self.rounds)

    @property
    def total_hours(self) -> float:
        """Hours of all rounds, margin included."""
        return self.hours * (1 + self.margin)

    @property
    def recheck(self) -> tuple[Transfer, ...]:
        """What each longer round must check again."""
        return tuple(one for one in self.transfer if one.recheck)

    @property
    def numbers(self) -> dict[str, Any]:
        """Hours, budget, and one dict for each round."""
        return {
            "budget_hours": self.budget_hours,
            "total_hours": self.total_hours,
            "margin": self.margin,
            "production_steps": self.production_steps,
            "longest_steps": self.longest_steps,
            "rounds": [{"trials": one.trials, "steps": one.steps, "hours": one.hours} for one in self.rounds],
        }

    def reason(self, lang: str | None = None) -> str:
        """Return the rounds line by line, and what carries over."""
        values = {
            "runs": duration(3600 * self.hours, lang),
            "hours": duration(3600 * self.total_hours, lang),
            "budget": duration(3600 * self.budget_hours, lang),
            "margin": number(100 * self.margin),
            "production_steps": number(self.production_steps),
            "longest": number(self.longest_steps),
        }
        if not self.rounds:
            alone = self.count == 1
            reason = "training_length.rounds_too_long_single" if alone else "training_length.rounds_too_long"
            return text(reason, lang, **values)
        lines = [text("training_length.rounds_total", lang, **values)]
        lines += [
            text(
                "training_length.round",
                lang,
                place=one.place,
                trials=number(one.trials),
                steps=number(one.steps),
                percent=number(100 * one.share, 2),
                hours=duration(3600 * one.hours, lang),
            )
            for one in self.rounds
        ]
        if len(self.rounds) > USUAL_ROUNDS:
            lines.append(text("training_length.many_rounds", lang))
        if len(self.rounds) > 1:
            lines.append(text("training_length.rounds_why", lang))
            lines.append(text("training_length.rounds_transfer", lang))
            lines += [f"- {one.to_text(lang)}" for one in self.transfer]
            lines.append(text("training_length.rounds_recheck", lang))
        return "\n".join(lines)

    def to_plan(
        self,
        question: str,
        settings: Sequence[tuple[str, str]] = (("baseline", "baseline"), ("mine", "method")),
        seeds: Sequence[int] = (0, 1, 2),
        *,
        seeds_why: str = "",
        venue: Venue | None = None,
        risks: Sequence[str] = (),
        lang: str | None = None,
    ) -> ComputePlan:
        """Return the rounds as a compute plan, whose total stays within the budget.

        Every setting gets the same tuning, so that the comparison is fair: its share of each round's trials,
        as many points as there are for every seed. One "run" of the plan is one round of one setting with one
        seed. Trials that do not divide evenly are left out.

        Parameters
        ----------
        question, seeds, seeds_why, venue, risks : as in `ComputePlan`.
        settings : (name, role) each.
        lang : language of the settings' names.

        Raises
        ------
        TrainingLengthError
            If the rounds do not fit, or a round has fewer trials than settings × seeds.
        PlanError
            As `ComputePlan` does.
        """
        share = max(1, len(settings) * len(seeds))
        problems = [
            text("training_length.too_few_trials", place=one.place, trials=one.trials, needed=share)
            for one in self.rounds
            if one.trials < share
        ]
        if not self.rounds:
            problems.append(self.reason(lang))
        if problems:
            raise TrainingLengthError(problems)
        parts = [
            Setting(
                text(
                    "training_length.plan_setting",
                    lang,
                    setting=name,
                    place=one.place,
                    points=one.trials // share,
                    steps=number(one.steps),
                ),
                role,  # type: ignore[arg-type]  # ComputePlan's own check names the roles
                self._run_time(one, one.trials // share, lang),
            )
            for name, role in settings
            for one in self.rounds
        ]
        return ComputePlan(
            question,
            parts,
            tuple(seeds),
            seeds_why,
            None,
            margin=self.margin,
            venue=venue,
            risks=tuple(risks),
        )

    def _run_time(self, one: Round, points: int, lang: str | None) -> Measured | Guess:
        if self.measured:
            return Measured(*(points * minutes for minutes in (one.minutes, one.low, one.high)))
        return Guess(points * one.minutes, text("training_length.plan_guess", lang))
