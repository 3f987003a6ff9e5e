"""Fall: chapter 7."""

from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.events import course
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import supply
from domain.games.great_wall.state.table import ClerkBonus, LaidCommand
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.game import (
    events_of,
    events_of_steps,
    kinds,
    legal_moves_of,
    of,
    refusal_of,
)
from tests.games.great_wall.table import table

HAND = tuple(decks.COMMANDS)
DONE = moves.Done


def choosing(*hands):
    """A table where all who can choose a command card."""
    return begin(table(*({"hand": hand} for hand in hands)), steps.Fall())


def test_all_who_hold_command_cards_choose_at_once():
    """GW-7.1"""
    state = choosing(HAND, (), ("economy",))
    assert state.agenda[-1] == steps.ChooseCommand((0, 2))
    assert [move.card for move in legal_moves_of(state, moves.PlayCommand)] == [*HAND]
    assert refusal_of(state, moves.PlayCommand(2, "betrayal")) == ("GW-7.1", "not_in_hand")
    assert events_of(state, moves.PlayCommand(2, "economy")) == [course.CommandChosen(2, "economy")]


def test_cards_are_shown_together_and_placed_in_tea_order():
    """GW-1.3, GW-7.2"""
    state = choosing(HAND, HAND, HAND)
    state.tea = (2, 0, 1)
    cards = ("economy", "despotism", "economy")
    for seat, card in enumerate(cards):
        state = after(state, moves.PlayCommand(seat, card))
    assert [clan.shown for clan in state.clans] == [*cards]
    assert list(state.command_cards()) == [
        LaidCommand(seat, card) for seat, card in enumerate(cards)
    ]
    assert state.agenda[-1] == steps.PlaceCommand((2,))
    assert refusal_of(state, moves.LayCommand(2, 3)) == ("GW-7.2", "not_free")
    state = after(state, moves.LayCommand(2, 1))
    assert state.agenda[-1] == steps.PlaceCommand((0,))
    assert [move.slot for move in legal_moves_of(state, moves.LayCommand)] == [0, 2]
    events = events_of(state, moves.LayCommand(0, 2))
    assert of(course.CommandPlaced, events)[1] == course.CommandPlaced(1, "despotism", 0)
    assert of(course.TurnBegan, events) == [course.TurnBegan(1, 0, "despotism")]


def test_abilities_answer_in_tea_order_when_the_cards_are_shown():
    """GW-1.3, GW-1.6, GW-7.2"""
    poet = {"general": "su_dongpo", "supporting": ("herald",), "command": "economy"}
    clans = (poet, {"command": "despotism"}, {"active": ("spy",), "command": "betrayal"})
    state = begin(table(*clans, tea=(2, 1, 0)), steps.RevealCommands())
    for seat in (2, 0):
        assert isinstance(state.agenda[-1], supply.TakeResources)
        state = after(state, moves.TakeResource(seat, "wood"))
    assert isinstance(state.agenda[-1], steps.PlaceCommand)


def place_cards(*cards, **own):
    """A table with these cards on the track, at the beginning of the first turn."""
    clans = ({"hand": (), **own} for _ in range(3))
    laid = list(enumerate(cards))
    return begin(table(*clans, track=laid, tea=(2, 0, 1)), steps.TakeTurn(slot=0))


def test_the_active_player_comes_first_then_all_others_then_the_active_player_again():
    """GW-1.9, GW-7.3"""
    state = place_cards("despotism", "economy", "economy")
    movers = []
    for _ in range(3):
        step = state.agenda[-1]
        movers.append((step.seats, step.left, step.spread))
        state = after(state, DONE(*step.seats))
    assert movers == [((0,), 8, "any"), ((2,), 2, "distinct"), ((1,), 2, "distinct")]
    assert state.active == 1


def test_cards_count_whether_they_have_been_resolved_or_not():
    """GW-7.4"""
    for cards in (("economy", "despotism", "economy"), ("despotism", "economy", "economy")):
        state = table(*({"hand": ()} for _ in range(3)), track=list(enumerate(cards)))
        slot = cards.index("despotism")
        part = steps.CommandPart(clan=slot, slot=slot, part="first")
        assert begin(state, part).agenda[-1].left == 8


def test_abilities_and_tactic_cards_follow_the_command_step_then_locations_activate():
    """GW-7.3, GW-7.5, GW-9.4"""
    state = table({"tactics": ("night_works",)}, track=[(0, "betrayal")], tea=(0, 1, 2))
    turn = begin(state, steps.TakeTurn(slot=0))
    planned = [type(step).__name__ for step in reversed(turn.agenda)]
    assert planned[1:] == ["OthersParts", "CommandPart", "RestOfTurn", "TakeTurn"]
    rest = begin(turn, steps.RestOfTurn()).agenda
    assert [type(step).__name__ for step in reversed(rest)] == [
        "React",
        "PlayReactions",
        "ActivationStep",
        "AfterActivationStep",
        "DefeatCheck",
        "EndTurn",
    ]
    assert rest[-1].windows == ((0, ("after_your_command_step",)),)


def test_a_turn_ends_with_the_horde_defeat_check_and_the_next_one_begins():
    """GW-7.6, GW-7.7"""
    state = table(track=[(1, "economy"), (0, "economy")], active=1)
    events = events_of_steps(state, steps.EndTurn(), steps.TakeTurn(slot=1))
    assert kinds(events) == ["TurnEnded", "TurnBegan"]
    last = events_of_steps(table(track=[]), steps.TakeTurn(slot=0))
    assert last[0] == course.SeasonBegan("winter", 1)


def test_clerks_count_as_more_until_the_end_of_the_turn():
    """GW-6.8, GW-7.6"""
    state = table(active=0, doubled=(ClerkBonus(0, "barracks", 2),))
    assert begin(state, steps.EndTurn()).doubled == ()
