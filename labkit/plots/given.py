"""What the figures refuse to draw, each time with what was given and what is expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from labkit.messages import text


def refusal(function: str, name: str, given: Any, expected: str, lang: str | None) -> ValueError:
    """Return the error that an argument is of a type that cannot be drawn; `expected` is in words."""
    found = type(given).__name__
    return ValueError(
        text("plots.wrong_type", lang, function=function, name=name, given=found, expected=expected)
    )


def need(given: Any, function: str, what: str, example: str, lang: str | None) -> None:
    """Raise a ValueError with an example if there is nothing to draw, or no mapping from labels."""
    if not isinstance(given, Mapping):
        expected = text("plots.expected_labels", lang, what=what, example=example)
        raise refusal(function, text("plots.argument", lang), given, expected, lang)
    if not given:
        raise ValueError(text("plots.nothing_to_draw", lang, function=function, what=what, example=example))


def judged(
    given: Mapping[str, Any], judge: Callable[..., Any], function: str, example: str, lang: str | None
) -> dict[str, Any]:
    """Return label → verdict; a pair of arguments is judged first.

    Raises
    ------
    ValueError
        If something is neither a verdict nor a pair; lists all of it.
    """
    expected = text("plots.expected_pair", lang, example=example)
    problems = [
        str(refusal(function, f"“{label}”", found, expected, lang))
        for label, found in given.items()
        if not hasattr(found, "verdict") and not (isinstance(found, list | tuple) and len(found) == 2)
    ]
    if problems:
        raise ValueError("\n".join(problems))
    return {label: found if hasattr(found, "verdict") else judge(*found) for label, found in given.items()}
