"""Playing again: a player offers the next match, and the others agree by taking their seats."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from domain.engine.play import Seat
from domain.match.decisions.ending import terms_of
from domain.match.decisions.lobby import Plan
from domain.match.errors import Forbidden, Impossible
from domain.match.log import Draft
from domain.match.social_events import RematchOffered, RematchOpened
from domain.match.state import Chair, Match

T = TypeVar("T")
MAX_OFFERS = 3
"""How often a match can be offered again, so that offers do not fill the log of a match."""
OFFER_MS = 7 * 86_400_000
"""How long the others have to agree."""


class Totals(msgspec.Struct, frozen=True):
    """How many matches in a row the same players and bots have played, and won by seat."""

    played: int
    won: tuple[int, ...]


class AlreadyOffered(Impossible):
    """Another player has just offered to play again."""

    def __init__(self) -> None:
        super().__init__("no_rematch", "Another player offers it already.")


def offer(match: Match, player: str, failed: str | None) -> Draft:
    """Offer to play again; `failed` is the table of the offer before, which was closed."""
    require_player(match, player)
    if match.rematch_by is not None or match.next_match != failed:
        raise AlreadyOffered
    if match.rematches == MAX_OFFERS:
        raise Impossible("no_rematch", f"It was offered {MAX_OFFERS} times.")
    return Draft("RematchOffered", (RematchOffered(player),))


def can_be_offered(match: Match) -> bool:
    """Whether a player of the match can offer to play it again."""
    return match.rematches < MAX_OFFERS and _reason_against(match) is None


def require_player(match: Match, player: str) -> None:
    """Raise Refusal unless the match can be played again, and by this player."""
    if not match.seats_of(player):
        raise Forbidden("not_seated", "You have no seat in this match.")
    if reason := _reason_against(match):
        raise Impossible("no_rematch", reason)


def _reason_against(match: Match) -> str | None:
    """Why a match cannot be played again; None if it can."""
    if match.status != "scored":
        return "The match has no result."
    if match.lesson is not None:
        return "This is a lesson: begin it again."
    if match.series is not None and not (match.series_score and match.series_score.over):
        return "The series has its own next match."
    return None


def plan_rematch(match: Match, first: Match, new: str, now: int) -> Plan:
    """The table at which the players of `match` play again, on seats turned by one, once all of
    them have taken theirs. `first` is the first match of its series; itself without one.
    """
    totals = totals_after(match, first)
    return Plan(
        match=new,
        chairs=_turn(tuple(map(_keep_chair, match.chairs))),
        options=first.options,
        setup=match.setup,
        position=match.position,
        forked_from=match.forked_from,
        rematch=RematchOpened(match.id, totals.played, _turn(totals.won)),
        expires=now + OFFER_MS,
        **terms_of(match),
    )


def totals_of(match: Match) -> Totals | None:
    """The totals up to a match, with it once it is scored; None if it plays no other one again."""
    return totals_after(match, match) if match.rematch_of is not None else None


def totals_after(match: Match, first: Match) -> Totals:
    """The totals from the first match on. A series counts as one, once it is over. A new player
    inherits nothing: the totals begin anew with the match, or series, in which they came.
    """
    winners = _winners(match)
    is_new = match.tenures or first.tenures or _players(match) != _players(first)
    won = () if is_new else first.won_before
    return Totals(
        (0 if is_new else first.played_before) + (winners is not None),
        tuple(
            count + (seat in (winners or ()))
            for seat, count in enumerate(won or (0,) * len(match.chairs))
        ),
    )


def _players(match: Match) -> list[str | None]:
    return [chair.player for chair in match.chairs]


def _winners(match: Match) -> tuple[Seat, ...] | None:
    """The seats that won; None if the match, or its series, has no result."""
    if match.series is not None:
        score = match.series_score
        return score.winners if score and score.over else None
    return match.scoring.winners if match.scoring else None


def _keep_chair(chair: Chair) -> Chair:
    """The chair for the same player, who has yet to agree, or for the same bot."""
    return Chair(invited=chair.player) if chair.player else Chair(bot=chair.bot)


def _turn(by_seat: tuple[T, ...]) -> tuple[T, ...]:
    """What belongs to seats, each one place earlier; what belongs to the first comes last."""
    return by_seat[1:] + by_seat[:1]
