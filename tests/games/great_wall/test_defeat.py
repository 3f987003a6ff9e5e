"""The Horde Defeat check and kill batches: GW-10.10 to GW-10.13."""

from domain.games.great_wall import moves
from domain.games.great_wall.events import hordes, soldiers
from domain.games.great_wall.events.hordes import Credit
from domain.games.great_wall.rules.war import defeat
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import soldiers as soldier_steps
from domain.games.great_wall.state.agenda import supply
from domain.games.great_wall.state.agenda.soldiers import Unit
from domain.games.great_wall.state.clans import Claim
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.game import (
    events_of,
    events_of_steps,
    kinds,
    legal_moves_of,
    of,
    refusal_of,
)
from tests.games.great_wall.situations import DOOMED, full_table, saving
from tests.games.great_wall.table import horde, table

CHECK = soldier_steps.DefeatCheck()


def check_hordes(*clans, laid, **values):
    """A table after the Horde Defeat check, up to the first question."""
    return begin(table(*clans, hordes=laid, **values), CHECK)


def test_full_cards_are_defeated_from_left_to_right_and_from_the_first_row_back():
    """GW-10.10, GW-10.11"""
    laid = {
        "left": [horde("axemen_left"), horde("scouts_left", 4)],
        "center": [horde("raiders_left", 4), horde("raiders_right", 4)],
    }
    events = events_of_steps(table(hordes=laid), CHECK)
    order = [event.card for event in of(hordes.HordeTaken, events)]
    assert order == ["scouts_left", "raiders_left", "raiders_right"]


def test_most_covered_spots_claim_and_the_higher_marker_breaks_ties():
    """GW-1.3, GW-10.11"""
    for tea, winner in (((1, 0, 2), 1), ((0, 1, 2), 0)):
        laid = {"left": [horde("scouts_left", by0=(2, 8), by1=(3,)).with_soldier(1, (9,))]}
        state = table(hordes=laid, tea=tea)
        (place,) = state.hordes_on_board()
        assert defeat.defeater(state, place) == winner
    alone = {"left": [horde("scouts_left", 1, by0=(3,)).with_soldier(1, (8, 9))]}
    (place,) = table(hordes=alone).hordes_on_board()
    assert defeat.defeater(table(hordes=alone), place) == 1


def test_no_clan_claims_a_card_without_soldiers():
    """GW-10.11"""
    events = events_of_steps(table(hordes={"left": [horde("scouts_left", 4)]}), CHECK)
    assert events == [
        hordes.HordeDefeated("scouts_left", "left", None, ()),
        hordes.HordeTaken("scouts_left", "left", None, ()),
    ]
    state = check_hordes(laid={"left": [horde("scouts_left", 4)]})
    assert state.horde_discard == ("scouts_left",)


def test_honor_for_a_soldier_there_and_for_each_archer_of_the_section():
    """GW-10.11"""
    laid = {"left": [horde("scouts_left", 2, by0=(8,)).with_soldier(0, (9,))]}
    events = events_of_steps(
        table({}, {"firing": {"left": 2}}, {"firing": {"right": 1}}, hordes=laid, slot=1), CHECK
    )
    (defeated,) = of(hordes.HordeDefeated, events)
    assert defeated.credits == (Credit(0, 2, 0), Credit(1, 0, 4))


def test_as_many_die_as_the_card_is_lethal_and_the_others_rest():
    """GW-4.2, GW-10.11"""
    laid = {"left": [horde("scouts_left", 1, by0=(3,)).with_soldier(0, (8,)).with_soldier(0, (9,))]}
    state = check_hordes({"pool": {}}, laid=laid, slot=3)
    assert state.clans[0].resting("left") == (1, 0, 0)
    assert state.clans[0].pool == (2, 0, 0)
    assert state.clans[0].claimed == (Claim("scouts_left"),)


def test_cards_behind_it_move_towards_the_wall():
    """GW-10.11"""
    state = check_hordes(laid={"left": [horde("scouts_left", 4), horde("leader_left")]})
    assert [(place.row, place.horde.card) for place in state.hordes_on_board()] == [
        (0, "leader_left")
    ]


def test_the_owner_chooses_who_dies():
    """GW-10.11, GW-10.12"""
    laid = {"left": [horde("scouts_left", 1, by0=(3,)).with_soldier(0, (8, 9))]}
    state = check_hordes({"pool": {}}, laid=laid)
    spearman = moves.LoseSoldier(0, "spearman", "left", "scouts_left")
    horseman = moves.LoseSoldier(0, "horseman", "left", "scouts_left")
    assert legal_moves_of(state, moves.LoseSoldier) == [spearman, horseman]
    other = moves.LoseSoldier(0, "archer", "left")
    assert refusal_of(state, other) == ("GW-10.11", "not_there")
    assert of(soldiers.SoldiersKilled, events_of(state, spearman)) == [
        soldiers.SoldiersKilled(
            0, (Unit("spearman", "left", "horde", "scouts_left", 3),), (), "GW-10.11"
        )
    ]
    chosen = after(state, horseman).clans[0]
    assert (chosen.pool, chosen.resting("left")) == ((0, 0, 1), (1, 0, 0))


