"""Handlers of buttons and menus. Each belongs to a version; the answer to an old one says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from domain.match.decisions import lobby, pauses, playing, proposals, undo
from domain.match.errors import Forbidden
from domain.match.state import Match
from service.channels.discord import custom_ids
from service.channels.discord.components import defer_answer, private_answer
from service.channels.discord.context import FirstAnswer, InteractionContext
from service.channels.discord.custom_ids import CustomId
from service.channels.discord.interactions.slash_commands import show_own_view
from service.channels.discord.moves.move_flow import (
    channel_follow_up,
    continue_move,
    show_in_channel,
    start_move,
)
from service.channels.discord.moves.move_menus import MoveMenu
from service.matches import commands
from service.matches.player_moves import take_seat
from service.runtime.errors import NotFound, StaleVersion

PICKED = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,2}){0,20}")
"""The value of an option: choices one after the other."""
ButtonHandler = Callable[[InteractionContext, Match, CustomId], FirstAnswer]


def handle_button(context: InteractionContext) -> FirstAnswer:
    """Handle a button or a menu. Raises Refusal."""
    custom_id = custom_ids.parse(context.interaction.data.custom_id)
    match = context.visible_match(custom_id.match)
    press = HANDLERS.get(custom_id.action)
    if press is None:
        raise NotFound("This button is not one of ours.")
    if custom_id.action in NEVER_STALE:
        return press(context, match, custom_id)
    if custom_id.version != match.version:
        return answer_stale(context, match)
    try:
        return press(context, match, custom_id)
    except StaleVersion:  # the match changed after it was read
        return answer_stale(context, context.visible_match(custom_id.match))


def answer_stale(context: InteractionContext, match: Match) -> FirstAnswer:
    """Say that a button is old, and show the current state of the match."""
    note = f"This button is old: the match is at version {match.version} now."
    return FirstAnswer(defer_answer(private=True), [context.show_job(match, "own", note)])


def show_hand(context: InteractionContext, match: Match, _custom_id: CustomId) -> FirstAnswer:
    """Show the match from the player's seat."""
    return show_own_view(context, match)


def show_board(context: InteractionContext, match: Match, _custom_id: CustomId) -> FirstAnswer:
    """Show the current state to the player."""
    return FirstAnswer(defer_answer(private=True), [context.show_job(match, "own")])


def begin_move(context: InteractionContext, match: Match, _custom_id: CustomId) -> FirstAnswer:
    """Ask for a move."""
    return start_move(context, match)


