"""Compiled, wrapped, copied and saved models are treated like the models they come from."""

import copy
import gc
import io
import weakref

import pytest
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

import labkit as lk
from labkit import mup
from labkit.models import MLP


def prepared():
    return mup.prepare(MLP(16), base_width=8, seed=0)


def with_gradients(model):
    (model(torch.randn(4, 40)) - 1).square().mean().backward()
    return model


WRAPPERS = {
    "compiled": lambda model: torch.compile(model, backend="eager"),
    "parallel": nn.DataParallel,
    "averaged": AveragedModel,
    "parallel, compiled": lambda model: torch.compile(nn.DataParallel(model), backend="eager"),
}


@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS)
def test_a_wrapped_model_is_the_model_inside(wrap):
    model = prepared()
    wrapped = wrap(model)
    assert mup.table(wrapped).rows == mup.table(model).rows
    optimizer = mup.optimizer(wrapped, "adamw", lr=0.1)
    assert len(optimizer.param_groups) == len(mup.optimizer(model, "adamw", lr=0.1).param_groups)
    mup.check_optimizer(wrapped, optimizer)
    with pytest.raises(mup.MupError, match=r"labkit\.mup\.optimizer\(model"):
        mup.check_optimizer(wrapped, torch.optim.AdamW(wrapped.parameters()))


@pytest.mark.parametrize("wrap", [WRAPPERS["compiled"], nn.DataParallel], ids=["compiled", "parallel"])
def test_gradients_of_a_wrapped_model_are_clipped_by_the_same_norm(wrap):
    model = with_gradients(prepared())
    usual = float(torch.cat([p.grad.flatten() for p in model.parameters()]).norm())
    norm = float(mup.clip_grad_norm_(model, 1e9))
    assert float(mup.clip_grad_norm_(wrap(model), 1e9)) == norm != pytest.approx(usual, rel=1e-3)


def test_a_model_of_which_a_part_is_prepared_is_not_clipped_in_silence():
    whole = nn.Sequential(prepared(), nn.Linear(10, 2))
    with_gradients(whole)
    with pytest.raises(mup.MupError, match="Only a part of this Sequential is under muP: 0"):
        mup.clip_grad_norm_(whole, 1.0)


@pytest.mark.parametrize("function", [lambda m: mup.prepare(m, 8), lambda m: lk.widen(m, 2)])
def test_a_parallel_model_is_not_prepared_or_widened_as_such(function):
    with pytest.raises(mup.MupError, match=r"Give the model inside \(model\.module\)"):
        function(nn.DataParallel(MLP(16)))


def saved_and_loaded(model):
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


def assigned(model):
    fresh = prepared()
    fresh.load_state_dict({k: v.clone() for k, v in model.state_dict().items()}, assign=True)
    return fresh


COPIES = {
    "copy": copy.deepcopy,
    "copy of a copy": lambda model: copy.deepcopy(copy.deepcopy(model)),
    "copy of what was loaded": lambda model: copy.deepcopy(saved_and_loaded(model)),
    "copy in a list": lambda model: copy.deepcopy([model, 1])[0],
    "loaded": saved_and_loaded,
    "assigned": assigned,
    "bfloat16": lambda model: copy.deepcopy(model).bfloat16().float(),
}


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_a_plain_optimizer_of_a_copy_is_refused(make):
    made = with_gradients(make(prepared()))
    with pytest.raises(mup.MupError, match=r"labkit\.mup\.optimizer\(model"):
        torch.optim.AdamW(made.parameters(), lr=0.1).step()
    mup.optimizer(made, "adamw", lr=0.1).step()


def test_a_copy_is_known_when_the_original_is_gone():
    made = with_gradients(copy.deepcopy(prepared()))
    again = with_gradients(copy.deepcopy(made))
    for model in (made, again):
        with pytest.raises(mup.MupError):
            torch.optim.AdamW(model.parameters(), lr=0.1).step()


def test_a_copy_of_a_standard_model_may_have_any_optimizer():
    prepared()
    made = with_gradients(copy.deepcopy(MLP(16)))
    torch.optim.AdamW(made.parameters(), lr=0.1).step()


def test_the_memory_of_a_model_does_not_keep_it_alive():
    gc.disable()
    try:
        model = prepared()
        gone = weakref.ref(model)
        del model
        assert gone() is None
    finally:
        gc.enable()


def test_a_wholly_frozen_model_has_nothing_to_train():
    model = prepared().requires_grad_(False)
    with pytest.raises(mup.MupError, match="nothing to train"):
        mup.optimizer(model, lr=0.1)


def test_sparse_gradients_are_clipped():
    def build(width):
        return nn.Sequential(nn.Embedding(7, width, sparse=True), mup.Readout(width, 3, bias=False))

    def norm(sparse):
        model = mup.prepare(build(16), 8, build=build, width=16, seed=0)
        model[0].sparse = sparse
        nn.init.ones_(model[1].weight)
        model(torch.tensor([1, 2, 1])).square().mean().backward()
        total = mup.clip_grad_norm_(model, 0.01)
        return float(total), float(model[0].weight.grad.to_dense().abs().sum())

    assert norm(True) == pytest.approx(norm(False))


CHANGES = {
    "a new layer": lambda model: model.add_module("extra", nn.Linear(10, 2)),
    "another shape": lambda model: setattr(model.layers, "1", nn.Linear(16, 17)),
    "a computed weight": lambda model: nn.utils.parametrizations.weight_norm(model.layers[1]),
}
USES = {
    "optimizer": lambda model: mup.optimizer(model, lr=0.1),
    "table": mup.table,
    "clip_grad_norm_": lambda model: mup.clip_grad_norm_(model, 1.0),
    "check_optimizer": lambda model: mup.check_optimizer(model, torch.optim.AdamW(model.parameters())),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_model_changed_after_it_was_prepared_says_so(change, use):
    model = prepared()
    change(model)
    with pytest.raises(mup.MupError, match="has changed since it was prepared"):
        use(model)
