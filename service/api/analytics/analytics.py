"""Statistics of finished public matches: of a game, of a player, of two players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from flask import Blueprint, Response, request
from msgspec.structs import replace

from domain.engine.game import Game
from projections.statistics.dimensions import BOT_PREFIX, Dimension
from projections.statistics.metrics import Metric
from projections.statistics.queries import Filter
from service.analytics.statistics.labels import Labels
from service.analytics.statistics.presenters import (
    GroupPage,
    as_chart,
    as_csv,
    as_json,
    page_of,
    players_in,
)
from service.analytics.statistics.query_parser import Parameters, ParsedQuery, parse, vocabulary_of
from service.analytics.statistics.query_runner import QueryResult
from service.drawing.charts.renderer import render_svg
from service.drawing.charts.vega import MEDIA_TYPE as VEGA
from service.drawing.charts.vega import to_vega_lite
from service.http.context import annals, caller, context, payer, viewer_id
from service.http.json_responses import ENCODER, Json, json_response
from service.http.language import language, with_content_language
from service.http.requests import check_parameters, parse_query
from service.http.responses.chart_responses import CHART, POLICY, is_narrow
from service.http.responses.list_responses import games_message
from service.http.responses.representation import not_modified
from service.http.schemas.common import EmptyObject, LanguageQuery
from service.matches import profiles
from service.runtime.errors import BadQuery, NotFound
from service.runtime.event_loop import run_in_thread
from service.runtime.shares.fair_queue import Payer

bp = Blueprint("analytics", __name__, url_prefix="/v1/analytics")
T = TypeVar("T")
NOTHING, LANGUAGE = EmptyObject(), LanguageQuery()
GAME_METRICS = ("matches",)
PLAYER_METRICS = ("matches", "win_share", "win_rate", "score")
MIN_LARGE_VALUES = 2_000
"""Number of values from which a response takes long to encode: some 4 microseconds per value."""
CHART_METRICS = ("win_share",)
"""The default metrics of charts, which have one unit."""


@bp.get("")
def vocabulary() -> Response:
    """Return the metrics and dimensions of each game, and of all games together."""
    parse_query(NOTHING)
    games = annals().games
    content = {
        "every_game": vocabulary_json(None),
        "games": {key: vocabulary_json(game) for key, game in games.items()},
    }
    return json_response(content)


@bp.get("/games/<game>")
def game_statistics(game: str) -> Response:
    """Return the statistics of a game."""
    return _json_response(_query_game(game))


@bp.get("/games/<game>.csv")
def game_lines(game: str) -> Response:
    """Return the statistics of a game as CSV."""
    return _csv_response(_query_game(game))


@bp.get("/games/<game>.vega.json")
def game_vega(game: str) -> Response:
    """Return the statistics of a game as a Vega-Lite chart."""
    return _vega_response(_query_game(game))


@bp.get("/games/<game>.svg")
def game_chart(game: str) -> Response:
    """Return the statistics of a game as an SVG chart."""
    return _chart_response(_query_game(game, CHART))


@bp.get("/players/<player>")
def player_statistics(player: str) -> Response:
    """Return the statistics of a player."""
    return _json_response(_query_players(player, None, PLAYER_METRICS))


@bp.get("/players/<player>.csv")
def player_lines(player: str) -> Response:
    """Return the statistics of a player as CSV."""
    return _csv_response(_query_players(player, None, PLAYER_METRICS))


@bp.get("/players/<player>.vega.json")
def player_vega(player: str) -> Response:
    """Return the statistics of a player as a Vega-Lite chart."""
    return _vega_response(_query_players(player, None, CHART_METRICS))


@bp.get("/players/<player>.svg")
def player_chart(player: str) -> Response:
    """Return the statistics of a player as an SVG chart."""
    return _chart_response(_query_players(player, None, CHART_METRICS, CHART))


@bp.get("/players/<player>/against/<other>")
def head_to_head_statistics(player: str, other: str) -> Response:
    """Return the statistics of the matches of two players."""
    return _json_response(_query_players(player, other, PLAYER_METRICS))


@bp.get("/players/<player>/against/<other>.csv")
def head_to_head_lines(player: str, other: str) -> Response:
    """Return the statistics of the matches of two players as CSV."""
    return _csv_response(_query_players(player, other, PLAYER_METRICS))


@bp.get("/players/<player>/against/<other>.vega.json")
def head_to_head_vega(player: str, other: str) -> Response:
    """Return the statistics of the matches of two players as a Vega-Lite chart."""
    return _vega_response(_query_players(player, other, CHART_METRICS))


@bp.get("/players/<player>/against/<other>.svg")
def head_to_head_chart(player: str, other: str) -> Response:
    """Return the statistics of the matches of two players as an SVG chart."""
    return _chart_response(_query_players(player, other, CHART_METRICS, CHART))


class StatisticsResult(msgspec.Struct, frozen=True):
    """A query with its result: its game (None for all), the members that identify it, and more."""

    game: Game[Any] | None
    subject: Json
    names: Sequence[str]  # of its players; empty for a game
    query: ParsedQuery
    answers: QueryResult


def _query_game(key: str, presentation: LanguageQuery = LANGUAGE) -> StatisticsResult:
    game = annals().game(key)
    query = parse(_read_parameters(presentation), vocabulary_of(game), GAME_METRICS)
    answers = context().statistics.of_game(game, query.query, _count)
    return StatisticsResult(game, {"game": game.key}, (), query, answers)


def _query_players(
    player: str,
    other: str | None,
    default: tuple[str, ...],
    presentation: LanguageQuery = LANGUAGE,
) -> StatisticsResult:
    """Return the statistics of a player, or of two, by default grouped by player; `default` are the
    metrics if the query names none.
    """
    if player.startswith(BOT_PREFIX):
        level = player.removeprefix(BOT_PREFIX)
        raise NotFound(f"For bots use `level`: /v1/analytics/games/{{game}}?level={level}.")
    if player == other:
        raise NotFound("Name two different players.")
    names = [_find_name(player), *([] if other is None else [_find_name(other)])]
    seats = {player, other or player}
    parameters = {**_read_parameters(presentation)}
    if other is not None:
        parameters.setdefault("by", ["player"])
    game = _find_game(parameters)
    known = vocabulary_of(game)
    query = parse(parameters, known, default, ("game",))
    player_filter = Filter(known.dimensions["player"], frozenset(seats))
    question = replace(query.query, filters=(*query.query.filters, player_filter))
    key = game.key if game else None
    answers = context().statistics.of_player(player, other, key, question, _count)
    subject = {"game": key, "player": player, "against": other}
    return StatisticsResult(game, subject, names, replace(query, query=question), answers)


def _find_game(given: Parameters) -> Game[Any] | None:
    """Return the game that the query names, or None without one."""
    games, keys = annals().games, given.get("game", ())
    if any(key not in games for key in keys) or len(keys) > 1:
        raise BadQuery([("game", games_message())])
    return games[keys[0]] if keys else None


def _find_name(competitor: str) -> str:
    """Return the name of a player, or of a level of bots. Raises NotFound."""
    known = profiles.find_competitor(annals(), competitor, language(), viewer_id())
    if known is None:
        raise NotFound("There is no such player.")
    return known.name


def _read_parameters(presentation: LanguageQuery) -> Parameters:
    """Return the parameters of the query; those of its presentation are none of them."""
    check_parameters(presentation, *presentation.fields)
    return {name: given for name, given in request.args.lists() if name not in presentation.fields}


def _count() -> Payer:
    context().statistics_limit.count(caller().address)
    return payer()


def _json_response(found: StatisticsResult) -> Response:
    page, labels = _page_and_labels(found)
    text = _compute(found, lambda: ENCODER.encode(_result_json(found, page, labels)))
    return _cacheable_response(text, "application/json")


def _csv_response(found: StatisticsResult) -> Response:
    page, labels = _page_and_labels(found)
    text = _compute(found, lambda: as_csv(page, found.query, labels).encode())
    return _cacheable_response(text, "text/csv; charset=utf-8; header=present")


def _vega_response(found: StatisticsResult) -> Response:
    page, labels = _page_and_labels(found)
    chart = as_chart(page, found.query, labels, _title(found, labels))
    text = _compute(found, lambda: ENCODER.encode(to_vega_lite(chart, found.query.shape)))
    return _cacheable_response(text, VEGA)


def _chart_response(found: StatisticsResult) -> Response:
    page, labels = _page_and_labels(found)
    chart = as_chart(page, found.query, labels, _title(found, labels))
    picture = render_svg(chart, found.query.shape, narrow=is_narrow())
    response = _cacheable_response(picture.encode(), "image/svg+xml")
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _title(found: StatisticsResult, labels: Labels) -> str:
    """Return the title of a chart: the game, or the players."""
    match found.names:
        case [one, two]:
            return labels.say("against", one=one, two=two)
        case [one]:
            return one
        case _:
            assert found.game
            return found.game.title_in(labels.language)


def _compute(found: StatisticsResult, make: Callable[[], T]) -> T:
    """Call `make`; for a large result in a thread, so that other requests go on."""
    return run_in_thread(make) if len(found.answers.answers) > MIN_LARGE_VALUES else make()


def _page_and_labels(found: StatisticsResult) -> tuple[GroupPage, Labels]:
    """Return the page of results and its labels; a large one counts for the rate limit even if it
    is cached.
    """
    if len(found.answers.answers) > MIN_LARGE_VALUES:
        _count()
    page = _compute(found, lambda: page_of(found.answers, found.query))
    names = annals().players.names(players_in(page, found.query.query.by), language())
    games = [found.game] if found.game else annals().games.values()
    return page, Labels(games, names, language())


def _result_json(found: StatisticsResult, page: GroupPage, labels: Labels) -> Json:
    question, answers = found.query.query, found.answers
    return {
        **found.subject,
        "metrics": [_metric_json(one) for one in question.metrics],
        "by": [one.name for one in question.by],
        "matches": answers.matches,
        "complete": answers.complete,
        "lag": answers.behind,
        "groups": as_json(page, found.query, labels),
        "omitted_groups": page.omitted,
    }


def _cacheable_response(body: bytes, kind: str) -> Response:
    """Return a response that is the same for all callers. Caches revalidate it: names change, and
    matches end.
    """
    headers = {
        "ETag": f'"{sha256(body).hexdigest()[:16]}"',
        "Cache-Control": "public, no-cache",
    }
    answer = not_modified(headers) or Response(body, headers=headers, content_type=kind)
    return with_content_language(answer)


@cache
def vocabulary_json(game: Game[Any] | None) -> Json:
    """Return the metrics and dimensions of a game, or of all games together."""
    known = vocabulary_of(game)
    return {
        "metrics": [_metric_json(one) for one in known.metrics.values()],
        "dimensions": [_dimension_json(one) for one in known.dimensions.values()],
    }


def _metric_json(one: Metric) -> Json:
    return {
        "name": one.name,
        "subject": one.subject,
        "kind": one.kind,
        "unit": one.unit,
        "description": one.description,
    }


def _dimension_json(one: Dimension) -> Json:
    return {
        "name": one.name,
        "subject": one.subject,
        "description": one.description,
        "values": one.allowed or None,
    }
