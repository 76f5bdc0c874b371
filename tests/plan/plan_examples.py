"""Plans that several tests of the plan use."""

from __future__ import annotations

from typing import Any

import labkit as lk

PAIR = [("baseline", "baseline"), ("mine", "method")]
LESSON = [*PAIR, ("no A", "ablation"), ("no B", "ablation")]


def plan(settings: Any = LESSON, seeds: Any = (0, 1, 2), **changes: Any) -> lk.ComputePlan:
    """Return the lesson's example, sound and complete, with changes."""
    fields = {
        "question": "Does mine beat the baseline on MNIST-1D?",
        "seeds_why": "three show the spread between runs",
        "run_time": lk.Measured(40),
        "venue": lk.Venue("free notebook", session_hours=4, hours_per_week=12, checkpoint_minutes=10),
        "risks": ["sessions end without warning"],
    }
    return lk.ComputePlan(settings=settings, seeds=seeds, **{**fields, **changes})


def mixed() -> lk.ComputePlan:
    """Return a plan with run times of its own, a guess, ranges, prices, and Devanagari names."""
    return plan(
        settings=[
            lk.Setting("आधार", "baseline"),
            lk.Setting("मेरा तरीका", "method"),
            lk.Setting(
                "बड़ा model", "ablation", lk.Guess(90, "the small one scaled by its parameters"), priority=2
            ),
            lk.Setting("no <A> | *B*", "ablation"),
        ],
        seeds=[0, 1, 2, 3, 4],
        run_time=lk.Measured(40, low=35, high=50),
        venue=lk.Venue("paid machine", price_per_hour=80, currency="INR", days_available=10),
    )


def too_big() -> lk.ComputePlan:
    """Return an unsound plan whose plan B does not fit."""
    return plan(
        settings=PAIR, seeds=[5, 6], margin=0, run_time=lk.Guess(300), venue=None, risks=[], seeds_why=""
    )
