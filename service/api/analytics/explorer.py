"""The explorer: which moves were chosen in positions of finished public matches."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response
from werkzeug.exceptions import BadRequest

from domain.engine.game import Game, Json
from service.analytics import explorer
from service.analytics.explorer import PositionQuery
from service.http.context import annals, context, viewer_id
from service.http.json_responses import json_response
from service.http.requests import decode_json, parse_query
from service.http.schemas.explorer import ExplorerQuery
from service.matches import queries
from service.runtime.errors import BadQuery

bp = Blueprint("explorer", __name__, url_prefix="/v1/analytics/explorer")
QUERY = ExplorerQuery()
FROM_START_PARAMETERS = ("moves", "options", "seats")


@bp.get("/<game>")
def explore(game: str) -> Response:
    """Return the moves chosen at a version of a match, or after some moves from the start."""
    known = annals().game(game)
    parameters = parse_query(QUERY)
    position = (
        _position_of_match(known, parameters)
        if "match" in parameters
        else _position_after_moves(known, parameters)
    )
    return json_response(context().explorer.answer(position, parameters["limit"]))


def _position_of_match(game: Game[Any], parameters: Json) -> PositionQuery:
    """Return the position of the match that the query names, as a spectator sees it."""
    if surplus := [name for name in FROM_START_PARAMETERS if name in parameters]:
        raise BadQuery([(name, "Use either `match` or this, not both.") for name in surplus])
    now = queries.match_for(annals(), parameters["match"], viewer_id())
    if now.game is not game:
        raise BadQuery([("match", f"This is a match of {now.game.title}.")])
    return explorer.query_of_match(queries.at_version(annals(), now, parameters.get("version")))


def _position_after_moves(game: Game[Any], parameters: Json) -> PositionQuery:
    """Return the position after the moves of the query."""
    if "version" in parameters:
        raise BadQuery([("version", "`version` needs `match`.")])
    moves = _read_json(
        "moves", parameters, list[dict[str, Any]], "a JSON array of moves, as in `legal-moves`"
    )
    options = _read_json(
        "options", parameters, dict[str, Any], "a JSON object of options, as for a new match"
    )
    return explorer.query_of_moves(game, parameters.get("seats"), options, moves)


def _read_json(name: str, parameters: Json, kind: Any, expected: str) -> Any:  # noqa: ANN401  as it is asked for
    """JSON in the query; None if it is absent."""
    if name not in parameters:
        return None
    try:
        return msgspec.convert(decode_json(parameters[name].encode()), kind)
    except (BadRequest, msgspec.ValidationError) as error:
        raise BadQuery([(name, f"Expected {expected}.")]) from error
