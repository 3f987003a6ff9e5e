"""Opening tables, also as forks of other matches; finding them, looking at them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from flask import Blueprint, Response
from marshmallow import ValidationError

from domain.match import visibility
from domain.match.decisions import forks, lobby
from domain.match.dice import KeyedDice, commitment_to
from domain.match.errors import Forbidden
from domain.match.state import Chair, ClockRule
from projections.core.summary import Summary
from projections.lists.matches import find, forks_of
from projections.lists.pages import Page
from service.accounts.client_networks import note_origin
from service.accounts.players import Player
from service.http.context import annals, caller, viewer_id, whose_share
from service.http.json_responses import Json, answer
from service.http.language import language_of_words
from service.http.requests import body, command, query
from service.http.responses import list_responses
from service.http.responses.representation import Representation, look, unchanged
from service.http.schemas.common import ForksQuery, MatchesQuery, MatchQuery, NewFork, NewMatch
from service.matches import commands, queries
from service.matches.sentences import teller_for

bp = Blueprint("matches", __name__, url_prefix="/v1/matches")
MATCHES, NEW_MATCH, STATE = MatchesQuery(), NewMatch(), MatchQuery()
FORKS, NEW_FORK = ForksQuery(), NewFork()
PLAIN = ("options", "undo", "on_timeout", "substitute", "visibility", "position")


@bp.post("")
def create() -> Response:
    """Open a table."""
    player = caller("host")
    data = body(NEW_MATCH)
    ask = command(player)
    game = annals().games.get(data["game"])
    if game is None:
        raise ValidationError({"game": [list_responses.known_games()]})
    plan = _plan(player, data, commands.new_match_id(player.id, ask.key))
    receipt = commands.create(annals(), plan, game, ask, bytes.fromhex(data.get("seed") or ""))
    note_origin(annals().store.redis, player.id, whose_share().address)
    return _created(receipt, player)


@bp.get("")
def find_matches() -> Response:
    """The lobby and the history, the newest first."""
    asked = query(MATCHES)
    list_responses.check_game(asked)
    list_responses.catch_up(asked)
    store = annals().store
    page = find(
        store.redis,
        store.partitions,
        game=asked.get("game"),
        status=asked.get("status"),
        player=asked.get("player"),
        viewer=viewer_id(),
        after=asked.get("after"),
        limit=asked["limit"],
    )
    return _listed(page)


@bp.post("/<match_id:match_id>/forks")
def fork(match_id: str) -> Response:
    """Open a match that begins at a moment of another one."""
    player = caller("host")
    data = body(NEW_FORK)
    ask = command(player)
    new = commands.new_match_id(player.id, ask.key)
    if receipt := commands.opened(annals(), new, ask):
        return _created(receipt, player)
    source = queries.match_for(annals(), match_id, player.id)
    if data.get("visibility") == "public" and not forks.open_to_all(source):
        raise Forbidden("fork_is_private", "What it begins with is not for everybody.")
    moment = queries.at_version(annals(), source, data["version"])
    dice = KeyedDice(secrets.token_bytes(32), 0)
    plan = forks.planned(source, moment, _plan(player, data, new), dice)
    receipt = commands.create(annals(), plan, source.game, ask)
    note_origin(annals().store.redis, player.id, whose_share().address)
    return _created(receipt, player)


@bp.get("/<match_id:match_id>/forks")
def find_forks(match_id: str) -> Response:
    """The forks of a match, the newest first."""
    asked = query(FORKS)
    queries.match_for(annals(), match_id, viewer_id())
    list_responses.catch_up(asked)
    store = annals().store
    page = forks_of(
        store.redis,
        store.partitions,
        match_id,
        viewer=viewer_id(),
        after=asked.get("after"),
        limit=asked["limit"],
    )
    return _listed(page)


@bp.get("/<match_id:match_id>")
def state(match_id: str) -> Response:
    """The match as the caller may see it."""
    asked = query(STATE)
    shown, language = look(match_id, asked), language_of_words(asked)
    names = queries.names_at(annals(), shown.match)
    headers = shown.headers_with(names, language)
    if same := unchanged(headers):
        return same
    content = queries.table_view(shown.match, shown.seat, names, asked["board"])
    if language:
        says = teller_for(annals(), shown.match, shown.seat, language).asked()
        content["awaiting"] = [{**one, "says": says} for one in content["awaiting"]]
    return answer(content, headers=headers)


def _listed(page: Page[Summary]) -> Response:
    content = {
        "matches": list_responses.summaries(page.items),
        "next": page.next,
        "behind": page.behind,
    }
    return answer(content, headers=list_responses.next_link(page.next))


def _created(receipt: commands.Receipt, player: Player) -> Response:
    match = receipt.match
    shown = Representation(match, visibility.viewing_seat(match, player.id), fixed=False)
    names = queries.names_at(annals(), match)
    headers = {**shown.headers_with(names), "Location": f"/v1/matches/{match.id}"}
    if receipt.repeated:
        headers["Idempotency-Replayed"] = "true"
    return answer(queries.table_view(match, shown.seat, names), 201, headers)


def _plan(player: Player, data: Json, match_id: str) -> lobby.Plan:
    clock = data.get("clock")
    return lobby.Plan(
        match=match_id,
        host=player.id,
        chairs=_chairs(player, data),
        clock=ClockRule(**clock) if clock else None,
        nonces=bytes.fromhex(data.get("nonce") or ""),
        expires=commands.lobby_expiry(annals()),
        **{name: data[name] for name in PLAIN if name in data},
    )


def _chairs(player: Player, data: Json) -> tuple[Chair, ...]:
    nonce = data.get("nonce")
    promised = commitment_to(bytes.fromhex(nonce)) if nonce else data.get("commitment")
    own = Chair(player=player.id, commitment=promised)
    return tuple(
        own if "me" in seat else _chair(place, seat)
        for place, seat in enumerate(data.get("seats", ()))
    )


def _chair(place: int, seat: Mapping[str, str]) -> Chair:
    if "bot" in seat:
        return Chair(bot=seat["bot"])
    if "open" in seat:
        return Chair()
    invited = annals().players.by_name(seat["invite"])
    if invited is None:
        raise ValidationError({"seats": {place: {"invite": ["Nobody has this name."]}}})
    return Chair(invited=invited.id)
