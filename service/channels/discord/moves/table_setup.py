"""Opens tables from Discord."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.game import Game
from domain.match.decisions import lobby
from domain.match.decisions.absence import DAY_MS
from domain.match.dice import commitment_to
from domain.match.errors import InvalidCommand
from domain.match.state import Chair, Match
from service.accounts.client_networks import store_network
from service.accounts.people.meeting import may_meet
from service.channels.discord.context import InteractionContext
from service.channels.discord.moves import option_parser
from service.matches import commands
from service.runtime.errors import NotFound
from service.store.redis_failures import log_redis_failures


def open_table(context: InteractionContext) -> Match:
    """Open the table that the command describes, and show it in this channel. Raises Refusal."""
    annals = context.annals
    game = find_game(context)
    options = dict(option_parser.parse_options(game, context.text("options")))
    plan = lobby.Plan(
        match=commands.new_match_id(context.player.id, f"discord-{context.interaction.id}"),
        host=context.player.id,
        chairs=_chairs(context, game, game.seats_for(json_codec.read_options(game, options))),
        options=options,
        clock=option_parser.parse_clock(context.text("clock")),
        nonces=dice_nonce(context),
        patience_ms=_patience_ms(context),
        min_reliability=context.number("reliability"),
        visibility="private" if context.flag("private") else "public",
        expires=commands.lobby_expiry(annals),
    )
    store_network(annals.store.redis, context.player.id, f"discord:{context.user}")
    match = commands.create(annals, plan, game, context.metadata()).match
    if context.channel:
        with log_redis_failures("channel_lacks_match", match=match.id):
            context.discord.channels.add_match(context.channel, match.id, annals.now())
    return match


def dice_nonce(context: InteractionContext) -> bytes:
    """Return the player's nonce for the dice: the hash of their words, or empty if they
    typed none.
    """
    words = context.text("luck")
    return sha256(words.encode()).digest() if words else b""


def find_game(context: InteractionContext) -> Game[Any]:
    """Return the game of the option `game`, by its key or title. Raises NotFound."""
    chosen = context.text("game").casefold()
    for game in context.annals.games.values():
        if chosen in (game.key.casefold(), game.title.casefold()):
            return game
    known = ", ".join(game.title for game in context.annals.games.values())
    raise NotFound(f"There is no such game. The games are: {known}.")


def _patience_ms(context: InteractionContext) -> int | None:
    """Return the patience that the command names, if any. Raises InvalidCommand with a clock."""
    days = context.number("patience")
    if days and context.text("clock"):
        raise InvalidCommand("bad_clock", "A match with a clock has no patience.")
    return days and days * DAY_MS


def _chairs(context: InteractionContext, game: Game[Any], seats: range) -> tuple[Chair, ...]:
    """Return the player's seat, the opponent's, free seats and bots; the fewest seats unless the
    command says.
    """
    bots, opponent = context.number("bots") or 0, context.text("opponent")
    minimum = 1 + bots + bool(opponent)
    count = context.number("seats") or max(seats[0], minimum)
    if minimum > count:
        raise InvalidCommand("bad_seats", f"A table for {count} has no room for {minimum}.")
    level = game.levels[len(game.levels) // 2].key
    free = [_opponent_seat(context, opponent)] if opponent else []
    free += [Chair() for _ in range(count - minimum)]
    nonce = dice_nonce(context)
    own = Chair(player=context.player.id, commitment=commitment_to(nonce) if nonce else None)
    return (own, *free, *(Chair(bot=level) for _ in range(bots)))


def _opponent_seat(context: InteractionContext, user: str) -> Chair:
    """Return the seat of a Discord user; a free seat if they have no player yet, or if the two may
    not meet.
    """
    redis, player = context.annals.store.redis, context.discord.links.player_id_of(user)
    if player and not may_meet(redis, context.player.id, player):
        player = None
    if player is None and context.flag("private"):
        raise NotFound("This user has no player yet. Ask them to use `/annals help` once.")
    return Chair(invited=player)
