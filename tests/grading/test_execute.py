"""Running a notebook: which answers are taken, and how notebooks that misbehave end."""

import dataclasses
import threading

import pytest
from sandbox_examples import LIMITS, needs_sandbox, run_notebook

from labkit.grading.execute import StoppedError

pytestmark = needs_sandbox

# Sends, in place of the answer, whatever `forged` holds for the exercise; some twice, some to another.
FORGE = """
import json, labkit as lk
from IPython import get_ipython
from IPython.display import display
MIME = "application/vnd.labkit.answer+json"
forged = {
    "1.1": "1" * 10_000,
    "1.2": list(range(100_000)),
    "1.3": 10 ** 300,
    "1.4": json.loads("[" * 50 + "]" * 50),
    "2.1": float("nan"),
    "2.2": "twice",
    "2.3": "to another",
}
class Forged:
    def __init__(self, exercise):
        self.answer = {"exercise": exercise, "answer": forged[exercise], "version": 1}
    def _repr_mimebundle_(self, **_):
        return {"text/plain": "100", MIME: self.answer}
def check(exercise, answer):
    sent = Forged(exercise)
    if exercise == "2.2":
        kernel = get_ipython().kernel
        content = {"data": sent._repr_mimebundle_(), "metadata": {}, "execution_count": 1}
        parent = kernel.get_parent()
        kernel.session.send(kernel.iopub_socket, "execute_result", content, parent=parent, ident=b"x")
    if exercise == "2.3":
        sent.answer["exercise"] = "2.2"
    return sent
honest, lk.check = lk.check, check
display({MIME: {"exercise": "2.4", "answer": "shown too early", "version": 1}}, raw=True)
"""


@pytest.fixture
def run(runtime, tmp_path):
    def run(*cells, **limits):
        chosen = dataclasses.replace(LIMITS, **limits)
        return run_notebook(runtime, tmp_path, *cells, limits=chosen)

    return run


def test_answers_come_out_and_what_is_printed_does_not_count(run):
    done = run("a = 3\nprint('points: 100')", ("1.1", "a"), ("1.2", "'mean'"))
    assert (done.status, done.answers) == ("ran", {"1.1": 3, "1.2": "mean"})


def test_an_error_costs_its_own_exercise_only(run):
    done = run("a = 1 / 0", ("1.1", "a"), ("1.2", "'mean'"))
    assert (done.status, done.answers) == ("ran", {"1.2": "mean"})
    assert done.cells["answer-0"].error == "ZeroDivisionError: division by zero"


