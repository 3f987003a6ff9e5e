"""What is told when all who play together have won or lost: to programs, and in a channel."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from msgspec import to_builtins

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import Bot, Json
from domain.engine.scoring import Scoring
from domain.games.great_wall import GAME as GREAT_WALL
from domain.games.great_wall.bot.hasty import hasty
from tests.discord.people import StandIn, stand_in
from tests.games.great_wall.together import WINNING
from tests.projections.recorded import Recorded
from tests.service.api.over import mover
from tests.service.channels.webhooks.conftest import Desk
from tests.support.receiver import Receiver

COOP: Json = {"game": GREAT_WALL, "options": {"mode": "coop"}, "match": "m"}
SOLO: Json = {**COOP, "options": {"mode": "solo", "difficulty": "hard"}}
NAMES = ("Ann", "Bob", "Cid")


@pytest.fixture(scope="module")
def discord() -> Iterator[StandIn]:
    with stand_in() as discord:
        yield discord


def won(desk: Desk, people: list[str]) -> Scoring:
    """Three whose Winter brings them the last Request: GW-16.12."""
    winning = json_codec.as_read_back(WINNING)
    return played(Recorded(desk.store, " ".join(people), position=winning, **COOP), hasty)


def lost(desk: Desk, people: list[str]) -> Scoring:
    """One alone, against Qin Jiushao at his hardest: GW-14.14."""
    return played(Recorded(desk.store, people[0], **SOLO), GREAT_WALL.levels[0].bot)


def played(table: Recorded, bot: Bot) -> Scoring:
    """A match that is played to its end as this bot would; its result."""
    move = mover(bot, Luck("channels"))
    while table.match.status == "active":
        table.act(move(table.match, table.now), table.who(table.match.awaited[0]))
    table.score()
    assert table.match.scoring
    return table.match.scoring


@pytest.mark.parametrize("end", [won, lost])
def test_programs_and_channels_are_told_who_play_together_have_won_or_lost(
    desk: Desk, receiver: Receiver, discord: StandIn, end: Callable[[Desk, list[str]], Scoring]
) -> None:
    people = [desk.player(name) for name in NAMES]
    hook = desk.subscribe(people[0], receiver.url, ("match.ended", "match.scored"))
    discord.ask("reset")
    desk.subscribe(people[0], discord.hook("700"), ("match.scored",), format="discord")
    result = end(desk, people)
    desk.pass_until_quiet()

    ended, scored = (got.verified(hook.secrets[0].text)["data"] for got in receiver.got)
    assert ended["end_reason"] == scored["end_reason"] == "rules"
    assert scored["result"] == json_codec.as_read_back(to_builtins(result))
    assert {line["rank"] for line in scored["result"]["lines"]} == {1 if result.won else 2}

    [embed] = discord.messages("700")[-1]["embeds"]
    words = embed["description"].splitlines()
    reason = GREAT_WALL.words()(f"end_{result.reason}")
    at = words.index(f"The game is {'won' if result.won else 'lost'}: {reason}.")
    place = "1. " if result.won else ""
    assert words[at + 1 :] == [
        *(f"{place}{NAMES[line.seat]}: {line.points}" for line in result.lines),
        *(f"Qin Jiushao: {rival.points}" for rival in result.rivals),
    ]
    names = "Ann, Bob and Cid win together" if result.won else "it is lost"
    assert f"- The game is over, {reason}: {names}." in words
