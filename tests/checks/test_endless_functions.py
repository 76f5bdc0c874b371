"""A function that never ends costs a few seconds, not the lesson."""

import sys
import threading

import pytest
from student_functions import called

from labkit.checks import calls, grade
from labkit.checks.calls import outcomes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a call cannot be interrupted on Windows")


def endless(*_arguments):
    while True:
        pass


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(calls, "CALL_S", 0.2)


def test_it_is_stopped_and_not_called_again():
    called = []
    found = outcomes(lambda n: called.append(n) or (endless() if n == 1 else n), [[0], [1], [2]])
    assert found == [{"returned": 0}, {"raised": "TimeoutError"}, {"raised": "TimeoutError"}]
    assert called == [0, 1]


def test_what_comes_after_is_not_interrupted():
    assert outcomes(endless, [[]]) == [{"raised": "TimeoutError"}]
    threading.Event().wait(0.4)


def test_functions_are_called_outside_of_the_main_thread_too():
    found = []
    thread = threading.Thread(target=lambda: found.extend(outcomes(abs, [[-1]])))
    thread.start()
    thread.join()
    assert found == [{"returned": 1}]


def test_the_check_says_that_it_did_not_end():
    remarks = {remark.id for remark in grade("3.2", called("3.2", endless)).remarks}
    assert remarks == {"checks.function_endless"}
