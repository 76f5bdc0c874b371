"""The models: what they compute, and that they are one architecture at every width."""

import itertools
import math

import pytest
import torch
from torch import nn
from torch.nn import functional

from labkit.models import GPT, MLP, ResNet, parameter_count

MODELS = {
    "MLP": MLP(8, depth=3, inputs=5, outputs=4),
    "ResNet": ResNet(4, blocks=2, channels=3, outputs=7),
    "GPT": GPT(12, depth=1, heads=3, vocabulary=9, context=6, token_shift=True),
}


def seeded(build, seed=0):
    torch.manual_seed(seed)
    return build()


def characters(batch=2, positions=6, vocabulary=9):
    return torch.randint(vocabulary, (batch, positions), generator=torch.Generator().manual_seed(0))


def shapes(model):
    return {name: tuple(tensor.shape) for name, tensor in model.named_parameters()}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_knows_its_width_and_can_be_made_again(name):
    model = MODELS[name]
    again = type(model)(**model.arguments)
    assert model.arguments["width"] == model.width
    assert shapes(again) == shapes(model)


@pytest.mark.parametrize("name", MODELS)
def test_another_width_changes_nothing_but_the_width(name):
    model = MODELS[name]
    wide = model.at_width(2 * model.width)
    assert wide.arguments == model.arguments | {"width": 2 * model.width}
    for tensor, sizes in shapes(wide).items():
        narrow = shapes(model)[tensor]
        assert all(b in (a, 2 * a) for a, b in zip(narrow, sizes, strict=True)), tensor
    assert shapes(wide.at_width(model.width)) == shapes(model)


def test_the_mlps_first_weights_are_those_of_plain_linear_layers():
    model = seeded(lambda: MLP(width=16, depth=2))
    plain = seeded(lambda: [nn.Linear(a, b) for a, b in itertools.pairwise([40, 16, 16, 10])])
    for ours, theirs in zip(model.layers, plain, strict=True):
        assert torch.equal(ours.weight, theirs.weight)
        assert torch.equal(ours.bias, theirs.bias)


def test_parameters_are_counted():
    width, vocabulary, context = 12, 9, 6
    block = 12 * width**2 + 13 * width  # four attention maps, two of the MLP, two norms
    model = GPT(width, depth=2, heads=3, vocabulary=vocabulary, context=context)
    embeddings = (vocabulary + context) * width
    assert parameter_count(model) == embeddings + 2 * block + 2 * width + (width + 1) * vocabulary
    assert parameter_count(model.requires_grad_(False)) == 0


def test_a_gpt_does_not_look_ahead():
    model, text = MODELS["GPT"], characters()
    with torch.no_grad():
        model.share.fill_(0.5)
        before = model(text)
        changed = text.clone()
        changed[:, 3] = (changed[:, 3] + 1) % 9
        after = model(changed)
        model.share.zero_()
    assert torch.equal(before[:, :3], after[:, :3])
    assert not torch.isclose(before[:, 3:], after[:, 3:]).all(-1).any()


def test_a_gpt_reads_windows_shorter_than_its_context():
    model, text = MODELS["GPT"], characters()
    torch.testing.assert_close(model(text[:, :4]), model(text)[:, :4])


def test_attention_is_that_of_each_head_by_itself():
    width, heads, size = 12, 3, 4
    attention = seeded(lambda: GPT(width, heads=heads)).blocks[0].attention
    x = torch.randn(2, 5, width)
    query, key, value = (
        functional.linear(x, *tensors)
        for tensors in zip(
            attention.query_key_value.weight.chunk(3), attention.query_key_value.bias.chunk(3), strict=True
        )
    )
    future = torch.ones(5, 5).triu(1).bool()
    gathered = []
    for head in range(heads):
        rows = slice(head * size, (head + 1) * size)
        scores = query[..., rows] @ key[..., rows].mT / math.sqrt(size)
        gathered.append(scores.masked_fill(future, -math.inf).softmax(-1) @ value[..., rows])
    torch.testing.assert_close(attention(x), attention.output(torch.cat(gathered, -1)))


def test_the_token_shift_begins_as_the_baseline():
    plain, shifted = (
        seeded(lambda on=on: GPT(12, heads=3, vocabulary=9, context=6, token_shift=on))
        for on in (False, True)
    )
    assert torch.equal(plain(characters()), shifted(characters()))
    assert parameter_count(shifted) == parameter_count(plain) + 12


def test_the_token_shift_adds_a_share_of_the_embedding_before():
    model, text = GPT(8, depth=1, heads=2, vocabulary=9, context=6, token_shift=True), characters()
    seen = []
    model.positions.register_forward_pre_hook(lambda module, inputs: seen.append(inputs[0]))
    with torch.no_grad():
        model.share.copy_(torch.linspace(-1, 1, 8))
        model(text)
        embedded = model.characters(text)
    assert torch.equal(seen[0][:, 0], embedded[:, 0])
    torch.testing.assert_close(seen[0][:, 1:], embedded[:, 1:] + model.share * embedded[:, :-1])


def test_a_width_that_the_heads_do_not_divide_is_refused():
    with pytest.raises(ValueError, match=r"width is 10 and heads is 4"):
        GPT(10, heads=4)


def test_a_residual_block_adds_to_its_input():
    model = ResNet(4, blocks=2).eval()
    block, x = model.blocks[1], torch.rand(2, 4, 8, 8)
    with torch.no_grad():
        block.second_norm.weight.zero_()
        assert torch.equal(block(x), x)


def test_the_second_stage_has_twice_the_channels_and_half_the_sides():
    model = ResNet(4, blocks=2)
    x = torch.rand(2, 1, 8, 8)
    assert [tuple((x := block(x)).shape) for block in (nn.Sequential(model.stem), *model.blocks)] == [
        (2, 4, 8, 8),
        (2, 4, 8, 8),
        (2, 4, 8, 8),
        (2, 8, 4, 4),
        (2, 8, 4, 4),
    ]


@pytest.mark.parametrize("sides", [(8, 8), (5, 9), (1, 1)])
def test_a_resnet_takes_images_of_any_size(sides):
    assert MODELS["ResNet"].eval()(torch.rand(2, 3, *sides)).shape == (2, 7)
