"""The sandbox: what can be seen from inside, what can be written, and how much can be used."""

import dataclasses
import os
import pwd
import socket
import subprocess
import sys
import time
from pathlib import Path

import nbval
import pytest
from sandbox_examples import LIMITS, needs_sandbox, run_inside

import labkit
from labkit.grading import sandbox
from labkit.grading.watch import memory_of, watched

pytestmark = needs_sandbox
ROOT = Path(labkit.__file__).resolve().parents[1]


def said(run):
    """Return what a command printed; it must have ended well by itself."""
    assert (run.ending, run.returncode) == ("ended", 0), run.stderr_tail
    return run.output.decode().strip()


@pytest.fixture
def inside(runtime, tmp_path):
    return lambda command, cores=(), **limits: run_inside(
        runtime, tmp_path, command, dataclasses.replace(LIMITS, **limits), cores
    )


@pytest.mark.parametrize(
    "path",
    [
        ROOT / "labkit",
        ROOT / "notebooks",
        Path.home() / ".bashrc",
        "/etc/shadow",
        "/etc/hostname",
        "/var",
        "/sys",
    ],
    ids=str,
)
def test_nothing_but_programs_can_be_seen(inside, path):
    assert said(inside(f"import os; print(os.path.exists({str(path)!r}))")) == "False"


def test_the_copy_of_labkit_has_no_rubric_and_none_of_their_words(inside):
    words = ("LESSON_TEST", "MORE_COMPUTE", "checks.1_2.right")
    code = f"""
import pathlib
for path in pathlib.Path("/runtime").rglob("*"):
    if path.is_file() and any(word in path.read_bytes() for word in {[w.encode() for w in words]}):
        print(path)
"""
    assert said(inside(code)) == ""


def test_rubrics_cannot_be_imported(inside):
    run = inside("import labkit.checks.notebook2_quiz")
    assert "ModuleNotFoundError" in run.stderr_tail


def test_check_records_an_answer_and_awards_nothing(inside):
    assert said(inside("import labkit as lk; p = lk.check('1.2', 'mean'); print(float(p), p.sent)")) == (
        "0.0 {'exercise': '1.2', 'answer': 'mean', 'version': 1}"
    )


def test_a_hidden_folder_inside_the_python_installation_is_covered(runtime, tmp_path):
    folder = Path(nbval.__file__).parent
    covered = dataclasses.replace(runtime, hidden=(folder,))
    assert said(run_inside(covered, tmp_path, f"import os; print(os.listdir({str(folder)!r}))")) == "[]"


def test_environment_variables_stay_outside(inside, monkeypatch):
    monkeypatch.setenv("CLASS_PASSWORD", "s3cret")
    code = """
import pathlib
for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
    try:
        print(path.read_bytes())
    except PermissionError:
        pass
"""
    assert "s3cret" not in said(inside(code))


def test_nothing_is_listening_inside_though_it_is_outside(inside):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        run = inside(f"import socket; socket.create_connection(('127.0.0.1', {port}), timeout=3)")
    assert "ConnectionRefusedError" in run.stderr_tail


def test_there_is_no_way_to_other_machines(inside):
    run = inside("import socket; socket.create_connection(('192.0.2.1', 80), timeout=3)")
    assert "Network is unreachable" in run.stderr_tail


def test_other_processes_cannot_be_seen(inside):
    pids = said(inside("import os; print(*(name for name in os.listdir('/proc') if name.isdigit()))")).split()
    assert len(pids) <= 3


@pytest.mark.parametrize("name", ["/", "/dev", "/etc", "/runtime", "/usr", sys.prefix])
def test_folder_is_read_only(inside, name):
    run = inside(f"open({name!r} + '/new', 'w')")
    assert "Read-only file system" in run.stderr_tail or "Permission denied" in run.stderr_tail


@pytest.mark.parametrize("name", ["/submission", "/tmp", "/dev/shm"])
def test_writable_folder_is_bounded_and_in_memory(inside, name):
    code = f"""
for n in range(40):
    with open(f"{name}/{{n}}", "wb") as file:
        file.write(bytes(2**20))
"""
    assert "No space left" in inside(code).stderr_tail


def test_one_file_is_bounded(inside):
    code = "import os; f = os.open('/submission/big', os.O_CREAT | os.O_WRONLY); os.ftruncate(f, 10 * 2**30)"
    assert "File too large" in inside(code).stderr_tail


def test_the_notebook_cannot_be_changed(inside):
    assert "OSError" in inside("open('/submission/notebook.ipynb', 'w')").stderr_tail


def test_it_stays_on_its_share_of_the_processor_cores(inside):
    mine = min(os.sched_getaffinity(0))
    assert said(inside("import os; print(os.sched_getaffinity(0))", cores=[mine])) == f"{{{mine}}}"
    widened = inside("import os; os.sched_setaffinity(0, range(os.cpu_count()))", cores=[mine])
    assert "Operation not permitted" in widened.stderr_tail


def test_no_person_has_the_uid(inside):
    uid = int(said(inside("import os; print(os.getuid())")))
    assert uid not in {person.pw_uid for person in pwd.getpwall()}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives each submission a user id of its own")
