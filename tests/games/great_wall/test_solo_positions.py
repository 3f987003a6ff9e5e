"""Positions of solo games, and refusals of those that no game reaches."""

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadPosition
from domain.engine.game import decide, fold, seats_to_move
from domain.games.great_wall.cards import automata
from domain.games.great_wall.rules import reed as reeds
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, effects, soldiers, supply
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.table import LaidCommand
from tests.games.great_wall.alone import QIN, REED
from tests.games.great_wall.game import GAME, new_table
from tests.games.record import any_move

SETUP = GAME.setup(GAME.options(mode="solo"), 1)


def in_fall():
    """A position in which the human chooses a command card, as JSON."""
    dice, state = Luck(3), new_table(1, Luck(3), mode="solo")
    while not isinstance(state.agenda[-1], steps.ChooseCommand):
        fold(state, decide(GAME, state, any_move(GAME, state, dice), dice))
    return state


def read(state):
    return GAME.read_position(SETUP, GAME.write_position(state), 1)


def refusal(state):
    with pytest.raises(BadPosition) as caught:
        read(state)
    return str(caught.value)


@pytest.mark.parametrize("seed", range(6))
def test_positions_can_be_written_and_read_throughout_a_game(seed):
    """GW-14.2, GW-14.3, GW-14.14"""
    dice = Luck(seed)
    state = new_table(1, dice, mode="solo")
    while seats_to_move(state):
        fold(state, decide(GAME, state, any_move(GAME, state, dice), dice))
        again = GAME.read_position(state.setup, GAME.write_position(state), 1)
        assert again == state


def test_members_of_qin_left_out_are_as_at_the_beginning():
    """GW-14.2"""
    told = {"game": "great_wall", "clans": [{}, {}, {"supporting": ["herald", "spy"]}]}
    state = GAME.read_position(SETUP, {**told, "tokens": automata.TOKENS}, 1)
    qin = state.clans[QIN]
    assert (qin.clerks_pool, qin.pool, qin.level("temple")) == (8, (8, 4, 0), 1)
    assert set(state.solo_deck) == set(automata.SOLO)


def change_qin(**qin):
    """The same table with these changes of Qin."""
    state = in_fall()
    for name, value in qin.items():
        setattr(state.clans[QIN], name, value)
    return state


ASKED = supply.TakeResources((0,), left=2, resources=("wood", "stone"))
ODD = "Qin Jiushao has no resources, no Shame and no choices."


@pytest.mark.parametrize(
    ("qin", "reason"),
    [
        ({"resources": (1, 0, 0, 0)}, ODD),
        ({"active": ("grain_commissioner",)}, None),
        ({"tactics": ("volley",)}, None),
        ({"supporting": ()}, "Qin Jiushao has 2 Supporting Advisors."),
        ({"clerks": (0, 0, 0, 0, 0, 0, 0, 0, 0, 1), "clerks_pool": 7}, "in Locations of his track"),
        ({"discard": ("economy",)}, "There is no 'economy' among the `discard`"),
        ({"discard": ("solo_economy",), "shown": "solo_economy"}, "twice"),
        ({"general": "song_ci"}, None),
        ({"passing": ("turn",)}, ODD),
        ({"shamed": (1, 0, 0), "pool": (7, 4, 0)}, None),
        ({"clerks_space": 1, "clerks_pool": 7}, ODD),
        ({"overseers": (None,) * 4, "pool": (8, 4, 0)}, None),
    ],
)
def test_qin_owns_no_more_than_he_can(qin, reason):
    """GW-14.2, GW-14.6, GW-14.9"""
    state = change_qin(**qin)
    if "overseers" in qin:
        told = GAME.write_position(state)
        told["clans"][QIN]["overseers"] = {"quarry": {"level": 1, "soldier": "archer"}}
        told["clans"][QIN].pop("pool")
        with pytest.raises(BadPosition, match="an Overseer in each production Location"):
            GAME.read_position(SETUP, told, 1)
        return
    said = refusal(state)
    assert reason is None or reason in said


def test_a_secret_choice_is_followed_by_its_reveal():
    """GW-2.8, GW-7.1"""
    state = in_fall()
    revealing, choosing = state.agenda
    for agenda in ([revealing, ASKED], [steps.EndCheck(), choosing]):
        state.agenda = agenda
        assert "followed only by its reveal." in refusal(state)


def test_his_command_card_is_shown_as_long_as_cards_are_to_be_placed():
    """GW-14.5"""
    state = in_fall()
    state.agenda[:] = [steps.TakeTurn(slot=0), steps.PlaceCommands(), state.agenda[-1]]
    state.agenda[-1] = ASKED
    assert "The card of Qin Jiushao is also `shown`." in refusal(state)
    state.clans[QIN].shown = "solo_economy"
    state.solo_deck = tuple(card for card in state.solo_deck if card != "solo_economy")
    assert read(state) == state


@pytest.mark.parametrize("tokens", [(), ("wood",), ("wood", *automata.TOKENS[:-1])])
def test_the_location_track_has_each_token_once(tokens):
    """GW-14.3"""
    state = in_fall()
    state.tokens = tokens
    assert "`tokens` are those of the Location track" in refusal(state)


def test_other_modes_have_no_tokens():
    """GW-14.3"""
    told = {"game": "great_wall", "clans": [{}, {}, {}], "tokens": automata.TOKENS}
    with pytest.raises(BadPosition, match="`tokens`"):
        GAME.read_position(GAME.setup(GAME.options(), 3), told, 3)


