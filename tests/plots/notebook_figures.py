"""The figures of notebooks 3, 4 and 5, as usual and where room is short: name → function of the language."""

from __future__ import annotations

import math

import scaling_examples as scaling
import training_length_examples as lengths
import upscaling_examples as upscaling
from figure_examples import LONG, rows

from labkit import plots
from labkit.scaling import fit_power_law

WORKLOADS = {
    "A": lengths.history("falls"),
    "B": lengths.history("fitted"),
    "C": lengths.history("begins"),
    "D": lengths.history("overfits"),
}
HELD_OUT = [{"size": 480_000, "loss": 1.11}]


def extrapolation(lang, held_out=None, floor=None, ask=False):
    table = scaling.law_table()
    return plots.extrapolation(fit_power_law(table), table, held_out, floor, lang, ask=ask)


NOTEBOOKS_3_TO_5 = {
    "loss_by_size": lambda lang: plots.loss_by_size(scaling.table(), floor=1.03, lang=lang),
    "loss_by_size, diverged": lambda lang: plots.loss_by_size(
        scaling.diverged(), floor=1.03, axis="compute", lang=lang
    ),
    "effect_by_size": lambda lang: plots.effect_by_size(scaling.PAIRS, lang=lang),
    "effect_by_size, one": lambda lang: plots.effect_by_size({LONG: scaling.PAIRS["A"]}, lang=lang),
    "effect_by_size, long names": lambda lang: plots.effect_by_size(
        {LONG: scaling.PAIRS["A"], f"a {LONG}": scaling.PAIRS["A"]}, lang=lang
    ),
    "extrapolation": lambda lang: extrapolation(lang, HELD_OUT, 1.03),
    "extrapolation, open": extrapolation,
    "kinds": lambda lang: plots.kinds(WORKLOADS, lang=lang),
    "kinds, two": lambda lang: plots.kinds({LONG: WORKLOADS["A"], "MNIST-1D": WORKLOADS["B"]}, lang=lang),
    "sweep": lambda lang: plots.sweep(lengths.sweep(), lang=lang),
    "sweep, edge": lambda lang: plots.sweep(lengths.sweep(best=0.3), lang=lang),
    "best_steps": lambda lang: plots.best_steps(lengths.STUDIES, lang=lang),
    "best_steps, one": lambda lang: plots.best_steps({LONG: lengths.STUDIES["D"]}, lang=lang),
    "schedules": lambda lang: plots.schedules(*lengths.linear(), lang=lang),
    "schedules, one": lambda lang: plots.schedules(lengths.linear()[0], lang=lang),
    "rounds": lambda lang: plots.rounds(lengths.rounds(), lang),
    "rounds, none": lambda lang: plots.rounds(lengths.rounds(()), lang),
    "rounds, many trials": lambda lang: plots.rounds(lengths.rounds(((200, 100), (20, 500), (2, 900))), lang),
    "gradient_noise": lambda lang: plots.gradient_noise(lengths.noise_rows(), 0.8, lang),
    "gradient_noise, not reached": lambda lang: plots.gradient_noise(
        lengths.noise_rows(never=("batch 25",)), lang=lang
    ),
    "equivalence": lambda lang: plots.equivalence(upscaling.gap(), lang),
    "equivalence, apart": lambda lang: plots.equivalence(upscaling.gap(0.01), lang),
    "wrong_rules": lambda lang: plots.wrong_rules({LONG: upscaling.gap(), **upscaling.gaps()}, lang=lang),
    "clones": lambda lang: plots.clones(upscaling.correlations(), upscaling.correlations(0.5), 4, lang=lang),
    "noise_sweep": lambda lang: plots.noise_sweep(upscaling.noise_rows(), lang=lang),
    "transfer": lambda lang: plots.transfer(upscaling.transfer_rows(), lang=lang),
    "transfer, one": lambda lang: plots.transfer(upscaling.transfer_rows(names=("mup",)), lang=lang),
    "coordinates": lambda lang: plots.coordinates(upscaling.coordinate_rows(), lang),
    "coordinates, many layers": lambda lang: plots.coordinates(
        upscaling.coordinate_rows(layers=[f"blocks.{i}.attention.qkv" for i in range(12)]), lang
    ),
    "race": lambda lang: plots.race(upscaling.race_rows(), 4e10, lang),
    "race, never": lambda lang: plots.race(upscaling.race_rows(lead=-0.3), 4e10, lang),
    "kinds, asked": lambda lang: plots.kinds(WORKLOADS, ask=True, lang=lang),
    "effect_by_size, asked": lambda lang: plots.effect_by_size(scaling.PAIRS, ask=True, lang=lang),
    "best_steps, asked": lambda lang: plots.best_steps(lengths.STUDIES, ask=True, lang=lang),
    "sweep, asked": lambda lang: plots.sweep(lengths.sweep(best=0.3), ask=True, lang=lang),
    "wrong_rules, asked": lambda lang: plots.wrong_rules(upscaling.gaps(), ask=True, lang=lang),
    "settings_map": lambda lang: plots.settings_map(upscaling.map_rows(), down="rate", lang=lang),
    "settings_map, named": lambda lang: plots.settings_map(
        upscaling.map_rows(rates=(1, 2, 4)),
        down="rate",
        panels={64: "the small pair, 16 → 64", 128: "the large pair, 32 → 128"},
        lang=lang,
    ),
    "noise_sweep, asked": lambda lang: plots.noise_sweep(upscaling.noise_rows(), ask=True, lang=lang),
    "transfer, asked": lambda lang: plots.transfer(upscaling.transfer_rows(), ask=True, lang=lang),
}

NAN = math.nan
DIVERGED = {
    "coordinates, diverged": lambda lang: plots.coordinates(
        [row | ({"size": NAN} if row["width"] > 64 else {}) for row in upscaling.coordinate_rows()], lang
    ),
    "transfer, diverged": lambda lang: plots.transfer(
        [row | {"loss": NAN} for row in upscaling.transfer_rows()], lang=lang
    ),
    "extrapolation, diverged": lambda lang: extrapolation(lang, [{"size": 480_000, "loss": NAN}]),
    "equivalence, diverged": lambda lang: plots.equivalence(
        [row | ({"wide_loss": NAN, "gap": NAN} if row["step"] > 60 else {}) for row in upscaling.gap()], lang
    ),
    "losses, diverged": lambda lang: plots.losses(
        {LONG: rows(), "mine": [row | {"train_loss": NAN} for row in rows()]}, lang=lang
    ),
}
