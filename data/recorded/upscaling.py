"""Record the upscaling study: hyperparameter transfer, noise, and the race against training from scratch.

    python data/recorded/upscaling.py                         # about two hours on one CPU core
    python data/recorded/upscaling.py --large                 # four times the widths: a GPU, or a night
    python data/recorded/upscaling.py --large --network MLP   # a part of it

Resumable: finished runs are kept in *.partial.jsonl and not repeated. Every run has its own seed for weights,
data order and noise; tuning uses seeds of its own that are not among those reported.
"""

from __future__ import annotations

import argparse
import math
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

import labkit as lk
from labkit import models, schedules, sweep, train

HERE = Path(__file__).parent
SEEDS = range(5)
NOISE_SEEDS = range(3)
TUNING_SEEDS = range(100, 103)
GROWTH = 4
RATE_FACTORS = [2.0**power for power in range(-6, 3)]  # times the network's own learning rate
NOISES = [0.0, 0.1, 0.3, 1.0, 3.0, 10.0]
MAP_RATES = [
    0.5,
    1.0,
    2.0,
    4.0,
    8.0,
]  # of the noise map, times the rate that the small network was trained with
TUNED_RATES = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0]  # times five noises: 30 settings of the upscaled route
TUNED_NOISES = [0.1, 0.3, 1.0, 3.0, 10.0]
SCRATCH_RATES = [2.0 ** (power / 2) for power in range(-13, 17)]  # 30 settings of scratch, too
PARAMETRIZATIONS = ("standard", "mup")


@dataclass(frozen=True)
class Network:
    """One of the three networks and its task.

    Attributes
    ----------
    config : class of its configs.
    width : the small pair is width → 4 × width, the large pair 2 × width → 8 × width.
    base_steps, more_steps : of training the small network, and of the wide one after growing.
    settings : other settings of all runs.
    """

    config: type[lk.Config]
    width: int
    base_steps: int
    more_steps: int
    settings: dict[str, Any]

    def make(self, **changes: Any) -> lk.Config:
        """Return a config under muP with a constant learning rate unless told otherwise."""
        common = {
            "parametrization": "mup",
            "schedule": "constant",
            "warmup_steps": 0,
            "base_width": self.width,
        }
        return self.config(**common | self.settings | changes)


# The learning rates are the best of `record_transfer` at the smallest width, to a factor of two.
NETWORKS = {
    "MLP": Network(lk.Config, 16, 2000, 1000, {"shift": 3, "learning_rate": 2.4e-2}),
    "ResNet": Network(lk.DigitsConfig, 4, 800, 400, {"shift": 1, "learning_rate": 2.4e-2}),
    "GPT": Network(lk.KahaniConfig, 16, 600, 300, {"lang": "en", "learning_rate": 2e-2}),
}


def large(network: Network) -> Network:
    """Return the study's network at four times the width, trained longer."""
    return Network(
        network.config, 4 * network.width, 3 * network.base_steps, 3 * network.more_steps, network.settings
    )


def transfer(network: Network, parametrization: str, width: int, seed: int) -> list[dict[str, Any]]:
    """Train at every learning rate; return the final losses."""
    own = network.make().learning_rate
    steps = network.more_steps
    config = network.make(
        parametrization=parametrization,
        width=width,
        seed=seed,
        steps=steps,
        eval_every=steps,
        schedule="cosine",
    )
    runs = sweep.sweep(sweep.grid(config, learning_rate=[own * f for f in RATE_FACTORS]), progress=False)
    return [{"learning_rate": run.config.learning_rate, "loss": run.rows[-1]["test_loss"]} for run in runs]


def trained_base(network: Network, width: int, seed: int) -> train.Training:
    """Train the small network at its own learning rate."""
    training = train.Training(network.make(width=width, seed=seed, steps=network.base_steps))
    for _, batch in zip(range(network.base_steps), training.batches(), strict=False):
        training.step(batch)
    return training


