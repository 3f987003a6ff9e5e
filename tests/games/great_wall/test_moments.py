"""The moments at which tactic cards are played: GW-9.3, GW-9.4, GW-9.5."""

import pytest

from domain.engine.game import preview
from domain.games.great_wall import moves
from domain.games.great_wall.rules.answers import ANSWERS
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import effects, soldiers
from domain.games.great_wall.state.clans import Reaction
from domain.games.great_wall.state.context import NOTHING, Context
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import events_of, expect_refusal, kinds
from tests.games.great_wall.situations import (
    DONE,
    EVENT,
    KILLING,
    SAVED,
    TAKE,
    at_moment,
    full_table,
    saving,
    wound,
)
from tests.games.great_wall.table import horde, table

GONE = {"wounds raiders_left": 2, "covered raiders_left": -2}
BOTH = ("you_attack", "you_deal_last_wound")
DEFEAT = ("horde_defeated",)


def moment(*windows, context=EVENT):
    return steps.Moment(windows=windows, context=context)


def seats_asked(state):
    """The seats that are asked for tactic cards now."""
    if not state.agenda:
        return ()
    assert isinstance(state.agenda[-1], effects.React)
    return state.agenda[-1].seats


def three(*hands, **values):
    """A table of three with these tactic cards; the last seat is on top of the Tea order."""
    state = table(*({"tactics": hand} for hand in hands), tea=(2, 1, 0), **values)
    state.hordes = ((horde("scouts_left", by0=(2,), by1=(3,), by2=(8,)),), (), ())
    return state


def test_holders_of_cards_are_asked_whichever_cards_they_hold():
    """GW-9.4"""
    windows = [(seat, DEFEAT) for seat in range(3)]
    state = begin(three(("ambush",), (), ("spoils_of_war",)), moment(*windows))
    assert seats_asked(state) == (0, 2)
    assert next(iter(ANSWERS.legal_moves(state, 0))) == moves.PlayTactic(0)
    assert not any(getattr(move, "card", None) for move in ANSWERS.legal_moves(state, 0))


def test_seats_without_a_window_or_a_card_are_not_asked():
    """GW-9.4"""
    assert seats_asked(begin(three((), ("volley",), ()), moment((0, BOTH)))) == ()
    assert seats_asked(begin(three(("volley",), (), ()), moment())) == ()


def test_answers_are_secret_until_all_are_there_and_are_played_in_tea_order():
    """GW-9.4"""
    windows = [(seat, DEFEAT) for seat in range(3)]
    cards = ("spoils_of_war",), ("spoils_of_war",), ("brothers_in_arms",)
    before = begin(three(*cards), moment(*windows))
    state = after(
        before, moves.PlayTactic(0, "spoils_of_war"), moves.PlayTactic(2, "brothers_in_arms")
    )
    assert seats_asked(state) == (1,)
    assert state.clans[0].reaction == Reaction("spoils_of_war")
    assert [clan.tactics for clan in state.clans] == [clan.tactics for clan in before.clans]
    state = after(state, moves.PlayTactic(1, "spoils_of_war"))
    assert change(before, state, 2) == {"tactics": -1, "honor": 2, "chi": 1}
    assert state.agenda[-1].seats == (1,)  # takes resources before seat 0 does
    state = after(state, *[moves.TakeResource(1, "wood")] * 2, *[TAKE["gold"]] * 2)
    assert state.agenda == []
    assert state.tactic_discard == ("brothers_in_arms", "spoils_of_war", "spoils_of_war")
    assert [clan.reaction for clan in state.clans] == [None] * 3


def test_the_order_of_answers_makes_no_difference():
    """GW-9.4"""
    windows = [(seat, DEFEAT) for seat in range(3)]
    before = begin(three(("heroic_fight",), ("spoils_of_war",), ("volley",)), moment(*windows))
    answers = [moves.PlayTactic(0), moves.PlayTactic(1, "spoils_of_war"), moves.PlayTactic(2)]
    assert after(before, *answers) == after(before, *reversed(answers))


def test_one_card_at_a_moment_even_if_two_windows_are_open():
    """GW-9.4: the worked example WE06."""
    before = full_table(tactics=("battle_drums", "rob_the_dead"))
    state = begin(before, moment((0, BOTH)))
    new = after(state, moves.PlayTactic(0, "rob_the_dead"))
    assert (new.agenda, change(before, new)) == ([], {"gold": 2, "tactics": -1})


def test_a_card_is_played_in_its_window_only():
    """GW-9.3, GW-9.4"""
    state = begin(full_table(tactics=("finishing_blow",)), moment((0, ("you_attack",))))
    with expect_refusal("You cannot play"):
        after(state, moves.PlayTactic(0, "finishing_blow"))
    with expect_refusal("is not in your hand"):
        after(state, moves.PlayTactic(0, "battle_drums"))


