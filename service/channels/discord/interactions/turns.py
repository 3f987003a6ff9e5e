"""The matches that wait for a player, wherever they are played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from domain.engine.errors import Refusal
from domain.match.state import Match
from projections.lists.turns import Turn, find_turns
from service.accounts.people.visible_lists import find_visible_invitations
from service.channels.chat.markup import escape_markdown
from service.channels.discord.components import MAX_MENU_OPTIONS, button, private_answer, row
from service.channels.discord.context import FirstAnswer, InteractionContext
from service.channels.discord.custom_ids import CustomId
from service.matches import queries

MAX_BUTTONS = 5


def waiting_turns(context: InteractionContext) -> Iterator[tuple[Turn, Match]]:
    """Yield the matches that wait for the player, the most urgent first."""
    store = context.annals.store
    found = find_turns(store.redis, store.partitions, context.player.id, None, MAX_MENU_OPTIONS)
    for turn in found.items:
        with suppress(Refusal):  # the match is corrupt or gone
            yield turn, context.visible_match(turn.match)


def invitations(context: InteractionContext) -> Iterator[Match]:
    """Yield the tables that hold a seat for the player, the newest first."""
    store = context.annals.store
    player = context.player.id
    for table in find_visible_invitations(store.redis, store.partitions, player, MAX_MENU_OPTIONS):
        with suppress(Refusal):
            yield context.visible_match(table.id)


def list_turns(context: InteractionContext) -> FirstAnswer:
    """List the matches that wait for the player and their invitations, with buttons for the first
    of them.
    """
    found = [(match, _until(turn)) for turn, match in waiting_turns(context)]
    found += [(match, " \u00b7 you are invited") for match in invitations(context)]
    if not found:
        return FirstAnswer(private_answer("No match waits for you."))
    lines = [f"- {escape_markdown(label(context, match))}{more}" for match, more in found]
    buttons = [
        button(match.id, str(CustomId("bd", match.id, match.version)))
        for match, _ in found[:MAX_BUTTONS]
    ]
    return FirstAnswer(private_answer("\n".join(lines), [row(buttons)]))


def label(context: InteractionContext, match: Match) -> str:
    """Return a line that identifies a match: its game, its players and its id."""
    names = [name for name in queries.seat_names(context.annals, match) if name]
    return f"{match.game.title} \u00b7 {', '.join(names)} \u00b7 {match.id}"


def _until(turn: Turn) -> str:
    return "" if turn.deadline is None else f" \u00b7 <t:{turn.deadline // 1000}:R>"
