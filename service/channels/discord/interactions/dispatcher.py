"""The first answer to whatever somebody in Discord used."""

from __future__ import annotations

from domain.engine.errors import Refused
from domain.engine.game import why
from service.channels.chat.markup import plain
from service.channels.discord.components import PONG, choices, told
from service.channels.discord.context import Answer, Desk, Visit
from service.channels.discord.interactions import slash_commands
from service.channels.discord.interactions.autocomplete import completed
from service.channels.discord.interactions.buttons import pressed
from service.channels.discord.payloads import COMMAND, COMPLETION, COMPONENT, PING, Interaction
from service.runtime.errors import NotFound


def answer(desk: Desk, asked: Interaction) -> Answer:
    """What to answer at once, and what is to be done later; a refusal is an answer."""
    if asked.type == PING:
        return Answer({"type": PONG})
    try:
        return _answered(desk, asked)
    except Refused as refusal:
        return refused(desk, asked, refusal)


def refused(desk: Desk, asked: Interaction, refusal: Refused) -> Answer:
    """Tell those who asked, and nobody else, why not; whoever types is offered nothing."""
    if asked.type == COMPLETION:
        return Answer(choices(()))
    return Answer(told(plain(why(desk.annals.games.values(), refusal))))


def _answered(desk: Desk, asked: Interaction) -> Answer:
    if asked.who is None:
        raise NotFound("Discord did not say who you are.")
    player = desk.links.player_of(asked.who, desk.annals.now())
    visit = Visit(desk, asked, player, asked.who.id)
    if asked.type == COMPLETION:
        return completed(visit)
    if asked.type == COMPONENT:
        return pressed(visit)
    command = slash_commands.COMMANDS.get(asked.command) if asked.type == COMMAND else None
    if command is None:
        raise NotFound("There is no such command. `/annals help` tells which there are.")
    return command(visit)
