"""Buttons for a few settings, and below them a picture or a sentence that follows at once."""

from __future__ import annotations

import html
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import ipywidgets as ipw

from labkit.messages import number, text
from labkit.widgets.fields import choice

Changed = Callable[[], None]


def explore(
    show: Callable[..., Any],
    options: Mapping[str, Sequence[Any]],
    chosen: Mapping[str, Any],
    labels: Mapping[str, str] | None = None,
    lang: str | None = None,
) -> Explorer:
    """Return buttons for the options, with what `show` makes of the chosen ones below.

    Parameters
    ----------
    show : called with the chosen values by name; returns a labkit figure, or text.
    options : name of a setting → its possible values.
    chosen : name → the value at the start; a list of values makes a setting of which several may be chosen.
    labels : name → the words beside the buttons; the name itself where there are none.

    Raises
    ------
    ValueError
        If an argument has the wrong type, `show` does not take the settings by name, or what is chosen at
        the start is missing or not among the options; lists all of it.
    """
    problems = _of_wrong_type(show, options, chosen, lang)
    if isinstance(options, Mapping) and isinstance(chosen, Mapping):
        problems += [p for name, known in options.items() if (p := _start(name, known, chosen, lang))]
    if problems:
        raise ValueError("\n".join(problems))
    return Explorer(show, options, chosen, labels or {})


def _of_wrong_type(show: Any, options: Any, chosen: Any, lang: str | None) -> list[str]:
    """Return what is wrong with the arguments before the options are looked at one by one."""
    problems = []
    if not callable(show):
        problems.append(text("widgets.explore.no_function", lang, given=type(show).__name__))
    elif isinstance(options, Mapping):
        problems += _arguments(show, options, lang)
    for name, given in (("options", options), ("chosen", chosen)):
        if not isinstance(given, Mapping):
            found = type(given).__name__
            problems.append(text("widgets.explore.no_mapping", lang, name=name, given=found))
    return problems


def _arguments(show: Callable[..., Any], names: Iterable[str], lang: str | None) -> list[str]:
    """Return which settings `show` does not take, and what it needs besides."""
    try:
        taken = inspect.signature(show).parameters.values()
    except ValueError:  # some functions written in C do not say what they take
        return []
    by_name = [p for p in taken if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    takes_all = any(p.kind is p.VAR_KEYWORD for p in taken)
    unknown = [] if takes_all else [name for name in names if name not in {p.name for p in by_name}]
    needed = [p.name for p in by_name if p.default is p.empty and p.name not in names]
    found = {"unknown_arguments": unknown, "needed_arguments": needed}
    return [
        text(f"widgets.explore.{which}", lang, names=", ".join(f"“{name}”" for name in them))
        for which, them in found.items()
        if them
    ]


def _start(name: str, known: Any, chosen: Mapping[str, Any], lang: str | None) -> str | None:
    """Return what is wrong with a setting's options or its value at the start."""
    if not isinstance(known, Iterable):
        return text("widgets.explore.no_options", lang, name=name, given=type(known).__name__)
    said = ", ".join(map(_said, known))
    if name not in chosen:
        return text("widgets.explore.missing", lang, name=name, known=said)
    if any(value not in known for value in _each(chosen[name])):
        return text("widgets.not_an_option", lang, name=name, given=chosen[name], known=said)
    return None


class Explorer(ipw.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """What `explore` returns; as the last line of a cell it shows itself.

    Attributes
    ----------
    values : the chosen value of each setting by name; a list where several may be chosen.
    """

    def __init__(
        self,
        show: Callable[..., Any],
        options: Mapping[str, Sequence[Any]],
        chosen: Mapping[str, Any],
        labels: Mapping[str, str],
    ) -> None:
        self._show = show
        self._fields: dict[str, Any] = {}
        for name, known in options.items():
            make = _Several if isinstance(chosen[name], list | tuple) else choice
            by_words = {_said(value): value for value in known}
            self._fields[name] = make(labels.get(name, name), by_words, chosen[name], self._update)
        self._words = ipw.HTML()
        self._picture = ipw.Image(format="png", layout=ipw.Layout(max_width="100%", align_self="flex-start"))
        super().__init__([*self._fields.values(), self._words, self._picture])
        self.add_class("labkit-explorer")
        self._update()

    def __repr__(self) -> str:
        # What a notebook stores as the text: nothing in it changes from run to run.
        return "Explorer"

    @property
    def values(self) -> dict[str, Any]:
        """The chosen value of each setting by name; a list where several may be chosen."""
        return {name: field.value for name, field in self._fields.items()}

    def _update(self) -> None:
        try:
            shown = self._show(**self.values)
        except ValueError as error:  # a choice that does not work says why, in place of the picture
            shown = str(error)
        picture = shown.png() if hasattr(shown, "png") else b""
        self._picture.value = picture
        self._picture.layout.display = None if picture else "none"
        words = "" if picture else html.escape(str(shown)).replace("\n", "<br>")
        self._words.value = f'<div style="line-height: 1.4">{words}</div>'


class _Several(ipw.HBox):  # type: ignore[misc]  # ipywidgets has no types
    """A labelled row of buttons, each of them on or off; the last one that is on stays on."""

    def __init__(
        self, label: str, options: Mapping[str, Any], chosen: Sequence[Any], changed: Changed
    ) -> None:
        self._options = list(options.values())
        self._buttons = [
            ipw.ToggleButton(
                value=value in chosen,
                description=words,
                tooltip=f"{label}: {words}",
                layout=ipw.Layout(width="auto"),
            )
            for words, value in options.items()
        ]
        self._changed = changed
        for button in self._buttons:
            button.observe(self._pressed, names="value")
        name = ipw.Label(label, layout=ipw.Layout(width="13em", justify_content="flex-end"))
        super().__init__([name, *self._buttons], layout=ipw.Layout(flex_flow="row wrap"))

    def _pressed(self, change: Any) -> None:
        if self.value:
            self._changed()
        else:
            change.owner.value = True

    @property
    def value(self) -> list[Any]:
        """The values whose buttons are on, in the order of the options."""
        pairs = zip(self._options, self._buttons, strict=True)
        return [value for value, button in pairs if button.value]


def _each(chosen: Any) -> Sequence[Any]:
    return chosen if isinstance(chosen, list | tuple) else [chosen]


def _said(value: Any) -> str:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return number(value) if plain else str(value)
