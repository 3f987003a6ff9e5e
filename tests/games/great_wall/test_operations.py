"""Each operation with all its members, where no card of the decks uses them: GW-18.6."""

import pytest

from domain.games.great_wall import moves
from domain.games.great_wall.cards import ops, solo_ops
from domain.games.great_wall.cards.amounts import Cost, Count, Limit
from domain.games.great_wall.cards.conditions import Condition
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.rules.answers import ANSWERS
from domain.games.great_wall.rules.operations.perform import OPERATIONS
from domain.games.great_wall.state.agenda import effects, soldiers
from domain.games.great_wall.state.context import NOTHING, Context
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import expect_refusal
from tests.games.great_wall.situations import DEPLOY, DEPLOYED, DONE, TAKE, full_table, wound
from tests.games.great_wall.table import horde, participation_honor

ALL = ("spearman", "archer", "horseman")
HERE = Context(sections=("left",), hordes=("scouts_left",))


@pytest.fixture
def doing(monkeypatch):
    """A function that does operations for the first seat, as if a tactic card said so."""

    def do(*block, context=NOTHING, state=None, **inner):
        monkeypatch.setitem(SCRIPTS, "tactics/own/basic", block)
        for name, part in inner.items():
            monkeypatch.setitem(SCRIPTS, f"tactics/own/basic/0.{name.replace('_', '.')}", part)
        before = state or full_table()
        perform = effects.Perform(clan=0, script="tactics/own/basic", context=context)
        return before, begin(before, perform)

    return do


def test_every_operation_has_a_function():
    """GW-18.6, GW-18.9"""
    assert set(OPERATIONS) == {*ops.Op.__args__, *solo_ops.SoloOp.__args__}


def test_operations_follow_one_another(doing):
    """GW-18.6"""
    before, state = doing(ops.Gain(any=1), ops.TeaUp(steps=1), ops.Gain(honor=1))
    assert change(before, state) == {}
    assert change(before, after(state, TAKE["wood"])) == {"wood": 1, "tea": 1, "honor": 1}


def test_an_empty_list_changes_nothing(doing):
    """GW-18.6"""
    before, state = doing()
    assert (state.agenda, state) == ([], before)


def test_gain_different_resources_of_some_types(doing):
    """GW-18.6"""
    gain = ops.Gain(any=3, any_of=("wood", "gold", "chi"), different=True, stone=Count("year"))
    before, state = doing(gain)
    with expect_refusal("Choose wood, gold or chi"):
        after(state, TAKE["stone"])
    state = after(state, TAKE["gold"])
    with expect_refusal("Choose wood or chi"):
        after(state, TAKE["gold"])
    new = after(state, TAKE["chi"])  # and wood, which is all that is left
    assert change(before, new) == {"wood": 1, "stone": 1, "gold": 1, "chi": 1}


def test_lose_as_much_as_there_is(doing):
    """GW-18.6, GW-1.7"""
    poor = full_table(resources={"wood": 1, "gold": 2}, honor=3, counted=participation_honor(3))
    before, state = doing(ops.Lose(wood=3, honor=5), state=poor)
    assert change(before, state) == {"wood": -1, "honor": -3}
    assert state.agenda == []


def test_lose_chosen_resources(doing):
    """GW-18.6, GW-1.5"""
    before, state = doing(ops.Lose(any=2, any_of=("wood", "chi")))
    with expect_refusal("Choose wood or chi"):
        after(state, moves.LoseResource(0, "gold"))
    with expect_refusal("Give up a resource."):
        after(state, DONE)
    new = after(state, moves.LoseResource(0, "wood"), moves.LoseResource(0, "chi"))
    assert change(before, new) == {"wood": -1, "chi": -1}
    poor = full_table(resources={"wood": 1})
    before, state = doing(ops.Lose(any=2), state=poor)
    assert (state.agenda, change(before, state)) == ([], {"wood": -1})


def test_lose_chosen_tactic_cards(doing):
    """GW-18.6"""
    _, state = doing(ops.Lose(tactics=1), state=full_table(tactics=("volley", "ambush")))
    new = after(state, moves.DiscardTactic(0, "ambush"))
    assert (new.clans[0].tactics, new.agenda) == (("volley",), [])
    for cards, n in ((("volley",), 1), (("volley",), 2), ((), 1)):
        _, state = doing(ops.Lose(tactics=n), state=full_table(tactics=cards))
        assert (state.clans[0].tactics, state.agenda) == ((), [])


