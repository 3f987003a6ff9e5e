"""Cards that show a match in Discord: a container with text, the board and buttons."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from domain.engine.play import Seat
from domain.match.decisions.absence import replaceable_seats
from domain.match.decisions.rematch import can_be_offered
from domain.match.state import Match
from service.channels.chat.markup import code_block, truncate
from service.channels.chat.preferences import BoardFormat, users_about
from service.channels.chat.summary import ChatSummary, summarize
from service.channels.discord import components as messages
from service.channels.discord.components import BLUE, GREEN, RED, Json, button
from service.channels.discord.context import DiscordContext
from service.channels.discord.custom_ids import CustomId

MAX_TEXT_CHARS, MAX_BOARD_CHARS = 1_500, 2_400
"""Limits of the texts in one message."""


@dataclass(frozen=True)
class MatchCard:
    """A match for a channel or for one seat, with the board as a picture or as text."""

    summary: ChatSummary
    parts: Sequence[Json]
    buttons: Sequence[Json]
    board_format: BoardFormat

    def components(self, with_file: bool, board: str = "") -> list[Json]:
        """Return the components, with the board as an attached picture or as text."""
        parts = self._body(with_file, board)
        if self.buttons:
            parts += [messages.separator(), messages.row(self.buttons)]
        return [messages.container(parts)]

    def components_without_buttons(self, with_file: bool) -> list[Json]:
        """Return the components without buttons."""
        return [messages.container(self._body(with_file))]

    def _body(self, with_file: bool, board: str = "") -> list[Json]:
        body = list(self.parts)
        if with_file:
            body.append(messages.picture(self.summary.file, self.summary.alt))
        elif board:
            body.append(messages.text(code_block(board, MAX_BOARD_CHARS)))
        return body


def build_card(
    discord: DiscordContext,
    match: Match,
    seat: Seat | None,
    board_format: BoardFormat,
    note: str = "",
    public: bool = True,
    since: int | None = None,
    turns: Collection[Seat] = (),
) -> MatchCard:
    """Build the card of a match for a seat, or for spectators (None), below a note.

    It describes events after the version `since` (default: the last entry) and mentions the players
    to move at the seats `turns`.
    """
    annals = discord.annals
    users = users_about(annals.store.redis, match.id, players_of(match), annals.now())
    first = match.version - 1 if since is None else since
    summary = summarize(annals, match, seat, users, first, turns)
    title = f"[{summary.title}]({summary.page})" if summary.page else summary.title
    lines = [note, f"### {title} \u00b7 `{match.id}`", *(f"- {one}" for one in summary.events)]
    text = "\n".join(line for line in [*lines, *summary.state] if line)
    body = [messages.text(truncate(text, MAX_TEXT_CHARS))]
    return MatchCard(summary, body, list(_buttons(match, seat, public)), board_format)


def players_of(match: Match) -> set[str]:
    """Return the players who hold seats."""
    return {chair.player for chair in match.chairs if chair.player}


def _buttons(match: Match, seat: Seat | None, public: bool) -> Iterator[Json]:
    """Yield the buttons for what can be done in the match."""
    custom_id = CustomId("", match.id, match.version, seat)
    if match.status == "open":
        yield button("Join", str(custom_id.with_action("jn")), GREEN)
        if match.rematch_of is None:
            yield button("Start with bots", str(custom_id.with_action("sb")))
        if any(chair.free and chair.invited for chair in match.chairs):
            yield button("Decline", str(custom_id.with_action("di")), RED)
    if match.status == "active":
        yield button("Move", str(custom_id.with_action("mv")), BLUE)
        yield button("My hand", str(custom_id.with_action("hd")))
    if can_be_offered(match):
        yield button("Play again", str(custom_id.with_action("ra")), GREEN)
    if public or match.status == "active":
        yield button("Board", str(custom_id.with_action("bd")))
    yield from _answers(match, custom_id)


def _answers(match: Match, custom_id: CustomId) -> Iterator[Json]:
    """Yield the buttons to answer an undo request or else a proposal, or to make one; a row
    has room for five.
    """
    if match.undo_request:
        yield button("Agree", str(custom_id.with_action("uy")), GREEN)
        yield button("Decline", str(custom_id.with_action("un")), RED)
    elif match.pause:
        yield button("Resume", str(custom_id.with_action("re")), GREEN)
    elif match.proposal:
        yield button("Agree", str(custom_id.with_action("py")), GREEN)
        yield button("Decline", str(custom_id.with_action("pn")), RED)
    elif match.absent:
        yield button("Let a bot play on", str(custom_id.with_action("pb")))
        if match.replaceable:
            yield button("Take the seat", str(custom_id.with_action("jn")), GREEN)
        elif replaceable_seats(match):
            yield button("Find a new player", str(custom_id.with_action("pr")))
