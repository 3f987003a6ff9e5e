"""Undo of choices that all make at once, and in the moments of tactic cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.engine.game import seats_to_move
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import effects
from domain.games.great_wall.state.clans import Leaders, Reaction
from domain.games.great_wall.state.table import State
from domain.match.state import ForkedFrom
from tests.match.table import Table, kinds
from tests.support.for_each import for_each

PEOPLE = "ann bob cid"
FORK: Mapping[str, Any] = {
    "forked_from": ForkedFrom("another match", 9),
    "setup": GAME.setup(GAME.options(), len(PEOPLE.split())),
}
"""What lets a match start in the middle of a turn."""


def state(table: Table) -> State:
    """The current state of a table of The Great Wall."""
    now: State = table.match.state
    return now


def leaders(table: Table, seat: int, other: int = 0) -> moves.KeepLeaders:
    """The leaders that a seat keeps, by their index in what it was dealt."""
    clan = state(table).clans[seat]
    return moves.KeepLeaders(seat, clan.dealt_generals[other], clan.dealt_advisors[other])


def test_leaders_can_be_undone_freely_until_another_seat_has_chosen() -> None:
    """GW-2.8"""
    table = Table(PEOPLE, game=GAME)
    table.move(leaders(table, 0))
    assert kinds(table.undo("ann")) == ["Undone"]
    assert (seats_to_move(state(table)), state(table).clans[0].leaders) == ((0, 1, 2), None)
    table.move(leaders(table, 0, other=1))
    table.move(leaders(table, 1))
    assert kinds(table.undo("ann")) == ["UndoRequested"]


def test_shown_leaders_are_undone_with_consent_and_hidden_again() -> None:
    """GW-2.8"""
    table = Table(PEOPLE, game=GAME)
    for seat in range(3):
        table.move(leaders(table, seat))
    assert isinstance(state(table).agenda[-1], steps.ChooseCommand)
    assert kinds(table.undo("cid")) == ["UndoRequested"]
    table.answer("ann")
    assert kinds(table.answer("bob")) == ["UndoAnswered", "Undone"]
    assert (seats_to_move(state(table)), state(table).advisors) == ((2,), ())
    assert {clan.general for clan in state(table).clans} == {""}
    first = state(table).clans[0]
    chosen = Leaders(first.dealt_generals[0], first.dealt_advisors[0], first.dealt_advisors[1])
    assert first.leaders == chosen, "what the others chose is still chosen"
    table.move(leaders(table, 2, other=1))
    assert state(table).clans[0].general == chosen.general


def choosing(**more: Any) -> Table:
    """A table where all choose command cards."""
    return Table(PEOPLE, game=GAME, position={"clans": [{}, {}, {}]}, **more)


def test_a_command_card_can_be_undone_freely_until_another_seat_has_chosen() -> None:
    """GW-7.1"""
    table = choosing()
    table.move(moves.PlayCommand(1, "economy"))
    assert kinds(table.undo("bob")) == ["Undone"]
    bob = state(table).clans[1]
    assert (seats_to_move(state(table)), bob.hand, bob.command) == (
        (0, 1, 2),
        (*decks.COMMANDS,),
        None,
    )
    table.move(moves.PlayCommand(1, "betrayal"))
    table.move(moves.PlayCommand(0, "economy"))
    assert kinds(table.undo("bob")) == ["UndoRequested"]
    assert kinds(table.answer("cid")) == ["UndoAnswered"]
    assert kinds(table.answer("ann")) == ["UndoAnswered", "Undone"]
    assert seats_to_move(state(table)) == (0, 1, 2), "what was chosen later is undone as well"


def test_shown_command_cards_are_undone_with_consent_and_hidden_again() -> None:
    """GW-7.1, GW-7.2"""
    table = choosing()
    for seat, card in enumerate(("economy", "despotism", "betrayal")):
        table.move(moves.PlayCommand(seat, card))
    assert [clan.shown for clan in state(table).clans] == ["economy", "despotism", "betrayal"]
    assert kinds(table.undo("cid")) == ["UndoRequested"]
    table.answer("ann")
    assert kinds(table.answer("bob")) == ["UndoAnswered", "Undone"]
    assert [clan.shown for clan in state(table).clans] == [None] * 3
    assert [clan.command for clan in state(table).clans] == ["economy", "despotism", None]
    table.move(moves.PlayCommand(2, "economy"))
    assert [clan.shown for clan in state(table).clans] == ["economy", "despotism", "economy"]


def test_a_choice_that_is_free_to_undo_is_undone_across_the_reveal() -> None:
    """GW-7.2"""
    table = choosing(undo="free")
    for seat in range(3):
        table.move(moves.PlayCommand(seat, "economy"))
    assert kinds(table.undo("ann", 1)) == ["Undone"]
    assert [clan.command for clan in state(table).clans] == [None] * 3
    assert kinds(table.redo("ann")) == ["Redone"]
    assert [clan.shown for clan in state(table).clans] == ["economy"] * 3


FULL = {"0,2": "0:spearman", "0,3": "1:spearman", "1,2": "2:spearman", "1,3": "wound"}
"""The Vital spots of a Horde card that is about to be defeated."""
HANDS = ["heroic_fight", "last_stand"], ["spoils_of_war"], ["volley"]
TURN = [{"type": name} for name in ("EndTurn", "DefeatCheck", "AfterActivationStep")]
WALKING = {"type": "MoveClerks", "seats": [0], "left": 1, "spread": "any"}
RECRUITED = {
    "type": "Deploy",
    "seats": [0],
    "left": ["spearman"],
    "recruited": ["spearman"],
}


def turn(*top: dict[str, Any], spots: dict[str, str]) -> Table:
    """The turn of the first seat, with these steps on top."""
    agenda = [{"type": "TakeTurn", "slot": 1}, *TURN, {"type": "ActivationStep"}, *top]
    position = {
        "clans": [{"tactics": hand, "hand": []} for hand in HANDS],
        "hordes": {"left": [{"card": "scouts_left", "spots": spots}]},
        "track": [{"clan": 0, "card": "economy"}, None, None],
        "active": 0,
        "agenda": agenda,
    }
    return Table(PEOPLE, game=GAME, position=position, **FORK)


def after_command() -> Table:
    """M4: the first seat has ended its Command step."""
    table = turn({"type": "AfterCommandStep"}, WALKING, spots=FULL)
    table.move(moves.Done(0))
    return table


def about_to_be_defeated() -> Table:
    """M2: a Horde card is full."""
    table = after_command()
    table.move(moves.PlayTactic(0))
    return table


def about_to_be_killed() -> Table:
    """M3: the first seat loses a soldier on the Horde card."""
    table = about_to_be_defeated()
    for seat in range(3):
        table.move(moves.PlayTactic(seat))
    return table


def after_attack() -> Table:
    """M1: the first seat has attacked with a recruit."""
    table = turn(RECRUITED, spots={})
    table.move(moves.Attack(0, "spearman", "pool", "left", 0, (2,)))
    return table


def after_recruiting() -> Table:
    """M5: the first seat has recruited, and the attack is over."""
    table = after_attack()
    table.move(moves.PlayTactic(0))
    return table


MOMENTS = {
    "you_attack": after_attack,
    "horde_defeated": about_to_be_defeated,
    "your_soldier_killed": about_to_be_killed,
    "after_your_command_step": after_command,
    "you_recruit": after_recruiting,
}
"""By a window of each moment, a table where it is open for the first seat."""


def windows(table: Table) -> dict[int, tuple[str, ...]]:
    """By seat, its open windows."""
    step = state(table).agenda[-1]
    assert isinstance(step, effects.React)
    return dict(step.windows)


@for_each("window", MOMENTS)
def test_after_an_undo_answers_at_a_moment_are_asked_again(window: str) -> None:
    """GW-9.4"""
    table = MOMENTS[window]()
    before, version = GAME.write_position(state(table)), table.match.version
    assert window in windows(table)[0]
    for seat in seats_to_move(state(table)):
        table.move(moves.PlayTactic(seat))
    assert kinds(table.undo("ann", version)) == ["UndoRequested"]
    table.answer("bob")
    assert kinds(table.answer("cid")) == ["UndoAnswered", "Undone"]
    assert GAME.write_position(state(table)) == before
    assert window in windows(table)[0]


def test_an_answer_can_be_undone_freely_while_others_think() -> None:
    """GW-9.4"""
    table = about_to_be_defeated()
    table.move(moves.PlayTactic(1, "spoils_of_war"))
    assert state(table).clans[1].reaction == Reaction("spoils_of_war")
    assert kinds(table.undo("bob")) == ["Undone"]
    assert (seats_to_move(state(table)), state(table).clans[1].reaction) == ((0, 1, 2), None)
    table.move(moves.LetPass(1, "turn"))
    assert state(table).clans[1].passing == ("turn",)
    assert kinds(table.undo("bob")) == ["Undone"]
    assert (seats_to_move(state(table)), state(table).clans[1].passing) == ((0, 1, 2), ())


def test_played_cards_return_to_the_hands_with_consent() -> None:
    """GW-9.3, GW-9.4"""
    table = about_to_be_defeated()
    table.move(moves.PlayTactic(0))
    table.move(moves.PlayTactic(1, "spoils_of_war"))
    table.move(moves.PlayTactic(2))
    assert (state(table).clans[1].tactics, state(table).played) == ((), ("spoils_of_war",))
    table.move(moves.TakeResource(1, "gold"))
    assert kinds(table.undo("bob")) == ["Undone"], "which resource it was told nothing"
    assert kinds(table.undo("cid")) == ["UndoRequested"]
    table.answer("ann")
    table.answer("bob")
    assert (seats_to_move(state(table)), state(table).clans[0].reaction) == ((2,), Reaction())
    assert state(table).clans[1].reaction == Reaction("spoils_of_war")
    assert (state(table).clans[1].tactics, state(table).played) == (("spoils_of_war",), ())
    table.move(moves.PlayTactic(2))
    assert state(table).played == ("spoils_of_war",), "the answers of the others still stand"
