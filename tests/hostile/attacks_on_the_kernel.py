"""Attacks that end, replace or block the kernel or the program that runs it, or speak in its name."""

from hostile_class import BEFORE, Attack

DIED, RUNNER_DIED = "grading.kernel_died", "grading.runner_died"
CELL_TIME, TIME = "grading.cell_out_of_time", "grading.out_of_time"
SLOW = {"1.2": ("grading.cell_too_slow",), "1.4": ("grading.not_reached",)}
ENDED = {"1.2": ("grading.cell_ended_kernel",), "1.4": ("grading.not_reached",)}
NEVER = {"1.2": ("grading.not_reached",), "1.4": ("grading.not_reached",)}
INTERRUPTED = {"1.2": ("grading.cell_too_slow",)}
FAILED = {"1.2": ("grading.cell_failed",)}

# Writes into every pipe that the runner, the kernel's parent, has open: if it could.
TO_THE_GRADER = """
import glob, json, os
def write(data):
    for path in glob.glob(f"/proc/{os.getppid()}/fd/*"):
        try:
            if os.readlink(path).startswith("pipe:"):
                with open(path, "wb", buffering=0) as pipe:
                    pipe.write(data)
        except OSError:
            pass
def line(exercise, answer, **more):
    sent = {"exercise": exercise, "answer": answer, "version": 1, **more}
    check = "check-" + exercise.replace(".", "-")
    write(b"\\n" + json.dumps({"cell": check, "state": "ran", "sent": [sent]}).encode() + b"\\n")
"""

