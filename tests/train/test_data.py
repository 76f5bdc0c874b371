"""MNIST-1D and the cache of prepared data."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest
import torch

from labkit import data


@pytest.fixture
def counted():
    """A `make` for `data.prepared` that counts its calls."""

    def make():
        make.calls += 1
        return {"x": np.arange(1000.0), "y": np.arange(5)}

    make.calls = 0
    return make


def test_mnist1d_has_its_shapes_and_types():
    split = data.mnist1d()
    assert (split.train_x.shape, split.test_x.shape) == ((4000, 40), (1000, 40))
    assert (split.train_y.shape, split.test_y.shape) == ((4000,), (1000,))
    assert (split.train_x.dtype, split.train_y.dtype) == (torch.float32, torch.int64)
    assert set(split.test_y.tolist()) == set(range(10))


def test_making_the_data_says_nothing_and_leaves_random_numbers_alone(tmp_path, monkeypatch, capfd):
    cached = data.mnist1d()
    monkeypatch.setenv("LABKIT_CACHE", str(tmp_path))
    random.seed(1), np.random.seed(1)
    expected = random.random(), np.random.rand()
    random.seed(1), np.random.seed(1)
    made = data.mnist1d()
    assert (random.random(), np.random.rand()) == expected
    assert capfd.readouterr() == ("", "")
    assert torch.equal(made.train_x, cached.train_x)
    assert (tmp_path / "mnist1d.npz").is_file()


def test_prepared_data_is_made_once(tmp_path, counted):
    first = data.prepared(tmp_path / "a" / "cache", counted)
    second = data.prepared(tmp_path / "a" / "cache", counted)
    assert counted.calls == 1
    assert first.keys() == second.keys()
    assert all(np.array_equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:40],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content + b"\0",
        lambda content: content.replace(b"labkit data 1", b"labkit data 0"),
        *(
            lambda content, at=at: content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
            for at in (0, 30, 99, 5000)
        ),
    ],
)
def test_a_damaged_cache_is_noticed_and_made_anew(tmp_path, counted, damage):
    path = tmp_path / "cache"
    whole = data.prepared(path, counted)
    path.write_bytes(damage(path.read_bytes()))
    again = data.prepared(path, counted)
    assert np.array_equal(again["x"], whole["x"])
    data.prepared(path, counted)
    assert counted.calls == 2


def test_a_cache_of_another_version_is_made_anew(tmp_path, counted):
    data.prepared(tmp_path / "cache", counted, version=1)
    data.prepared(tmp_path / "cache", counted, version=2)
    assert counted.calls == 2


def test_a_folder_that_cannot_be_written_means_no_cache(tmp_path, counted):
    (tmp_path / "file").touch()
    for _ in range(2):
        data.prepared(tmp_path / "file" / "cache", counted)
    assert counted.calls == 2


def test_two_processes_may_prepare_the_data_at_once(tmp_path, monkeypatch):
    monkeypatch.setenv("LABKIT_CACHE", str(tmp_path))
    code = "from labkit import data; print(float(data.mnist1d().train_x.double().sum()))"
    processes = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    outputs = {process.communicate(timeout=60) for process in processes}
    assert outputs == {(f"{float(data.mnist1d().train_x.double().sum())}\n".encode(), b"")}
    assert [path.name for path in tmp_path.iterdir()] == ["mnist1d.npz"]


def test_labkit_cache_names_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LABKIT_CACHE", str(tmp_path / "here"))
    assert data.cache_folder() == tmp_path / "here"


def test_a_subset_has_its_share_of_the_training_data_and_all_test_data():
    split = data.mnist1d()
    small = data.subset(split, 0.01)
    assert (len(small.train_x), len(small.train_y)) == (40, 40)
    assert torch.equal(small.test_x, split.test_x)


def test_a_smaller_subset_lies_in_a_larger_one():
    small, large = (data.subset(data.mnist1d(), fraction, seed=5).train_x for fraction in (0.01, 0.1))
    assert torch.equal(small, large[: len(small)])


def test_a_subset_keeps_examples_with_their_classes():
    split = data.mnist1d()
    small = data.subset(split, 0.005, seed=1)
    for x, y in zip(small.train_x, small.train_y, strict=True):
        assert split.train_y[(split.train_x == x).all(1)].tolist() == [y]


@pytest.mark.parametrize("fraction", [0, -0.5, 1.5, float("nan")])
def test_a_fraction_out_of_range_is_refused(fraction):
    with pytest.raises(ValueError, match="fraction is"):
        data.subset(data.mnist1d(), fraction)


def test_forest_cover_without_internet_says_what_works_instead(tmp_path):
    nobody = dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9")
    folders = dict.fromkeys(("LABKIT_CACHE", "SCIKIT_LEARN_DATA"), str(tmp_path))
    done = subprocess.run(  # a process of its own: urllib would keep the proxies for good
        [sys.executable, "-W", "ignore", "-c", "from labkit import data; data.forest_cover()"],
        env=os.environ | nobody | folders,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert "labkit.data.mnist1d()" in done.stderr.splitlines()[-1]
