"""Chapter 14: Britannia, with Wales and Scotland."""

from domain.engine.dice import Luck
from domain.engine.game import describe_step, describe_touch, legal_moves, new_state, seats_to_move
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import board_of
from domain.games.hansa_teutonica.events.bonuses import BonusGained, PieceDeployed
from domain.games.hansa_teutonica.events.course import ActionSpent, PermissionUsed
from domain.games.hansa_teutonica.events.pieces import PiecePlaced
from domain.games.hansa_teutonica.events.routes import OfficeOpened
from domain.games.hansa_teutonica.moves import (
    DeployPiece,
    DisplacePiece,
    EndTurn,
    EstablishRoute,
    LiftPiece,
    MovePawn,
    OpenOffice,
    PlaceMarker,
    PlacePiece,
    PutPiece,
    RelocatePiece,
    UseMarker,
)
from domain.games.hansa_teutonica.scoring import country_points, survey
from domain.games.hansa_teutonica.state.setup import Options
from domain.games.hansa_teutonica.state.steps import Turn
from domain.games.hansa_teutonica.state.table import code_of
from tests.games.hansa_teutonica.moments import hold_in_wales
from tests.games.hansa_teutonica.table import after, happens, player, refusal, table
from tests.support.for_each import for_each

BRITANNIA = {"map": "britannia"}
WALES = "cardiff--pembroke"
WALES_TOO = "chester--conway"
SCOTLAND = "falkirk--glasgow"
ENGLAND = "norwich--nottingham"
CALAIS = "calais--southampton"  # any, merchant, merchant: place two
RICH = player("tttttt", levels={"book": 3})
CARDIFF = {"offices": ["1t", "0t", None, None, None]}
CARLISLE = {"offices": ["0t", None, None, None, None]}
LONDON = {"offices": ["0t", *[None] * 7]}

THREE = dict.fromkeys((ENGLAND, "london--oxford", "durham--york"), "extra_office")


def four(*seats, options=None, **position):
    """Four seats in Britannia."""
    chosen = (*seats, *(player() for _ in range(4)))[:4] if seats else (RICH, *[player("tt")] * 3)
    return table(*chosen, options={**BRITANNIA, **(options or {})}, **position)


@for_each(
    ("seats", "side", "cities", "routes", "posts", "offices"),
    [(2, "2_3", 26, 35, 111, 60), (3, "2_3", 26, 35, 111, 60), (5, "4_5", 30, 40, 121, 72)],
)
def test_the_sides_of_britannia(seats, side, cities, routes, posts, offices):
    """HT-14.3"""
    chart = GAME.setup(Options(map="britannia"), seats).map
    board = board_of(chart)
    assert chart.id == f"map_britannia_{side}"
    assert (len(board.offices), len(board.ends)) == (cities, routes)
    assert (len(board.route_of), len(board.shapes)) == (posts, offices)
    assert (chart.east_west.cities, chart.completed_city_limit) == (("oxford", "york"), 8)
    assert {route.country for route in chart.routes} == (
        {"England", "Wales"} if seats < 4 else {"England", "Wales", "Scotland"}
    )


def test_a_coin_worth_two():
    """HT-14.3, HT-6.7"""
    seat = player(levels={"privilege": 1})
    state = four(seat, routes={"bristol--salisbury": ["0t"] * 4})
    opened = happens(state, OpenOffice(0, "bristol--salisbury", "bristol"))
    assert OfficeOpened(0, "bristol", 0, "trader", ("bristol--salisbury", 0), 2) in opened
    assert after(state, OpenOffice(0, "bristol--salisbury", "bristol")).prestige[0] == 2


def test_the_eighth_complete_city_ends_the_game():
    """HT-14.3, HT-9.1"""
    full = ("bristol", "richmond", "durham", "ipswich", "lancaster", "glasgow", "dunbar")
    cities = {city: {"offices": ["1t"]} for city in full}
    cities["conway"] = {"offices": ["1t", None]}
    seat = player(levels={"privilege": 1})
    state = four(seat, routes={WALES_TOO: ["0t"] * 3}, cities=cities)
    assert after(state, OpenOffice(0, WALES_TOO, "conway")).ended == "cities"


def test_no_marker_lies_in_wales_or_scotland():
    """HT-14.3, HT-14.4"""
    state = after(four(pile={"plus_3_actions": 2, "swap_offices": 1}), EndTurn(0))
    for route, rule in ((WALES, "HT-14.3"), (SCOTLAND, "HT-14.3"), (CALAIS, "HT-14.4")):
        move = PlaceMarker(0, "swap_offices", route)
        assert refusal(state, move) == (rule, "no_markers_here")
    lands = {route.id: route.country for route in state.setup.map.routes}
    assert {lands[move.route] for move in legal_moves(GAME, state, 0)} == {"England"}


