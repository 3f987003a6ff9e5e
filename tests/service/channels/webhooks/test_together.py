"""Results of cooperative and solo matches, delivered to webhooks and channels."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from msgspec import to_builtins

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import Bot, Json
from domain.engine.scoring import Rival, ScoreLine, Scoring
from domain.games.great_wall import GAME as GREAT_WALL
from domain.games.great_wall.bot.hasty import hasty_bot
from tests.discord.people import StandIn, stand_in
from tests.games.great_wall.together import NEARLY_WON
from tests.projections.recorded import RecordedMatch
from tests.service.api.over import mover
from tests.service.channels.webhooks.conftest import WebhookHarness
from tests.support.receiver import Receiver

COOP: Json = {"game": GREAT_WALL, "options": {"mode": "coop"}, "match": "m"}
SOLO: Json = {**COOP, "options": {"mode": "solo", "difficulty": "hard"}}
NAMES = ("Ann", "Bob", "Cid")


@pytest.fixture(scope="module")
def discord() -> Iterator[StandIn]:
    with stand_in() as discord:
        yield discord


def won(harness: WebhookHarness, people: list[str]) -> Scoring:
    """Three players whose next Winter brings them the last Request: GW-16.12."""
    nearly_won = json_codec.json_round_trip(NEARLY_WON)
    return play_out(
        RecordedMatch(harness.store, " ".join(people), position=nearly_won, **COOP), hasty_bot
    )


def lost(harness: WebhookHarness, people: list[str]) -> Scoring:
    """A solo match against Qin Jiushao at the hardest level: GW-14.14."""
    return play_out(RecordedMatch(harness.store, people[0], **SOLO), GREAT_WALL.levels[0].bot)


def play_out(table: RecordedMatch, bot: Bot) -> Scoring:
    """Play a match to its end with this bot; returns its result."""
    move = mover(bot, Luck("channels"))
    while table.match.status == "active":
        table.act(move(table.match, table.now), table.who(table.match.seats_to_move[0]))
    table.score()
    assert table.match.scoring
    return table.match.scoring


def points_of(line: ScoreLine | Rival) -> str:
    """The points, and where they are from."""
    texts = GREAT_WALL.words().texts
    parts = [f"{texts[f'score_{part}']} {some}" for part, some in line.breakdown.items() if some]
    return f"{line.points} ({', '.join(parts)})"


@pytest.mark.parametrize("end", [won, lost])
def test_team_results_are_delivered_to_webhooks_and_channels(
    harness: WebhookHarness,
    receiver: Receiver,
    discord: StandIn,
    end: Callable[[WebhookHarness, list[str]], Scoring],
) -> None:
    people = [harness.player(name) for name in NAMES]
    hook = harness.subscribe(people[0], receiver.url, ("match.ended", "match.scored"))
    discord.ask("reset")
    harness.subscribe(people[0], discord.hook("700"), ("match.scored",), format="discord")
    result = end(harness, people)
    harness.pass_until_quiet()

    ended, scored = (got.verify(hook.secrets[0].text)["data"] for got in receiver.got)
    assert ended["end_reason"] == scored["end_reason"] == "rules"
    assert scored["result"] == json_codec.json_round_trip(to_builtins(result))
    assert {line["rank"] for line in scored["result"]["lines"]} == {1}

    [embed] = discord.messages("700")[-1]["embeds"]
    words = embed["description"].splitlines()
    reason = GREAT_WALL.words()(f"end_{result.reason}")
    against = [
        f" {line.points} honor against {rival.points} honor of Qin Jiushao."
        for line in result.lines
        for rival in result.rivals
    ]
    at = words.index(f"Game {'won' if result.won else 'lost'}: {reason}.{''.join(against)}")
    place = "1. " if result.won else ""
    assert words[at + 1 :] == [
        *(f"{place}{NAMES[line.seat]}: {points_of(line)}" for line in result.lines),
        *(f"Qin Jiushao: {points_of(rival)}" for rival in result.rivals),
    ]
    assert not [line for line in words if "Game over" in line]
