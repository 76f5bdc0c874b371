"""What would break the equivalence is refused, with the reason and what to do; all reasons at once."""

import functools

import pytest
import torch
from own_models import Images, Sentences, Small
from torch import nn
from torch.nn import functional
from torch.nn.utils import parametrizations

import labkit as lk
from labkit import mup, upscale
from labkit.models import GPT, MLP


def refused(build, k=2, model=None, **options):
    model = build(4) if model is None else model
    with pytest.raises(upscale.UpscaleError) as error:
        lk.widen(model, k, build=build, width=4, **options)
    return error.value.problems


def between(layer):
    return functools.partial(Small, between=layer)


class Softmax(nn.Module):
    def __init__(self, width):
        super().__init__()

    def forward(self, x):
        return torch.softmax(x, -1)


class Divided(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.factor = width**-0.5

    def forward(self, x):
        return x * self.factor


class FunctionalDropout(nn.Module):
    def __init__(self, width):
        super().__init__()

    def forward(self, x):
        return functional.dropout(x, 0.1, self.training)


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.layer = heads, nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, x):
        return self.layer(x[:, None], x[:, None], x[:, None])[0][:, 0]


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (between(lambda width: nn.Dropout(0.1)), "between (Dropout)"),
        (between(lambda width: nn.AlphaDropout(0.1)), "between (AlphaDropout)"),
        (between(lambda width: nn.RReLU()), "between (RReLU)"),
        (between(FunctionalDropout), "between (FunctionalDropout)"),
        (between(Softmax), "softmax over units"),
        (between(Divided), "between.factor is 0.5 at the small width and 0.3536"),
        (between(lambda width: Attention(width, 2)), "divides its scores by sqrt(head size)"),
        (between(lambda width: nn.GroupNorm(width // 2, width)), "between.num_groups is 2"),
        (between(lambda width: nn.Linear(width, width + 3)), "between.weight has shape [7, 4]"),
        (between(lambda width: nn.Embedding(width, 3)), "between.weight grows"),
        (between(lambda width: nn.Linear(4, 4) if width == 4 else nn.Identity()), "other tensors"),
        (functools.partial(Sentences, scaled=False), "without an AttentionScale"),
        (functools.partial(Sentences, tied=True, readout=nn.Linear), "share one tensor"),
    ],
)
def test_the_reason_is_named(build, words):
    assert any(words in problem for problem in refused(build))


def test_heads_must_stay():
    def build(width):
        return Sentences(width, heads=width // 2)

    problems = " ".join(refused(build))
    assert "heads is 2 at the small width and 4" in problems or "heads is 2" in problems
    assert "head size of scale is 2 in the small model and 2" in problems


def test_attention_that_scales_by_itself_is_noticed_from_the_outputs():
    class Manual(Sentences):
        def forward(self, symbols):
            x = self.symbols(symbols)
            scores = self.query(x) @ self.key(x).transpose(1, 2) / x.shape[-1] ** 0.5
            return self.readout(torch.softmax(scores, -1) @ self.value(x))

    assert "differ from the small model's by" in refused(Manual)[0]


def test_a_norm_over_units_is_noticed_from_the_outputs():
    class Unit(nn.Module):
        def __init__(self, width):
            super().__init__()

        def forward(self, x):
            return functional.normalize(x, dim=-1)

    assert "a sum or norm over all units" in refused(between(Unit))[0]


def test_a_weight_computed_from_others_is_refused():
    model = Small(4)
    parametrizations.weight_norm(model.hidden)
    assert "remove_parametrizations" in refused(Small, model=model)[0]


def test_an_embedding_that_limits_its_norm_is_refused():
    class Limited(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.symbols, self.readout = nn.Embedding(5, width, max_norm=1.0), mup.Readout(width, 5)

        def forward(self, x):
            return self.readout(self.symbols(x))

    assert "max_norm" in refused(Limited)[0]


def test_a_flattened_image_needs_an_example():
    assert "flattened images" in refused(Images)[0]


@pytest.mark.parametrize("k", [0, -2, 2.5, True, "2", None, {}, {"hidden": 1.5}])
def test_a_factor_that_is_no_whole_number_is_refused(k):
    assert "expected a whole number from 1" in refused(Small, k)[0]


def test_an_unknown_layer_lists_those_that_grow():
    assert refused(Small, {"hiden": 2}) == [
        "No layer whose outputs grow with the width is called hiden. There are: hidden."
    ]


def test_layers_with_the_same_units_need_one_factor():
    model = GPT(8, depth=1, heads=2, vocabulary=7, context=6)
    with pytest.raises(upscale.UpscaleError, match=r"characters × 2.*blocks\.0\.mlp\.2 × 3"):
        lk.widen(model, {"characters": 2, "blocks.0.mlp.2": 3})


def test_layers_that_the_models_own_code_ties_are_refused():
    model = GPT(8, depth=1, heads=2, vocabulary=7, context=6)
    with pytest.raises(upscale.UpscaleError, match="does not run after widening"):
        lk.widen(model, {"blocks.0.attention.query_key_value": 2})


def test_a_width_that_no_one_knows_and_a_build_that_is_missing_are_asked_for():
    with pytest.raises(upscale.UpscaleError) as error:
        lk.widen(Small(4), 2)
    assert len(error.value.problems) == 2


class TestOptimizers:
    def refused(self, model, optimizer):
        with pytest.raises(upscale.UpscaleError) as error:
            lk.upscale(model, optimizer, 2)
        return error.value.problems

    @pytest.mark.parametrize("kind", [torch.optim.LBFGS, torch.optim.RMSprop, torch.optim.Adagrad])
    def test_an_optimizer_without_rules(self, kind):
        model = MLP(4)
        assert f"{kind.__name__} has no rules here" in self.refused(model, kind(model.parameters()))[0]

    def test_a_subclass_may_have_other_rules(self):
        class Mine(torch.optim.SGD):
            pass

        model = MLP(4)
        assert "Mine has no rules" in self.refused(model, Mine(model.parameters(), lr=0.1))[0]

    def test_another_models_optimizer(self):
        problems = self.refused(MLP(4), torch.optim.SGD(MLP(4).parameters(), lr=0.1))
        assert "6 parameters that are not the model's" in problems[0]

    def test_unknown_memory(self):
        model = MLP(4)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        optimizer.state[model.layers[0].weight]["mine"] = torch.zeros(4, 40)
        assert "mine" in self.refused(model, optimizer)[0]

    def test_a_plain_optimizer_on_a_mup_model(self):
        model = mup.prepare(MLP(8), base_width=4)
        assert "labkit.mup.optimizer" in self.refused(model, torch.optim.Adam(model.parameters()))[0]


@pytest.mark.parametrize("noise", [-0.1, float("nan"), float("inf"), "0.1"])
def test_a_noise_that_is_no_size_is_refused(noise):
    model = MLP(4)
    with pytest.raises(upscale.UpscaleError, match="noise_std"):
        lk.upscale(model, torch.optim.SGD(model.parameters(), lr=0.1), 2, noise)


def test_all_reasons_come_at_once():
    model = Small(4, lambda width: nn.Dropout(0.1))
    optimizer = torch.optim.RMSprop(model.parameters())
    with pytest.raises(upscale.UpscaleError) as error:
        lk.upscale(model, optimizer, 2.5, -1)
    assert len(error.value.problems) == 6
