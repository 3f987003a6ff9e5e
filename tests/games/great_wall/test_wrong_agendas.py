"""Positions are refused whose agenda no game comes to, and all that a game comes to are read."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.dice import Luck
from domain.engine.errors import BadPosition
from domain.engine.game import advance, awaited, legal_moves, new_state
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.clans import Claim, Leaders, Reaction
from domain.games.great_wall.state.context import NOTHING, Context
from domain.games.great_wall.state.steps import clerks, effects, soldiers, supply, year
from domain.games.great_wall.state.table import Doubled, State
from tests.games.great_wall.game import GAME
from tests.games.great_wall.table import horde, participated
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
        year.ReclaimSome((0,), left=1),
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
def test_what_can_be_asked_in_a_turn_is_read(waiting):
    """GW-18.6"""
    assert read(in_turn(waiting)).agenda[-1] == waiting


def ordering(*scripts):
    return effects.OrderAbilities((0,), waiting=scripts, context=NOTHING)


WRONG = [
    # who waits
    ([year.Chain()], "waits for a seat"),
    ([MOVING, MOVING], "Only the last step"),
    ([replace(MOVING, seats=(0, 0))], "names something twice"),
    ([replace(MOVING, seats=(0, 1))], "One seat is asked"),
    ([year.Ask(step=clerks.MoveClerks(left=1, spread="any")), MOVING], "waits for a seat"),
    ([year.Ask(step=clerks.MoveClerks((7,), left=1, spread="any")), MOVING], "Seats go from"),
    ([year.Winter(), MOVING], "Winter is not planned now"),
    ([year.EndTurn(), MOVING], "EndTurn is not planned now"),
    ([year.Casualties(section="left", clans=()), MOVING], "Nobody is left"),
    ([year.Casualties(section="left", clans=(0, 0)), MOVING], "names something twice"),
    ([year.Casualties(section="left", clans=(7,)), MOVING], "no such clan"),
    ([replace(ATTACKING, made=(0, 1, 0))], "Sections that were chosen"),
    ([replace(ATTACKING, shot=(2, 0, 0))], "stands in a Firing spot"),
    # what is left
    ([clerks.MoveClerks((0,), left=41, spread="any")], "from 1 to 40"),
    ([clerks.MoveClerks((0,), left=0, spread="any")], "from 1 to 40"),
    ([clerks.MoveReedClerks((0,), left=1)], "does not take part"),
    ([clerks.SendBack((0,), left=2, where="academy")], "from 1 to 1"),
    ([clerks.SendBack((0,), left=1, where="moon")], "no Location"),
    ([clerks.OrderActivations((0,), waiting=("academy", "academy"))], "something twice"),
    ([clerks.OrderActivations((0,), waiting=())], "names what is there"),
    ([clerks.OrderActivations((0,), waiting=("embassy",))], "has nothing to choose"),
    ([clerks.Upgrade((0,), left=1, where=("academy",))], "names what is there"),
    ([clerks.Donate((0,), left=1, resources=("chi",))], "names what is there"),
    ([clerks.TakeIncomes((0,), left=1, where="any", done=((0, "academy"),))], "is produced"),
    ([clerks.ReedBarricade((0,))], "does not take part"),
    ([clerks.Logistics((0,), left=0)], "is `left`, or going on"),
    ([clerks.Logistics((0,), left=1, route=("left", "left"))], "something twice"),
    ([soldiers.Recruit((0,), left=1, types=("archer",), named=("horseman",) * 3)], "the pool"),
    ([soldiers.Deploy((0,), left=("archer",), recruited=())], "were `recruited`"),
    ([soldiers.Deploy((0,), left=(), recruited=())], "is `left` to be deployed"),
    ([soldiers.Wounding((0,), left=1, first_row=True, sections=())], "names what is there"),
    (
        [soldiers.Wounding((0,), left=1, first_row=True, sections=("left",), cards=("x",))],
        "They go on Horde cards",
    ),
    ([soldiers.ChooseDoomed((0,), left=1, units=(UNIT, UNIT))], "No such soldiers"),
    ([soldiers.Save((0,), left=1, bill=Bill())], "is dying"),
    ([supply.PlaceShame((0,))], "They get a token"),
    ([supply.DiscardShame((0,), left=3)], "from 1 to 2"),
    ([supply.Pay((0,), bill=Bill(wood=1), warehouse=True)], "in any mix"),
    ([supply.TakeResources((0,), left=2, resources=("wood",), different=True)], "from 1 to 1"),
    ([supply.LoseResources((0,), left=10, resources=("wood",))], "from 1 to 9"),
    ([supply.StockWarehouse((0,), left=1, resources=("chi",))], "names what is there"),
    ([supply.DiscardTactics((0,), keep=0)], "more tactic cards"),
    # what cards do
    ([effects.OrderAbilities((0,), waiting=("generals/song_ci/0",), context=NOTHING)], "a chain"),
    (
        [
            year.Chain(),
            effects.OrderAbilities((0,), waiting=("generals/wan_yi/0",), context=NOTHING),
        ],
        "names what is there",
    ),
    ([effects.Consider((0,), here=PERFORM, left=1)], "another operation"),
    ([replace(PERFORM, script="tactics/volley/third"), MOVING], "No card says"),
    ([replace(PERFORM, at=1), MOVING], "no operation"),
    ([replace(PERFORM, context=Context(hordes=("x",))), MOVING], "Horde cards"),
    ([year.Fire(trigger="moonrise", clans=(0,), context=NOTHING), MOVING], "Nothing answers"),
    ([year.Fire(trigger="income", clans=(0, 0), context=NOTHING), MOVING], "something twice"),
    ([year.Chain(used=("x",)), MOVING], "names abilities"),
    ([effects.SpendTactic(card="volley"), MOVING], "`played` are the tactic cards"),
    ([effects.React((0,), windows=WINDOWS, context=NOTHING)], "played next"),
    # soldiers, Horde cards, buildings
    ([soldiers.Defeat(card="scouts_left"), MOVING], "Only a full Horde card"),
    ([soldiers.Slay(clan=0, card="scouts_left"), MOVING], "not defeated"),
    ([soldiers.KillBatch(clan=0, doomed=(UNIT, UNIT)), MOVING], "No such soldiers"),
    ([soldiers.Dying(clan=1, doomed=(UNIT,)), MOVING], "No such soldiers"),
    (
        [clerks.UpgradeNow(seat=0, location="quarry", soldier="archer"), PAYING],
        "the first Overseer",
    ),
    ([clerks.BuildNow(seat=0, section="left", wall=True), PAYING], "no room for it"),
    ([clerks.HireNow(seat=0, advisor="volley"), PAYING], "can be hired"),
    ([clerks.HireNow(seat=0), MOVING], "It is being paid"),
    ([clerks.HireNow(seat=0), year.Ask(step=MOVING), PAYING], "It is being paid"),
    ([clerks.OfferUpgrade(seat=0, location="academy"), MOVING], "Nothing is produced"),
    ([supply.GainShame(seat=0, left=99), MOVING], "So many Shame tokens"),
    ([year.CommandPart(clan=0, slot=7, part="others"), MOVING], "No command card"),
    ([year.PlaceReedCommand(), MOVING], "placed once"),
    # how much it is about
    ([year.Chain()] * 60 + [MOVING], "60 steps at most"),
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
    ([soldiers.Recruit((0,), left=1, types=("archer",), cost=Bill(any_wsg=3))], "No card lets"),
    ([soldiers.Recruit((0,), left=1, types=("archer",), less=41)], "from 0 to 40"),
    ([soldiers.Deploy((0,), left=("archer",), recruited=("archer",) * 41)], "from 0 to 40"),
]


@pytest.mark.parametrize(("above", "reason"), WRONG)
def test_what_cannot_be_going_on_is_refused(above, reason):
    """GW-7.3, GW-18.6"""
    state = in_turn(*above)
    state.walls = (3, 0, 0)
    with pytest.raises(BadPosition, match=reason):
        read(state)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"agenda": [MOVING]}, "what ends the season"),
        ({"agenda": [year.TakeTurn(slot=9), MOVING]}, "no such slot"),
        ({"active": None}, "whoever has the turn"),
        ({"active": 1}, "whoever has the turn"),
        ({"played": ("volley",)}, "`played` are the tactic cards"),
        ({"doubled": (Doubled(0, "moon", 2),)}, "`doubled` names a Location"),
    ],
)
def test_what_does_not_fit_to_the_turn_is_refused(change, reason):
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
        ({"passing": ("moonrise",)}, "`passing` knows"),
        (
            {"leaders": Leaders("song_ci", "fletcher", "logistician")},
            "chosen of those that were dealt",
        ),
        ({"reaction": Reaction("volley")}, "a tactic card of the hand"),
        ({"reaction": Reaction(None)}, "a moment that is going on"),
        ({"dealt_generals": ("qin_hui", "tong_guan")}, "are dealt before the game"),
        ({"command": "economy"}, "a secret choice"),
        ({"shown": "economy"}, "placed next"),
    ],
)
def test_what_a_clan_cannot_have_in_a_turn_is_refused(own, reason):
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


def ended(**change: Any) -> State:
    state = in_turn(MOVING)
    state.agenda, state.active, state.ended, state.winners = [], None, "shame", (0,)
    state.shame, state.clans[0].honor = 0, 50
    state.clans[0].counted = participated(50)
    for name, value in change.items():
        setattr(state, name, value)
    return state


def test_an_end_is_read():
    """GW-13.8, GW-13.9"""
    assert read(ended()).winners == (0,)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"ended": "walls"}, "did not end like this"),
        ({"shame": 1}, "did not end like this"),
        ({"winners": (1,)}, "Others are the `winners`"),
        ({"active": 0}, "Nobody is active"),
    ],
)
def test_an_end_that_has_not_come_is_refused(change, reason):
    """GW-13.8, GW-13.9"""
    with pytest.raises(BadPosition, match=reason):
        read(ended(**change))


def test_a_defeat_that_goes_on_is_read():
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
    while awaited(state):
        assert read(state) == state
        menu = legal_moves(GAME, state, awaited(state)[0])
        advance(GAME, state, menu[dice.below(len(menu))], dice)
    assert read(state) == state
