"""Sentences that picture and text share.

Unless stated otherwise, `words` come from `with_dynasties`, because leaders show their dynasties.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.engine.drawing.panel import result_sentence
from domain.engine.sentences import SeatName, Sentence, Words, prompt, sentence
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.sayings import SAYINGS
from domain.games.tigris_euphrates.state import steps
from domain.games.tigris_euphrates.state.table import LastAction, LastConflict
from domain.games.tigris_euphrates.view import View


def summary(view: View, words: Words) -> str:
    """The position in a few sentences, in words without dynasties."""
    words = with_dynasties(view, words)
    seats = range(len(view.dynasties))
    parts = [
        words("players", count=len(view.dynasties)),
        status(view, words),
        *news(view, words),
        *(words.line(_leaders_of(view, seat, words)) for seat in seats),
        *(words.line(_visible_points(view, seat, words)) for seat in seats if view.points[seat]),
        words("there_are", treasures=treasures(view), tiles=sentence("tiles", count=view.bag)),
    ]
    return words("pause").join(part for part in parts if part)


def with_dynasties(view: View, words: Words) -> Words:
    """The same words with each player named together with their dynasty."""
    return words.with_names([owner(view, seat, words) for seat in range(len(view.dynasties))])


def owner(view: View, seat: int, words: Words) -> str:
    """A player with their dynasty, from words without dynasties."""
    return words("owner", seat=SeatName(seat), dynasty=dynasty(view, seat))


def dynasty(view: View, seat: int) -> Sentence:
    """The name of the dynasty of a seat."""
    return Sentence(f"dynasty_{view.dynasties[seat]}")


def join_parts(words: Words, parts: Iterable[Sentence]) -> str:
    """Parts as a list such as `3 black, 4 red`; empty if there are none."""
    return words("list_more").join(map(words.say, parts))


def by_color(numbers: Iterable[int]) -> Iterator[Sentence]:
    """The number of each colour."""
    for number, color in zip(numbers, board.COLORS, strict=True):
        yield sentence("of_color", number=number, color=Sentence(f"color_{color}"))


def treasures(view: View) -> Sentence:
    """The number of treasures on the board."""
    return sentence("treasures", count=len(view.treasures))


def status(view: View, words: Words) -> str:
    """Who decides what, or who has won."""
    if view.ended is not None:
        return words.line(result_sentence(view))
    if not view.awaiting or view.step is None:
        return words("nobody")
    return words.line(prompt(view.step, view, SAYINGS, words.reader(view)))


def fighting(view: View) -> steps.Conflict | None:
    """The current conflict, or None."""
    return view.step.conflict if isinstance(view.step, steps.Reinforce) else None


def strengths(view: View, conflict: steps.Conflict) -> tuple[str, str]:
    """The known strength of attack and defence: on the board, and committed."""
    attack = f"{conflict.attacker_board} + {view.committed[conflict.attacker]}"
    waiting = view.awaiting == (conflict.attacker,)
    defence = f"{conflict.defender_board} + ?"
    return (f"{conflict.attacker_board} + ?" if waiting else attack), defence


def news(view: View, words: Words) -> Iterator[str]:
    """The last action and the outcome of the last conflict, if there are any."""
    if view.last:
        yield words("last_action", deed=_deed(view.last))
    if view.conflict:
        yield words("last_conflict", fought=_fought(view.conflict))


def _deed(last: LastAction) -> Sentence:
    """The last action and its cells."""
    moved = last.deed == "leader" and len(last.cells) > 1
    first, *others = last.cells or ("",)
    color = last.color or "red"
    return sentence(
        f"deed_{'move' if moved else last.deed}",
        seat=SeatName(last.seat),
        tile=Sentence(f"tile_{color}"),
        leader=Sentence(f"leader_{color}"),
        at=first,
        to=others[0] if others else "",
    )


def _fought(last: LastConflict) -> Sentence:
    """Winner, loser, margin, and the number of tiles that left the board with the loser."""
    totals = (last.attacker_total, last.defender_total)
    end = sentence(
        f"fought_{last.kind}",
        leaders=Sentence(f"leaders_{last.color}"),
        winner=SeatName(last.winner),
        loser=SeatName(last.loser),
        more=max(totals),
        less=min(totals),
    )
    if not last.removed:
        return end
    return sentence("fought_over_tiles", end=end, tiles=sentence("tiles", count=len(last.removed)))


def _leaders_of(view: View, seat: int, words: Words) -> Sentence:
    """The leaders of a seat with their cells."""
    mine = [piece for piece in view.leaders if piece.seat == seat]
    if not mine:
        return sentence("has_no_leader", seat=SeatName(seat))
    places = tuple(
        sentence("leader_on", leader=Sentence(f"leader_{piece.color}"), at=piece.at)
        for piece in mine
    )
    return sentence("has_leaders", seat=SeatName(seat), leaders=places)


def _visible_points(view: View, seat: int, words: Words) -> Sentence:
    """The points that the viewer may see."""
    known, taken = view.points[seat] or (), view.treasures_taken[seat] or 0
    parts = [*by_color(known), sentence("treasures", count=taken)]
    return sentence("has_points", seat=SeatName(seat), points=join_parts(words, parts))
