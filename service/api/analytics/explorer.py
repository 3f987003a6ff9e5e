"""What was chosen in positions of finished public matches."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response
from werkzeug.exceptions import BadRequest

from domain.engine.game import Game, Json
from service.analytics import explorer
from service.analytics.explorer import Asked
from service.http.context import annals, context, viewer_id
from service.http.json_responses import answer
from service.http.requests import decode, query
from service.http.schemas.explorer import ExplorerQuery
from service.matches import queries
from service.runtime.errors import BadQuery

bp = Blueprint("explorer", __name__, url_prefix="/v1/analytics/explorer")
ASKED = ExplorerQuery()
FROM_START = ("moves", "options", "seats")


@bp.get("/<game>")
def explore(game: str) -> Response:
    """What was chosen at a version of a match, or after some moves from the beginning."""
    known = annals().game(game)
    asked = query(ASKED)
    position = _of_match(known, asked) if "match" in asked else _of_moves(known, asked)
    return answer(context().explorer.tell(position, asked["limit"]))


def _of_match(game: Game[Any], asked: Json) -> Asked:
    """The position of the match that is named, which the caller may see as a spectator."""
    if named := [name for name in FROM_START if name in asked]:
        raise BadQuery(
            [(name, "A match is named already: leave one of them out.") for name in named]
        )
    now = queries.match_for(annals(), asked["match"], viewer_id())
    if now.game is not game:
        raise BadQuery([("match", f"It is a match of {now.game.title}.")])
    return explorer.of_match(queries.at_version(annals(), now, asked.get("version")))


def _of_moves(game: Game[Any], asked: Json) -> Asked:
    """The position after the moves that are named."""
    if "version" in asked:
        raise BadQuery([("version", "Name the `match`, too.")])
    moves = _read(
        "moves", asked, list[dict[str, Any]], "a JSON array of moves, as in `legal-moves`"
    )
    options = _read(
        "options", asked, dict[str, Any], "a JSON object of options, as for a new match"
    )
    return explorer.of_moves(game, asked.get("seats"), options, moves)


def _read(name: str, asked: Json, kind: Any, what: str) -> Any:  # noqa: ANN401  as it is asked for
    """JSON in the query; None if there is none."""
    if name not in asked:
        return None
    try:
        return msgspec.convert(decode(asked[name].encode()), kind)
    except (BadRequest, msgspec.ValidationError) as error:
        raise BadQuery([(name, f"This is to be {what}.")]) from error
