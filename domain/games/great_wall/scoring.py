"""The honor of each clan at the end, and who won: GW-13.9, GW-14.14."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.engine.scoring import Rival, ScoreLine, ScoreParts, Scoring, ranks
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import QIN
from domain.games.great_wall.state import counters
from domain.games.great_wall.state.clans import OF_QIN, SOURCES, Clan, Source
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.table import EndReason, State

FOR_QIN: tuple[Source, ...] = (*OF_QIN, "participation", "walls", "barricades", "command_cards")
"""The sources of the honor of Qin Jiushao: GW-14.7 to GW-14.10, GW-14.15, GW-18.9."""

PARTS = ScoreParts(counted="some_honor", heading="heading_honor", tie_break="tea_order")


def scoring(state: State) -> Scoring:
    """The current score: GW-13.9, GW-14.14, GW-16.12."""
    return score_at_end(state, state.ended)


def score_at_end(state: State, ended: EndReason | None) -> Scoring:
    """The score for this end: most honor wins, in a tie the higher in Tea order.

    GW-13.9, GW-14.14, GW-16.12.
    """
    if state.setup.table.mode == "coop":
        return _score_together(state, ended)
    parts = [breakdown(state, seat) for seat in range(state.seats)]
    totals = [sum(part.values()) for part in parts]
    if state.qin is not None:
        return _score_against_qin(state, state.qin, ended, parts[0])
    places = ranks([(total, -state.tea.index(seat)) for seat, total in enumerate(totals)])
    lines = zip(range(state.seats), places, totals, parts, strict=True)
    return Scoring(ended or "", tuple(ScoreLine(*line) for line in lines))


def _score_together(state: State, ended: EndReason | None) -> Scoring:
    """All win by the Requests, or all lose; honor decides nothing: GW-16.12."""
    won = ended == "requests"
    lines = (
        ScoreLine(seat, 1, clan.honor, _honor_by_source(clan))
        for seat, clan in enumerate(state.clans[: state.seats])
    )
    return Scoring(ended or "", tuple(lines), won)


def _score_against_qin(
    state: State, qin: int, ended: EndReason | None, parts: dict[str, int]
) -> Scoring:
    """The human wins with more honor than Qin, unless no Shame is left: GW-14.14."""
    of_qin = _of_qin(state, qin)
    rival = Rival("qin", sum(of_qin.values()), of_qin)
    points = sum(parts.values())
    won = ended not in (None, "shame") and points > rival.points
    line = ScoreLine(0, 1, points, parts)
    return Scoring(ended or "", (line,), won, (rival,))


def breakdown(state: State, seat: Seat) -> dict[str, int]:
    """By source, the honor of a seat: GW-13.9, GW-9.9, GW-11.5."""
    clan = state.clans[seat]
    parts = _honor_by_source(clan)
    parts["shame"] -= min(clan.honor, board.SHAME_PENALTY * sum(clan.shamed))
    parts["hordes"] += _honor_of_claims(clan)
    for artifact in state.artifacts:
        score = decks.ARTIFACTS[artifact].score
        parts[artifact] = counters.value(state, seat, score, NOTHING)
    return parts


def _honor_by_source(clan: Clan) -> dict[str, int]:
    """By source, the honor that a player's clan got during the game."""
    counted = zip(SOURCES, clan.counted, strict=False)
    return {source: honor for source, honor in counted if source not in OF_QIN}


def _honor_of_claims(clan: Clan) -> int:
    """The honor of claimed Horde cards without Shame: GW-11.5, GW-13.9."""
    return sum(decks.HORDES[claim.card].honor for claim in clan.claimed if not claim.shame)


def _of_qin(state: State, qin: int) -> dict[str, int]:
    """By source, the honor of Qin Jiushao, including what his card brings: GW-14.14."""
    clan = state.clans[qin]
    parts: dict[str, int] = {name: clan.counted[SOURCES.index(name)] for name in FOR_QIN}
    parts["hordes"] = _honor_of_claims(clan)
    parts.update(dict.fromkeys(state.artifacts, QIN.honor_per_artifact))
    gains = (counters.value(state, qin, op.honor) for op in QIN.ability.do)
    parts["advisors"] = sum(gains)
    return parts
