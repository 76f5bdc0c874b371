"""What each setting may be, and how a wrong one is told."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import Any

from labkit.messages import LANGUAGES, number, text


class ConfigError(ValueError):
    """A config cannot be used. `.problems` lists every fault as a sentence."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join([text("train.bad_config"), *(f"- {problem}" for problem in problems)]))

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook: the traceback leads only into labkit."""
        return str(self).splitlines()


@dataclass(frozen=True)
class Range:
    """The values a number may have; an open end is not included."""

    low: float
    high: float
    whole: bool = False
    open_low: bool = False
    open_high: bool = False

    def holds(self, value: Any) -> bool:
        """Whether the value is a number in the range."""
        kind = numbers.Integral if self.whole else numbers.Real
        if isinstance(value, bool) or not isinstance(value, kind):
            return False
        x: Any = value  # NaN passes neither comparison
        above = x > self.low if self.open_low else x >= self.low
        below = x < self.high if self.open_high else x <= self.high
        return bool(above and below)

    def __str__(self) -> str:
        kind = (
            "whole" if self.whole else "above" if self.open_low else "below" if self.open_high else "number"
        )
        return text(f"train.expected_{kind}", low=number(self.low, 20), high=number(self.high, 20))


@dataclass(frozen=True)
class OneOf:
    """The words a setting may be."""

    words: tuple[str, ...]

    def holds(self, value: Any) -> bool:
        """Whether the value is one of the words, or a numbered GPU where "cuda" is one."""
        return isinstance(value, str) and (value in self.words or self._numbered_gpu(value))

    def _numbered_gpu(self, value: str) -> bool:
        return "cuda" in self.words and value.startswith("cuda:") and value[5:].isdecimal()

    def __str__(self) -> str:
        return text("train.expected_choice", choices=", ".join(f'"{word}"' for word in self.words))


@dataclass(frozen=True)
class Switch:
    """A setting that is on or off."""

    def holds(self, value: Any) -> bool:
        """Whether the value is True or False."""
        return isinstance(value, bool)

    def __str__(self) -> str:
        return text("train.expected_choice", choices="True, False")


Rule = Range | OneOf | Switch

ALLOWED: dict[str, Rule] = {
    "width": Range(1, 65_536, whole=True),
    "depth": Range(1, 100, whole=True),
    "heads": Range(1, 1024, whole=True),
    "context": Range(1, 65_536, whole=True),
    "token_shift": Switch(),
    "lang": OneOf(LANGUAGES),
    "parametrization": OneOf(("standard", "mup")),
    "base_width": Range(1, 65_536, whole=True),
    "steps": Range(1, 1_000_000_000, whole=True),
    "batch_size": Range(1, 1_000_000, whole=True),
    "optimizer": OneOf(("adamw", "sgd")),
    "learning_rate": Range(0, 100, open_low=True),
    "schedule": OneOf(("constant", "linear", "cosine")),
    "warmup_steps": Range(0, 1_000_000_000, whole=True),
    "weight_decay": Range(0, 10),
    "seed": Range(0, 2**32 - 1, whole=True),
    "fraction": Range(0, 1, open_low=True),
    "shift": Range(0, 20, whole=True),
    "label_smoothing": Range(0, 1, open_high=True),
    "dropout": Range(0, 1, open_high=True),
    "precision": OneOf(("float32", "bfloat16")),
    "accumulate": Range(1, 1_000_000, whole=True),
    "device": OneOf(("auto", "cpu", "cuda", "mps")),
    "threads": Range(0, 1024, whole=True),
    "eval_every": Range(1, 1_000_000_000, whole=True),
    "checkpoint_every": Range(1, 1_000_000_000, whole=True),
}


def wrong(key: str, value: object, expected: object) -> str:
    """Return the sentence that says what a setting is and what it should be."""
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return text("train.wrong_value", key=key, value=shown, expected=expected)


def plain(value: Any) -> Any:
    """Return a number of any library as Python's own, ready for JSON; anything else as it is."""
    if isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value) if isinstance(value, numbers.Real) else value
