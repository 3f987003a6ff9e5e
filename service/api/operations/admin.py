"""What operators see and do; other callers get 403. The page `/admin` shows the same."""

from __future__ import annotations

from flask import Blueprint, Response

from service.admin import lists
from service.admin.moderation import Moderation, find_player
from service.admin.reported_messages import list_reports
from service.http.addresses import MATCH
from service.http.context import annals, authenticate, check_operator, context
from service.http.json_responses import NO_STORE, Json, json_response
from service.http.language import language
from service.http.requests import parse_body, parse_query
from service.http.responses.list_responses import catch_up, next_link
from service.http.schemas.admin import Ban, Closing, OffsetQuery, SearchQuery, WebhookSwitch
from service.http.schemas.common import EmptyObject
from service.http.schemas.talk import Mute
from service.store.redis_failures import log_redis_failures

PREFIX = "/v1/admin"
bp = Blueprint("admin", __name__, url_prefix=PREFIX)
SEARCH, OFFSET, NOTHING = SearchQuery(), OffsetQuery(), EmptyObject()
BAN, CLOSING, SWITCH, MUTE = Ban(), Closing(), WebhookSwitch(), Mute()


@bp.get("/health")
def health() -> Response:
    """Return how the service fares."""
    parse_query(NOTHING)
    _authenticate()
    return json_response(context().health.read())


@bp.get("/players")
def players() -> Response:
    """Return players by name."""
    query = parse_query(SEARCH)
    _authenticate()
    after = query.get("after", "")
    return _page(lists.list_players(annals(), query["query"], after, query["limit"]))


@bp.post("/players/<player>/ban")
def ban(player: str) -> Response:
    """Ban a player; respond with the matches that they have left, and those that they could not
    leave.
    """
    moderation, data = _authenticate(), parse_body(BAN)
    found = find_player(annals(), player)
    keep_matches = data.get("keep_matches", False)
    left = moderation.ban(found.id, data["reason"], keep_matches=keep_matches)
    return json_response(left._asdict())


@bp.delete("/players/<player>/ban")
def lift_ban(player: str) -> Response:
    """Lift the ban of a player."""
    _authenticate().lift_ban(find_player(annals(), player).id)
    return Response(status=204)


@bp.post("/players/<player>/token")
def replace_tokens(player: str) -> Response:
    """Revoke all tokens and recovery codes of a player; respond with a new token, once."""
    moderation = _authenticate()
    parse_body(NOTHING, optional=True)
    found = find_player(annals(), player)
    token = moderation.replace_tokens(found.id)
    content = {"player": {"id": found.id, "name": found.name}, "token": token}
    return json_response(content, 201, NO_STORE)


@bp.put("/players/<player>/mute")
def mute(player: str) -> Response:
    """Mute a player at all tables, for some days or until an operator lifts it."""
    moderation, data = _authenticate(), parse_body(MUTE)
    moderation.mute(find_player(annals(), player).id, data["reason"], data.get("days"))
    return Response(status=204)


@bp.delete("/players/<player>/mute")
def lift_mute(player: str) -> Response:
    """Let a player talk again."""
    _authenticate().lift_mute(find_player(annals(), player).id)
    return Response(status=204)


@bp.get("/reports")
def reports() -> Response:
    """Return the messages that players have reported, the oldest first."""
    query = parse_query(OFFSET)
    _authenticate()
    return _page(list_reports(annals(), query.get("after", 0), query["limit"], language()))


@bp.delete("/reports/<report>")
def dismiss_report(report: str) -> Response:
    """Dismiss a report."""
    _authenticate().dismiss_report(report)
    return Response(status=204)


@bp.get("/matches")
def matches() -> Response:
    """Return matches, the newest first."""
    query = parse_query(SEARCH)
    _authenticate()
    return _page(lists.list_matches(annals(), query["query"], query.get("after"), query["limit"]))


@bp.post(f"{MATCH.removeprefix('/v1')}/close")
def close_match(match_id: str) -> Response:
    """End a match without a result."""
    moderation, data = _authenticate(), parse_body(CLOSING)
    moderation.close_match(match_id, data["reason"], data.get("note", ""))
    with log_redis_failures("lists_not_awaited", match=match_id):
        catch_up({"match": match_id, "min_version": annals().store.version(match_id)})
    return Response(status=204)


@bp.get("/webhooks")
def webhooks() -> Response:
    """Return the webhooks that fail."""
    query = parse_query(OFFSET)
    _authenticate()
    found = lists.list_webhooks(annals(), context().webhooks, query.get("after", 0), query["limit"])
    return _page(found)


@bp.patch("/webhooks/<webhook>")
def switch_webhook(webhook: str) -> Response:
    """Pause a webhook, or try it again now."""
    moderation, data = _authenticate(), parse_body(SWITCH)
    switch = moderation.retry_webhook if data["active"] else moderation.pause_webhook
    switch(context().webhooks, webhook)
    return Response(status=204)


@bp.get("/backups")
def backups() -> Response:
    """Return what became of the last backup, and when the next one is due."""
    parse_query(NOTHING)
    _authenticate()
    return json_response(lists.describe_backups(annals()))


@bp.post("/backups")
def make_backup() -> Response:
    """Have a backup made now."""
    moderation = _authenticate()
    parse_body(NOTHING, optional=True)
    moderation.request_backup()
    return json_response(lists.describe_backups(annals()), 202)


@bp.get("/settings")
def settings() -> Response:
    """Return all settings."""
    parse_query(NOTHING)
    _authenticate()
    return json_response(lists.list_settings(annals()))


@bp.get("/actions")
def actions() -> Response:
    """Return what operators did, the newest first."""
    query = parse_query(OFFSET)
    _authenticate()
    return _page(lists.list_actions(annals(), query.get("after"), query["limit"]))


def _authenticate() -> Moderation:
    """Return what the caller can do. Raises NotAnOperator, and what `authenticate` raises."""
    return Moderation(annals(), check_operator(authenticate("account")).id)


def _page(content: Json) -> Response:
    return json_response(content, headers=next_link(content["next"]))
