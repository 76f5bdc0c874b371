"""Maximal-update parametrisation (muP): hyperparameters that keep their meaning when a model gets wider."""

from labkit.mup.layers import AttentionScale, Readout

__all__ = ["AttentionScale", "Readout"]
