"""Who has how much honor in the end, and who has won: GW-13.9."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.engine.scoring import Line, Scoring, ranks
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state import counters
from domain.games.great_wall.state.clans import SOURCES, Clan
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.table import EndReason, State


def scoring(state: State) -> Scoring:
    """The score as it stands: GW-13.9, GW-16.12."""
    return scored(state, state.ended)


def scored(state: State, ended: EndReason | None) -> Scoring:
    """The score if it has ended like this: most honor wins, of equals the higher in Tea order.

    GW-13.9, GW-16.12.
    """
    if state.setup.table.mode == "coop":
        return _together(state, ended)
    parts = [breakdown(state, seat) for seat in range(state.seats)]
    totals = [sum(part.values()) for part in parts]
    places = ranks([(total, -state.tea.index(seat)) for seat, total in enumerate(totals)])
    lines = zip(range(state.seats), places, totals, parts, strict=True)
    return Scoring(ended or "", tuple(Line(*line) for line in lines))


def _together(state: State, ended: EndReason | None) -> Scoring:
    """All win by the Requests, or all lose; the honor that each has decides nothing: GW-16.12."""
    won = ended == "requests"
    lines = (
        Line(seat, 1 if won else 2, clan.honor, dict(zip(SOURCES, clan.counted, strict=True)))
        for seat, clan in enumerate(state.clans[: state.seats])
    )
    return Scoring(ended or "", tuple(lines), won)


def breakdown(state: State, seat: Seat) -> dict[str, int]:
    """Where the honor of a seat comes from: GW-13.9, GW-9.9, GW-11.5."""
    clan = state.clans[seat]
    parts: dict[str, int] = dict(zip(SOURCES, clan.counted, strict=True))
    parts["shame"] -= min(clan.honor, board.SHAME_PENALTY * sum(clan.shamed))
    parts["hordes"] += _claimed(clan)
    for artifact in state.artifacts:
        score = decks.ARTIFACTS[artifact].score
        parts[artifact] = counters.value(state, seat, score, NOTHING)
    return parts


def _claimed(clan: Clan) -> int:
    """What claimed Horde cards without Shame are worth: GW-11.5, GW-13.9."""
    return sum(decks.HORDES[claim.card].honor for claim in clan.claimed if not claim.shame)