def test_no_two_runs_share_a_uid(inside):
    assert len({said(inside("import os; print(os.getuid())")) for _ in range(3)}) == 3


def test_rights_cannot_be_gained(inside):
    lines = dict(
        line.split(":\t") for line in said(inside("print(open('/proc/self/status').read())")).splitlines()
    )
    assert (int(lines["CapEff"], 16), int(lines["CapBnd"], 16) if os.geteuid() == 0 else 0) == (0, 0)
    assert lines["NoNewPrivs"] == "1"


@pytest.mark.parametrize("flag", [0x10000000, 0x00020000], ids=["user", "mount"])
def test_namespaces_of_ones_own_are_refused(inside, flag):
    code = (
        f"import ctypes; c = ctypes.CDLL(None, use_errno=True); print(c.unshare({flag}), ctypes.get_errno())"
    )
    assert said(inside(code)) == "-1 1"


def test_memory_of_one_process_is_bounded(inside):
    assert "MemoryError" in inside("bytearray(30 * 2**30)").stderr_tail


def test_memory_of_all_processes_together_is_bounded(inside):
    code = """
import os, time
for n in range(8):
    if os.fork() == 0:
        held = bytearray(os.urandom(4096)) * (40 * 2**20 // 4096)
        time.sleep(30)
time.sleep(30)
"""
    run = inside(code, memory_bytes=150 * 2**20)
    assert run.ending == "out of memory"
    assert run.seconds < 20


def test_files_count_as_memory_even_empty_ones(inside):
    code = "import os\nfor n in range(10**9): os.close(os.open(f'/tmp/{n}', os.O_CREAT))"
    assert inside(code, memory_bytes=60 * 2**20).ending == "out of memory"


MEMORY_THAT_NOTHING_COUNTS = {
    "a file without a name": "import os; os.memfd_create('x')",
    "a System V segment": "assert c.shmget(0, 2**20, 0o1600) >= 0, os.strerror(ctypes.get_errno())",
    "a System V queue": "assert c.msgget(0, 0o1600) >= 0, os.strerror(ctypes.get_errno())",
    "a wide socket buffer": "import socket; socket.socketpair()[0].setsockopt(1, 7, 2**30)",
}


@pytest.mark.parametrize("code", MEMORY_THAT_NOTHING_COUNTS.values(), ids=MEMORY_THAT_NOTHING_COUNTS)
def test_memory_that_nothing_counts_is_refused(inside, code):
    run = inside(f"import ctypes, os; c = ctypes.CDLL(None, use_errno=True); {code}")
    assert "Operation not permitted" in run.stderr_tail


@pytest.mark.parametrize("family", ["AF_VSOCK", "AF_PACKET", "AF_ALG"])
def test_sockets_that_pass_by_the_network_namespace_are_refused(inside, family):
    run = inside(f"import socket; socket.socket(socket.{family}, socket.SOCK_SEQPACKET)")
    assert "Address family not supported" in run.stderr_tail


def test_number_of_processes_is_bounded(inside):
    code = """
import os, time
for n in range(200):
    try:
        if os.fork() == 0:
            time.sleep(30)
    except BlockingIOError:
        print(n)
        break
"""
    run = inside(code)
    assert int(run.output) <= LIMITS.processes


def test_processor_time_is_bounded(inside):
    assert inside("while True: pass", cpu_s=1).returncode != 0


def test_wall_time_is_bounded_also_for_what_ignores_signals(inside):
    code = "import signal, time\nfor n in (2, 15): signal.signal(n, signal.SIG_IGN)\ntime.sleep(60)"
    run = inside(code, total_s=0.5)
    assert run.ending == "out of time"


def test_output_is_bounded_while_it_streams(inside):
    run = inside("while True: print('x' * 10_000)", output_bytes=100_000)
    assert (run.ending, len(run.output)) == ("too much output", 100_000)


def test_processes_left_behind_end_with_the_sandbox(inside):
    code = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(120)
    os._exit(0)
print(os.getuid())
"""
    run = inside(code)
    assert run.seconds < 60
    deadline = time.monotonic() + 5
    while (left := processes_of(int(run.output))) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


def processes_of(uid):
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and entry.stat().st_uid == uid:
                found.append(entry.name)
        except OSError:
            continue
    return found


def test_memory_is_counted_over_descendants():
    child = "import time; held = b'x' * 2**26; time.sleep(30)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    try:
        deadline = time.monotonic() + 20
        while memory_of(process.pid) < 2**26 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert memory_of(process.pid) > 2**26
    finally:
        os.killpg(process.pid, 9)
        process.wait()


def test_only_the_end_of_the_errors_is_kept():
    code = "import sys; sys.stderr.write('x' * 100_000 + 'the end')"
    run = watched([sys.executable, "-c", code], total_s=20, memory_bytes=2**30, output_bytes=100)
    assert run.stderr_tail.endswith("the end")
    assert len(run.stderr_tail) <= 4_000


def test_without_bubblewrap_the_reason_says_so(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert sandbox.available.__wrapped__() == "grading.sandbox_missing"


def test_elsewhere_than_on_linux_the_reason_says_so(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert sandbox.available.__wrapped__() == "grading.sandbox_needs_linux"
