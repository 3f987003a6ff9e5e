"""Wars: a tile united two kingdoms with leaders of one colour."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.events.conflicts import WarChosen, WarDecided
from domain.games.tigris_euphrates.events.pieces import UnificationTileRemoved
from domain.games.tigris_euphrates.rules.conflicts.strength import begin_conflict, outcome
from domain.games.tigris_euphrates.state.steps import ChooseWar, Conflict, FindWars
from domain.games.tigris_euphrates.state.table import State, UnitedKingdoms


def find(p: Play[State], step: FindWars) -> None:
    """Begin the next war, ask which, or end them: TE-11.2, TE-11.3, TE-11.10, TE-11.11."""
    united = _united_kingdom(p.state)
    match find_contested(p.state, united):
        case ():
            p.emit(UnificationTileRemoved(united.at, step.rule))
        case (color,):
            _begin(p, step.seat, color)
        case colors:
            p.then(ChooseWar((step.seat,), colors=colors))


def find_contested(state: State, united: UnitedKingdoms) -> tuple[board.Color, ...]:
    """The colours with two leaders in the united kingdom: TE-11.2, TE-11.10."""
    found = [leader % 4 for leader in _leaders(state, united)]
    return tuple(color for number, color in enumerate(board.COLORS) if found.count(number) > 1)


def choices(_state: State, step: ChooseWar, seat: Seat) -> list[moves.ChooseColor]:
    """Each contested colour: TE-11.3."""
    return [moves.ChooseColor(seat, color) for color in step.colors]


def check_choice(_state: State, step: ChooseWar, move: moves.ChooseColor) -> None:
    """Refuse a colour that is not contested: TE-11.3."""
    if move.color not in step.colors:
        color = Sentence(f"color_{move.color}")
        raise RuleBroken("TE-11.3", "color_not_contested", color=color)


def choose(p: Play[State], _step: ChooseWar, move: moves.ChooseColor) -> None:
    """Fight over this colour next: TE-11.3."""
    p.emit(WarChosen(move.seat, move.color))
    _begin(p, move.seat, move.color)


def _begin(p: Play[State], active: Seat, color: board.Color) -> None:
    """Let two leaders fight, and look for wars again: TE-9.2, TE-11.4, TE-11.5, TE-11.11."""
    state, united = p.state, _united_kingdom(p.state)
    rivals = [own for own in _leaders(state, united) if own % 4 == board.COLOR_NUMBER[color]]
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
    p.then(FindWars(seat=active, rule="TE-11.11"))
    begin_conflict(p, conflict, attacking, defending)


def supporters(
    state: State, united: UnitedKingdoms, color: board.Color, at: board.Cell
) -> list[board.Cell]:
    """The tiles of a leader's colour on its side, as far as still connected: TE-11.1, TE-11.5."""
    number, bits, cells = state.board.number, state.board.bits, state.cells
    side = united.sides[0] if at in united.sides[0] else united.sides[1]
    kingdom = state.kingdom_at(number[united.at])
    assert kingdom is not None, "both leaders are connected with the tile"
    tile = board.COLOR_NUMBER[color] + 1
    return [
        name for name in side if cells[number[name]] == tile and kingdom.cells & bits[number[name]]
    ]


def decide(p: Play[State], conflict: Conflict) -> None:
    """Remove the loser's leader and supporters: TE-11.6, TE-11.7, TE-11.8, TE-11.9."""
    end = outcome(p.state, conflict)
    beaten = supporters(p.state, _united_kingdom(p.state), conflict.color, end.beaten_at)
    kept = [name for name in beaten if _stays(p.state, conflict, name, end.beaten_at)]
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


def _stays(state: State, conflict: Conflict, name: board.Cell, beaten_at: board.Cell) -> bool:
    """Whether a temple is kept by a treasure or by another leader beside it: TE-11.8."""
    if conflict.color != board.COLORS[board.RED]:
        return False
    number, cells = state.board.number, state.cells
    cell, beaten = number[name], number[beaten_at]
    if state.treasures & state.board.bits[cell]:
        return True
    around = state.board.neighbours[cell]
    return any(cells[near] >= board.LEADER and near != beaten for near in around)


def _united_kingdom(state: State) -> UnitedKingdoms:
    """The sides of the war; there are always some while wars are looked for or fought."""
    assert state.united is not None
    return state.united


def _leaders(state: State, united: UnitedKingdoms) -> tuple[int, ...]:
    """The leaders connected with the unification tile: TE-11.1, TE-11.10."""
    kingdom = state.kingdom_at(state.board.number[united.at])
    return kingdom.leaders if kingdom else ()
