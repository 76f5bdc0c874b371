"""A widened model is saved and loaded with torch's own functions, and training carries on."""

import copy
import functools
import io

import pytest
import torch
from own_models import Sentences, Small

import labkit as lk
from labkit import mup
from labkit.mup.batches import cross_entropy

SENTENCE = torch.arange(12).reshape(2, 6) % 7


def step(model, optimizer):
    optimizer.zero_grad()
    cross_entropy(model, (SENTENCE, SENTENCE.roll(1, 1))).backward()
    optimizer.step()


def stored(*states):
    """Return what comes back from a file, as `labkit.checkpoint` reads it."""
    file = io.BytesIO()
    torch.save(states, file)
    file.seek(0)
    return torch.load(file, weights_only=True)


def widened(kind="adamw", base_width=None):
    torch.manual_seed(0)
    model = Sentences(4)
    if base_width is None:
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    else:
        mup.prepare(model, base_width, build=Sentences, width=4)
        optimizer = mup.optimizer(model, kind, lr=0.01)
    step(model, optimizer)
    wide, wide_optimizer = lk.upscale(model, optimizer, 4, 0.1, build=Sentences, width=4)
    step(wide, wide_optimizer)
    return wide, wide_optimizer


def test_the_scales_come_back_with_the_weights():
    wide, _ = widened()
    (state,) = stored(wide.state_dict())
    fresh = Sentences(16)
    fresh.load_state_dict(state)
    assert fresh.readout.input_scale == 1 / 4
    assert fresh.scale() == wide.scale()
    assert torch.equal(fresh(SENTENCE), wide(SENTENCE))


def test_every_entry_of_a_state_is_a_tensor():
    for model in (Sentences(4), widened()[0], Sentences(4).bfloat16()):
        assert all(isinstance(value, torch.Tensor) for value in model.state_dict().values())


def test_a_state_without_the_scales_is_not_loaded_unnoticed():
    state = {name: value for name, value in Sentences(4).state_dict().items() if "extra" not in name}
    with pytest.raises(RuntimeError, match=r"scale\._extra_state"):
        Sentences(4).load_state_dict(state)


def test_a_stack_of_models_and_a_copy_keep_their_scales():
    build, x = functools.partial(Small, output=mup.Readout), torch.randn(3, 5)
    wide = lk.widen(build(4), 2, build=build, width=4)
    parameters, buffers = torch.func.stack_module_state([wide, copy.deepcopy(wide)])
    call = functools.partial(torch.func.functional_call, wide)
    outputs = torch.vmap(lambda p, b: call((p, b), (x,)))(parameters, buffers)
    torch.testing.assert_close(outputs[1], wide(x))


@pytest.mark.parametrize("base_width", [None, 2])
def test_training_carries_on_bit_for_bit_after_prepare_and_load(base_width):
    wide, optimizer = widened(base_width=base_width)
    states = stored(wide.state_dict(), optimizer.state_dict())
    again = mup.prepare(Sentences(16), base_width or 4, build=Sentences, width=16)
    again.load_state_dict(states[0])
    trainer = mup.optimizer(again, "adamw", lr=0.01)
    trainer.load_state_dict(states[1])
    for _ in range(3):
        step(wide, optimizer)
        step(again, trainer)
    assert torch.equal(again(SENTENCE), wide(SENTENCE))
