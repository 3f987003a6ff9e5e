"""Agendas: those that a game reaches are read, others are refused."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.dice import Luck
from domain.engine.errors import BadPosition
from domain.engine.game import advance, legal_moves, new_state, seats_to_move
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, effects, soldiers, supply
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.clans import Claim, Leaders, Reaction
from domain.games.great_wall.state.context import NOTHING, Context
from domain.games.great_wall.state.table import ClerkBonus, State
from tests.games.great_wall.game import GAME
from tests.games.great_wall.table import horde, participation_honor
from tests.games.great_wall.turns import in_turn, muster, read
from tests.games.great_wall.wrong import MOVING, PAYING

UNIT = soldiers.Unit("archer", "left", "firing")
WINDOWS = ((0, ("you_attack",)),)
PERFORM = effects.Perform(clan=0, script="tactics/volley/basic")
ATTACKING = soldiers.Attacking(
    (0,),
    left=1,
    types=("archer",),
    origins=("rest", "firing"),
    sections=0,
    chosen=("left",),
    made=(1, 0, 0),
    shot=(1, 0, 0),
)


def test_a_turn_is_read():
    """GW-7.3"""
    assert read(in_turn(MOVING)).agenda[-1] == MOVING


@pytest.mark.parametrize(
    "waiting",
    [
        steps.ReclaimSome((0,), left=1),
        clerks.MoveClerks((0,), left=10, spread="any"),  # five cards of the same name
        clerks.SendBack((0,), left=1, where="academy"),
        clerks.OrderActivations((0,), waiting=("academy",)),
        clerks.Upgrade((0,), left=1, where=("quarry",)),
        clerks.TakeIncomes((0,), left=1, where="any", done=((0, "quarry"),)),
        clerks.Logistics((0,), left=0, route=("left", "center")),
        ATTACKING,
        soldiers.Recruit((0,), left=1, types=("archer",), named=("spearman",)),
        soldiers.Deploy((0,), left=("archer",), recruited=("archer", "archer")),
        soldiers.Wounding((0,), left=1, first_row=False, sections=("left",)),
        supply.DiscardShame((0,), left=2),
        PAYING,
        supply.TakeResources((0,), left=1, resources=("wood", "chi")),
    ],
    ids=lambda step: type(step).__name__,
)
def test_questions_in_a_turn_are_read(waiting):
    """GW-18.6"""
    assert read(in_turn(waiting)).agenda[-1] == waiting


def ordering(*scripts):
    return effects.OrderAbilities((0,), waiting=scripts, context=NOTHING)


WRONG = [
    # seats to wait for
    ([steps.Chain()], "waits for a seat"),
    ([MOVING, MOVING], "Only the last step"),
    ([replace(MOVING, seats=(0, 0))], "names something twice"),
    ([replace(MOVING, seats=(0, 1))], "for one seat at a time"),
    ([steps.Ask(step=clerks.MoveClerks(left=1, spread="any")), MOVING], "waits for a seat"),
    ([steps.Ask(step=clerks.MoveClerks((7,), left=1, spread="any")), MOVING], "Seats go from"),
    ([steps.Winter(), MOVING], "Winter is not possible now"),
    ([steps.EndTurn(), MOVING], "EndTurn is not possible now"),
    ([steps.Casualties(section="left", clans=()), MOVING], "No clan is left"),
    ([steps.Casualties(section="left", clans=(0, 0)), MOVING], "names something twice"),
    ([steps.Casualties(section="left", clans=(7,)), MOVING], "no such clan"),
    ([replace(ATTACKING, made=(0, 1, 0))], "the `chosen` Sections"),
    ([replace(ATTACKING, shot=(2, 0, 0))], "Archers in Firing spots"),
    # amounts left
    ([clerks.MoveClerks((0,), left=41, spread="any")], "from 1 to 40"),
    ([clerks.MoveClerks((0,), left=0, spread="any")], "from 1 to 40"),
    ([clerks.MoveReedClerks((0,), left=1)], "does not take part"),
    ([clerks.SendBack((0,), left=2, where="academy")], "from 1 to 1"),
    ([clerks.SendBack((0,), left=1, where="moon")], "no Location"),
    ([clerks.OrderActivations((0,), waiting=("academy", "academy"))], "something twice"),
    ([clerks.OrderActivations((0,), waiting=())], "must name known things"),
    ([clerks.OrderActivations((0,), waiting=("embassy",))], "has no choice"),
    ([clerks.Upgrade((0,), left=1, where=("academy",))], "must name known things"),
    ([clerks.Donate((0,), left=1, resources=("chi",))], "must name known things"),
    (
        [clerks.TakeIncomes((0,), left=1, where="any", done=((0, "academy"),))],
        "in production Locations",
    ),
    ([clerks.ReedBarricade((0,))], "does not take part"),
    ([clerks.Logistics((0,), left=0)], "must be `left` or in progress"),
    ([clerks.Logistics((0,), left=1, route=("left", "left"))], "something twice"),
    ([soldiers.Recruit((0,), left=1, types=("archer",), named=("horseman",) * 3)], "the pool"),
    ([soldiers.Deploy((0,), left=("archer",), recruited=())], "must be among `recruited`"),
    ([soldiers.Deploy((0,), left=(), recruited=())], "must be `left` to deploy"),
    ([soldiers.Wounding((0,), left=1, first_row=True, sections=())], "must name known things"),
    (
        [soldiers.Wounding((0,), left=1, first_row=True, sections=("left",), cards=("x",))],
        "go only on Horde cards",
    ),
    ([soldiers.ChooseDoomed((0,), left=1, units=(UNIT, UNIT))], "no such soldiers"),
    ([soldiers.Save((0,), left=1, bill=Bill())], "must be dying"),
    ([supply.PlaceShame((0,))], "must be getting a token"),
    ([supply.DiscardShame((0,), left=3)], "from 1 to 2"),
    ([supply.Pay((0,), bill=Bill(wood=1), warehouse=True)], "in any mix"),
    ([supply.TakeResources((0,), left=2, resources=("wood",), different=True)], "from 1 to 1"),
    ([supply.LoseResources((0,), left=10, resources=("wood",))], "from 1 to 9"),
    ([supply.StockWarehouse((0,), left=1, resources=("chi",))], "must name known things"),
    ([supply.DiscardTactics((0,), keep=0)], "less than the cards in hand"),
    # effects of cards
    ([effects.OrderAbilities((0,), waiting=("generals/song_ci/0",), context=NOTHING)], "a chain"),
    (
        [
            steps.Chain(),
            effects.OrderAbilities((0,), waiting=("generals/wan_yi/0",), context=NOTHING),
        ],
        "must name known things",
    ),
    ([effects.Consider((0,), here=PERFORM, left=1)], "of another kind"),
    ([replace(PERFORM, script="tactics/volley/third"), MOVING], "No card has the script"),
    ([replace(PERFORM, at=1), MOVING], "not an operation"),
    ([replace(PERFORM, context=Context(hordes=("x",))), MOVING], "Horde cards"),
    ([steps.Fire(trigger="moonrise", clans=(0,), context=NOTHING), MOVING], "There is no trigger"),
    ([steps.Fire(trigger="income", clans=(0, 0), context=NOTHING), MOVING], "something twice"),
    ([steps.Chain(used=("x",)), MOVING], "names abilities"),
    ([effects.SpendTactic(card="volley"), MOVING], "`played` are the tactic cards"),
    ([effects.React((0,), windows=WINDOWS, context=NOTHING)], "played next"),
    # soldiers, Horde cards, buildings
    ([soldiers.Defeat(card="scouts_left"), MOVING], "Only a full Horde card"),
    ([soldiers.Slay(clan=0, card="scouts_left"), MOVING], "on a defeated Horde card"),
    ([soldiers.KillBatch(clan=0, doomed=(UNIT, UNIT)), MOVING], "no such soldiers"),
    ([soldiers.Dying(clan=1, doomed=(UNIT,)), MOVING], "no such soldiers"),
    (
        [clerks.UpgradeNow(seat=0, location="quarry", soldier="archer"), PAYING],
        "Only a new Overseer",
    ),
    ([clerks.BuildNow(seat=0, section="left", wall=True), PAYING], "no free slot for it"),
    ([clerks.HireNow(seat=0, advisor="volley"), PAYING], "cannot be hired"),
    ([clerks.HireNow(seat=0), MOVING], "Only its payment"),
    ([clerks.HireNow(seat=0), steps.Ask(step=MOVING), PAYING], "Only its payment"),
    ([clerks.OfferUpgrade(seat=0, location="academy"), MOVING], "not a production Location"),
    ([supply.GainShame(seat=0, left=99), MOVING], "that many Shame tokens"),
    ([steps.CommandPart(clan=0, slot=7, part="others"), MOVING], "There is no command card"),
    ([steps.PlaceReedCommand(), MOVING], "placed once"),
    # limits
    ([steps.Chain()] * 60 + [MOVING], "at most 60 steps"),
    ([replace(PERFORM, context=Context(last_wounds=99)), MOVING], "from 0 to 40"),
    ([replace(PERFORM, context=Context(clerks=-1)), MOVING], "from 0 to 40"),
    ([replace(PERFORM, context=Context(firing=("left",) * 41)), MOVING], "from 0 to 40"),
    ([supply.Pay((0,), bill=Bill(any_wsg=21))], "20 of a kind"),
    ([supply.Pay((0,), bill=Bill(wood=20, stone=20, chi=1))], "from 0 to 40"),
    ([supply.Pay((0,), bill=Bill(wood=1, less=-1))], "from 0 to 40"),
    ([supply.DiscardShame((0,), left=1, bill=Bill(chi=21))], "20 of a kind"),
    ([clerks.Hire((0,), left=1, clerk=Bill(gold=21), advisors=True)], "20 of a kind"),
    ([clerks.Hire((0,), left=1, clerk=None, advisors=True, less=-1)], "from 0 to 40"),
    ([clerks.Upgrade((0,), left=1, where=("quarry",), less=-1)], "from 0 to 40"),
    ([clerks.Build((0,), left=1, barricades=(), walls=("left",), less=-1)], "from 0 to 40"),
    ([soldiers.Recruit((0,), left=1, types=("archer",), cost=Bill(any_wsg=3))], "No card sets"),
    ([soldiers.Recruit((0,), left=1, types=("archer",), less=41)], "from 0 to 40"),
    ([soldiers.Deploy((0,), left=("archer",), recruited=("archer",) * 41)], "from 0 to 40"),
]


@pytest.mark.parametrize(("above", "reason"), WRONG)
def test_impossible_agendas_are_refused(above, reason):
    """GW-7.3, GW-18.6"""
    state = in_turn(*above)
    state.walls = (3, 0, 0)
    with pytest.raises(BadPosition, match=reason):
        read(state)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"agenda": [MOVING]}, "the step that ends the season"),
        ({"agenda": [steps.TakeTurn(slot=9), MOVING]}, "no such slot"),
        ({"active": None}, "the clan that has the turn"),
        ({"active": 1}, "the clan that has the turn"),
        ({"played": ("volley",)}, "`played` are the tactic cards"),
        ({"doubled": (ClerkBonus(0, "moon", 2),)}, "`doubled` names a Location"),
    ],
)
def test_changes_that_do_not_fit_the_turn_are_refused(change, reason):
    """GW-6.8, GW-7.3"""
    state = in_turn(MOVING)
    for name, value in change.items():
        setattr(state, name, value)
    if change.get("played"):
        state.tactic_deck = tuple(card for card in state.tactic_deck if card != "volley")
    with pytest.raises(BadPosition, match=reason):
        read(state)


@pytest.mark.parametrize(
    ("own", "reason"),
    [
        ({"claimed": (Claim("axemen_left", shame=3),)}, "has 2 Shame slots"),
        ({"passing": ("turn", "turn")}, "something twice"),
        ({"passing": ("moonrise",)}, "`passing` can be"),
        (
            {"leaders": Leaders("song_ci", "fletcher", "logistician")},
            "from the dealt cards",
        ),
        ({"reaction": Reaction("volley")}, "a tactic card in hand"),
        ({"reaction": Reaction(None)}, "a moment in progress"),
        ({"dealt_generals": ("qin_hui", "tong_guan")}, "are dealt before the game"),
        ({"command": "economy"}, "a secret choice"),
        ({"shown": "economy"}, "placed next"),
    ],
)
def test_impossible_clans_in_a_turn_are_refused(own, reason):
    """GW-2.8, GW-7.1, GW-9.4, GW-11.2"""
    state = in_turn(MOVING)
    for name, value in own.items():
        setattr(state.clans[0], name, value)
    state.shame = 9
    if {"command", "shown"} & own.keys():
        state.clans[0].discard = ()
    with pytest.raises(BadPosition, match=reason):
        read(state)


@pytest.mark.parametrize("shame", [0, 1, 2])
def test_shame_lies_on_a_claimed_horde_card_as_far_as_it_has_slots(shame):
    """GW-11.2"""
    state = in_turn(MOVING)
    state.clans[0].claimed = (Claim("axemen_left", shame=shame),)
    state.shame -= shame
    assert read(state).clans[0].claimed == (Claim("axemen_left", shame=shame),)


def game_over(**change: Any) -> State:
    state = in_turn(MOVING)
    state.agenda, state.active, state.ended, state.winners = [], None, "shame", (0,)
    state.shame, state.clans[0].honor = 0, 50
    state.clans[0].counted = participation_honor(50)
    for name, value in change.items():
        setattr(state, name, value)
    return state


def test_an_end_is_read():
    """GW-13.8, GW-13.9"""
    assert read(game_over()).winners == (0,)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"ended": "walls"}, "cannot have `ended` like this"),
        ({"shame": 1}, "cannot have `ended` like this"),
        ({"winners": (1,)}, "These are not the `winners`"),
        ({"active": 0}, "no clan is `active`"),
    ],
)
def test_an_end_without_a_reason_is_refused(change, reason):
    """GW-13.8, GW-13.9"""
    with pytest.raises(BadPosition, match=reason):
        read(game_over(**change))


def test_a_defeat_in_progress_is_read():
    """GW-10.11"""
    state = in_turn(
        soldiers.TakeAway(card="scouts_left", defeater=0),
        soldiers.KillBatch(clan=0),
        soldiers.ChooseDoomed(
            (0,),
            left=1,
            units=tuple(
                soldiers.Unit("spearman", "left", "horde", "scouts_left", spot) for spot in (2, 3)
            ),
        ),
    )
    full = horde("scouts_left", by0=(2,)).with_soldier(0, (3,)).with_wounds((8, 9))
    state.hordes = ((full,), *state.hordes[1:])
    muster(state, 0)
    assert isinstance(read(state).agenda[-1], soldiers.ChooseDoomed)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_every_position_of_a_game_is_read(seats):
    dice = Luck(seats)
    state = new_state(GAME, GAME.setup(GAME.options(extended_decks=True), seats), seats, dice)
    while seats_to_move(state):
        assert read(state) == state
        menu = legal_moves(GAME, state, seats_to_move(state)[0])
        advance(GAME, state, menu[dice.below(len(menu))], dice)
    assert read(state) == state
