"""The settings of a training run, and the first task's defaults."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from labkit.config.rules import ALLOWED, ConfigError, OneOf, Rule, plain, wrong
from labkit.messages import text


@dataclass(frozen=True)
class Config:
    """Everything that decides a training run; two runs with equal configs on one CPU end in equal weights.

    The fields below are for the workbook's first task, an MLP on MNIST-1D. `KahaniConfig` and
    `DigitsConfig` are for the others.

    Raises
    ------
    ConfigError
        If any value cannot be used; the message lists every one.
    """

    task: ClassVar[str] = "mnist1d"  # decides the workload, see `labkit.workload.of`
    examples: ClassVar[Mapping[str, Mapping[str, Any]]] = {  # the settings of the running example
        "baseline": {},
        "mine": {"shift": 3, "label_smoothing": 0.1},
        "no A": {"label_smoothing": 0.1},
        "no B": {"shift": 3},
    }
    rules: ClassVar[Mapping[str, Rule]] = ALLOWED

    # The model. A width of 16 to 1024 is sensible on a laptop; 64 makes a step of about 0.6 ms.
    width: int = 64
    depth: int = 2  # hidden layers; 1 to 4 without normalisation layers

    # How first weights and learning rates follow the width: "standard", or "mup", under which a learning
    # rate found at base_width serves every width. At base_width the learning rates of the two are equal.
    parametrization: str = "standard"
    base_width: int = 64

    # The length. 1000 steps of 100 are 25 epochs of MNIST-1D: about a second, enough to see the loss fall.
    steps: int = 1000
    batch_size: int = 100  # 16 to 1000; a subset smaller than this is one batch

    # The optimiser. AdamW forgives a learning rate that is off by three; 3e-4 to 1e-2 train this MLP.
    optimizer: str = "adamw"  # or "sgd", with momentum 0.9: then try a learning rate near 0.05
    learning_rate: float = 3e-3
    weight_decay: float = 0.01  # torch's default for AdamW; 0 to 0.1
    schedule: str = "constant"  # or "linear" or "cosine": falls to 0 over the steps after the warm-up
    warmup_steps: int = 0  # of rising learning rate; 0 to a tenth of the steps

    # Chance and data. One seed decides the first weights, the order of the data and every random shift.
    seed: int = 0
    fraction: float = 1.0  # of the training data; 0.01 to find bugs, 1.0 once the pipeline works

    # The method's two parts; with both off this is the baseline.
    shift: int = 0  # part A: shift each example circularly by up to this many of its 40 positions
    label_smoothing: float = 0.0  # part B: 0.1 is the usual value
    dropout: float = 0.0  # chance that a hidden unit is left out of a step; 0.1 to 0.5 where it is used

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
        rules = {key: rule for key, rule in self.rules.items() if key in self.settings()}
        unsound = {key for key, rule in rules.items() if not rule.holds(getattr(self, key))}
        problems = [wrong(key, getattr(self, key), rules[key]) for key in rules if key in unsound]
        problems += self._conflicts(unsound.isdisjoint)
        if problems:
            raise ConfigError(problems)

    def _conflicts(self, sound: Callable[[set[str]], bool]) -> list[str]:
        """Return what is wrong between settings, as far as those concerned are sound by themselves."""
        problems = []
        if sound({"accumulate", "batch_size"}) and self.accumulate > self.batch_size:
            problems.append(
                text("train.accumulate_too_large", accumulate=self.accumulate, batch_size=self.batch_size)
            )
        if sound({"warmup_steps", "steps"}) and self.warmup_steps >= self.steps:
            problems.append(text("train.warmup_too_long", warmup_steps=self.warmup_steps, steps=self.steps))
        return problems

    @classmethod
    def settings(cls) -> list[str]:
        """Return the names of this task's settings."""
        return [field.name for field in dataclasses.fields(cls)]

    @classmethod
    def running_example(cls, setting: str, **changes: Any) -> Self:
        """Return one setting of the workbook's running example.

        On MNIST-1D and the digits "mine" is "baseline" plus part A, random circular shifts, and part B,
        label smoothing; "no A" and "no B" are "mine" with one part taken away. On Kahani "mine" is
        "baseline" plus the token shift.

        Parameters
        ----------
        setting : one of the keys of `examples`.
        changes : other settings, such as `seed=1`.

        Raises
        ------
        ConfigError
            If the setting or a changed one is unknown, or a value cannot be used.
        """
        if setting not in cls.examples:
            raise ConfigError([wrong("setting", setting, OneOf(tuple(cls.examples)))])
        return cls.from_dict({**cls.examples[setting], **changes})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the config with these values and defaults for the rest.

        With a "task" among the values, as `to_dict` writes it, the config is that task's.

        Raises
        ------
        ConfigError
            If a key is unknown or a value cannot be used; lists every one and the known keys.
        """
        if not isinstance(values, Mapping):
            raise ConfigError([wrong("config", values, text("train.expected_table"))])
        kind = cls._of_task(values.get("task", cls.task))
        known = kind.settings()
        unknown = [str(key) for key in values if key not in (*known, "task")]
        problems = [text("train.unknown_key", key=key) for key in unknown]
        if unknown:
            problems.append(text("train.known_keys", known=", ".join(known)))
        usable = {key: value for key, value in values.items() if key in known}
        try:
            config = kind(**usable)
        except ConfigError as error:
            problems = error.problems + problems
        if problems:
            raise ConfigError(problems) from None
        return config

    @classmethod
    def _of_task(cls, task: object) -> type[Self]:
        kinds = {kind.task: kind for kind in (*cls.__subclasses__(), cls)}
        if not isinstance(task, str) or task not in kinds:
            raise ConfigError([wrong("task", task, OneOf(tuple(kinds)))])
        return kinds[task]

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
        """Return the task and all settings as plain values, ready for JSON."""
        return {"task": self.task} | {key: plain(getattr(self, key)) for key in self.settings()}


RUNNING_EXAMPLE = tuple(Config.examples)
