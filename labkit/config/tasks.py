"""The settings of the workbook's other tasks, each with its own defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from labkit.config.base import Config
from labkit.config.rules import Range, Rule
from labkit.messages import language, text


@dataclass(frozen=True)
class KahaniConfig(Config):
    """A tiny GPT on Kahani, text that never repeats; so there is no fraction of the data to take."""

    task: ClassVar[str] = "kahani"
    examples: ClassVar[Mapping[str, Mapping[str, Any]]] = {"baseline": {}, "mine": {"token_shift": True}}
    fraction: ClassVar[float] = 1.0  # type: ignore[misc]
    shift: ClassVar[int] = 0  # type: ignore[misc]
    label_smoothing: ClassVar[float] = 0.0  # type: ignore[misc]
    dropout: ClassVar[float] = 0.0  # type: ignore[misc]

    lang: str = field(default_factory=language)  # of the text: "en" or "hi"
    width: int = 64  # a multiple of heads; 16 to 128 on a laptop
    depth: int = 2  # blocks
    heads: int = 2
    context: int = 80  # characters of a window; five of six sentences fit whole, the longest has 146

    # The learning rate was found at width 32, in both languages; under muP it is the best of three from 16 to
    # 64. With 500 steps, three widths by three seeds take half a minute on a laptop.
    parametrization: str = "mup"
    base_width: int = 32
    learning_rate: float = 2e-2
    schedule: str = "cosine"
    warmup_steps: int = 25

    steps: int = 500
    batch_size: int = 8  # windows
    eval_every: int = 125
    token_shift: bool = False  # the method: each position also sees a learned share of the one before it

    def _conflicts(self, sound: Callable[[set[str]], bool]) -> list[str]:
        problems = super()._conflicts(sound)
        widths = {"width"} if self.parametrization == "standard" else {"width", "base_width"}
        for key in sorted(widths):
            width = getattr(self, key)
            if sound({key, "heads"}) and width % self.heads:
                problems.append(text("train.heads_do_not_divide", key=key, width=width, heads=self.heads))
        return problems


@dataclass(frozen=True)
class DigitsConfig(Config):
    """A small ResNet on images of handwritten digits, 8 by 8 pixels.

    Its batch normalisation looks at a whole batch, so a batch is not split.
    """

    task: ClassVar[str] = "digits"
    rules: ClassVar[Mapping[str, Rule]] = {**Config.rules, "shift": Range(0, 4, whole=True)}
    accumulate: ClassVar[int] = 1  # type: ignore[misc]
    dropout: ClassVar[float] = 0.0  # type: ignore[misc]

    width: int = 8  # channels of the first stage; 4 to 64 on a laptop
    depth: int = 1  # residual blocks in each of the two stages
    base_width: int = 8
    steps: int = 300
    batch_size: int = 64
    learning_rate: float = 1e-2  # the best of four for widths 8 to 32, in either parametrisation
    schedule: str = "cosine"
    shift: int = 0  # part A: shift each image circularly by up to this many of its 8 rows and columns
