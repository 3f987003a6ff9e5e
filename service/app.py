"""The REST service, put together."""

from __future__ import annotations

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter

from service.api import (
    boards,
    docs,
    games,
    history,
    matches,
    moves,
    operations,
    players,
    seats,
    standings,
    takeback,
)
from service.api.around import surround
from service.api.http import Parts
from service.api.problems import handle_problems
from service.commands import Annals

BLUEPRINTS = (
    boards.bp, docs.bp, games.bp, history.bp, matches.bp, moves.bp, operations.bp, players.bp,
    seats.bp, standings.bp, takeback.bp,
)  # fmt: skip


class MatchId(BaseConverter):
    """The id of a match in an address."""

    regex = "[a-z0-9][a-z0-9-]{0,63}"


def create_app(annals: Annals) -> Flask:
    """The web application over this service."""
    app = Flask("service", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = annals.settings.body_limit + 1  # so that more is noticed
    if proxies := annals.settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies)  # type: ignore[method-assign]
    app.extensions["annals"] = Parts(annals)
    app.url_map.converters["match_id"] = MatchId
    app.url_map.merge_slashes = False  # `//v1//games` is no address, and not one to be sent on from
    surround(app)
    handle_problems(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app
