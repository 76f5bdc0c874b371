"""Running a study: every size with every seed, nothing finished is lost, nothing is run twice."""

from __future__ import annotations

import math
import subprocess
import sys
import time

import pytest

from labkit.scaling import TableError, run, trend


def train(size: float, seed: int) -> dict[str, float]:
    return {"loss": 3 * size**-0.3 + 0.01 * ((seed * 7 + size) % 5), "parameters": size**2}


def test_every_size_is_run_with_every_seed_and_the_rows_make_a_table() -> None:
    rows = run(train, [16, 32, 64], [0, 1, 2], progress=False)
    assert [(r["size"], r["seed"]) for r in rows] == [(s, k) for k in (0, 1, 2) for s in (16, 32, 64)]
    assert all(r["seconds"] >= 0 and r["parameters"] == r["size"] ** 2 for r in rows)
    assert trend(rows).direction == "falls"


def test_a_bare_number_is_the_loss_and_a_diverged_run_stays() -> None:
    rows = run(lambda size, seed: math.nan if seed else 2.0, [16], [0, 1], progress=False)
    assert rows[0]["loss"] == 2.0
    assert math.isnan(rows[1]["loss"])


def test_an_exception_keeps_what_was_finished_and_the_study_goes_on_from_there(tmp_path) -> None:
    path = tmp_path / "new" / "study.jsonl"
    done = []

    def fails_at_64(size: float, seed: int) -> dict[str, float]:
        if size == 64 and seed == 1 and len(done) < 6:
            raise RuntimeError("out of memory")
        done.append((size, seed))
        return train(size, seed) | ({"loss": math.inf} if (size, seed) == (16, 0) else {})

    with pytest.raises(RuntimeError, match="out of memory"):
        run(fails_at_64, [16, 32, 64], [0, 1], progress=False, path=path)
    assert len(done) == 5
    done.append(("mended", 0))
    rows = run(fails_at_64, [16, 32, 64], [0, 1], progress=False, path=path)
    assert done[6:] == [(64, 1)]
    assert len(rows) == 6
    assert rows[0]["loss"] == math.inf
    assert run(fails_at_64, [16, 32, 64], [0, 1], progress=False, path=path) == rows


def test_more_seeds_can_be_added_to_a_finished_study(tmp_path) -> None:
    path = tmp_path / "study.jsonl"
    first = run(train, [16, 32], [0], progress=False, path=path)
    assert run(train, [16, 32], [0, 1], progress=False, path=path)[:2] == first


def test_a_row_cut_off_by_a_kill_is_run_again(tmp_path) -> None:
    path = tmp_path / "study.jsonl"
    run(train, [16, 32], [0], progress=False, path=path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    rows = run(train, [16, 32], [0], progress=False, path=path)
    assert len(rows) == 2
    assert path.read_bytes().count(b"\n") == 2


def test_a_killed_study_keeps_every_finished_row(tmp_path) -> None:
    path = tmp_path / "study.jsonl"
    code = (
        "import time\nfrom labkit import scaling\n"
        "def train(size, seed):\n    time.sleep(0 if seed == 0 else 60)\n    return 1.0\n"
        f"scaling.run(train, [16, 32], [0, 1], progress=False, path={str(path)!r})"
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_bytes().count(b"\n") == 2) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    rows = run(lambda size, seed: 2.0, [16, 32], [0, 1], progress=False, path=path)
    assert [r["loss"] for r in rows] == [1.0, 1.0, 2.0, 2.0]


@pytest.mark.parametrize("content", ["not json\n", "[1]\n", '{"size": 16}\n'])
def test_a_file_of_something_else_is_left_alone(tmp_path, content: str) -> None:
    path = tmp_path / "study.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TableError, match="does not hold the rows"):
        run(train, [16], [0], progress=False, path=path)
    assert path.read_text(encoding="utf-8") == content


def test_the_time_left_is_shown_once_every_size_is_known(capsys) -> None:
    run(lambda size, seed: time.sleep(0.01 * size) or 1.0, [1, 2], [0, 1])
    assert "left" in capsys.readouterr().err
    run(train, [1, 2], [0], forecast={1: 30, 2: 90})
    assert "about 120 s left" in capsys.readouterr().err.replace("2 min", "120 s")


def test_all_wrong_arguments_are_listed_at_once() -> None:
    with pytest.raises(TableError) as caught:
        run(train(16, 0), [16, 16], [], progress=False)
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize("result", [None, "1.9", True])
def test_a_train_function_without_a_usable_result_is_told_what_to_return(result: object) -> None:
    with pytest.raises(TableError, match="expected a dict such as"):
        run(lambda size, seed: result, [16], [0], progress=False)
