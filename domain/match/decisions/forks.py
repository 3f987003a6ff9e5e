"""Forks: unrated matches that begin at a moment of another one."""

from __future__ import annotations

from msgspec.structs import replace

from domain.engine.codecs import json_codec
from domain.engine.dice import Dice
from domain.engine.errors import GameOver
from domain.engine.game import Json, awaited
from domain.engine.play import Seat
from domain.match.decisions.lobby import Plan
from domain.match.dice import commitment_to
from domain.match.errors import Forbidden, Impossible, Malformed
from domain.match.state import Chair, ForkedFrom, Match
from domain.match.visibility import viewing_seat


def planned(source: Match, moment: Match, wanted: Plan, dice: Dice) -> Plan:
    """The plan of a fork of the source, as it is now, at a moment of it, on terms that its host
    wants; Refused if they may not have it. What they cannot know is dealt anew by these dice.
    """
    position = _position(source, moment, wanted.host, dice)
    if wanted.chairs and len(wanted.chairs) != len(source.chairs):
        raise Malformed("bad_seats", f"The match has {len(source.chairs)} seats.")
    return replace(
        wanted,
        chairs=wanted.chairs or _chairs(source, moment, wanted),
        options=source.options,
        setup=source.setup,
        position=position,
        substitute=wanted.substitute or source.substitute,
        visibility="public" if wanted.visibility == "public" and open_to_all(source) else "private",
        forked_from=ForkedFrom(source.id, moment.version),
    )


def open_to_all(source: Match) -> bool:
    """Whether everybody may know what a fork of this match, as it is now, begins with."""
    return source.over and source.visibility == "public"


def _position(source: Match, moment: Match, player: str, dice: Dice) -> Json:
    """The true position once all may know it; before, one that the player cannot tell from it."""
    if moment.state is None:
        raise Impossible("match_not_started", "The match had not begun at this version.")
    if not awaited(moment.state):
        raise GameOver
    state = moment.state
    if not source.over:
        state = source.game.imagine(state, _eyes(source, player), dice)
    written: Json = json_codec.as_read_back(source.game.write_position(state))
    return written


def _eyes(source: Match, player: str) -> Seat:
    """The seat as which a player sees a match that is not over."""
    if not source.seats_of(player):
        raise Forbidden(
            "not_seated", "As long as its hands are secret, only who sits at a match forks it."
        )
    seat = viewing_seat(source, player)
    if seat is None:
        raise Forbidden(
            "not_your_eyes", "With several seats you fork a match while one of them decides."
        )
    return seat


def _chairs(source: Match, moment: Match, wanted: Plan) -> tuple[Chair, ...]:
    """The host on their seats of the source, or else on the one that decides first; bots on all
    others, those of the source again.
    """
    own = source.seats_of(wanted.host) or awaited(moment.state)[:1]
    commitment = commitment_to(wanted.nonces) if wanted.nonces else None
    return tuple(
        Chair(player=wanted.host, commitment=commitment)
        if seat in own
        else Chair(bot=_bot(source, chair))
        for seat, chair in enumerate(source.chairs)
    )


def _bot(source: Match, chair: Chair) -> str:
    """The bot of a seat that never had a player, else the one that would step in."""
    return chair.bot if chair.bot and not chair.player else source.substitute
