"""Wars: a tile has united two kingdoms that have leaders of one colour."""

from __future__ import annotations

from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates.board import COLOR_NUMBER, COLORS, LEADER, RED, Cell, Color
from domain.games.tigris_euphrates.events import UnificationTileRemoved, WarChosen, WarDecided
from domain.games.tigris_euphrates.moves import ChooseColor
from domain.games.tigris_euphrates.rules.conflicts import begin_conflict, outcome
from domain.games.tigris_euphrates.state import ChooseWar, Conflict, FindWars, State, United


def find_wars(p: Play[State], seat: Seat) -> None:
    """TE-11.2, TE-11.3, TE-11.10, TE-11.11"""
    united = _united(p.state)
    match contested(p.state, united):
        case ():
            p.emit(UnificationTileRemoved(united.at))
        case (color,):
            begin_war(p, seat, color)
        case colors:
            p.then(ChooseWar((seat,), colors=colors))


def contested(state: State, united: United) -> tuple[Color, ...]:
    """TE-11.2, TE-11.10"""
    leaders = _leaders(state, united)
    found = [leader % 4 for leader in leaders]
    return tuple(color for number, color in enumerate(COLORS) if found.count(number) > 1)


def choose_war(p: Play[State], move: ChooseColor) -> None:
    """TE-11.3"""
    p.emit(WarChosen(move.seat, move.color))
    begin_war(p, move.seat, move.color)


def begin_war(p: Play[State], active: Seat, color: Color) -> None:
    """TE-11.4, TE-11.5, TE-9.2"""
    state, united = p.state, _united(p.state)
    rivals = [own for own in _leaders(state, united) if own % 4 == COLOR_NUMBER[color]]
    order = state.turn_order(active)
    attacker, defender = sorted(rivals, key=lambda leader: order.index(leader // 4))
    names = state.board.names
    at, rival_at = names[state.leaders[attacker]], names[state.leaders[defender]]
    attacking = supporters(state, united, color, at)
    defending = supporters(state, united, color, rival_at)
    conflict = Conflict(
        kind="war",
        color=color,
        attacker=attacker // 4,
        defender=defender // 4,
        attacker_at=at,
        defender_at=rival_at,
        attacker_board=len(attacking),
        defender_board=len(defending),
    )
    p.then(FindWars(seat=active))
    begin_conflict(p, conflict, attacking, defending)


def supporters(state: State, united: United, color: Color, at: Cell) -> list[Cell]:
    """TE-11.1, TE-11.5"""
    number, of, cells = state.board.number, state.regions().of, state.cells
    side = united.sides[0] if at in united.sides[0] else united.sides[1]
    middle, tile = of[number[united.at]], COLOR_NUMBER[color] + 1
    return [name for name in side if cells[number[name]] == tile and of[number[name]] == middle]


def decide_war(p: Play[State], conflict: Conflict) -> None:
    """TE-11.6, TE-11.7, TE-11.8, TE-11.9"""
    end = outcome(p.state, conflict)
    beaten = supporters(p.state, _united(p.state), conflict.color, end.beaten_at)
    kept = [name for name in beaten if stays(p.state, conflict, name, end.beaten_at)]
    removed = [name for name in beaten if name not in kept]
    p.emit(
        WarDecided(
            color=conflict.color,
            winner=end.winner,
            loser=end.loser,
            attacker=conflict.attacker,
            attacker_total=end.attacker_total,
            defender_total=end.defender_total,
            returned=end.beaten_at,
            removed=tuple(removed),
            kept=tuple(kept),
            points=1 + len(removed),
        )
    )


def stays(state: State, conflict: Conflict, name: Cell, beaten_at: Cell) -> bool:
    """TE-11.8"""
    if conflict.color != COLORS[RED]:
        return False
    number, cells = state.board.number, state.cells
    cell, beaten = number[name], number[beaten_at]
    if state.treasures[cell]:
        return True
    return any(cells[near] >= LEADER and near != beaten for near in state.board.neighbours[cell])


def _united(state: State) -> United:
    assert state.united is not None
    return state.united


def _leaders(state: State, united: United) -> list[int]:
    """TE-11.1"""
    regions = state.regions()
    return regions.kingdoms.get(regions.of[state.board.number[united.at]], [])
