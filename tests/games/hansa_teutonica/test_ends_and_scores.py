"""Chapters 9 and 10: the ends of the game, and the final score."""

from domain.engine.game import seats_to_move
from domain.games.hansa_teutonica import GAME, scoring
from domain.games.hansa_teutonica.events.course import GameEnded, MarkersDrawn
from domain.games.hansa_teutonica.moves import EndTurn, EstablishRoute, OpenOffice
from domain.games.hansa_teutonica.scoring import marker_points
from tests.games.hansa_teutonica.table import (
    DUISBURG,
    KAMPEN,
    NINE,
    after,
    happens,
    player,
    spent,
    table,
)
from tests.support.for_each import for_each


def test_twenty_points_end_the_game_once_the_action_is_finished():
    """HT-9.1, HT-9.2"""
    cities = {"osnabruck": {"offices": ["1t", None, None]}}
    seats = (player(levels={"privilege": 1}), player(prestige=19), player())
    state = table(*seats, routes={KAMPEN: ["0t", "0t"]}, cities=cities)
    events = happens(state, OpenOffice(0, KAMPEN, "osnabruck"))
    assert isinstance(events[-1], GameEnded)
    assert events[-1].reason == "prestige"
    then = after(state, OpenOffice(0, KAMPEN, "osnabruck"))
    assert GAME.view(then, None).cities["osnabruck"].offices == ("1t", "0t", None)
    assert seats_to_move(then) == ()


def test_the_tenth_complete_city_ends_the_game():
    """HT-9.1"""
    seats = [player(levels={"book": 3}) for _ in range(3)]
    state = table(*seats, routes={"dortmund--duisburg": ["0t", "0t"]}, cities=NINE)
    assert state.complete == 9
    events = happens(state, OpenOffice(0, "dortmund--duisburg", "duisburg"))
    assert events[-1].reason == "cities"


def test_too_few_markers_end_the_game_at_the_end_of_the_turn():
    """HT-9.3"""
    state = table(markers={KAMPEN: "extra_office"}, pile={"swap_offices": 1})
    events = happens(state, EndTurn(0))
    assert events[-1].reason == "markers"
    assert MarkersDrawn not in map(type, events)


def test_the_game_is_over_when_all_have_too_few_pieces_for_a_route():
    """HT-9.5"""
    opened = after(spent(), OpenOffice(0, DUISBURG, "duisburg"))
    assert (seats_to_move(opened), opened.ended) == ((0,), None)
    assert happens(opened, EndTurn(0))[-1].reason == "pieces"
    over = after(opened, EndTurn(0))
    assert GAME.read_position(over.setup, GAME.write_position(over), 3) == over
    assert seats_to_move(after(spent(), EstablishRoute(0, DUISBURG), EndTurn(0))) == (1,)
    able = after(spent("improve_ability"), OpenOffice(0, DUISBURG, "duisburg"), EndTurn(0))
    assert seats_to_move(able) == (1,)


def test_other_events_bring_no_prestige():
    """HT-9.4: not even an established route with empty cities."""
    state = table(routes={KAMPEN: ["0t", "0t"]})
    assert after(state, EstablishRoute(0, KAMPEN)).prestige == [0, 0, 0]


def test_all_categories_of_the_final_score():
    """HT-10.1, HT-10.2, HT-10.3, HT-10.4, HT-10.5, HT-10.6"""
    levels = {"keys": 3, "bag": 3, "book": 3, "privilege": 2}
    one = player(prestige=5, levels=levels, ready={"extra_office": 2}, used={"swap_offices": 2})
    cities = {
        "arnheim": {"offices": ["0t", "0m", None, None]},
        "munster": {"offices": ["1m", "0t"]},
        "halle": {"offices": ["0t", None]},
    }
    state = table(one, player(), player(), cities=cities, special=[None, None, "0m", None])
    assert GAME.scoring(state).lines[0].breakdown == {
        "prestige": 5,
        "abilities": 8,
        "markers": 6,
        "special": 9,
        "cities": 6,
        "network": 9,
    }
    keys = table(player(levels={"keys": 4}), player(), player())
    assert GAME.scoring(keys).lines[0].points == 0


@for_each(
    ("count", "points"),
    [(0, 0), (1, 1), (2, 3), (3, 3), (4, 6), (5, 6), (7, 10), (8, 15), (10, 21), (16, 21)],
)
def test_points_for_markers(count, points):
    """HT-10.3"""
    assert marker_points(count) == points


def test_equal_points_share_the_victory():
    """HT-10.7"""
    state = table(player(prestige=3), player(prestige=3), player(prestige=2))
    assert GAME.scoring(state).winners == (0, 1)
    assert [line.rank for line in GAME.scoring(state).lines] == [1, 1, 3]


def test_tie_breakers_with_the_option():
    """HT-13.5"""
    options = {"tie_break": "actions_then_network"}
    quick = player(prestige=3, levels={"actions": 1})
    state = table(quick, player(prestige=3), player(prestige=3), options=options)
    assert GAME.scoring(state).winners == (1, 2)
    cities = {"coellen": {"offices": ["1t", None], "extra": []}}
    linked = table(player(prestige=3), player(prestige=0), player(), cities=cities, options=options)
    assert [line.rank for line in GAME.scoring(linked).lines] == [2, 1, 3]


def test_a_view_finds_each_network_and_controller_once(monkeypatch):
    state = table(player(), player(), player())
    found = []
    for name in ("find_largest_network", "controller"):
        find = getattr(scoring, name)
        monkeypatch.setattr(scoring, name, lambda *args, find=find: found.append(0) or find(*args))
    GAME.view(state, None)
    assert len(found) == state.seats + len(state.extras)
