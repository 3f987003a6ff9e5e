"""How players point at Requests and orders of command cards: GW-16.3, GW-16.11."""

from __future__ import annotations

from domain.engine.errors import IncompleteMove, RuleBroken
from domain.engine.game import describe_step, describe_touch, legal_moves, touch_tree
from domain.engine.play import Move
from domain.engine.resolve_touches import resolve_touches
from domain.engine.sentences import LANGUAGES
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.state.table import State
from tests.games.great_wall.course import after
from tests.games.great_wall.test_agreement import placing, three
from tests.games.great_wall.test_requests import RICH, agree, declare, table_paying_together, winter
from tests.games.seen import why
from tests.support.for_each import for_each


def touch_path(state: State, seat: int, *path: str) -> Move | str | tuple[str, ...]:
    """The move that these touches mean, the next touches, or the refusal."""
    try:
        return resolve_touches(GAME, state, seat, GAME.view(state, seat), path)
    except IncompleteMove as several:
        return several.choices
    except RuleBroken as refusal:
        return why(GAME, refusal)


def names(state: State, seat: int) -> list[str]:
    """The first touches, in English."""
    view = GAME.view(state, seat)
    ways = touch_tree(GAME, view, legal_moves(GAME, state, seat))
    return [GAME.words().say(describe_touch(GAME, name, view)) for name in ways.choices(())]


def test_an_order_is_proposed_by_touching_one_shown_card_after_the_other():
    """GW-16.3"""
    state = three()
    assert touch_path(state, 0, "shown:1") == ("shown:2", "shown:0")
    assert touch_path(state, 0, "shown:1", "shown:0") == moves.ProposeOrder(0, (1, 0, 2))
    assert touch_path(state, 0, "shown:1", "shown:0", "shown:2") == moves.ProposeOrder(0, (1, 0, 2))
    assert touch_path(state, 0, "agree") == moves.AgreeToOrder(0, (2, 0, 1))
    assert touch_path(state, 0, "refuse") == moves.DeclineOrder(0)
    assert (
        touch_path(state, 0, "shown:2", "shown:0", "shown:1")
        == "This order is already proposed. Agree, refuse, or propose another one."
    )
    assert names(placing("economy", "betrayal", tea=(1, 2, 0)), 0) == [
        "agree to it",
        "refuse it",
        "seat 2's command card",
        "the Reed Clan's command card",
        "seat 1's command card",
    ]


def test_requests_are_declared_and_agreed_to():
    """GW-16.11"""
    state = winter(RICH, RICH, RICH, requests=("timber_levy", "rites"))
    assert names(state, 0) == ["done declaring Requests", "Timber levy"]
    assert touch_path(state, 0, "request:timber_levy") == moves.DeclareRequest(0, "timber_levy")
    assert touch_path(state, 0, "request:rites") == (
        "The players cannot pay for it in full now. Declare another Request, or choose “done”."
    )
    state = declare(state, "timber_levy")
    assert touch_path(state, 1, "agree") == moves.AgreeToPay(1, "timber_levy")
    assert touch_path(state, 2, "refuse") == moves.RefuseToPay(2)


def test_with_many_amounts_the_first_touch_chooses_the_tens():
    """GW-16.11"""
    state = table_paying_together(9, 40, 9)
    tens = ("0 to 9", "10 to 19", "20 to 29", "30 to 39")
    assert names(state, 1) == ["done offering a share", *(f"offer {amounts}" for amounts in tens)]
    assert touch_path(state, 1, "tens:20:29", "give:27") == moves.GiveShare(1, 27)
    assert (
        touch_path(state, 1, "give:31")
        == "Offer no more than you have and no more than is missing."
    )
    state = after(state, moves.GiveShare(1, 21))
    assert names(state, 0) == [
        "done offering a share",
        *(f"offer {amount}" for amount in range(1, 10)),
    ]


def test_soldiers_are_sacrificed_where_they_stand():
    """GW-16.11"""
    some = {"pool": {"spearman": 1}, "firing": {"left": 1}, "rest": {"center": {"spearman": 1}}}
    one = {"pool": {"spearman": 1}}
    state = declare(winter(some, one, one, requests=("veterans_home",)), "veterans_home")
    state = agree(state, "veterans_home", 1, 2)
    [pool, rest, firing] = (
        moves.SacrificeSoldier(0, "spearman"),
        moves.SacrificeSoldier(0, "spearman", "rest", "center"),
        moves.SacrificeSoldier(0, "archer", "firing", "left"),
    )
    assert touch_path(state, 0, "soldier:spearman", "from:pool") == pool
    assert touch_path(state, 0, "soldier:spearman", "rest:center") == rest
    assert touch_path(state, 0, "soldier:archer") == firing
    assert (
        touch_path(state, 0, "soldier:archer", "from:pool")
        == "You have no such soldier to sacrifice. Choose another soldier."
    )


@for_each("language", LANGUAGES)
def test_every_question_has_a_text(language):
    """GW-16.3, GW-16.11"""
    words = GAME.words(language)
    for state in (three(), table_paying_together(9, 40, 9), winter(requests=("clean_hands",))):
        step, view = state.agenda[-1], GAME.view(state, None)
        for reader in (None, step.seats[0]):
            assert "{" not in words.say(describe_step(GAME, step, view, reader))
