"""Playing: from the first step of a move to what the channel is shown of it."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.play import Move
from domain.match.decisions import playing
from domain.match.errors import Forbidden
from domain.match.state import Match
from service.channels.chat.sentences import Words
from service.channels.discord.components import later, told
from service.channels.discord.context import Answer, Visit
from service.channels.discord.follow_up_jobs import Errand
from service.channels.discord.moves.move_menus import Steps
from service.matches import player_moves


def to_the_channel(visit: Visit, match: Match) -> Answer:
    """Show a match to the channel, or to them alone if the channel does not see it."""
    if not visit.public(match):
        return Answer(later(private=True), [visit.errand(match, "own")])
    return Answer(later(private=False), [visit.errand(match, "card")])


def below(visit: Visit, match: Match) -> Sequence[Errand]:
    """Show a match to the channel below what they alone were told."""
    return [visit.errand(match, "card", original=False)] if visit.public(match) else []


def start_of_move(visit: Visit, match: Match) -> Answer:
    """Ask for a move of theirs, the first step; Forbidden if it is not their turn."""
    playing.must_be_active(match)
    seat = player_moves.own_seat(match, visit.player.id, None)
    if not match.chairs[seat].human:
        raise Forbidden("seat_played_by_bot", "A bot plays this seat now.")
    if seat not in match.awaited:
        words = Words(visit.annals, match, seat)
        return Answer(told(f"It is not your turn. {words.asked()}"))
    return step_of_move(visit, match, Steps(visit.annals, match, seat), (), update=False)


def step_of_move(
    visit: Visit, match: Match, steps: Steps, path: Sequence[int], update: bool = True
) -> Answer:
    """Ask for the next step of a move, or make it once it is clear."""
    move = steps.chosen(path)
    if move is None:
        return Answer(told(steps.asked(path), steps.controls(path), update))
    return made(visit, match, move, update)


def made(visit: Visit, match: Match, move: Move, update: bool) -> Answer:
    """Make a move: they are told what happened, the channel sees how it stands."""
    receipt = visit.record(
        match.id, lambda match, now: playing.move(match, move, now), (match.version,)
    )
    after = receipt.match
    words = Words(visit.annals, after, move.seat)
    lines = [f"- {line}" for line in words.told(receipt.events)]
    return Answer(told("\n".join(lines) or "Done.", update=update), below(visit, after))
