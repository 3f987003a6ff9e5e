"""What a seat sees of a game."""

from __future__ import annotations

from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.errors import Refused, RuleBroken
from domain.engine.game import Game, awaited, candidates, judge, legal_moves, preview, refuse
from domain.engine.play import Seat

AnyGame = Game[Any]


def shown(game: AnyGame, state: Any, seat: Seat | None) -> list[Any]:
    """All that reaches this seat, or a spectator, of a state, as bytes."""
    view = game.view(state, seat)
    seen = [json_codec.encode(view), json_codec.encode(state.agenda)]
    if seat not in awaited(state):
        return seen
    legal = legal_moves(game, state, seat)
    previews = [json_codec.encode(preview(game, state, move)) for move in legal]
    judged = [refused(game, state, move) for move in candidates(game, state, seat)]
    return [*seen, json_codec.encode(legal), previews, judged]


def why(game: AnyGame, refusal: RuleBroken) -> str:
    """Why the rules refuse something, in English."""
    return game.words().say(refuse(refusal))


def refused(game: AnyGame, state: Any, move: Any) -> tuple[str, str, str] | None:
    """The rule, the fault and the reason, if this move is not allowed now."""
    try:
        judge(game, state, move)
    except RuleBroken as refusal:
        return refusal.rule, refusal.fault, why(game, refusal)
    except Refused as refusal:
        return "", refusal.code, refusal.reason
    return None
