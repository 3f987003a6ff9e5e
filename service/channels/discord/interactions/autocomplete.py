"""Choices that complete what a player types in an option of a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from domain.engine.errors import Refusal
from service.channels.discord.context import InteractionContext
from service.channels.discord.interactions.slash_commands import find_match, own_seats
from service.channels.discord.interactions.turns import label, waiting_turns
from service.channels.discord.moves.move_menus import MoveMenu
from service.channels.discord.moves.option_parser import suggest_clocks, suggest_options
from service.channels.discord.moves.table_setup import find_game

Choices = Iterator[tuple[str, str]]


def complete_games(context: InteractionContext, typed: str) -> Choices:
    """Games by title."""
    for game in context.annals.games.values():
        if typed.casefold() in game.title.casefold():
            yield game.title, game.key


def complete_options(context: InteractionContext, typed: str) -> Choices:
    """Options of the chosen game."""
    return suggest_options(find_game(context), typed)


def complete_clocks(_context: InteractionContext, typed: str) -> Choices:
    """Clocks, by their text or description."""
    return suggest_clocks(typed)


def complete_matches(context: InteractionContext, typed: str) -> Choices:
    """Matches that this channel shows, and matches that wait for the player."""
    waiting = (match.id for _, match in waiting_turns(context))
    for match_id in dict.fromkeys([*context.discord.channels.matches(context.channel), *waiting]):
        with suppress(Refusal):
            shown = label(context, context.visible_match(match_id))
            if typed.casefold() in shown.casefold():
                yield shown, match_id


def complete_moves(context: InteractionContext, typed: str) -> Choices:
    """Legal moves of the player."""
    match = find_match(
        context, lambda match: bool(set(match.seats_to_move) & set(own_seats(context, match)))
    )
    seat = next(seat for seat in match.seats_to_move if seat in own_seats(context, match))
    yield from MoveMenu(context.annals, match, seat).search(typed)


def complete_rules(context: InteractionContext, typed: str) -> Choices:
    """Rules of the chosen game, by number or text."""
    for number, words in find_game(context).rulebook.rules.items():
        if typed.casefold() in f"{number} {words}".casefold():
            yield f"{number} {words}", number