def test_placing_and_displacing_in_wales_needs_permission():
    """HT-14.12"""
    state = four(routes={WALES_TOO: ["1t", None, None]})
    assert refusal(state, PlacePiece(0, "trader", (WALES, 0))) == ("HT-14.12", "no_permission")
    assert refusal(state, DisplacePiece(0, "trader", (WALES_TOO, 0), 1, 0))[0] == "HT-14.12"
    assert after(state, PlacePiece(0, "trader", (ENGLAND, 0))).passes == ()


def test_cardiff_permits_one_action_in_wales_to_the_office_furthest_right():
    """HT-14.12"""
    state = four(cities={"cardiff": CARDIFF}, markers=THREE)
    move = PlacePiece(0, "trader", (WALES, 0))
    assert happens(state, move) == [
        ActionSpent(0, 1),
        PermissionUsed(0, "cardiff", "Wales"),
        PiecePlaced(0, "trader", (WALES, 0)),
    ]
    once = after(state, move)
    assert once.passes == ("cardiff",)
    assert refusal(once, PlacePiece(0, "trader", (WALES, 1)))[0] == "HT-14.12"
    assert refusal(state, PlacePiece(0, "trader", (SCOTLAND, 0)))[0] == "HT-14.12"
    assert after(once, EndTurn(0)).passes == ()


def test_london_permits_either_and_is_used_last():
    """HT-14.12"""
    cities = {"cardiff": CARDIFF, "london": LONDON, "carlisle": CARLISLE}
    state = four(player("tttt", used={"plus_3_actions": 1}), cities=cities, actions=5)
    for post, used in (
        ((WALES, 0), ("cardiff",)),
        ((WALES, 1), ("cardiff", "london")),
        ((SCOTLAND, 0), ("cardiff", "london", "carlisle")),
    ):
        state = after(state, PlacePiece(0, "trader", post))
        assert state.passes == used
    assert refusal(state, PlacePiece(0, "trader", (SCOTLAND, 1)))[0] == "HT-14.12"


def test_displaced_pieces_stay_in_wales_or_go_to_england():
    """HT-14.13"""
    cities = {"cardiff": CARDIFF}
    state = four(cities=cities, routes={"conway--isle_of_man": [None, None, "1t"]})
    pushed = after(state, DisplacePiece(0, "trader", ("conway--isle_of_man", 2), 1, 0))
    menu = [move for move in legal_moves(GAME, pushed, 1) if move.source == "displaced"]
    lands = {route.id: route.country for route in state.setup.map.routes}
    assert {lands[move.post[0]] for move in menu} == {"Wales"}  # Carlisle is in Scotland


def test_pieces_displaced_in_england_stay_there():
    """HT-14.13"""
    state = four(routes={"coventry--hereford": ["1t", None, None]})
    pushed = after(state, DisplacePiece(0, "trader", ("coventry--hereford", 0), 1, 0))
    welsh = RelocatePiece(1, "displaced", "trader", ("hereford--montgomery", 0))
    assert refusal(pushed, welsh) == ("HT-14.13", "wrong_country")
    assert after(pushed, RelocatePiece(1, "displaced", "trader", ("cardiff--coventry", 0)))


def test_free_posts_in_another_country_are_skipped():
    """HT-14.13, HT-5.5"""
    near = {"cambridge--coventry": 3, "cardiff--coventry": 3, "chester--hereford": 4}
    near |= {"coventry--nottingham": 3, "hereford--lancaster": 2}
    rows = {route: ["2t"] * posts for route, posts in near.items()}
    rows |= {"coventry--hereford": ["1t", None, None]}
    seats = (RICH, player(), player(levels={"keys": 4}))
    pushed = after(
        four(*seats, routes=rows), DisplacePiece(0, "trader", ("coventry--hereford", 0), 1, 0)
    )
    lands = {route.id: route.country for route in pushed.setup.map.routes}
    routes = {move.post[0] for move in legal_moves(GAME, pushed, 1)}
    assert {lands[route] for route in routes} == {"England"}
    assert routes.isdisjoint(near)


def test_an_extra_piece_from_a_post_is_bound_by_its_own_country():
    """HT-14.13"""
    here, there = "hereford--montgomery", (ENGLAND, 0)
    posts = {here: ["1t", None, None], ENGLAND: ["1t", None, None]}
    state = four(RICH, player(), routes=posts, cities={"cardiff": CARDIFF})
    state.stock[code_of(1, 0)] = state.stock[code_of(1, 1)] = 0
    pushed = after(state, DisplacePiece(0, "trader", (here, 0), 1, 0))
    placed = after(pushed, RelocatePiece(1, "displaced", "trader", ("chester--hereford", 0)))
    welsh = RelocatePiece(1, "board", "trader", ("cardiff--montgomery", 0), there)
    assert refusal(placed, welsh) == ("HT-14.13", "wrong_country")


