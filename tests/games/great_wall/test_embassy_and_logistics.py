"""The Embassy, the Logistics Center, the War Academy: GW-8.9 to GW-8.11."""

from domain.games.great_wall import moves
from domain.games.great_wall.events import clerks, soldiers, supply
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import events_of, legal_moves_of, of, refusal_of
from tests.games.great_wall.table import table

TRACK = ("herald", "spy", "tea_master", "carpenter")
CLERK = moves.HireClerk(0)


def resolve(location, *clans, count=1, **values):
    """A table with clerks of the first seats in this Location, which is resolved."""
    owned = [{**clan, "clerks": {location: count}} for clan in clans]
    state = table(*owned, active=0, **values)
    return begin(state, clerk_steps.ResolveLocation(location=location))


def hiring(gold=7, count=2, **own):
    clan = {"active": ("fletcher",), "supporting": ("librarian",), "resources": {"gold": gold}}
    return resolve("embassy", {**clan, **own}, count=count, advisors=TRACK)


def test_a_clerk_costs_two_gold():
    """GW-8.9"""
    state = hiring(gold=2)
    assert events_of(state, CLERK)[:2] == [
        supply.Paid(0, {"gold": 2}, 0, "GW-8.9"),
        clerks.ClerkHired(0),
    ]
    gone = {"gold": -2, "space": -1, "clerks": 3, "at embassy": -2}
    assert change(state, after(state, CLERK)) == gone
    assert refusal_of(hiring(clerks_space=0), CLERK) == ("GW-8.9", "no_clerk")
    assert hiring(gold=1).agenda == []


def test_an_advisor_costs_as_much_gold_as_there_are_advisors_then():
    """GW-8.9, GW-9.2"""
    state = hiring(gold=7)
    once = after(state, moves.HireAdvisor(0, "spy", active=True))
    assert change(state, once) == {"gold": -3, "active": 1}
    assert once.clans[0].active == ("fletcher", "spy")
    assert len(once.advisors) == 4
    assert "spy" not in once.advisors
    twice = after(once, moves.HireAdvisor(0, "herald", active=False))
    assert twice.clans[0].has("gold") == 0
    assert twice.clans[0].supporting == ("librarian", "herald")


def test_an_academician_hires_for_less_and_for_honor():
    """GW-8.9, GW-18.5"""
    state = hiring(gold=2, active=("academician",))
    hired = after(state, moves.HireAdvisor(0, "spy", active=False))
    gone = {"gold": -2, "honor": 1, "supporting": 1, "clerks": 2, "at embassy": -2}
    assert change(state, hired) == gone


def test_advisors_come_from_the_track():
    """GW-8.9"""
    state = hiring(gold=3)
    away = moves.HireAdvisor(0, "calligrapher", active=True)
    assert refusal_of(state, away) == ("GW-8.9", "no_advisor")
    assert len(legal_moves_of(state, moves.HireAdvisor)) == 8
    poor = hiring(gold=2)
    assert legal_moves_of(poor, moves.HireAdvisor) == []
    assert refusal_of(poor, moves.HireAdvisor(0, "spy", active=True)) == ("GW-8.9", "too_dear")


def test_a_player_finishes_before_the_next_one():
    """GW-8.9"""
    clan = {"resources": {"gold": 9}}
    state = resolve("embassy", clan, clan, count=2, advisors=TRACK, tea=(1, 0, 2))
    asked = []
    while state.agenda:
        (seat,) = state.agenda[-1].seats
        asked.append(seat)
        state = after(state, moves.HireClerk(seat))
    assert asked == [1, 1, 0, 0]


def marching(count=1, **own):
    return resolve("logistics", own, count=count)


def step(soldier, origin, to, fired=False, fires=False):
    return moves.MoveSoldier(0, soldier, origin, to, fired, fires)


def test_any_number_of_soldiers_go_from_one_section_to_another():
    """GW-8.10"""
    state = marching(rest={"left": {"spearman": 2, "archer": 1}}, firing={"left": 1})
    first = after(state, step("spearman", "left", "right"))
    other = step("spearman", "left", "center")
    assert refusal_of(first, other) == ("GW-8.10", "no_more")
    last = after(
        first,
        step("spearman", "left", "right"),
        step("archer", "left", "right", fired=True, fires=True),
    )
    assert change(state, last) == {
        "rest left spearman": -2,
        "rest right spearman": 2,
        "firing left": -1,
        "firing right": 1,
    }


def test_any_number_of_soldiers_go_in_one_move():
    """GW-8.10"""
    state = marching(2, rest={"left": {"spearman": 3}})
    two = after(state, *[step("spearman", "left", "right")] * 2)
    assert refusal_of(two, step("spearman", "left", "center")) is None


def test_each_clerk_makes_one_such_move():
    """GW-8.10"""
    state = marching(2, rest={"left": {"spearman": 3}})
    state = after(state, step("spearman", "left", "right"), step("spearman", "left", "center"))
    assert refusal_of(state, step("spearman", "left", "right")) == ("GW-8.10", "no_more")
    assert refusal_of(state, step("spearman", "left", "center")) is None


def test_archers_come_down_but_do_not_go_up():
    """GW-8.10"""
    state = marching(rest={"left": {"archer": 1}}, firing={"left": 1})
    assert of(
        soldiers.SoldierMoved, events_of(state, step("archer", "left", "center", fired=True))
    ) == [soldiers.SoldierMoved(0, "archer", "left", True, "center", False)]
    up = step("archer", "left", "center", fires=True)
    assert refusal_of(state, up) == ("GW-8.10", "not_onto_the_wall")
    assert refusal_of(state, step("horseman", "left", "right")) == ("GW-8.10", "not_there")
    assert refusal_of(state, step("archer", "left", "left")) == ("GW-8.10", "wrong_route")
    disguised = step("spearman", "left", "center", fired=True)
    assert refusal_of(state, disguised) == ("GW-8.10", "not_there")


def test_a_firing_spot_must_be_free():
    """GW-8.10, GW-10.5"""
    state = marching(firing={"left": 1, "center": 1})
    full = step("archer", "left", "center", fired=True, fires=True)
    assert refusal_of(state, full) == ("GW-10.5", "no_firing_spot")


def test_one_tactic_card_for_each_clerk():
    """GW-8.11"""
    state = resolve("academy", {}, count=2)
    assert len(state.clans[0].tactics) == 2
    assert state.agenda == []


def test_cards_above_the_limit_are_discarded_at_once():
    """GW-9.5"""
    held = ("volley", "ambush", "restless", "last_stand")
    drawn = ("battle_drums", "forced_march", "trophy_hunt")
    state = resolve("academy", {"tactics": held}, count=3, tactic_deck=drawn)
    assert len(state.clans[0].tactics) == 7
    assert len(legal_moves_of(state, moves.DiscardTactic)) == 7
    assert refusal_of(state, moves.DiscardTactic(0, "withdrawal")) == ("GW-9.5", "not_in_hand")
    new = after(state, moves.DiscardTactic(0, "volley"), moves.DiscardTactic(0, "ambush"))
    assert len(new.clans[0].tactics) == 5
    assert new.tactic_discard == ("volley", "ambush")


def test_the_discard_becomes_the_deck():
    """GW-1.4"""
    values = {"tactic_deck": ("volley",), "tactic_discard": ("ambush",)}
    state = table({"clerks": {"academy": 3}}, active=0, **values)
    step = clerk_steps.ResolveLocation(location="academy")
    after_all = begin(state, step)
    assert after_all.clans[0].tactics == ("volley", "ambush")
