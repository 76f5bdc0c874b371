"""A trained network and its wider copy are the same function, at every later step; wrong rules are not.

Written from the algebra alone. Everything is in float64, on a trained model with its optimiser's state, over
200 further steps; nothing here uses labkit's own `equivalence_gap`.
"""

import copy
import itertools

import pytest
import torch
from torch import nn
from torch.nn import functional

import labkit as lk
from labkit import mup
from labkit.models import GPT, MLP, ResNet

STEPS, BEFORE = 200, 30
TOLERANCE = 1e-9  # of the largest output
HEADS = 2
VARIANTS = {
    "SGD": ("sgd", {"lr": 0.1, "weight_decay": 0.01}),
    "SGD, momentum": ("sgd", {"lr": 0.05, "momentum": 0.9}),
    "SGD, momentum, decay": ("sgd", {"lr": 0.05, "momentum": 0.9, "weight_decay": 0.02}),
    "SGD, Nesterov": ("sgd", {"lr": 0.05, "momentum": 0.9, "nesterov": True, "weight_decay": 0.02}),
    "SGD, dampening": ("sgd", {"lr": 0.1, "momentum": 0.8, "dampening": 0.5, "weight_decay": 0.02}),
    "Adam": ("adam", {"lr": 0.01, "eps": 1e-3}),
    "Adam, decay": ("adam", {"lr": 0.01, "eps": 1e-3, "weight_decay": 0.02}),
    "Adam, AMSGrad": ("adam", {"lr": 0.01, "eps": 1e-3, "weight_decay": 0.02, "amsgrad": True}),
    "AdamW": ("adamw", {"lr": 0.01, "eps": 1e-3, "weight_decay": 0.2}),
    "AdamW, AMSGrad": ("adamw", {"lr": 0.01, "eps": 1e-3, "weight_decay": 0.2, "amsgrad": True}),
}
PLAIN = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
BASE = {"MLP": 8, "ResNet": 4, "GPT": 8}


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def build(name, width):
    if name == "MLP":
        return MLP(width, depth=3, inputs=5, outputs=3)
    if name == "ResNet":
        return ResNet(width, channels=1, outputs=3)
    return GPT(width, depth=1, heads=HEADS, vocabulary=7, context=5, token_shift=True)


def batches(name, count, seed=0):
    """Return `count` batches: a few different ones, again and again, with something in them to learn."""
    source = torch.Generator().manual_seed(seed)
    made = []
    for _ in range(8):
        if name == "GPT":
            x = (torch.randint(7, (6, 1), generator=source) + 3 * torch.arange(6)) % 7
            made.append((x[:, :-1], x[:, 1:]))
        else:
            size = (12, 5) if name == "MLP" else (6, 1, 4, 4)
            x = torch.randn(*size, generator=source, dtype=torch.float64)
            made.append((x, x.flatten(1)[:, :3].argmax(1)))
    return list(itertools.islice(itertools.cycle(made), count))


def step(model, optimizer, batch):
    x, y = batch
    optimizer.zero_grad()
    outputs = model(x)
    functional.cross_entropy(outputs.flatten(0, -2), y.flatten()).backward()
    optimizer.step()
    return outputs.detach()


def difference(a, b):
    """Return the largest difference, relative to the largest output; infinite for NaN."""
    gap = float((a - b).abs().max() / a.abs().max())
    return gap if gap == gap else float("inf")


def trained(name, variant, m=1):
    """Return a model trained for a while, and its optimiser with state; m is width over base width."""
    kind, given = VARIANTS[variant]
    torch.manual_seed(3)
    model = build(name, BASE[name] * m)
    if m > 1:
        mup.prepare(model, base_width=BASE[name], seed=3)
    model.double()
    for parameter in model.parameters():  # biases and gains too are not what they were at the start
        with torch.no_grad():
            parameter.add_(0.1 * torch.randn_like(parameter))
    optimizer = mup.optimizer(model, kind, **given) if m > 1 else PLAIN[kind](model.parameters(), **given)
    for batch in batches(name, BEFORE, seed=1):
        step(model, optimizer, batch)
    return model, optimizer


