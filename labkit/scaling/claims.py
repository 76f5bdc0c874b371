"""An honest sentence about what was found, made from the sizes really tested, and its limits."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.messages import folded, number, text
from labkit.scaling.effects import Effect
from labkit.scaling.table import TableError
from labkit.scaling.trends import Trend


@dataclass(frozen=True)
class Claim:
    """What may be said, and what must be said with it."""

    sentence: str
    limits: str

    def __str__(self) -> str:
        return folded(f"{self.sentence}\n{self.limits}")


def claim(result: Trend | Effect, lang: str | None = None) -> Claim:
    """Return what a verdict allows to be claimed, and the limits that belong beside it.

    Nothing is said about sizes that were not run.

    Parameters
    ----------
    result : from `trend` or `effect`.
    lang : "en", "hi", or None for the language in use.

    Raises
    ------
    TableError
        If `result` is anything else.
    """
    if type(result) not in (Trend, Effect):
        given = type(result).__name__
        raise TableError([text("scaling.no_claim", given=given)], "scaling.error_title_claim")
    verdict = result.verdict.replace(" ", "_")
    if isinstance(result, Effect):
        kind, values = f"effect_{verdict}", {"parts": _each_size(result, lang)}
    else:
        kind, values = f"trend_{result.direction if verdict == 'steady' else verdict}", {}
    first, last = result.per_size[0], result.per_size[-1]
    values |= {
        "metric": result.metric,
        "sizes": ", ".join(map(number, result.sizes)),
        "seeds": number(len(result.seeds)),
        "small": number(first.size),
        "large": number(last.size),
        "first": number(first.mean),
        "last": number(last.mean),
    }
    limits = [text("scaling.limits", lang, **values)]
    if result.verdict == "too noisy":
        limits.append(text("scaling.limits_noisy", lang))
    if result.diverged:
        limits.append(text("scaling.limits_diverged", lang, count=len(result.diverged)))
    return Claim(sentence=text(f"scaling.claim_{kind}", lang, **values), limits=" ".join(limits))


def _each_size(result: Effect, lang: str | None) -> str:
    """Say at which sizes the method clearly lowers or raises the metric."""
    parts = []
    for which, sizes in (
        ("lower", [at.size for at in result.per_size if at.high < 0]),
        ("higher", [at.size for at in result.per_size if at.low > 0]),
        ("unclear", [at.size for at in result.per_size if not at.clear]),
    ):
        if sizes:
            shown = ", ".join(map(number, sizes))
            parts.append(text(f"scaling.claim_{which}", lang, sizes=shown, metric=result.metric))
    return "; ".join(parts)
