"""Training FLOPs: the formulas against torch's own count."""

import pytest
import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from labkit.models import GPT, MLP, ResNet, training_flops

CASES = {
    "MLP": (MLP, torch.zeros(7, 40)),
    "MLP, one hidden layer": (lambda: MLP(9, depth=1, inputs=5, outputs=3), torch.zeros(2, 5)),
    "MLP, four hidden layers": (lambda: MLP(16, depth=4), torch.zeros(3, 40)),
    "ResNet": (ResNet, torch.zeros(7, 1, 8, 8)),
    "ResNet, three blocks, colour, odd sides": (
        lambda: ResNet(4, blocks=3, channels=3, outputs=5),
        torch.zeros(2, 3, 9, 5),
    ),
    "GPT": (GPT, torch.zeros(3, 64, dtype=torch.int64)),
    "GPT, part of the context": (
        lambda: GPT(12, depth=3, heads=3, vocabulary=11, context=32, token_shift=True),
        torch.zeros(2, 10, dtype=torch.int64),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_formula_agrees_with_torchs_counter(case):
    build, x = CASES[case]
    model = build()
    # The fused kernels compute parts of the attention a second time in the backward pass.
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        model(x).sum().backward()
    assert training_flops(model, x.shape) == counter.get_total_flops()


def test_a_large_gpt_takes_six_operations_for_each_weight_and_character():
    with torch.device("meta"):
        model = GPT(4096, depth=8, heads=32, vocabulary=30, context=16)
    weights = sum(p.numel() for p in model.blocks.parameters())
    assert training_flops(model, (1, 16)) / 16 == pytest.approx(6 * weights, rel=0.01)


def test_a_model_without_a_formula_is_named():
    with pytest.raises(TypeError, match=r"Linear[\s\S]*FlopCounterMode"):
        training_flops(nn.Linear(2, 2), (1, 2))
