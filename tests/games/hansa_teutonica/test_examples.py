"""The worked examples, as data."""

import json
from collections import Counter
from importlib.resources import files

from domain.engine.errors import Refusal
from domain.engine.game import decide, fold, judge
from domain.games.hansa_teutonica import GAME, moves
from domain.games.hansa_teutonica.board import MARKER_NUMBER
from domain.games.hansa_teutonica.rules.pieces.relocating import nearest
from domain.games.hansa_teutonica.scoring import controller
from domain.games.hansa_teutonica.state.setup import Options
from domain.games.hansa_teutonica.state.steps import Turn
from domain.games.hansa_teutonica.view import view
from tests.games.hansa_teutonica.table import Top
from tests.support.for_each import for_each

EXAMPLES = json.loads(files(__package__).joinpath("examples.json").read_text())["examples"]
PIECES = {"t": "trader", "m": "merchant"}


@for_each("example", EXAMPLES)
def test_a_worked_example(example):
    given = example["setup"]
    state = position_of(given)
    dice = Top(state, *given["marker_supply"])
    for step in example["steps"]:
        state = outcome(state, step, dice)
    known = facts(state)
    assert {path: known[path] for path in example["expect"]} == example["expect"]


def outcome(state, step, dice):
    """The table after a command; an illegal one changes nothing."""
    then = state
    try:
        for move in moves_of(step["seat"], step["command"]):
            judge(GAME, then, move)
            then = fold(then.copy(), decide(GAME, then, move, dice))
    except Refusal:
        assert not step["legal"], step
        return state
    assert step["legal"], step
    return then


def position_of(given):
    """The table of an example, in our own format."""
    setup = GAME.setup(Options(marker_mix=mix_of(given)), given["players"])
    data = {
        "active": given["active"],
        "actions": given["actions_left"],
        "acted": given["actions_left"] == 0,
        "turn": given["turn"],
        "seats": [player_of(seat, given["turn"]) for seat in given["seats"]],
        "routes": given["routes"],
        "cities": given["cities"],
        "special": given["coellen"],
        "markers": given["markers"],
        "pile": Counter(given["marker_supply"]),
        "connected": given["east_west"],
        "pawn": given.get("pawn"),
    }
    state = GAME.read_position(setup, data, given["players"])
    assert setup.map.id == given["board"]
    assert state.complete == given["completed_cities"]
    return state


def mix_of(given):
    """Two examples have three markers to swap offices, which only the newer box has."""
    kinds = [*given["marker_supply"], *given["markers"].values()]
    for seat in given["seats"]:
        kinds += [marker["kind"] for marker in seat["markers_ready"]] + seat["markers_used"]
    return "2009" if kinds.count("swap_offices") < 3 else "big_box"


def player_of(given, turn):
    ready = given["markers_ready"]
    return {
        **{key: given[key] for key in ("supply", "stock", "levels", "prestige")},
        "ready": Counter(marker["kind"] for marker in ready),
        "fresh": Counter(marker["kind"] for marker in ready if marker["taken_on_turn"] == turn),
        "used": Counter(given["markers_used"]),
    }


def moves_of(seat, command):
    """The moves of a command."""
    match command:
        case {"do": "move", "moves": pairs}:
            yield from (moves.LiftPiece(seat, tuple(start)) for start, _ in pairs)
            yield from (moves.PutPiece(seat, seat, "trader", tuple(end)) for _, end in pairs)
        case {"do": "establish", "route": route, "choice": choice}:
            yield reward_of(seat, route, choice)
        case {"do": "pawn", "mode": mode, "to": to}:
            yield (moves.MovePawn if mode == "free" else moves.SendPawn)(seat, to)
        case {"do": "place_marker", "kind": kind, "route": route}:
            yield moves.PlaceMarker(seat, kind, route)
        case {"do": "marker", "kind": kind}:
            yield marker_of(seat, kind, command)
        case _:
            yield action_of(seat, command)


def action_of(seat, command):
    match command:
        case {"do": "income", "traders": traders, "merchants": merchants}:
            return moves.TakeIncome(seat, traders, merchants)
        case {"do": "place", "piece": piece, "post": post}:
            return moves.PlacePiece(seat, PIECES[piece], tuple(post))
        case {"do": "displace", "piece": piece, "post": post, "pay": pay}:
            return moves.DisplacePiece(seat, PIECES[piece], tuple(post), pay["t"], pay["m"])
        case {"do": "relocate", "source": source, "post": post}:
            piece = PIECES[command.get("piece", find_displaced_piece(post))]
            return moves.RelocatePiece(seat, source, piece, tuple(post))
        case {"do": "end_turn"}:
            return moves.EndTurn(seat)
        case _:
            raise AssertionError(command)


def find_displaced_piece(post):
    """The piece that the two examples with a displacement displace, by its destination."""
    return "m" if post[0] == "hamburg--stade" else "t"


def reward_of(seat, route, choice):
    match choice:
        case {"kind": "office", "city": city}:
            return moves.OpenOffice(seat, route, city)
        case {"kind": "extra_office", "city": city, "piece": piece}:
            return moves.OpenExtraOffice(seat, route, city, PIECES[piece])
        case {"kind": "ability", "city": city}:
            return moves.ImproveAbility(seat, route, city, "actions")
        case {"kind": "special", "space": space}:
            return moves.TakeSpecialPrestige(seat, route, space)
        case _:
            raise AssertionError(choice)


def marker_of(seat, kind, command):
    match command:
        case {"city": city, "left": left}:
            return moves.SwapOffices(seat, city, left)
        case {"ability": ability}:
            return moves.UseImprovement(seat, ability)
        case _:
            return moves.UseMarker(seat, kind)


def facts(state):
    """All facts that examples can expect, read from the table."""
    shown, board = view(state, None), state.board
    known = {
        "coellen": list(shown.special),
        "completed": shown.complete,
        "east_west": list(shown.connected),
        "actions_left": shown.actions,
        "active": shown.active,
        "pawn": shown.pawn,
        "pending_player": None if isinstance(shown.pending, Turn) else shown.awaiting[:1] or None,
        "over": shown.ended is not None,
        "over_reason": shown.ended,
    }
    for number, route in enumerate(state.setup.map.routes):
        known[f"route.{route.id}"] = list(shown.routes[route.id])
        known[f"marker.{route.id}"] = shown.markers.get(route.id)
        near = nearest(state, number, 0)
        known[f"nearest_routes.{route.id}"] = sorted(state.setup.map.routes[r].id for r in near)
    for name, city in shown.cities.items():
        known[f"city.{name}"] = list(city.offices)
        known[f"extra.{name}"] = list(city.extra)
        known[f"controller.{name}"] = controller(state, board.city_number[name])
    for seat in range(state.seats):
        known |= facts_of(state, shown.players[seat], seat)
    return known


def facts_of(state, player, seat):
    return {
        f"prestige.{seat}": player.prestige,
        f"network.{seat}": player.network,
        f"supply.{seat}": dict(zip("tm", player.supply, strict=True)),
        f"stock.{seat}": dict(zip("tm", player.stock, strict=True)),
        f"ready.{seat}": sorted(Counter(player.ready).elements()),
        f"used.{seat}": sorted(Counter(player.used).elements()),
        **{f"level.{seat}.{name}": level for name, level in player.levels.items()},
        **{f"final.{seat}.{part}": points for part, points in player.points.items()},
    }


def test_every_kind_of_marker_of_the_examples_exists():
    kinds = {kind for example in EXAMPLES for kind in example["setup"]["marker_supply"]}
    assert kinds <= set(MARKER_NUMBER)
