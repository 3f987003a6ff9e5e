"""Messages to Discord are equal byte for byte, however the hidden parts of the match differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest

from domain.engine.dice import Luck
from domain.engine.game import legal_moves
from domain.engine.play import Seat
from domain.games import GAMES
from domain.match.decisions import playing
from domain.match.state import Match
from domain.match.visibility import hides_something
from service.channels.discord import custom_ids
from service.channels.discord.cards import build_card
from service.channels.discord.context import DiscordContext
from service.channels.discord.custom_ids import CustomId
from service.channels.discord.moves.move_menus import MoveMenu
from service.drawing.pictures.inputs import draw_picture
from tests.match.table import Table
from tests.service.channels.discord.conftest import DiscordHarness

MOVES, IMAGINED = 18, 1
EVERY = 9
"""Every ninth move is checked, since pictures are slow to draw."""
SECRETIVE = [key for key, game in GAMES.items() if hides_something(game)]


@dataclass
class Reader:
    """A reader of messages: a player, or spectators (None)."""

    discord: DiscordContext
    seat: Seat | None

    def is_sent(self, match: Match) -> bytes:
        return b"\n".join(self._all(match))

    def _all(self, match: Match) -> Iterator[bytes]:
        seen = build_card(self.discord, match, self.seat, "picture", public=self.seat is None)
        yield msgspec.json.encode(seen.components(with_file=True))
        picture = seen.summary.picture
        yield draw_picture(replace(picture, form="svg"))
        yield draw_picture(seen.summary.text)
        if self.seat in match.seats_to_move:
            yield from self._steps(MoveMenu(self.discord.annals, match, self.seat))

    def _steps(self, steps: MoveMenu) -> Iterator[bytes]:
        first: list[Any] = steps.controls(())
        yield msgspec.json.encode([steps.prompt(()), first, list(steps.search(""))])
        for path in paths([one for row in first for one in row["components"]]):
            if steps.move_at(path) is None:
                yield msgspec.json.encode([steps.prompt(path), steps.controls(path)])


def paths(controls: list[Any]) -> Iterator[tuple[int, ...]]:
    """The paths to which these buttons lead, or the options of this menu."""
    for one in controls:
        options = one.get("options", ())
        yield from (tuple(map(int, option["value"].split("."))) for option in options)
        if not options:
            yield custom_ids.parse(one["custom_id"]).path


def imagine(match: Match, seat: Seat, number: int) -> Match:
    """The same match with other hidden information for a seat."""
    other = match.copy()
    other.state = match.game.imagine(match.state, seat, Luck(number))
    return other


def differing(discord: DiscordContext, match: Match, number: int) -> int:
    """How often hidden information changes a message; it may do so for the other seat only."""
    sent = {reader: Reader(discord, reader).is_sent(match) for reader in (None, 0, 1)}
    changed = 0
    for seat in range(2):
        for other in (imagine(match, seat, number * IMAGINED + n) for n in range(IMAGINED)):
            assert all(Reader(discord, who).is_sent(other) == sent[who] for who in (None, seat))
            changed += Reader(discord, 1 - seat).is_sent(other) != sent[1 - seat]
    return changed


@pytest.mark.parametrize("game", SECRETIVE)
def test_messages_do_not_depend_on_hidden_information(game: str, harness: DiscordHarness) -> None:
    at, chance = Table("ann bob", game=GAMES[game]), Luck(1)
    discord = DiscordContext(harness.annals)
    changed = 0
    for number in range(MOVES):
        match = at.match
        if match.status != "active":
            break
        changed += differing(discord, match, number) if number % EVERY == 0 else 0
        mover = match.seats_to_move[0]
        moves = legal_moves(match.game, match.state, mover)
        choice = moves[chance.below(len(moves))]
        at.act(playing.move(match, choice, at.now), match.chairs[mover].player or "")
    assert changed


def test_a_custom_id_contains_only_match_version_seat_and_path() -> None:
    assert str(CustomId("st", "m", 41, 0, (3, 12))) == "st|m|41|0|3.12."
