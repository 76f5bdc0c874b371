"""The file of a study: nobody else's is touched, nothing finished is lost, and a full disk is called so."""

from __future__ import annotations

import copy
import json
import sqlite3
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from labkit import scaling
from labkit.scaling import TableError, run

ROW = {"size": 1, "seed": 0, "seconds": 3600.0, "loss": 1.5}


def loss(size: float, seed: int) -> float:
    return 1.0 / size + 0.01 * seed


@pytest.mark.parametrize(
    "content",
    [
        '{"precious": [1, 2]}',
        "size,seed,loss",
        "यह मेरी file है",
        "[]",
        '{"size": 1, "seed": 0}\n',
        "\x00\x01",
        "\n{}",
    ],
)
def test_a_file_that_is_not_its_own_is_refused_and_left_alone(tmp_path, content) -> None:
    path = tmp_path / "mine.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TableError, match=r"mine\.json"):
        run(loss, [1, 2], [0, 1], progress=False, path=path)
    assert path.read_text(encoding="utf-8") == content


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_what_is_no_ordinary_file_is_refused() -> None:
    with pytest.raises(TableError, match="no ordinary file"):
        run(loss, [1, 2], [0, 1], progress=False, path="/dev/full")


def test_a_last_row_without_its_line_end_is_kept(tmp_path) -> None:
    path = tmp_path / "study.jsonl"
    path.write_text(json.dumps(ROW))
    rows = run(loss, [1, 2], [0], progress=False, path=path)
    assert rows[0] == ROW
    assert run(loss, [1, 2], [0], progress=False, path=path) == rows


@pytest.mark.parametrize("cut", [1, 9, 30])
def test_a_row_that_a_kill_cut_off_is_only_run_again(tmp_path, cut) -> None:
    path = tmp_path / "study.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + json.dumps(ROW | {"size": 2})[:cut])
    before = path.read_bytes()
    rows = run(loss, [1, 2], [0], progress=False, path=path)
    assert (rows[0], rows[1]["loss"]) == (ROW, 0.5)
    assert path.read_bytes().startswith(before)


@pytest.mark.parametrize("change", [{"size": [1]}, {"seconds": None}, {"seed": None}, {"seconds": "long"}])
def test_rows_with_odd_values_are_refused(tmp_path, change) -> None:
    path = tmp_path / "study.jsonl"
    path.write_text(json.dumps(ROW | change) + "\n")
    with pytest.raises(TableError, match="does not hold the rows"):
        run(loss, [1, 2], [0], progress=False, path=path)


def test_a_path_with_a_null_is_refused(tmp_path) -> None:
    with pytest.raises(TableError, match="cannot be written"):
        run(loss, [1, 2], [0], progress=False, path=f"{tmp_path}/a\0b")


def test_a_run_that_another_process_has_finished_is_not_repeated(tmp_path) -> None:
    path, ran = tmp_path / "study.jsonl", []

    def train(size: float, seed: int) -> float:
        ran.append(size)
        if size == 1:
            with path.open("a") as other:
                other.write(json.dumps(ROW | {"size": 2}) + "\n")
        return loss(size, seed)

    rows = run(train, [1, 2], [0], progress=False, path=path)
    assert ran == [1]
    assert rows[1]["loss"] == 1.5


def test_a_full_disk_is_noticed_before_the_first_run(small_disk) -> None:
    small_disk.fill()
    with pytest.raises(TableError, match="No space left"):
        run(
            lambda *_: pytest.fail("was run"),
            [1, 2],
            [0],
            progress=False,
            path=small_disk.folder / "study.jsonl",
        )


def test_a_disk_that_fills_up_costs_one_run_whose_row_is_handed_over(small_disk) -> None:
    path = small_disk.folder / "study.jsonl"

    def train(size: float, seed: int) -> dict[str, object]:
        if size == 2:
            small_disk.fill()
        return {"loss": loss(size, seed), "text": "y" * 5000}

    with pytest.raises(TableError, match=r"size 2, seed 0 is finished, .*No space left") as caught:
        run(train, [1, 2, 3], [0], progress=False, path=path)
    assert [row["loss"] for row in caught.value.rows] == [1.0, 0.5]
    small_disk.free()
    again = []
    rows = run(
        lambda size, seed: again.append(size) or loss(size, seed), [1, 2, 3], [0], progress=False, path=path
    )
    assert again == [2, 3]
    assert [row["loss"] for row in rows] == [1.0, 0.5, 1 / 3]


