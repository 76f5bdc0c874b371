"""Record the tiny GPT on Kahani at five widths, with and without the token shift, in both languages.

    python data/recorded/kahani_sizes.py    # about 40 minutes on one CPU core

Resumable: finished runs are kept in kahani_sizes.partial.jsonl and not repeated.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import labkit as lk
from labkit import models, train

WIDTHS = (16, 32, 64, 128, 256)
SEEDS = range(5)


def train_one(lang: str, token_shift: bool, width: int, seed: int) -> dict[str, Any]:
    """Train with notebook 3's settings; return the last evaluation and what the run cost."""
    config = lk.KahaniConfig(lang=lang, token_shift=token_shift, width=width, seed=seed)
    training = train.Training(config)
    for batch in itertools.islice(training.batches(), config.steps):
        training.step(batch)
    last = training.evaluate()
    step_flops = models.training_flops(training.model, (config.batch_size, config.context))
    return {
        "loss": last["test_loss"],
        "excess": last["excess"],
        "excess_se": last["excess_se"],
        "parameters": models.parameter_count(training.model),
        "flops": config.steps * step_flops,
        "steps": config.steps,
        "sample": lk.workload.sample(training.model, lang, 220, seed=7),
    }


def main() -> None:
    """Run what has not been run yet, the small ones first, then write the recording."""
    recorder = lk.recorded.Recorder(Path(__file__).with_suffix(""))
    for width, lang, seed, token_shift in itertools.product(WIDTHS, ("en", "hi"), SEEDS, (False, True)):
        if width <= 128 or (seed < 3 and not token_shift):
            recorder.run(train_one, lang=lang, token_shift=token_shift, width=width, seed=seed)
    recorder.finish(
        "python data/recorded/kahani_sizes.py",
        "A tiny GPT (two blocks, four heads) on Kahani text with the default settings of "
        "`labkit.KahaniConfig` "
        "under muP: every width has the same learning rate, found at width 32. Evaluated on 256 "
        "held-out windows "
        "after the last step.",
        {
            "lang": ("", "of the text: English or Hindi"),
            "token_shift": ("", "True: the method; False: the baseline"),
            "width": ("", "numbers in the representation of a position"),
            "seed": ("", "of first weights and text"),
            "loss": ("nats per character", "on held-out windows"),
            "excess": ("nats per character", "loss above the best possible loss on the same windows"),
            "excess_se": ("nats per character", "standard error of the excess over windows"),
            "parameters": ("", "numbers that the model learns"),
            "flops": ("FLOP", "of all training steps, by labkit.models.training_flops"),
            "steps": ("", "of training"),
            "sample": ("", "what the model writes, seed 7"),
        },
        "CC BY 4.0",
    )


if __name__ == "__main__":
    main()
