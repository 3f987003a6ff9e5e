"""Which players a table lets in that asks for reliability."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.match.decisions.admission import MIN_MATCHES, require_reliability
from domain.match.errors import Forbidden
from domain.match.log import read_events
from domain.match.social_events import ReliabilityRequired
from tests.match.table import Table
from tests.support.for_each import for_each

PERCENT = st.integers(1, 100)


def test_it_is_in_the_first_entry() -> None:
    table = Table("ann .", min_reliability=90)
    [created] = table.entries
    assert ReliabilityRequired(90) in read_events(table.game, created.events)
    assert table.match.min_reliability == 90
    assert Table("ann .").match.min_reliability is None


@given(PERCENT, st.integers(0, 50), st.data())
def test_matches_that_a_player_lacks_count_as_finished(
    percent: int, matches: int, data: st.DataObject
) -> None:
    table = Table("ann .", min_reliability=percent)
    late = data.draw(st.integers(0, matches))
    of = max(matches, MIN_MATCHES)
    if (of - late) / of >= percent / 100 - 1e-9:
        require_reliability(table.match, "bob", matches, matches - late)
    else:
        with pytest.raises(Forbidden, match=f"ran out in {late} of your last {matches}") as refusal:
            require_reliability(table.match, "bob", matches, matches - late)
        assert refusal.value.code == "reliability_too_low"


@for_each("seats", ["ann ?bob .", "ann bob .", ". ."])
def test_who_is_invited_is_seated_or_opened_the_table_is_not_asked(seats: str) -> None:
    """Who sits there reads that they do, when they ask for a seat again."""
    table = Table(seats, host="bob" if seats == ". ." else "ann", min_reliability=100)
    require_reliability(table.match, "bob", 50, 0)


def test_other_tables_ask_for_nothing() -> None:
    require_reliability(Table("ann .").match, "bob", 50, 0)
