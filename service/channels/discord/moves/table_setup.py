"""Tables opened from Discord: who is to sit there."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.game import Game
from domain.match.decisions import lobby
from domain.match.dice import commitment_to
from domain.match.errors import Malformed
from domain.match.state import Chair, Match
from service.accounts.client_networks import note_origin
from service.channels.discord.context import Visit
from service.channels.discord.moves import option_parser
from service.matches import commands
from service.runtime.errors import NotFound


def opened(visit: Visit) -> Match:
    """A new table as they want it, which this channel sees; Refused."""
    annals = visit.annals
    game = game_named(visit)
    options = dict(option_parser.options(game, visit.typed("options")))
    plan = lobby.Plan(
        match=commands.new_match_id(visit.player.id, f"discord-{visit.asked.id}"),
        host=visit.player.id,
        chairs=_chairs(visit, game, game.seats_with(json_codec.read_options(game, options))),
        options=options,
        clock=option_parser.clock(visit.typed("clock")),
        nonces=luck(visit),
        visibility="private" if visit.yes("private") else "public",
        expires=commands.lobby_expiry(annals),
    )
    match = commands.create(annals, plan, game, visit.metadata()).match
    note_origin(annals.store.redis, visit.player.id, f"discord:{visit.user}")
    if visit.channel:
        visit.desk.channels.show(visit.channel, match.id, annals.now())
    return match


def luck(visit: Visit) -> bytes:
    """What they add to the dice: the hash of their words; nothing if they typed none."""
    words = visit.typed("luck")
    return sha256(words.encode()).digest() if words else b""


def game_named(visit: Visit) -> Game[Any]:
    """The game that they named, by its key or its title; NotFound."""
    wanted = visit.typed("game").casefold()
    for game in visit.annals.games.values():
        if wanted in (game.key.casefold(), game.title.casefold()):
            return game
    known = ", ".join(game.title for game in visit.annals.games.values())
    raise NotFound(f"There is no such game here. There are: {known}.")


def _chairs(visit: Visit, game: Game[Any], seats: range) -> tuple[Chair, ...]:
    """The seats: their own, their opponent's, free ones, bots; the fewest if they say no more."""
    bots, opponent = visit.number("bots") or 0, visit.typed("opponent")
    least = 1 + bots + bool(opponent)
    count = visit.number("seats") or max(seats[0], least)
    if least > count:
        raise Malformed("bad_seats", f"There is no room for {least} at a table for {count}.")
    level = game.levels[len(game.levels) // 2].key
    free = [_invited(visit, opponent)] if opponent else []
    free += [Chair() for _ in range(count - least)]
    nonce = luck(visit)
    own = Chair(player=visit.player.id, commitment=commitment_to(nonce) if nonce else None)
    return (own, *free, *(Chair(bot=level) for _ in range(bots)))


def _invited(visit: Visit, user: str) -> Chair:
    """The seat of somebody in Discord; a free one if they have no player yet."""
    player = visit.desk.links.known(user)
    if player is None and visit.yes("private"):
        raise NotFound("They have no player yet: let them use `/annals help` once.")
    return Chair(invited=player)
