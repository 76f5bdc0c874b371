"""Schedules: the rate at every step, lengthening them, and torch's scheduler with its state."""

import copy
import math
import pickle

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from labkit.schedules import Schedule, ScheduleError, constant, cosine, linear
from labkit.training_length import extend

SCHEDULES = {
    "constant": constant(0.01, 300),
    "constant, warm-up": constant(0.01, 300, warmup_steps=50),
    "linear": linear(0.01, 300),
    "linear, all parts": linear(0.01, 300, warmup_steps=50, decay_steps=100, end=0.001),
    "linear, no warm-up": linear(0.01, 300, decay_steps=60),
    "cosine": cosine(0.01, 300),
    "cosine, warm-up and end": cosine(0.01, 300, warmup_steps=50, end=0.002),
    "held at its end": Schedule("linear", 0.01, 20, 100, 80, 0.001, held_steps=100),
}
every_schedule = pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
decaying = pytest.mark.parametrize(
    "schedule", [s for s in SCHEDULES.values() if s.kind != "constant"], ids=lambda s: s.kind
)


@st.composite
def schedules(draw):
    kind = draw(st.sampled_from(["constant", "linear", "cosine"]))
    parts = {
        "warmup_steps": draw(st.integers(0, 50)),
        "constant_steps": 0 if kind == "cosine" else draw(st.integers(1, 200)),
        "decay_steps": 0 if kind == "constant" else draw(st.integers(1, 200)),
    }
    base = draw(st.floats(1e-5, 1))
    end = 0.0 if kind == "constant" else base * draw(st.floats(0, 1))
    return Schedule(kind, base, **parts, end=end)


def test_rates_by_hand():
    schedule = linear(0.1, 100, warmup_steps=10, decay_steps=40)
    assert [schedule.rate(step) for step in (0, 5, 10, 59, 60, 70, 100, 200)] == pytest.approx(
        [0, 0.05, 0.1, 0.1, 0.1, 0.075, 0, 0]
    )
    half = cosine(0.1, 110, warmup_steps=10)
    assert [half.rate(step) for step in (10, 35, 60, 110)] == pytest.approx(
        [0.1, 0.05 + 0.05 * math.sqrt(0.5), 0.05, 0]
    )


@every_schedule
def test_rates_stay_between_nothing_and_the_base_rate(schedule):
    rates = schedule.rates()
    assert len(rates) == schedule.steps
    assert all(0 <= rate <= schedule.base_rate * (1 + 1e-12) for rate in rates)
    assert schedule.rate(schedule.steps) == pytest.approx(
        schedule.base_rate if schedule.kind == "constant" else schedule.end
    )


@given(schedule=schedules(), extra=st.integers(0, 500))
def test_extending_changes_nothing_up_to_where_it_should(schedule, extra):
    extension = extend(schedule, schedule.steps + extra)
    assert extension.schedule.steps == schedule.steps + extra
    upto = extension.same_until
    assert [extension.schedule.rate(s) for s in range(upto + 1)] == [
        schedule.rate(s) for s in range(upto + 1)
    ]
    if schedule.kind == "linear":  # the decay is the old one, later
        for step in range(schedule.decay_begins, schedule.steps + 1):
            assert extension.schedule.rate(step + extra) == schedule.rate(step)
    if schedule.kind == "cosine" and extra:  # as much of the cosine done at the same share of the way
        for share in (0.25, 0.5, 1):
            new = extension.schedule.rate(upto + share * extension.schedule.decay_steps)
            assert new == pytest.approx(schedule.rate(upto + share * schedule.decay_steps))


@given(schedule=schedules(), extra=st.integers(1, 500))
def test_where_the_old_and_the_new_schedule_part_they_part_at_once(schedule, extra):
    extension = extend(schedule, schedule.steps + extra)
    if schedule.kind == "constant":
        assert extension.same_until == schedule.steps
    elif schedule.end < 0.99 * schedule.base_rate:
        assert extension.schedule.rate(extension.same_until + 1) > schedule.rate(extension.same_until + 1)


@decaying
def test_the_mistakes_spend_the_extra_steps_at_smaller_rates(schedule):
    extension = extend(schedule, 900)
    assert extension.mistake.rates()[:300] == schedule.rates()
    assert set(extension.mistake.rates()[300:]) == {schedule.end}
    numbers = extension.numbers
    assert numbers["mean_rate_of_mistake"] < numbers["mean_rate_before"]
    assert numbers["mean_rate_of_mistake"] < numbers["mean_rate"]
    if schedule.kind == "linear":
        assert sum(schedule.stretched(900).rates()) < sum(extension.schedule.rates())


def test_extending_by_nothing_is_said_to_change_nothing():
    schedule = SCHEDULES["linear, all parts"]
    extension = extend(schedule, 300)
    assert (extension.verdict, extension.schedule) == ("unchanged", schedule)


@every_schedule
def test_torch_follows_the_schedule_in_every_parameter_group(schedule):
    optimizer, scheduler = make(schedule)
    for step in range(schedule.steps):
        slow, fast = (group["lr"] for group in optimizer.param_groups)
        assert slow == pytest.approx(schedule.rate(step), abs=1e-15)
        assert fast == pytest.approx(4 * schedule.rate(step), abs=1e-15)
        optimizer.step()
        scheduler.step()


def make(schedule):
    weights = [torch.nn.Parameter(torch.ones(2)) for _ in range(2)]
    groups = [
        {"params": [weight], "lr": factor * 0.01} for weight, factor in zip(weights, (1, 4), strict=True)
    ]
    optimizer = torch.optim.SGD(groups, lr=0.01)
    return optimizer, schedule.to_torch(optimizer)