def gaps(name, small, wides, steps=STEPS):
    """Train (model, optimiser) pairs side by side; return the largest difference of each wide one."""
    worst = [0.0] * len(wides)
    for batch in batches(name, steps):
        outputs = step(*small, batch)
        for n, wide in enumerate(wides):
            worst[n] = max(worst[n], difference(outputs, step(*wide, batch)))
    models = [small[0], *(model for model, _ in wides)]
    for model in models:  # with the running statistics that batch normalisation has gathered
        model.eval()
    with torch.no_grad():
        outputs, *others = (model(batches(name, 1, seed=2)[0][0]) for model in models)
    return [max(gap, difference(outputs, other)) for gap, other in zip(worst, others, strict=True)]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", BASE)
def test_a_network_widened_by_2_3_and_4_stays_the_same_function(name, variant):
    small = trained(name, variant)
    wides = [lk.upscale(*small, k) for k in (2, 3, 4)]
    assert max(gaps(name, small, wides)) < TOLERANCE


@pytest.mark.parametrize("variant", ["SGD, Nesterov", "Adam, AMSGrad", "AdamW"])
@pytest.mark.parametrize("name", BASE)
def test_a_mup_model_wider_than_its_base_stays_the_same_function(name, variant):
    small = trained(name, variant, m=2)
    assert max(gaps(name, small, [lk.upscale(*small, 2)], steps=60)) < TOLERANCE


@pytest.mark.parametrize("variant", ["SGD, Nesterov", "Adam, AMSGrad", "AdamW"])
def test_different_factors_for_different_layers(variant):
    small = trained("MLP", variant)
    wide = lk.upscale(*small, {"layers.0": 2, "layers.1": 3, "layers.2": 4})
    shapes = [tuple(layer.weight.shape) for layer in wide[0].layers]
    assert shapes == [(16, 5), (24, 16), (32, 24), (3, 32)]
    assert max(gaps("MLP", small, [wide])) < TOLERANCE


def test_a_factor_of_one_for_some_layers():
    small = trained("MLP", "AdamW")
    wide = lk.upscale(*small, {"layers.1": 2, "layers.0": 1, "layers.2": 1})
    assert max(gaps("MLP", small, [wide])) < TOLERANCE


ROLES = {
    "MLP": {"layers.0.weight": "input", "layers.3.weight": "output", "layers.3.bias": "fixed"},
    "ResNet": {"stem.weight": "input", "readout.weight": "output", "readout.bias": "fixed"},
    "GPT": {
        "characters.weight": "embedding",
        "positions.weight": "embedding",
        "readout.weight": "output",
        "readout.bias": "fixed",
    },
}


def role(name, tensor, parameter):
    return ROLES[name].get(tensor, "hidden" if parameter.dim() > 1 else "vector")


def repeated(tensor, kind, k):
    """Return each unit k times, neighbours, on the sides that have the width."""
    if kind in ("input", "vector", "hidden"):
        tensor = tensor.repeat_interleave(k, 0)
    if kind in ("hidden", "output", "embedding"):
        tensor = tensor.repeat_interleave(k, 1)
    return tensor


@pytest.mark.parametrize("variant", ["SGD, momentum", "Adam, AMSGrad"])
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", BASE)
def test_every_weight_and_every_state_is_widened_as_by_hand(name, k, variant):
    small, optimizer = trained(name, variant)
    wide, wide_optimizer = lk.upscale(small, optimizer, k)
    originals = dict(small.named_parameters())
    powers = {"momentum_buffer": 1, "exp_avg": 1, "exp_avg_sq": 2, "max_exp_avg_sq": 2}
    seen = set()
    assert [tensor for tensor, _ in wide.named_parameters()] == list(originals)
    for tensor, parameter in wide.named_parameters():
        original = originals[tensor]
        kind = role(name, tensor, original)
        expected = repeated(original, kind, k) / (k if kind == "hidden" else 1)
        torch.testing.assert_close(parameter, expected, rtol=1e-14, atol=0)
        state = optimizer.state[original]
        assert wide_optimizer.state[parameter].keys() == state.keys()
        for entry, value in state.items():
            if entry == "step":
                assert float(wide_optimizer.state[parameter]["step"]) == float(value)
                continue
            seen.add(entry)
            wanted = repeated(value, kind, k) / (1 if kind == "fixed" else k ** powers[entry])
            torch.testing.assert_close(wide_optimizer.state[parameter][entry], wanted, rtol=1e-14, atol=0)
    assert seen <= powers.keys()
    assert seen