def test_may_several_times_without_cost(doing):
    """GW-18.6"""
    before, state = doing(ops.May(do=(), times=2), do=(ops.Gain(honor=1),))
    state = after(state, moves.Accept(0))
    assert change(before, state) == {"honor": 1}
    assert after(state, moves.Accept(0)).agenda == after(state, DONE).agenda == []


def test_may_pay_in_a_mix_and_with_honor(doing):
    """GW-18.2, GW-18.6"""
    cost = Cost(any_of_wsg=2, chi=1, honor=1)
    rich = full_table(honor=1, counted=participation_honor(1))
    before, state = doing(ops.May(do=(), cost=cost), state=rich, do=(ops.Gain(gold=5),))
    new = after(state, moves.Accept(0), moves.PayBill(0, wood=1, stone=1, chi=1))
    assert change(before, new) == {"wood": -1, "stone": -1, "chi": -1, "honor": -1, "gold": 5}
    _, state = doing(ops.May(do=(), cost=cost), do=(ops.Gain(gold=5),))
    assert state.agenda == []  # without honor no seat is asked


def test_choose_several_options_each_once(doing):
    """GW-18.6"""
    options = (ops.Gain(wood=1),), (ops.Gain(gold=1),), (ops.Gain(honor=1),)
    inner = {f"options_{number}": option for number, option in enumerate(options)}
    before, state = doing(ops.Choose(options=options, n=2), **inner)
    state = after(state, moves.TakeOption(0, 2))
    for wrong in (2, 3, -1):
        with expect_refusal("This option is not available"):
            after(state, moves.TakeOption(0, wrong))
    assert change(before, after(state, moves.TakeOption(0, 0))) == {"honor": 1, "wood": 1}


@pytest.mark.parametrize(("least", "effect"), [(2, {"wood": 1}), (3, {"gold": 1})])
def test_if_and_else(doing, least, effect):
    """GW-18.6, GW-18.7"""
    cond = Condition(count_at_least=Limit("supporting_advisors", n=least))
    inner = {"do": (ops.Gain(wood=1),), "else": (ops.Gain(gold=1),)}
    before, state = doing(ops.If(cond=cond, do=()), **inner)
    assert change(before, state) == effect


def test_every_other_player_does_it(doing):
    """GW-18.6"""
    each = ops.EachPlayer(who="others", do=())
    before, state = doing(each, do=(ops.Gain(honor=Count("overseers")),))
    assert [change(before, state, seat) for seat in range(3)] == [{}, {"honor": 1}, {}]


def test_named_players_are_others_and_each_once(doing):
    """GW-18.6"""
    name = ops.ChoosePlayers(n=2, do=())
    before, state = doing(name, do=(ops.Gain(honor=Count("supporting_advisors")),))
    with expect_refusal("another player"):
        after(state, moves.NamePlayer(0, 0))
    state = after(state, moves.NamePlayer(0, 1))
    with expect_refusal("another player"):
        after(state, moves.NamePlayer(0, 1))
    new = after(state, DONE)
    assert [change(before, new, seat) for seat in range(3)] == [{}, {"honor": 2}, {}]


def test_clerks_in_a_kind_of_location_count_as_more(doing):
    """GW-6.8, GW-18.3"""
    _, state = doing(ops.ClerksCountAs(where="special", each=3, until="end_of_turn"))
    assert [(one.clan, one.where, one.each) for one in state.doubled] == [(0, "special", 3)]


def test_hire_several_clerks_at_the_printed_cost(doing):
    """GW-8.9, GW-18.6"""
    before, state = doing(ops.HireClerk(n=2))
    new = after(state, moves.HireClerk(0), moves.HireClerk(0))
    assert (new.agenda, change(before, new)) == ([], {"clerks": 2, "space": -2, "gold": -4})


def test_upgrade_without_cost(doing):
    """GW-8.4, GW-18.6"""
    before, state = doing(ops.UpgradeOverseer(n=1, where="quarry", free=True))
    assert change(before, after(state, moves.UpgradeOverseer(0, "quarry"))) == {"level quarry": 1}


def test_take_the_yield_of_all_overseers(doing):
    """GW-18.6"""
    rich = full_table(overseers={"quarry": 1, "temple": 3})
    before, state = doing(ops.OverseerIncome(n="all", whose="own"), state=rich)
    yields = [moves.TakeIncome(0, 0, "quarry"), moves.TakeIncome(0, 0, "temple")]
    assert change(before, after(state, *yields)) == {"stone": 1, "chi": 3}


