"""Webhooks work alike for every game, and reveal only what the owner's seat may see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.games import GAMES
from domain.match import visibility
from domain.notices import Notice
from projections.outbox.plan import SubscriptionFilter
from service.channels.webhooks.messages.bodies import build_message
from service.channels.webhooks.messages.formats import build_message_id
from service.channels.webhooks.queue.replay import notices_since
from service.matches import queries
from tests.games.modes import Seating, seatings
from tests.projections.recorded import RecordedMatch
from tests.service.channels.webhooks.conftest import WebhookHarness
from tests.support.receiver import Receiver

MOVES = 24
SAID_OF_THE_NOTICE = {"seat", "url", "time_left", "deadline", "end_reason"}
"""Members that belong to the message, and so are in no answer about the match."""
COMMON = {"match", "game", "version", "seat", "as", "status", "awaiting", "url", "page"}


FEW = [one for one in seatings(GAMES.values()) if one.seats < 3]
"""Each game in each of its modes."""


def play_match(harness: WebhookHarness, one: Seating, *players: str) -> RecordedMatch:
    """A match that ends by resignation after some moves."""
    people = players[: one.seats]
    table = RecordedMatch(
        harness.store, " ".join(people), game=one.game, options=one.options, match="m"
    )
    while table.match.status == "active" and table.match.version < MOVES:
        table.play()
    for player in reversed(people):
        if table.match.status == "active":
            table.resign(player)
    table.score()
    return table


def describe_notices(
    harness: WebhookHarness, table: RecordedMatch, wish: SubscriptionFilter
) -> Iterator[tuple[Notice, Any]]:
    """Each notice of a match with its message."""
    for notice in notices_since("m", table.entries, wish, 1, 0):
        raw = build_message(harness.annals, wish.player, "m", notice)
        assert len(raw) <= 20_000
        yield notice, msgspec.json.decode(raw)


def everything(player: str) -> SubscriptionFilter:
    from domain.notice_types import NOTICE_TYPES

    return SubscriptionFilter(player, frozenset(NOTICE_TYPES), match="m")


@pytest.mark.parametrize("one", FEW, ids=str)
def test_a_message_contains_only_what_the_match_shows(
    harness: WebhookHarness, one: Seating
) -> None:
    ann, bob, cid = (harness.player(name) for name in ("Ann", "Bob", "Cid"))
    table = play_match(harness, one, ann, bob)
    seats = dict(zip((ann, bob), range(one.seats), strict=False))
    for player in (ann, bob, cid):
        check_messages(harness, table, player, seats.get(player))


def check_messages(
    harness: WebhookHarness, table: RecordedMatch, player: str, seat: int | None
) -> None:
    """Check that each message to a player has only what the match shows this seat."""
    kinds = set()
    for notice, body in describe_notices(harness, table, everything(player)):
        match = harness.annals.matches.at("m", notice.version)
        assert visibility.default_viewer_seat(match, player) == seat
        [entry] = table.entries[notice.version - 1 : notice.version]
        known = plain(queries.table_view(match, seat, {}))
        data = body["data"]
        if "entry" in data:
            served = plain(queries.entry_view(match, entry, seat))
            assert data.pop("entry").items() <= served.items()
        if "events" in data:
            served = plain(queries.entry_view(match, entry, seat))
            assert all(event in served["events"] for event in data.pop("events"))
        assert data.keys() >= COMMON
        assert data.pop("page") == "https://annals.example/matches/m"
        assert data.pop("match") == known.pop("id")
        chairs = [{name: chair[name] for name in ("seat", "player", "bot", "invited")}
                 for chair in known["seats"]]  # fmt: skip
        for name, value in data.items():
            if name not in SAID_OF_THE_NOTICE:
                assert value == (chairs if name == "seats" else known[name]), name
        kinds.add(notice.type)
    assert {"match.created", "match.started", "move.made", "turn.started", "match.scored"} <= kinds


def plain(content: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(content))


def test_a_match_arrives_verified_and_in_order(harness: WebhookHarness, receiver: Receiver) -> None:
    one, ann = FEW[0], harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url)
    table = play_match(harness, one, ann, harness.player("Bob"))
    harness.send()
    planned = list(notices_since("m", table.entries, hook.filter, 1, 0))
    assert receiver.ids() == [build_message_id("m", notice, hook.id) for notice in planned]
    for got in receiver.got:
        assert got.verify(hook.secrets[0].text)["data"]["game"] == one.game.key


@pytest.mark.parametrize("one", FEW, ids=str)
def test_every_turn_of_a_seat_is_delivered(harness: WebhookHarness, one: Seating) -> None:
    """A seat that must decide got a notice, or has just moved and knows from the answer."""
    ann, bob = harness.player("Ann"), harness.player("Bob")
    table = play_match(harness, one, ann, bob)
    by_version: dict[int, set[int | None]] = {}
    for notice in notices_since("m", table.entries, everything(ann), 1, 0):
        if notice.type == "turn.started":
            by_version.setdefault(notice.version, set()).add(notice.seat)
    knows: set[int | None] = set()
    for entry in table.entries:
        match = harness.annals.matches.at("m", entry.version)
        mover = {ann: 0, bob: 1}.get(entry.actor or "")
        knows = {seat for seat in knows if seat in match.seats_to_move} | by_version.get(
            entry.version, set()
        )
        assert set(match.seats_to_move) <= knows | {mover}
        knows |= {mover} & set(match.seats_to_move)
