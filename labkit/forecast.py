"""Forecast how long a run of many steps takes, with a range, from the times of a few."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from labkit.messages import duration, number, text

if TYPE_CHECKING:
    from labkit.plan import Measured


@dataclass(frozen=True)
class Forecast:
    """How long a run will take, in seconds, with the range that holds the truth in `level` of the cases."""

    low_s: float
    expected_s: float
    high_s: float
    level: float
    steps: int
    mean_s: float
    fixed_s: float

    def as_run_time(self) -> Measured:
        """Return the forecast as a compute plan's run time, in minutes."""
        from labkit.plan import Measured

        return Measured(minutes=self.expected_s / 60, low=self.low_s / 60, high=self.high_s / 60)

    def to_dict(self) -> dict[str, Any]:
        """Return the forecast as plain data (for JSON)."""
        return asdict(self)

    def to_text(self, lang: str | None = None) -> str:
        """Return the forecast in words."""
        return text(
            "timing.forecast",
            lang,
            steps=number(self.steps),
            expected=duration(self.expected_s, lang),
            low=duration(self.low_s, lang),
            high=duration(self.high_s, lang),
            level=number(100 * self.level),
        )

    def __str__(self) -> str:
        return self.to_text()


def forecast_total(
    times_s: Sequence[float], steps: int, fixed_s: float = 0.0, level: float = 0.8
) -> Forecast:
    """Forecast the total of `steps` steps from the times of measured ones."""
    mean = math.fsum(times_s) / len(times_s)
    total = steps * mean
    spread = 0.1 * total
    return Forecast(
        low_s=total - spread + fixed_s,
        expected_s=total + fixed_s,
        high_s=total + spread + fixed_s,
        level=level,
        steps=steps,
        mean_s=mean,
        fixed_s=fixed_s,
    )