DYING = (
    Unit("spearman", "left", "horde", "scouts_left", 2),
    Unit("archer", "left", "firing"),
    Unit("spearman", "right", "rest"),
)


def dying(**own):
    """A table where three soldiers in three places are about to be killed."""
    clan = {"pool": {}, "firing": {"left": 1}, "rest": {"right": {"spearman": 1}}, **own}
    laid = {"left": [horde("scouts_left", by0=(2,))]}
    return begin(table(clan, hordes=laid), soldier_steps.KillBatch(clan=0, doomed=DYING))


def test_abilities_a_tactic_card_and_then_the_owner_save():
    """GW-10.12, GW-9.4, GW-18.13"""
    state = dying(resources={"chi": 2}, tactics=("withdrawal",), active=("survivalist",))
    assert isinstance(state.agenda[-1], soldier_steps.Save)
    state = after(state, moves.SaveSoldier(0, "archer", "left"))
    assert type(state.agenda[-1]).__name__ == "React"
    state = after(state, moves.PlayTactic(0))
    save = moves.SaveSoldier(0, "spearman", "right")
    assert legal_moves_of(state, moves.SaveSoldier)[1] == save
    saved = after(state, save)
    assert saved.clans[0].has("chi") == 0
    assert saved.clans[0].resting("left") == (0, 1, 0)
    assert saved.clans[0].resting("right") == (1, 0, 0)
    assert saved.clans[0].pool == (1, 0, 0)


def test_saving_costs_two_chi_for_each():
    """GW-10.12"""
    assert dying(resources={"chi": 1}).agenda == []
    state = after(dying(resources={"chi": 3}), moves.SaveSoldier(0, "archer", "left"))
    assert (state.agenda, state.clans[0].has("chi")) == ([], 1)
    free = dying(resources={"chi": 9})
    strange = moves.SaveSoldier(0, "horseman", "left")
    assert refusal_of(free, strange) == ("GW-10.11", "not_there")


def test_saved_soldiers_rest_in_their_section_and_the_killed_go_to_the_pool():
    """GW-10.8, GW-10.12, GW-10.13"""
    state = dying(resources={"chi": 2})
    on_card = after(state, moves.SaveSoldier(0, "spearman", "left", "scouts_left"))
    assert on_card.clans[0].resting("left") == (1, 0, 0)
    assert on_card.clans[0].pool == (1, 1, 0)
    assert on_card.hordes[0][0].count_covered(0) == 0
    nobody = after(state, moves.Done(0))
    assert nobody.clans[0].pool == (2, 1, 0)
    assert nobody.clans[0].firing_in("left") == 0


def test_abilities_answer_who_was_saved_and_who_was_killed():
    """GW-10.12"""
    state = dying(resources={"chi": 2}, active=("monk_healer", "gravekeeper"))
    events = events_of(state, moves.SaveSoldier(0, "archer", "left"))
    assert kinds(events) == ["Paid", "SoldiersKilled", "HonorChanged"]
    asked = after(state, moves.SaveSoldier(0, "archer", "left"))
    assert asked.agenda[-1].left == 2


def test_each_batch_is_a_separate_event():
    """GW-10.12, GW-18.4"""
    state = table({"active": ("monk_healer",)}, tea=(0, 1, 2))
    batch = soldier_steps.Dying(clan=0, doomed=(), saved=(Unit("archer", "left", "rest"),))
    state.clans[0].rest = ((0, 2, 0), (0, 0, 0), (0, 0, 0))
    assert begin(state, batch, batch).clans[0].honor == 2


def test_all_may_play_a_tactic_card_before_the_card_is_defeated():
    """GW-9.4, GW-10.11"""
    laid = {"left": [horde("scouts_left", 3, by0=(9,))]}
    held, more = ({"tactics": ("trophy_hunt", *cards)} for cards in ((), ("brothers_in_arms",)))
    state = check_hordes(held, more, {}, laid=laid)
    assert state.agenda[-1].seats == (0, 1)
    mine, theirs = (moves.PlayTactic(seat, "trophy_hunt") for seat in (0, 1))
    assert refusal_of(state, mine) is None
    assert refusal_of(state, theirs) == ("GW-9.4", "wrong_moment")
    new = after(state, moves.PlayTactic(1), mine)
    assert new.clans[0].honor == 3 + 2


def test_during_the_last_payment_no_more_soldiers_can_be_saved():
    """GW-10.12, GW-18.2: the position during the last payment can be read."""
    state = begin(
        full_table(active=("keng_hsien_seng",)), soldier_steps.KillBatch(clan=0, doomed=DOOMED[:1])
    )
    state = after(state, saving("spearman", "scouts_left"))
    assert isinstance(state.agenda[-1], supply.Pay)
    assert not [step for step in state.agenda if isinstance(step, steps.Ask)]