def test_take_the_yield_of_some_overseers(doing):
    """GW-18.6"""
    rich = full_table(overseers={"quarry": 1, "temple": 3, "gold_mine": 2})
    before, state = doing(ops.OverseerIncome(n=2, whose="own"), state=rich)
    yields = [moves.TakeIncome(0, 0, "quarry"), moves.TakeIncome(0, 0, "temple")]
    new = after(state, *yields)
    assert (new.agenda, change(before, new)) == ([], {"stone": 1, "chi": 3})


def test_recruit_without_cost_and_of_some_types_only(doing):
    """GW-8.6, GW-18.6"""
    before, state = doing(ops.Recruit(n=2, types=("spearman",), free=True))
    with expect_refusal("You cannot recruit this type"):
        after(state, moves.NameRecruit(0, "archer"))
    new = after(state, moves.NameRecruit(0, "spearman"), DONE, DEPLOY)
    assert change(before, new) == DEPLOYED


@pytest.mark.parametrize(("origin", "ready"), [("rest", {"rest"}), ("firing", {"firing"})])
def test_attack_from_one_kind_of_place(doing, origin, ready):
    """GW-10.2, GW-18.6"""
    rich = full_table(rest={"left": {"archer": 1}})
    rich.walls = (1, 0, 0)
    _, state = doing(ops.Attack(n=1, types=("archer",), source=origin, sections=1), state=rich)
    offered = ANSWERS.legal_moves(state, 0)
    assert {move.origin for move in offered if isinstance(move, moves.Attack)} == ready


def test_wound_this_horde_card_of_several(doing):
    """GW-18.11"""
    context = Context(sections=("left", "center"), hordes=("scouts_left", "lancers_center"))
    _, state = doing(ops.Wound(n=2, target="this_horde", sections="this"), context=context)
    with expect_refusal("You cannot wound this Horde card"):
        after(state, *wound("left", 1, 8))
    state = after(state, *wound("center", 0, 1))
    with expect_refusal("You cannot wound this Horde card"):
        after(state, *wound("left", 0, 3))


def test_save_for_a_cost(doing):
    """GW-18.13"""
    unit = soldiers.Unit("archer", "left", "firing")
    before, _ = doing(ops.Save(n="all", cost=Cost(gold=3)))
    dying = soldiers.Dying(clan=0, doomed=(unit,))
    state = begin(before, effects.Perform(clan=0, script="tactics/own/basic"), dying)
    new = after(state, moves.SaveSoldier(0, "archer", "left"))
    assert change(before, new) == {"gold": -3, "firing left": -1, "rest left archer": 1}


def test_a_barricade_in_this_section_without_cost(doing):
    """GW-8.8, GW-18.11"""
    build = ops.BuildBarricade(n=1, free=True, section="this")
    before, state = doing(build, context=HERE)
    with expect_refusal("You cannot build a Barricade there"):
        after(state, moves.BuildBarricade(0, "right"))
    new = after(state, moves.BuildBarricade(0, "left"))
    assert change(before, new) == {"barricades left": 1, "honor": 2}


def test_build_where_the_wall_is_lowest(doing):
    """GW-8.8, GW-18.6"""
    uneven = full_table()
    uneven.walls = (1, 0, 1)
    before, state = doing(ops.BuildWall(discount=5, where="lowest"), state=uneven)
    with expect_refusal("You cannot build the Wall there"):
        after(state, moves.BuildWall(0, "left"))
    new = after(state, moves.BuildWall(0, "center"))
    assert change(before, new) == {"wall center": 1, "honor": 5}


def test_discard_all_shame(doing):
    """GW-11.4, GW-18.6"""
    before, state = doing(ops.DiscardShame(n="all"))
    new = after(state, *[moves.ReturnShame(0, "spearman")] * 2)
    assert (new.agenda, change(before, new)) == ([], {"shame": -2, "pool spearman": 2})


def test_gain_shame(doing):
    """GW-11.2, GW-18.6"""
    before, state = doing(ops.GainShame(n=2))
    new = after(state, moves.PutShame(0, "spearman"), moves.PutShame(0, "archer"))
    assert change(before, new) == {"shame": 2, "pool spearman": -1, "pool archer": -1}


