"""The games that can be played here."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Blueprint, Response

from domain.engine import codec
from domain.engine.answers import Refusal, otherwise_key
from domain.engine.game import Game
from domain.engine.play import Awaiting, Move, Record, Step
from domain.engine.refusals import faults
from domain.engine.schemas import schemas
from service.http.context import annals
from service.http.responses import Json, answer

bp = Blueprint("games", __name__, url_prefix="/v1/games")


@bp.get("")
def games() -> Response:
    """All games in short."""
    return answer({"games": [_short(game) for game in annals().games.values()]})


@bp.get("/<game>")
def game(game: str) -> Response:
    """All about a game: options, moves, steps, events, faults, what is seen of it, bots, rules."""
    return answer(whole(annals().game(game)))


def _short(game: Game[Any]) -> Json:
    return {
        "key": game.key,
        "title": game.title,
        "rules_version": game.rules,
        "seats": {"min": game.seats[0], "max": game.seats[-1]},
        "levels": [
            {"key": level.key, "name": level.name, "label": level.label} for level in game.levels
        ],
    }


@cache
def whole(game: Game[Any]) -> Json:
    """All about a game, worked out once."""
    return {
        **_short(game),
        "options": {"defaults": codec.to_json(game.options()), "schema": _schema(game.options)},
        "moves": [_move(move) for move in game.answers.moves],
        "steps": [_step(game, step) for step in game.answers.steps],
        "touches": game.touch_kinds,
        "events": [*map(_kind, game.events), _kind(Awaiting)],
        "faults": [{"fault": fault, "rules": rules} for fault, rules in faults(game).items()],
        "view": _schema(game.view_type),
        "position": _schema(game.position_type),
        "$defs": schemas(game),
        "rules": dict(game.rulebook.rules),
        "rules_text": game.rulebook.text,
    }


def _move(move: type[Move]) -> Json:
    """A kind of move, and what of it the others may read before the end."""
    shown = ("seat", *move.shown) if move.sealed else move.__struct_fields__
    return {**_kind(move), "sealed": move.sealed, "shown": shown}


def _step(game: Game[Any], step: type[Step]) -> Json:
    """A kind of step: which moves answer it, and what is said to any other; neither if it waits
    for nobody.
    """
    otherwise = game.answers.otherwise.get(step)
    return {
        **_kind(step),
        "moves": [move.__name__ for move in game.answers.to(step)],
        "otherwise": otherwise and _refusal(game, step, otherwise),
    }


def _refusal(game: Game[Any], step: type[Step], otherwise: Refusal) -> Json:
    """What is said to a move that does not answer a step."""
    reason = game.words()(otherwise_key(step))
    return {"rule": otherwise.rule, "fault": otherwise.fault, "reason": reason}


def _kind(record: type[Record]) -> Json:
    return {"type": record.__name__, "schema": _schema(record)}


def _schema(record: type) -> str:
    """Where in the same answer the schema of a record is: a JSON pointer into its `$defs`."""
    return f"#/$defs/{record.__name__}"
