"""Moves: from the first choice to the message in the channel."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.play import Move
from domain.match.decisions import lessons, playing
from domain.match.errors import Forbidden
from domain.match.state import Match
from service.channels.chat.sentences import MatchTexts
from service.channels.discord.components import defer_answer, private_answer
from service.channels.discord.context import FirstAnswer, InteractionContext
from service.channels.discord.follow_up_jobs import FollowUpJob
from service.channels.discord.moves.move_menus import MoveMenu
from service.matches import player_moves


def show_in_channel(context: InteractionContext, match: Match) -> FirstAnswer:
    """Show a match to the channel, or only to the player if the channel does not show it."""
    if not context.channel_shows(match):
        return FirstAnswer(defer_answer(private=True), [context.show_job(match, "own")])
    return FirstAnswer(defer_answer(private=False), [context.show_job(match, "card")])


def channel_follow_up(context: InteractionContext, match: Match) -> Sequence[FollowUpJob]:
    """Return the job that shows a match to the channel below an answer that only the
    player sees.
    """
    return [context.show_job(match, "card", original=False)] if context.channel_shows(match) else []


def start_move(context: InteractionContext, match: Match) -> FirstAnswer:
    """Ask for the first choice of a move; Forbidden if a bot plays the seat."""
    playing.require_active(match)
    seat = player_moves.own_seat(match, context.player.id, None)
    if not match.chairs[seat].human:
        raise Forbidden("seat_played_by_bot", "A bot plays this seat now.")
    if seat not in match.seats_to_move:
        texts = MatchTexts(context.annals, match, seat)
        return FirstAnswer(private_answer(f"It is not your turn. {texts.prompt()}"))
    return continue_move(context, match, MoveMenu(context.annals, match, seat), (), update=False)


def continue_move(
    context: InteractionContext,
    match: Match,
    menu: MoveMenu,
    path: Sequence[int],
    update: bool = True,
) -> FirstAnswer:
    """Ask for the next choice of a move, or make the move if one is left."""
    move = menu.move_at(path)
    if move is None:
        return FirstAnswer(private_answer(menu.prompt(path), menu.controls(path), update))
    return make_move(context, match, move, update)


def make_move(context: InteractionContext, match: Match, move: Move, update: bool) -> FirstAnswer:
    """Make a move: the player sees what happened, the channel gets a new card."""
    receipt = context.record(
        match.id, lambda match, now: lessons.move(match, move, now), (match.version,)
    )
    after = receipt.match
    texts = MatchTexts(context.annals, after, move.seat)
    lines = [f"- {line}" for line in texts.describe(receipt.events)]
    return FirstAnswer(
        private_answer("\n".join(lines) or "Done.", update=update),
        channel_follow_up(context, after),
    )
