"""The course of the game: turns, what follows each move, neutral walls."""

from __future__ import annotations

from domain.engine.dice import choose, shuffle
from domain.engine.play import Move, Play, Seat, Step
from domain.games.chang_cheng.board import BOARDS, CELL_NUMBER, CHINA_NUMBER, EVENT_CARDS
from domain.games.chang_cheng.events import (
    BoardsLaid,
    EventCardsOpened,
    FirstPlayerChosen,
    NeutralDeclined,
    TurnBegan,
    TurnSkipped,
)
from domain.games.chang_cheng.moves import (
    BuildDouble,
    BuildNeutral,
    BuildSingle,
    BuildTower,
    DeclineNeutral,
    EndAction,
    ExtendWall,
    LayCard,
    ScoreFirst,
)
from domain.games.chang_cheng.rules.building import (
    build_double,
    build_neutral,
    build_single,
    build_tower,
    lay_card,
)
from domain.games.chang_cheng.rules.effects import use
from domain.games.chang_cheng.rules.invasion import invasion
from domain.games.chang_cheng.rules.judge import other_card_possible
from domain.games.chang_cheng.rules.open_cells import can_act, neutral_cells, open_cells
from domain.games.chang_cheng.rules.scoring_regions import (
    choose_order,
    extend,
    majority,
    next_card,
    place_tiles,
    score,
)
from domain.games.chang_cheng.state import (
    AfterCard,
    ChooseOrder,
    FirstTurn,
    ForcedNeutral,
    Majority,
    Neutral,
    NextCard,
    NextTurn,
    OfferNeutral,
    Score,
    Second,
    SecondSingle,
    State,
    Turn,
    region_name,
)

AT_START = 2
"""So many boards lie in play at first; CC-2.1."""


def begin(p: Play[State]) -> None:
    """CC-2.1, CC-2.2, CC-2.4, CC-2.5"""
    setup = p.state.setup
    boards, first = setup.boards, setup.first_player
    if not boards:
        order = list(BOARDS)
        shuffle(p.dice, order)
        boards = tuple(order[:AT_START])
    p.emit(BoardsLaid(boards))
    for board in boards:
        place_tiles(p, board)
    if setup.random_events:
        cards = list(EVENT_CARDS)
        shuffle(p.dice, cards)
        p.emit(EventCardsOpened(tuple(sorted(cards[: setup.random_events]))))
    first = choose(p.dice, range(p.state.seats)) if first is None else first
    p.emit(FirstPlayerChosen(first))
    p.emit(TurnBegan(first))
    p.then(FirstTurn((first,)), NextTurn(seat=first, opening=p.state.seats - 1))


def play(p: Play[State], step: Step, move: Move) -> None:
    """CC-3.1: carry out a move in answer to a step."""
    match move:
        case BuildSingle():
            _single(p, step, move)
        case LayCard():
            _card(p, step, move)
        case BuildDouble() | BuildTower():
            _great_piece(p, move)
        case EndAction():
            assert isinstance(step, AfterCard)
            _then_neutral(p, move.seat, (step.region,), inside=True)
        case BuildNeutral():
            build_neutral(p, move)
        case _:
            _answer(p, step, move)


def _answer(p: Play[State], step: Step, move: Move) -> None:
    """CC-6.2, CC-7.1, CC-8.2, CC-11.2"""
    match move:
        case DeclineNeutral():
            p.emit(NeutralDeclined(move.seat))
        case ScoreFirst():
            assert isinstance(step, ChooseOrder)
            choose_order(p, step, move)
        case ExtendWall():
            extend(p, move)
        case _:
            assert p.state.tally is not None
            use(p, p.state.tally.waiting[0], move)


def proceed(p: Play[State], step: Step) -> None:
    """CC-3.1: carry out a step that needs nobody."""
    match step:
        case Second():
            _second(p, step)
        case Neutral():
            _offer(p, step)
        case Score():
            score(p, step)
        case NextCard():
            next_card(p, step)
        case Majority():
            majority(p, step)
        case NextTurn():
            _next_turn(p, step)
        case _:
            raise AssertionError(step)


