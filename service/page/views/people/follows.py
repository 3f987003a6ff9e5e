"""The visitor's lists of players: whom they follow, and whom they block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response

from domain.engine.game import Game
from service.accounts.people import meeting, presence
from service.accounts.people.player_lists import PlayerList
from service.http.context import annals
from service.matches.queries import iso
from service.page.frame import bp, render
from service.page.visitor import visitor, visitor_language


@bp.get("/people")
def people() -> Response:
    """The players whom the visitor follows and blocks, and the games to which they can invite."""
    me, language, redis = visitor(), visitor_language(), annals().store.redis
    lists = {"follows": meeting.follows_in(redis), "blocks": meeting.blocks_in(redis)}
    people = {name: _rows(one, me.id, language) if me else [] for name, one in lists.items()}
    return render(
        "people",
        modules=("people/people.js",),
        people=people,
        presence=_presence_of([one["id"] for one in people["follows"]]),
        shows_presence=me is not None and presence.shows_presence(redis, me.id),
        max_players=meeting.MAX_FOLLOWED,
        games=[
            {"key": game.key, "title": game.title_in(language), "seats": _fewest_seats(game)}
            for game in annals().games.values()
        ],
    )


def relation_to(player: str) -> dict[str, bool] | None:
    """Return whether the visitor follows and blocks a player; None if they can do neither."""
    me, redis = visitor(), annals().store.redis
    if me is None or me.id == player or player.startswith("bot:"):
        return None
    lists = {"follows": meeting.follows_in(redis), "blocks": meeting.blocks_in(redis)}
    return {name: one.has(me.id, player) for name, one in lists.items()}


def _rows(people: PlayerList, player: str, language: str) -> list[dict[str, Any]]:
    """All players of a list, each with a name if the visitor can find them."""
    listed = people.page(player, None, people.max_players).items
    hidden = meeting.find_blocking(annals().store.redis, player, [one.id for one in listed])
    known = [one.id for one in listed if one.id not in hidden]
    names = annals().players.names(known, language)
    return [{"id": one.id, "name": names.get(one.id), "since": iso(one.since)} for one in listed]


def _presence_of(players: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return what these players show of whether they are here, by id."""
    store = annals().store
    found = presence.find_presence(store.redis, store.partitions, players, annals().now())
    return {who: {"state": one.state, "at": iso(one.seen_at)} for who, one in found.items()}


def _fewest_seats(game: Game[Any]) -> int:
    """Return the smallest number of seats for two people."""
    return next(seats for seats in game.seats if seats >= 2)
