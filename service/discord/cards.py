"""How a match looks in Discord: a container with a heading, what happened, the board and buttons.

A card for a channel shows what anybody may see, whoever asked for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from domain.engine.play import Seat
from domain.match.log import read_events
from domain.match.state import Match
from service import queries
from service.discord import messages
from service.discord.desk import Desk
from service.discord.links import Form, Wishes
from service.discord.marks import Mark
from service.discord.messages import BLUE, GREEN, RED, Json, button
from service.discord.words import Words
from service.pictures.drawing import Drawing

MOST_TOLD, MOST_BOARD = 1_500, 2_400
"""Letters that go together into one message."""
Called = Mapping[str, tuple[str, Wishes]]
"""Who in Discord players are, by id."""


@dataclass(frozen=True)
class Look:
    """A match as it is shown: to all (seat None) or to one seat, with a picture or in text."""

    parts: Sequence[Json]
    buttons: Sequence[Json]
    users: Sequence[str]
    drawing: Drawing
    text: Drawing
    form: Form
    alt: str

    @property
    def file(self) -> str:
        """What the picture is called: it tells nothing that the picture does not."""
        return "board.png"

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
            shown.append(messages.picture(self.file, self.alt))
        elif board:
            shown.append(messages.text(_fenced(board)))
        return shown


def look(
    desk: Desk, match: Match, seat: Seat | None, form: Form, note: str = "", public: bool = True
) -> Look:
    """A match as a seat, or anybody, sees it now, after a note."""
    words = Words(desk.annals, match, seat)
    called = desk.links.users_of({chair.player for chair in match.chairs if chair.player})
    lines = [note, heading(match), *_news(desk, match, words), *_state(match, words, called)]
    told = "\n".join(line for line in lines if line)
    view = words.view if match.state else match.game.view(match.blank(), None)
    names = queries.seat_names(desk.annals, match)
    return Look(
        [messages.text(messages.cut(told, MOST_TOLD))],
        list(_buttons(match, seat, public)),
        _pinged(match, called) if public else (),
        Drawing(match.game.svg, view, "png", names),
        Drawing(match.game.text, view, "txt", names),
        form,
        alt_of(match, words),
    )


def heading(match: Match) -> str:
    """Which match it is, and how far."""
    return f"### {match.game.title} \u00b7 version {match.version} \u00b7 `{match.id}`"


def alt_of(match: Match, words: Words) -> str:
    """The picture in words."""
    return " ".join([f"{match.game.title}, the board at version {match.version}.", words.asked()])


def _fenced(board: str) -> str:
    shown = messages.cut(board.replace("```", "'''"), MOST_BOARD)
    return f"```\n{shown}\n```"


def _news(desk: Desk, match: Match, words: Words) -> Iterator[str]:
    """What happened last."""
    if match.state is None:
        return
    for entry in desk.annals.store.read(match.id, match.version - 1):
        for told in words.told(read_events(match.game, entry.events)):
            yield f"- {told}"


def _state(match: Match, words: Words, called: Called) -> Iterator[str]:
    """How it stands: who is at the table, who is to move, or who has won."""
    if match.status == "open":
        seats = zip(match.chairs, words.names, strict=True)
        taken = ", ".join("\u2014" if chair.free else name for chair, name in seats)
        yield f"A table for {len(match.chairs)}: {taken}."
    if match.status == "aborted":
        yield "The match was closed."
    if match.over:
        yield from _result(match, words)
    if match.awaited:
        who = " ".join(_call(match, seat, words, called) for seat in match.awaited)
        yield f"**{who}** \u2014 {words.asked()}{_until(match)}"
    if match.undo_request:
        yield _undo_asked(match, words)


def _result(match: Match, words: Words) -> Iterator[str]:
    if match.scoring is None:
        yield "The game is over; the points are being counted."
        return
    for line in sorted(match.scoring.lines, key=lambda one: one.rank):
        yield f"{line.rank}. {words.names[line.seat]}: {line.points}"


def _call(match: Match, seat: Seat, words: Words, called: Called) -> str:
    """Who is to move: called, if they want that."""
    user, wishes = called.get(match.chairs[seat].player or "", ("", Wishes(ping=False)))
    is_called = wishes.ping and match.chairs[seat].human
    return f"<@{user}>" if is_called else words.names[seat]


def _pinged(match: Match, called: Called) -> list[str]:
    """Who is called: whoever is to move, and wants it."""
    movers = [match.chairs[seat].player or "" for seat in match.awaited if match.chairs[seat].human]
    found = [called[player] for player in movers if player in called]
    return sorted({user for user, wishes in found if wishes.ping})


def _until(match: Match) -> str:
    deadline = match.clocks.deadline if match.clocks else None
    return f" \u00b7 <t:{deadline // 1000}:R>" if deadline is not None else ""


def _undo_asked(match: Match, words: Words) -> str:
    request = match.undo_request
    assert request
    seat = match.seats_of(request.player)[0]
    what = "redo up to" if request.redo else "go back to"
    return f"{words.names[seat]} asks to {what} version {request.to}. Do the others agree?"


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
