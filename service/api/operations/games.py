"""The games that can be played here."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response

from domain.engine.answers import Refusal, otherwise_key
from domain.engine.codecs import json_codec
from domain.engine.contract.refusals import faults
from domain.engine.contract.schemas import schemas
from domain.engine.game import Game
from domain.engine.options import choices, own_to_modes
from domain.engine.play import Awaiting, Move, Record, Step
from domain.engine.resources.examples import Example
from service.drawing.pictures import rule_examples
from service.http.context import annals
from service.http.json_responses import Json, answer
from service.http.language import in_its_language, language
from service.http.requests import query
from service.http.responses.chart_responses import as_picture
from service.http.responses.representation import unchanged
from service.http.schemas.common import ExampleQuery, LanguageQuery

bp = Blueprint("games", __name__, url_prefix="/v1/games")
LANGUAGE, EXAMPLE = LanguageQuery(), ExampleQuery()
SCORE = "score_"
DAY_S = 86_400


@bp.get("")
def games() -> Response:
    """All games in short."""
    query(LANGUAGE)
    told = [_short(game, language()) for game in annals().games.values()]
    return in_its_language(answer({"games": told}))


@bp.get("/<game>")
def game(game: str) -> Response:
    """All about a game: options, moves, steps, events, faults, what is seen of it, bots, rules."""
    query(LANGUAGE)
    return in_its_language(answer(whole(annals().game(game), language())))


@bp.get("/<game>/examples/<example>.svg")
def picture_of_example(game: str, example: str) -> Response:
    """The picture of a worked example, as whoever moves first sees it."""
    after, known = query(EXAMPLE)["after"], annals().game(game)
    picture = rule_examples.drawn(known, example, after, language())
    digest = sha256(picture.encode()).hexdigest()[:16]
    headers = {
        "ETag": f'"{digest}"',
        "Cache-Control": f"public, max-age={DAY_S}",
        "Vary": "Accept-Language",
    }
    return unchanged(headers) or as_picture(picture, headers)


def _short(game: Game[Any], language: str) -> Json:
    strengths = game.strengths(language)
    return {
        "key": game.key,
        "title": game.called(language),
        "rules_version": game.rules,
        "seats": _span(game.all_seats),
        "modes": {mode: _span(seats) for mode, seats in game.modes.items()},
        "levels": [
            {"key": key, "name": name, "label": strengths[key]}
            for key, name in game.bots(language).items()
        ],
    }


def _span(seats: range) -> Json:
    return {"min": seats[0], "max": seats[-1]}


@cache
def whole(game: Game[Any], language: str) -> Json:
    """All about a game, told in a language; worked out once."""
    book = game.rulebooks[language]
    return {
        **_short(game, language),
        **_for_programs(game),
        "steps": [_step(game, step, language) for step in game.answers.steps],
        "words": _words(game, language),
        "rules": dict(book.rules),
        "rules_text": book.text,
        "examples": [_example(game, example, language) for example in game.examples],
    }


@cache
def _for_programs(game: Game[Any]) -> Json:
    """What is the same in all languages."""
    return {
        "options": {
            "defaults": json_codec.to_json(game.options()),
            "only_with_mode": own_to_modes(game.options),
            "schema": _schema(game.options),
        },
        "moves": [_move(move) for move in game.answers.moves],
        "touches": game.touch_kinds,
        "events": [*map(_kind, game.events), _kind(Awaiting)],
        "faults": [{"fault": fault, "rules": rules} for fault, rules in faults(game).items()],
        "view": _schema(game.view_type),
        "position": _schema(game.position_type),
        "$defs": schemas(game),
    }


def _words(game: Game[Any], language: str) -> Json:
    """What is said of that which has a key: options and their values, scores, ends."""
    texts = game.words(language).texts
    return {
        "options": {
            name: {
                "says": texts[f"option_{name}"],
                "values": {value: texts[f"option_{name}_{value}"] for value in values},
            }
            for name, values in choices(game.options).items()
        },
        "scores": {key.removeprefix(SCORE): texts[key] for key in texts if key.startswith(SCORE)},
        "ends": {end: texts[f"end_{end}"] for end in game.ends},
    }


def _example(game: Game[Any], example: Example, language: str) -> Json:
    """A worked example: how it comes about, what it shows, and why its last move is refused."""
    says, why = rule_examples.told(game, example.key, language)
    return {
        "key": example.key,
        "rules": example.rules,
        "says": says,
        "seats": example.seats,
        "options": example.options,
        "position": example.position,
        "moves": example.moves,
        "refused": why and {"rule": example.refused, "detail": why},
    }


def _move(move: type[Move]) -> Json:
    """A kind of move, and what of it the others may read before the end."""
    shown = ("seat", *move.shown) if move.sealed else move.__struct_fields__
    return {**_kind(move), "sealed": move.sealed, "shown": shown}


def _step(game: Game[Any], step: type[Step], language: str) -> Json:
    """A kind of step: which moves answer it, and what is said to any other; neither if it waits
    for nobody.
    """
    otherwise = game.answers.otherwise.get(step)
    return {
        **_kind(step),
        "moves": [move.__name__ for move in game.answers.to(step)],
        "otherwise": otherwise and _refusal(game, step, otherwise, language),
    }


def _refusal(game: Game[Any], step: type[Step], otherwise: Refusal, language: str) -> Json:
    """What is said to a move that does not answer a step."""
    reason = game.words(language)(otherwise_key(step))
    return {"rule": otherwise.rule, "fault": otherwise.fault, "reason": reason}


def _kind(record: type[Record]) -> Json:
    return {"type": record.__name__, "schema": _schema(record)}


def _schema(record: type) -> str:
    """Where in the same answer the schema of a record is: a JSON pointer into its `$defs`."""
    return f"#/$defs/{record.__name__}"
