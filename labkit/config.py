"""The settings of one training run: what may be set, why the defaults are what they are, what is refused."""

from __future__ import annotations

import dataclasses
import json
import numbers
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from labkit.messages import number, text

RUNNING_EXAMPLE = ("baseline", "mine", "no A", "no B")


@dataclass(frozen=True)
class Config:
    """Everything that decides a training run; two runs with equal configs on one CPU end in equal weights.

    The fields below are for the workbook's first workload, an MLP on MNIST-1D.

    Raises
    ------
    ConfigError
        If any value cannot be used; the message lists every one.
    """

    # The model. A width of 16 to 1024 is sensible on a laptop; 64 makes a step of about 0.6 ms.
    width: int = 64
    depth: int = 2  # hidden layers; 1 to 4 without normalisation layers

    # The length. 1000 steps of 100 are 25 epochs of MNIST-1D: about a second, enough to see the loss fall.
    steps: int = 1000
    batch_size: int = 100  # 16 to 1000; a subset smaller than this is one batch

    # The optimiser. AdamW forgives a learning rate that is off by three; 3e-4 to 1e-2 train this MLP.
    optimizer: str = "adamw"  # or "sgd", with momentum 0.9: then try a learning rate near 0.05
    learning_rate: float = 3e-3
    weight_decay: float = 0.01  # torch's default for AdamW; 0 to 0.1

    # Chance and data. One seed decides the first weights, the order of the data and every random shift.
    seed: int = 0
    fraction: float = 1.0  # of the training data; 0.01 to find bugs, 1.0 once the pipeline works

    # The method's two parts; with both off this is the baseline.
    shift: int = 0  # part A: shift each example circularly by up to this many of its 40 positions
    label_smoothing: float = 0.0  # part B: 0.1 is the usual value

    # The machine. Both options change the speed and the memory; whether for the better is measured.
    precision: str = "float32"  # or "bfloat16": autocast, the weights stay float32
    accumulate: int = 1  # split a batch that does not fit into this many parts; the gradient is the same
    device: str = "auto"  # CUDA or MPS where present, else the CPU
    threads: int = 1  # CPU threads of a step: for a model this small one is fastest, and it alone stays so
    # while other programs are at work (two can then take 100 times as long); 0 leaves it to torch

    # The record. A checkpoint takes a few milliseconds; losing 100 steps costs less than a tenth of a second.
    eval_every: int = 100
    checkpoint_every: int = 100

    def __post_init__(self) -> None:
        problems = _problems(self)
        if problems:
            raise ConfigError(problems)

    @classmethod
    def running_example(cls, setting: str, **changes: Any) -> Self:
        """Return one setting of the workbook's running example.

        "mine" is "baseline" plus part A, random circular shifts, and part B, label smoothing; "no A" and
        "no B" are "mine" with one part taken away.

        Parameters
        ----------
        setting : one of "baseline", "mine", "no A", "no B".
        changes : other fields, such as `seed=1`.

        Raises
        ------
        ConfigError
            If the setting or a changed field is unknown, or a value cannot be used.
        """
        if setting not in RUNNING_EXAMPLE:
            raise ConfigError([_wrong("setting", setting, _one_of(RUNNING_EXAMPLE))])
        parts = {
            "shift": 0 if setting in ("baseline", "no A") else 3,
            "label_smoothing": 0.0 if setting in ("baseline", "no B") else 0.1,
        }
        return cls.from_dict(parts | changes)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the config with these values and defaults for the rest.

        Raises
        ------
        ConfigError
            If a key is unknown or a value cannot be used; lists every one and the known keys.
        """
        if not isinstance(values, Mapping):
            raise ConfigError([_wrong("config", values, text("train.expected_table"))])
        known = [field.name for field in dataclasses.fields(cls)]
        unknown = [str(key) for key in values if key not in known]
        problems = [text("train.unknown_key", key=key) for key in unknown]
        if unknown:
            problems.append(text("train.known_keys", known=", ".join(known)))
        usable = {key: value for key, value in values.items() if key in known}
        try:
            config = cls(**usable)
        except ConfigError as error:
            problems = error.problems + problems
        if problems:
            raise ConfigError(problems) from None
        return config

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a config from a JSON file.

        Raises
        ------
        ConfigError
            If the file is not JSON, or as `from_dict` does.
        FileNotFoundError
            If there is no such file.
        """
        try:
            values = json.loads(Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise ConfigError([text("train.not_json", path=Path(path), reason=error)]) from None
        return cls.from_dict(values)

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as plain values, ready for JSON."""
        return {field.name: _plain(getattr(self, field.name)) for field in dataclasses.fields(self)}


class ConfigError(ValueError):
    """A config cannot be used. `.problems` lists every fault as a sentence."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join([text("train.bad_config"), *(f"- {problem}" for problem in problems)]))

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook: the traceback leads only into labkit."""
        return str(self).splitlines()


@dataclass(frozen=True)
class _Range:
    """The values a number may have; an open end is not included."""

    low: float
    high: float
    whole: bool = False
    open_low: bool = False
    open_high: bool = False

    def holds(self, value: Any) -> bool:
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
class _OneOf:
    """The words a field may be."""

    words: tuple[str, ...]

    def holds(self, value: Any) -> bool:
        return isinstance(value, str) and (value in self.words or self._numbered_gpu(value))

    def _numbered_gpu(self, value: str) -> bool:
        return "cuda" in self.words and value.startswith("cuda:") and value[5:].isdecimal()

    def __str__(self) -> str:
        return _one_of(self.words)


_ALLOWED: dict[str, _Range | _OneOf] = {
    "width": _Range(1, 65_536, whole=True),
    "depth": _Range(1, 100, whole=True),
    "steps": _Range(1, 1_000_000_000, whole=True),
    "batch_size": _Range(1, 1_000_000, whole=True),
    "optimizer": _OneOf(("adamw", "sgd")),
    "learning_rate": _Range(0, 100, open_low=True),
    "weight_decay": _Range(0, 10),
    "seed": _Range(0, 2**32 - 1, whole=True),
    "fraction": _Range(0, 1, open_low=True),
    "shift": _Range(0, 20, whole=True),
    "label_smoothing": _Range(0, 1, open_high=True),
    "precision": _OneOf(("float32", "bfloat16")),
    "accumulate": _Range(1, 1_000_000, whole=True),
    "device": _OneOf(("auto", "cpu", "cuda", "mps")),
    "threads": _Range(0, 1024, whole=True),
    "eval_every": _Range(1, 1_000_000_000, whole=True),
    "checkpoint_every": _Range(1, 1_000_000_000, whole=True),
}


def _problems(config: Config) -> list[str]:
    wrong = {key: rule for key, rule in _ALLOWED.items() if not rule.holds(getattr(config, key))}
    problems = [_wrong(key, getattr(config, key), str(rule)) for key, rule in wrong.items()]
    if not wrong.keys() & {"accumulate", "batch_size"} and config.accumulate > config.batch_size:
        problems.append(
            text("train.accumulate_too_large", accumulate=config.accumulate, batch_size=config.batch_size)
        )
    return problems


def _wrong(key: str, value: object, expected: str) -> str:
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return text("train.wrong_value", key=key, value=shown, expected=expected)


def _one_of(words: tuple[str, ...]) -> str:
    return text("train.expected_choice", choices=", ".join(f'"{word}"' for word in words))


def _plain(value: Any) -> Any:
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value) if isinstance(value, numbers.Real) else value
