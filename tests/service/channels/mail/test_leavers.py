"""What waits to be mailed to a player whose seat a new one takes."""

from __future__ import annotations

import pytest

from domain.notice_types import NOTICE_TYPES, NoticeName
from domain.notices import Notice
from service.channels.mail.digest import still_holds
from tests.match.test_absence import end_patience
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
