"""A Chinese region becomes full: cards, majority, emperor cards, the map grows."""

from __future__ import annotations

from domain.engine.dice import draw
from domain.engine.play import Play, Seat, Step
from domain.games.chang_cheng.board import (
    BOARDS,
    CHINA,
    CHINA_NUMBER,
    EMPERORS,
    GREAT_ARCHITECT,
    REGIONS,
    BoardName,
)
from domain.games.chang_cheng.events import (
    BoardAdded,
    CardsCancelled,
    CardsRevealed,
    CardUnused,
    EmperorPlaced,
    RegionScored,
    ScoringBegan,
    TilesPlaced,
)
from domain.games.chang_cheng.moves import ExtendWall, ScoreFirst
from domain.games.chang_cheng.rules.effects import great_architect, has_choice
from domain.games.chang_cheng.state import (
    NEUTRAL,
    RUINED,
    Card,
    ChooseOrder,
    Extend,
    Majority,
    NextCard,
    Score,
    State,
    UseCard,
    emperors_left,
    prestige_left,
    threats_left,
)


def scorings(state: State, seat: Seat, cells: tuple[int, ...]) -> tuple[Step, ...]:
    """CC-6.1, CC-6.2, CC-6.6: what must be scored before the action goes on."""
    regions = sorted({state.map.china_of[cell] for cell in cells}, key=state.wall.china.index)
    match [CHINA[region] for region in regions if state.full(region)]:
        case [one, other]:
            return (ChooseOrder((seat,), regions=(one, other)),)
        case [region]:
            return (Score(seat=seat, region=region),)
        case _:
            return ()


def choose_order(p: Play[State], step: ChooseOrder, move: ScoreFirst) -> None:
    """CC-6.2"""
    one, other = step.regions
    second = other if move.region == one else one
    p.then(Score(seat=move.seat, region=move.region), Score(seat=move.seat, region=second))


def score(p: Play[State], step: Score) -> None:
    """CC-6.1, CC-6.3"""
    p.emit(ScoringBegan(step.seat, step.region))
    p.then(NextCard(region=step.region), Majority(seat=step.seat, region=step.region))
    if cards := sorted(p.state.cards_in(step.region), key=lambda card: card.number):
        p.emit(CardsRevealed(step.region, tuple(cards)))
        _cancel(p, step.region)


def next_card(p: Play[State], step: NextCard) -> None:
    """CC-7.1, CC-7.6"""
    assert p.state.tally is not None
    if not p.state.tally.waiting:
        return
    card = p.state.tally.waiting[0]
    p.then(step)
    if card.number == GREAT_ARCHITECT:
        great_architect(p, card)
    elif has_choice(p.state, card):
        p.then(UseCard((card.seat,), region=step.region, number=card.number))
    else:
        p.emit(CardUnused(card, declined=False))


def majority(p: Play[State], step: Majority) -> None:
    """CC-6.4, CC-6.5, CC-11.5"""
    state, region = p.state, CHINA_NUMBER[step.region]
    assert state.tally is not None
    start, end = state.map.china[region]
    standing = state.counts((start, end))
    ruins = sum(colour > RUINED for colour in state.cells[start:end])
    sums = [standing[seat + 1] + state.tally.extra[seat] for seat in range(state.seats)]
    most = max(*sums, standing[NEUTRAL], 1)
    prestige, change = state.prestige[region], state.tally.change
    scored = RegionScored(
        region=step.region,
        size=end - start,
        ruins=ruins,
        prestige=prestige,
        change=change,
        value=max(0, end - start - ruins + prestige + change),
        walls=tuple(standing[1 : state.seats + 1]),
        extra=state.tally.extra,
        neutral=standing[NEUTRAL],
        winners=tuple(seat for seat, count in enumerate(sums) if count == most),
    )
    p.emit(scored)
    _emperor(p, step)


def extend(p: Play[State], move: ExtendWall) -> None:
    """CC-8.2, CC-8.3"""
    row = [BOARDS[board] for board in p.state.wall.row]
    boards = [move.board, *row] if move.side == "left" else [*row, move.board]
    p.emit(BoardAdded(move.seat, move.board, tuple(boards)))
    place_tiles(p, move.board)


def place_tiles(p: Play[State], board: BoardName) -> None:
    """CC-2.2, CC-8.3, CC-9.3"""
    prestige, threats = prestige_left(p.state), threats_left(p.state)
    p.emit(
        TilesPlaced(
            board,
            tuple(draw(p.dice, prestige) for _ in range(REGIONS)),
            tuple(draw(p.dice, threats) for _ in range(REGIONS)),
        )
    )


def _cancel(p: Play[State], region: str) -> None:
    """CC-7.2"""
    assert p.state.tally is not None
    waiting = p.state.tally.waiting
    numbers = [card.number for card in waiting]
    alike: tuple[Card, ...] = tuple(c for c in waiting if numbers.count(c.number) > 1)
    if alike:
        p.emit(CardsCancelled(region, alike))


def _emperor(p: Play[State], step: Majority) -> None:
    """CC-8.1, CC-8.2, CC-8.4"""
    if not emperors_left(p.state):
        return
    p.emit(EmperorPlaced(step.seat, step.region))
    if len(p.state.emperors) == EMPERORS and p.state.extensions:
        p.then(Extend((step.seat,)))
