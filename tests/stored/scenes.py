"""Matches with what happens in few: a lesson, a series, an outage, a bot that fails, a player who
keeps their match, one who gives time, players who play again or offer it in vain, who pause and
propose, who stay away, are replaced or ask for reliability, and a move that plays itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from domain.engine.defaults import identity
from domain.engine.game import Json
from domain.games import GAMES
from domain.match import outages
from domain.match.decisions import absence, ending, playing
from domain.match.decisions.bot_failures import replace_bot
from domain.match.decisions.forced_moves import find_forced_move, play_forced_move
from domain.match.log import Draft
from domain.match.outages import Outage
from domain.match.state import Match
from service.matches.commands import SYSTEM, Metadata, execute, open_next
from service.matches.container import Annals
from tests.service.api.conftest import register
from tests.service.api.seated import Table, table

SERIES = {"series": ["bird", "lion"]}
CLOCK = {"per_move_s": 86_400}
OUTAGE_MS, LATER_MS = 45_000, 10 * 86_400_000
ME: Json = {"me": True}
BOT: Json = {"bot": next(iter(GAMES.values())).levels[-1].key}
NUMBERS = count(1)
Decision = Callable[[Match, int], tuple[str, Draft]]
"""Returns who decides, and what."""
Follow = Callable[[Table, str], TestResponse]
"""What a player of a match does with the table at which it is offered again."""


def play_scenes(app: Flask, annals: Annals) -> list[Table]:
    """Matches of the games that have lessons or series, and of the first game. What the service
    decides in them happens LATER_MS after their beginning.
    """
    begun = annals.now()
    annals = replace(annals, now=lambda: begun + LATER_MS)
    return [
        *_series(app, annals),
        *_again(app, annals, lambda first, table: first.players[1].post(f"{first.path}/rematch")),
        *_again(app, annals, lambda first, table: first.players[0].delete(table)),
        _lesson(app),
        _given_time(app),
        _proposals(app),
        _absent(app, annals),
        _replaced(app, annals),
        _reliable(app),
        _forced(app, annals),
        _alone(app, annals, BOT, lambda match, now: (SYSTEM, replace_bot(match, 1))),
        _alone(app, annals, ME, _return_time, clock=CLOCK),
        _alone(
            app, annals, BOT, lambda match, now: (match.host, ending.keep(match, match.host, now))
        ),
    ]


def _series(app: Flask, annals: Annals) -> Iterator[Table]:
    """The first match of a series, which is over, and the second."""
    game = next(key for key, game in GAMES.items() if game.series)
    first = table(app, game, 2, "In a series", options=SERIES)
    first.end(annals)
    open_next(annals, first.path.rpartition("/")[2])
    following = first.players[0].get(first.path).json["next_match"]
    yield from (first, Table(game, first.players, f"/v1/matches/{following}"))


def _again(app: Flask, annals: Annals, follow: Follow) -> Iterator[Table]:
    """A match that a player offers to play again, and the table for that after what follows."""
    first = table(app, next(iter(GAMES)), 2, f"Again {next(NUMBERS)}")
    first.end(annals)
    offered = first.players[0].post(f"{first.path}/rematch")
    path = f"/v1/matches/{offered.json['id']}"
    assert follow(first, path).status_code < 300
    yield from (first, Table(first.game, first.players, path))


def _lesson(app: Flask) -> Table:
    """A lesson that has begun."""
    game = next(game for game in GAMES.values() if game.resources.lessons)
    pupil = register(app, "A pupil")
    begun = pupil.post(f"/v1/games/{game.key}/lessons/{next(iter(game.resources.lessons))}", {})
    return Table(game.key, [pupil], f"/v1/matches/{begun.json['id']}")


def _given_time(app: Flask) -> Table:
    """A match in which a player gives time to the one who thinks."""
    given = table(app, next(iter(GAMES)), 2, "Patient", clock=CLOCK)
    thinks = given.players[0].get(given.path).json["awaiting"][0]["seat"]
    answer = given.players[1 - thinks].post(f"{given.path}/time", {"seat": thinks})
    assert answer.status_code < 300, answer.text
    return given


def _proposals(app: Flask) -> Table:
    """A match that was paused, after a proposal in vain, and in which another one waits."""
    at = table(app, next(iter(GAMES)), 2, "Agreeing", clock=CLOCK)
    first, second = at.players
    for player, vote in (
        (first, {"kind": "end"}), (second, {"kind": "end", "agree": False}),
        (second, {"kind": "pause"}), (first, {"kind": "pause", "agree": True}),
        (first, {"kind": "resume"}), (second, {"kind": "end"}),
    ):  # fmt: skip
        answer = player.post(f"{at.path}/proposal", vote)
        assert answer.status_code < 300, answer.text
    return at


def _replaced(app: Flask, annals: Annals) -> Table:
    """A match in which a new player has the seat of the host, who stayed away."""
    at = table(app, next(iter(GAMES)), 2, "Replaced", patience_days=7)
    execute(annals, at.path.rpartition("/")[2], Metadata(SYSTEM), absence.end_patience)
    [absent] = at.players[0].get(at.path).json["awaiting"]
    other, newcomer = at.players[1 - absent["seat"]], register(app, "A new player")
    voted = other.post(f"{at.path}/proposal", {"kind": "replacement"})
    assert voted.status_code < 300, voted.text
    assert newcomer.post(f"{at.path}/seats").status_code == 201
    return Table(at.game, [other, newcomer], at.path)


def _absent(app: Flask, annals: Annals) -> Table:
    """A match whose patience with a player has ended."""
    at = table(app, next(iter(GAMES)), 2, "Absent", patience_days=7)
    execute(annals, at.path.rpartition("/")[2], Metadata(SYSTEM), absence.end_patience)
    return at


def _reliable(app: Flask) -> Table:
    """A match whose table asked for reliability."""
    return table(app, next(iter(GAMES)), 2, "Reliable", min_reliability=50)


def _forced(app: Flask, annals: Annals) -> Table:
    """A match of a game that hides nothing, in which the service makes the only move."""
    game = next(game for game in GAMES.values() if game.imagine is identity)
    at = table(app, game.key, game.seats[0], "Forced")
    match_id = at.path.rpartition("/")[2]
    while True:
        match = annals.matches.latest(match_id)
        [seat, *_] = match.seats_to_move
        if find_forced_move(match, seat, annals.now()):
            break
        at.play(1)
    mover = Metadata(match.chairs[seat].player or "")
    execute(annals, match_id, mover, lambda match, now: play_forced_move(match, seat, now))
    return at


def _alone(app: Flask, annals: Annals, other: Json, decide: Decision, **plan: Any) -> Table:
    """A match in which a player meets such others, and this happens."""
    game, player = next(iter(GAMES.values())), register(app, f"One {next(NUMBERS)}")
    seats = [ME, *[other] * (game.seats[0] - 1)]
    opened = player.post("/v1/matches", {"game": game.key, "seats": seats, **plan})
    path = f"/v1/matches/{opened.json['id']}"
    actor, draft = decide(annals.matches.latest(path.rpartition("/")[2]), annals.now())
    execute(annals, path.rpartition("/")[2], Metadata(actor), lambda match, now: draft)
    return Table(game.key, [player], path)


def _return_time(match: Match, now: int) -> tuple[str, Draft]:
    lost = Outage(now - OUTAGE_MS, now)
    return SYSTEM, outages.decide(match, playing.time_out, now, [lost])