@pytest.fixture(scope="module")
def forged(runtime, tmp_path_factory):
    exercises = ["1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "2.3"]
    cells = [FORGE, *((exercise, "0") for exercise in exercises), "lk.check = honest", ("2.4", "...")]
    return run_notebook(runtime, tmp_path_factory.mktemp("forged"), *cells)


@pytest.mark.parametrize(
    ("exercise", "kind"),
    [("1.1", "long text"), ("1.2", "long list"), ("1.3", "big number"), ("1.4", "deep list")],
)
def test_an_answer_that_is_not_plain_bounded_data_is_none(forged, exercise, kind):
    assert exercise not in forged.answers
    assert forged.refused[f"check-{exercise.replace('.', '-')}"] in (
        "grading.not_plain",
        "grading.nothing_sent",
    )


def test_a_number_that_is_none_leaves_the_kernel_as_text(forged):
    assert forged.answers["2.1"] == "nan"


def test_an_answer_that_is_sent_twice_does_not_count(forged):
    assert forged.refused["check-2-2"] == "grading.sent_twice"


def test_an_answer_to_another_exercise_does_not_count(forged):
    assert forged.refused["check-2-3"] == "grading.for_another_exercise"


def test_an_answer_shown_in_another_cell_does_not_count(forged):
    assert forged.answers["2.4"] is None


def test_what_came_before_the_death_of_the_kernel_counts(run):
    done = run(("1.1", "1"), "import os\nos._exit(0)", ("1.2", "'mean'"))
    assert (done.status, done.reason_id, done.answers) == ("killed", "grading.kernel_died", {"1.1": 1})
    assert done.values == {"cell": "answer-1"}


def test_what_came_before_the_death_of_the_runner_counts(run):
    done = run(("1.1", "1"), "import os\nos.kill(os.getppid(), 9)", ("1.2", "'mean'"))
    assert (done.status, done.reason_id, done.answers) == ("killed", "grading.runner_died", {"1.1": 1})


def test_an_endless_loop_is_interrupted_and_the_rest_runs(run):
    done = run("while True: pass", ("1.1", "1"), cell_s=1)
    assert (done.status, done.answers) == ("ran", {"1.1": 1})
    assert done.cells["answer-0"].state == "timed out"


def test_a_loop_that_ignores_interruption_is_ended(run):
    loop = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    done = run(("1.1", "1"), loop, ("1.2", "'mean'"), cell_s=1)
    assert (done.status, done.reason_id, done.answers) == (
        "timed out",
        "grading.cell_out_of_time",
        {"1.1": 1},
    )


def test_the_whole_has_a_limit_too(run):
    done = run(("1.1", "1"), "import time\ntime.sleep(60)", total_s=6)
    assert (done.status, done.reason_id, done.answers) == ("timed out", "grading.out_of_time", {"1.1": 1})


def test_endless_printing_is_interrupted_and_the_rest_runs(run):
    done = run("while True: print('x' * 10_000)", ("1.1", "1"), output_bytes=2**20)
    assert (done.status, done.answers) == ("ran", {"1.1": 1})
    assert done.cells["answer-0"].state == "too much output"


def test_a_thread_and_a_child_that_outlive_their_cell_do_not_hold_up_the_end(run):
    left = "import subprocess, threading, time\nsubprocess.Popen(['sleep', '100'], start_new_session=True)\n"
    done = run(left + "threading.Thread(target=time.sleep, args=(100,)).start()", ("1.1", "1"))
    assert (done.status, done.answers) == ("ran", {"1.1": 1})
    assert done.seconds < 40


def test_shadowing_modules_in_the_working_folder_changes_nothing_outside(run):
    write = (
        "from pathlib import Path\n"
        "for name in ('conftest.py', 'sitecustomize.py', 'pytest.ini', 'labkit.py'):\n"
        "    Path(name).write_text('raise SystemExit')"
    )
    assert run(write, ("1.1", "1")).answers == {"1.1": 1}


def test_without_a_sandbox_the_same_comes_out(runtime, tmp_path):
    done = run_notebook(runtime, tmp_path, "a = 3", ("1.1", "a"), sandbox=False)
    assert (done.status, done.answers) == ("ran", {"1.1": 3})


def test_a_function_is_called_on_the_graders_inputs(run, function_exercise):
    done = run("def double(x):\n    return [2 * v for v in x]", (function_exercise, "double"))
    assert done.answers == {function_exercise: "<function>"}
    assert [len(result["returned"]) for result in done.returned[function_exercise]] == [3, 3, 3]


def test_a_function_that_raises_is_reported_by_the_name_of_its_error(run, function_exercise):
    done = run("def double(x):\n    raise KeyError(x)", (function_exercise, "double"))
    assert done.returned[function_exercise] == [{"raised": "KeyError"}] * 3


def test_an_interrupted_batch_ends_the_run(runtime, tmp_path):
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    with pytest.raises(StoppedError):
        run_notebook(runtime, tmp_path, "import time\ntime.sleep(60)", stop=stop)


def test_the_runner_cannot_be_read_or_changed_from_the_kernel(run):
    try_all = (
        "import os\n"
        "opened = []\n"
        "for name in ('fd', 'mem', 'environ', 'maps'):\n"
        "    path = f'/proc/{os.getppid()}/{name}'\n"
        "    try:\n"
        "        opened.append(os.listdir(path) if name == 'fd' else open(path, 'rb').read(1))\n"
        "    except OSError: pass"
    )
    assert run(try_all, ("1.1", "opened")).answers == {"1.1": []}


def test_comments_for_nbval_mean_nothing(run):
    assert run("# NBVAL_SKIP\na = 3", ("1.1", "a")).answers == {"1.1": 3}


def test_messages_that_cannot_be_read_are_an_error_of_their_cell(run):
    rubbish = "get_ipython().kernel.iopub_socket.send_multipart([b'rubbish'])\nimport time\ntime.sleep(1)"
    done = run(rubbish, ("1.1", "1"))
    assert (done.status, done.answers) == ("ran", {"1.1": 1})
    assert done.cells["answer-0"].error
