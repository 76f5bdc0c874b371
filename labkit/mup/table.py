"""A table of what muP does to each tensor of a model, beside the standard parametrisation."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import nn
from torch.optim import Optimizer

from labkit.messages import number, text
from labkit.mup.given import optimizer_name, optimizer_name_problems, prepared_problems
from labkit.mup.initial import init_std, standard_std
from labkit.mup.memory import remembered, unwrapped
from labkit.mup.rules import multipliers
from labkit.mup.sides import MupError, tensors

_COLUMNS = ("tensor", "role", "shape", "init_std", "lr", "eps", "weight_decay")


@dataclass(frozen=True, repr=False)
class Table:
    """One row for each tensor; shown as text by `print` and as HTML in a notebook.

    Attributes
    ----------
    rows : dicts with "tensor", "role", "shape", "out" and "in" (factors over the base width), "init_std"
        (None for a constant start) and the multipliers "lr", "eps" (None for SGD) and "weight_decay";
        "standard_init_std" beside them (every multiplier is 1 in the standard parametrisation).
    optimizer : "sgd", "adam" or "adamw".
    """

    rows: list[dict[str, Any]]
    optimizer: str

    def _cells(self, lang: str | None) -> list[list[str]]:
        head = [text(f"mup.column_{column}", lang, optimizer=self.optimizer) for column in _COLUMNS]
        return [head, *([_shown(row, column) for column in _COLUMNS] for row in self.rows)]

    def to_text(self, lang: str | None = None) -> str:
        """Return the table as text, columns aligned, a note below."""
        cells = self._cells(lang)
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in cells
        ]
        lines.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join([*lines, "", text("mup.table_note", lang)])

    def to_html(self, lang: str | None = None) -> str:
        """Return the table as HTML."""
        head, *body = self._cells(lang)

        def line(cells: list[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        rows = line(head, "th") + "".join(line(cells, "td") for cells in body)
        return f"<table>{rows}</table><p>{html.escape(text('mup.table_note', lang))}</p>"

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()


def table(model: nn.Module, optimizer: str | type[Optimizer] = "adamw") -> Table:
    """Return what muP does to each tensor of a prepared model under one optimiser.

    Parameters
    ----------
    model : as `prepare` or `labkit.upscale` returns it.
    optimizer : "sgd", "adam" or "adamw", or torch's class.

    Raises
    ------
    MupError
        If the model is not prepared, or the optimiser's name is not one of the three. Lists both.
    """
    model = unwrapped(model)
    sides = remembered(model)
    problems = prepared_problems(model)
    problems += optimizer_name_problems(optimizer)
    kind = optimizer_name(optimizer)
    if sides is None or kind is None or problems:
        raise MupError(problems)
    rows = []
    for name, module, _, _ in tensors(model):
        tensor = sides[name]
        factors = multipliers(kind, tensor)
        rows.append(
            {
                "tensor": name,
                "role": tensor.role,
                "shape": tensor.shape,
                "out": tensor.out,
                "in": tensor.into,
                "init_std": init_std(tensor),
                "standard_init_std": standard_std(module, tensor),
                "lr": factors["lr"],
                "eps": factors.get("eps"),
                "weight_decay": factors["weight_decay"],
            }
        )
    return Table(rows, kind)


def _shown(row: dict[str, Any], column: str) -> str:
    """Return one cell; "standard → muP" where the two differ."""
    value = row[column]
    if column in ("tensor", "role"):
        return str(value)
    if column == "shape":
        return " × ".join(map(str, value)) or "1"
    show: Callable[[float | None], str] = lambda x: "–" if x is None else number(x)  # noqa: E731
    standard = show(row["standard_init_std"]) if column == "init_std" else "1"
    own = show(value)
    return own if own in (standard, "–") else f"{standard} → {own}"
