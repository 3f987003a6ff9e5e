"""The last deed of a position left its trace on the table."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import BadPosition
from tests.games.hansa_teutonica.table import KAMPEN, start

POST = start().board.posts[start().board.route_number[KAMPEN]].start
OURS = {"routes": {KAMPEN: ["0t", None]}}
OFFICES = {"cities": {"minden": {"offices": ["0t", "1t", None, None]}}}
THEIRS = {"cities": {"minden": {"offices": ["1t", None, None, None]}}}
MARKER = {"markers": {KAMPEN: "extra_office"}}
POSSIBLE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "income": ({}, {}),
    "marker": ({}, {}),
    "ability": ({}, {"route": KAMPEN}),
    "place": (OURS, {"route": KAMPEN, "posts": [POST]}),
    "displace": (OURS, {"route": KAMPEN, "posts": [POST]}),
    "relocate": (OURS, {"route": KAMPEN, "posts": [POST + 1, POST]}),
    "deploy": (OURS, {"route": KAMPEN, "posts": [POST]}),
    "move": (OURS, {"route": KAMPEN, "posts": [POST + 1, POST]}),
    "remove": ({}, {"route": KAMPEN, "posts": [POST]}),
    "establish": ({}, {"route": KAMPEN, "posts": [POST, POST + 1]}),
    "office": (OFFICES, {"route": KAMPEN, "posts": [POST], "city": "minden"}),
    "extra_office": (OFFICES, {"route": KAMPEN, "posts": [POST], "city": "minden"}),
    "green_office": (OFFICES, {"city": "minden"}),
    "swap": (OFFICES, {"city": "minden"}),
    "refill": (MARKER, {"route": KAMPEN}),
}
"""By deed: what lies on the table, and where the deed was done."""


def read(deed: str, table: dict[str, Any], where: dict[str, Any], turn: int = 2) -> Any:
    """The table on which this was done last."""
    return start(**table, turn=turn, last={"seat": 0, "deed": deed, **where})


@pytest.mark.parametrize(("deed", "table", "where"), [(name, *of) for name, of in POSSIBLE.items()])
def test_a_last_deed_that_shows_is_read(deed, table, where):
    """HT-4.1 to HT-4.5, HT-6.6, HT-8.3 to HT-8.9"""
    assert read(deed, table, where).last.deed == deed
    with pytest.raises(BadPosition, match="Before `turn` 1 nothing was done: leave out `last`"):
        read(deed, table, where, turn=1)


@pytest.mark.parametrize(
    ("deed", "table", "where"),
    [
        ("income", OFFICES, {"city": "minden"}),
        ("marker", {}, {"route": KAMPEN}),
        ("pawn", {}, {}),
        ("ability", {}, {"posts": [POST]}),
        ("place", {}, {"route": KAMPEN, "posts": [POST]}),
        ("displace", {"routes": {KAMPEN: ["1t", None]}}, {"route": KAMPEN, "posts": [POST]}),
        ("relocate", {}, {"route": KAMPEN, "posts": [POST]}),
        ("deploy", {}, {"route": KAMPEN, "posts": [POST]}),
        ("move", {}, {"route": KAMPEN, "posts": [POST]}),
        ("remove", OURS, {"route": KAMPEN, "posts": [POST]}),
        ("establish", OURS, {"route": KAMPEN, "posts": [POST]}),
        ("office", {}, {"route": KAMPEN, "posts": [POST], "city": "minden"}),
        ("extra_office", OFFICES | OURS, {"route": KAMPEN, "posts": [POST], "city": "minden"}),
        ("green_office", THEIRS, {"city": "minden"}),
        ("special", {}, {"city": "coellen"}),
        ("swap", THEIRS, {"city": "minden"}),
        ("refill", {}, {"route": KAMPEN}),
    ],
)
def test_a_last_deed_without_a_trace_is_refused(deed, table, where):
    """HT-4.1 to HT-4.5, HT-6.6, HT-8.3 to HT-8.9"""
    with pytest.raises(BadPosition, match=f"This `last` {deed} does not show"):
        read(deed, table, where)
