"""What is sent to Discord is the same to the byte, whatever its reader may not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from domain.engine.dice import Luck
from domain.engine.game import legal_moves
from domain.engine.play import Seat
from domain.games import GAMES
from domain.match.decisions import playing
from domain.match.state import Match
from service.channels.discord.cards import look
from service.channels.discord.context import Desk
from service.channels.discord.custom_ids import Mark
from service.channels.discord.moves.move_menus import Steps
from service.drawing.pictures.inputs import drawn
from tests.match.table import Table
from tests.service.channels.discord.conftest import Office

MOVES, IMAGINED = 24, 2
EVERY = 3
"""Of so many moves one is looked at: a picture drawn takes its time."""


@dataclass
class Reader:
    """Somebody, or all (None), who is sent all there is to send."""

    desk: Desk
    seat: Seat | None

    def is_sent(self, match: Match) -> bytes:
        return b"\n".join(self._all(match))

    def _all(self, match: Match) -> Iterator[bytes]:
        seen = look(self.desk, match, self.seat, "picture", public=self.seat is None)
        yield msgspec.json.encode(seen.components(with_file=True))
        yield seen.story.picture.draw(seen.story.picture.view).encode()
        yield drawn(seen.story.text)
        if self.seat in match.awaited:
            yield from self._steps(Steps(self.desk.annals, match, self.seat))

    def _steps(self, steps: Steps) -> Iterator[bytes]:
        first: list[Any] = steps.controls(())
        yield msgspec.json.encode([steps.asked(()), first, list(steps.offered(""))])
        for option in first[0]["components"][0]["options"]:
            path = (int(option["value"]),)
            if steps.chosen(path) is None:
                yield msgspec.json.encode([steps.asked(path), steps.controls(path)])


def imagined(match: Match, seat: Seat, number: int) -> Match:
    """The same match, where whatever a seat cannot know is otherwise."""
    other = match.fork()
    other.state = match.game.imagine(match.state, seat, Luck(number))
    return other


def differing(desk: Desk, match: Match, number: int) -> int:
    """How often what a seat cannot know makes a difference: to the other seat alone."""
    sent = {reader: Reader(desk, reader).is_sent(match) for reader in (None, 0, 1)}
    changed = 0
    for seat in range(2):
        for other in (imagined(match, seat, number * IMAGINED + n) for n in range(IMAGINED)):
            assert all(Reader(desk, who).is_sent(other) == sent[who] for who in (None, seat))
            changed += Reader(desk, 1 - seat).is_sent(other) != sent[1 - seat]
    return changed


@pytest.mark.parametrize("game", GAMES)
def test_nothing_sent_depends_on_what_its_reader_may_not_know(game: str, office: Office) -> None:
    at, chance = Table("ann bob", game=GAMES[game]), Luck(1)
    desk = Desk(office.annals)
    changed = 0
    for number in range(MOVES):
        match = at.match
        if match.status != "active":
            break
        changed += differing(desk, match, number) if number % EVERY == 0 else 0
        mover = match.awaited[0]
        moves = legal_moves(match.game, match.state, mover)
        choice = moves[chance.below(len(moves))]
        at.act(playing.move(match, choice, at.now), match.chairs[mover].player or "")
    assert changed or not has_secrets(game)


def has_secrets(game: str) -> bool:
    """Whether seats see what others do not."""
    record = GAMES[game]
    return record.imagine.__name__ != "as_it_is"


def test_a_mark_tells_nothing_but_where_it_belongs() -> None:
    assert str(Mark("st", "m", 41, 0, (3, 12))) == "st|m|41|0|3.12."
