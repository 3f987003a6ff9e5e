"""Chapter 14: what all further maps share, and the map of the east."""

import pytest

from domain.engine.errors import BadOptions, BadPosition
from domain.engine.game import decide, legal_moves, seats_to_move
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import MAPS, board_of
from domain.games.hansa_teutonica.events.bonuses import (
    BonusDeclined,
    BonusGained,
    GreenOfficeOpened,
    PieceDeployed,
)
from domain.games.hansa_teutonica.events.course import ActionSpent, GameEnded
from domain.games.hansa_teutonica.events.pieces import PieceLifted, PiecePut
from domain.games.hansa_teutonica.events.routes import (
    AbilityImproved,
    CitiesConnected,
    CityCompleted,
    ExtraOfficeOpened,
    RouteCleared,
    RouteEstablished,
)
from domain.games.hansa_teutonica.moves import (
    DeclineBonus,
    DeployPiece,
    DisplacePiece,
    EndTurn,
    EstablishRoute,
    ImproveAbility,
    LiftPiece,
    OpenExtraOffice,
    OpenGreenOffice,
    OpenOffice,
    PlaceMarker,
    PlacePiece,
    PutPiece,
    RelocatePiece,
    TakeSpecialPrestige,
)
from domain.games.hansa_teutonica.scoring import controller, survey
from domain.games.hansa_teutonica.state.setup import Options
from domain.games.hansa_teutonica.state.steps import CheckEnd, Deploying, Turn
from tests.games.hansa_teutonica.table import after, happens, player, refusal, start, table
from tests.support.for_each import for_each

EAST = {"map": "east"}
WISMAR = "stralsund--wismar"  # merchant, merchant, any: move any two
STRALSUND = "malmo--stralsund"  # merchant, merchant, any: improve the privilege
VISBY = "malmo--visby"  # any, merchant, any: office in a green city
DANZIG = "danzig--malmo"  # three any, merchant: redeploy two
MERCHANTS = player("ttt", levels={"book": 3})


def east(*seats, **position):
    """Three seats in the east."""
    return table(*(seats or (MERCHANTS, player("tt"), player())), options=EAST, **position)


def posts_in_menu(state, route):
    """By piece, the posts of a route in the menu."""
    moves = legal_moves(GAME, state, 0)
    return {
        (move.piece, move.post[1])
        for move in moves
        if isinstance(move, PlacePiece) and move.post[0] == route
    }


@for_each("seats", [3, 4, 5])
def test_the_map_of_the_east(seats):
    """HT-14.2"""
    chart = GAME.setup(Options(map="east"), seats).map
    board = board_of(chart)
    assert (chart.id, len(board.offices), len(board.ends)) == ("map_east", 28, 32)
    assert (len(board.route_of), len(board.shapes)) == (98, 55)
    assert chart.east_west.cities == ("lubeck", "danzig")
    assert [route.id for route in chart.routes if route.tavern] == [
        "allenstein--braunsberg",
        "brandenburg--tangermunde",
        "kulm--stettin",
    ]


def test_two_players_do_not_play_in_the_east():
    """HT-14.2"""
    with pytest.raises(BadOptions, match="'east' is for 3 to 5 players"):
        GAME.setup(Options(map="east"), 2)


def test_the_standard_map_has_none_of_this():
    """HT-2.1, HT-14.2"""
    assert GAME.setup(Options(), 3) == GAME.setup(Options(map="standard"), 3)
    for side in ("board_2_3", "board_4_5"):
        board = board_of(MAPS[side])
        assert not any((board.reserved, board.bonuses, board.bare, board.green))


def test_some_posts_are_for_merchants():
    """HT-14.1: the menu lists one post of each kind."""
    state = east(player("tm", levels={"book": 3}), player(), player())
    assert posts_in_menu(state, VISBY) == {("trader", 0), ("merchant", 0), ("merchant", 1)}
    assert refusal(state, PlacePiece(0, "trader", (VISBY, 1))) == ("HT-14.1", "only_merchants")
    with pytest.raises(BadPosition, match="only merchants"):
        start(MERCHANTS, player("tt"), player(), options=EAST, routes={VISBY: [None, "1t", None]})
    there = east(routes={VISBY: [None, "1m", None]})
    assert refusal(there, DisplacePiece(0, "trader", (VISBY, 1), 2, 0))[0] == "HT-14.1"


