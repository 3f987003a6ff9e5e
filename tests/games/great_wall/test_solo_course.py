"""The course of a solo game: setup, Fall, Spring, the end: GW-14.1 to GW-14.5, GW-14.13 ff."""

from collections import Counter

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadOptions
from domain.engine.game import decide, fold
from domain.engine.play import redact
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import automata, decks
from domain.games.great_wall.events import course, hordes, solo, supply
from domain.games.great_wall.scoring import scoring
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import effects
from domain.games.great_wall.state.agenda import supply as supply_steps
from domain.games.great_wall.state.clans import Claim, Overseer
from domain.games.great_wall.state.setup import Options, setup
from tests.games.great_wall.alone import QIN, REED, solo_table
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.game import (
    GAME,
    events_of_steps,
    kinds,
    legal_moves_of,
    new_table,
    of,
    refusal_of,
)
from tests.games.great_wall.table import horde, participation_honor, without_zeros
from tests.support.for_each import for_each

TRACK = ("herald", "spy", "tea_master", "carpenter")


def start(seed=0, **options):
    """A solo game after the choice of leaders."""
    state = new_table(1, Luck(seed), mode="solo", **options)
    first = legal_moves_of(state, moves.KeepLeaders)[0]
    events = decide(GAME, state, first, Luck(seed))
    fold(state, events)
    return state, events


def test_the_numbers_of_the_table():
    """GW-14.1, GW-15.1"""
    state = new_table(1, mode="solo")
    table = state.setup.table
    assert (table.sections, state.shame, table.command_slots) == (("center", "right"), 10, 3)
    assert [len(state.horde_cards(one)) for one in table.sections] == [1, 1]
    assert len(state.clans[0].dealt_generals) == len(state.clans[0].dealt_advisors) == 2
    assert len(state.artifacts) == 3
    assert (state.reed, state.qin, len(state.clans)) == (REED, QIN, 3)


def test_qin_has_clerks_soldiers_overseers_and_six_cards():
    """GW-14.2"""
    state = new_table(1, mode="solo")
    qin = state.clans[QIN]
    assert (qin.clerks_pool, qin.clerks_space, qin.pool) == (8, 0, (8, 4, 0))
    by_place = dict(zip(board.PRODUCTION, qin.overseers, strict=True))
    assert by_place == {
        "lumber_mill": Overseer(1, "spearman"),
        "quarry": Overseer(1, "spearman"),
        "gold_mine": Overseer(1, "horseman"),
        "temple": Overseer(1, "horseman"),
    }
    assert set(state.solo_deck) == set(automata.SOLO)


def test_his_location_track_is_laid_by_chance():
    """GW-14.3"""
    tops = Counter(new_table(1, Luck(seed), mode="solo").tokens[0] for seed in range(60))
    assert set(tops) == set(automata.TOKENS)
    assert sorted(new_table(1, mode="solo").tokens) == sorted(automata.TOKENS)


def test_two_advisors_lie_face_down_under_his_card():
    """GW-14.3, GW-1.10"""
    state, _ = start()
    hidden = state.clans[QIN].supporting
    assert len(hidden) == 2
    assert set(hidden).isdisjoint(state.advisor_deck)
    for seat in (0, None):
        seen = json_codec.encode(GAME.view(state, seat)).decode()
        assert all(f'"{card}"' not in seen for card in hidden)
        laid = redact(solo.SupportersLaid(QIN, hidden), seat)
        assert laid.advisors == (None, None)
    imagined = [GAME.imagine(state, 0, Luck(seed)).clans[QIN].supporting for seed in range(9)]
    assert len(set(imagined)) > 1


def test_supporters_taken_later_are_public():
    """GW-1.10, GW-14.13"""
    state, _ = start()
    state.clans[QIN].supporting = (*state.clans[QIN].supporting, "spy")
    state.advisors = tuple(one for one in state.advisors if one != "spy")
    state.advisor_deck = tuple(one for one in state.advisor_deck if one != "spy")
    assert GAME.view(state, 0).clans[QIN].supporting == (None, None, "spy")
    assert GAME.imagine(state, 0, Luck(1)).clans[QIN].supporting[2:] == ("spy",)


def test_his_next_card_is_random():
    """GW-14.5, GW-1.10"""
    state, _ = start()
    assert GAME.view(state, 0).qin.deck == 6
    card = legal_moves_of(state, moves.PlayCommand)[0]
    drawn = {
        of(solo.SoloCommandDrawn, decide(GAME, state, card, Luck(seed)))[0].card
        for seed in range(40)
    }
    assert drawn == set(automata.SOLO)


def test_the_tea_order_at_the_start():
    """GW-14.4"""
    _, events = start()
    assert of(course.TeaOrderSet, events) == [course.TeaOrderSet((0, QIN, REED))]


def test_his_card_takes_the_leftmost_free_slot_when_his_turn_comes():
    """GW-14.5, GW-15.5"""
    clans = ({"shown": "economy", "hand": ()}, {"shown": "solo_economy"})
    state = begin(solo_table(*clans), steps.PlaceCommands())
    state = after(state, moves.LayCommand(0, 1))
    assert [laid.clan for laid in state.track] == [QIN, 0, REED]
    first = begin(solo_table(*clans, tea=(QIN, REED, 0)), steps.PlaceCommands())
    assert [laid.clan for laid in first.track] == [QIN, REED, 0]


