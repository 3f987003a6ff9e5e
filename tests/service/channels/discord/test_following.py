"""Channels are told of turns whoever moves, and by what way: once a turn, at the end of a run."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.game import legal_moves
from domain.match.decisions import ending, playing, undo
from projections import PROJECTIONS
from projections.outbox.plan import Outbox, due_wishes
from projections.projector import Projector
from service.channels.discord.channel_followers import GIVEN_UP_MS, LATEST_MS, QUIET_MS, followed
from service.matches.commands import Metadata, carry_out
from tests.discord.people import labels, text
from tests.service.channels.discord.conftest import Guest, Office
from tests.service.channels.discord.test_playing import opened
from workers.jobs.discord_followers import Follower


class Teller:
    """The projector and the job, with time that passes when it is told to."""

    def __init__(self, office: Office) -> None:
        self.office, self.store = office, office.annals.store
        partitions = range(self.store.partitions)
        self.projector = Projector(
            office.redis, self.store, partitions, PROJECTIONS, outbox=Outbox(office.redis)
        )
        self.follower = Follower(office.showing.desk, office.showing)

    def look(self) -> None:
        while self.projector.fold_next(1_000):
            pass
        for name in due_wishes(self.store.redis, range(self.store.partitions), self.office.now):
            self.follower.follow(followed(name) or "")

    def wait(self, ms: int = QUIET_MS) -> None:
        self.look()
        self.office.now += ms
        self.look()


@pytest.fixture
def teller(office: Office) -> Teller:
    return Teller(office)


def over_rest(office: Office, match_id: str) -> None:
    """Make a move that Discord has no part in."""
    match = office.annals.matches.latest(match_id)
    seat = match.awaited[0]
    move = legal_moves(match.game, match.state, seat)[0]
    carry_out(
        office.annals,
        match_id,
        Metadata(match.chairs[seat].player or ""),
        lambda match, now: playing.move(match, move, now),
    )


def begun(office: Office, ada: Guest, ben: Guest, teller: Teller) -> str:
    """A match of the two, of which the channel has been told all."""
    ben.says("help")
    opened(ada, ben, "qin", private=True, opponent=ben.id)
    teller.wait()
    [key] = office.redis.keys("discord:match:*")
    return str(key.decode().removeprefix("discord:match:"))


def said(office: Office) -> list[Any]:
    return office.discord.messages("500")


def test_whoever_moves_elsewhere_is_followed(
    office: Office, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begun(office, ada, ben, teller)
    known = len(said(office))
    over_rest(office, match)
    teller.look()
    assert len(said(office)) == known
    teller.wait()
    [fresh] = said(office)[known:]
    assert len(fresh["users"]) == 1
    assert f"<@{fresh['users'][0]}>" in text(fresh)
    assert not fresh["silent"]
    assert labels(fresh)[0] == "Move"
    teller.wait()
    assert len(said(office)) == known + 1


def test_a_run_of_moves_is_one_message(
    office: Office, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begun(office, ada, ben, teller)
    known = len(said(office))
    for _ in range(4):
        over_rest(office, match)
        teller.wait(QUIET_MS // 2)
    assert len(said(office)) == known
    teller.wait()
    assert len(said(office)) == known + 1


def test_a_run_without_end_is_told_now_and_then(
    office: Office, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begun(office, ada, ben, teller)
    known = len(said(office))
    for _ in range(LATEST_MS // 1_000 + 1):
        over_rest(office, match)
        teller.wait(1_000)
    assert len(said(office)) == known + 1


def test_what_the_channel_was_shown_already_is_not_shown_again(
    office: Office, ada: Guest, ben: Guest, teller: Teller
) -> None:
    begun(office, ada, ben, teller)
    assert len([one for one in said(office) if "Move" in labels(one)]) == 1


def test_an_undo_asked_for_elsewhere_has_buttons_and_calls_nobody(
    office: Office, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match_id = begun(office, ada, ben, teller)
    mover = office.annals.matches.latest(match_id)
    player = mover.chairs[mover.awaited[0]].player or ""
    over_rest(office, match_id)
    teller.wait()
    carry_out(
        office.annals,
        match_id,
        Metadata(player),
        lambda match, now: undo.undo(match, player, None, now),
    )
    teller.wait()
    asked = said(office)[-1]
    assert labels(asked)[-2:] == ["Agree", "Refuse"]
    assert (asked["users"], asked["silent"]) == ([], True)


def test_the_end_is_told_and_then_nothing_more(
    office: Office, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match_id = begun(office, ada, ben, teller)
    player = office.annals.matches.latest(match_id).chairs[0].player or ""
    carry_out(
        office.annals,
        match_id,
        Metadata(player),
        lambda match, now: playing.resign(match, player, now),
    )
    carry_out(office.annals, match_id, Metadata("system"), lambda match, now: ending.score(match))
    teller.wait()
    end = said(office)[-1]
    assert "1. " in text(end)
    assert end["silent"]
    assert not office.redis.keys("*:outbox:of:discord:*")
    assert not any(office.redis.hgetall(key) for key in office.redis.keys("*:outbox:wishes"))
    assert not office.redis.keys("discord:match:*")


def test_a_store_that_is_filled_anew_goes_on_to_tell(
    office: Office, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begun(office, ada, ben, teller)
    known = len(said(office))
    office.redis.delete(*office.redis.keys("*:outbox:wishes"))
    office.showing.desk.channels.follow_all()
    over_rest(office, match)
    teller.wait()
    assert len(said(office)) == known + 1


def test_what_discord_did_not_take_is_sent_again_with_growing_pauses(
    office: Office, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begun(office, ada, ben, teller)
    known = len(said(office))
    office.discord.ask("too_many", [60.0, 60.0])
    over_rest(office, match)
    teller.wait()
    assert len(said(office)) == known
    teller.wait(QUIET_MS)
    assert len(said(office)) == known
    teller.wait(QUIET_MS // 2)
    assert len(said(office)) == known
    teller.wait(QUIET_MS)
    assert len(said(office)) == known + 1


def test_what_discord_never_takes_is_given_up(
    office: Office, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begun(office, ada, ben, teller)
    known = len(spoken(office))
    office.discord.ask("too_many", [60.0] * 20)
    over_rest(office, match)
    for _ in range(20):
        teller.wait(GIVEN_UP_MS // 8)
    assert 2 < len(spoken(office)) - known < 12
    assert not office.redis.keys("*:outbox:of:discord:*")


def test_where_the_bot_may_not_speak_it_does_not_try_again(
    office: Office, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begun(office, ada, ben, teller)
    known = len(spoken(office))
    office.discord.ask("without_bot", "500")
    for _ in range(3):
        over_rest(office, match)
        teller.wait()
    assert len(spoken(office)) == known + 1


def spoken(office: Office) -> list[Any]:
    """What the bot has tried to say."""
    calls = office.discord.ask("calls")
    return [call for call in calls if call[:2] == ["POST", "/channels/500/messages"]]