def grown_curve(
    network: Network, base: train.Training, rate: float, noise: float, *, seed: int, evaluations: int = 1
) -> list[dict[str, float]]:
    """Grow the trained network by four and train on with a cosine schedule; return steps and losses.

    `rate` is relative to the rate that the small network was trained with.
    """
    wide, optimizer = lk.upscale(base.model, base.optimizer, GROWTH, noise_std=noise, seed=seed)
    for group in optimizer.param_groups:
        group["lr"] *= rate
    schedule = schedules.cosine(base.config.learning_rate * rate, network.more_steps).to_torch(optimizer)
    every = max(1, network.more_steps // evaluations)
    rows = [{"step": 0, "loss": loss_of(base, wide)}]
    for step in range(network.more_steps):
        with base.cpu_threads():
            optimizer.zero_grad()
            base.workload.loss(wide, base.workload.batch(network.base_steps + step)).backward()
            optimizer.step()
        schedule.step()
        if (step + 1) % every == 0 or step + 1 == network.more_steps:
            rows.append({"step": step + 1, "loss": loss_of(base, wide)})
    return rows


@torch.no_grad()
def loss_of(training: train.Training, model: torch.nn.Module) -> float:
    """Return the held-out loss in nats."""
    model.eval()
    with training.cpu_threads():
        loss = training.workload.evaluate(model)["test_loss"]
    model.train()
    return loss


def noise_map(network: Network, width: int, seed: int) -> list[dict[str, Any]]:
    """Grow one trained network with every noise and train on at every learning rate."""
    base = trained_base(network, width, seed)
    return [
        {"rate": rate, "noise": noise, "loss": grown_curve(network, base, rate, noise, seed=seed)[-1]["loss"]}
        for rate in MAP_RATES
        for noise in NOISES
    ]


def tuning(network: Network, seed: int) -> list[dict[str, Any]]:
    """Try both routes at the small pair, 30 settings each; scratch has no noise."""
    base = trained_base(network, network.width, seed)
    trials = [
        ("upscaled", rate, noise, grown_curve(network, base, rate, noise, seed=seed))
        for rate in TUNED_RATES
        for noise in TUNED_NOISES
    ]
    trials += [
        ("scratch", rate, 0.0, scratch_curve(network, network.width, rate, seed)) for rate in SCRATCH_RATES
    ]
    return [
        {"route": route, "rate": rate, "noise": noise, "loss": curve[-1]["loss"]}
        for route, rate, noise, curve in trials
    ]


def best(trials: list[dict[str, Any]], network: str) -> dict[str, float]:
    """Return the settings of a network's lowest mean loss on each route; one that diverged is no choice."""
    losses: dict[str, dict[tuple[float, float], list[float]]] = {"upscaled": {}, "scratch": {}}
    for row in trials:
        if row["network"] == network:
            loss = row["loss"] if math.isfinite(row["loss"]) else math.inf
            losses[row["route"]].setdefault((row["rate"], row["noise"]), []).append(loss)
    grown, scratch = (min(found, key=lambda pair: statistics.fmean(found[pair])) for found in losses.values())
    return {"rate": grown[0], "noise": grown[1], "scratch_rate": scratch[0]}


def scratch_steps(network: Network, width: int) -> int:
    """Return how many steps of the wide network cost as much as the other route in all."""
    ratio = step_flops(network, width) / step_flops(network, GROWTH * width)
    return network.more_steps + round(network.base_steps * ratio)


def step_flops(network: Network, width: int) -> float:
    """Return the floating-point operations of one training step."""
    training = train.Training(network.make(width=width))
    return float(models.training_flops(training.model, _input_shape(training)))


def _input_shape(training: train.Training) -> tuple[int, ...]:
    """Return the shape of the model's input: a batch, for the GPT without the last character."""
    shape = tuple(training.workload.batch(0)[0].shape)
    return (shape[0], shape[1] - 1) if isinstance(training.model, models.GPT) else shape


def scratch_curve(
    network: Network, width: int, rate: float, seed: int, evaluations: int = 1
) -> list[dict[str, float]]:
    """Train the wide network from the start with the same total compute; return steps and losses."""
    steps = scratch_steps(network, width)
    config = network.make(
        width=GROWTH * width,
        seed=seed,
        steps=steps,
        learning_rate=rate * network.make().learning_rate,
        schedule="cosine",
        warmup_steps=steps // 20,
        eval_every=max(1, steps // evaluations),
    )
    return [{"step": row["step"], "loss": row["test_loss"]} for row in train.run(config).rows]


def race(network: Network, seed: int, rate: float, noise: float, scratch_rate: float) -> list[dict[str, Any]]:
    """Run both routes at the large pair; return the curves against compute in FLOPs."""
    width = 2 * network.width
    base = trained_base(network, width, seed)
    small_flops, wide_flops = (step_flops(network, w) for w in (width, GROWTH * width))
    grown = grown_curve(network, base, rate, noise, seed=seed, evaluations=25)
    scratch = scratch_curve(network, width, scratch_rate, seed, evaluations=25)
    return [
        {
            "route": route,
            "step": int(row["step"]),
            "compute": row["step"] * wide_flops,
            "base_compute": network.base_steps * small_flops,
            "loss": row["loss"],
        }
        for route, rows in (("upscaled", grown), ("scratch", scratch))
        for row in rows
    ]


FIELDS = {
    "network": ("", "MLP on MNIST-1D, ResNet on the digits, GPT on Kahani (English)"),
    "seed": ("", "of first weights, data order and noise"),
    "loss": (
        "nats",
        "on held-out data; per character for the GPT, per example else; NaN if the run diverged",
    ),
    "width": ("", "units of a layer, channels of the first stage for the ResNet"),
}
NOISE = ("", "standard deviation relative to a fresh muP initialisation of the wide network")
ROUTE = ("", '"upscaled" or "scratch"')


def main() -> None:
    """Run what has not been run yet, then write the recordings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true", help="four times the widths, three times the steps")
    parts = {"transfer": record_transfer, "noise": record_noise, "race": record_race}
    parser.add_argument("--only", choices=parts, help="one of the three parts")
    parser.add_argument("--network", choices=NETWORKS, nargs="+", default=list(NETWORKS), help="else all")
    asked = parser.parse_args()
    networks = {name: large(NETWORKS[name]) if asked.large else NETWORKS[name] for name in asked.network}
    ending = "_large" if asked.large else ""
    command = "python data/recorded/upscaling.py" + (" --large" if asked.large else "")
    torch.set_num_threads(1)
    for name, record in parts.items():
        if asked.only in (None, name):
            record(networks, ending, command)


def record_transfer(networks: dict[str, Network], ending: str, command: str) -> None:
    """Record the final loss by learning rate at three widths, in both parametrisations."""
    recorder = lk.recorded.Recorder(HERE / f"upscaling_transfer{ending}")
    for name, network in networks.items():
        for width in (network.width, 2 * network.width, 4 * network.width):
            for parametrization in PARAMETRIZATIONS:
                for seed in SEEDS:
                    recorder.run(
                        lambda network, parametrization, width, seed: transfer(
                            networks[network], parametrization, width, seed
                        ),
                        network=name,
                        parametrization=parametrization,
                        width=width,
                        seed=seed,
                    )
    recorder.finish(
        command,
        "Final held-out loss of three networks trained from scratch at nine learning rates, three "
        "widths and five "
        "seeds, in the standard parametrisation (torch's first weights, one rate) and under muP (base: the "
        "smallest width). Cosine schedule.",
        FIELDS
        | {
            "parametrization": ("", '"standard" or "mup"'),
            "learning_rate": ("", "as given to the optimiser, before muP's multipliers"),
        },
        "CC BY 4.0",
    )


def record_noise(networks: dict[str, Network], ending: str, command: str) -> None:
    """Record the final loss of grown networks by noise and learning rate, at both pairs."""
    recorder = lk.recorded.Recorder(HERE / f"upscaling_noise{ending}")
    for name, network in networks.items():
        for pair, width in (("small", network.width), ("large", 2 * network.width)):
            for seed in NOISE_SEEDS:
                recorder.run(
                    lambda network, pair, width, seed: noise_map(networks[network], width, seed),
                    network=name,
                    pair=pair,
                    width=width,
                    seed=seed,
                )
    recorder.finish(
        command,
        "Held-out loss of three networks that were trained at `width`, grown to four times that "
        "width with noise, "
        "and trained on with a cosine schedule.",
        FIELDS
        | {
            "pair": ("", '"small" or "large": the sizes that were grown'),
            "rate": ("", "learning rate relative to the one that the small network was trained with"),
            "noise": NOISE,
        },
        "CC BY 4.0",
    )


def record_race(networks: dict[str, Network], ending: str, command: str) -> None:
    """Record the tuning of both routes at the small pair, then their race at the large one."""
    trials = lk.recorded.Recorder(HERE / f"upscaling_tuning{ending}")
    for name in networks:
        for seed in TUNING_SEEDS:
            trials.run(lambda network, seed: tuning(networks[network], seed), network=name, seed=seed)
    without = {key: about for key, about in FIELDS.items() if key != "width"}
    trials.finish(
        command,
        "Final held-out loss of two routes to one wide network at the small pair, 30 settings each with "
        "three seeds: the small network trained, grown by four with noise and trained on (upscaled), and "
        "the wide network trained from the start with the same total compute (scratch).",
        without
        | {
            "route": ROUTE,
            "rate": ("", "learning rate relative to the one that the small network was trained with"),
            "noise": NOISE,
        },
        "CC BY 4.0",
    )
    recorder = lk.recorded.Recorder(HERE / f"upscaling_race{ending}")
    for name in networks:
        for seed in SEEDS:
            recorder.run(
                lambda network, seed, **chosen: race(networks[network], seed, **chosen),
                network=name,
                seed=seed,
                **best(trials.rows, name),
            )
    recorder.finish(
        command,
        "Held-out loss against training compute for two routes to one wide network, with equal "
        "total compute: "
        "the small network trained, grown by four with noise and trained on (upscaled), and the wide network "
        "trained from the start (scratch). Both were tuned at the small pair, 30 settings "
        "each (upscaling_tuning), and their settings carried to the large pair by muP.",
        {name: about for name, about in FIELDS.items() if name != "width"}
        | {
            "route": ROUTE,
            "step": ("", "of the wide network"),
            "compute": ("FLOP", "spent so far on the wide network"),
            "base_compute": ("FLOP", "spent on the small network, which only the upscaled route needs"),
            "rate": ("", "tuned learning rate of the upscaled route, relative to the network's own"),
            "noise": ("", "tuned noise of the upscaled route"),
            "scratch_rate": ("", "tuned learning rate of scratch, relative to the network's own"),
        },
        "CC BY 4.0",
    )


if __name__ == "__main__":
    main()