def test_a_displaced_trader_skips_posts_for_merchants():
    """HT-14.1, HT-5.5"""
    routes = {
        "lubeck--wismar": ["1t", None, None],
        WISMAR: [None, None, "2t"],
        "waren--wismar": ["2t", "2t", "2t"],
    }
    state = after(east(routes=routes), DisplacePiece(0, "trader", ("lubeck--wismar", 0), 1, 0))
    assert refusal(state, RelocatePiece(1, "displaced", "trader", (WISMAR, 0)))[0] == "HT-14.1"
    menu = [move for move in legal_moves(GAME, state, 1) if move.source == "displaced"]
    places = {move.post[0] for move in menu}
    assert {"stettin--waren", "havelberg--waren", STRALSUND} <= places
    assert WISMAR not in places


def test_a_post_for_merchants_is_none_for_a_displaced_trader():
    """HT-14.1, HT-5.7: an extra piece that frees only such a post takes the last one."""
    poor = {"supply": {}, "stock": {}, "levels": {"book": 3}}
    rows = {WISMAR: ["1m", "1m", None], "lubeck--wismar": ["1t", "2t", "2t"]}
    rows |= {"halle--wittenberg": ["1t", "1t"], "breslau--frankfurt": ["1t", "1t", "1t"]}
    rows |= {DANZIG: ["1t", "1t", "1t", "1m"], VISBY: ["1t", "1m", "1t"]}
    state = east(MERCHANTS, poor, player(), routes=rows)
    fill = {False: 5, True: 6}
    for at, code in enumerate(state.posts):
        state.posts[at] = code or fill[at in state.board.reserved]
    last = state.board.posts[state.board.route_number[WISMAR]].start + 2
    state.posts[last] = 0
    state = after(state, DisplacePiece(0, "trader", ("lubeck--wismar", 0), 1, 0))
    from_reserved = RelocatePiece(1, "board", "merchant", (WISMAR, 2), (VISBY, 1))
    assert refusal(state, from_reserved) == ("HT-5.7", "last_post")
    from_common = RelocatePiece(1, "board", "trader", (WISMAR, 2), (VISBY, 0))
    assert not after(state, from_common).agenda[-1].placed


def test_pieces_put_down_leave_room_for_traders():
    """HT-14.1"""
    levels = {"book": 3}
    state = east(
        player(levels=levels),
        player(),
        player(),
        routes={WISMAR: ["0m", "0m", None], VISBY: ["0t"] + [None] * 2},
    )
    for at, code in enumerate(state.posts):
        if code == 0 and at not in state.board.reserved:
            state.posts[at] = 5
    held = after(state, LiftPiece(0, (VISBY, 0)), LiftPiece(0, (WISMAR, 0)))
    assert refusal(held, PutPiece(0, 0, "merchant", (VISBY, 0))) == ("HT-14.1", "no_room")
    assert after(held, PutPiece(0, 0, "merchant", (VISBY, 1)))
    assert legal_moves(GAME, after(held, PutPiece(0, 0, "trader", (VISBY, 0))), 0)


def test_no_marker_lies_on_a_route_with_a_permanent_bonus():
    """HT-14.4"""
    state = after(east(pile={"plus_3_actions": 2, "swap_offices": 1}), EndTurn(0))
    assert refusal(state, PlaceMarker(0, "plus_3_actions", VISBY)) == (
        "HT-14.4",
        "no_markers_here",
    )
    offered = {move.route for move in legal_moves(GAME, state, 0)}
    assert len(offered) == 32 - 4
    with pytest.raises(BadPosition, match="no place for a marker on"):
        start(MERCHANTS, player("tt"), player(), options=EAST, markers={VISBY: "swap_offices"})


def test_a_permanent_bonus_comes_last():
    """HT-14.4, HT-14.5"""
    state = east(routes={WISMAR: ["0m", "0m", "0t"], "halle--wittenberg": ["1t", None]})
    assert happens(state, EstablishRoute(0, WISMAR)) == [
        ActionSpent(0, 1),
        RouteEstablished(0, WISMAR),
        RouteCleared(0, WISMAR, 1, 2),
        BonusGained(0, WISMAR, "move_any_2"),
    ]
    asked = after(state, EstablishRoute(0, WISMAR))
    assert happens(asked, DeclineBonus(0)) == [BonusDeclined(0, "move_any_2")]
    assert isinstance(after(asked, DeclineBonus(0)).agenda[-1], Turn)
    assert refusal(asked, EndTurn(0)) == ("HT-3.4", "unfinished")


def test_a_bonus_without_an_effect_is_skipped():
    """HT-14.4"""
    state = east(routes={WISMAR: ["0m", "0m", "0t"]})
    assert isinstance(after(state, EstablishRoute(0, WISMAR)).agenda[-1], Turn)
    bare = east(player(levels={"book": 3}), player(), player(), routes={VISBY: ["0t", "0m", "0t"]})
    assert isinstance(after(bare, EstablishRoute(0, VISBY)).agenda[-1], Turn)


