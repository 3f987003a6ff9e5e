"""A full Chinese region: which one scores first, its value, and who gets it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.games.chang_cheng.board import CHINA, CHINA_NUMBER
from domain.games.chang_cheng.events.cards import RegionScored, ScoringBegan
from domain.games.chang_cheng.moves import ScoreFirst
from domain.games.chang_cheng.places import place_names
from domain.games.chang_cheng.rules import cards, emperor
from domain.games.chang_cheng.state.steps import ChooseOrder, Majority, NextCard, Score
from domain.games.chang_cheng.state.table import NEUTRAL, RUINED, State


def scorings(state: State, seat: Seat, cells: tuple[int, ...]) -> tuple[Step, ...]:
    """Plan the scoring of what these cells made full, before the action goes on: CC-6.1, CC-6.6."""
    full = [region for region in {state.map.china_of[cell] for cell in cells} if state.full(region)]
    match [CHINA[region] for region in sorted(full, key=state.wall.china.index)]:
        case [one, other]:
            return (ChooseOrder((seat,), regions=(one, other)),)
        case [region]:
            return (Score(seat=seat, region=region),)
        case _:
            return ()


def orders(_state: State, step: ChooseOrder, seat: Seat) -> Iterator[ScoreFirst]:
    """Each of the two regions first: CC-6.2."""
    return (ScoreFirst(seat, region) for region in step.regions)


def check_order(_state: State, step: ChooseOrder, move: ScoreFirst) -> None:
    """Refuse a region that has not become full now: CC-6.2."""
    if move.region not in step.regions:
        raise RuleBroken("CC-6.2", "not_full_now", regions=place_names(*step.regions))


def choose_order(p: Play[State], step: ChooseOrder, move: ScoreFirst) -> None:
    """Score this region, and the other one once all of that is over: CC-6.2."""
    one, other = step.regions
    last = other if move.region == one else one
    p.then(Score(seat=move.seat, region=move.region), Score(seat=move.seat, region=last))


def score(p: Play[State], step: Score) -> None:
    """Turn up the cards, of which equal ones go; then use the others and count: CC-6.1, CC-6.3."""
    p.emit(ScoringBegan(step.seat, step.region))
    p.then(NextCard(region=step.region), Majority(seat=step.seat, region=step.region))
    cards.turn_up(p, step.region)


def majority(p: Play[State], step: Majority) -> None:
    """Pay the value to the seats with most walls, and place an emperor card: CC-6.5, CC-6.4."""
    state, region = p.state, CHINA_NUMBER[step.region]
    assert state.tally is not None
    start, end = state.map.china[region]
    standing = state.counts((start, end))
    walls, extra = tuple(standing[1 : state.seats + 1]), state.tally.extra
    strength = [wall + more for wall, more in zip(walls, extra, strict=True)]
    scored = RegionScored(
        region=step.region,
        size=end - start,
        ruins=_ruins(state, region),
        prestige=state.prestige[region],
        change=state.tally.change,
        value=max(0, plain_value(state, region) + state.tally.change),
        walls=walls,
        extra=extra,
        neutral=standing[NEUTRAL],
        winners=ahead(strength, standing[NEUTRAL]),
    )
    p.emit(scored)
    emperor.place(p, step.seat, step.region)


def plain_value(state: State, region: int) -> int:
    """Count what a region is worth unless cards change it: CC-6.4."""
    start, end = state.map.china[region]
    return end - start - _ruins(state, region) + state.prestige[region]


def ahead(walls: Sequence[float], neutral: float) -> tuple[Seat, ...]:
    """Find the seats with the most walls, and at least one, neutral ones considered: CC-11.5.

    The same holds in a Chinese region, CC-6.5, in a Mongol one, CC-10.2, and for event cards.
    """
    most = max(*walls, neutral, 1)
    return tuple(seat for seat, count in enumerate(walls) if count == most)


def _ruins(state: State, region: int) -> int:
    return sum(colour > RUINED for colour in state.cells[slice(*state.map.china[region])])
