"""The user ids that submissions run as when the grader is root: each its own, whoever else grades here."""

from __future__ import annotations

import random
from pathlib import Path

_FREE = range(1_879_048_192, 2_147_483_647)  # what https://systemd.io/UIDS-GIDS/ lists as unused
_MAP = Path("/proc/self/uid_map")
_source = random.SystemRandom()


def fresh_uid() -> int:
    """Return a user id at random, from ids that belong to nobody.

    Linux counts the processes of a user id over the whole machine: if two batches took the same ids, the
    processes of one would use up the limit of the other. Where there are few ids, the upper half of them.
    """
    return _source.choice(ids(_MAP.read_text(encoding="ascii") if _MAP.exists() else ""))


def ids(uid_map: str) -> range:
    """Return the ids to choose from.

    Parameters
    ----------
    uid_map : content of /proc/self/uid_map, whose lines give the first id inside, outside, and how many.
    """
    mapped = [
        range(int(first), int(first) + int(count)) for first, _, count in map(str.split, uid_map.splitlines())
    ]
    if not mapped or any(_FREE.start in one and _FREE.stop - 1 in one for one in mapped):
        return _FREE
    largest = max(mapped, key=len)
    end = min(largest.stop, 65_534) if largest.start < 65_534 else largest.stop  # 65,534 is nobody
    return range((largest.start + end) // 2, end)
