"""A plain optimiser on a model under muP is noticed, whoever made it."""

import pytest
import torch

import labkit as lk
from labkit import mup
from labkit.models import MLP


def step(model, optimizer):
    optimizer.zero_grad()
    model(torch.randn(4, 40)).square().mean().backward()
    optimizer.step()


@pytest.mark.parametrize("kind", [torch.optim.Adam, torch.optim.AdamW, torch.optim.SGD])
def test_the_first_step_of_a_plain_optimizer_says_what_to_use(kind):
    model = mup.prepare(MLP(16), base_width=8)
    with pytest.raises(mup.MupError, match=r"labkit\.mup\.optimizer\(model"):
        step(model, kind(model.parameters(), lr=0.1))


def test_an_optimizer_without_rules_says_which_have_some():
    model = mup.prepare(MLP(16), base_width=8)
    with pytest.raises(mup.MupError, match="sgd, adam, adamw"):
        step(model, torch.optim.RMSprop(model.parameters()))


def test_a_group_added_later_must_be_scaled_too():
    model = mup.prepare(MLP(16), base_width=8)
    optimizer = torch.optim.SGD(list(model.layers[1].parameters())[:1], lr=0.1)  # hidden weights need nothing
    mup.check_optimizer(model, optimizer)
    optimizer.add_param_group({"params": [model.layers[0].weight]})
    with pytest.raises(mup.MupError, match=r"layers\.0\.weight"):
        mup.check_optimizer(model, optimizer)


def test_a_widened_model_is_watched_and_its_own_optimizer_passes():
    model = MLP(8)
    wide, optimizer = lk.upscale(model, torch.optim.AdamW(model.parameters()), 2)
    step(wide, optimizer)
    step(wide, mup.optimizer(wide, "sgd", lr=0.1))
    with pytest.raises(mup.MupError, match="AdamW"):
        step(wide, torch.optim.AdamW(wide.parameters()))


def test_other_models_and_models_at_their_base_width_may_have_any_optimizer():
    mup.prepare(MLP(16), base_width=8)
    for model in (MLP(16), mup.prepare(MLP(16))):
        step(model, torch.optim.AdamW(model.parameters()))
        step(model, torch.optim.RMSprop(model.parameters()))


def test_a_saved_optimizer_can_be_loaded_again_and_passes():
    model = mup.prepare(MLP(16), base_width=8)
    optimizer = mup.optimizer(model, "adamw", lr=0.1)
    step(model, optimizer)
    again = mup.optimizer(model, "adamw", lr=0.3)
    again.load_state_dict(optimizer.state_dict())
    step(model, again)
    assert [group["lr"] for group in again.param_groups] == [group["lr"] for group in optimizer.param_groups]
