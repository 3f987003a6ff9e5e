"""Which moves are allowed now."""

from __future__ import annotations

from typing import NoReturn

from domain.engine.errors import RuleBroken
from domain.games.tigris_euphrates.board import COLOR_NUMBER
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
from domain.games.tigris_euphrates.rules.monuments import check_monument
from domain.games.tigris_euphrates.rules.placing import (
    check_catastrophe,
    check_discard,
    check_leader,
    check_tile,
    check_withdrawal,
)
from domain.games.tigris_euphrates.state import (
    AnyStep,
    ChooseTreasure,
    ChooseWar,
    Conflict,
    OfferMonument,
    Reinforce,
    State,
    Swap,
    Turn,
)


def check(state: State, move: AnyMove) -> None:
    """TE-3.1, TE-5.8, TE-11.3, TE-13.2"""
    match state.agenda[-1], move:
        case Turn(), _:
            _check_action(state, move)
        case Swap(), DiscardTile():
            check_discard(state, move)
        case Reinforce(), CommitTiles():
            _check_support(state, move)
        case ChooseWar(colors=colors), ChooseColor() if move.color not in colors:
            _broken("TE-11.3", "color_not_contested", f"Nobody is at odds over {move.color}.")
        case OfferMonument() as offer, BuildMonument():
            check_monument(state, offer, move)
        case ChooseTreasure(choices=choices), LeaveTreasure() if move.at not in choices:
            reason = f"One of these treasures must be left: {', '.join(choices)}."
            _broken("TE-13.2", "not_a_choice", reason)
        case step, _:
            _check_answer(step, move)


def _check_action(state: State, move: AnyMove) -> None:
    """TE-3.1, TE-3.2"""
    match move:
        case PlaceTile():
            check_tile(state, move)
        case PlaceLeader():
            check_leader(state, move)
        case WithdrawLeader():
            check_withdrawal(state, move)
        case PlaceCatastrophe():
            check_catastrophe(state, move)
        case DiscardTile():
            check_discard(state, move)
        case Pass():
            return
        case _:
            _broken("TE-3.1", "no_such_decision", "It is time for an action.")


def _check_answer(step: AnyStep, move: AnyMove) -> None:
    """TE-3.3: what is being settled comes first."""
    match step, move:
        case (
            (Swap(), DrawTiles())
            | (ChooseWar(), ChooseColor())
            | (OfferMonument(), DeclineMonument())
            | (ChooseTreasure(), LeaveTreasure())
        ):
            return
        case Swap(), _:
            _broken("TE-8.1", "decision_pending", "Discard another tile, or draw.")
        case Reinforce(), _:
            _broken("TE-9.3", "decision_pending", "Commit tiles to the conflict, or none.")
        case ChooseWar(), _:
            _broken("TE-11.3", "decision_pending", "Choose which war is fought next.")
        case OfferMonument(), _:
            _broken("TE-12.2", "decision_pending", "Build a monument, or decline.")
        case _:
            _broken("TE-13.2", "decision_pending", "Choose which treasure is left.")


def _check_support(state: State, move: CommitTiles) -> None:
    """TE-9.3, TE-9.5, TE-17.1"""
    conflict = state.agenda[-1].conflict
    color = conflict.support
    held = state.hands[move.seat][COLOR_NUMBER[color]]
    if not 0 <= move.count <= held:
        reason = f"You can commit 0 to {held} {color} tiles, not {move.count}."
        _broken("TE-9.3", "tile_not_in_hand", reason)
    if state.setup.english_support and move.count:
        _check_english(state, conflict, move)


def _check_english(state: State, conflict: Conflict, move: CommitTiles) -> None:
    """TE-17.1"""
    attack, defence = conflict.attacker_board, conflict.defender_board
    if move.seat == conflict.attacker:
        if attack + move.count <= defence:
            reason = f"Commit more than {defence - attack}, or none."
            _broken("TE-17.1", "support_in_vain", reason)
    elif (needed := attack + state.support[conflict.attacker] - defence) != move.count:
        _broken("TE-17.1", "support_not_equal", f"Commit {max(0, needed)}, or none.")


def _broken(rule: str, fault: str, reason: str) -> NoReturn:
    raise RuleBroken(rule, fault, reason)
