"""How a match looks in Discord: a container with words, the board and buttons."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from domain.engine.play import Seat
from domain.match.state import Match
from service.channels.chat.markup import cut, fenced
from service.channels.chat.preferences import Form, users_of
from service.channels.chat.summary import Story, story
from service.channels.discord import components as messages
from service.channels.discord.components import BLUE, GREEN, RED, Json, button
from service.channels.discord.context import Desk
from service.channels.discord.custom_ids import Mark

MOST_TOLD, MOST_BOARD = 1_500, 2_400
"""Letters that go together into one message."""


@dataclass(frozen=True)
class Look:
    """A match as it is shown: to all or to one seat, with a picture or in text."""

    story: Story
    parts: Sequence[Json]
    buttons: Sequence[Json]
    form: Form

    def components(self, with_file: bool, board: str = "") -> list[Json]:
        """All of it, with the picture that comes along, or with the board as text."""
        shown = self._shown(with_file, board)
        if self.buttons:
            shown += [messages.line(), messages.row(self.buttons)]
        return [messages.container(shown)]

    def bare(self, with_file: bool) -> list[Json]:
        """All of it but the buttons."""
        return [messages.container(self._shown(with_file))]

    def _shown(self, with_file: bool, board: str = "") -> list[Json]:
        shown = list(self.parts)
        if with_file:
            shown.append(messages.picture(self.story.file, self.story.alt))
        elif board:
            shown.append(messages.text(fenced(board, MOST_BOARD)))
        return shown


def look(
    desk: Desk,
    match: Match,
    seat: Seat | None,
    form: Form,
    note: str = "",
    public: bool = True,
    since: int | None = None,
    turns: Collection[Seat] = (),
) -> Look:
    """A match as a seat, or anybody, sees it now, after a note: what is new after a version (the
    last entry if none is named), and calling whoever is to move at the seats `turns`.
    """
    called = users_of(desk.annals.store.redis, match_players(match))
    new = match.version - 1 if since is None else since
    told = story(desk.annals, match, seat, called, new, turns)
    title = f"[{told.title}]({told.page})" if told.page else told.title
    lines = [note, f"### {title} \u00b7 `{match.id}`", *(f"- {one}" for one in told.news)]
    words = "\n".join(line for line in [*lines, *told.state] if line)
    shown = [messages.text(cut(words, MOST_TOLD))]
    return Look(told, shown, list(_buttons(match, seat, public)), form)


def match_players(match: Match) -> set[str]:
    """Whoever holds a seat."""
    return {chair.player for chair in match.chairs if chair.player}


def _buttons(match: Match, seat: Seat | None, public: bool) -> Iterator[Json]:
    """What can be done with it."""
    mark = Mark("", match.id, match.version, seat)
    if match.status == "open":
        yield button("Join", str(mark.to("jn")), GREEN)
        yield button("Start with bots", str(mark.to("sb")))
    if match.status == "active":
        yield button("Move", str(mark.to("mv")), BLUE)
        yield button("My hand", str(mark.to("hd")))
    if public or match.status == "active":
        yield button("Board", str(mark.to("bd")))
    if match.undo_request:
        yield button("Agree", str(mark.to("uy")), GREEN)
        yield button("Refuse", str(mark.to("un")), RED)