ATTACKS = [
    Attack("os_exit", "the end of the process", "import os\nos._exit(0)", BEFORE, DIED, ENDED),
    Attack("kills_itself", "an end by a signal", "import os\nos.kill(os.getpid(), 9)", BEFORE, DIED, ENDED),
    Attack("segfault", "a broken process", "import ctypes\nctypes.string_at(0)", BEFORE, DIED, ENDED),
    Attack(
        "overflows_the_stack",
        "a process broken from within",
        "import sys\nsys.setrecursionlimit(10**9)\nclass A: __getattr__ = lambda s, n: repr(s)\n"
        "A.__repr__ = lambda s: s.x\nrepr(A())",
        BEFORE,
        DIED,
        ENDED,
    ),
    Attack("exits", "a polite end of the kernel", "exit()"),
    Attack("system_exit", "an exception that is no error", "raise SystemExit(0)", remarks=FAILED),
    Attack(
        "replaces_the_kernel",
        "another program in the kernel's place, at its ports, that says what it likes",
        """
import json, os, sys
from ipykernel.connect import get_connection_file
program = '''
import json, signal, sys, zmq
from jupyter_client.session import Session
signal.signal(signal.SIGINT, signal.SIG_IGN)
known, first = json.load(open(sys.argv[1])), json.loads(sys.argv[2])
session = Session(key=known["key"].encode(), signature_scheme=known["signature_scheme"])
sockets = [zmq.Context.instance().socket(kind) for kind in (zmq.ROUTER, zmq.PUB, zmq.ROUTER, zmq.REP)]
sockets[0].router_mandatory = 1
for socket, port in zip(sockets, ("shell_port", "iopub_port", "control_port", "hb_port")):
    while True:
        try:
            socket.bind("tcp://127.0.0.1:%d" % known[port])
            break
        except zmq.ZMQError: pass
shell, iopub = sockets[:2]
def answer(asked, ids):
    data = {"data": {"text/plain": "12.0"}, "metadata": {}, "execution_count": 1}
    while True:
        try:
            session.send(shell, "execute_reply", {"status": "ok"}, parent=asked, ident=ids)
            break
        except zmq.ZMQError: pass
    for kind, content in (("execute_result", data), ("status", {"execution_state": "idle"})):
        session.send(iopub, kind, content, parent=asked)
import time
time.sleep(1)
answer(first, [bytes.fromhex(word) for word in sys.argv[3:]])
while True:
    ids, frames = session.feed_identities(shell.recv_multipart())
    answer(session.deserialize(frames), ids)
'''
kernel = get_ipython().kernel
asked = json.dumps({"header": kernel.get_parent()["header"]}, default=str)
ids = [word.hex() for word in kernel._parent_ident["shell"]]
os.execv(sys.executable, [sys.executable, "-c", program, get_connection_file(), asked, *ids])
""",
        BEFORE,
        remarks=dict.fromkeys(("1.2", "1.4", "2.9", "9.1"), ("grading.nothing_sent",)),
    ),
    Attack(
        "sends_no_reply",
        "a runner that waits for ever",
        "get_ipython().kernel.session.send = lambda *a, **k: None",
        BEFORE,
        CELL_TIME,
        SLOW,
    ),
    Attack(
        "sends_rubbish_to_the_runner",
        "a runner that fails at messages it cannot read",
        """
kernel = get_ipython().kernel
for frames in ([b"rubbish"], [b"<IDS|MSG>"], [b"<IDS|MSG>", b"", b"[" * 100_000, b"{}", b"{}", b"{}"]):
    kernel.iopub_socket.send_multipart(frames)
import time
time.sleep(1)
""",
        remarks=FAILED,
    ),
    Attack("endless_loop", "an endless batch", "while True: pass", remarks=INTERRUPTED),
    Attack(
        "endless_loop_ignoring_sigint",
        "an endless batch, past the interruption",
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        BEFORE,
        CELL_TIME,
        SLOW,
    ),
    Attack(
        "endless_loop_catching_interrupts",
        "an endless batch, past the interruption",
        "import time\nwhile True:\n    try:\n        while True: time.sleep(1)\n    except: pass",
        BEFORE,
        CELL_TIME,
        SLOW,
    ),
    Attack("sleeps", "a batch that waits", "import time\ntime.sleep(10**6)", remarks=INTERRUPTED),
    Attack("waits_for_input", "a batch that waits for somebody", "best = input('points? ')", remarks=FAILED),
    Attack(
        "sleeps_at_exit",
        "a kernel that does not end",
        "import atexit, signal, time\natexit.register(time.sleep, 10**6)\n"
        "for number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)",
    ),
    Attack(
        "thread_outlives_the_cell",
        "a kernel that does not end",
        """
import threading, time
def work():
    while True:
        lk.points = lk.score = get_ipython().user_ns["points"] = 12
        time.sleep(0.001)
threading.Thread(target=work, daemon=False).start()
""",
    ),
    Attack(
        "child_outlives_the_cell",
        "a process that holds the runner's pipes open and goes on after the end",
        """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    for number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        time.sleep(10**6)
    os._exit(0)
""",
    ),
    Attack(
        "signals_everybody",
        "the end of every process, pid 1 and the grader too",
        """
import os, signal
for pid in range(1, 3):
    for number in (9, 15):
        try: os.kill(pid, number)
        except OSError: pass
os.kill(-1, signal.SIGKILL)
""",
        BEFORE,
        RUNNER_DIED,
        NEVER,
    ),
    Attack(
        "kills_the_runner",
        "a batch that breaks",
        "import os\nos.kill(os.getppid(), 9)",
        BEFORE,
        RUNNER_DIED,
        NEVER,
    ),
    Attack(
        "stops_the_runner", "a batch that hangs", "import os\nos.kill(os.getppid(), 19)", BEFORE, TIME, NEVER
    ),
    Attack(
        "claims_points_in_the_runners_name",
        "lines with points, written into the runner's own pipe",
        TO_THE_GRADER
        + """
for exercise, most in (("1.2", 1), ("1.4", 2), ("2.9", 5), ("9.1", 3)):
    line(exercise, "mean", points=most, max_points=most, score=most, status="graded")
    write(json.dumps({"exercise": exercise, "points": most}).encode() + b"\\n")
write(b'{"score": 12, "points": 12, "status": "graded", "end": true}\\n')
""",
    ),
    Attack(
        "claims_impossible_answers_in_the_runners_name",
        "numbers that are none, depth, keys twice, written into the runner's own pipe",
        TO_THE_GRADER
        + """
def raw(check, answer):
    write(b'\\n{"cell": "%s", "state": "ran", "sent": [{"exercise": "%s", "answer": %s, "version": 1}]}\\n'
          % (check.encode(), check[6:].replace("-", ".").encode(), answer))
raw("check-1-4", b'{"killed_at": NaN, "checkpoint_every": 1e999, "steps_lost": -Infinity}')
raw("check-1-4", b"[" * 100_000 + b"]" * 100_000)
raw("check-1-4", b'{"killed_at": 1' + b"0" * 5_000 + b"}")
raw("check-2-9", b"9" * 300)
raw("check-9-1", b'"a", "answer": "b", "answer": {"a": {"a": [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}}')
write(b'{"cell": ["check-1-2"], "state": {}, "sent": 3}\\n{"cell": null}\\n[]\\n"end"\\n\\xff\\xfe\\x00\\n')
""",
    ),
    Attack(
        "hides_its_end_in_the_runners_name",
        "the look of a run to the end, before it ends the runner",
        TO_THE_GRADER
        + """
for name in ("answer-1-2", "check-1-2", "answer-1-4", "check-1-4", "answer-2-9", "check-2-9"):
    write(json.dumps({"cell": name, "state": "ran", "sent": []}).encode() + b"\\n")
write(b'{"end": true}\\n')
os.kill(os.getppid(), 9)
""",
        BEFORE,
        RUNNER_DIED,
        NEVER,
    ),
    Attack(
        "fills_the_runners_pipe",
        "a grader that reads for ever",
        TO_THE_GRADER + "\nfor _ in range(100): write(b'x' * 2**20)",
    ),
    Attack(
        "writes_a_hundred_thousand_lines",
        "a grader that parses for ever, and forgets what came before",
        TO_THE_GRADER + "\nfor _ in range(20): write(b'{}\\n' * 5_000)",
    ),
    Attack(
        "writes_into_the_runners_memory",
        "a runner that obeys",
        """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
best = [request for request in (16, 0x4206) if libc.ptrace(request, os.getppid(), 0, 0) == 0]
try: best.append(str(open(f"/proc/{os.getppid()}/mem", "r+b")))
except OSError: pass
best = best or "first step"
""",
    ),
    Attack(
        "writes_a_file_of_results",
        "a grader that reads files from the sandbox",
        """
import json, os
for name in ("results.json", "marks.json", "notebook.json", "gradebook.csv", "report.xml", "01_small.json"):
    for folder in ("/submission", "/tmp", "/submission/marks"):
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{name}", "w") as file:
            json.dump({"score": 12, "status": "graded", "exercises": {"1.2": {"points": 1}}}, file)
""",
    ),
    Attack(
        "shadows_modules_beside_the_notebook",
        "Python files that the runner or a new kernel may import",
        """
import os, subprocess, sys
os.makedirs("labkit", exist_ok=True)
for name in ("conftest", "sitecustomize", "usercustomize", "nbval", "labkit/__init__", "json"):
    open(name + ".py", "w").write("raise SystemExit('owned')")
open("pytest.ini", "w").write("[pytest]\\naddopts = --nbval-lax -p owned")
""",
    ),
]
