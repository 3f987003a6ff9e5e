"""Summary of a match for a chat: what happened, the state, and whose turn it is.

A summary for a channel shows only what spectators see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from domain.engine.play import Seat
from domain.engine.scoring import Rival, ScoreLine
from domain.match.decisions.absence import count_days
from domain.match.events import Redone, Undone
from domain.match.log import read_events
from domain.match.state import Match, Proposal, ProposalKind
from projections.core.summary import fold_entry
from projections.outbox.scheduled_warnings import deciding
from service.channels.chat.preferences import DiscordUsers, Preferences
from service.channels.chat.sentences import MatchTexts
from service.drawing.pictures.inputs import Drawing, board_drawing
from service.matches import queries
from service.matches.container import Annals

MAX_SENTENCES = 14
"""Maximum number of sentences about events; the last ones are kept."""
_ENDS = {
    "agreement": "All players agreed to end the match.",
    "absence": "A player was absent, and all others agreed to end the match.",
}
_PROPOSALS: Mapping[ProposalKind, str] = {
    "bot": "that bots play on for absent players",
    "end": "to end the match without a result",
    "pause": "to pause the match",
    "replacement": "that new players take the seats of absent ones",
}


@dataclass(frozen=True)
class ChatSummary:
    """A match in Markdown, with a picture."""

    match: str
    title: str
    page: str | None
    """The URL of the match page."""
    events: Sequence[str]
    state: Sequence[str]
    mentions: Sequence[str]
    """The Discord users to mention."""
    picture: Drawing
    text: Drawing
    alt: str

    @property
    def file(self) -> str:
        """The file name of the picture; the same for all, so that it reveals nothing."""
        return "board.png"


def summarize(
    annals: Annals,
    match: Match,
    seat: Seat | None,
    users: DiscordUsers,
    since: int,
    turns: Collection[Seat],
) -> ChatSummary:
    """Summarize a match for a seat, or for spectators (None).

    It describes events after the version `since`, and mentions the players to move at the seats
    `turns`.
    """
    texts = MatchTexts(annals, match, seat)
    view = texts.view if match.state else match.game.view(match.blank_state(), None)
    names = queries.seat_names(annals, match)
    return ChatSummary(
        match.id,
        f"{match.game.title} \u00b7 version {match.version}",
        annals.match_url(match.id),
        list(recent_events(annals, match, texts, since)),
        list(_state(match, texts, users, annals.now())),
        _mentions(match, users, turns),
        board_drawing(match.game, view, "png", names=names),
        board_drawing(match.game, view, "txt", names=names),
        " ".join([f"{match.game.title}: the board at version {match.version}.", texts.prompt()]),
    )


def turns_since(annals: Annals, match: Match, version: int) -> set[Seat]:
    """Return the seats of persons whose turn began after a version, or went on after a pause, and
    who still have to decide.
    """
    if version >= match.version:
        return set()
    before, started = None, set[Seat]()
    for entry in annals.matches.entries(match, 0, match.version):
        after = fold_entry(before, match.id, entry)
        if entry.version > version:
            was_paused = before is not None and before.pause is not None
            started |= deciding(after).keys() - ({} if was_paused else deciding(before)).keys()
        before = after
    return started & set(match.seats_to_move)


def recent_events(annals: Annals, match: Match, texts: MatchTexts, since: int) -> list[str]:
    """Sentences about the events after a version; undone moves are left out."""
    found: list[str] = []
    if match.state is None:
        return found
    for entry in annals.matches.entries(match, since, match.version - since):
        events = read_events(match.game, entry.events)
        for one in events:
            if isinstance(one, Undone | Redone):
                found = [f"Play continues from move {one.to}."]
        found += texts.describe(events)
    return found[-MAX_SENTENCES:]


def _state(match: Match, texts: MatchTexts, users: DiscordUsers, now: int) -> Iterator[str]:
    """Lines about the state: the seats at the table, the players to move, or the result."""
    if match.status == "open":
        seats = zip(match.chairs, texts.names, strict=True)
        taken = ", ".join("\u2014" if chair.free else name for chair, name in seats)
        yield f"A table for {len(match.chairs)}: {taken}."
        yield from _invitations(match, texts)
    if match.status == "aborted":
        yield _ENDS.get(match.end_reason or "", "The table was closed.")
    if match.over:
        yield from _result(match, texts)
    if match.seats_to_move:
        names = texts.names[:]
        for seat in match.seats_to_move:
            names[seat] = f"**{_mention(match, seat, texts, users)}**"
        yield f"{texts.prompt_with(names)}{_until(match)}"
    if match.keep_from is not None and now > match.keep_from:
        yield _end_of_idle_match(match)
    yield from _requests(match, texts)


def _requests(match: Match, texts: MatchTexts) -> Iterator[str]:
    """Lines about what waits for answers: a request for an undo, a proposal, a pause, and players
    who are absent.
    """
    if match.pause:
        yield (
            f"The match is paused. It resumes by itself <t:{match.pause.until // 1000}:R>, or when"
            " a player resumes it."
        )
    if match.absent:
        names = ", ".join(texts.names[seat] for seat in sorted(match.absent))
        yield f"The others have waited long for {names}, and may vote how to go on."
    if match.replaceable:
        names = ", ".join(texts.names[seat] for seat in sorted(match.replaceable))
        yield f"A new player can take the seat of {names}, until they move: `/annals join`."
    if match.undo_request:
        yield _undo_question(match, texts)
    if match.proposal:
        yield _describe_proposal(match, match.proposal, texts)


def _invitations(match: Match, texts: MatchTexts) -> Iterator[str]:
    """Lines about what the table is for, the players whom free seats are kept for, and those who
    declined.
    """
    if match.rematch_of:
        yield "It is to play again, on seats turned by one, once all have agreed."
    if least := match.min_reliability:
        yield f"Free seats are for players with a reliability of at least {least} %."
    if days := count_days(match.patience_ms):
        yield f"Patience: {days} days for a player, then the others may vote how to go on."
    free = [(seat, chair) for seat, chair in enumerate(match.chairs) if chair.free]
    invited = dict.fromkeys(chair.invited for _, chair in free if chair.invited)
    yield from (f"{texts.people[one]} is invited." for one in invited)
    declined = dict.fromkeys(match.declined[seat] for seat, _ in free if seat in match.declined)
    yield from (f"{texts.people[one]} declined the invitation." for one in declined)


def _result(match: Match, texts: MatchTexts) -> Iterator[str]:
    if match.scoring is None:
        yield "The game is over. The result follows."
        return
    if outcome := texts.outcome():
        yield outcome
    for line in sorted(match.scoring.lines, key=lambda one: one.rank):
        place = "" if match.scoring.won is False else f"{line.rank}. "
        yield f"{place}{texts.names[line.seat]}: {line.points}{_breakdown(match, line)}"
    for rival in match.scoring.rivals:
        name = match.game.words().texts[f"rival_{rival.key}"]
        yield f"{name}: {rival.points}{_breakdown(match, rival)}"


def _breakdown(match: Match, line: ScoreLine | Rival) -> str:
    """Return the parts of a score that are not 0, in parentheses; empty if a single part is all."""
    texts, parts = match.game.words().texts, line.breakdown
    scored = [f"{texts[f'score_{part}']} {points}" for part, points in parts.items() if points]
    return f" ({', '.join(scored)})" if len(parts) > 1 and scored else ""


def _mention(match: Match, seat: Seat, texts: MatchTexts, users: DiscordUsers) -> str:
    """Return the player to move: a mention if they want one, else their name."""
    user, preferences = users.get(match.chairs[seat].player or "", ("", Preferences(ping=False)))
    wants_mention = preferences.ping and match.chairs[seat].human
    return f"<@{user}>" if wants_mention else texts.names[seat]


def _mentions(match: Match, users: DiscordUsers, turns: Collection[Seat]) -> list[str]:
    """Return the Discord users to mention: they are to move at one of these seats, and want
    mentions. None in a pause, after which their turn goes on.
    """
    if match.pause:
        return []
    seats = [seat for seat in match.seats_to_move if seat in turns and match.chairs[seat].human]
    players = [match.chairs[seat].player or "" for seat in seats]
    found = [users[player] for player in players if player in users]
    return sorted({user for user, preferences in found if preferences.ping})


def _until(match: Match) -> str:
    deadline = match.clocks.deadline if match.clocks else None
    return f" \u00b7 <t:{deadline // 1000}:R>" if deadline is not None else ""


def _end_of_idle_match(match: Match) -> str:
    assert match.ends_at is not None
    return (
        f"The match ends by itself <t:{match.ends_at // 1000}:R>. To keep it, move, or choose "
        "\u201cKeep this match\u201d on its page."
    )


def _describe_proposal(match: Match, proposal: Proposal, texts: MatchTexts) -> str:
    who, *others = [
        texts.names[match.seats_of(player)[0]] for player in (proposal.player, *proposal.asked)
    ]
    agree = f"{', '.join(others)} must agree."
    return f"{who} proposes {_PROPOSALS[proposal.kind]}. {agree}"


def _undo_question(match: Match, texts: MatchTexts) -> str:
    request = match.undo_request
    assert request
    seat = match.seats_of(request.player)[0]
    moves = texts.name_moves(request)
    action = f"redo {moves}" if request.redo else f"undo {moves}"
    return f"{texts.names[seat]} asks to {action}. The other players must agree."
