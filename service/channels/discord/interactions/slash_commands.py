"""Handlers of the subcommands of `/annals`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domain.match.decisions import giving_time, playing, proposals, undo
from domain.match.errors import Forbidden
from domain.match.state import Match
from service.channels.chat.markup import escape_markdown, truncate
from service.channels.chat.preferences import BoardFormat
from service.channels.discord.components import RED, button, defer_answer, private_answer, row
from service.channels.discord.context import NO_SUCH_MATCH, FirstAnswer, InteractionContext
from service.channels.discord.custom_ids import CustomId
from service.channels.discord.moves.move_flow import make_move, show_in_channel, start_move
from service.channels.discord.moves.move_menus import MoveMenu
from service.channels.discord.moves.table_setup import dice_nonce, find_game, open_table
from service.matches.player_moves import take_seat
from service.runtime.errors import NotFound

MAX_ANSWER_CHARS = 3_400
NO_SEAT = "You have no seat in any match of this channel."
NO_TABLE = "No table of this channel has a free seat."
NO_TURN = "It is not your turn in any match of this channel."
BOARD_FORMATS: Mapping[str, BoardFormat] = {"picture": "picture", "text": "text"}


def open_new_table(context: InteractionContext) -> FirstAnswer:
    """Open a table in this channel."""
    return show_in_channel(context, open_table(context))


def join(context: InteractionContext) -> FirstAnswer:
    """Take a seat of an open table, or else that of an absent player."""
    try:
        match = find_match(context, lambda match: match.status == "open", NO_TABLE)
    except NotFound:
        match = find_match(context, lambda match: bool(match.replaceable), NO_TABLE)
    receipt = context.record(
        match.id,
        take_seat(context.annals, context.player.id, nonce=dice_nonce(context)),
    )
    return show_in_channel(context, receipt.match)


def board(context: InteractionContext) -> FirstAnswer:
    """Show the board; the channel sees what spectators see."""
    match = find_match(context)
    if context.flag("share") and context.channel:
        if not match.seats_of(context.player.id):
            raise Forbidden("not_seated", "You can share only matches in which you have a seat.")
        context.discord.channels.add_match(context.channel, match.id, context.annals.now())
    return show_in_channel(context, match)


def hand(context: InteractionContext) -> FirstAnswer:
    """Show the match from the player's seat."""
    return show_own_view(context, find_match(context, context.takes_part, NO_SEAT))


def show_own_view(context: InteractionContext, match: Match) -> FirstAnswer:
    """Show a match from the player's seat; Forbidden without one."""
    if not match.seats_of(context.player.id):
        raise Forbidden("not_seated", "You have no seat in this match.")
    return FirstAnswer(defer_answer(private=True), [context.show_job(match, "own")])


def move(context: InteractionContext) -> FirstAnswer:
    """Make the move that was chosen from the list, or ask for one step by step."""
    match = find_match(
        context,
        lambda match: bool(set(match.seats_to_move) & set(own_seats(context, match))),
        NO_TURN,
    )
    chosen = context.text("move")
    if not chosen:
        return start_move(context, match)
    version, seat, place = _parse_move_id(chosen)
    if version != match.version or seat not in match.seats_of(context.player.id):
        raise NotFound("Choose a move from the list, or leave it out and choose it step by step.")
    return make_move(
        context, match, MoveMenu(context.annals, match, seat).get_move(place), update=False
    )


def undo_last_move(context: InteractionContext) -> FirstAnswer:
    """Undo the player's last move, or ask the others to agree."""
    match = find_match(context, context.takes_part, NO_SEAT)
    receipt = context.record(
        match.id, lambda match, now: undo.undo(match, context.player.id, None, now)
    )
    return show_in_channel(context, receipt.match)


def redo_moves(context: InteractionContext) -> FirstAnswer:
    """Redo the last undo or another undone line, or ask the others to agree."""
    match = find_match(context, context.takes_part, NO_SEAT)
    to = context.number("move") or None
    receipt = context.record(
        match.id, lambda match, now: undo.redo_own(match, context.player.id, now, to)
    )
    return show_in_channel(context, receipt.match)


def give_time(context: InteractionContext) -> FirstAnswer:
    """Give the others who are thinking more time."""
    match = find_match(context, context.takes_part, NO_SEAT)
    seconds = context.number("seconds")
    receipt = context.record(
        match.id,
        lambda match, now: giving_time.give_time(match, context.player.id, None, seconds, now),
    )
    return show_in_channel(context, receipt.match)


def resign(context: InteractionContext) -> FirstAnswer:
    """Ask for confirmation."""
    match = find_match(context, context.takes_part, NO_SEAT)
    playing.require_active(match)
    custom_id = CustomId("rs", match.id, match.version)
    buttons = row([button("Resign", str(custom_id), RED)])
    return FirstAnswer(private_answer(f"Resign {match.game.title} `{match.id}`?", [buttons]))


