"""Maximal-update parametrisation (muP): hyperparameters that keep their meaning when a model gets wider.

    model = mup.prepare(GPT(width=256), base_width=64, seed=0)
    optimizer = mup.optimizer(model, "adamw", lr=3e-3)
    print(mup.table(model))

`labkit.mup.rules` has the whole of muP in one table.
"""

from labkit.mup.clipping import clip_grad_norm_
from labkit.mup.coordinates import coord_check
from labkit.mup.layers import AttentionScale, Readout
from labkit.mup.optimizers import check_optimizer, optimizer
from labkit.mup.prepare import prepare
from labkit.mup.rules import RULES, WRONG_RULES
from labkit.mup.sides import LAYOUTS, MupError, Sides
from labkit.mup.table import Table, table

__all__ = [
    "LAYOUTS",
    "RULES",
    "WRONG_RULES",
    "AttentionScale",
    "MupError",
    "Readout",
    "Sides",
    "Table",
    "check_optimizer",
    "clip_grad_norm_",
    "coord_check",
    "optimizer",
    "prepare",
    "table",
]