def choose(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Add choices to the move and ask for the next one."""
    picked = "".join(context.interaction.data.values)
    if not PICKED.fullmatch(picked):
        raise NotFound("There is no such choice now.")
    return _show_step(context, match, custom_id, (*custom_id.path, *map(int, picked.split("."))))


def go_to(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Go back one choice, or make the move of the button."""
    return _show_step(context, match, custom_id, custom_id.path)


def join(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Take a seat."""
    receipt = context.record(
        match.id,
        take_seat(context.annals, context.player.id),
        (custom_id.version,),
    )
    return show_in_channel(context, receipt.match)


def decline(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Decline the player's invitations to the table."""
    receipt = context.record(
        match.id,
        lambda match, _: lobby.decline_invitation(match, context.player.id),
        (custom_id.version,),
    )
    return show_in_channel(context, receipt.match)


def start_with_bots(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Fill the free seats with bots, and start."""
    decision = commands.start(context.annals, context.player.id, None)
    return show_in_channel(context, context.record(match.id, decision, (custom_id.version,)).match)


def play_again(context: InteractionContext, match: Match, _custom_id: CustomId) -> FirstAnswer:
    """Offer to play again, or agree to it; a channel that shows the match shows the table."""
    table = commands.play_again(context.annals, match.id, context.metadata()).match
    if context.channel and context.channel_shows(match):
        context.discord.channels.add_match(context.channel, table.id, context.annals.now())
    return show_in_channel(context, table)


def agree(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Agree to an undo."""
    return _answer_undo(context, match, custom_id, True)


def refuse(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Refuse an undo, or withdraw it."""
    return _answer_undo(context, match, custom_id, False)


def agree_to_proposal(
    context: InteractionContext, match: Match, custom_id: CustomId
) -> FirstAnswer:
    """Agree to a proposal."""
    return _answer_proposal(context, match, custom_id, True)


def decline_proposal(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Decline a proposal, or withdraw it."""
    return _answer_proposal(context, match, custom_id, False)


def propose_end(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Propose to end the match, or agree to it."""
    receipt = context.record(
        match.id,
        lambda match, now: proposals.propose(match, context.player.id, "end", now),
        (custom_id.version,),
    )
    said = "The match has ended." if receipt.match.status == "aborted" else "You agree to end it."
    return FirstAnswer(private_answer(said, update=True), channel_follow_up(context, receipt.match))


def propose_bots(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Propose that bots play on for absent players."""
    receipt = context.record(
        match.id,
        lambda match, now: proposals.propose(match, context.player.id, "bot", now),
        (custom_id.version,),
    )
    return show_in_channel(context, receipt.match)


def propose_replacement(
    context: InteractionContext, match: Match, custom_id: CustomId
) -> FirstAnswer:
    """Propose that new players take the seats of absent ones."""
    receipt = context.record(
        match.id,
        lambda match, now: proposals.propose(match, context.player.id, "replacement", now),
        (custom_id.version,),
    )
    return show_in_channel(context, receipt.match)


def resume(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Resume a paused match."""
    receipt = context.record(
        match.id,
        lambda match, now: pauses.resume(match, context.player.id, now),
        (custom_id.version,),
    )
    return show_in_channel(context, receipt.match)


def resign(context: InteractionContext, match: Match, custom_id: CustomId) -> FirstAnswer:
    """Resign the match."""
    receipt = context.record(
        match.id,
        lambda match, now: playing.resign(match, context.player.id, now),
        (custom_id.version,),
    )
    return FirstAnswer(
        private_answer("You have resigned.", update=True), channel_follow_up(context, receipt.match)
    )


def _answer_undo(
    context: InteractionContext, match: Match, custom_id: CustomId, agree: bool
) -> FirstAnswer:
    receipt = context.record(
        match.id,
        lambda match, now: undo.answer(match, context.player.id, agree, now),
        (custom_id.version,),
    )
    return show_in_channel(context, receipt.match)


def _answer_proposal(
    context: InteractionContext, match: Match, custom_id: CustomId, agree: bool
) -> FirstAnswer:
    if match.proposal is None:
        return answer_stale(context, match)
    kind, player, pause_ms = match.proposal.kind, context.player.id, context.annals.pause_ms
    receipt = context.record(
        match.id,
        lambda match, now: proposals.answer(
            match, player, kind, now, agree=agree, pause_ms=pause_ms
        ),
        (custom_id.version,),
    )
    return show_in_channel(context, receipt.match)


def _show_step(
    context: InteractionContext, match: Match, custom_id: CustomId, path: tuple[int, ...]
) -> FirstAnswer:
    """Return the next choice of a move at the end of a path. Raises Forbidden if the seat is not
    the player's.
    """
    if custom_id.seat not in match.seats_of(context.player.id):
        raise Forbidden("not_your_seat", "This is not your seat.")
    assert custom_id.seat is not None
    return continue_move(context, match, MoveMenu(context.annals, match, custom_id.seat), path)


NEVER_STALE = ("hd", "bd", "ra")
"""Buttons that work at any version."""
HANDLERS: Mapping[str, ButtonHandler] = {
    "mv": begin_move,
    "st": choose,
    "bk": go_to,
    "pk": go_to,
    "hd": show_hand,
    "bd": show_board,
    "jn": join,
    "di": decline,
    "sb": start_with_bots,
    "uy": agree,
    "un": refuse,
    "py": agree_to_proposal,
    "pn": decline_proposal,
    "pe": propose_end,
    "pb": propose_bots,
    "pr": propose_replacement,
    "re": resume,
    "rs": resign,
    "ra": play_again,
}