def test_running_statistics_are_repeated_and_their_counter_is_copied():
    small = trained("ResNet", "AdamW")
    wide, _ = lk.upscale(*small, 3)
    for (name, original), (wide_name, buffer) in zip(
        small[0].named_buffers(), wide.named_buffers(), strict=True
    ):
        assert name == wide_name
        expected = original.repeat_interleave(3) if original.dim() else original
        assert torch.equal(buffer, expected), name


def test_upscaling_leaves_the_small_model_and_its_optimizer_as_they_were():
    model, optimizer = trained("GPT", "AdamW")
    before = copy.deepcopy((model.state_dict(), optimizer.state_dict()))
    lk.upscale(model, optimizer, 2, noise_std=0.5)
    torch.testing.assert_close(model.state_dict(), before[0], rtol=0, atol=0)
    torch.testing.assert_close(optimizer.state_dict(), before[1], rtol=0, atol=0)


def test_upscaled_twice_is_upscaled_once():
    small = trained("GPT", "AdamW")
    twice, once = lk.upscale(*lk.upscale(*small, 2), 2), lk.upscale(*small, 4)
    torch.testing.assert_close(dict(twice[0].state_dict()), dict(once[0].state_dict()), rtol=1e-14, atol=0)
    assert max(gaps("GPT", small, [twice], steps=20)) < TOLERANCE


def test_widen_gives_the_same_weights_without_an_optimizer():
    small = trained("MLP", "AdamW")
    wide = lk.widen(small[0], 3)
    torch.testing.assert_close(wide.state_dict(), lk.upscale(*small, 3)[0].state_dict(), rtol=0, atol=0)
    assert type(wide) is MLP
    assert wide.width == 24


@pytest.mark.parametrize("name", BASE)
def test_a_fresh_optimizer_without_state_is_widened_too(name):
    torch.manual_seed(0)
    model = build(name, BASE[name]).double()
    small = model, torch.optim.AdamW(model.parameters(), lr=0.01, eps=1e-3)
    assert max(gaps(name, small, [lk.upscale(*small, 2)], steps=20)) < TOLERANCE


def test_parameter_groups_of_a_plain_optimizer_keep_their_own_settings():
    torch.manual_seed(0)
    model = build("MLP", 4).double()
    matrices = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() == 1]
    groups = [{"params": others, "weight_decay": 0.0, "lr": 0.03}, {"params": matrices, "weight_decay": 0.3}]
    optimizer = torch.optim.AdamW(groups, lr=0.01, eps=1e-3)
    for batch in batches("MLP", BEFORE):
        step(model, optimizer, batch)
    small = model, optimizer
    assert max(gaps("MLP", small, [lk.upscale(*small, 3)])) < TOLERANCE


def test_a_schedule_that_is_under_way_carries_on_alike():
    def rate(done):
        return 1 / (1 + 0.05 * done)

    model, optimizer = trained("MLP", "AdamW")
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    for batch in batches("MLP", 20):
        step(model, optimizer, batch)
        schedule.step()
    wide = lk.upscale(model, optimizer, 2)
    wide_schedule = torch.optim.lr_scheduler.LambdaLR(wide[1], rate, last_epoch=schedule.last_epoch - 1)
    for batch in batches("MLP", 60):
        outputs = [step(*pair, batch) for pair in ((model, optimizer), wide)]
        assert difference(*outputs) < TOLERANCE
        schedule.step()
        wide_schedule.step()


def change_option(option, roles, factor):
    """Return a wrong rule: an option of the groups that hold tensors of these roles is off by a factor."""

    def change(name, model, optimizer):
        names = {parameter: tensor for tensor, parameter in model.named_parameters()}
        for group in list(optimizer.param_groups):
            wrong = [p for p in group["params"] if role(name, names[p], p) in roles]
            if wrong:
                right = [p for p in group["params"] if role(name, names[p], p) not in roles]
                group["params"] = right
                changed = {key: value for key, value in group.items() if key != "params"}
                optimizer.param_groups.append(changed | {"params": wrong, option: group[option] * factor})

    return change


def change_state(entry, roles, factor):
    def change(name, model, optimizer):
        for tensor, parameter in model.named_parameters():
            if role(name, tensor, parameter) in roles:
                optimizer.state[parameter][entry] *= factor

    return change


def change_weight(roles, factor):
    def change(name, model, optimizer):
        with torch.no_grad():
            for tensor, parameter in model.named_parameters():
                if role(name, tensor, parameter) in roles:
                    parameter.mul_(factor)

    return change


