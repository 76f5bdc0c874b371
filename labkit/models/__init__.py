"""The models of the workbook: each can be made at any width, and under muP (see `labkit.mup`)."""

from labkit.models.base import Scalable, parameter_count
from labkit.models.flops import training_flops
from labkit.models.gpt import GPT
from labkit.models.mlp import MLP
from labkit.models.resnet import ResNet

__all__ = ["GPT", "MLP", "ResNet", "Scalable", "parameter_count", "training_flops"]