def test_two_pieces_of_any_owner_swap_posts():
    """HT-14.5"""
    routes = {WISMAR: ["0m", "0m", "0t"], "halle--wittenberg": ["1t", "2t"]}
    state = after(east(routes=routes), EstablishRoute(0, WISMAR))
    lifted = LiftPiece(0, ("halle--wittenberg", 0))
    assert happens(state, lifted) == [PieceLifted(0, 1, "trader", ("halle--wittenberg", 0))]
    held = after(state, lifted, LiftPiece(0, ("halle--wittenberg", 1)))
    assert refusal(held, DeclineBonus(0)) == ("HT-14.5", "must_put")
    assert refusal(held, LiftPiece(0, ("halle--wittenberg", 0))) == ("HT-14.5", "all_lifted")
    put = PutPiece(0, 2, "trader", ("halle--wittenberg", 0))
    moved = PiecePut(0, 2, "trader", put.post, lifted=("halle--wittenberg", 1))
    assert happens(held, put) == [moved]
    then = after(held, put, PutPiece(0, 1, "trader", ("halle--wittenberg", 1)))
    assert (seats_to_move(then), then.actions) == ((0,), 1)
    assert isinstance(then.agenda[-1], Turn)


def test_only_steps_of_a_bonus_can_be_declined():
    """HT-14.4"""
    own = after(east(routes={VISBY: ["0t", None, None]}), LiftPiece(0, (VISBY, 0)))
    assert refusal(own, DeclineBonus(0)) == ("HT-14.4", "no_bonus")


def test_the_privilege_is_improved_at_once():
    """HT-14.6"""
    state = east(routes={STRALSUND: ["0m", "0m", "0t"]})
    events = happens(state, EstablishRoute(0, STRALSUND))
    assert events[-2:] == [
        BonusGained(0, STRALSUND, "improve_privilege"),
        AbilityImproved(0, "privilege", 1, "trader", 0, "HT-14.6"),
    ]
    assert refusal(state, OpenOffice(0, STRALSUND, "stralsund"))[1] == "no_privilege"
    done = east(
        player(levels={"book": 3, "privilege": 3}),
        player(),
        player(),
        routes={STRALSUND: ["0m", "0m", "0t"]},
    )
    assert isinstance(happens(done, EstablishRoute(0, STRALSUND))[-1], RouteCleared)


def test_two_pieces_of_the_route_go_to_posts_instead_of_the_stock():
    """HT-14.7"""
    state = east(routes={DANZIG: ["0t", "0t", "0t", "0m"]})
    asked = after(state, OpenOffice(0, DANZIG, "danzig"))
    assert asked.agenda == [
        Turn((0,)),
        CheckEnd(),
        Deploying((0,), bonus="redeploy_2", left=2, traders=2, merchants=1),
    ]
    first = DeployPiece(0, "stock", "merchant", (WISMAR, 0))
    assert happens(asked, first) == [
        PieceDeployed(0, "stock", "merchant", (WISMAR, 0), None, "HT-14.7")
    ]
    once = after(asked, first)
    again = DeployPiece(0, "stock", "merchant", (WISMAR, 1))
    assert refusal(once, again) == ("HT-14.7", "not_of_route")
    assert refusal(once, DeployPiece(0, "supply", "trader", (VISBY, 0)))[1] == "wrong_source"
    assert refusal(once, DeployPiece(0, "stock", "trader", (VISBY, 1)))[0] == "HT-14.1"
    twice = after(once, DeployPiece(0, "stock", "trader", (DANZIG, 0)))
    assert isinstance(twice.agenda[-1], Turn)
    assert isinstance(after(once, DeclineBonus(0)).agenda[-1], Turn)


def test_a_piece_of_the_supply_opens_an_office_in_a_green_city():
    """HT-14.8, HT-14.10"""
    cities = {"waren": {"offices": [], "extra": ["1t"]}}
    state = east(routes={VISBY: ["0t", "0m", "0t"]}, cities=cities)
    asked = after(state, EstablishRoute(0, VISBY))
    assert happens(asked, OpenGreenOffice(0, "waren", "trader")) == [
        GreenOfficeOpened(0, "waren", "trader")
    ]
    then = after(asked, OpenGreenOffice(0, "waren", "trader"))
    assert controller(then, then.board.city_number["waren"]) == 0
    assert then.in_supply(0) == (2, 0)
    assert happens(asked, OpenGreenOffice(0, "belgard", "trader")) == [
        GreenOfficeOpened(0, "belgard", "trader"),
        CityCompleted("belgard", 2, "HT-14.10"),
    ]
    assert refusal(asked, OpenGreenOffice(0, "danzig", "trader")) == ("HT-14.8", "not_green")
    assert refusal(asked, OpenGreenOffice(0, "waren", "merchant"))[1] == "not_in_supply"