Run = namedtuple("Run", "seed size loss")
RUNS = [Run(seed, size, 3 / size**0.5 + 0.001 * seed * size) for seed in (1, 2, 3) for size in (16, 32, 64)]


@pytest.mark.parametrize(
    "table",
    [
        RUNS,
        np.array([tuple(one) for one in RUNS], dtype=[("seed", int), ("size", int), ("loss", float)]),
        np.array([tuple(one) for one in RUNS], dtype=[("seed", int), ("size", int), ("loss", float)]).view(
            np.recarray
        ),
    ],
    ids=["named tuples", "structured array", "record array"],
)
def test_tables_with_names_are_read_by_name(table) -> None:
    assert scaling.trend(table).sizes == (16, 32, 64)


def test_numbers_too_large_for_a_float_are_refused_in_words() -> None:
    with pytest.raises(TableError, match="size"):
        scaling.trend([{"size": 10**400, "seed": s, "loss": 1.0} for s in (0, 1)])


def test_two_processes_that_finish_one_run_agree_on_which_row_counts(tmp_path) -> None:
    path = tmp_path / "study.jsonl"

    def train(size: float, seed: int) -> float:
        with path.open("a") as other:
            other.write(json.dumps(ROW | {"size": size}) + "\n")
        return loss(size, seed)

    rows = run(train, [1, 2], [0], progress=False, path=path)
    assert [row["loss"] for row in rows] == [1.5, 1.5]
    assert run(train, [1, 2], [0], progress=False, path=path) == rows


def test_a_file_that_vanishes_on_the_way_costs_no_finished_run(tmp_path) -> None:
    path = tmp_path / "study.jsonl"

    def train(size: float, seed: int) -> float:
        if size == 2:
            path.unlink()
            path.mkdir()
        return loss(size, seed)

    with pytest.raises(TableError, match=r"size 2, seed 0 is finished") as caught:
        run(train, [1, 2, 3], [0], progress=False, path=path)
    assert [row["loss"] for row in caught.value.rows] == [1.0, 0.5]
    assert [row["loss"] for row in copy.copy(caught.value).rows] == [1.0, 0.5]


def test_finished_runs_are_handed_over_when_a_later_result_cannot_be_used() -> None:
    with pytest.raises(TableError, match="expected a dict such as") as caught:
        run(lambda size, seed: None if size == 2 else 1.0, [1, 2], [0], progress=False)
    assert [row["size"] for row in caught.value.rows] == [1]


def database_rows() -> list[sqlite3.Row]:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.execute("create table runs (seed, size, loss)")
    database.executemany("insert into runs values (?, ?, ?)", RUNS)
    return database.execute("select * from runs").fetchall()


RECORDS = np.array([tuple(one) for one in RUNS], dtype=[("seed", int), ("size", int), ("loss", float)])


@pytest.mark.parametrize(
    "table",
    [database_rows(), list(RECORDS), RECORDS.reshape(3, 3), RECORDS.reshape(9, 1)],
    ids=["database", "list of records", "grid of records", "column of records"],
)
def test_rows_with_names_are_read_by_name(table) -> None:
    assert scaling.trend(table).sizes == (16, 32, 64)


def test_a_file_nested_too_deeply_to_be_ours_is_refused(tmp_path) -> None:
    path = tmp_path / "study.jsonl"
    path.write_text("[" * 100_000)
    with pytest.raises(TableError, match="does not hold the rows"):
        run(loss, [1, 2], [0], progress=False, path=path)


class BytesPath:
    def __fspath__(self) -> bytes:
        return b"study.jsonl"


@pytest.mark.parametrize("path", [BytesPath(), b"study.jsonl"], ids=["path of bytes", "bytes"])
def test_a_path_of_bytes_is_refused(path: object) -> None:
    with pytest.raises(TableError, match="path is"):
        run(loss, [1, 2], [0], progress=False, path=path)