def test_a_card_is_drawn_after_the_human_has_chosen():
    """GW-14.5"""
    state = solo_table({"command": "economy", "hand": ()}, solo_deck=("solo_betrayal",))
    events = events_of_steps(state, steps.RevealCommands())
    assert kinds(events)[:2] == ["CommandsRevealed", "SoloCommandDrawn"]
    assert events[1] == solo.SoloCommandDrawn(QIN, "solo_betrayal")


def test_a_used_up_deck_of_his_is_refilled():
    """GW-1.4, GW-14.5"""
    discard = ("solo_betrayal", "solo_economy")
    state = solo_table({"hand": ()}, {"discard": discard}, solo_deck=())
    events = events_of_steps(state, steps.RevealCommands())
    assert of(solo.SoloCommandsReshuffled, events) == [solo.SoloCommandsReshuffled(QIN, discard)]
    assert of(solo.SoloCommandDrawn, events)[0].card in discard


def test_in_summer_his_card_goes_to_his_discard():
    """GW-12.3, GW-14.5"""
    state = solo_table(track=[(QIN, "solo_economy"), (0, "betrayal"), (REED, "reed_command")])
    new = begin(state, steps.ClearTrack())
    assert (new.clans[QIN].discard, new.clans[0].discard) == (("solo_economy",), ("betrayal",))
    assert new.track == (None,) * 3


def test_he_gets_nothing_in_summer_and_has_no_questions():
    """GW-14.10"""
    events = events_of_steps(solo_table({"hand": ()}), steps.Summer())
    assert of(supply.ResourcesTaken, events) == []


def test_his_turn_has_no_moments_and_no_abilities():
    """GW-7.3, GW-14.9"""
    state = solo_table({"tactics": ("ambush",)}, track=[(QIN, "solo_work_harder")], active=QIN)
    plan = begin(state, steps.TakeTurn(slot=0))
    assert not any(isinstance(step, steps.AfterCommandStep) for step in plan.agenda)
    rest = events_of_steps(solo_table(active=QIN), steps.RestOfTurn())
    assert kinds(rest)[-1] == "TurnEnded"


# Spring


def test_in_spring_the_human_chooses_who_supports_him():
    """GW-14.13"""
    state = begin(
        solo_table(advisors=TRACK, advisor_deck=("fletcher", "minter")), steps.RenewAdvisors()
    )
    assert state.agenda[-1] == steps.ChooseSupporter((0,), advisors=("herald", "spy"))
    assert refusal_of(state, moves.GiveAdvisor(0, "tea_master")) == ("GW-14.13", "not_leaving")
    assert refusal_of(state, moves.Done(0)) == ("GW-14.13", "not_now")
    new = after(state, moves.GiveAdvisor(0, "spy"))
    assert new.clans[QIN].supporting == ("spy",)
    assert new.advisor_discard == ("herald",)
    assert new.advisors[:2] == ("tea_master", "carpenter")
    assert len(new.advisors) == 4


@pytest.mark.parametrize(("track", "supporting"), [((), ()), (("spy",), ("spy",))])
def test_with_one_advisor_or_none_there_is_no_question(track, supporting):
    """GW-14.13"""
    new = begin(solo_table(advisors=track, advisor_deck=()), steps.RenewAdvisors())
    assert (new.agenda, new.clans[QIN].supporting, new.advisors) == ([], supporting, ())


# the end


def give_shame(left, **values):
    """The events of the human getting Shame tokens while this number is in the pool."""
    state = solo_table(shame=left, **values)
    return begin(state, supply_steps.GainShame(seat=0, left=1), steps.Fall())


def test_the_last_token_ends_the_game_as_soon_as_it_is_placed():
    """GW-11.2, GW-14.14"""
    state = after(give_shame(1), moves.PutShame(0, "archer"))
    assert (state.agenda, state.ended, state.winners, state.shame) == ([], "shame", (), 0)
    going_on = after(give_shame(2), moves.PutShame(0, "archer"))
    assert (going_on.ended, going_on.shame) == (None, 1)


def test_a_last_token_without_a_place_ends_the_game_too():
    """GW-11.2, GW-14.14"""
    state = solo_table({"pool": {}, "honor": 50, "counted": participation_honor(50)}, shame=1)
    events = events_of_steps(state, supply_steps.GainShame(seat=0, left=2), steps.Fall())
    assert kinds(events) == ["ShameUnplaced", "QinScored", "GameEnded"]


def test_a_raid_that_takes_the_last_token_ends_the_game_too():
    """GW-5.3, GW-14.14"""
    full = {
        "center": [horde(f"{kind}_center") for kind in ("leader", "scouts", "raiders")],
        "right": [horde("leader_right")],
    }
    deck = ("axemen_center", "lancers_center")
    state = solo_table(hordes=full, horde_deck=deck, indicator="center", shame=1)
    events = events_of_steps(state, steps.PlaceHordes(left=2), steps.Fall())
    assert kinds(events) == ["HordeDrawn", "RaidMade", "QinScored", "GameEnded"]
    assert of(hordes.RaidMade, events)[0].tokens == 1


