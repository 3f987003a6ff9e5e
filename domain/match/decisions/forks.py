"""Forks: unrated matches that start from a version of another match."""

from __future__ import annotations

from msgspec.structs import replace

from domain.engine.codecs import json_codec
from domain.engine.dice import Dice
from domain.engine.errors import GameOver
from domain.engine.game import Json, seats_to_move
from domain.engine.play import Seat
from domain.match.decisions.lobby import Plan
from domain.match.dice import commitment_to
from domain.match.errors import Forbidden, Impossible, InvalidCommand
from domain.match.state import Chair, ForkedFrom, Match
from domain.match.visibility import default_viewer_seat


def plan_fork(source: Match, start: Match, terms: Plan, dice: Dice) -> Plan:
    """The plan of a fork of `source` from one of its versions, on the terms that its host wants.

    What the host cannot know is dealt anew with these dice. Raises Refusal if the host may not fork
    it.
    """
    position = _position(source, start, terms.host, dice)
    if terms.chairs and len(terms.chairs) != len(source.chairs):
        raise InvalidCommand("bad_seats", f"The match has {len(source.chairs)} seats.")
    return replace(
        terms,
        chairs=terms.chairs or _chairs(source, start, terms),
        options=source.options,
        setup=source.setup,
        position=position,
        substitute=terms.substitute or source.substitute,
        visibility="public" if terms.visibility == "public" and is_public(source) else "private",
        forked_from=ForkedFrom(source.id, start.version),
    )


def is_public(source: Match) -> bool:
    """Whether everything that a fork of this match starts with is public."""
    return source.over and source.visibility == "public"


def _position(source: Match, start: Match, player: str, dice: Dice) -> Json:
    """The true position once it is public; before that, one that the player considers possible."""
    if start.state is None:
        raise Impossible("match_not_started", "The match had not started at this version.")
    if not seats_to_move(start.state):
        raise GameOver
    state = start.state
    if not source.over:
        state = source.game.imagine(state, _viewer_seat(source, player), dice)
    written: Json = json_codec.json_round_trip(source.game.write_position(state))
    return written


def _viewer_seat(source: Match, player: str) -> Seat:
    """The seat that a player views a running match from."""
    if not source.seats_of(player):
        raise Forbidden(
            "not_seated", "While hands are secret, only players of the match can fork it."
        )
    seat = default_viewer_seat(source, player)
    if seat is None:
        raise Forbidden(
            "not_your_view",
            "You hold several seats: fork the match while one of them has to decide.",
        )
    return seat


def _chairs(source: Match, start: Match, terms: Plan) -> tuple[Chair, ...]:
    """The host on their seats in the source, or on the seat that decides first; bots on all others,
    with the levels they have in the source.
    """
    own = source.seats_of(terms.host) or seats_to_move(start.state)[:1]
    commitment = commitment_to(terms.nonces) if terms.nonces else None
    return tuple(
        Chair(player=terms.host, commitment=commitment)
        if seat in own
        else Chair(bot=_bot(source, chair))
        for seat, chair in enumerate(source.chairs)
    )


def _bot(source: Match, chair: Chair) -> str:
    """The bot of a seat without a player; else the substitute."""
    return chair.bot if chair.bot and not chair.player else source.substitute
