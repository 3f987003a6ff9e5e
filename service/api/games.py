"""The games that can be played here."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Blueprint, Response

from domain.engine import codec
from domain.engine.game import Game
from domain.engine.play import Move, Step
from service.errors import NotFound
from service.http.context import annals
from service.http.responses import Json, answer

bp = Blueprint("games", __name__, url_prefix="/v1/games")


@bp.get("")
def games() -> Response:
    """All games in short."""
    return answer({"games": [_short(game) for game in annals().games.values()]})


@bp.get("/<game>")
def game(game: str) -> Response:
    """All about a game: options, moves, steps, bots, rules."""
    known = annals().games.get(game)
    if known is None:
        raise NotFound("There is no such game.")
    return answer(_whole(known))


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
def _whole(game: Game[Any]) -> Json:
    return {
        **_short(game),
        "options": {
            "defaults": codec.to_json(game.options()),
            "schema": _schema(game, game.options),
        },
        "moves": [_move(game, move) for move in game.answers.moves],
        "steps": [_step(game, step) for step in game.answers.steps],
        "rules": dict(game.rulebook.rules),
        "rules_text": game.rulebook.text,
    }


def _move(game: Game[Any], move: type[Move]) -> Json:
    """A kind of move, and what of it the others may read before the end."""
    shown = ("seat", *move.shown) if move.sealed else move.__struct_fields__
    return {
        "type": move.__name__,
        "schema": _schema(game, move),
        "sealed": move.sealed,
        "shown": shown,
    }


def _step(game: Game[Any], step: type[Step]) -> Json:
    """A kind of step: which moves answer it, and what is said to any other; neither if it waits
    for nobody.
    """
    otherwise = game.answers.otherwise.get(step)
    return {
        "type": step.__name__,
        "moves": [move.__name__ for move in game.answers.to(step)],
        "otherwise": otherwise and otherwise._asdict(),
    }


def _schema(game: Game[Any], kind: type) -> Json:
    """A JSON schema that stands by itself."""
    components = codec.schemas(game)
    return {**components[kind.__name__], "$defs": components}
