"""The story of a match as a chat is told it: what happened, how it stands, and whose turn it is.

What all may see is told as a spectator sees it, whoever asked for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from domain.engine.play import Seat
from domain.match.events import Redone, Undone
from domain.match.log import read_events
from domain.match.state import Match
from projections.core.summary import fold_entry
from projections.outbox.plan import deciding
from service.channels.chat.preferences import Called, Wishes
from service.channels.chat.sentences import Words
from service.drawing.pictures.inputs import Drawing, table_of
from service.matches import queries
from service.matches.container import Annals

MOST_NEWS = 14
"""Sentences that are told of what happened, the last ones."""


@dataclass(frozen=True)
class Story:
    """A match as it is told: Markdown, and what it looks like."""

    match: str
    title: str
    page: str | None
    """Where people find it."""
    news: Sequence[str]
    state: Sequence[str]
    users: Sequence[str]
    """Who in Discord is called."""
    picture: Drawing
    text: Drawing
    alt: str

    @property
    def file(self) -> str:
        """What the picture is called: it tells nothing that the picture does not."""
        return "board.png"


def story(
    annals: Annals,
    match: Match,
    seat: Seat | None,
    called: Called,
    since: int,
    turns: Collection[Seat],
) -> Story:
    """A match as a seat, or anybody, sees it now: what is new after the version `since`, and
    calling whoever sits at the seats `turns` and is to move.
    """
    words = Words(annals, match, seat)
    view = words.view if match.state else match.game.view(match.blank(), None)
    names = queries.seat_names(annals, match)
    return Story(
        match.id,
        f"{match.game.title} \u00b7 version {match.version}",
        annals.settings.page_of(match.id),
        list(news(annals, match, words, since)),
        list(_state(match, words, called)),
        _users(match, called, turns),
        table_of(match.game, view, "png", names=names),
        table_of(match.game, view, "txt", names=names),
        " ".join([f"{match.game.title}, the board at version {match.version}.", words.asked()]),
    )


def turns_since(annals: Annals, match: Match, version: int) -> set[Seat]:
    """The seats of persons who have to decide, and whose turn began after a version."""
    if version >= match.version:
        return set()
    before, begun = None, set[Seat]()
    for entry in annals.matches.entries(match, 0, match.version):
        after = fold_entry(before, match.id, entry)
        if entry.version > version:
            begun |= deciding(after).keys() - deciding(before).keys()
        before = after
    return begun & set(match.awaited)


def news(annals: Annals, match: Match, words: Words, since: int) -> list[str]:
    """What happened after a version; of what was taken back nothing but that it was."""
    found: list[str] = []
    if match.state is None:
        return found
    for entry in annals.matches.entries(match, since, match.version - since):
        events = read_events(match.game, entry.events)
        for one in events:
            if isinstance(one, Undone | Redone):
                found = [f"Play went on from version {one.to}."]
        found += words.told(events)
    return found[-MOST_NEWS:]


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
    if outcome := words.outcome():
        yield outcome
    for line in sorted(match.scoring.lines, key=lambda one: one.rank):
        place = "" if match.scoring.won is False else f"{line.rank}. "
        yield f"{place}{words.names[line.seat]}: {line.points}"
    for rival in match.scoring.rivals:
        yield f"{match.game.words().texts[f'rival_{rival.key}']}: {rival.points}"


def _call(match: Match, seat: Seat, words: Words, called: Called) -> str:
    """Who is to move: called, if they want that."""
    user, wishes = called.get(match.chairs[seat].player or "", ("", Wishes(ping=False)))
    is_called = wishes.ping and match.chairs[seat].human
    return f"<@{user}>" if is_called else words.names[seat]


def _users(match: Match, called: Called, turns: Collection[Seat]) -> list[str]:
    """Who is called: whoever is to move at one of these seats, and wants it."""
    seats = [seat for seat in match.awaited if seat in turns and match.chairs[seat].human]
    players = [match.chairs[seat].player or "" for seat in seats]
    found = [called[player] for player in players if player in called]
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