def end(context: InteractionContext) -> FirstAnswer:
    """Ask whether to propose to end the match."""
    match = find_match(context, context.takes_part, NO_SEAT)
    playing.require_active(match)
    buttons = row([button("End by agreement", str(CustomId("pe", match.id, match.version)), RED)])
    question = (
        f"End {match.game.title} `{match.id}` without a result? All people who play must agree."
    )
    return FirstAnswer(private_answer(question, [buttons]))


def pause(context: InteractionContext) -> FirstAnswer:
    """Propose to pause the match, or agree to it."""
    match = find_match(context, context.takes_part, NO_SEAT)
    player, pause_ms = context.player.id, context.annals.pause_ms
    receipt = context.record(
        match.id, lambda match, now: proposals.propose(match, player, "pause", now, pause_ms)
    )
    return show_in_channel(context, receipt.match)


def let_bots_play_on(context: InteractionContext) -> FirstAnswer:
    """Propose that bots play on for absent players, or agree to it."""
    match = find_match(context, context.takes_part, NO_SEAT)
    player = context.player.id
    receipt = context.record(
        match.id, lambda match, now: proposals.propose(match, player, "bot", now)
    )
    return show_in_channel(context, receipt.match)


def find_new_player(context: InteractionContext) -> FirstAnswer:
    """Propose that new players take the seats of absent ones, or agree to it."""
    match = find_match(context, context.takes_part, NO_SEAT)
    player = context.player.id
    receipt = context.record(
        match.id, lambda match, now: proposals.propose(match, player, "replacement", now)
    )
    return show_in_channel(context, receipt.match)


def games(context: InteractionContext) -> FirstAnswer:
    """List all games."""
    lines = [
        f"- **{game.title}**, {game.seat_range[0]} to {game.seat_range[-1]} players"
        for game in context.annals.games.values()
    ]
    return FirstAnswer(private_answer("\n".join([*lines, "`/annals new` opens a table."])))


def rules(context: InteractionContext) -> FirstAnswer:
    """Show a rule by its number, or list the numbers."""
    game, number = find_game(context), context.text("rule").upper()
    book = game.rulebook.rules
    if number and number not in book:
        raise NotFound(f"{game.title} has no rule with this number.")
    if number:
        return FirstAnswer(private_answer(f"**{number}** {book[number]}"))
    numbers = ", ".join(book)
    return FirstAnswer(
        private_answer(truncate(f"**{game.title}** has these rules: {numbers}.", MAX_ANSWER_CHARS))
    )


def link(context: InteractionContext) -> FirstAnswer:
    """Show a code that links this Discord user to a player, or unlink them."""
    links = context.discord.links
    if context.flag("unlink"):
        was_linked = links.unlink(context.user)
        return FirstAnswer(
            private_answer(
                "Your account is no longer linked."
                if was_linked
                else "Your account was not linked."
            )
        )
    code = links.create_code(context.user)
    return FirstAnswer(
        private_answer(
            f"Your code is `{code}`. It works once, for ten minutes. Send it with your token:"
            ' `POST /v1/me/discord {"code": "\u2026"}`. Until then you play as'
            f" **{escape_markdown(context.player.name)}**."
        )
    )


def settings(context: InteractionContext) -> FirstAnswer:
    """Show or change the preferences."""
    form = BOARD_FORMATS.get(context.text("board"))
    preferences = context.discord.links.set_preferences(context.user, context.flag("ping"), form)
    ping = "mentioned" if preferences.ping else "not mentioned"
    return FirstAnswer(
        private_answer(
            f"You are {ping} when it is your turn, and see boards as {preferences.board}."
        )
    )


def find_match(
    context: InteractionContext,
    fits: Callable[[Match], bool] = lambda _: True,
    none_fits: str = NO_SUCH_MATCH,
) -> Match:
    """Return the match of the option `match`, or the newest of this channel that fits.

    Raises NotFound with `none_fits` if the channel shows only others.
    """
    if chosen := context.text("match"):
        return context.visible_match(chosen)
    reason = NO_SUCH_MATCH
    for match_id in context.discord.channels.matches(context.channel):
        try:
            match = context.visible_match(match_id)
        except NotFound:
            continue
        if match.status != "aborted":
            if fits(match):
                return match
            reason = none_fits
    raise NotFound(f"{reason} `/annals new` opens one.")


def own_seats(context: InteractionContext, match: Match) -> tuple[int, ...]:
    """Return the seats of the player in a match."""
    return match.seats_of(context.player.id)


def _parse_move_id(chosen: str) -> tuple[int, int, int]:
    """Return the version, the seat and the number of a move from the list. Raises NotFound."""
    try:
        version, seat, place = map(int, chosen.split("."))
    except ValueError:
        raise NotFound(
            "Choose a move from the list, or leave it out and choose it step by step."
        ) from None
    return version, seat, abs(place)
