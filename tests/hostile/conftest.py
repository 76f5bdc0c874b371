import hashlib
import os
import socket
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest
from all_attacks import ATTACKS
from hostile_class import NAME, RELEASE, SECRET, Attack, Outside, submission, write

from labkit.checks import core
from labkit.grading import batch, sandbox
from labkit.grading.grade import Graded, Options, grade
from labkit.grading.sandbox import Limits, available
from labkit.grading.students import safe_id
from labkit.grading.uids import fresh_uid

LIMITS = Limits(
    cell_s=8,
    total_s=25,
    cpu_s=30,
    memory_bytes=3 * 2**29,
    processes=40,
    file_bytes=16 * 2**20,
    output_bytes=2**20,
)


@dataclass(frozen=True)
class Batch:
    """A graded class of attackers, and what is left outside."""

    graded: Graded
    results: Path
    answers: dict[str, object]  # student id → what came out of the sandbox as the answer to 1.2
    connections: list[object]
    uids: set[int]  # that submissions ran as
    before: dict[str, str]
    after: dict[str, str]

    def of(self, attack: Attack):
        """Return the marks of an attack."""
        mine = [one for one in self.graded.marked if one.student_id == safe_id(attack.name)]
        return next((one for one in mine if one.status != "not submitted"), mine[0])


def pytest_generate_tests(metafunc):
    if "attack" in metafunc.fixturenames:
        metafunc.parametrize("attack", ATTACKS.values(), ids=[ascii(name)[1:-1][:60] for name in ATTACKS])


@pytest.fixture(scope="session")
def attacked(tmp_path_factory):
    """Grade all attacks in one batch."""
    reason = available()
    if reason:
        pytest.skip(f"no sandbox: {reason}")
    place = tmp_path_factory.mktemp("hostile")
    for folder in (place, *place.parents[:2]):
        folder.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch, _listening() as (port, connections):
        outside = _outside(place, port)
        patch.setenv("CLASS_PASSWORD", SECRET)
        patch.setattr(core, "_rubrics", {**core._all_rubrics(), "9.1": core._Rubric(3, _doubles, _draw)})
        answers, uids = _record_answers(patch), _record_uids(patch)
        before = _hashes(place, outside)
        names = {safe_id(name): f"<b onclick=alert(1)>{safe_id(name)}</b>" for name in (*ATTACKS, "honest")}
        done = grade(
            outside.submissions,
            outside.results,
            {NAME: {"en": RELEASE, "hi": RELEASE}},
            roster=names,
            options=Options(jobs=4, limits=LIMITS),
        )
        yield Batch(done, outside.results, answers, connections, uids, before, _hashes(place, outside))


def _outside(place: Path, port: int) -> Outside:
    """Make what lies outside: a folder that everybody may write to, the class, planted marks."""
    outside = Outside(place / "outside", port, place / "class", place / "results")
    for folder in (outside.folder, outside.submissions):
        folder.mkdir()
        folder.chmod(0o777)
    (outside.folder / "secret.txt").write_text(SECRET, encoding="utf-8")
    write(outside.submissions, "honest", submission())
    for attack in ATTACKS.values():
        hand_in = attack.hand_in or write
        hand_in(outside.submissions, attack.name, attack.notebook(outside))
    return outside


def _draw(source):
    return [[[source.randint(1, 9) for _ in range(3)]] for _ in range(3)]


def _doubles(calls):
    for call in calls:
        right = call.get("returned") == [2 * value for value in call["arguments"][0]]
        yield core.part(
            1, lambda found: core.right("checks.1_1.right") if found else core.wrong(WRONG), right
        )


WRONG = "checks.1_2.first_step"


def _record_answers(patch) -> dict[str, object]:
    """Keep the answers to 1.2 as they come out of the real sandbox."""
    answers, honest, marking = {}, batch.execute, batch.mark
    found = threading.local()

    def execute(*arguments, **options):
        found.executed = honest(*arguments, **options)
        return found.executed

    def mark(student_id, notebook, mended, executed, **options):
        answers[student_id] = None if executed is None else executed.answers.get("1.2")
        return marking(student_id, notebook, mended, executed, **options)

    patch.setattr(batch, "execute", execute)
    patch.setattr(batch, "mark", mark)
    return answers


def _record_uids(patch) -> set[int]:
    """Keep the user ids that are given to submissions."""
    given: set[int] = set()

    def recorded() -> int:
        given.add(uid := fresh_uid())
        return uid

    patch.setattr(sandbox, "fresh_uid", recorded)
    return given


class _listening:
    """Servers on the grader's machine that no notebook may reach, and the connections to them."""

    def __enter__(self):
        self.connections: list[object] = []
        self.servers = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)]
        self.servers[1].bind("\0labkit-hostile-test")
        self.servers[1].listen()
        for server in self.servers:
            threading.Thread(target=self._accept, args=(server,), daemon=True).start()
        return self.servers[0].getsockname()[1], self.connections

    def _accept(self, server):
        try:
            while True:
                self.connections.append(server.accept())
        except OSError:
            return

    def __exit__(self, *_):
        for server in self.servers:
            server.close()


def _hashes(place: Path, outside: Outside) -> dict[str, str]:
    """Return path → hash of everything outside but the results."""
    found = {}
    for folder, _, files in os.walk(place):
        if Path(folder).is_relative_to(outside.results):
            continue
        for file in (*files, "."):
            path = Path(folder, file)
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            found[str(path)] = hashlib.sha256(content).hexdigest()
    return found