def test_an_office_in_a_green_city_can_connect_the_red_cities():
    """HT-14.8, HT-6.13: here from Lübeck via Waren to Danzig."""
    offices = {"lubeck": 3, "wismar": 2, "stettin": 2, "kulm": 2, "elbing": 2, "braunsberg": 2}
    cities = {city: {"offices": ["0t", *[None] * (n - 1)]} for city, n in offices.items()}
    cities["danzig"] = {"offices": ["0t", None, None, None]}
    seats = (player("t", levels={"book": 3}), player(), player())
    state = east(*seats, routes={VISBY: ["0t", "0m", "0t"]}, cities=cities)
    asked = after(state, EstablishRoute(0, VISBY))
    opened = happens(asked, OpenGreenOffice(0, "waren", "trader"))
    assert CitiesConnected(0, 7) in opened
    elsewhere = happens(asked, OpenGreenOffice(0, "dresden", "trader"))
    assert CitiesConnected(0, 7) not in elsewhere


def test_a_green_city_takes_extra_offices_only():
    """HT-14.10: the first completes it, the next stands to the left."""
    seat = player(levels={"book": 3}, ready={"extra_office": 2})
    state = east(seat, player(), player(), routes={"waren--wismar": ["0t", "0t", "0m"]})
    assert refusal(state, OpenOffice(0, "waren--wismar", "waren")) == ("HT-14.10", "green_city")
    opened = happens(state, OpenExtraOffice(0, "waren--wismar", "waren", "trader"))
    assert ExtraOfficeOpened(0, "waren", "trader", ("waren--wismar", 0)) in opened
    assert CityCompleted("waren", 1, "HT-14.10") in opened
    cities = {"waren": {"offices": [], "extra": ["1t"]}}
    second = east(seat, player(), player(), routes={"waren--wismar": ["0t"] * 3}, cities=cities)
    then = after(second, OpenExtraOffice(0, "waren--wismar", "waren", "trader"))
    assert controller(then, then.board.city_number["waren"]) == 1
    assert (then.complete, survey(then).networks[0]) == (1, 1)


def test_other_cities_still_need_an_office_before_an_extra_one():
    """HT-8.3, HT-14.10"""
    seat = player(levels={"book": 3}, ready={"extra_office": 2})
    state = east(seat, player(), player(), routes={"waren--wismar": ["0t", "0t", "0m"]})
    extra = OpenExtraOffice(0, "waren--wismar", "wismar", "trader")
    assert refusal(state, extra) == ("HT-8.3", "city_empty")


def test_waren_improves_either_of_two_abilities():
    """HT-14.11"""
    state = east(routes={"waren--wismar": ["0t", "0t", "0t"]})
    for ability in ("bag", "actions"):
        then = after(state, ImproveAbility(0, "waren--wismar", "waren", ability))
        assert GAME.view(then, 0).players[0].levels[ability] == 1
    assert refusal(state, ImproveAbility(0, "waren--wismar", "waren", "book")) == (
        "HT-6.9",
        "other_ability",
    )


def test_special_prestige_and_the_connection_in_the_east():
    """HT-14.2, HT-6.10, HT-6.13"""
    prizes = "danzig--konigsberg"
    state = east(routes={prizes: ["0m", "0t", "0t", "0t"]})
    assert after(state, TakeSpecialPrestige(0, prizes, 0)).special[0] == 2
    chain = {
        city: {"offices": ["0t", *[None] * more]}
        for city, more in {"lubeck": 2, "stralsund": 1, "malmo": 2}.items()
    }
    chain["wismar"] = {"offices": ["0t", None]}
    chain["malmo"]["offices"][0] = "0m"
    closing = east(
        player(levels={"book": 3}),
        player(),
        player(),
        routes={DANZIG: ["0t", "0t", "0t", "0m"]},
        cities=chain,
    )
    assert CitiesConnected(0, 7) in happens(closing, OpenOffice(0, DANZIG, "danzig"))


def test_the_end_of_the_game_waits_for_the_bonus():
    """HT-14.4, HT-9.2"""
    cities = {"malmo": {"offices": ["0m", None, None]}}
    seat = player("t", prestige=19, levels={"book": 3})
    state = east(seat, player(), player(), routes={VISBY: ["0t", "0m", "0t"]}, cities=cities)
    asked = after(state, EstablishRoute(0, VISBY))
    assert (asked.prestige[0], asked.ended) == (20, None)
    ended = decide(GAME, asked, OpenGreenOffice(0, "waren", "trader"), None)
    assert any(isinstance(event, GameEnded) for event in ended)
    assert after(asked, DeclineBonus(0)).ended == "prestige"