def test_moved_pieces_stay_or_go_to_england():
    """HT-14.13"""
    routes = {WALES: ["0t", None, None], ENGLAND: ["0t", None, None]}
    state = after(four(routes=routes), LiftPiece(0, (WALES, 0)), LiftPiece(0, (ENGLAND, 0)))
    assert state.agenda[-1].lands == ("England", "Wales")
    welsh = PutPiece(0, 0, "trader", (WALES_TOO, 0))
    assert refusal(state, PutPiece(0, 0, "trader", (SCOTLAND, 0))) == ("HT-14.13", "wrong_country")
    assert refusal(state, PutPiece(0, 0, "trader", (WALES, 0), "England"))[0] == "HT-14.13"
    then = after(state, welsh)
    assert then.agenda[-1].lands == ("England",)
    assert refusal(then, PutPiece(0, 0, "trader", (WALES, 0)))[0] == "HT-14.13"
    assert after(state, PutPiece(0, 0, "trader", (ENGLAND, 0), "Wales")).agenda[-1].lands == (
        "England",
    )


def test_pieces_put_down_leave_room_for_those_with_no_other_post():
    """HT-14.13"""
    state = four(routes={WALES: ["0t", None, None], ENGLAND: ["0t", None, None]})
    for at, code in enumerate(state.posts):
        if not code:
            state.posts[at] = code_of(1, at in state.board.reserved)
    held = after(state, LiftPiece(0, (WALES, 0)), LiftPiece(0, (ENGLAND, 0)))
    taken = PutPiece(0, 0, "trader", (ENGLAND, 0), "Wales")
    assert refusal(held, taken) == ("HT-14.13", "no_room")
    then = after(held, PutPiece(0, 0, "trader", (ENGLAND, 0), "England"))
    assert legal_moves(GAME, then, 0) == [PutPiece(0, 0, "trader", (WALES, 0), "Wales")]


def test_a_marker_moves_pieces_only_within_their_country():
    """HT-14.13, HT-13.4"""
    seat = player(levels={"book": 3}, ready={"remove_three": 1})
    state = four(seat, options={"remove_three": "move"}, routes={WALES: ["1t", None, None]})
    held = after(state, UseMarker(0, "remove_three"), LiftPiece(0, (WALES, 0)))
    assert refusal(held, PutPiece(0, 1, "trader", (ENGLAND, 0)))[0] == "HT-14.13"
    assert isinstance(after(held, PutPiece(0, 1, "trader", (WALES_TOO, 0))).agenda[-1], Turn)


def test_two_pieces_go_to_wales_or_scotland():
    """HT-14.9"""
    state = four(routes={CALAIS: ["0t", "0m", "0m"]})
    assert BonusGained(0, CALAIS, "place_2") in happens(state, EstablishRoute(0, CALAIS))
    asked = after(state, EstablishRoute(0, CALAIS))
    first = DeployPiece(0, "stock", "trader", (WALES, 0))
    assert happens(asked, first) == [PieceDeployed(0, "stock", "trader", (WALES, 0), None)]
    once = after(asked, first)
    assert refusal(once, DeployPiece(0, "stock", "trader", (ENGLAND, 0))) == (
        "HT-14.9",
        "in_england",
    )
    assert refusal(once, DeployPiece(0, "supply", "trader", (WALES, 1)))[1] == "wrong_source"
    assert isinstance(
        after(once, DeployPiece(0, "stock", "merchant", (SCOTLAND, 0))).agenda[-1], Turn
    )


def test_without_a_stock_pieces_come_from_the_supply_and_then_from_posts():
    """HT-14.9: only a start position can be so, because in a game the route fills the stock."""
    posts = {"cambridge--ipswich": ["0t"] * 4, "plymouth--salisbury": ["0t"] * 4}
    posts |= {ENGLAND: ["0t", "0t", None], "london--oxford": ["0m", None, None, None]}
    poor = {"supply": {"t": 1}, "stock": {}, "levels": {}}
    pending = {"type": "Deploying", "seats": [0], "bonus": "place_2", "left": 2}
    asked = four(poor, routes=posts, pending=pending)
    assert sources(asked) == {"supply"}
    for early in (("stock", None), ("board", (ENGLAND, 0))):
        move = DeployPiece(0, early[0], "trader", (WALES, 0), early[1])
        assert refusal(asked, move) == ("HT-14.9", "wrong_source")
    once = after(asked, DeployPiece(0, "supply", "trader", (WALES, 0)))
    assert (once.in_supply(0), sources(once)) == ((0, 0), {"board"})
    lifted = DeployPiece(0, "board", "trader", (SCOTLAND, 0), (ENGLAND, 0))
    assert happens(once, lifted) == [
        PieceDeployed(0, "board", "trader", (SCOTLAND, 0), (ENGLAND, 0))
    ]
    shown = GAME.view(after(once, lifted), None)
    assert (shown.routes[ENGLAND], shown.routes[SCOTLAND][0]) == ((None, "0t", None), "0t")
    assert isinstance(shown.pending, Turn)
    again = DeployPiece(0, "board", "trader", (SCOTLAND, 0), (WALES, 0))
    assert GAME.view(after(once, again), None).routes[WALES] == (None, None, None)


