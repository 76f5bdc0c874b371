"""Running a study: every size with every seed, nothing finished is lost, nothing is run twice."""

from __future__ import annotations

import math
import subprocess
import sys
import time

import numpy as np
import pytest
import torch

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
    assert run(train, [16, 32], [0], progress=False, path=path) == rows


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


def never(size: float, seed: int) -> float:
    raise AssertionError("trained before the arguments were checked")


@pytest.mark.parametrize("place", ["", "folder", "file.txt/study.jsonl"])
def test_a_path_that_cannot_be_written_is_noticed_before_the_first_run(tmp_path, place: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.txt").touch()
    with pytest.raises(TableError, match="cannot be written") as caught:
        run(never, [16], [0], progress=False, path=tmp_path / place)
    assert str(caught.value).startswith("This study cannot be run")


@pytest.mark.parametrize("path", ["", 3])
def test_a_path_that_is_no_name_is_refused(path: object) -> None:
    with pytest.raises(TableError, match="path is"):
        run(never, [16], [0], progress=False, path=path)


def test_a_study_in_memory_is_the_same_as_the_one_read_again(tmp_path) -> None:
    def rich(size: float, seed: int) -> dict[str, object]:
        return {
            "loss": torch.tensor(0.5, requires_grad=True),
            "curve": np.array([1.0, 0.5], dtype=np.float32),
            "layers": {1: (np.int64(3), None)},
            "lang": "hi",
            "good": np.bool_(True),
        }

    path = tmp_path / "study.jsonl"
    rows = run(rich, [16], [0], progress=False, path=path)
    assert rows == run(never, [16], [0], progress=False, path=path)
    assert rows[0]["curve"] == [1.0, 0.5]
    assert rows[0]["layers"] == {"1": [3, None]}


@pytest.mark.parametrize("path", [None, "study.jsonl"])
def test_what_cannot_be_kept_is_refused_and_what_was_finished_stays(tmp_path, path: str | None) -> None:
    file = None if path is None else tmp_path / path
    with pytest.raises(TableError, match="seen of the type set"):
        run(
            lambda size, seed: {"loss": 1.0} | ({"seen": {1}} if seed else {}),
            [16],
            [0, 1],
            progress=False,
            path=file,
        )
    assert file is None or file.read_bytes().count(b"\n") == 1


def test_a_size_or_seed_that_is_not_the_runs_own_is_refused() -> None:
    with pytest.raises(TableError) as caught:
        run(lambda size, seed: {"loss": 1, "size": 5, "seed": 7}, [16], [0], progress=False)
    assert len(caught.value.problems) == 2
    assert run(lambda size, seed: {"loss": 1, "size": size}, [16], [0], progress=False)[0]["size"] == 16


@pytest.mark.parametrize("loss", ["1.9", None, True, [1.0, 2.0], torch.ones(2)], ids=repr)
def test_a_loss_that_is_no_number_is_refused(loss: object) -> None:
    with pytest.raises(TableError, match="loss is"):
        run(lambda size, seed: {"loss": loss}, [16], [0], progress=False)


@pytest.mark.parametrize("sizes", [np.array([10, 20]), range(10, 30, 10), torch.tensor([10, 20]), (10, 20)])
@pytest.mark.parametrize("seeds", [np.arange(2), range(2), [np.int64(0), np.int64(1)]])
def test_sizes_and_seeds_may_be_any_series(sizes, seeds) -> None:
    rows = run(lambda size, seed: torch.tensor(1 / size + seed), sizes, seeds, progress=False)
    assert [(r["size"], r["seed"]) for r in rows] == [(10, 0), (20, 0), (10, 1), (20, 1)]
    assert {type(value) for r in rows for value in (r["size"], r["seed"])} == {int}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"sizes": 10}, "sizes is 10"),
        ({"sizes": ["s", "m"]}, "sizes is"),
        ({"sizes": [[1]]}, "sizes is"),
        ({"sizes": np.array(10)}, "sizes is"),
        ({"seeds": 3}, "seeds is 3"),
        ({"seeds": "abc"}, "seeds is"),
        ({"forecast": 3}, "forecast is 3"),
        ({"forecast": {16: "x"}}, "forecast is"),
    ],
    ids=str,
)
def test_arguments_that_cannot_be_used_are_explained(changes: dict[str, object], problem: str) -> None:
    with pytest.raises(TableError, match=problem):
        run(never, **({"sizes": [16], "seeds": [0], "progress": False} | changes))


def test_a_forecast_may_hold_numbers_of_numpy(capsys) -> None:
    run(train, np.array([1, 2]), [0], forecast={np.int64(1): np.float32(30), np.int64(2): torch.tensor(90)})
    assert "left" in capsys.readouterr().err
