"""Opens tables and forks, lists matches and shows them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from flask import Blueprint, Response
from marshmallow import ValidationError
from msgspec import to_builtins

from domain.match.decisions import forks, lobby
from domain.match.decisions.absence import DAY_MS
from domain.match.dice import KeyedDice, commitment_to
from domain.match.errors import Forbidden
from domain.match.state import Chair, ClockRule
from projections.core.summary import Summary
from projections.lists.pages import Page
from service.accounts.client_networks import store_network
from service.accounts.people.lookup import find_invitee
from service.accounts.people.visible_lists import find_forks, find_matches
from service.accounts.players import Player
from service.http.context import annals, authenticate, caller, viewer_id
from service.http.json_responses import Json, json_response
from service.http.language import sentence_language
from service.http.requests import command_metadata, parse_body, parse_query
from service.http.responses import list_responses
from service.http.responses.command_responses import creation_response
from service.http.responses.representation import not_modified, represent
from service.http.schemas.commands import NewFork, NewMatch
from service.http.schemas.common import ForksQuery, MatchesQuery, MatchQuery
from service.matches import commands, queries
from service.matches.sentences import narrator_for

bp = Blueprint("matches", __name__, url_prefix="/v1/matches")
MATCHES, NEW_MATCH, STATE = MatchesQuery(), NewMatch(), MatchQuery()
FORKS, NEW_FORK = ForksQuery(), NewFork()
PLAIN_SETTINGS = (
    "options", "undo", "on_timeout", "substitute", "visibility", "position", "min_reliability",
)  # fmt: skip


@bp.post("")
def create() -> Response:
    """Open a table."""
    player = authenticate("host")
    data = parse_body(NEW_MATCH)
    metadata = command_metadata(player)
    game = annals().games.get(data["game"])
    if game is None:
        raise ValidationError({"game": [list_responses.games_message()]})
    plan = _make_plan(player, data, commands.new_match_id(player.id, metadata.key))
    store_network(annals().store.redis, player.id, caller().address)
    receipt = commands.create(annals(), plan, game, metadata, bytes.fromhex(data.get("seed") or ""))
    return creation_response(receipt, player)


@bp.get("")
def list_matches() -> Response:
    """Return the matches of the lobby and the history, the newest first."""
    parameters = parse_query(MATCHES)
    list_responses.check_game(parameters)
    list_responses.catch_up(parameters)
    store = annals().store
    page = find_matches(
        store.redis,
        store.partitions,
        game=parameters.get("game"),
        status=parameters.get("status"),
        player=parameters.get("player"),
        viewer=viewer_id(),
        after=parameters.get("after"),
        limit=parameters["limit"],
    )
    return _list_response(page)


@bp.post("/<match_id:match_id>/forks")
def fork(match_id: str) -> Response:
    """Open a match that begins at a version of another one."""
    player = authenticate("host")
    data = parse_body(NEW_FORK)
    metadata = command_metadata(player)
    new = commands.new_match_id(player.id, metadata.key)
    if receipt := commands.replay_create(annals(), new, metadata):
        return creation_response(receipt, player)
    source = queries.match_for(annals(), match_id, player.id)
    if data.get("visibility") == "public" and not forks.is_public(source):
        raise Forbidden(
            "fork_is_private",
            "The position of a private or unfinished match stays private. Leave out `visibility`.",
        )
    past = queries.at_version(annals(), source, data["version"])
    dice = KeyedDice(secrets.token_bytes(32), 0)
    plan = forks.plan_fork(source, past, _make_plan(player, data, new), dice)
    store_network(annals().store.redis, player.id, caller().address)
    receipt = commands.create(annals(), plan, source.game, metadata)
    return creation_response(receipt, player)


@bp.get("/<match_id:match_id>/forks")
def list_forks(match_id: str) -> Response:
    """Return the forks of a match, the newest first."""
    parameters = parse_query(FORKS)
    queries.match_for(annals(), match_id, viewer_id())
    list_responses.catch_up(parameters)
    store = annals().store
    page = find_forks(
        store.redis,
        store.partitions,
        match_id,
        viewer=viewer_id(),
        after=parameters.get("after"),
        limit=parameters["limit"],
    )
    return _list_response(page)


@bp.get("/<match_id:match_id>")
def state(match_id: str) -> Response:
    """Return the match as the caller may see it."""
    parameters = parse_query(STATE)
    shown, language = represent(match_id, parameters), sentence_language(parameters)
    names = queries.player_names(annals(), shown.match)
    headers = shown.headers_with(names, language)
    if same := not_modified(headers):
        return same
    content = queries.table_view(shown.match, shown.seat, names, parameters["board"])
    if language:
        lent = shown.is_lent
        narrator = narrator_for(annals(), shown.match, shown.seat, language, is_lent=lent)
        prompt = narrator.prompt()
        content["awaiting"] = [{**one, "prompt": prompt} for one in content["awaiting"]]
        if outcome := content["outcome"]:
            content["outcome"] = {**to_builtins(outcome), "text": narrator.own_outcome()}
    return json_response(content, headers=headers)


def _list_response(page: Page[Summary]) -> Response:
    content = {
        "matches": list_responses.summaries(page.items),
        "next": page.next,
        "lag": page.lag,
    }
    return json_response(content, headers=list_responses.next_link(page.next))


def _make_plan(player: Player, data: Json, match_id: str) -> lobby.Plan:
    clock = data.get("clock")
    return lobby.Plan(
        match=match_id,
        host=player.id,
        chairs=_make_chairs(player, data),
        clock=ClockRule(**clock) if clock else None,
        patience_ms=data.get("patience_days", 0) * DAY_MS or None,
        nonces=bytes.fromhex(data.get("nonce") or ""),
        expires=commands.lobby_expiry(annals()),
        **{name: data[name] for name in PLAIN_SETTINGS if name in data},
    )


def _make_chairs(player: Player, data: Json) -> tuple[Chair, ...]:
    nonce = data.get("nonce")
    commitment = commitment_to(bytes.fromhex(nonce)) if nonce else data.get("commitment")
    own = Chair(player=player.id, commitment=commitment)
    return tuple(
        own if "me" in seat else _make_chair(player, place, seat)
        for place, seat in enumerate(data.get("seats", ()))
    )


def _make_chair(host: Player, place: int, seat: Mapping[str, str]) -> Chair:
    if "bot" in seat:
        return Chair(bot=seat["bot"])
    if "open" in seat:
        return Chair()
    invited = find_invitee(annals().store.redis, annals().players, seat["invite"], host.id)
    if invited is None:
        raise ValidationError(
            {"seats": {place: {"invite": ["There is no player with this name."]}}}
        )
    return Chair(invited=invited.id)
