"""No two callers get the same random bytes."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from service.runtime.random_bytes import ID_BYTES, IDS_PER_DRAW, random_id
from tests.support.killing import run_in_child


def test_nothing_is_drawn_twice_in_any_thread() -> None:
    with ThreadPoolExecutor(8) as threads:
        drawn = list(threads.map(lambda _: random_id(), range(8 * IDS_PER_DRAW)))
    assert len(set(drawn)) == 8 * IDS_PER_DRAW
    assert {len(one) for one in drawn} == {ID_BYTES}


def test_a_process_that_was_forked_draws_its_own() -> None:
    random_id()  # so that others wait
    read, write = os.pipe()
    assert run_in_child(lambda: os.write(write, random_id())) == 0
    with open(read, "rb") as received:
        os.close(write)
        assert received.read() != random_id()
