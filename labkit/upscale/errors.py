"""The error of this package."""

from __future__ import annotations

from labkit.mup import MupError


class UpscaleError(MupError):
    """A model or its optimiser cannot be widened. `.problems` lists every reason as a sentence."""

    heading = "upscale.cannot"