def rotate_units(name, model, optimizer):
    """Lay the copies out as u1 u2 u3 u4 u1 u2 … instead of u1 u1 u2 u2 … in one tensor."""
    with torch.no_grad():
        weight = dict(model.named_parameters())["layers.0.weight"]
        weight.copy_(weight[0::2].repeat(2, 1))


def change_attention(name, model, optimizer):
    for block in model.blocks:
        block.attention.scale.value *= 2**0.5  # 1/sqrt(head size), the head being twice as large


def change_counter(name, model, optimizer):
    for state in optimizer.state.values():
        state["step"].fill_(0)


WIDE = ("input", "output", "vector", "embedding")
WRONG = {
    "hidden weights not divided": ("MLP", "AdamW", change_weight(["hidden"], 2)),
    "input weights divided": ("MLP", "AdamW", change_weight(["input"], 0.5)),
    "output weights divided": ("MLP", "AdamW", change_weight(["output"], 0.5)),
    "biases divided": ("MLP", "AdamW", change_weight(["vector"], 0.5)),
    "readout bias divided": ("MLP", "AdamW", change_weight(["fixed"], 0.5)),
    "copies in another order": ("MLP", "AdamW", rotate_units),
    "attention by the square root": ("GPT", "AdamW", change_attention),
    "embeddings divided": ("GPT", "AdamW", change_weight(["embedding"], 0.5)),
    "momentum, wide": ("MLP", "SGD, momentum", change_state("momentum_buffer", [*WIDE, "hidden"], 2)),
    "momentum, fixed": ("MLP", "SGD, momentum", change_state("momentum_buffer", ["fixed"], 0.5)),
    "first moment": ("MLP", "Adam", change_state("exp_avg", [*WIDE, "hidden"], 2)),
    "first moment, fixed": ("MLP", "Adam", change_state("exp_avg", ["fixed"], 0.5)),
    "second moment": ("MLP", "Adam", change_state("exp_avg_sq", [*WIDE, "hidden"], 2)),
    "second moment, fixed": ("MLP", "Adam", change_state("exp_avg_sq", ["fixed"], 0.25)),
    "largest second moment": (
        "MLP",
        "Adam, AMSGrad",
        change_state("max_exp_avg_sq", [*WIDE, "hidden"], 2),
    ),
    "step counts": ("MLP", "Adam", change_counter),
}
for _kind, _variant in {"SGD": "SGD, Nesterov", "Adam": "Adam, decay", "AdamW": "AdamW"}.items():
    for _option in ("lr", "weight_decay") if _kind == "SGD" else ("lr", "weight_decay", "eps"):
        for _role in ("input", "hidden", "output", "vector", "fixed"):
            WRONG[f"{_kind} {_option}, {_role}"] = (
                "MLP",
                _variant,
                change_option(_option, [_role], 0.5 if _role == "hidden" else 2),
            )


@pytest.mark.parametrize(("name", "variant", "change"), WRONG.values(), ids=WRONG)
def test_each_wrong_rule_is_seen(name, variant, change):
    """So the tests above fail if any single multiplier is wrong: the gap is far beyond their tolerance."""
    small = trained(name, variant)
    right, wrong = lk.upscale(*small, 2), lk.upscale(*small, 2)
    change(name, *wrong)
    found = gaps(name, small, [right, wrong], steps=20)
    assert found[0] < TOLERANCE
    assert found[1] > 1e3 * TOLERANCE


def units(model):
    """Return the first hidden layer's incoming weights, bias included, one row per unit."""
    layer = model.layers[1]
    return torch.cat([layer.weight, layer.bias[:, None]], 1).detach()


def test_copies_stay_copies_without_noise_and_part_with_it():
    small = trained("MLP", "AdamW")
    clones = lk.upscale(*small, 2)
    noisy = lk.upscale(*small, 2, noise_std=0.3)
    for batch in batches("MLP", 50):
        step(*clones, batch)
        step(*noisy, batch)
    same, apart = units(clones[0]), units(noisy[0])
    torch.testing.assert_close(same[0::2], same[1::2], rtol=1e-9, atol=1e-12)
    assert float((apart[0::2] - apart[1::2]).abs().amax(1).min()) > 1e-3


