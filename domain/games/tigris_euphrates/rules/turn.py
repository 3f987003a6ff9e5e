"""The course of the game: setting up, a turn, its end, the end of the game."""

from __future__ import annotations

from domain.engine.dice import draw
from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates.board import (
    ACTIONS,
    COLORS,
    HAND_SIZE,
    LAST_TREASURES,
    MONUMENT_COLORS,
    MONUMENTS,
    OFF,
)
from domain.games.tigris_euphrates.events import (
    ActionPassed,
    BagRanOut,
    GameEnded,
    MonumentScored,
    StartPlayerChosen,
    TileDiscarded,
    TilesDrawn,
    TurnEnded,
)
from domain.games.tigris_euphrates.moves import (
    AnyMove,
    BuildMonument,
    ChooseColor,
    CommitTiles,
    DeclineMonument,
    DiscardTile,
    DrawTiles,
    LeaveTreasure,
    Pass,
    PlaceCatastrophe,
    PlaceLeader,
    PlaceTile,
    WithdrawLeader,
)
from domain.games.tigris_euphrates.rules.actions import (
    place_catastrophe,
    place_leader,
    place_tile,
    withdraw_leader,
)
from domain.games.tigris_euphrates.rules.conflicts import commit
from domain.games.tigris_euphrates.rules.monuments import build, decline, find_squares
from domain.games.tigris_euphrates.rules.revolts import decide_revolt
from domain.games.tigris_euphrates.rules.treasures import leave_treasure, serve_traders
from domain.games.tigris_euphrates.rules.wars import choose_war, decide_war, find_wars
from domain.games.tigris_euphrates.scoring import winners, with_treasures
from domain.games.tigris_euphrates.state import (
    AnyStep,
    Conflict,
    EndReason,
    EndTurn,
    FindSquares,
    FindWars,
    OfferMonument,
    Reinforce,
    Resolve,
    ServeTraders,
    State,
    Swap,
    Turn,
)


def begin(p: Play[State]) -> None:
    """TE-2.2, TE-2.4, TE-2.6"""
    first = p.state.setup.first_player
    if first is None:
        first = p.dice.below(len(p.state.hands))
    p.emit(StartPlayerChosen(first))
    for seat in p.state.turn_order(first):
        draw_tiles(p, seat, HAND_SIZE)
    begin_turn(p, first)


def begin_turn(p: Play[State], seat: Seat) -> None:
    """TE-3.1, TE-3.4"""
    p.then(Turn((seat,), left=ACTIONS), EndTurn(seat=seat))


def play(p: Play[State], step: AnyStep, move: AnyMove) -> None:
    """TE-3.1, TE-3.3"""
    match step, move:
        case Turn(left=left), _:
            if left > 1:
                p.then(Turn((move.seat,), left=left - 1))
            act(p, move)
        case Swap(discarded=discarded), DiscardTile():
            discard(p, move, discarded)
        case Swap(discarded=discarded), DrawTiles():
            end_swap(p, move.seat, discarded)
        case _:
            answer(p, step, move)


def answer(p: Play[State], step: AnyStep, move: AnyMove) -> None:
    """TE-3.3: what was asked in the middle of an action."""
    match step, move:
        case Reinforce(conflict=conflict), CommitTiles():
            commit(p, conflict, move)
        case _, ChooseColor():
            choose_war(p, move)
        case OfferMonument(), BuildMonument():
            build(p, step, move)
        case _, DeclineMonument():
            decline(p, move)
        case _, LeaveTreasure():
            leave_treasure(p, move)
        case _:
            raise AssertionError(step, move)


def act(p: Play[State], move: AnyMove) -> None:
    """TE-3.1, TE-3.2, TE-3.3"""
    match move:
        case PlaceTile():
            place_tile(p, move)
        case PlaceLeader():
            place_leader(p, move)
        case WithdrawLeader():
            withdraw_leader(p, move)
        case PlaceCatastrophe():
            place_catastrophe(p, move)
        case DiscardTile():
            discard(p, move, 0)
        case Pass():
            p.emit(ActionPassed(move.seat))
            p.then(ServeTraders(seat=move.seat))
        case _:
            raise AssertionError(move)


def proceed(p: Play[State], step: AnyStep) -> None:
    """TE-3.3, TE-3.4"""
    match step:
        case Resolve():
            resolve(p, step.conflict)
        case FindWars():
            find_wars(p, step.seat)
        case FindSquares():
            find_squares(p, step)
        case ServeTraders():
            serve_traders(p, step.seat)
        case EndTurn():
            end_turn(p, step.seat)
        case _:
            raise AssertionError(step)


def resolve(p: Play[State], conflict: Conflict) -> None:
    """TE-9.2, TE-9.4"""
    if conflict.kind == "revolt":
        decide_revolt(p, conflict)
    else:
        decide_war(p, conflict)


def discard(p: Play[State], move: DiscardTile, before: int) -> None:
    """TE-8.1, TE-16.4"""
    p.emit(TileDiscarded(move.seat, move.color))
    if any(p.state.hands[move.seat]):
        p.then(Swap((move.seat,), discarded=before + 1))
    else:
        end_swap(p, move.seat, before + 1)


def end_swap(p: Play[State], seat: Seat, discarded: int) -> None:
    """TE-8.1, TE-8.2, TE-8.3"""
    draw_tiles(p, seat, discarded)
    p.then(ServeTraders(seat=seat))


def draw_tiles(p: Play[State], seat: Seat, wanted: int) -> None:
    """TE-2.2, TE-8.3, TE-15.1, TE-16.3"""
    bag = p.state.bag[:]
    count = min(wanted, sum(bag))
    if count:
        p.emit(TilesDrawn(seat, tuple(COLORS[draw(p.dice, bag)] for _ in range(count))))
    if count < wanted:
        p.emit(BagRanOut(seat, wanted - count))


def end_turn(p: Play[State], seat: Seat) -> None:
    """TE-3.4, TE-14.2, TE-14.3, TE-15.1, TE-15.2"""
    score_monuments(p, seat)
    for drawing in p.state.turn_order(seat):
        draw_tiles(p, drawing, HAND_SIZE - sum(p.state.hands[drawing]))
    p.emit(TurnEnded(seat))
    if sum(p.state.treasures) <= LAST_TREASURES:
        end_game(p, "treasures")
    elif p.state.short:
        end_game(p, "bag")
    else:
        begin_turn(p, p.state.turn_order(seat)[1])


def score_monuments(p: Play[State], seat: Seat) -> None:
    """TE-12.5, TE-14.1"""
    regions, cells = p.state.regions(), p.state.leaders
    for monument, at in enumerate(p.state.monuments):
        if at == OFF:
            continue
        for color in MONUMENT_COLORS[monument]:
            home = cells[4 * seat + color]
            if home != OFF and regions.of[home] == regions.of[at]:
                p.emit(MonumentScored(seat, MONUMENTS[monument], COLORS[color]))


def end_game(p: Play[State], reason: EndReason) -> None:
    """TE-15.2, TE-15.3, TE-15.4"""
    seats = range(len(p.state.hands))
    totals = tuple(tuple(with_treasures(p.state, seat)) for seat in seats)
    p.emit(GameEnded(reason, winners(p.state), totals))
