"""muP in one place: what each tensor is multiplied by when a model gets wider, and why.

Let a model be widened so that every unit becomes several equal copies. A tensor whose out side grows by the
factor a and whose in side by the factor b (1 for a side that does not grow) must then follow two rules for
the wide model to compute the same function, now and after every later training step:

    weight    rho   = 1 / (b * s)     each output sums b copies of each input
    gradient  gamma = s / a           the gradient of a unit is shared by its a copies

where s is what the layer's input is additionally multiplied by: 1/b in a `Readout`, 1 elsewhere. All the rest
follows. The optimiser's update must shrink like the weight (by rho) while what it is computed from shrinks
like the gradient (by gamma):

    |                            | factor      | input, vector | hidden a=b=m | Readout a=1 b=m | fixed |
    |----------------------------|-------------|---------------|--------------|-----------------|-------|
    | weight when widened        | rho         | 1             | 1/m          | 1               | 1     |
    | SGD learning rate          | rho / gamma | m             | 1            | m               | 1     |
    | SGD weight decay           | gamma / rho | 1/m           | 1            | 1/m             | 1     |
    | Adam, AdamW learning rate  | rho         | 1             | 1/m          | 1               | 1     |
    | Adam, AdamW eps            | gamma       | 1/m           | 1/m          | 1/m             | 1     |
    | Adam weight decay          | gamma / rho | 1/m           | 1            | 1/m             | 1     |
    | AdamW weight decay         | 1 / rho     | 1             | m            | 1               | 1     |
    | momentum, first moment     | gamma       | 1/m           | 1/m          | 1/m             | 1     |
    | second moment, its maximum | gamma^2     | 1/m^2         | 1/m^2        | 1/m^2           | 1     |

(SGD's and Adam's decay is added to the gradient, AdamW's multiplies the weight by 1 - rate * decay. Momentum,
Nesterov, dampening, betas and AMSGrad need nothing more: they are linear in the gradient, or maxima of it.)

Sources: muP is due to Yang et al., arXiv 2203.03466; that the same factors keep a widened model equal
through training is from Ma et al., arXiv 2602.10545. The derivation for unequal a and b is ours; the tests
try each entry, and that a change to any of them is noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torch import nn
from torch.optim import SGD, Adam, AdamW, Optimizer

from labkit.messages import text
from labkit.mup.sides import MupError, Sides, compare, tensors

Rule = Callable[[Sides], float]

# Numbers of a parameter group that are learning rates: torch's schedulers keep theirs there.
RATES = ("lr", "initial_lr", "max_lr", "min_lr", "swa_lr")


def _rho(sides: Sides) -> float:
    return 1.0 if sides.readout else 1.0 / sides.into


def _gamma(sides: Sides) -> float:
    return 1.0 / (sides.out * sides.into) if sides.readout else 1.0 / sides.out


RULES: Mapping[str, Rule] = {
    "weight": _rho,
    "gradient": _gamma,
    "sgd.lr": lambda sides: _rho(sides) / _gamma(sides),
    "sgd.weight_decay": lambda sides: _gamma(sides) / _rho(sides),
    "adam.lr": _rho,
    "adam.eps": _gamma,
    "adam.weight_decay": lambda sides: _gamma(sides) / _rho(sides),
    "adamw.lr": _rho,
    "adamw.eps": _gamma,
    "adamw.weight_decay": lambda sides: 1.0 / _rho(sides),
    # The optimisers' memories, under the names torch gives them.
    "momentum_buffer": _gamma,
    "exp_avg": _gamma,
    "exp_avg_sq": lambda sides: _gamma(sides) ** 2,
    "max_exp_avg_sq": lambda sides: _gamma(sides) ** 2,
    # The two changes of the forward pass, and what must not be changed with them.
    "readout.input_scale": lambda sides: 1.0 / sides.into,
    "readout.bias": lambda sides: 1.0,
    "attention.scale": lambda sides: 1.0 / sides.into,
}

# One rule changed, to see what it is there for: name → the rules that replace those above.
WRONG_RULES: Mapping[str, Mapping[str, Rule]] = {
    "hidden weights not divided by k": {
        "weight": lambda sides: 1.0 if sides.role == "hidden" else _rho(sides)
    },
    "second moment divided by k": {
        "exp_avg_sq": _gamma,
        "max_exp_avg_sq": _gamma,
    },
    "learning rate not scaled": {name: lambda sides: 1.0 for name in ("sgd.lr", "adam.lr", "adamw.lr")},
    "attention scale 1/sqrt(head size)": {"attention.scale": lambda sides: float(sides.into) ** -0.5},
    "readout bias scaled": {"readout.bias": lambda sides: 1.0 / sides.into},
}


def kind_of(optimizer: Optimizer) -> str | None:
    """Return "sgd", "adam" or "adamw", or None for an optimiser without rules here."""
    if type(optimizer) is Adam and optimizer.defaults.get("decoupled_weight_decay"):
        return "adamw"
    return {SGD: "sgd", Adam: "adam", AdamW: "adamw"}.get(type(optimizer))


def multipliers(kind: str, sides: Sides, rules: Mapping[str, Rule] = RULES) -> dict[str, float]:
    """Return what the numbers of a tensor's parameter group are multiplied by: "lr", "eps", "weight_decay".

    Parameters
    ----------
    kind : "sgd" (which has no eps), "adam" or "adamw".
    sides : of the tensor.
    rules : `RULES`, or with some changed.
    """
    numbers = ("lr", "eps", "weight_decay")
    return {n: rules[f"{kind}.{n}"](sides) for n in numbers if f"{kind}.{n}" in rules}


def sides_between(
    small: nn.Module, large: nn.Module, wider: nn.Module | None = None, tied_as: nn.Module | None = None
) -> dict[str, Sides]:
    """Return `compare(small, large, wider)`, after making sure that shared tensors have one rule.

    An embedding's weight may also be a `Readout`'s: both then follow the same rules. A plain output layer's
    differ from the embedding's, and one tensor cannot follow both.

    Parameters
    ----------
    tied_as : the model whose sharing counts; by default `large`.

    Raises
    ------
    MupError
        As `compare`, or naming each tensor that is shared between uses whose rules differ.
    """
    sides = compare(small, large, wider)
    shared: dict[int, list[str]] = {}
    for name, _, _, parameter in tensors(large if tied_as is None else tied_as):
        shared.setdefault(id(parameter), []).append(name)
    grows = any(s.out != 1 or s.into != 1 for s in sides.values())
    problems = [
        text("mup.tied", names=", ".join(names))
        for names in shared.values()
        if grows and len({(_rho(sides[name]), _gamma(sides[name])) for name in names}) > 1
    ]
    if problems:
        raise MupError(problems)
    return sides
