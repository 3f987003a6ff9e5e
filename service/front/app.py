"""Assembles the Flask application of the REST service."""

from __future__ import annotations

from flask import Flask
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from service.api.accounts import (
    account,
    forced_moves,
    mutes,
    people,
    players,
    sessions,
    standings,
)
from service.api.analytics import analytics, explorer, tables
from service.api.channels import change_streams, discord, mail, notices, push, webhooks
from service.api.matches import (
    analysis,
    audit,
    boards,
    bundles,
    events,
    hints,
    lessons,
    matches,
    moves,
    notes,
    proposals,
    results,
    seats,
    talk,
    undo,
)
from service.api.operations import admin, docs, games, guide, health, log
from service.http.addresses import MatchId
from service.http.context import Context
from service.http.middleware import add_middleware
from service.http.problems import add_problem_handlers, catch_all
from service.matches.container import Annals
from service.page import blueprint as pages

BLUEPRINTS = (
    account.bp, admin.bp, analysis.bp, analytics.bp, audit.bp, boards.bp, bundles.bp, discord.bp,
    docs.bp, events.bp, explorer.bp, forced_moves.bp, games.bp, guide.bp, hints.bp, lessons.bp,
    log.bp, mail.bp, matches.bp, moves.bp, mutes.bp, change_streams.bp, health.bp, notes.bp,
    notices.bp, pages.bp, people.bp, players.bp, proposals.bp, push.bp, results.bp, seats.bp,
    sessions.bp, standings.bp, tables.bp, talk.bp, undo.bp, webhooks.bp,
)  # fmt: skip


def create_app(annals: Annals) -> Flask:
    """Return the web application over this service."""
    app = Flask("service", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = annals.settings.body_limit + 1  # so that more is noticed
    if proxies := annals.settings.proxies:  # each adds an address, but passes on the scheme
        fixed = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=1)
        app.wsgi_app = fixed  # type: ignore[method-assign]
    app.wsgi_app = catch_all(app.wsgi_app)  # type: ignore[assignment,method-assign]
    app.extensions["annals"] = Context(annals)
    app.jinja_env.undefined = StrictUndefined  # a page with a misspelt name fails, and shows no gap
    app.url_map.converters["match_id"] = MatchId
    app.url_map.merge_slashes = False  # `//v1//games` is unknown: 404, no redirect
    add_middleware(app)
    add_problem_handlers(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app
