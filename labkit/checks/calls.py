"""Exercises that ask for a function: call it on lists of arguments and keep what it returns.

A rubric declares how the arguments are drawn (`calls=`); in a notebook they come from a fixed seed, when
grading from the grader's. The rubric sees a list of calls, each with the arguments and the outcome.
"""

from __future__ import annotations

import contextlib
import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from labkit.checks.plain import JSON, to_plain

CALL_S = 5.0  # what is asked of these functions takes a millisecond
ENDLESS: JSON = {"raised": "TimeoutError"}


def outcomes(function: Callable[..., object], inputs: Sequence[Sequence[JSON]]) -> list[JSON]:
    """Return `{"returned": plain value}` or `{"raised": name of the exception}` for each call.

    A call that does not end is stopped, where that is possible, and those after it are not made.
    """
    found: list[JSON] = []
    for arguments in inputs:
        endless = found[-1:] == [ENDLESS]
        found.append(ENDLESS if endless else _outcome(function, json.loads(json.dumps(list(arguments)))))
    return found


def paired(inputs: Sequence[Sequence[JSON]], found: JSON) -> list[JSON]:
    """Return the calls as a rubric sees them: `{"arguments": [...], "returned": ...}` or `"raised"`.

    Parameters
    ----------
    inputs : the arguments, from whoever drew them.
    found : what `outcomes` returned, perhaps by way of a stranger's kernel; a call without a proper outcome
        has neither key.
    """
    results = found if isinstance(found, list) else []
    calls: list[JSON] = []
    for n, arguments in enumerate(inputs):
        result = results[n] if n < len(results) else None
        known = (
            {k: v for k, v in result.items() if k in ("returned", "raised")}
            if isinstance(result, dict)
            else {}
        )
        calls.append({"arguments": list(arguments), **(known if len(known) == 1 else {})})
    return calls


def _outcome(function: Callable[..., object], arguments: list[Any]) -> JSON:
    try:
        with _time_limit():
            return {"returned": to_plain(function(*arguments))}
    except Exception as error:  # noqa: BLE001 - a student's function may raise anything
        return {"raised": cast(str, to_plain(type(error).__name__))[:60]}


@contextlib.contextmanager
def _time_limit() -> Iterator[None]:
    """Raise TimeoutError after `CALL_S`. Windows, and threads but the main one, cannot be interrupted."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, CALL_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
