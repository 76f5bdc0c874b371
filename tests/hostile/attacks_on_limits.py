"""Attacks on the machine: processes, memory, files, output, without end."""

from hostile_class import BEFORE, Attack

MEMORY, PRINTED = "grading.out_of_memory", "grading.cell_printed_too_much"
INTERRUPTED = {"1.2": ("grading.cell_too_slow",)}
FAILED = {"1.2": ("grading.cell_failed",)}
TOO_MUCH = {"1.2": ("grading.cell_printed",)}
NEVER = {"1.2": ("grading.not_reached",)}

ATTACKS = [
    Attack(
        "fork_bomb",
        "all processes there are",
        """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
while True:
    try: os.fork()
    except OSError: pass
""",
        BEFORE,
        "grading.cell_out_of_time",
        INTERRUPTED,
    ),
    Attack(
        "thread_bomb",
        "all threads there are",
        "import threading, time\n"
        "while True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        remarks=FAILED,
    ),
    Attack("allocates_30_gb", "all memory at once", "held = bytearray(30 * 2**30)", remarks=FAILED),
    Attack(
        "maps_30_gb",
        "all memory, by the system's own call",
        "import mmap\nheld = mmap.mmap(-1, 30 * 2**30)",
        remarks=FAILED,
    ),
    Attack(
        "children_allocate_together",
        "all memory, in many processes",
        """
import os, time
for _ in range(12):
    if os.fork() == 0:
        try:
            held = b"x" * (200 * 2**20)
            time.sleep(60)
        finally: os._exit(1)
time.sleep(60)
""",
        BEFORE,
        MEMORY,
        NEVER,
    ),
    Attack(
        "memory_without_a_name",
        "memory that belongs to no process",
        """
import ctypes, os
libc = ctypes.CDLL(None)
best = []
try: best.append(os.memfd_create("held"))
except OSError: pass
if libc.shmget(0, 2**30, 0o1600) >= 0: best.append("a segment")
if libc.msgget(0, 0o1600) >= 0: best.append("a queue")
best = best or "first step"
""",
    ),
    Attack(
        "ten_gb_file",
        "the whole disk",
        """
with open("big", "wb") as file:
    file.truncate(10 * 2**30)
""",
        remarks=FAILED,
    ),
    Attack(
        "fills_every_folder",
        "the whole disk, and the shared memory",
        """
full = 0
for folder in ("/submission", "/tmp", "/dev/shm"):
    try:
        for n in range(10_000): open(f"{folder}/{n}", "wb").write(bytes(2**20))
    except OSError:
        full += 1
best = "first step" if full == 3 else full
""",
    ),
    Attack(
        "prints_gigabytes",
        "a grader that keeps what is printed",
        "while True: print('x' * 10_000, flush=True)",
        remarks=TOO_MUCH,
    ),
    Attack(
        "prints_gigabytes_past_interruption",
        "a grader that keeps what is printed",
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "while True: print('x' * 10_000, flush=True)",
        BEFORE,
        PRINTED,
        TOO_MUCH,
    ),
    Attack(
        "prints_gigabytes_past_python",
        "a grader that keeps what processes write",
        "import os\nfor _ in range(2_000):\n    for number in (1, 2): os.write(number, b'x' * 2**20)",
        remarks=TOO_MUCH,
    ),
    Attack(
        "shows_gigabytes",
        "a runner that keeps what is shown",
        "from IPython.display import display\n"
        "for _ in range(500): display({'text/plain': 'x' * 2**22}, raw=True)",
        remarks=TOO_MUCH,
    ),
    Attack(
        "sends_a_large_answer",
        "a grader that reads what is sent, all of it",
        """
class Sent:
    def _repr_mimebundle_(self, **_):
        answer = {"exercise": "2.9", "answer": "x" * 2**19, "version": 1}
        return {"text/plain": "", "application/vnd.labkit.answer+json": answer}
honest = lk.check
lk.check = lambda exercise, answer: Sent() if exercise == "2.9" else honest(exercise, answer)
""",
        remarks={"2.9": ("grading.not_plain",)},
    ),
    Attack(
        "spins_in_every_process",
        "all processor time, so that others run out of theirs",
        """
import os
for _ in range(200):
    try:
        if os.fork() == 0:
            os.setsid()
            while True: pass
    except OSError: break
""",
    ),
]
