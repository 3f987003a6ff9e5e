"""The origin of the log."""

from __future__ import annotations

import pytest

from service.tlog.state import names_this_machine


@pytest.mark.parametrize(
    ("origin", "is_this_machine"),
    [
        ("localhost:8000", True),
        ("127.0.0.1", True),
        ("[::1]:8000/annals", True),
        ("localhost.example.org", False),
        ("127.0.0.1.example.org:8000", False),
    ],
)
def test_an_origin_names_this_machine_by_its_whole_host(origin: str, is_this_machine: bool) -> None:
    assert names_this_machine(origin) is is_this_machine
