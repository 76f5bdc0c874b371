"""Check the parameters that a notebook was given, all of them at once, before anything is trained."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from labkit.forecast import is_number, is_whole
from labkit.messages import LANGUAGES, language, number, text


class ParameterError(ValueError):
    """Parameters that a notebook cannot run with.

    Attributes
    ----------
    wrong : name → the value that cannot be used.
    langs : the languages of the message; both where the notebook's own is not known.
    """

    def __init__(self, wrong: Mapping[str, Any], langs: Sequence[str]) -> None:
        self.wrong = dict(wrong)
        self.langs = tuple(langs)
        super().__init__("\n\n".join(_told(wrong, lang) for lang in langs))

    def __reduce__(self) -> tuple[type[ParameterError], tuple[dict[str, Any], tuple[str, ...]]]:
        return type(self), (self.wrong, self.langs)

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook: the fault is in the parameters, not in the code."""
        return str(self).splitlines()


@dataclass(frozen=True)
class Language:
    """A language that labkit speaks."""

    example: str

    def read(self, value: Any) -> str | None:
        """Return the value, None if it cannot be used; so in all the kinds of parameters."""
        return value if value in LANGUAGES else None

    def expected(self, lang: str) -> str:
        """Say what the value should be."""
        return text("parameters.language", lang)


@dataclass(frozen=True)
class Switch:
    """On or off. A word will not do: “no” would count as yes."""

    example: bool

    def read(self, value: Any) -> bool | None:
        """Return the value, None if it is not one of the two."""
        return value if isinstance(value, bool) else None

    def expected(self, lang: str) -> str:
        """Say what the value should be."""
        return text("parameters.switch", lang)


@dataclass(frozen=True)
class Number:
    """A number, or a whole number, from `low` to `high`."""

    example: float
    low: float
    high: float
    whole: bool = True

    def read(self, value: Any) -> float | None:
        """Return the value, None if it is no such number."""
        suits = is_whole(value, least=0) if self.whole else is_number(value)
        return value if suits and self.low <= value <= self.high else None

    def expected(self, lang: str) -> str:
        """Say what the value should be."""
        which = "parameters.whole" if self.whole else "parameters.number"
        return text(which, lang, low=number(self.low), high=number(self.high))


@dataclass(frozen=True)
class Several:
    """At least two different whole numbers from `low` to `high`, as a list or as text with commas."""

    example: str
    low: int
    high: int
    even: bool = False

    def read(self, value: Any) -> list[int] | None:
        """Return the numbers as a list, None if one of them cannot be used."""
        if isinstance(value, str):
            value = value.strip(" ,[]()").split(",")
        items = value if isinstance(value, list | tuple) else [value]
        numbers = [
            int(item) if isinstance(item, str) and item.strip().isdecimal() else item for item in items
        ]
        if not all(is_whole(one, self.low) and one <= self.high for one in numbers):
            return None
        if self.even and any(one % 2 for one in numbers):
            return None
        return numbers if 2 <= len(set(numbers)) == len(numbers) else None

    def expected(self, lang: str) -> str:
        """Say what the value should be."""
        which = "parameters.several_even" if self.even else "parameters.several"
        return text(which, lang, low=number(self.low), high=number(self.high))


Rule = Language | Switch | Number | Several

_SEED = 2**32 - 1  # the largest that every random generator takes
RULES: dict[str, Rule] = {
    "lang": Language("en"),
    "fast": Switch(False),
    "live_method": Switch(False),
    "train_the_large_one": Switch(False),
    "seed": Number(0, 0, _SEED),
    "seeds": Several("0, 1, 2", 0, _SEED),
    "sizes": Several("16, 32, 64", 2, 4096, even=True),  # the GPT has two heads, which share its width
    "width": Number(64, 1, 65_536),
    "small_width": Number(32, 1, 4096),
    "growth": Number(4, 2, 64),
    "steps": Number(500, 10, 1_000_000),
    "long_steps": Number(12_000, 100, 1_000_000_000),
    "fit_steps": Number(2000, 40, 1_000_000),  # evaluated forty times
    "margin": Number(0.5, 0, 10, whole=False),
}


def check_parameters(**given: Any) -> dict[str, Any]:
    """Return a notebook's parameters, lists of numbers as lists even where they came as text.

    Parameters
    ----------
    given : name → value, for names in `RULES`.

    Raises
    ------
    ParameterError
        Listing every parameter that cannot be used: what was given, what is expected, and an example; in
        the language `lang` if that is among them.
    """
    values = {name: RULES[name].read(value) for name, value in given.items()}
    wrong = {name: given[name] for name, value in values.items() if value is None}
    if wrong:
        lang = given.get("lang", language())
        raise ParameterError(wrong, LANGUAGES if "lang" in wrong else [lang])
    return values


def usable(name: str, value: Any) -> bool:
    """Say whether a notebook can run with this value; a parameter without a rule may be anything."""
    return name not in RULES or RULES[name].read(value) is not None


def _told(wrong: Mapping[str, Any], lang: str) -> str:
    lines = [
        text(
            "parameters.wrong",
            lang,
            name=name,
            given=reprlib.repr(value),
            expected=RULES[name].expected(lang),
            example=f'"{example}"' if isinstance(example := RULES[name].example, str) else example,
        )
        for name, value in wrong.items()
    ]
    return "\n".join([text("parameters.title", lang), *lines, text("parameters.advice", lang)])
