"""The games of this service."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any, Literal

from flask import Blueprint, Response
from msgspec import Raw

from domain.engine.answers import Fallback, fallback_key
from domain.engine.codecs import json_codec
from domain.engine.contract.refusals import rule_faults
from domain.engine.contract.schemas import game_schemas
from domain.engine.drawing.themes import recolour
from domain.engine.game import Game
from domain.engine.options import mode_specific_options, option_values
from domain.engine.play import Awaiting, Move, Record, Step
from domain.engine.resources.examples import Example
from service.drawing.pictures import rule_examples
from service.drawing.pictures.cover import make_cover, sample_view
from service.drawing.pictures.inputs import Drawing, GameTexts
from service.http.context import annals
from service.http.json_responses import ENCODER, Json, json_response
from service.http.language import language, with_content_language
from service.http.requests import parse_query
from service.http.responses.chart_responses import POLICY, svg_response
from service.http.responses.picture_responses import picture_response
from service.http.responses.representation import not_modified
from service.http.schemas.common import ExampleQuery, LanguageQuery, ThemeQuery

bp = Blueprint("games", __name__, url_prefix="/v1/games")
LANGUAGE, EXAMPLE, THEME = LanguageQuery(), ExampleQuery(), ThemeQuery()
SCORE_PREFIX = "score_"
DAY_S = 86_400


@bp.get("")
def games() -> Response:
    """Return all games, summarized."""
    parse_query(LANGUAGE)
    summaries = [_game_summary(game, language()) for game in annals().games.values()]
    return with_content_language(json_response({"games": summaries}))


@bp.get("/<game>")
def game(game: str) -> Response:
    """Return a game in full: options, moves, steps, events, faults, views, bots, rules."""
    parse_query(LANGUAGE)
    content = game_json(annals().game(game), language())
    return with_content_language(Response(content, mimetype="application/json"))


@bp.get("/<game>/examples/<example>.svg")
def picture_of_example(game: str, example: str) -> Response:
    """Return the picture of a worked example, as the seat that moves first sees it."""
    asked, known = parse_query(EXAMPLE), annals().game(game)
    drawn, palettes = rule_examples.draw_example(known, example, asked["after"], language())
    picture = recolour(drawn, asked["theme"], palettes)
    digest = sha256(picture.encode()).hexdigest()[:16]
    headers = {
        "ETag": f'"{digest}"',
        "Cache-Control": f"public, max-age={DAY_S}",
        "Vary": "Accept-Language",
    }
    return not_modified(headers) or svg_response(picture, headers)


@bp.get("/<game>/cover.svg")
def cover(game: str) -> Response:
    """Return the picture of a game for links to it, as SVG."""
    picture = _cover_response(game, "svg", "image/svg+xml")
    picture.headers["Content-Security-Policy"] = POLICY
    return picture


@bp.get("/<game>/cover.png")
def cover_png(game: str) -> Response:
    """Return the same as PNG."""
    return _cover_response(game, "png", "image/png")


def _cover_response(game: str, form: Literal["svg", "png"], mimetype: str) -> Response:
    theme = parse_query(THEME)["theme"]
    known, spoken = annals().game(game), language()
    card = make_cover(known, spoken, annals().house.read().name or "Annals")
    texts = GameTexts(spoken, known.words(spoken).texts)
    drawing = Drawing(known.draw, sample_view(known), form, texts=texts, card=card, theme=theme)
    headers = {
        "ETag": f'"{drawing.digest}"',
        "Cache-Control": f"public, max-age={DAY_S}",
        "Vary": "Accept-Language",
    }
    return with_content_language(picture_response(drawing, headers, mimetype))


def _game_summary(game: Game[Any], language: str) -> Json:
    strengths = game.bot_strengths(language)
    return {
        "key": game.key,
        "title": game.title_in(language),
        "goal": game.goal_in(language),
        "goals": game.goals_in(language),
        "rules_version": game.rules,
        "seats": _range_json(game.seat_range),
        "modes": {mode: _range_json(seats) for mode, seats in game.seats_by_mode.items()},
        "minutes": game.minutes and dict(zip(("min", "max"), game.minutes, strict=True)),
        "weight": game.weight,
        "levels": [
            {"key": key, "name": name, "label": strengths[key]}
            for key, name in game.bot_names(language).items()
        ],
    }


def _range_json(seats: range) -> Json:
    return {"min": seats[0], "max": seats[-1]}


@cache
def game_json(game: Game[Any], language: str) -> bytes:
    """Return a game in full, in a language, as JSON; computed once."""
    book = game.resources.rulebooks[language]
    content = {
        **_game_summary(game, language),
        **_language_independent(game),
        "steps": [_step_json(game, step, language) for step in game.answers.steps],
        "texts": _texts_of(game, language),
        "rules": dict(book.rules),
        "rules_text": book.text,
        "turn": game.resources.turns[language],
        "aid": game.resources.aids[language],
        "examples": [_example_json(game, example, language) for example in game.resources.examples],
    }
    return ENCODER.encode(content)


@cache
def _language_independent(game: Game[Any]) -> Json:
    """Return what is the same in all languages."""
    return {
        "options": {
            "defaults": json_codec.to_json(game.options()),
            "only_with_mode": mode_specific_options(game.options),
            "schema": _schema_pointer(game.options),
        },
        "moves": [_move_json(move) for move in game.answers.moves],
        "touches": game.touch_kinds,
        "tips": game.resources.tips,
        "events": [*map(_kind_json, game.events), _kind_json(Awaiting)],
        "faults": [{"fault": fault, "rules": rules} for fault, rules in rule_faults(game).items()],
        "view": _schema_pointer(game.view_type),
        "position": _schema_pointer(game.position_type),
        "$defs": Raw(
            ENCODER.encode(game_schemas(game))
        ),  # as objects they take eight times as much
    }


def _texts_of(game: Game[Any], language: str) -> Json:
    """Return the texts of keys: options and their values, scores, ends."""
    texts = game.words(language).texts
    return {
        "options": {
            name: {
                "label": texts[f"option_{name}"],
                "values": {value: texts[f"option_{name}_{value}"] for value in values},
            }
            for name, values in option_values(game.options).items()
        },
        "scores": {
            key.removeprefix(SCORE_PREFIX): texts[key]
            for key in texts
            if key.startswith(SCORE_PREFIX)
        },
        "ends": {end: texts[f"end_{end}"] for end in game.end_reasons},
    }


def _example_json(game: Game[Any], example: Example, language: str) -> Json:
    """Return a worked example: its position and moves, what it shows, and why its last move is
    refused.
    """
    description, refusal = rule_examples.describe_example(game, example.key, language)
    return {
        "key": example.key,
        "rules": example.rules,
        "description": description,
        "seats": example.seats,
        "options": example.options,
        "position": example.position,
        "moves": example.moves,
        "refusal": refusal and {"rule": example.refused, "detail": refusal},
    }


def _move_json(move: type[Move]) -> Json:
    """Return a kind of move, and the fields of it that others may read before the end."""
    fields = ("seat", *move.visible_fields) if move.sealed else move.__struct_fields__
    return {**_kind_json(move), "sealed": move.sealed, "visible_fields": fields}


def _step_json(game: Game[Any], step: type[Step], language: str) -> Json:
    """Return a kind of step: which moves answer it, and how others are refused; both are empty for
    an automatic step.
    """
    fallback = game.answers.fallbacks.get(step)
    return {
        **_kind_json(step),
        "moves": [move.__name__ for move in game.answers.moves_for(step)],
        "refusal": fallback and _refusal_json(game, step, fallback, language),
    }


def _refusal_json(game: Game[Any], step: type[Step], fallback: Fallback, language: str) -> Json:
    """Return the refusal of a move that does not answer a step."""
    reason = game.words(language)(fallback_key(step))
    return {"rule": fallback.rule, "fault": fallback.fault, "reason": reason}


def _kind_json(record: type[Record]) -> Json:
    return {"type": record.__name__, "schema": _schema_pointer(record)}


def _schema_pointer(record: type) -> str:
    """Return a JSON pointer to the schema of a record in the `$defs` of the same response."""
    return f"#/$defs/{record.__name__}"
