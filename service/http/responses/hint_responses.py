"""A hint in words: what its move does, and the reasons for it."""

from __future__ import annotations

from collections.abc import Iterator

from domain.analysis.hints import Hint
from domain.engine.resources.texts import figures
from domain.engine.sentences import SeatName, Sentence, sentence
from domain.match.decisions import playing
from domain.match.state import Match
from service.http.json_responses import Json
from service.matches import queries
from service.matches.sentences import Narrator

SIGNED = "+"
DIGITS = 4
"""Decimal digits of a chance: the same moves have the same chance, however it was added up."""


def show_hint(hint: Hint, narrator: Narrator) -> Json:
    """Return a hint with what its move does for certain, and its reasons, in the words of the
    narrator.
    """
    match, move = narrator.match, hint.move
    events = queries.visible_events(match, playing.preview(match, move), move.seat)
    return {
        "move": move,
        "touches": next(iter(match.game.pointing.touches(narrator.view, move))),
        "chance": {"after": round(hint.after, DIGITS), "average": round(hint.average, DIGITS)},
        "sentences": narrator.of_own_move(move, events),
        "reasons": [narrator.words.line(one) for one in _reasons(hint, match)],
    }


def _reasons(hint: Hint, match: Match) -> Iterator[Sentence]:
    """Say what a move changes: the points of its seat, those of others, and the chance to win
    beside that of an average move.
    """
    if _points_count(match):
        if hint.parts:
            yield sentence("hint_parts", changes=tuple(_changes_of_parts(hint)))
        for seat, change in hint.others.items():
            yield sentence("hint_seat", seat=SeatName(seat), change=figures(change, SIGNED))
    average, after = (round(100 * chance) for chance in (hint.average, hint.after))
    together = "_together" if _is_shared(match) else ""
    same = "_same" if average == after else ""
    yield sentence(f"hint_chance{together}{same}", average=average, after=after)


def _is_shared(match: Match) -> bool:
    """Whether several seats win or lose together."""
    return match.game.is_cooperative(match.setup) and len(match.chairs) > 1


def _points_count(match: Match) -> bool:
    """Whether points decide who wins: against other seats, or against a rival without a seat."""
    is_alone = match.game.is_cooperative(match.setup)
    return not is_alone or bool(match.game.scoring(match.state).rivals)


def _changes_of_parts(hint: Hint) -> Iterator[Sentence]:
    for part, change in hint.parts.items():
        category = Sentence(f"score_{part}")
        yield sentence("part_of_points", category=category, points=figures(change, SIGNED))
