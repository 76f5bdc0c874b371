"""Rubric of exercise 2.1, the list of settings. A mistake that comes again in each entry is said once."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from labkit.checks.core import AnswerError, Phrase, Remark, part, right, rubric, wrong
from labkit.checks.plain import JSON, is_marker, shown
from labkit.checks.shapes import names_of, unanswered

ROLES = ("baseline", "method", "ablation")
_LATER_FAULT = 0.125  # points that hang on each kind of fault after the first; there are at most eight kinds


@dataclass(frozen=True)
class _Entry:
    """One entry of the list as it was probably meant; `fault` is what keeps it from being a setting.

    Attributes
    ----------
    name, role : empty where the entry says nothing usable.
    fault : the last part of a message id, or empty.
    near : for a misspelt role, the role that was probably meant.
    """

    position: int
    given: JSON
    name: str = ""
    role: str = ""
    fault: str = ""
    near: str = ""


@rubric("2.1", points=3)
def settings(answer: JSON) -> Iterator[Remark]:
    """Grade the list of settings: its shape, a baseline and a method, an ablation, clear names.

    Entries that cannot be read count against the shape alone; what only follows from them is not said.
    """
    if _is_one_setting(answer):
        raise AnswerError("checks.2_1.single", given=shown(answer))
    if not isinstance(answer, list):
        raise AnswerError("checks.2_1.not_a_list", given=shown(answer))
    if not answer:
        raise AnswerError("checks.2_1.empty")
    entries = [_entry(position, given) for position, given in enumerate(answer, start=1)]
    roles = [entry.role for entry in entries]
    names = [entry.name for entry in entries]
    remarks = []
    shape_points = 1.0
    for points, grader, found, complete in (
        (1, _main_comparison, roles, all(roles)),
        (0.5, _ablation, roles, all(roles)),
        (0.5, _clear_names, names, all(names)),
    ):
        remark = part(points, grader, found)
        if complete or (remark.ok and any(roles)):
            remarks.append(remark)
        else:
            shape_points += points
    yield from _shape(entries, shape_points)
    yield from remarks


def _is_one_setting(answer: JSON) -> bool:
    if isinstance(answer, dict):
        return "role" in answer
    pair = isinstance(answer, list) and len(answer) == 2 and all(isinstance(x, str) for x in answer)
    return pair and bool(_role(answer[1]))  # type: ignore[index]


def _role(given: JSON) -> str:
    """Return the role that was written, in capitals or not, or an empty text."""
    role = given.strip().casefold() if isinstance(given, str) else ""
    return role if role in ROLES else ""


def _entry(position: int, given: JSON) -> _Entry:
    """Read one entry: a pair, or the dictionary of an `lk.Setting`."""
    pair = dict(zip(("name", "role"), given, strict=False)) if isinstance(given, list) else given
    if given is None or not isinstance(pair, dict):
        return _Entry(position, given, fault="not_answered" if given is None else "not_a_setting")
    name, role = (pair.get(key) for key in ("name", "role"))
    named = name.strip() if isinstance(name, str) and not is_marker(name) else ""
    known = _role(role)
    if known:
        return _Entry(position, given, named, known, "" if named else "no_name")
    written = role.strip() if isinstance(role, str) and not is_marker(role) else ""
    cutoff = 0.85 if _role(name) else 0.75  # ("baseline", "my baseline") is rather the wrong way round
    near = difflib.get_close_matches(written.casefold(), ROLES, n=1, cutoff=cutoff)
    if near and named:
        return _Entry(position, given, named, near[0], "role_near", near[0])
    if _role(name) and written:
        return _Entry(position, given, written, _role(name), "swapped")
    return _Entry(position, given, named, fault="no_role" if named else "not_a_setting")


def _shape(entries: list[_Entry], points: float) -> Iterator[Remark]:
    """Give one remark for each kind of fault, with all entries that have it; together they cost `points`."""
    faults: dict[tuple[str, str], list[_Entry]] = {}
    for entry in entries:
        if entry.fault:
            faults.setdefault((entry.fault, entry.near), []).append(entry)
    if not faults:
        yield part(points, right, "checks.2_1.shape_right")
    for n, ((fault, _), same) in enumerate(faults.items()):
        yield part(_LATER_FAULT if n else points - _LATER_FAULT * (len(faults) - 1), _fault, fault, same)


def _fault(fault: str, entries: list[_Entry]) -> Remark:
    first = entries[0]
    if fault == "not_answered":
        raise unanswered(", ".join(f"settings[{entry.position - 1}]" for entry in entries))
    several = "one_entry" if len(entries) == 1 else "entries"
    positions = ", ".join(str(entry.position) for entry in entries)
    raise AnswerError(
        f"checks.2_1.{fault}",
        entries=Phrase(f"checks.phrase_{several}", {"positions": positions}),
        given=_pair(first.given),
        meant=f'({shown(first.name)}, "{first.role}")',
    )


def _pair(given: JSON) -> str:
    """Show a pair with the round brackets in which it was written."""
    return f"({shown(given)[1:-1]})" if isinstance(given, list) and len(given) == 2 else shown(given)


def _main_comparison(roles: list[str]) -> Remark:
    lacking = [role for role in ("baseline", "method") if role not in roles]
    if not lacking:
        return right("checks.2_1.main_right")
    return wrong("checks.2_1.no_main" if len(lacking) == 2 else f"checks.2_1.no_{lacking[0]}")


def _ablation(roles: list[str]) -> Remark:
    return right("checks.2_1.ablation_right") if "ablation" in roles else wrong("checks.2_1.no_ablation")


def _clear_names(names: list[str]) -> Remark:
    repeated = [name for name, times in Counter(n.casefold() for n in names).items() if times > 1]
    if repeated:
        return wrong("checks.2_1.repeated_names", names=names_of(repeated))
    unclear = [n for n in names if len(n) < 2 or not any(c.isalpha() for c in n)]
    if unclear:
        return wrong("checks.2_1.unclear_names", names=names_of(unclear))
    return right("checks.2_1.names_right")