def test_without_room_in_wales_or_scotland_the_bonus_is_skipped():
    """HT-14.4, HT-14.9"""
    state = four(routes={CALAIS: ["0t", "0m", "0m"]})
    lands = {route.id: route.country for route in state.setup.map.routes}
    for route, span in zip(state.setup.map.routes, state.board.posts, strict=True):
        if lands[route.id] != "England":
            state.posts[span.start : span.stop] = bytes((code_of(1, 1),)) * len(span)
    assert isinstance(after(state, EstablishRoute(0, CALAIS)).agenda[-1], Turn)


def test_a_piece_from_a_post_must_stand_there_and_leave_it():
    """HT-14.9, HT-1.3"""
    posts = {"cambridge--ipswich": ["0t"] * 4, "plymouth--salisbury": ["0t"] * 4}
    posts |= {ENGLAND: ["0t", "0t", "1t"], WALES: ["0t", "0m", None]}
    poor = {"supply": {}, "stock": {}, "levels": {}}
    pending = {"type": "Deploying", "seats": [0], "bonus": "place_2", "left": 2}
    asked = four(poor, player(), routes=posts, pending=pending)
    for lifted, target, fault in (
        (None, SCOTLAND, ("HT-14.9", "wrong_source")),
        ((ENGLAND, 2), SCOTLAND, ("HT-14.9", "not_there")),
        ((WALES, 1), SCOTLAND, ("HT-14.9", "not_there")),
        ((ENGLAND, 0), "london--oxford", ("HT-14.9", "in_england")),
        ((WALES, 0), WALES, ("HT-1.3", "occupied")),
    ):
        move = DeployPiece(0, "board", "trader", (target, 0), lifted)
        assert refusal(asked, move) == fault
    assert sources(asked) == {"board"}


def sources(state):
    """The sources of the pieces of a permanent bonus."""
    return {move.source for move in legal_moves(GAME, state, 0) if isinstance(move, DeployPiece)}


def test_places_in_a_country_bring_points():
    """HT-14.14"""
    cities = {
        "conway": {"offices": ["0t", None]},
        "montgomery": {"offices": ["0t", None]},
        "pembroke": {"offices": ["2t", "1t", None]},
        "falkirk": {"offices": ["3t", None, None]},
    }
    state = four(cities=cities)
    assert [country_points(state, seat, survey(state)) for seat in range(4)] == [7, 4, 2, 7]
    assert GAME.scoring(state).lines[0].breakdown["countries"] == 7


def test_tied_players_share_the_points_of_their_places():
    """HT-14.14: the Isle of Man counts in both countries; a seat without offices gets nothing."""
    cities = {"conway": {"offices": ["0t", None]}, "chester": {"offices": ["1t", None, None]}}
    state = four(cities=cities)
    assert [country_points(state, seat, survey(state)) for seat in range(4)] == [5, 5, 0, 0]
    man = four(player(levels={"book": 3}), cities={"isle_of_man": {"offices": ["0m", None]}})
    assert [country_points(man, seat, survey(man)) for seat in range(4)] == [14, 0, 0, 0]


def test_two_players_play_without_the_pawn():
    """HT-14.15"""
    setup = GAME.setup(Options(map="britannia", first_player="seat:1"), 2)
    state = new_state(GAME, setup, 2, Luck(0))
    assert (seats_to_move(state), state.pawn) == ((1,), None)
    assert refusal(state, MovePawn(1, "P01")) == ("HT-11.1", "no_pawn")


def test_held_pieces_are_named_with_their_country():
    """Given a piece from Wales and one from England in the hand, when the seat is asked which goes
    where, both are told apart: HT-14.13.
    """
    state, words = hold_in_wales(), GAME.words()
    view = GAME.view(state, 0)
    asked = words.say(describe_step(GAME, state.agenda[-1], view, 0))
    assert "1 trader of yours (Wales) and 1 merchant of yours (England)" in asked
    menu = legal_moves(GAME, state, 0)
    held = {way[0] for move in menu for way in GAME.pointing.touches(view, move)}
    labels = {words.say(describe_touch(GAME, touch, view)) for touch in held if "held" in touch}
    assert labels == {"your merchant (England)", "your trader (Wales)"}