def _single(p: Play[State], step: Step, move: BuildSingle) -> None:
    """CC-3.2, CC-4.1, CC-4.3"""
    region = region_name(p.state, CELL_NUMBER[move.cell])
    match step:
        case Turn():
            p.then(Second(seat=move.seat, region=region))
        case SecondSingle():
            _then_neutral(p, move.seat, (step.region, region), inside=True)
        case AfterCard():
            _then_neutral(p, move.seat, (region,), inside=False)
        case _:
            pass
    build_single(p, move)


def _card(p: Play[State], step: Step, move: LayCard) -> None:
    """CC-4.2, CC-4.3"""
    lay_card(p, move)
    if isinstance(step, AfterCard):
        _then_neutral(p, move.seat, (step.region, move.region), inside=True)
    elif _card_or_wall_possible(p.state, move):
        p.then(AfterCard((move.seat,), region=move.region))
    else:
        _then_neutral(p, move.seat, (move.region,), inside=True)


def _great_piece(p: Play[State], move: BuildDouble | BuildTower) -> None:
    """CC-4.4, CC-4.5, CC-11.3"""
    cells = move.cells if isinstance(move, BuildDouble) else (move.cell,)
    regions = tuple(dict.fromkeys(region_name(p.state, CELL_NUMBER[cell]) for cell in cells))
    _then_neutral(p, move.seat, regions, inside=False)
    if isinstance(move, BuildDouble):
        build_double(p, move)
    else:
        build_tower(p, move)


def _second(p: Play[State], step: Second) -> None:
    """CC-4.1, CC-4.6"""
    outside = CHINA_NUMBER[step.region]
    cells = open_cells(p.state, step.seat + 1) if p.state.singles[step.seat + 1] else []
    if any(p.state.map.china_of[cell] != outside for cell in cells):
        p.then(SecondSingle((step.seat,), region=step.region))
    else:
        _then_neutral(p, step.seat, (step.region,), inside=True)


def _card_or_wall_possible(state: State, move: LayCard) -> bool:
    """CC-4.2, CC-4.3"""
    region = CHINA_NUMBER[move.region]
    if other_card_possible(state, move.seat, region):
        return True
    cells = open_cells(state, move.seat + 1) if state.singles[move.seat + 1] else []
    return any(state.map.china_of[cell] == region for cell in cells)


def _then_neutral(p: Play[State], seat: Seat, regions: tuple[str, ...], inside: bool) -> None:
    """CC-11.1, CC-11.2"""
    if p.state.setup.neutral:
        p.then(Neutral(seat=seat, regions=regions, inside=inside))


def _offer(p: Play[State], step: Neutral) -> None:
    """CC-11.3"""
    regions = tuple(CHINA_NUMBER[region] for region in step.regions)
    if neutral_cells(p.state, regions, step.inside):
        p.then(OfferNeutral((step.seat,), regions=step.regions, inside=step.inside))


def _next_turn(p: Play[State], step: NextTurn) -> None:
    """CC-3.1, CC-3.2, CC-4.7, CC-10.1, CC-11.6"""
    state = p.state
    if state.complete():
        invasion(p)
        return
    seat = (step.seat + 1) % state.seats
    p.then(NextTurn(seat=seat, opening=max(0, step.opening - 1)))
    if step.opening:
        _begin_turn(p, seat, FirstTurn((seat,)))
    elif can_act(state, seat):
        _begin_turn(p, seat, Turn((seat,)))
    elif neutral_cells(state, (), inside=False):
        _begin_turn(p, seat, ForcedNeutral((seat,)))
    else:
        p.emit(TurnSkipped(seat))


def _begin_turn(p: Play[State], seat: Seat, turn: Step) -> None:
    """CC-3.1"""
    p.emit(TurnBegan(seat))
    p.then(turn)