def test_without_shame_a_solo_game_is_over():
    """GW-14.14"""
    state = in_fall()
    state.shame = 0
    assert "Without Shame a solo game is over" in refusal(state)


@pytest.mark.parametrize(
    ("clan", "card"), [(0, "solo_economy"), (QIN, "economy"), (REED, "solo_economy")]
)
def test_each_automaton_has_its_own_cards_on_the_track(clan, card):
    """GW-14.5, GW-15.5"""
    state = in_fall()
    state.agenda = [steps.TakeTurn(slot=0), steps.Ask(step=steps.PlaceCommand((0,)))]
    state.track = (LaidCommand(clan, card), None, None)
    assert refusal(state)


def going_on(*above, active=QIN, slot=0, card="solo_economy"):
    """His turn, in which the human is asked, with these steps planned below."""
    state = in_fall()
    state.active = active
    state.track = (LaidCommand(active, card), None, None)
    if active == QIN:
        state.solo_deck = tuple(one for one in state.solo_deck if one != card)
    else:
        state.clans[0].hand = tuple(one for one in state.clans[0].hand if one != card)
    moving = clerks.MoveClerks((0,), left=2, spread="distinct")
    state.agenda = [
        steps.TakeTurn(slot=1),
        steps.RestOfTurn(),
        steps.CommandPart(clan=active, slot=0, part="last"),
        *above,
        moving,
    ]
    return state


HIS = effects.Perform(clan=QIN, script="solo/solo_economy/others", at=1)


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (HIS, None),
        (steps.Fire(trigger="other_clerk_move", clans=(0,), context=NOTHING), None),
        (clerks.QinActivations(left=1), None),
        (clerks.QinActivations(left=0), "`left` must be from 1"),
        (clerks.ResolveFor(clan=QIN, location="temple"), None),
        (clerks.ResolveFor(clan=QIN, location="academy"), "only to Locations of his track"),
        (steps.QinShoots(section="right"), None),
        (steps.QinShoots(section="left"), "That Section is not in use"),
        (steps.Shoot(seat=QIN, section="right"), "Seats go from 0 to 0"),
        (effects.Perform(clan=0, script="solo/solo_economy/first"), "uses his cards"),
        (effects.Perform(clan=QIN, script="commands/economy/first"), "uses his cards"),
        (effects.Perform(clan=QIN, script="solo/solo_dance/first"), "No card has the script"),
        (effects.Perform(clan=REED, script="commands/economy/first"), "Seats go from 0 to 0"),
        (steps.CommandPart(clan=0, slot=0, part="others"), "There is no command card"),
        (steps.PlaceQinCommand(), "`shown` command cards are placed next"),
        (soldiers.AttackOver(seat=QIN, tally=soldiers.Tally()), "Seats go from 0 to 0"),
    ],
)
def test_steps_for_him_are_read_or_refused(step, reason):
    """GW-14.5, GW-14.6, GW-18.9"""
    state = going_on(step)
    if reason is None:
        assert read(state) == state
    else:
        assert reason in refusal(state)


@pytest.mark.parametrize("step", [clerks.QinActivations(left=1), steps.QinShoots(section="right")])
def test_without_him_steps_for_him_are_refused(step):
    """GW-14.2"""
    told = {
        "game": "great_wall",
        "clans": [{}, {}, {}],
        "active": 0,
        "track": [{"clan": 0, "card": "economy"}, None, None],
        "agenda": [
            {"type": "TakeTurn", "slot": 1},
            {"type": "RestOfTurn"},
            json_codec.to_json(step),
            {"type": "MoveClerks", "seats": [0], "left": 2, "spread": "any"},
        ],
    }
    with pytest.raises(BadPosition, match="Qin Jiushao does not play"):
        GAME.read_position(GAME.setup(GAME.options(), 3), told, 3)


def test_of_the_leftmost_advisors_one_is_chosen_for_him():
    """GW-14.13"""
    state = in_fall()
    state.agenda = [steps.Summer(), steps.ChooseSupporter((0,), advisors=state.advisors[:2])]
    state.season = "spring"
    assert read(state) == state
    state.agenda[-1] = steps.ChooseSupporter((0,), advisors=state.advisors[1:3])
    assert "The leftmost advisors leave the track" in refusal(state)


def test_his_card_is_placed_when_it_is_shown():
    """GW-14.5"""
    state = in_fall()
    state.clans[QIN].shown = "solo_economy"
    state.solo_deck = tuple(one for one in state.solo_deck if one != "solo_economy")
    state.clans[0].shown = "economy"
    state.clans[0].hand = tuple(one for one in state.clans[0].hand if one != "economy")
    placing = [steps.TakeTurn(slot=0), steps.PlaceReedCommand(), steps.PlaceQinCommand()]
    state.agenda = [*placing, steps.PlaceCommand((0,))]
    assert read(state) == state
    state.agenda = [*placing[:2], steps.PlaceCommand((0,))]
    assert "`shown` command cards are placed next" in refusal(state)


def test_an_end_in_the_middle_of_a_turn_is_read():
    """GW-14.14"""
    state = going_on(active=0, card="despotism")
    state.agenda, state.ended, state.shame = [], "shame", 0
    assert read(state) == state
    assert state.track[0].card != reeds.CARD
    state.winners = (0,)
    assert "These are not the `winners`" in refusal(state)
