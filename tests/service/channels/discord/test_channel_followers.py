"""Channels get one card per turn, at the end of a run of moves, however players move."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.game import legal_moves
from domain.match.decisions import ending, pauses, playing, proposals, undo
from projections import PROJECTIONS
from projections.outbox.due import due_subscriptions
from projections.outbox.plan import Outbox
from projections.projector import Projector
from service.channels.discord.channel_followers import (
    MAX_DELAY_MS,
    QUIET_MS,
    RETRY_FOR_MS,
    match_of,
)
from service.matches.commands import Metadata, execute
from tests.discord.people import labels, text
from tests.service.channels.discord.conftest import DiscordHarness, Guest, guest
from tests.service.channels.discord.test_playing import open_card
from workers.jobs.discord_followers import Follower


class Teller:
    """The projector and the job, with a clock that a test sets."""

    def __init__(self, harness: DiscordHarness) -> None:
        self.harness, self.store = harness, harness.annals.store
        partitions = range(self.store.partitions)
        self.projector = Projector(
            harness.redis, self.store, partitions, PROJECTIONS, outbox=Outbox(harness.redis)
        )
        self.follower = Follower(harness.renderer.discord, harness.renderer)

    def look(self) -> None:
        while self.projector.fold_next(1_000):
            pass
        for name in due_subscriptions(
            self.store.redis, range(self.store.partitions), self.harness.now
        ):
            self.follower.follow(match_of(name) or "")

    def wait(self, ms: int = QUIET_MS) -> None:
        self.look()
        self.harness.now += ms
        self.look()


@pytest.fixture
def teller(harness: DiscordHarness) -> Teller:
    return Teller(harness)


def over_rest(harness: DiscordHarness, match_id: str) -> None:
    """Make a move over REST."""
    match = harness.annals.matches.latest(match_id)
    seat = match.seats_to_move[0]
    move = legal_moves(match.game, match.state, seat)[0]
    execute(
        harness.annals,
        match_id,
        Metadata(match.chairs[seat].player or ""),
        lambda match, now: playing.move(match, move, now),
    )


def begin_match(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller, **more: Any
) -> str:
    """A match of the two players; the channel is up to date with it."""
    ben.says("help")
    open_card(ada, ben, "qin", private=True, opponent=ben.id, **more)
    teller.wait()
    [key] = harness.redis.keys("discord:match:*")
    return str(key.decode().removeprefix("discord:match:"))


def posted_messages(harness: DiscordHarness) -> list[Any]:
    return harness.discord.messages("500")


def test_a_move_made_elsewhere_is_shown_in_the_channel(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begin_match(harness, ada, ben, teller)
    known = len(posted_messages(harness))
    over_rest(harness, match)
    teller.look()
    assert len(posted_messages(harness)) == known
    teller.wait()
    [fresh] = posted_messages(harness)[known:]
    assert len(fresh["users"]) == 1
    assert f"<@{fresh['users'][0]}>" in text(fresh)
    assert not fresh["silent"]
    assert labels(fresh)[0] == "Move"
    teller.wait()
    assert len(posted_messages(harness)) == known + 1


def test_a_run_of_moves_is_one_message(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begin_match(harness, ada, ben, teller)
    known = len(posted_messages(harness))
    for _ in range(4):
        over_rest(harness, match)
        teller.wait(QUIET_MS // 2)
    assert len(posted_messages(harness)) == known
    teller.wait()
    assert len(posted_messages(harness)) == known + 1


def test_a_long_run_of_moves_is_shown_after_the_maximum_delay(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begin_match(harness, ada, ben, teller)
    known = len(posted_messages(harness))
    for _ in range(MAX_DELAY_MS // 1_000 + 1):
        over_rest(harness, match)
        teller.wait(1_000)
    assert len(posted_messages(harness)) == known + 1


def test_a_version_is_shown_once_per_channel(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller
) -> None:
    begin_match(harness, ada, ben, teller)
    assert len([one for one in posted_messages(harness) if "Move" in labels(one)]) == 1


def test_an_undo_request_from_elsewhere_has_buttons_and_no_mentions(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match_id = begin_match(harness, ada, ben, teller)
    mover = harness.annals.matches.latest(match_id)
    player = mover.chairs[mover.seats_to_move[0]].player or ""
    over_rest(harness, match_id)
    teller.wait()
    execute(
        harness.annals,
        match_id,
        Metadata(player),
        lambda match, now: undo.undo(match, player, None, now),
    )
    teller.wait()
    asked = posted_messages(harness)[-1]
    assert labels(asked)[-2:] == ["Agree", "Decline"]
    assert (asked["users"], asked["silent"]) == ([], True)


def test_the_player_to_move_is_mentioned_again_after_a_pause(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller
) -> None:
    """As mail and push messages would say it: Discord comes first, so they do not."""
    match_id = begin_match(harness, ada, ben, teller, clock="1d")
    one, other = (chair.player or "" for chair in harness.annals.matches.latest(match_id).chairs)
    for player in (one, other):
        execute(
            harness.annals,
            match_id,
            Metadata(player),
            lambda match, now, player=player: proposals.propose(match, player, "pause", now),
        )
    teller.wait()
    paused = posted_messages(harness)[-1]
    assert "The match is paused" in text(paused)
    elsewhere = guest(harness, ben.id, "Ben", "600")
    assert not elsewhere.says("board", match=match_id, share=True)["users"]
    assert (paused["users"], paused["silent"]) == ([], True)
    execute(
        harness.annals,
        match_id,
        Metadata(one),
        lambda match, now: pauses.resume(match, one, now),
    )
    teller.wait()
    resumed = posted_messages(harness)[-1]
    assert len(resumed["users"]) == 1
    assert not resumed["silent"]


def test_the_end_is_shown_and_updates_stop(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match_id = begin_match(harness, ada, ben, teller)
    player = harness.annals.matches.latest(match_id).chairs[0].player or ""
    execute(
        harness.annals,
        match_id,
        Metadata(player),
        lambda match, now: playing.resign(match, player, now),
    )
    execute(harness.annals, match_id, Metadata("system"), lambda match, now: ending.score(match))
    teller.wait()
    end = posted_messages(harness)[-1]
    assert "1. " in text(end)
    assert end["silent"]
    assert not harness.redis.keys("*:outbox:queue:discord:*")
    assert not any(harness.redis.hgetall(key) for key in harness.redis.keys("*:outbox:filters"))
    assert not harness.redis.keys("discord:match:*")


def test_updates_continue_after_a_restore(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begin_match(harness, ada, ben, teller)
    known = len(posted_messages(harness))
    harness.redis.delete(*harness.redis.keys("*:outbox:filters"))
    harness.renderer.discord.channels.follow_all()
    over_rest(harness, match)
    teller.wait()
    assert len(posted_messages(harness)) == known + 1


def test_failed_cards_are_retried_with_growing_delays(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begin_match(harness, ada, ben, teller)
    known = len(posted_messages(harness))
    harness.discord.ask("too_many", [60.0, 60.0])
    over_rest(harness, match)
    teller.wait()
    assert len(posted_messages(harness)) == known
    teller.wait(QUIET_MS)
    assert len(posted_messages(harness)) == known
    teller.wait(QUIET_MS // 2)
    assert len(posted_messages(harness)) == known
    teller.wait(QUIET_MS)
    assert len(posted_messages(harness)) == known + 1


def test_a_card_is_given_up_after_the_retry_period(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begin_match(harness, ada, ben, teller)
    known = len(post_attempts(harness))
    harness.discord.ask("too_many", [60.0] * 20)
    over_rest(harness, match)
    for _ in range(20):
        teller.wait(RETRY_FOR_MS // 8)
    assert 2 < len(post_attempts(harness)) - known < 12
    assert not harness.redis.keys("*:outbox:queue:discord:*")


def test_the_bot_does_not_retry_in_an_unwritable_channel(
    harness: DiscordHarness, ada: Guest, ben: Guest, teller: Teller
) -> None:
    match = begin_match(harness, ada, ben, teller)
    known = len(post_attempts(harness))
    harness.discord.ask("without_bot", "500")
    for _ in range(3):
        over_rest(harness, match)
        teller.wait()
    assert len(post_attempts(harness)) == known + 1


def post_attempts(harness: DiscordHarness) -> list[Any]:
    """What the bot tried to post."""
    calls = harness.discord.ask("calls")
    return [call for call in calls if call[:2] == ["POST", "/channels/500/messages"]]
