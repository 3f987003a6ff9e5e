"""A match is exported once: when its result stands, and not again when it is played again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from domain.match.decisions import ending, rematch
from domain.match.log import Draft
from domain.match.state import Match
from tests.match.test_rematch import over
from workers.tools.tables.parts.feeds import LAST_KINDS, complete_match


def rate(match: Match) -> Draft:
    return ending.rate(match, ())


def offer(match: Match) -> Draft:
    return rematch.offer(match, "ann", match.next_match)


def link(match: Match) -> Draft:
    return ending.link_next(match, "again")


@pytest.mark.parametrize(
    ("seats", "decisions", "last"),
    [
        ("ann bob", (rate, offer, link), "Rated"),
        ("ann bob", (offer, rate, link, offer), "Rated"),
        ("ann bob", (offer, link, rate), "Rated"),
        ("ann ann", (offer, link), "Scored"),  # unrated
    ],
)
def test_a_match_is_complete_after_one_of_its_entries(
    seats: str, decisions: Sequence[Callable[[Match], Draft]], last: str
) -> None:
    table = over(seats, loser=seats.split()[-1])
    for decide in decisions:
        table.act(decide(table.match), "ann")
    games, entries = {table.game.key: table.game}, table.entries
    found = [
        entries[count - 1].kind
        for count in range(1, len(entries) + 1)
        if complete_match(games, entries[:count])
    ]
    assert found == [last]
    assert last in LAST_KINDS
