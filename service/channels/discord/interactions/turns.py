"""The matches that wait for a player, wherever they are played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from domain.engine.errors import Refusal
from domain.match.state import Match
from projections.lists.turns import Turn, find_turns
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


def list_turns(context: InteractionContext) -> FirstAnswer:
    """List the matches that wait for the player, with buttons for the first of them."""
    found = list(waiting_turns(context))
    if not found:
        return FirstAnswer(private_answer("No match waits for you."))
    lines = [f"- {escape_markdown(label(context, match))}{_until(turn)}" for turn, match in found]
    buttons = [
        button(match.id, str(CustomId("bd", match.id, match.version)))
        for _, match in found[:MAX_BUTTONS]
    ]
    return FirstAnswer(private_answer("\n".join(lines), [row(buttons)]))


def label(context: InteractionContext, match: Match) -> str:
    """Return a line that identifies a match: its game, its players and its id."""
    names = [name for name in queries.seat_names(context.annals, match) if name]
    return f"{match.game.title} \u00b7 {', '.join(names)} \u00b7 {match.id}"


def _until(turn: Turn) -> str:
    return "" if turn.deadline is None else f" \u00b7 <t:{turn.deadline // 1000}:R>"
