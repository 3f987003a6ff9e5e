"""What a seat sees of a game."""

from __future__ import annotations

from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.contract.refusals import describe_refusal
from domain.engine.errors import Refusal, RuleBroken
from domain.engine.game import Game, candidates, fold, judge, legal_moves, preview, seats_to_move
from domain.engine.play import Seat

AnyGame = Game[Any]


TRIED = 40
"""The number of legal moves, and of candidates, that a seat tries at a moment."""


def show_all(game: AnyGame, state: Any, seat: Seat | None, tried: int = TRIED) -> list[Any]:
    """All bytes of a state that this seat, or a spectator, receives; of what it can try, some from
    all parts of the list.
    """
    view = game.view(state, seat)
    seen = [json_codec.encode(view), json_codec.encode(state.agenda)]
    if seat not in seats_to_move(state):
        return seen
    legal, offered = legal_moves(game, state, seat), [*candidates(game, state, seat)]
    foreseen = [preview(game, state, move) for move in legal[:: len(legal) // tried + 1]]
    previews = [json_codec.encode(events) for events in foreseen]
    after = [json_codec.encode(game.view(fold(state.copy(), events), seat)) for events in foreseen]
    judged = [find_refusal(game, state, one) for one in offered[:: len(offered) // tried + 1]]
    return [*seen, json_codec.encode(legal), len(offered), previews, after, judged]


def why(game: AnyGame, refusal: RuleBroken) -> str:
    """Why the rules refuse something, in English."""
    return game.words().say(describe_refusal(refusal))


def is_legal(game: AnyGame, state: Any, move: Any) -> bool:
    """Whether the judge allows this move now."""
    try:
        judge(game, state, move)
    except Refusal:
        return False
    return True


def find_refusal(game: AnyGame, state: Any, move: Any) -> tuple[str, str, str] | None:
    """The rule, the fault and the reason if this move is illegal now, else None."""
    try:
        judge(game, state, move)
    except RuleBroken as refusal:
        return refusal.rule, refusal.fault, why(game, refusal)
    except Refusal as refusal:
        return "", refusal.code, refusal.reason
    return None
