"""Facts of played matches that differ in all the ways in which matches differ."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from msgspec.structs import replace

from domain.analysis.facts import Facts, SeatFacts, facts_of
from domain.engine.game import Game
from domain.match.decisions import playing
from tests.analysis.matches import PEOPLE, Quick

DAY = 86_400_000
MATCHES = 30


@cache
def various(game: Game[Any]) -> tuple[Facts, ...]:
    """Facts of some matches of a game: players and bots, all numbers of seats, some months."""
    played = [_play_with_resignations(game, seats, seats) for seats in game.seats]
    chance = Random(game.key)
    return tuple(_vary(played[n % len(played)], n, game, chance) for n in range(MATCHES))


def _play_with_resignations(game: Game[Any], seats: int, seed: int) -> Facts:
    """A match of players in which, after some moves, all but one resign."""
    match = Quick(game, " ".join(PEOPLE[:seats]), seed=seed.to_bytes(32, "big"))
    match.by_chance(Random(seed), 4 * seats)
    for player in PEOPLE[1:seats] if match.match.seats_to_move else ():
        match.act(playing.resign(match.match, player, match.now), player)
    match.score()
    found = facts_of(game, match.entries)
    assert found
    return found


def _vary(facts: Facts, number: int, game: Game[Any], chance: Random) -> Facts:
    """The same match with another outcome."""
    ended = facts.ended + chance.randrange(100) * DAY
    winners = chance.sample(range(len(facts.seats)), chance.choice((1, 1, 2)))
    return replace(
        facts,
        match=f"m{number}",
        rules=chance.choice((1, 2)),
        options=_options(facts.options, game, chance),
        started=ended - chance.randrange(1, 90) * 60_000,
        ended=ended,
        end=chance.choice((*game.end_reasons, "resignation")),
        unrated=chance.choice((None, "undo", "length")),
        given=chance.choice((None, None, None, "seed", "position", "fork")),
        undos=chance.randrange(3),
        seats=tuple(
            _seat(one, seat in winners, len(winners), game, chance)
            for seat, one in enumerate(facts.seats)
        ),
    )


def _options(options: dict[str, Any], game: Game[Any], chance: Random) -> dict[str, Any]:
    """Some of the options with another value, in any mode."""
    turned = {
        name: not value if isinstance(value, bool) and chance.random() < 0.5 else value
        for name, value in options.items()
    }
    return (
        {**turned, "mode": chance.choice([*game.seats_by_mode])} if game.seats_by_mode else turned
    )


def _seat(seat: SeatFacts, wins: bool, winners: int, game: Game[Any], chance: Random) -> SeatFacts:
    is_bot = chance.random() < 0.4
    return replace(
        seat,
        player=None if is_bot else f"u{chance.randrange(5):016x}",
        bot=chance.choice(game.levels).key if is_bot else None,
        points=chance.randrange(30),
        place=1 if wins else 2,
        share=1 / winners if wins else 0.0,
        breakdown={name: chance.randrange(-2, 9) for name in seat.breakdown},
        decisions=seat.decisions if chance.random() < 0.7 else 0,
        ms=chance.randrange(600_000),
        undos=chance.choice((0, 0, 2)),
        timed_out=chance.random() < 0.2,
        resigned=chance.random() < 0.2,
        rating=(chance.uniform(5, 45), 8.0) if chance.random() < 0.7 else None,
        first=chance.choice((seat.first, "pass", "")),
    )