def test_noise_has_the_size_of_a_fresh_initialisation_and_spares_gains_and_biases():
    torch.manual_seed(0)
    model = GPT(32, depth=1, heads=HEADS, vocabulary=7, context=5, token_shift=True)
    small = model, torch.optim.AdamW(model.parameters(), lr=0.01)
    plain, noisy = lk.upscale(*small, 4)[0], lk.upscale(*small, 4, noise_std=0.5, seed=1)[0]
    noise = {
        tensor: (b - a).detach()
        for (tensor, a), (_, b) in zip(plain.named_parameters(), noisy.named_parameters(), strict=True)
    }
    for tensor, drawn in noise.items():
        if tensor.endswith("bias") or "norm" in tensor or tensor == "share":
            assert not drawn.any(), tensor
        elif tensor.startswith("blocks"):
            fan_in = drawn.shape[1]
            assert float(drawn.std()) == pytest.approx(0.5 * fan_in**-0.5, rel=0.1), tensor
            assert abs(float(drawn.mean())) < 0.05 * fan_in**-0.5
    assert noise["characters.weight"].any()


def test_the_seed_alone_decides_the_noise():
    small = trained("MLP", "AdamW")

    def weights(seed, around):
        torch.manual_seed(around)
        before = torch.get_rng_state()
        model = lk.upscale(*small, 2, noise_std=0.1, seed=seed)[0]
        assert torch.equal(before, torch.get_rng_state())
        return units(model)

    assert torch.equal(weights(0, 1), weights(0, 2))
    assert not torch.equal(weights(0, 1), weights(1, 1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_precision_mode_and_frozen_parameters_are_kept(dtype):
    model = build("ResNet", 4).to(dtype).eval()
    model.stem.weight.requires_grad_(False)
    wide, _ = lk.upscale(model, torch.optim.SGD(model.parameters(), lr=0.1), 2)
    assert {p.dtype for p in wide.parameters()} == {dtype}
    assert not wide.training
    assert [tensor for tensor, p in wide.named_parameters() if not p.requires_grad] == ["stem.weight"]


class Own(nn.Module):
    """A student's own network: embedding, convolution, norms, attention in four layers, a temperature."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.symbols = nn.Embedding(7, width)
        self.convolution = nn.Conv1d(width, 2 * width, 3, padding=1)
        self.group_norm = nn.GroupNorm(2, 2 * width)
        self.down = nn.Linear(2 * width, width, bias=False)
        self.query, self.key, self.value, self.mix = (nn.Linear(width, width) for _ in range(4))
        self.scale = mup.AttentionScale(width // HEADS)
        self.norm = nn.LayerNorm(width)
        self.readout = mup.Readout(width, 7)
        self.temperature = nn.Parameter(torch.full((1,), 1.5))

    def forward(self, symbols):
        x = self.symbols(symbols)
        y = torch.relu(self.group_norm(self.convolution(x.transpose(1, 2))))
        x = x + self.down(y.transpose(1, 2))
        heads = [f(x).unflatten(2, (HEADS, -1)).transpose(1, 2) for f in (self.query, self.key, self.value)]
        mixed = functional.scaled_dot_product_attention(*heads, scale=self.scale())
        return self.readout(self.norm(x + self.mix(mixed.transpose(1, 2).flatten(2)))) / self.temperature


@pytest.mark.parametrize("variant", ["SGD, Nesterov", "AdamW"])
@pytest.mark.parametrize("k", [2, 3])
def test_a_students_own_module_stays_the_same_function(variant, k):
    kind, given = VARIANTS[variant]
    model = mup.prepare(Own(8), base_width=4, build=Own, seed=0).double()
    small = model, mup.optimizer(model, kind, **given)
    for batch in batches("GPT", BEFORE, seed=1):
        step(*small, batch)
    assert max(gaps("GPT", small, [lk.upscale(*small, k, build=Own)], steps=60)) < TOLERANCE


def fresh(model, optimizer=torch.optim.AdamW):
    return model, optimizer(model.parameters(), lr=0.01)


@pytest.mark.parametrize("k", [0, -2, 1.5, "2", True, None, {}, {"no such layer": 2}, {"layers.0": 0}])
def test_a_factor_that_is_none_is_refused(k):
    with pytest.raises(ValueError):
        lk.upscale(*fresh(build("MLP", 4)), k)


@pytest.mark.parametrize("noise_std", [-0.1, float("nan"), float("inf"), "0.1"])
def test_noise_that_is_no_size_is_refused(noise_std):
    with pytest.raises(ValueError, match="noise_std"):
        lk.upscale(*fresh(build("MLP", 4)), 2, noise_std=noise_std)


class WithDropout(MLP):
    def __init__(self, width):
        super().__init__(width)
        self.arguments = {"width": width}
        self.dropout = nn.Dropout(0.1)


def test_dropout_is_refused():
    with pytest.raises(ValueError, match=r"[Dd]ropout"):
        lk.upscale(*fresh(WithDropout(4)), 2)


class Tied(GPT):
    """Reads characters with the weights that it writes them with."""

    def __init__(self, width, readout=mup.Readout):
        super().__init__(width, depth=1, heads=HEADS, vocabulary=7, context=5)
        self.readout = readout(width, 7)
        self.readout.weight = self.characters.weight

    def at_width(self, width):
        return type(self)(width, type(self.readout))


@pytest.mark.parametrize("variant", ["SGD, Nesterov", "AdamW"])
def test_a_readout_tied_to_the_embedding_stays_the_same_function_and_tied(variant):
    kind, given = VARIANTS[variant]
    torch.manual_seed(3)
    model = Tied(8).double()
    small = model, PLAIN[kind](model.parameters(), **given)
    for batch in batches("GPT", BEFORE, seed=1):
        step(*small, batch)
    wide = lk.upscale(*small, 2)
    assert wide[0].readout.weight is wide[0].characters.weight
    assert max(gaps("GPT", small, [wide])) < TOLERANCE


def test_tied_weights_that_would_need_two_rules_are_refused():
    with pytest.raises(ValueError, match=r"characters\.weight"):
        lk.upscale(*fresh(Tied(8, nn.Linear)), 2)


def test_clipping_by_the_norm_of_the_base_width_keeps_the_function_and_torchs_norm_does_not():
    def clipped(clip, pair, batch):
        model, optimizer = pair
        x, y = batch
        optimizer.zero_grad()
        outputs = model(x)
        functional.cross_entropy(outputs.flatten(0, -2), y.flatten()).backward()
        clip(model)
        optimizer.step()
        return outputs.detach()

    clips = {
        "ours": lambda model: mup.clip_grad_norm_(model, 0.1),
        "torch's": lambda model: nn.utils.clip_grad_norm_(model.parameters(), 0.1),
    }
    found = {}
    for name, clip in clips.items():
        small = trained("GPT", "SGD, Nesterov")
        wide = lk.upscale(*small, 4)
        found[name] = max(
            difference(*(clipped(clip, pair, batch) for pair in (small, wide)))
            for batch in batches("GPT", 50)
        )
    assert found["ours"] < TOLERANCE
    assert found["torch's"] > 1e-3


class NotDivisible(nn.Module):
    """A layer that is one wider than a multiple of the width."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.first = nn.Linear(5, width + 1)
        self.readout = mup.Readout(width + 1, 3)

    def forward(self, x):
        return self.readout(torch.relu(self.first(x)))


def test_a_layer_that_does_not_grow_by_the_factor_is_refused():
    with pytest.raises(ValueError, match="first"):
        lk.upscale(*fresh(NotDivisible(4)), 2, build=NotDivisible)


def test_a_plain_optimizer_on_a_wide_mup_model_is_refused():
    model = mup.prepare(MLP(8), base_width=4)
    with pytest.raises(ValueError, match=r"mup\.optimizer"):
        lk.upscale(*fresh(model), 2)


@pytest.mark.parametrize("optimizer", [torch.optim.LBFGS, torch.optim.Adafactor])
def test_an_optimizer_that_mixes_entries_is_refused(optimizer):
    with pytest.raises(ValueError, match=optimizer.__name__):
        lk.upscale(*fresh(build("MLP", 4), optimizer), 2)


def test_an_optimizer_of_another_model_is_refused():
    with pytest.raises(ValueError):
        lk.upscale(build("MLP", 4), fresh(build("MLP", 4))[1], 2)


def test_attention_that_sets_its_own_scale_is_refused():
    class Whole(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.width = width
            self.symbols = nn.Embedding(7, width)
            self.attention = nn.MultiheadAttention(width, HEADS, batch_first=True)
            self.readout = mup.Readout(width, 7)

        def forward(self, symbols):
            x = self.symbols(symbols)
            return self.readout(self.attention(x, x, x)[0])

    with pytest.raises(ValueError, match="attention"):
        lk.upscale(*fresh(Whole(8)), 2, build=Whole)