@pytest.mark.parametrize(
    ("card", "window", "context"),
    [
        ("volley", "you_attack", Context(types=("spearman",))),
        ("heroic_fight", "horde_defeated", Context(hordes=("scouts_left",))),
    ],
)
def test_a_card_is_played_only_if_its_condition_holds(card, window, context):
    """GW-9.3"""
    state = begin(full_table(tactics=(card,)), moment((0, (window,)), context=context))
    with expect_refusal("You cannot play"):
        after(state, moves.PlayTactic(0, card))


def test_a_seat_without_a_soldier_there_is_not_asked_if_each_card_needs_one():
    """GW-9.4"""
    for context, asked in (
        (Context(hordes=("scouts_left",)), (0,)),
        (Context(sections=("left",)), ()),
    ):
        state = begin(full_table(tactics=("volley",)), moment((0, DEFEAT), context=context))
        assert seats_asked(state) == asked


def test_a_boost_must_be_paid():
    """GW-9.3"""
    state = begin(full_table(tactics=("battle_drums",), resources={"chi": 1}), moment((0, BOTH)))
    with expect_refusal("You cannot afford the boost"):
        after(state, moves.PlayTactic(0, "battle_drums", boosted=True))
    with expect_refusal("You can boost only a tactic card"):
        after(state, moves.PlayTactic(0, boosted=True))


def test_a_gain_of_a_card_does_not_pay_for_its_boost():
    """GW-1.6"""
    state = begin(full_table(tactics=("painted_banners",), resources={}), moment((0, BOTH)))
    with expect_refusal("You cannot afford the boost"):
        after(state, moves.PlayTactic(0, "painted_banners", boosted=True))


def test_a_strategist_boosts_for_less():
    """GW-18.5"""
    before = full_table(tactics=("battle_drums",), resources={"chi": 1}, active=("strategist",))
    new = after(begin(before, moment((0, BOTH))), moves.PlayTactic(0, "battle_drums", boosted=True))
    assert change(before, new) == {"honor": 5, "chi": -1, "tactics": -1}


def test_a_resource_that_pays_for_any_other_pays_for_a_boost():
    """GW-18.5"""
    own = {"resources": {"chi": 2, "gold": 2}, "active": ("keng_hsien_seng",)}
    before = full_table(tactics=("battle_drums",), **own)
    state = after(
        begin(before, moment((0, BOTH))), moves.PlayTactic(0, "battle_drums", boosted=True)
    )
    new = after(state, moves.PayBill(0, gold=1, chi=1))
    assert change(before, new) == {"honor": 5, "chi": -1, "gold": -1, "tactics": -1}


def test_a_card_that_no_longer_fits_stays_in_the_hand():
    """GW-9.4"""
    hands = ("heroic_fight",), ("volley",), ("volley",)
    state = begin(three(*hands), moment((0, DEFEAT), (1, DEFEAT)))
    state.clans[0].firing = (1, 0, 0)
    state = after(state, moves.PlayTactic(0, "heroic_fight"))
    state.clans[0].firing = (0, 0, 0)
    new = after(state, moves.PlayTactic(1))
    assert new.agenda == []
    assert new.clans[0].tactics == ("heroic_fight",)
    assert (new.clans[0].honor, new.clans[0].reaction) == (0, None)


def test_abilities_answer_a_card_that_was_played():
    """GW-9.3"""
    before = full_table(tactics=("battle_drums",), active=("calligrapher",))
    new = after(begin(before, moment((0, BOTH))), moves.PlayTactic(0, "battle_drums"))
    assert change(before, new) == {"honor": 2 + 2, "tactics": -1}
    events = events_of(begin(before, moment((0, BOTH))), moves.PlayTactic(0, "battle_drums"))
    played = ["ReactionSealed", "TacticPlayed", "HonorChanged", "TacticSpent", "HonorChanged"]
    assert kinds(events) == [*played, "MomentPassed"]
    passed = after(begin(before, moment((0, BOTH))), moves.PlayTactic(0))
    assert change(before, passed) == {}


def test_a_card_is_discarded_after_its_effect():
    """GW-9.3, GW-1.4: a card never draws itself."""
    before = full_table(tactics=("captured_scrolls",))
    before.tactic_deck = ()
    state = begin(before, moment((0, ("you_defeat_horde",))))
    new = after(state, moves.PlayTactic(0, "captured_scrolls"))
    assert change(before, new) == {"tactics": -1, "chi": 1}
    assert new.tactic_discard == ("captured_scrolls",)


def test_wounds_of_a_card_can_be_last_wounds_but_open_no_moment():
    """GW-10.9, GW-18.12"""
    before = full_table(tactics=("volley", "rob_the_dead"), active=("tactician_monk",))
    before.hordes = ((horde("scouts_left", wounds=3),), (), ())
    state = begin(before, moment((0, ("you_attack",))))
    new = after(state, moves.PlayTactic(0, "volley"), *wound("left", 0, 9))
    assert new.agenda == []
    assert change(before, new)["tactics"] == -1 + 2


