"""Bytes by chance are nobody else's."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from service.runtime.random_bytes import DRAWN, SIZE, by_chance
from tests.support.killing import ended


def test_nothing_is_drawn_twice_in_any_thread() -> None:
    with ThreadPoolExecutor(8) as threads:
        drawn = list(threads.map(lambda _: by_chance(), range(8 * DRAWN)))
    assert len(set(drawn)) == 8 * DRAWN
    assert {len(one) for one in drawn} == {SIZE}


def test_a_process_that_was_forked_draws_its_own() -> None:
    by_chance()  # so that others wait
    read, write = os.pipe()
    assert ended(lambda: os.write(write, by_chance())) == 0
    with open(read, "rb") as told:
        os.close(write)
        assert told.read() != by_chance()
