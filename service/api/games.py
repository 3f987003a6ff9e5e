"""The games that can be played here."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from flask import Blueprint, Response

from domain.engine import codec
from domain.engine.game import Game
from service.api.http import Json, annals, answer
from service.errors import NotFound

bp = Blueprint("games", __name__, url_prefix="/v1/games")


@bp.get("")
def games() -> Response:
    """All games in short."""
    return answer({"games": [_short(game) for game in annals().games.values()]})


@bp.get("/<game>")
def game(game: str) -> Response:
    """All about a game: options, moves, bots, rules."""
    known = annals().games.get(game)
    if known is None:
        raise NotFound("There is no such game.")
    return answer(_whole(known))


def _short(game: Game[Any, Any]) -> Json:
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
def _whole(game: Game[Any, Any]) -> Json:
    return {
        **_short(game),
        "options": {
            "defaults": msgspec.to_builtins(game.options()),
            "schema": _schema(game, game.options),
        },
        "moves": [
            {"type": move.__name__, "schema": _schema(game, move), "sealed": move.sealed}
            for move in game.moves
        ],
        "rules": dict(game.rulebook),
        "rules_text": _rules_text(game),
    }


def _schema(game: Game[Any, Any], kind: type) -> Json:
    """A JSON schema that stands by itself."""
    components = codec.schemas(game)
    return {**components[kind.__name__], "$defs": components}


def _rules_text(game: Game[Any, Any]) -> str:
    """The RULES.md beside the code of the game."""
    folder = files(game.moves[0].__module__.rpartition(".")[0])
    return folder.joinpath("RULES.md").read_text(encoding="utf-8")
