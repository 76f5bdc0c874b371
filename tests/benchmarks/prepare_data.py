"""How much faster MNIST-1D is read from the cache than made: the bar is 20 times.

    python tests/benchmarks/prepare_data.py

The exit code is 1 if the bar is missed. The first load includes what making the data needs loaded.
"""

import os
import sys
import tempfile
import time
from statistics import median

from labkit import data

BAR = 20


def timed() -> float:
    begin = time.perf_counter()
    data.mnist1d()
    return time.perf_counter() - begin


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LABKIT_CACHE"] = folder
        first = timed()
        again = [timed() for _ in range(9)]
        os.environ["LABKIT_CACHE"] = os.devnull
        anew = timed()
    print(f"first load {first:.2f} s, made anew without imports {anew:.2f} s")
    print(f"from the cache: second load {1e3 * again[0]:.1f} ms, median of nine {1e3 * median(again):.1f} ms")
    slower = min(first, anew) / again[0]
    print(f"the second load is {slower:.0f} times faster (bar {BAR})")
    return 0 if slower >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
