"""What waits to be mailed to players who have left their seats."""

from __future__ import annotations

import pytest

from domain.match.decisions import playing
from domain.notice_types import NOTICE_TYPES, NoticeName
from domain.notices import Notice
from service.channels.mail.digest import still_holds
from tests.match.table import Table
from tests.match.test_absence import end_patience, waiting
from tests.match.test_replacing import replace, seeking


@pytest.mark.parametrize("kind", NOTICE_TYPES)
def test_nothing_holds_for_a_player_who_was_replaced(kind: NoticeName) -> None:
    """The match may be private, and another player absent in it."""
    table = seeking()
    notice = Notice(table.match.version, 1, kind, 0)
    replace(table, "dan")
    end_patience(table)
    assert table.match.absent
    assert not still_holds(table.match, "ann", notice)
    assert still_holds(table.match, "dan", Notice(table.match.version, 1, "patience.ended"))


@pytest.mark.parametrize("kind", ["patience.ended", "match.idle", "pause.ending"])
def test_who_has_resigned_learns_of_no_choice(kind: NoticeName) -> None:
    """They may neither vote nor keep the match; nor may a host who has no seat."""
    table = waiting(host="eve")
    end_patience(table)
    assert holding(table, kind) == {"ann", "bob", "cid"}
    table.act(playing.resign(table.match, "cid", table.now), "cid")
    assert holding(table, kind) == {"ann", "bob"}


def holding(table: Table, kind: NoticeName) -> set[str]:
    """The people for whom a notice of the last version holds."""
    notice = Notice(table.match.version, 1, kind)
    people = ("ann", "bob", "cid", "eve")
    return {one for one in people if still_holds(table.match, one, notice)}
