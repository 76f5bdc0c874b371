"""How long to train: the Deep Learning Tuning Playbook's rules as functions on plain histories and sweeps.

Source of the rules: the Deep Learning Tuning Playbook (Godbole, Dahl, Gilmer, Shallue and Nado, 2023), its
sections on the number of steps for each training run, CC BY 4.0. Needs neither torch nor matplotlib.

| Question | Function |
|---|---|
| Is the workload compute-bound? | `workload(histories)` |
| Where to begin with max_train_steps? | `first_guess(sweep)`, `fit_step(history)` |
| The workload changes: and now? | `revise(steps, changes)`, `gradient_noise(runs)` |
| Which checkpoint is the best? | `best_checkpoint(history)` |
| Was the study too long or too short? | `diagnose(best_steps, max_train_steps)` |
| How to lengthen the schedule? | `extend(schedule, new_steps)` |
| How to spend a budget? | `rounds(budget_hours, step_time, production_steps)` |
"""

from labkit.training_length.budget import rounds
from labkit.training_length.checkpoints import BestCheckpoint, Diagnosis, best_checkpoint, diagnose
from labkit.training_length.curves import Curve, read_curve
from labkit.training_length.extension import Extension, extend
from labkit.training_length.guess import CHANGES, FirstGuess, Revision, first_guess, revise
from labkit.training_length.kinds import Kind, workload
from labkit.training_length.noise import GradientNoise, StepsNeeded, gradient_noise
from labkit.training_length.result import Result, TrainingLengthError
from labkit.training_length.sweeps import Trial, fit_step, read_sweep
from labkit.training_length.tuning import TRANSFER, Round, Rounds, Transfer

__all__ = [
    "CHANGES",
    "TRANSFER",
    "BestCheckpoint",
    "Curve",
    "Diagnosis",
    "Extension",
    "FirstGuess",
    "GradientNoise",
    "Kind",
    "Result",
    "Revision",
    "Round",
    "Rounds",
    "StepsNeeded",
    "TrainingLengthError",
    "Transfer",
    "Trial",
    "best_checkpoint",
    "diagnose",
    "extend",
    "first_guess",
    "fit_step",
    "gradient_noise",
    "read_curve",
    "read_sweep",
    "revise",
    "rounds",
    "workload",
]