def advance(optimizer, scheduler, steps):
    rates = []
    for _ in range(steps):
        rates.append([group["lr"] for group in optimizer.param_groups])
        optimizer.step()
        scheduler.step()
    return rates


@every_schedule
@pytest.mark.parametrize("position", [0, 25, 120, 299])
def test_saved_state_loads_without_pickled_code_and_goes_on_exactly(schedule, position, tmp_path):
    optimizer, scheduler = make(schedule)
    advance(optimizer, scheduler, position)
    torch.save([optimizer.state_dict(), scheduler.state_dict()], tmp_path / "state.pt")
    expected = advance(optimizer, scheduler, 20)

    optimizer, scheduler = make(schedule)
    states = torch.load(tmp_path / "state.pt", weights_only=True)
    optimizer.load_state_dict(states[0])
    scheduler.load_state_dict(states[1])
    assert advance(optimizer, scheduler, 20) == expected


@every_schedule
def test_schedulers_can_be_pickled_and_copied(schedule):
    _, scheduler = make(schedule)
    pickled = pickle.loads(pickle.dumps(scheduler))  # noqa: S301 - our own bytes
    for twin in (pickled, copy.deepcopy(scheduler)):
        assert [twin.lr_lambdas[0](step) for step in (0, 60, 250)] == [
            schedule.factor(step) for step in (0, 60, 250)
        ]


@every_schedule
def test_a_state_from_round_one_goes_on_with_the_extended_schedule(schedule):
    optimizer, scheduler = make(schedule)
    extension = extend(schedule, 900)
    at = min(extension.same_until, 299)
    advance(optimizer, scheduler, at)
    states = optimizer.state_dict(), scheduler.state_dict()

    optimizer, scheduler = make(extension.schedule)
    optimizer.load_state_dict(states[0])
    scheduler.load_state_dict(states[1])
    rates = [slow for slow, _ in advance(optimizer, scheduler, 900 - at)]
    assert rates == pytest.approx(extension.schedule.rates()[at:], abs=1e-15)


@pytest.mark.parametrize(
    ("values", "problems"),
    [
        ({"kind": "sqrt", "base_rate": -1, "warmup_steps": 2.5, "decay_steps": -3}, 4),
        ({"kind": "linear", "base_rate": 0.1, "decay_steps": 10, "end": 0.2}, 1),
        ({"kind": "linear", "base_rate": 0.1, "constant_steps": 10}, 1),
        ({"kind": "cosine", "base_rate": 0.1, "constant_steps": 10, "decay_steps": 10}, 1),
        ({"kind": "constant", "base_rate": 0.1, "constant_steps": 10, "decay_steps": 10}, 1),
        ({"kind": "constant", "base_rate": float("nan"), "constant_steps": True}, 2),
        ({"kind": "constant", "base_rate": 0.1}, 1),
    ],
)
def test_values_that_cannot_be_used_are_refused_all_at_once(values, problems):
    with pytest.raises(ScheduleError) as refused:
        Schedule(**values)
    assert len(refused.value.problems) == problems


@pytest.mark.parametrize("new_steps", [299, 300.5, "900", None])
def test_a_new_length_below_the_old_one_is_refused(new_steps):
    for change in (extend, Schedule.mistaken, Schedule.stretched):
        with pytest.raises(ScheduleError, match="300"):
            change(SCHEDULES["linear"], new_steps)


def test_a_constant_rate_has_no_small_end_to_stay_at():
    assert extend(SCHEDULES["constant"], 900).mistake is None
    for mistake in (Schedule.mistaken, Schedule.stretched):
        with pytest.raises(ScheduleError):
            mistake(SCHEDULES["constant"], 900)


@pytest.mark.parametrize(
    "call",
    [
        lambda: linear(0.1, 100, warmup_steps=80, decay_steps=30),
        lambda: cosine(0.1, 100, warmup_steps=101),
        lambda: constant(0.1, 100, warmup_steps=101),
        lambda: linear(0.1, "100"),
    ],
)
def test_parts_longer_than_the_whole_are_refused(call):
    with pytest.raises(ScheduleError):
        call()


@pytest.mark.parametrize("step", [-1, math.nan, "a", None])
def test_a_step_that_cannot_be_has_no_rate(step):
    with pytest.raises(ScheduleError, match="step is"):
        SCHEDULES["linear"].rate(step)


@pytest.mark.parametrize("optimizer", ["x", None])
def test_only_an_optimiser_takes_a_schedule(optimizer):
    with pytest.raises(ScheduleError, match="optimizer is"):
        SCHEDULES["linear"].to_torch(optimizer)


def test_an_optimiser_with_another_rate_is_warned_of():
    weight = torch.nn.Parameter(torch.ones(2))
    with pytest.warns(UserWarning, match=r"learning rate is 0.5, the schedule's base_rate 0.01"):
        SCHEDULES["linear"].to_torch(torch.optim.SGD([weight], lr=0.5))


def test_one_group_at_the_base_rate_is_enough(recwarn):
    optimizer, _ = make(SCHEDULES["linear, all parts"])
    SCHEDULES["linear"].to_torch(optimizer)
    assert not recwarn.list


@pytest.mark.parametrize(
    "schedule", [None, "cosine", make(SCHEDULES["linear"])[1]], ids=["None", "text", "torch"]
)
def test_only_labkits_schedules_are_extended(schedule):
    with pytest.raises(ScheduleError, match=f"of the type {type(schedule).__name__}"):
        extend(schedule, 900)
