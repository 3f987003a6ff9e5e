"""Dispatches interactions to their handlers."""

from __future__ import annotations

from itertools import islice

from domain.engine.contract.refusals import refusal_reason
from domain.engine.errors import Refusal
from service.channels.chat.markup import escape_outside_code
from service.channels.discord.components import (
    MAX_MENU_OPTIONS,
    PONG,
    autocomplete_answer,
    private_answer,
)
from service.channels.discord.context import DiscordContext, FirstAnswer, InteractionContext
from service.channels.discord.interactions.buttons import handle_button
from service.channels.discord.interactions.commands import COMMANDS, Command
from service.channels.discord.payloads import COMMAND, COMPLETION, COMPONENT, PING, Interaction
from service.runtime.errors import NotFound


def answer(discord: DiscordContext, interaction: Interaction) -> FirstAnswer:
    """Return the first answer to an interaction, and its follow-up jobs; a refusal is an answer,
    too.
    """
    if interaction.type == PING:
        return FirstAnswer({"type": PONG})
    try:
        return _dispatch(discord, interaction)
    except Refusal as refusal:
        return answer_refusal(discord, interaction, refusal)


def answer_refusal(
    discord: DiscordContext, interaction: Interaction, refusal: Refusal
) -> FirstAnswer:
    """Explain a refusal, visible to the sender only; autocompletion gets no choices."""
    if interaction.type == COMPLETION:
        return FirstAnswer(autocomplete_answer(()))
    return FirstAnswer(
        private_answer(escape_outside_code(refusal_reason(discord.annals.games.values(), refusal)))
    )


def _dispatch(discord: DiscordContext, interaction: Interaction) -> FirstAnswer:
    if interaction.sender is None:
        raise NotFound("Discord did not say who you are.")
    player = discord.links.get_or_create_player(interaction.sender, discord.annals.now())
    context = InteractionContext(discord, interaction, player, interaction.sender.id)
    if interaction.type == COMPONENT:
        return handle_button(context)
    command = COMMANDS.get(interaction.command)
    if command is None or interaction.type not in (COMMAND, COMPLETION):
        raise NotFound("There is no such command. `/annals help` lists all commands.")
    return (
        _complete(context, command) if interaction.type == COMPLETION else command.handle(context)
    )


def _complete(context: InteractionContext, command: Command) -> FirstAnswer:
    """Return choices for the option that the player is typing; none if it has no completion, or if
    the other options do not fit yet.
    """
    typing = context.interaction.focused
    suggest = command.suggest(typing.name) if typing else None
    if typing is None or suggest is None:
        return FirstAnswer(autocomplete_answer(()))
    choices = suggest(context, str(typing.value or ""))
    return FirstAnswer(autocomplete_answer(islice(choices, MAX_MENU_OPTIONS)))
