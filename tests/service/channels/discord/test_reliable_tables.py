"""Tables in Discord that ask for reliability."""

from __future__ import annotations

from domain.match.decisions import playing
from projections.lists.matches import find
from service.matches.commands import Metadata, execute
from tests.discord.people import text
from tests.service.api.conftest import fold_lists
from tests.service.channels.discord.conftest import DiscordHarness, Guest
from tests.service.channels.discord.test_playing import open_card


def test_a_player_who_was_late_does_not_join_a_table_that_asks_for_all_in_time(
    ada: Guest, ben: Guest, harness: DiscordHarness
) -> None:
    annals = harness.annals
    open_card(ada, ben, clock="1m")
    fold_lists(annals)
    [match] = find(annals.store.redis, annals.store.partitions).items
    harness.now += 60_000
    over = execute(annals, match.id, Metadata(), playing.time_out).match
    fold_lists(annals)
    late, host = (ada, ben) if 0 in over.timed_out else (ben, ada)
    card = host.says("new", game="qin", seats=2, reliability=100)
    assert "Free seats are for players with a reliability of at least 100 %." in text(card)
    for answer in late.presses(card, "Join"), late.says("join"):
        assert "asks for a reliability of 100 %" in text(answer)
