"""An honest sentence about what was found, made from the sizes really tested, and its limits."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.messages import number, text
from labkit.scaling.effects import Effect
from labkit.scaling.trends import Trend


@dataclass(frozen=True)
class Claim:
    """What may be said, and what must be said with it."""

    sentence: str
    limits: str

    def __str__(self) -> str:
        return f"{self.sentence}\n{self.limits}"


def claim(result: Trend | Effect, lang: str | None = None) -> Claim:
    """Return what a verdict allows to be claimed, and the limits that belong beside it.

    Nothing is said about sizes that were not run.

    Parameters
    ----------
    result : from `trend` or `effect`.
    lang : "en", "hi", or None for the language in use.
    """
    kind, values = _of_trend(result) if isinstance(result, Trend) else _of_effect(result, lang)
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


def _of_trend(result: Trend) -> tuple[str, dict[str, str]]:
    """Return the claim's kind, and what only a trend's sentence mentions."""
    if result.verdict == "steady":
        return f"trend_{result.direction}", {}
    return f"trend_{result.verdict.replace(' ', '_')}", {}


def _of_effect(result: Effect, lang: str | None) -> tuple[str, dict[str, str]]:
    """Return the claim's kind, and the sizes at which the method clearly lowers or raises the metric."""
    parts = []
    for which, sizes in (
        ("lower", [at.size for at in result.per_size if at.high < 0]),
        ("higher", [at.size for at in result.per_size if at.low > 0]),
        ("unclear", [at.size for at in result.per_size if not at.clear]),
    ):
        if sizes:
            shown = ", ".join(map(number, sizes))
            parts.append(text(f"scaling.claim_{which}", lang, sizes=shown, metric=result.metric))
    return f"effect_{result.verdict.replace(' ', '_')}", {"parts": "; ".join(parts)}
