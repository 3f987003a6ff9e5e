"""Questions about finished public matches: of a game, of a player, of two players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from flask import Blueprint, Response, request
from msgspec.structs import replace

from domain.engine.game import Game
from projections.statistics.dimensions import BOT, Dimension
from projections.statistics.metrics import Metric
from projections.statistics.queries import Filter
from service.analytics.statistics.labels import Labels
from service.analytics.statistics.presenters import (
    Page,
    as_chart,
    as_csv,
    as_json,
    page_of,
    people_in,
)
from service.analytics.statistics.query_parser import Asked, Parameters, read, vocabulary_of
from service.analytics.statistics.query_runner import Told
from service.drawing.charts.renderer import svg
from service.drawing.charts.vega import MEDIA_TYPE as VEGA
from service.drawing.charts.vega import vega
from service.http.context import annals, context, whose_share
from service.http.json_responses import ENCODER, Json, answer
from service.http.language import in_its_language, language
from service.http.requests import check, query
from service.http.responses.chart_responses import POLICY
from service.http.responses.list_responses import known_games
from service.http.responses.representation import unchanged
from service.http.schemas.common import LanguageQuery, Nothing
from service.matches import profiles
from service.runtime.errors import BadQuery, NotFound
from service.runtime.event_loop import aside

bp = Blueprint("analytics", __name__, url_prefix="/v1/analytics")
T = TypeVar("T")
NOTHING, LANGUAGE = Nothing(), LanguageQuery()
JSON, CSV = "application/json", "text/csv"
OF_GAME = ("matches",)
OF_PLAYER = ("matches", "win_share", "win_rate", "score")
LARGE = 2_000
"""From so many numbers on an answer takes long to be written: some 4 microseconds for each."""
PICTURED = ("win_share",)
"""What is measured if nobody says what; charts have one unit."""


@bp.get("")
def vocabulary() -> Response:
    """All that can be asked, of each game, and of all together."""
    query(NOTHING)
    games = annals().games
    content = {
        "every_game": words_of(None),
        "games": {key: words_of(game) for key, game in games.items()},
    }
    return answer(content)


@bp.get("/games/<game>")
def of_game(game: str) -> Response:
    """What is asked of a game, as JSON, CSV or Vega-Lite."""
    return _formed(_of_game(game))


@bp.get("/games/<game>.svg")
def chart_of_game(game: str) -> Response:
    """The same as a picture."""
    return _drawn(_of_game(game))


@bp.get("/players/<player>")
def of_player(player: str) -> Response:
    """What is asked of a player, as JSON, CSV or Vega-Lite."""
    return _formed(_of_player(player, None, _default()))


@bp.get("/players/<player>.svg")
def chart_of_player(player: str) -> Response:
    """The same as a picture."""
    return _drawn(_of_player(player, None, PICTURED))


@bp.get("/players/<player>/against/<other>")
def head_to_head(player: str, other: str) -> Response:
    """What is asked of the matches of two with each other, as JSON, CSV or Vega-Lite."""
    return _formed(_of_player(player, other, _default()))


@bp.get("/players/<player>/against/<other>.svg")
def chart_of_head_to_head(player: str, other: str) -> Response:
    """The same as a picture."""
    return _drawn(_of_player(player, other, PICTURED))


class Found(msgspec.Struct, frozen=True):
    """A question with its answer, of a game or of all, and what it is about."""

    game: Game[Any] | None
    about: Json
    names: Sequence[str]  # of the players it is about; none if it is about the game
    asked: Asked
    told: Told


def _of_game(key: str) -> Found:
    game = annals().game(key)
    asked = read(_given(), vocabulary_of(game), OF_GAME)
    told = context().statistics.of_game(game, asked.question, _count)
    return Found(game, {"game": game.key}, (), asked, told)


def _of_player(player: str, other: str | None, default: tuple[str, ...]) -> Found:
    """Of both if there are two, by default told apart; of these metrics if none is named."""
    if player.startswith(BOT):
        level = player.removeprefix(BOT)
        raise NotFound(f"Of bots ask with `level`: /v1/analytics/games/{{game}}?level={level}.")
    if player == other:
        raise NotFound("Nobody plays against themselves: name two players.")
    names = [_name(player), *([] if other is None else [_name(other)])]
    seats = {player, other or player}
    given = {**_given()}
    if other is not None:
        given.setdefault("by", ["player"])
    game = _game_in(given)
    known = vocabulary_of(game)
    asked = read(given, known, default, ("game",))
    theirs = Filter(known.dimensions["player"], frozenset(seats))
    question = replace(asked.question, filters=(*asked.question.filters, theirs))
    key = game.key if game else None
    told = context().statistics.of_player(player, other, key, question, _count)
    about = {"game": key, "player": player, "against": other}
    return Found(game, about, names, replace(asked, question=question), told)


def _game_in(given: Parameters) -> Game[Any] | None:
    """The game that is asked about, if one is."""
    games, keys = annals().games, given.get("game", ())
    if any(key not in games for key in keys) or len(keys) > 1:
        raise BadQuery([("game", known_games())])
    return games[keys[0]] if keys else None


def _name(competitor: str) -> str:
    """The name of a player, or of bots of a level; NotFound."""
    known = profiles.find(annals(), competitor)
    if known is None:
        raise NotFound("There is no such player.")
    return known.name


def _given() -> Parameters:
    """The question; the language of the answer is none of its parameters."""
    check(LANGUAGE, "language")
    return {name: given for name, given in request.args.lists() if name != "language"}


def _count() -> None:
    context().statistics_limit.count(whose_share().address)


def _formed(found: Found) -> Response:
    """The answer in the form that is accepted."""
    page, labels = _shown(found)
    match _form():
        case "text/csv":
            text = _made(found, lambda: as_csv(page, found.asked, labels).encode())
            return _sent(text, "text/csv; charset=utf-8; header=present")
        case form if form == VEGA:
            chart = as_chart(page, found.asked, labels, _title(found, labels))
            text = _made(found, lambda: ENCODER.encode(vega(chart, found.asked.shape)))
            return _sent(text, VEGA)
        case _:
            text = _made(found, lambda: ENCODER.encode(_told(found, page, labels)))
            return _sent(text, JSON)


def _form() -> str:
    return request.accept_mimetypes.best_match((JSON, CSV, VEGA), default=JSON)


def _default() -> tuple[str, ...]:
    return PICTURED if _form() == VEGA else OF_PLAYER


def _drawn(found: Found) -> Response:
    page, labels = _shown(found)
    chart = as_chart(page, found.asked, labels, _title(found, labels))
    response = _sent(svg(chart, found.asked.shape).encode(), "image/svg+xml")
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _title(found: Found, labels: Labels) -> str:
    """What a chart is about: the game, or the players."""
    match found.names:
        case [one, two]:
            return labels.say("against", one=one, two=two)
        case [one]:
            return one
        case _:
            assert found.game
            return found.game.called(labels.language)


def _made(found: Found, make: Callable[[], T]) -> T:
    """What is made of an answer; a large one takes long, and others get their turn meanwhile."""
    return aside(make) if len(found.told.answers) > LARGE else make()


def _shown(found: Found) -> tuple[Page, Labels]:
    """What is shown of an answer; a large one counts as a question, known or not."""
    if len(found.told.answers) > LARGE:
        _count()
    page = _made(found, lambda: page_of(found.told, found.asked))
    names = annals().players.names(people_in(page, found.asked.question.by))
    games = [found.game] if found.game else annals().games.values()
    return page, Labels(games, names, language())


def _told(found: Found, page: Page, labels: Labels) -> Json:
    question, told = found.asked.question, found.told
    return {
        **found.about,
        "metrics": [_metric(one) for one in question.metrics],
        "by": [one.name for one in question.by],
        "matches": told.matches,
        "complete": told.complete,
        "behind": told.behind,
        "groups": as_json(page, found.asked, labels),
        "left_off": page.left_off,
    }


def _sent(body: bytes, kind: str) -> Response:
    """An answer that is the same for all who ask, and may be kept as long as it is asked again
    whether it is still so: names may change, and matches come.
    """
    headers = {
        "ETag": f'"{sha256(body).hexdigest()[:16]}"',
        "Cache-Control": "public, no-cache",
        "Vary": "Accept",
    }
    answer = unchanged(headers) or Response(body, headers=headers, content_type=kind)
    return in_its_language(answer)


@cache
def words_of(game: Game[Any] | None) -> Json:
    """All that can be asked of a game, or of all together."""
    known = vocabulary_of(game)
    return {
        "metrics": [_metric(one) for one in known.metrics.values()],
        "dimensions": [_dimension(one) for one in known.dimensions.values()],
    }


def _metric(one: Metric) -> Json:
    return {"name": one.name, "of": one.of, "kind": one.kind, "unit": one.unit, "says": one.says}


def _dimension(one: Dimension) -> Json:
    return {"name": one.name, "of": one.of, "says": one.says, "known": one.known or None}
