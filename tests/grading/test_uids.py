"""The user ids that submissions run as."""

import pytest

from labkit.grading.uids import fresh_uid, ids

WHOLE = "         0          0 4294967295\n"
FREE = range(1_879_048_192, 2_147_483_647)


@pytest.mark.parametrize("uid_map", [WHOLE, ""], ids=["all ids", "no map"])
def test_ids_are_those_that_nobody_uses(uid_map):
    assert ids(uid_map) == FREE


def test_a_container_of_few_ids_gives_the_upper_half_without_nobody():
    assert ids("0 100000 65536\n") == range(32_767, 65_534)


def test_the_largest_part_of_a_map_is_used():
    assert ids("0 1000 1\n1 100000 65536\n") == range(32_767, 65_534)


def test_a_map_that_ends_within_the_free_ids_is_not_left():
    assert ids("0 0 2000000000\n").stop <= 2_000_000_000


def test_ids_differ_from_call_to_call():
    assert len({fresh_uid() for _ in range(50)}) > 45
