"""Grow a trained model: keep what it has learned and transfer its hyperparameters.

    wide, wide_optimizer = labkit.upscale(model, optimizer, k=4, noise_std=0.1, seed=0)

The module is also the function: `labkit.upscale(...)` and `labkit.upscale.upscale(...)` are the same. What
every tensor, every number of the optimiser and its memory are multiplied by stands in `labkit.mup.rules`.

A wide model is saved with its `state_dict` and its optimiser's. To carry on, prepare a fresh model of the
wide size with the small one's base width, or the small width itself if that was in the standard
parametrisation, and load both; learning rates are those that were saved:

    wide = mup.prepare(build(32), base_width=8, build=build, width=32)  # 8 widened by 4
    wide.load_state_dict(saved["model"])
    optimizer = mup.optimizer(wide, "adamw", lr=1e-3)
    optimizer.load_state_dict(saved["optimizer"])

(After growing layers by different factors no width describes the model: load into what `widen` makes of a
fresh small one. Where the small optimiser had groups of its own, `upscale` a fresh one with such groups.)

Source: Ma, Chen, Diaz, Hayou, Kunisky and Villar, "mupscaling small models", arXiv 2602.10545.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from labkit.mup import RULES, WRONG_RULES
from labkit.upscale.clones import clones
from labkit.upscale.errors import UpscaleError
from labkit.upscale.gap import equivalence_gap
from labkit.upscale.grow import upscale, widen

__all__ = ["RULES", "WRONG_RULES", "UpscaleError", "clones", "equivalence_gap", "upscale", "widen"]


class _CallableModule(types.ModuleType):
    """A module that can be called like its main function."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call `upscale`."""
        return upscale(*arguments, **options)


sys.modules[__name__].__class__ = _CallableModule
