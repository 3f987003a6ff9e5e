"""What waits in the queues of a player whose seat a new one takes."""

from __future__ import annotations

from msgspec.structs import replace as change

from domain.notice_types import NOTICE_TYPES
from projections.core.awaited import AwaitedSeat
from projections.core.spaces import Change
from projections.core.summary import Summary, fold_entry
from projections.outbox.plan import SubscriptionFilter, SubscriptionFilters, plan, warning_items
from tests.match.test_replacing import replace, seeking


def test_the_warnings_of_a_player_who_was_replaced_are_cancelled() -> None:
    """Those about others, whose moves they hear of no longer."""
    table, before = seeking(), None
    for entry in table.entries:
        before = fold_entry(before, table.match.id, entry)
    assert isinstance(before, Summary)
    until = table.now + (table.match.patience_ms or 0)
    waits = AwaitedSeat(1, table.now, patience_until=until)
    before = change(before, awaiting=(*before.awaiting, waits))
    [scheduled] = warning_items(before)
    replace(table, "dan")
    entry = table.entries[-1]
    after = fold_entry(before, table.match.id, entry)
    filters = SubscriptionFilters({"one": SubscriptionFilter("ann", frozenset(NOTICE_TYPES))})
    commands = [*plan("space", Change(9, before, after, frozenset(), entry), filters)]
    assert [(one[0], one[2]) for one in commands] == [("ZREM", scheduled.decode())]
