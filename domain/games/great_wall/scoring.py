"""Who has how much honor in the end, and who has won: GW-13.9, GW-14.14."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.engine.scoring import Line, Rival, Scoring, ranks
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import QIN
from domain.games.great_wall.state import counters
from domain.games.great_wall.state.clans import OF_QIN, SOURCES, Clan, Source
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.table import EndReason, State

FOR_QIN: tuple[Source, ...] = (*OF_QIN, "participation", "walls", "barricades", "command_cards")
"""Where the honor of Qin Jiushao comes from: GW-14.7 to GW-14.10, GW-14.15, GW-18.9."""


def scoring(state: State) -> Scoring:
    """The score as it stands: GW-13.9, GW-14.14, GW-16.12."""
    return scored(state, state.ended)


def scored(state: State, ended: EndReason | None) -> Scoring:
    """The score if it has ended like this: most honor wins, of equals the higher in Tea order.

    GW-13.9, GW-14.14, GW-16.12.
    """
    if state.setup.table.mode == "coop":
        return _together(state, ended)
    parts = [breakdown(state, seat) for seat in range(state.seats)]
    totals = [sum(part.values()) for part in parts]
    if state.qin is not None:
        return _against_qin(state, state.qin, ended, parts[0])
    places = ranks([(total, -state.tea.index(seat)) for seat, total in enumerate(totals)])
    lines = zip(range(state.seats), places, totals, parts, strict=True)
    return Scoring(ended or "", tuple(Line(*line) for line in lines))


def _together(state: State, ended: EndReason | None) -> Scoring:
    """All win by the Requests, or all lose; the honor that each has decides nothing: GW-16.12."""
    won = ended == "requests"
    lines = (
        Line(seat, 1 if won else 2, clan.honor, _counted(clan))
        for seat, clan in enumerate(state.clans[: state.seats])
    )
    return Scoring(ended or "", tuple(lines), won)


def _against_qin(state: State, qin: int, ended: EndReason | None, parts: dict[str, int]) -> Scoring:
    """The human wins with more honor than Qin, unless no Shame is left: GW-14.14."""
    of_qin = _of_qin(state, qin)
    rival = Rival("qin", sum(of_qin.values()), of_qin)
    points = sum(parts.values())
    won = ended not in (None, "shame") and points > rival.points
    line = Line(0, 1 if won else 2, points, parts)
    return Scoring(ended or "", (line,), won, (rival,))


def breakdown(state: State, seat: Seat) -> dict[str, int]:
    """Where the honor of a seat comes from: GW-13.9, GW-9.9, GW-11.5."""
    clan = state.clans[seat]
    parts = _counted(clan)
    parts["shame"] -= min(clan.honor, board.SHAME_PENALTY * sum(clan.shamed))
    parts["hordes"] += _claimed(clan)
    for artifact in state.artifacts:
        score = decks.ARTIFACTS[artifact].score
        parts[artifact] = counters.value(state, seat, score, NOTHING)
    return parts


def _counted(clan: Clan) -> dict[str, int]:
    """By source, the honor that a clan of a player has got."""
    counted = zip(SOURCES, clan.counted, strict=False)
    return {source: honor for source, honor in counted if source not in OF_QIN}


def _claimed(clan: Clan) -> int:
    """What claimed Horde cards without Shame are worth: GW-11.5, GW-13.9."""
    return sum(decks.HORDES[claim.card].honor for claim in clan.claimed if not claim.shame)


def _of_qin(state: State, qin: int) -> dict[str, int]:
    """Where the honor of Qin Jiushao comes from, with what his card brings: GW-14.14."""
    clan = state.clans[qin]
    parts: dict[str, int] = {name: clan.counted[SOURCES.index(name)] for name in FOR_QIN}
    parts["hordes"] = _claimed(clan)
    parts.update(dict.fromkeys(state.artifacts, QIN.honor_per_artifact))
    gains = (counters.value(state, qin, op.honor) for op in QIN.ability.do)
    parts["advisors"] = sum(gains)
    return parts
