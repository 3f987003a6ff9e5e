"""Bodies that are being read: each address has its part of the threads."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from service.errors import TooManyBodies
from service.http.bodies import Bodies


def test_one_address_holds_a_quarter_of_the_threads_and_others_go_on():
    bodies = Bodies(threads=8)
    with ExitStack() as held:
        for _ in range(2):
            held.enter_context(bodies.reading("here"))
        with pytest.raises(TooManyBodies, match="2 bodies"), bodies.reading("here"):
            pass
        with bodies.reading("elsewhere"):
            pass
    with bodies.reading("here"):
        pass
