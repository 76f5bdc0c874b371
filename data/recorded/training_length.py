"""Record longer runs of the three tasks, to see which of them is compute-bound.

    python data/recorded/training_length.py    # about ten minutes on one CPU core

Resumable: finished runs are kept in training_length.partial.jsonl and not repeated.
"""

from __future__ import annotations

import statistics
from pathlib import Path

import labkit as lk
from labkit import train

SEEDS = range(3)
EVALUATIONS = 160
RUNS = {
    "kahani": lk.KahaniConfig(lang="en", steps=4800, learning_rate=1e-2, schedule="constant"),
    "mnist1d": lk.Config(steps=8000),
    "digits": lk.DigitsConfig(steps=2400, learning_rate=1e-3, schedule="constant"),
}


def train_one(task: str, seed: int) -> list[dict[str, float]]:
    """Train with a constant learning rate; return training and validation loss along the way."""
    config = RUNS[task]
    config = type(config).from_dict(config.to_dict() | {"seed": seed})
    every = config.steps // EVALUATIONS
    training = train.Training(config)
    rows, recent = [], []
    for step, batch in zip(range(1, config.steps + 1), training.batches(), strict=False):
        recent.append(float(training.step(batch)))
        if step % every == 0:
            found = training.evaluate()
            loss = found.get("train_loss", statistics.fmean(recent))
            rows.append({"step": step, "train_loss": loss, "test_loss": found["test_loss"]})
            recent.clear()
    return rows


def main() -> None:
    """Run what has not been run yet, then write the recording."""
    recorder = lk.recorded.Recorder(Path(__file__).with_suffix(""))
    for task in reversed(RUNS):
        for seed in SEEDS:
            recorder.run(train_one, task=task, seed=seed)
    recorder.finish(
        "python data/recorded/training_length.py",
        "Training and validation loss of a tiny GPT (width 64) on Kahani, an MLP (width 64) on "
        "MNIST-1D and a "
        "ResNet (width 8) on the digits, with a constant learning rate, no augmentation and no "
        "label smoothing.",
        {
            "task": ("", '"kahani", "mnist1d" or "digits"'),
            "seed": ("", "of first weights and data order"),
            "step": ("", "training steps done"),
            "train_loss": (
                "nats",
                "on the whole training set; for Kahani, whose text never repeats, the mean over the "
                "batches since "
                "the row before",
            ),
            "test_loss": ("nats", "on held-out data; per character for Kahani, per example else"),
        },
        "CC BY 4.0",
    )


if __name__ == "__main__":
    main()