def test_without_shame_the_game_is_lost_despite_honor_and_walls():
    """GW-14.14"""
    rich = {"honor": 500, "counted": participation_honor(500)}
    events = events_of_steps(
        solo_table(rich, {"pool": {}}, shame=0, walls={"center": 3, "right": 3}), steps.EndCheck()
    )
    assert of(course.GameEnded, events) == [course.GameEnded("shame", (), (500,))]


def score_of_end(human, his, ended="time"):
    state = solo_table(
        {"honor": human, "counted": participation_honor(human)},
        {"honor": his, "counted": participation_honor(his)},
    )
    state.ended = ended
    return scoring(state)


@for_each(
    ("human", "his", "ended", "won"),
    [
        (31, 30, "time", True),
        (31, 30, "walls", True),
        (30, 30, "time", False),
        (29, 30, "walls", False),
        (99, 30, "shame", False),
        (99, 30, None, False),
    ],
)
def test_the_human_wins_with_more_honor(human, his, ended, won):
    """GW-14.14"""
    score = score_of_end(human, his, ended)
    assert (score.won, score.winners) == (won, (0,) if won else ())
    assert [line.rank for line in score.lines] == [1]
    assert (score.rivals[0].key, score.rivals[0].points) == ("qin", his)


def test_qin_scores_these_parts():
    """GW-14.14"""
    state = solo_table(
        qin={
            "honor": 7,
            "counted": participation_honor(7),
            "supporting": TRACK[:3],
            "claimed": (Claim("scouts_right"), Claim("leader_right")),
        },
        artifacts=("tiger_tally", "jade_seal", "bronze_ding"),
    )
    (rival,) = scoring(state).rivals
    assert without_zeros(rival.breakdown) == {
        "participation": 7,
        "hordes": 3 + 5,
        "tiger_tally": 20,
        "jade_seal": 20,
        "bronze_ding": 20,
        "advisors": 3,
    }
    assert rival.points == 7 + 8 + 60 + 3


def test_an_event_records_his_final_honor():
    """GW-14.14"""
    state = solo_table(qin={"honor": 7, "counted": participation_honor(7)}, slot=5)
    events = events_of_steps(state, steps.EndCheck())
    assert events == [solo.QinScored(QIN, 7), course.GameEnded("time", (), (0,))]


def test_two_complete_walls_end_the_game():
    """GW-13.8, GW-14.14"""
    events = events_of_steps(solo_table(walls={"center": 3, "right": 3}), steps.EndCheck())
    assert of(course.GameEnded, events)[0].reason == "walls"


# options


@for_each(("difficulty", "honor"), [("normal", 0), ("hard", 50), ("very_hard", 100)])
def test_how_much_honor_he_begins_with(difficulty, honor):
    """GW-14.15"""
    qin = new_table(1, mode="solo", difficulty=difficulty).clans[QIN]
    assert (qin.honor, sum(qin.counted)) == (honor, honor)


@for_each("count", [2, 4, 5, 6])
def test_each_horde_card_at_the_start_has_a_place_of_its_own(count):
    """GW-14.1, GW-14.15: also where the next cards point to a full Section; there is no Raid."""
    for seed in range(20):
        state = new_table(1, Luck(seed), mode="solo", solo_initial_hordes=count)
        assert sum(map(len, state.hordes)) == count
        assert max(map(len, state.hordes)) <= board.ROWS
        assert (state.horde_discard, state.shame) == ((), 10)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_solo_game_is_for_one_player(seats):
    """GW-1.1, GW-14.1"""
    with pytest.raises(BadOptions):
        setup(Options(mode="solo"), seats)


def test_the_decks_are_those_of_two_players():
    """GW-2.3, GW-2.5, GW-14.1"""
    one, two = setup(Options(mode="solo"), 1), setup(Options(), 2)
    for deck in ("hordes", "generals", "advisors", "tactics", "artifacts"):
        assert getattr(one, deck) == getattr(two, deck)
    assert all(decks.HORDES[card].invasion != "left" for card in one.hordes)


def test_another_players_income_can_be_his():
    """GW-18.6, GW-14.9"""
    step = effects.Perform(clan=0, script="advisors/racketeer/0")
    asked = begin(solo_table(), step)
    assert asked.agenda[-1].seats == (0,)
    taken = [one for one in legal_moves_of(asked, moves.TakeIncome) if one.clan == QIN]
    assert {one.location for one in taken} == set(board.PRODUCTION)
    new = after(asked, moves.TakeIncome(0, QIN, "quarry"))
    assert new.clans[0].has("stone") == 1


def test_supporters_are_laid_from_the_deck():
    """GW-14.3"""
    state = new_table(1, mode="solo")
    dealt = [*state.clans[0].dealt_advisors, *state.clans[QIN].supporting, *state.advisor_deck]
    assert sorted(dealt) == sorted(state.setup.advisors)