def test_a_card_saves_soldiers_before_the_owner_pays():
    """GW-10.12"""
    state = begin(full_table(tactics=("withdrawal",)), KILLING)
    assert seats_asked(state) == (0,)
    state = after(state, moves.PlayTactic(0))
    assert isinstance(state.agenda[-1], soldiers.Save)
    assert state.agenda[-1].bill.chi == 2


def test_a_soldier_that_has_left_is_not_killed():
    """GW-10.12: a card can move or kill soldiers before they die."""
    state = begin(full_table(tactics=("withdrawal",)), KILLING)
    state.clans[0].firing = (0, 0, 0)
    state.clans[0].rest = ((1, 1, 0), (0, 0, 0), (0, 0, 0))
    new = after(state, moves.PlayTactic(0), saving("spearman", "scouts_left"), DONE)
    assert new.agenda == []
    assert new.clans[0].rest[0] == (1 + 1, 1, 0)
    assert change(state, new) == {**SAVED, "chi": -2, "pool horseman": 1, **GONE}


def test_a_seat_that_passes_until_its_turn_is_not_asked_before():
    """GW-9.4"""
    before = at_moment("you_attack", "battle_drums")
    state = after(before, moves.LetPass(0, "turn"))
    assert state.agenda == []
    assert state.clans[0].passing == ("turn",)
    assert begin(state, moment((0, BOTH))).agenda == []
    other = begin(state, steps.TakeTurn(slot=1))
    assert other.clans[0].passing == ("turn",)
    own = begin(state, steps.TakeTurn(slot=0))
    assert own.clans[0].passing == ()


def test_a_seat_that_passes_for_a_command_card_is_asked_again_at_the_next():
    """GW-9.4"""
    state = after(at_moment("you_attack", "battle_drums"), moves.LetPass(0, "card"))
    assert state.clans[0].passing == ("card",)
    assert begin(state, moment((0, BOTH))).agenda == []
    other = begin(state, steps.TakeTurn(slot=1))
    assert (other.track[1].clan, other.clans[0].passing) == (1, ())
    assert seats_asked(begin(other, moment((0, BOTH)))) == (0,)


def test_a_seat_that_passes_in_a_window_is_asked_in_others():
    """GW-9.4"""
    state = after(at_moment("you_attack", "battle_drums"), moves.LetPass(0, "you_attack"))
    assert begin(state, moment((0, ("you_attack",)))).agenda == []
    again = begin(state, moment((0, BOTH)))
    assert seats_asked(again) == (0,)
    with expect_refusal("You cannot play"):
        after(again, moves.PlayTactic(0, "battle_drums"))
    assert begin(state, steps.TakeTurn(slot=0)).clans[0].passing == ("you_attack",)


def test_only_open_windows_can_be_passed():
    """GW-9.4"""
    with expect_refusal("You cannot pass for that moment"):
        after(at_moment("you_attack", "volley"), moves.LetPass(0, "horde_defeated"))


def test_orders_to_pass_can_be_withdrawn():
    """GW-9.4"""
    state = after(at_moment("you_attack", "battle_drums"), moves.LetPass(0, "you_attack"))
    again = begin(state, moment((0, BOTH)))
    asked_again = after(again, moves.AskAgain(0))
    assert asked_again.clans[0].passing == ()
    assert seats_asked(asked_again) == (0,)
    with expect_refusal("You are not passing at any moment"):
        after(asked_again, moves.AskAgain(0))


def test_a_seat_that_withdraws_an_order_must_still_choose():
    """GW-9.4, GW-7.1"""
    state = full_table(hand=("economy",), passing=("turn",))
    state = begin(state, steps.ChooseCommand((0, 1, 2)), steps.RevealCommands())
    state = after(state, moves.AskAgain(0))
    assert (state.agenda[-1].seats, state.clans[0].passing) == ((0, 1, 2), ())


def test_a_preview_stops_before_the_cards_of_others_are_played():
    """GW-9.4"""

    class Here:
        answers = ANSWERS

    windows = (0, DEFEAT), (1, DEFEAT)
    hands = ("spoils_of_war",), ("spoils_of_war",), ()
    state = begin(three(*hands), moment(*windows))
    state = after(state, moves.PlayTactic(0, "spoils_of_war"))
    told = preview(Here, state, moves.PlayTactic(1))
    assert [type(event).__name__ for event in told] == ["ReactionSealed"]


def test_the_moment_after_a_command_step_has_no_section():
    """GW-18.11: the seat can choose any Section."""
    before = full_table(tactics=("ambush",))
    state = begin(before, moment((0, ("after_your_command_step",)), context=NOTHING))
    state = after(state, moves.PlayTactic(0, "ambush", boosted=True), *wound("center", 0, 1))
    with expect_refusal("You cannot wound this Horde card"):
        after(state, *wound("left", 0, 3))
    assert after(state, DONE).agenda == []
