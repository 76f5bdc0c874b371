"""kill -9 at any moment of a study: it carries on, repeats no finished result and ends with the same rows."""

import random
import subprocess
import sys
import time

from labkit import recorded

# Each result is long, so that many kills fall into its writing.
STUDY = """
import sys, pathlib
from labkit import recorded

folder, length = pathlib.Path(sys.argv[1]), int(sys.argv[2])
recorder = recorded.Recorder(folder / "study")

def make(seed):
    with (folder / "begun.txt").open("a") as file:
        file.write(f"{seed}\\n")
    return [{"step": step, "loss": 1 / (seed + step + 1)} for step in range(length)]

for seed in range(40):
    recorder.run(make, seed=seed)
"""
LENGTH = 4_000


def run_python(code, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def expected():
    return [
        {"seed": seed, "step": step, "loss": 1 / (seed + step + 1)}
        for seed in range(40)
        for step in range(LENGTH)
    ]


def test_a_study_killed_many_times_ends_with_the_rows_of_one_that_was_not(tmp_path):
    chance = random.Random(1)
    kills = 0
    while kills < 12:
        study = subprocess.Popen([sys.executable, "-c", STUDY, str(tmp_path), str(LENGTH)])
        before = size(tmp_path)
        while size(tmp_path) == before and study.poll() is None:
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.03))
        if study.poll() is not None:
            break
        study.kill()
        study.wait()
        kills += 1
    assert kills >= 5
    run_python(STUDY, tmp_path, LENGTH)
    begun = (tmp_path / "begun.txt").read_text().split()
    assert recorded.Recorder(tmp_path / "study").rows == expected()
    assert len(begun) <= 40 + kills  # only what a kill interrupted was begun again


def size(folder):
    path = folder / "study.partial.jsonl"
    return path.stat().st_size if path.exists() else 0


def test_a_line_cut_off_anywhere_costs_that_result_alone(tmp_path):
    recorder = recorded.Recorder(tmp_path / "x")
    for seed in range(3):
        recorder.add({"loss": seed, "text": "कहानी"}, seed=seed)
    whole = recorder.partial.read_bytes()
    begin = whole.rindex(b"\n", 0, -1) + 1
    for end in range(begin, len(whole)):
        recorder.partial.write_bytes(whole[:end])
        resumed = recorded.Recorder(tmp_path / "x")
        assert resumed.done(seed=2) is (end == len(whole) - 1)  # all but the line's end is there
        if not resumed.done(seed=2):
            resumed.add({"loss": 2, "text": "कहानी"}, seed=2)
        resumed.add({"loss": 3, "text": ""}, seed=3)
        again = recorded.Recorder(tmp_path / "x")
        assert [row["loss"] for row in again.rows] == [0, 1, 2, 3]