def test_reclaim_all(doing):
    """GW-12.4, GW-18.6"""
    cards = ("economy", "despotism")
    before, state = doing(ops.Reclaim(n="all"), state=full_table(discard=cards))
    new = after(state, *[moves.ReclaimCard(0, card) for card in cards])
    assert (new.agenda, change(before, new)) == ([], {"hand": 2, "discard": -2})


def test_place_hordes(doing):
    """GW-5.2, GW-18.6"""
    before, state = doing(ops.PlaceHordes(n=2))
    assert sum(map(len, state.hordes)) == sum(map(len, before.hordes)) + 2


def test_return_clerks(doing):
    """GW-18.6"""
    there = full_table(clerks={"academy": 2, "embassy": 1})
    there.clans[1].clerks = there.clans[0].clerks
    before, state = doing(ops.ReturnClerks(where="academy", n=8), state=there)
    for seat in (0, 1):
        assert change(before, state, seat) == {"clerks": 2, "at academy": -2}
    before, state = doing(ops.ReturnClerks(where="special", n=1), state=there)
    assert state.agenda[-1].seats == (1,)  # several players choose
    before, state = doing(ops.ReturnClerks(where="academy", n=1), state=there)
    assert change(before, state, 1) == {"clerks": 1, "at academy": -1}


KILLS = {
    "this_horde": {"pool spearman": 1, "wounds scouts_left": 1, "covered scouts_left": -1},
    "this_section_hordes": {
        "pool spearman": 1,
        "wounds scouts_left": 1,
        "covered scouts_left": -1,
        "pool horseman": 1,
        "wounds raiders_left": 2,
        "covered raiders_left": -2,
    },
    "firing_this_section": {"pool archer": 1, "firing left": -1},
    "firing_all": {"pool archer": 1, "firing left": -1},
    "rest_all": {"pool spearman": 1, "rest left spearman": -1},
}
KILLS["all_hordes"] = KILLS["this_section_hordes"]


@pytest.mark.parametrize(("where", "effect"), KILLS.items())
def test_kill_soldiers_in_some_places(doing, where, effect):
    """GW-10.12, GW-10.13, GW-18.6"""
    state = full_table(resources={})
    before, new = doing(ops.Kill(n=9, types=ALL, where=where), context=HERE, state=state)
    assert (new.agenda, change(before, new)) == ([], effect)


def test_kill_soldiers_of_every_clan(doing):
    """GW-18.6"""
    before, state = doing(ops.Kill(n=1, types=("spearman",), where="rest_all"))
    assert state.agenda[-1].seats == (0,)  # the owner could pay to save
    new = after(state, DONE)
    for seat in (0, 1):
        assert change(before, new, seat) == {"pool spearman": 1, "rest left spearman": -1}


def test_each_player_kills_only_their_soldiers(doing):
    """GW-18.6"""
    each = ops.EachPlayer(who="others", do=())
    kill = ops.Kill(n=1, types=ALL, where="rest_all")
    before, state = doing(each, do=(kill,))
    assert [bool(change(before, state, seat)) for seat in range(3)] == [False, True, False]


def test_kill_where_most_stand_first(doing):
    """GW-18.6"""
    state = full_table(resources={}, rest={"left": {"archer": 1}, "right": {"spearman": 3}})
    kill = ops.Kill(n=2, types=ALL, where="rest_all", most_first=True)
    before, new = doing(kill, state=state)
    assert change(before, new) == {"pool spearman": 2, "rest right spearman": -2}


def test_the_owner_chooses_who_is_killed(doing):
    """GW-10.12, GW-18.6"""
    state = full_table(resources={}, rest={"left": {"archer": 1, "spearman": 1}})
    before, asked = doing(ops.Kill(n=1, types=ALL, where="rest_all"), state=state)
    new = after(asked, moves.LoseSoldier(0, "archer", "left"))
    assert change(before, new) == {"pool archer": 1, "rest left archer": -1}


def test_a_full_horde_card_cannot_be_wounded(doing):
    """GW-10.10"""
    full = full_table()
    full.hordes = ((horde("scouts_left", wounds=4),), (), ())
    _, state = doing(ops.Wound(n=1, target="first_row", sections="any"), state=full)
    assert state.agenda == []


def test_filling_the_warehouse_is_optional(doing):
    """GW-1.5, GW-8.12, GW-18.6"""
    before, state = doing(ops.WarehouseAdd(n=2, any_of=("wood",)))
    new = after(state, moves.StockResource(0, "wood"), DONE)
    assert (new.agenda, change(before, new)) == ([], {"stored wood": 1})
