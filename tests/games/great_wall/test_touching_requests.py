"""How Requests and orders of command cards are pointed at: GW-16.3, GW-16.11."""

from __future__ import annotations

import pytest

from domain.engine.errors import RuleBroken, Unfinished
from domain.engine.game import ask, call, legal_moves, tree
from domain.engine.play import Move
from domain.engine.resolve_touches import pointed_at
from domain.engine.sentences import LANGUAGES
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.state.table import State
from tests.games.great_wall.course import after
from tests.games.great_wall.test_agreement import placing, three
from tests.games.great_wall.test_requests import RICH, agreed, declared, together, winter
from tests.games.seen import why


def touched(state: State, seat: int, *path: str) -> Move | str | tuple[str, ...]:
    """The move that is meant, what can be touched next, or why not."""
    try:
        return pointed_at(GAME, state, seat, GAME.view(state, seat), path)
    except Unfinished as several:
        return several.choices
    except RuleBroken as refusal:
        return why(GAME, refusal)


def names(state: State, seat: int) -> list[str]:
    """What can be touched first, in English."""
    view = GAME.view(state, seat)
    ways = tree(GAME, view, legal_moves(GAME, state, seat))
    return [GAME.words().say(call(GAME, name, view)) for name in ways.choices(())]


def test_an_order_is_proposed_by_touching_one_shown_card_after_the_other():
    """GW-16.3"""
    state = three()
    assert touched(state, 0, "shown:1") == ("shown:2", "shown:0")
    assert touched(state, 0, "shown:1", "shown:0") == moves.ProposeOrder(0, (1, 0, 2))
    assert touched(state, 0, "shown:1", "shown:0", "shown:2") == moves.ProposeOrder(0, (1, 0, 2))
    assert touched(state, 0, "agree") == moves.AgreeToOrder(0, (2, 0, 1))
    assert touched(state, 0, "refuse") == moves.DeclineOrder(0)
    assert touched(state, 0, "shown:2", "shown:0", "shown:1") == "That order is proposed already."
    assert names(placing("economy", "betrayal", tea=(1, 2, 0)), 0) == [
        "agree",
        "do not agree",
        "command card of seat 1",
        "command card of the Reed Clan",
        "command card of seat 0",
    ]


def test_requests_are_declared_and_agreed_to():
    """GW-16.11"""
    state = winter(RICH, RICH, RICH, requests=("timber_levy", "rites"))
    assert names(state, 0) == ["no more", "Timber levy"]
    assert touched(state, 0, "request:timber_levy") == moves.DeclareRequest(0, "timber_levy")
    assert touched(state, 0, "request:rites") == "It cannot be paid in full now."
    state = declared(state, "timber_levy")
    assert touched(state, 1, "agree") == moves.AgreeToPay(1, "timber_levy")
    assert touched(state, 2, "refuse") == moves.RefuseToPay(2)


def test_of_many_amounts_one_first_chooses_the_tens():
    """GW-16.11"""
    state = together(9, 40, 9)
    tens = ("0 to 9", "10 to 19", "20 to 29", "30 to 39")
    assert names(state, 1) == ["no more", *(f"offer {amounts}" for amounts in tens)]
    assert touched(state, 1, "tens:20:29", "give:27") == moves.GiveShare(1, 27)
    assert touched(state, 1, "give:31") == "Offer no more than is missing, and than you have."
    state = after(state, moves.GiveShare(1, 21))
    assert names(state, 0) == ["no more", *(f"offer {amount}" for amount in range(1, 10))]


def test_soldiers_are_sacrificed_where_they_stand():
    """GW-16.11"""
    some = {"pool": {"spearman": 1}, "firing": {"left": 1}, "rest": {"center": {"spearman": 1}}}
    one = {"pool": {"spearman": 1}}
    state = declared(winter(some, one, one, requests=("veterans_home",)), "veterans_home")
    state = agreed(state, "veterans_home", 1, 2)
    [pool, rest, firing] = (
        moves.SacrificeSoldier(0, "spearman"),
        moves.SacrificeSoldier(0, "spearman", "rest", "center"),
        moves.SacrificeSoldier(0, "archer", "firing", "left"),
    )
    assert touched(state, 0, "soldier:spearman", "from:pool") == pool
    assert touched(state, 0, "soldier:spearman", "rest:center") == rest
    assert touched(state, 0, "soldier:archer") == firing
    assert (
        touched(state, 0, "soldier:archer", "from:pool") == "You have no such soldier to sacrifice."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_asked_is_said(language):
    """GW-16.3, GW-16.11"""
    words = GAME.words(language)
    for state in (three(), together(9, 40, 9), winter(requests=("clean_hands",))):
        assert "{" not in words.say(ask(GAME, state.agenda[-1], GAME.view(state, None)))
