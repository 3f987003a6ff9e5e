"""Every game is told alike, and nobody is told what their seat may not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.games import GAMES
from domain.match import visibility
from domain.notices import Notice
from projections.outbox.plan import Wish
from service.channels.webhooks.messages.bodies import message
from service.channels.webhooks.messages.formats import message_id
from service.channels.webhooks.queue.replay import notices_since
from service.matches import queries
from tests.games.modes import Seating, seatings
from tests.projections.recorded import Recorded
from tests.service.channels.webhooks.conftest import Desk
from tests.support.receiver import Receiver

MOVES = 60
SAID_OF_THE_NOTICE = {"seat", "url", "left", "deadline", "end_reason"}
"""What is in no answer of the match, since it is about this message."""
COMMON = {"match", "game", "version", "seat", "as", "status", "awaiting", "url", "page"}


FEW = [one for one in seatings(GAMES.values()) if one.seats < 3]
"""Each game in each of its modes."""


def played(desk: Desk, one: Seating, *players: str) -> Recorded:
    """A match of some moves that ends because somebody gives up, or all who play together do."""
    people = players[: one.seats]
    table = Recorded(desk.store, " ".join(people), game=one.game, options=one.options, match="m")
    while table.match.status == "active" and table.match.version < MOVES:
        table.play()
    for player in reversed(people):
        if table.match.status == "active":
            table.resign(player)
    table.score()
    return table


def told(desk: Desk, table: Recorded, wish: Wish) -> Iterator[tuple[Notice, Any]]:
    """Each notice of a match with the message that is sent of it."""
    for notice in notices_since("m", table.entries, wish, 1, 0):
        raw = message(desk.annals, wish.player, "m", notice)
        assert len(raw) <= 20_000
        yield notice, msgspec.json.decode(raw)


def everything(player: str) -> Wish:
    from domain.notices import NOTICE_TYPES

    return Wish(player, frozenset(NOTICE_TYPES), match="m")


@pytest.mark.parametrize("one", FEW, ids=str)
@pytest.mark.parametrize("who", ["Ann", "Bob", "Cid"])
def test_a_message_says_no_more_than_the_match_does(desk: Desk, one: Seating, who: str) -> None:
    players = {name: desk.player(name) for name in ("Ann", "Bob", "Cid")}
    table = played(desk, one, players["Ann"], players["Bob"])
    seats = dict(zip(("Ann", "Bob"), range(one.seats), strict=False))
    kinds = set()
    for notice, body in told(desk, table, everything(players[who])):
        match = desk.annals.matches.at("m", notice.version)
        seat = visibility.viewing_seat(match, players[who])
        assert seat == seats.get(who)
        [entry] = table.entries[notice.version - 1 : notice.version]
        known = plain(queries.table_view(match, seat, {}))
        data = body["data"]
        if "entry" in data:
            served = plain(queries.served_entry(match, entry, seat))
            assert data.pop("entry").items() <= served.items()
        if "events" in data:
            served = plain(queries.served_entry(match, entry, seat))
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


@pytest.mark.parametrize("one", FEW, ids=str)
def test_a_whole_match_arrives_verified_and_in_order(
    desk: Desk, receiver: Receiver, one: Seating
) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url)
    table = played(desk, one, ann, desk.player("Bob"))
    desk.send()
    planned = list(notices_since("m", table.entries, hook.wish, 1, 0))
    assert receiver.ids() == [message_id("m", notice, hook.id) for notice in planned]
    for got in receiver.got:
        assert got.verified(hook.secrets[0].text)["data"]["game"] == one.game.key


@pytest.mark.parametrize("one", FEW, ids=str)
def test_every_turn_of_a_seat_is_told_so_that_a_bot_never_waits_in_vain(
    desk: Desk, one: Seating
) -> None:
    """Whoever has to decide was told so, or has just made a move and has its answer."""
    ann, bob = desk.player("Ann"), desk.player("Bob")
    table = played(desk, one, ann, bob)
    by_version: dict[int, set[int | None]] = {}
    for notice in notices_since("m", table.entries, everything(ann), 1, 0):
        if notice.type == "turn.started":
            by_version.setdefault(notice.version, set()).add(notice.seat)
    knows: set[int | None] = set()
    for entry in table.entries:
        match = desk.annals.matches.at("m", entry.version)
        mover = {ann: 0, bob: 1}.get(entry.actor or "")
        knows = {seat for seat in knows if seat in match.awaited} | by_version.get(
            entry.version, set()
        )
        assert set(match.awaited) <= knows | {mover}
        knows |= {mover} & set(match.awaited)
