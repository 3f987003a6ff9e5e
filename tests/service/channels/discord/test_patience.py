"""Patience with players who stay away, in Discord."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from domain.match.decisions import absence
from domain.match.state import Match
from projections.lists.matches import find
from service.matches.commands import Metadata, execute
from tests.discord.people import labels, text
from tests.service.api.conftest import fold_lists
from tests.service.channels.discord.conftest import DiscordHarness, Guest, guest
from tests.service.channels.discord.test_playing import open_card

DAY_MS = 86_400_000


def test_the_other_player_lets_a_bot_play_on(
    ada: Guest, ben: Guest, harness: DiscordHarness
) -> None:
    annals = harness.annals
    open_card(ada, ben, patience=3)
    fold_lists(annals)
    [match] = find(annals.store.redis, annals.store.partitions).items
    assert match.patience_ms == 3 * DAY_MS
    assert "waits for no player" in text(ada.says("bot"))
    later = replace(annals, now=lambda: harness.now + 4 * DAY_MS)
    late = execute(later, match.id, Metadata(), absence.end_patience).match
    absent, other = (ada, ben) if 0 in late.absent else (ben, ada)
    card = other.says("board")
    assert "The others have waited long for" in text(card)
    assert "Let a bot play on" in labels(card)
    assert "move first" in text(absent.says("bot"))
    after = other.presses(card, "Let a bot play on")
    assert "Let a bot play on" not in labels(after)
    assert any(chair.bot for chair in annals.matches.latest(match.id).chairs)


def seek_player(ada: Guest, ben: Guest, harness: DiscordHarness) -> tuple[Match, Any]:
    """A match in which one of them seeks a player in place of the other, and its message."""
    annals = harness.annals
    open_card(ada, ben, patience=3)
    fold_lists(annals)
    [match] = find(annals.store.redis, annals.store.partitions, status="active").items
    later = replace(annals, now=lambda: harness.now + 4 * DAY_MS)
    late = execute(later, match.id, Metadata(), absence.end_patience).match
    other = ben if 0 in late.absent else ada
    return late, other.presses(other.says("board"), "Find a new player")


def test_who_joins_takes_a_seat_of_an_open_table_first(
    ada: Guest, ben: Guest, harness: DiscordHarness
) -> None:
    """Also a player of the match in which a seat is open."""
    ada.says("new", game="qin", seats=4)
    harness.now += 1
    late, _ = seek_player(ada, ben, harness)
    dan = guest(harness, "103", "Dan")
    for person in (dan, ben):
        assert "A table for 4" in text(person.says("join"))
    assert "<@103>" not in text(dan.says("board", match=late.id))


def test_a_new_player_takes_the_seat(ada: Guest, ben: Guest, harness: DiscordHarness) -> None:
    annals = harness.annals
    match, sought = seek_player(ada, ben, harness)
    [seat] = match.absent
    absent = ada if seat == 0 else ben
    assert "A new player can take the seat of" in text(sought)
    assert "Find a new player" not in labels(sought)
    dan = guest(harness, "103", "Dan")
    assert "sit at this table" in text(absent.presses(sought, "Take the seat"))
    taken = dan.presses(sought, "Take the seat")
    assert "<@103>" in text(taken)
    [tenure] = annals.matches.latest(match.id).tenures
    assert tenure.seat == seat


def test_a_table_says_its_patience_and_has_none_with_a_clock(ada: Guest) -> None:
    assert "Patience: 14 days" in text(ada.says("new", game="qin", seats=2))
    assert "Patience" not in text(ada.says("new", game="qin", seats=2, clock="1d"))
    assert "has no patience" in text(ada.says("new", game="qin", seats=2, clock="1d", patience=7))
