"""The workbook's data, made once on this machine and then read from a cache file; none needs a network.

MNIST-1D: Greydanus and Kobak, "Scaling down deep learning with MNIST-1D", arXiv 2011.14439. Each example is
a signal of 40 positions, one of ten digit-like shapes, shifted, scaled, sheared and noisy.

Digits: real handwritten digits of 43 people, 8 by 8 pixels, as scikit-learn carries them (Alpaydin and
Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998; CC BY 4.0).

Kahani: see `labkit.kahani`.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from labkit.disk import atomic_file
from labkit.kahani import kahani, kahani_entropy
from labkit.messages import text

__all__ = [
    "Split",
    "cache_folder",
    "digits",
    "forest_cover",
    "kahani",
    "kahani_entropy",
    "mnist1d",
    "prepared",
    "subset",
]

Arrays = dict[str, "np.ndarray"]

_NAMES = ("train_x", "train_y", "test_x", "test_y")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Split:
    """Examples to train on and examples to test on.

    Attributes
    ----------
    train_x, test_x : float32, shape (examples, 40) for MNIST-1D, (examples, 1, 8, 8) for the digits; mean 0
        and standard deviation 1 over all.
    train_y, test_y : int64 classes from 0 to 9, shape (examples,).
    """

    train_x: Tensor
    train_y: Tensor
    test_x: Tensor
    test_y: Tensor

    def to(self, device: torch.device | str) -> Split:
        """Return the same examples on a device."""
        return Split(*(getattr(self, name).to(device) for name in _NAMES))


def mnist1d() -> Split:
    """Return MNIST-1D: 4,000 training and 1,000 test examples, the same ones every time.

    The first call makes them with the package mnist1d and its default seed, which takes a second or two and
    needs no network; later calls read them from `cache_folder()` in milliseconds. A damaged or outdated
    cache file is made anew. Where the folder cannot be written, everything works without the cache.
    """
    arrays = prepared(cache_folder() / "mnist1d.npz", _make_mnist1d)
    return Split(*(torch.from_numpy(arrays[name]) for name in _NAMES))


def digits() -> Split:
    """Return scikit-learn's handwritten digits: 1,437 training and 360 test images, the same ones every time.

    scikit-learn carries the images and is needed for the first call only; see `mnist1d` for the cache.
    """
    arrays = prepared(cache_folder() / "digits.npz", _make_digits)
    return Split(*(torch.from_numpy(arrays[name]) for name in _NAMES))


def forest_cover() -> Split:
    """Return Forest Cover Type: 54 measurements of a patch of forest, one of seven kinds of trees.

    Blackard and Dean (1999), UCI Machine Learning Repository, 581,012 examples, a random fifth of them for
    testing. Shapes (examples, 54), each column with mean 0 and standard deviation 1. The first call downloads
    11 MB through scikit-learn; nothing in the workbook needs it.

    Raises
    ------
    OSError
        If the data cannot be downloaded.
    """
    arrays = prepared(cache_folder() / "forest_cover.npz", _make_forest_cover)
    return Split(*(torch.from_numpy(arrays[name]) for name in _NAMES))


def subset(split: Split, fraction: float, seed: int = 0) -> Split:
    """Return a random part of the training examples and all test examples.

    Parameters
    ----------
    split : the whole data.
    fraction : of the training examples, above 0, at most 1; at least one example is kept.
    seed : decides which; a smaller fraction with the same seed is contained in a larger one.

    Raises
    ------
    ValueError
        If the fraction is out of range.
    """
    if not 0 < fraction <= 1:
        raise ValueError(text("train.bad_fraction", fraction=fraction))
    count = len(split.train_x)
    keep = torch.from_numpy(np.random.default_rng(seed).permutation(count)[: max(1, round(count * fraction))])
    return Split(split.train_x[keep], split.train_y[keep], split.test_x, split.test_y)


def prepared(path: str | os.PathLike[str], make: Callable[[], Arrays], version: int = 1) -> Arrays:
    """Return the arrays that `make` makes, made once and then read from a file.

    Parameters
    ----------
    path : the cache file. Several processes may prepare it at once; where it cannot be written, `make` is
        called each time.
    make : returns named arrays of numbers, the same ones at each call.
    version : raise it when `make` changes: a file of another version is made anew, as a damaged one is.
    """
    path = Path(path)
    arrays = _read(path, version)
    if arrays is None:
        arrays = make()
        try:
            _write(path, arrays, version)
        except OSError as error:
            _log.info(text("train.cache_not_written", path=path, reason=error))
    return arrays


def cache_folder() -> Path:
    """Return the folder for prepared data.

    It is the environment variable LABKIT_CACHE if set; else data/cache of the clone that labkit
    lies in; else the user's cache folder.
    """
    if os.environ.get("LABKIT_CACHE"):
        return Path(os.environ["LABKIT_CACHE"]).expanduser()
    clone = Path(__file__).resolve().parents[1]
    if (clone / "pyproject.toml").is_file() and (clone / "notebooks").is_dir():
        return clone / "data" / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("labkit", appauthor=False)


def _make_mnist1d() -> Arrays:
    """Generate the data with the package's own defaults, leaving the caller's random numbers as they were."""
    from mnist1d.data import get_dataset_args, make_dataset

    before = random.getstate(), np.random.get_state()
    try:
        made = make_dataset(get_dataset_args())
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])
    return {
        "train_x": made["x"].astype(np.float32),
        "train_y": made["y"].astype(np.int64),
        "test_x": made["x_test"].astype(np.float32),
        "test_y": made["y_test"].astype(np.int64),
    }


def _make_digits() -> Arrays:
    """Scale the images to mean 0 and standard deviation 1, and keep a random fifth for testing."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    x = ((images - images.mean()) / images.std()).astype(np.float32).reshape(-1, 1, 8, 8)
    test, train = np.split(np.random.default_rng(0).permutation(len(x)), [len(x) // 5 + 1])
    y = labels.astype(np.int64)
    return {"train_x": x[train], "train_y": y[train], "test_x": x[test], "test_y": y[test]}


def _make_forest_cover() -> Arrays:
    """Scale each column, and keep a random fifth of the examples for testing."""
    from sklearn.datasets import fetch_covtype

    try:
        columns, labels = fetch_covtype(return_X_y=True, n_retries=1)
    except OSError as error:
        raise OSError(text("train.no_download", reason=error)) from error
    x = ((columns - columns.mean(0)) / columns.std(0)).astype(np.float32)
    y = labels.astype(np.int64) - 1
    test, train = np.split(np.random.default_rng(0).permutation(len(x)), [len(x) // 5])
    return {"train_x": x[train], "train_y": y[train], "test_x": x[test], "test_y": y[test]}


def _write(path: Path, arrays: Arrays, version: int) -> None:
    """Write one header line, naming the version and the SHA-256 of the rest, then the arrays as .npz."""
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    with atomic_file(path) as file:
        file.write(_header(content.getvalue(), version))
        file.write(content.getvalue())


def _read(path: Path, version: int) -> Arrays | None:
    """Return the arrays, or None if the file is absent, damaged, cut short or of another version."""
    try:
        header, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if header + b"\n" != _header(content, version):
        return None
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)


def _header(content: bytes, version: int) -> bytes:
    return f"labkit data {version} {hashlib.sha256(content).hexdigest()}\n".encode()
