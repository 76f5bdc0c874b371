"""Every verdict has its reason in words, in both languages, without a placeholder or NaN left over."""

import math
import re
import subprocess
import sys

import pytest
from test_compute_bound import CAUSES
from test_first_guess import INSIDE, trial

from labkit.schedules import constant, cosine, linear
from labkit.training_length import (
    best_checkpoint,
    diagnose,
    extend,
    first_guess,
    gradient_noise,
    revise,
    rounds,
    workload,
)
from labkit.training_length.guess import CHANGES

FITTED = {0.001: 900, 0.003: 300, 0.01: 500}
RESULTS = {
    **{f"workload, {cause}": workload(rows) for cause, rows in CAUSES.items()},
    "guess": first_guess(INSIDE),
    "guess, larger": first_guess({0.001: trial(900), 0.003: trial(500), 0.01: trial(300)}),
    "guess, smaller": first_guess({0.001: trial(300), 0.003: trial(500), 0.01: trial(900)}),
    "guess, more": first_guess({0.001: trial(300)}),
    "guess, diverged": first_guess({r: [{"step": 9, "train_loss": math.nan}] for r in FITTED}),
    "guess, unequal": first_guess(INSIDE | {0.005: trial(300, steps=2000)}),
    "guess, unfitted": first_guess({0.1 / n: [{"step": 9, "train_loss": float(n)}] for n in (1, 2, 3)}),
    "guess, unfitted below": first_guess({0.1 * n: [{"step": 9, "train_loss": float(n)}] for n in (1, 2, 3)}),
    "guess, longer": first_guess(
        {n: [{"step": 9, "train_loss": loss}] for n, loss in ((1, 3.0), (2, 1.0), (3, 2.0))}
    ),
    **{f"revise, {change}": revise(300, [change], 1.5) for change in CHANGES},
    "revise, keep": revise(300, []),
    "checkpoint, between": best_checkpoint([{"step": s, "test_loss": abs(s - 5.0)} for s in range(11)]),
    "checkpoint, early": best_checkpoint([{"step": s, "test_loss": float(s)} for s in range(11)]),
    "checkpoint, late": best_checkpoint([{"step": s, "test_loss": -float(s)} for s in range(0, 11, 5)]),
    "diagnose, long": diagnose([1, 2, 3], 100),
    "diagnose, longer": diagnose([90, 92, 93], 100),
    "diagnose, keep": diagnose([1, 50, 93], 100),
    "diagnose, apart": diagnose([1, 50, 93], [100, 100, 200]),
    "diagnose, few": diagnose([1], 100),
    "extend, linear": extend(linear(0.1, 100, 10, 30), 200),
    "extend, cosine": extend(cosine(0.1, 100, 10), 200),
    "extend, constant": extend(constant(0.1, 100), 200),
    "extend, unchanged": extend(constant(0.1, 100), 100),
    "rounds": rounds(10, 0.1, 10_000),
    "rounds, many": rounds(100, 0.1, 10_000, 5),
    "rounds, too long": rounds(0.1, 0.1, 10_000),
    "rounds, one too long": rounds(0.1, 0.1, 10_000, 1),
    "noise": gradient_noise(
        {
            name: [[{"step": s, "test_loss": 1 - s / need} for s in range(100)] for need in needs]
            for name, needs in {
                "plain": (50, 60),
                "slower": (80, 90),
                "faster": (20, 30),
                "alike": (40, 70),
                "never": (500, 500),
            }.items()
        },
        0.0,
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_reason_is_whole_in_both_languages(name):
    result = RESULTS[name]
    english, hindi = result.to_text("en"), result.to_text("hi")
    for said in (english, hindi):
        assert not re.search(r"[{}]|\bnan\b|\bNone\b|\binf\b", said)
    assert not re.search(r"[\u0900-\u097F]", english)
    assert re.search(r"[\u0900-\u097F]", hindi)
    assert english.endswith(result.reason("en"))
    assert str(result) == repr(result)
    assert result.numbers


def test_neither_torch_nor_matplotlib_is_loaded():
    code = (
        "import sys, labkit.training_length, labkit.schedules;"
        "print([m for m in ('torch', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
