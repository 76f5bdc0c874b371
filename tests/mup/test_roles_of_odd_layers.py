"""Layers and parameters whose role is not what their shape suggests are told apart, or refused."""

import warnings

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils import parametrizations, prune

from labkit import mup


def refused(build, width=16, **options):
    with pytest.raises(mup.MupError) as error:
        mup.prepare(build(width), 4, build=build, width=width, **options)
    return "\n".join(error.value.problems)


def roles(build, width=16, **options):
    model = mup.prepare(build(width), 4, build=build, width=width, **options)
    return {row["tensor"]: row["role"] for row in mup.table(model).rows}


def old_weight_norm(layer):
    with warnings.catch_warnings(action="ignore"):
        return nn.utils.weight_norm(layer)


COMPUTED = {
    "weight norm": parametrizations.weight_norm,
    "spectral norm": parametrizations.spectral_norm,
    "orthogonal": parametrizations.orthogonal,
    "old weight norm": old_weight_norm,
    "pruned": lambda layer: prune.l1_unstructured(layer, "weight", 0.5),
}


@pytest.mark.parametrize("compute", COMPUTED.values(), ids=COMPUTED)
@pytest.mark.parametrize("last", [True, False])
def test_a_weight_computed_from_others_is_refused(compute, last):
    def build(width):
        layers = [nn.Linear(6, width), nn.Linear(width, 3)]
        layers[last] = compute(layers[last])
        return nn.Sequential(*layers)

    assert f"{int(last)} (" in refused(build)
    assert "computes its weight from other tensors" in refused(build)


def test_an_embedding_that_limits_its_norm_is_refused():
    def build(width):
        return nn.Sequential(nn.Embedding(5, width, max_norm=1.0), mup.Readout(width, 5))

    assert "max_norm" in refused(build)


def test_lazy_layers_are_refused():
    def build(width):
        return nn.Sequential(nn.LazyLinear(width), nn.Linear(width, 3))

    assert "0.weight, 0.bias" in refused(build)
    assert "nn.Linear rather than nn.LazyLinear" in refused(build)
    with pytest.raises(mup.MupError, match=r"nn\.LazyLinear"):
        mup.coord_check(build, [4, 8])
    model = build(16)
    model(torch.zeros(1, 6))  # has shapes now, though what build gives has none
    with pytest.raises(mup.MupError, match=r"nn\.LazyLinear"):
        mup.prepare(model, 4, build=build, width=16)


@pytest.mark.parametrize("width", [4, 16])
@pytest.mark.parametrize("kind", [nn.ConvTranspose1d, nn.ConvTranspose2d])
def test_a_transposed_convolution_of_each_channel_by_itself_reads_one_unit(kind, width):
    def build(width):
        return nn.Sequential(
            kind(3, width, 3), kind(width, 2 * width, 3, groups=width), kind(2 * width, 4, 3)
        )

    found = roles(build, width)
    assert [found[f"{n}.weight"] for n in range(3)] == ["input", "input", "output"]
    model = mup.prepare(build(width), 4, build=build, width=width, seed=0)
    kernel = model[1].weight[0, 0].numel()
    assert {row["tensor"]: row["init_std"] for row in mup.table(model).rows}["1.weight"] == kernel**-0.5


@pytest.mark.parametrize("width", [4, 16])
def test_a_transposed_convolution_with_as_many_groups_at_every_width_is_hidden(width):
    def build(width):
        return nn.Sequential(nn.Conv1d(3, width, 3), nn.ConvTranspose1d(width, width, 3, groups=4))

    assert roles(build, width)["1.weight"] == "hidden"


