"""The operator's page: what `/v1/admin` answers, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from flask import Response
from marshmallow import Schema

from service.admin import lists
from service.admin.reported_messages import list_reports
from service.admin.setting_rows import hide_secrets
from service.http.context import annals, check_operator, context
from service.http.requests import check_parameters
from service.http.schemas.admin import OffsetQuery, SearchQuery
from service.page.frame import bp, render
from service.page.visitor import visitor, visitor_language
from service.runtime.program_version import VERSION

SEARCH, OFFSET = SearchQuery(), OffsetQuery()
CHART = 300, 60
"""Width and height of a chart."""
CHARTS = ("moves_per_s", "p50_ms", "p99_ms", "errors", "disk_free_mb", "memory_free_mb")


class Chart(NamedTuple):
    """A line of values, as points of SVG, with its least, greatest and last value."""

    points: str
    least: float
    greatest: float
    last: float


@bp.get("/admin")
def admin_health() -> Response:
    """How the service fares."""
    check_operator(visitor())
    health = context().health.read()
    charts = {name: draw_chart(health["history"][name]) for name in CHARTS}
    backups = lists.describe_backups(annals())
    return _render("health", health=health, charts=charts, backups=backups, version=VERSION)


@bp.get("/admin/players")
def admin_players() -> Response:
    """Players by name."""
    query = _read_query(SEARCH)
    found = lists.list_players(annals(), query["query"], query.get("after", ""), query["limit"])
    return _render("players", query=query["query"], found=found)


@bp.get("/admin/matches")
def admin_matches() -> Response:
    """Matches, the newest first."""
    query = _read_query(SEARCH)
    found = lists.list_matches(annals(), query["query"], query.get("after"), query["limit"])
    language, games = visitor_language(), annals().games
    titles = {key: game.title_in(language) for key, game in games.items()}
    bots = {key: game.bot_names(language) for key, game in games.items()}
    return _render("matches", query=query["query"], found=found, titles=titles, bots=bots)


@bp.get("/admin/reports")
def admin_reports() -> Response:
    """Messages that players have reported."""
    query = _read_query(OFFSET)
    found = list_reports(annals(), query.get("after", 0), query["limit"], visitor_language())
    return _render("reports", found=found)


@bp.get("/admin/webhooks")
def admin_webhooks() -> Response:
    """Webhooks that fail."""
    query = _read_query(OFFSET)
    after = query.get("after", 0)
    found = lists.list_webhooks(annals(), context().webhooks, after, query["limit"])
    return _render("webhooks", found=found)


@bp.get("/admin/backups")
def admin_backups() -> Response:
    """The last backup, and the next one."""
    check_operator(visitor())
    place = hide_secrets(annals().settings.backup)
    return _render("backups", backups=lists.describe_backups(annals()), place=place)


@bp.get("/admin/settings")
def admin_settings() -> Response:
    """All settings."""
    check_operator(visitor())
    return _render("settings", **lists.list_settings(annals()))


@bp.get("/admin/actions")
def admin_actions() -> Response:
    """What operators did."""
    query = _read_query(OFFSET)
    found = lists.list_actions(annals(), query.get("after"), query["limit"])
    return _render("actions", found=found)


def draw_chart(values: Sequence[float | None]) -> Chart | None:
    """Return a chart of these values, None where there are fewer than two."""
    known = [(place, value) for place, value in enumerate(values) if value is not None]
    if len(known) < 2:
        return None
    width, height = CHART
    least, greatest = (choose(value for _, value in known) for choose in (min, max))
    across, up = width / (len(values) - 1), height / ((greatest - least) or 1)
    points = (f"{place * across:.1f},{height - (value - least) * up:.1f}" for place, value in known)
    return Chart(" ".join(points), least, greatest, known[-1][1])


def _read_query(schema: Schema) -> dict[str, Any]:
    """Return the query, for operators. Raises NotAnOperator, BadQuery."""
    check_operator(visitor())
    return check_parameters(schema, "query", "after", "limit")


def _render(section: str, **parts: Any) -> Response:  # noqa: ANN401 - each section has its own
    return render(f"admin_{section}", modules=("admin/admin.js",), section=section, **parts)
