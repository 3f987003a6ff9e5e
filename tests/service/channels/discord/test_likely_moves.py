"""Where a player has many moves, those that they are likely to want come first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import msgspec
import pytest

from bench.service.discord import MENU, next_choice
from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import legal_moves
from domain.engine.play import Move, Seat
from domain.games import GAMES
from domain.match.decisions import playing
from domain.match.state import Match
from service.channels.discord import custom_ids
from service.channels.discord.components import BLUE
from service.channels.discord.moves import move_menus
from service.channels.discord.moves.move_menus import MAX_BUTTONS, MoveMenu
from tests.discord.people import Person, labels, options, text
from tests.engine.toy import GAME as TOY
from tests.match.table import Table
from tests.service.channels.discord.conftest import DiscordHarness, Guest
from tests.service.channels.discord.test_playing import mover_of, open_card

MANY = 26
"""How many moves are many."""
MOVES_BEFORE = 6
"""Number of moves before it: an empty board has no likely moves."""
MAX_THOUGHTS = 2000
"""How often the bot may look at its clock: enough to compare its best moves."""


def match_with_many_moves(game: str) -> tuple[Match, Seat, int]:
    """A match in which a seat has MANY moves, after some random ones; or else, as in small games,
    the most that it ever has. Also returns how many these are, at most MANY.
    """
    at, chance = Table("ann bob", game={**GAMES, TOY.key: TOY}[game]), Luck(4)
    found, most = (at.match, 0), 0
    while most < MANY and at.match.seats_to_move:
        match, seat = at.match, at.match.seats_to_move[0]
        moves = legal_moves(match.game, match.state, seat)
        if len(moves) > most and match.version > MOVES_BEFORE:
            found, most = (match, seat), len(moves)
        move = moves[chance.below(len(moves))]
        at.act(playing.move(match, move, at.now), match.chairs[seat].player or "")
    return *found, min(most, MANY)


def choice_of_bot(match: Match, seat: Seat) -> Move:
    """What the strongest bot would do after some thought."""
    looks = count()
    view = bot_view(match.game, match.state, seat, Luck(1), lambda: next(looks) > MAX_THOUGHTS)
    move: Move = match.game.levels[-1].bot(view)
    return move


def moves_of_buttons(menu: MoveMenu, path: Sequence[int] = ()) -> list[Any]:
    """The moves of the blue buttons."""
    return [
        menu.move_at(custom_ids.parse(one["custom_id"]).path)
        for one in menu.controls(path)[0]["components"]
        if one.get("style") == BLUE
    ]


@pytest.mark.parametrize("game", [*GAMES, TOY.key])
def test_likely_moves_come_first(
    game: str, harness: DiscordHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, seat, many = match_with_many_moves(game)
    assert many > 1
    monkeypatch.setattr(move_menus, "MAX_MENU_OPTIONS", many - 1)
    menu = MoveMenu(harness.annals, match, seat)
    likely = moves_of_buttons(menu)
    assert len(set(likely)) == len(likely) == min(MAX_BUTTONS, many)
    assert choice_of_bot(match, seat) in likely
    typed = [menu.get_move(int(value.split(".")[-1])) for _, value in menu.search("")]
    assert list(dict.fromkeys(typed))[: len(likely)] == likely
    assert set(typed) == set(legal_moves(match.game, match.state, seat))
    again = MoveMenu(harness.annals, match, seat)
    assert again.controls(()) == menu.controls(())


def test_a_likely_move_takes_two_presses(ada: Guest, ben: Guest) -> None:
    card = open_card(ada, ben)
    mover: Person = mover_of(card, ada, ben)
    shown = mover.presses(card, "Move")
    assert len(options(shown)) > MAX_BUTTONS
    label = labels(shown)[0]
    done = mover.presses(shown, label)
    assert "places a tile" in text(done)
    assert label.split()[-1] in text(done)


def test_few_moves_stay_in_the_order_of_the_game(harness: DiscordHarness) -> None:
    match, seat, _ = match_with_many_moves(TOY.key)
    menu = MoveMenu(harness.annals, match, seat)
    assert not moves_of_buttons(menu)
    shown = [menu.get_move(int(value.split(".")[-1])) for _, value in menu.search("")]
    assert shown == legal_moves(match.game, match.state, seat)


def test_users_of_the_benchmark_choose_on_to_a_move(harness: DiscordHarness) -> None:
    match = Table("ann bob", game=GAMES["qin"]).match
    menu, path = MoveMenu(harness.annals, match, match.seats_to_move[0]), ()
    while menu.move_at(path) is None:
        answer = msgspec.json.encode({"data": {"components": menu.controls(path)}})
        choice = next_choice(answer)
        assert choice is not None, menu.prompt(path)
        path = custom_ids.parse(choice["custom_id"]).path
        if choice["component_type"] == MENU:
            path = (*path, *map(int, choice["values"][0].split(".")))