def test_a_layer_of_no_inputs_has_no_fan_in():
    with warnings.catch_warnings(action="ignore"):
        assert roles(lambda width: nn.Linear(0, width))["weight"] == "input"
        assert "has shape [8, 0] at one width" in refused(lambda width: nn.Linear(width // 5, 8), 16)


class Bare(nn.Module):
    """A layer, and a parameter of its own with which something is done."""

    def __init__(self, width, use, shape=(3,)):
        super().__init__()
        self.first = nn.Linear(6, width)
        self.own = nn.Parameter(torch.randn(*shape, width))
        self.output = mup.Readout(width, 3)
        self.use = use

    def forward(self, x):
        return self.use(self, torch.relu(self.first(x)))


def bare(use, **options):
    return lambda width: Bare(width, use, **options)


PRODUCTS = {
    "matmul": lambda self, x: x @ self.own.T,
    "linear": lambda self, x: functional.linear(x, self.own),
    "einsum": lambda self, x: torch.einsum("bw,ow->bo", x, self.own),
    "a view": lambda self, x: torch.matmul(self.own[:2].unsqueeze(0), x.unsqueeze(-1)),
    "to the power": lambda self, x: x @ self.own.square().mT,
}


@pytest.mark.parametrize("use", PRODUCTS.values(), ids=PRODUCTS)
def test_a_bare_parameter_used_as_a_matrix_is_asked_for(use):
    words = refused(bare(use))
    assert "own of Bare, shape [3, 16]: labkit cannot tell" in words
    assert "LAYOUTS" in words


def test_a_bare_vector_used_as_a_readout_is_asked_for():
    assert "own of Bare, shape [16]" in refused(bare(lambda self, x: x @ self.own, shape=()))


FEATURES = {
    "added": lambda self, x: self.output(x + self.own[0]),
    "first positions": lambda self, x: self.output(torch.cat([self.own, x])),
    "gain": lambda self, x: self.output(x * self.own[1]),
    "queries": lambda self, x: self.output(self.own),
}


@pytest.mark.parametrize("use", FEATURES.values(), ids=FEATURES)
def test_bare_parameters_that_are_features_are_input_like(use):
    assert roles(bare(use))["own"] == "input"


def test_a_declared_layout_is_followed():
    class Declared(Bare):
        pass

    build = lambda width: Declared(width, PRODUCTS["matmul"])  # noqa: E731
    mup.LAYOUTS[Declared] = {"own": ("out", "in")}
    try:
        assert roles(build)["own"] == "output"
    finally:
        del mup.LAYOUTS[Declared]


class Two(Bare):
    def forward(self, x, y):
        return super().forward(x + y)


def test_inputs_that_cannot_be_guessed_are_asked_for():
    build = lambda width: Two(width, FEATURES["added"])  # noqa: E731
    words = refused(build)
    assert "No inputs for Two can be guessed" in words
    assert "own" in words
    inputs = (torch.randn(2, 6), torch.randn(2, 6))
    assert roles(build, inputs=inputs)["own"] == "input"
    wrong = lambda width: Two(width, PRODUCTS["matmul"])  # noqa: E731
    assert "own of Two" in refused(wrong, inputs=inputs)


def test_the_coordinate_check_shows_its_first_batch_to_the_model():
    class Odd(Bare):
        def forward(self, x):
            return super().forward(x[:, :6] + x[:, 6:])

    batches = [(torch.randn(4, 12), torch.tensor([0, 1, 2, 0]))]
    rows = mup.coord_check(lambda width: Odd(width, FEATURES["added"]), [4, 8], 1, batches)
    assert {row["parametrization"] for row in rows} == {"standard", "mup"}
    with pytest.raises(mup.MupError, match="own of Odd"):
        mup.coord_check(lambda width: Odd(width, PRODUCTS["matmul"]), [4, 8], 1, batches)


def test_attention_in_a_method_of_its_own_needs_its_scale():
    class Helper(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.first, self.output = nn.Linear(6, width), mup.Readout(width, 3)

        def attend(self, x):
            return functional.scaled_dot_product_attention(x, x, x)

        def forward(self, x):
            return self.output(self.attend(self.first(x)))

    assert "without an AttentionScale" in refused(Helper)
