"""The symmetries that games declare hold, and no board has an undeclared one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count, islice, pairwise, permutations
from typing import Any

import msgspec
import pytest

from domain.analysis.positions import (
    canonical_move,
    canonical_position,
    moves_like,
    relevant_fields,
    variant_of,
)
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import Json, decide, fold, legal_moves, seats_to_move, split_view
from domain.engine.symmetry import Symmetry
from domain.games import GAMES
from domain.games.chang_cheng import board as cc_board
from domain.games.hansa_teutonica import board as ht_board
from domain.games.qin import board as qin_board
from domain.games.tigris_euphrates import board as te_board
from tests.games.modes import tables
from tests.games.record import Record, record
from tests.games.seen import AnyGame
from tests.support.for_each import for_each

TABLES = [
    pytest.param(
        table.game,
        table.seats,
        id=table.id,
        marks=[pytest.mark.xdist_group(table.id), *(() if table.fewest else [pytest.mark.long])],
    )
    for table in tables(GAMES.values(), all_seats=True)
]


def there(played: Record, state: Any, symmetry: Symmetry) -> Any:
    """The same position under other names."""
    whole = defaults(played.game.position_type) | write_position(played.game, state)
    position = symmetry.forward(whole)
    return played.game.read_position(played.setup, position, played.seats)


def write_position(game: AnyGame, state: Any) -> Json:
    return json_codec.json_round_trip(game.write_position(state))


@cache
def defaults(kind: type[msgspec.Struct]) -> Json:
    """The defaults of a record, which JSON leaves out."""
    fields = msgspec.structs.fields(kind)
    return {f.name: f.default for f in fields if isinstance(f.default, int)}


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_game_goes_on_alike_under_other_names(game: AnyGame, seats: int) -> None:
    played = record(game, seats, 0)
    for symmetry in game.symmetries(played.setup, seats)[1:]:
        for moment in played.some(6):
            goes_on_alike(played, moment.state, moment.move, symmetry)


def goes_on_alike(played: Record, state: Any, move: Any, symmetry: Symmetry) -> None:
    game, image = played.game, there(played, state, symmetry)
    lasting, image_lasting = (split_view(game, game.view(one, None))[0] for one in (state, image))
    assert image_lasting == lasting  # it is the same board
    assert {symmetry.seats[seat] for seat in seats_to_move(state)} == set(seats_to_move(image))
    for seat in seats_to_move(state):
        menu = [json_codec.json_round_trip(one) for one in legal_moves(game, state, seat)]
        assert as_set(map(symmetry.forward, menu)) == as_set(
            map(json_codec.json_round_trip, legal_moves(game, image, symmetry.seats[seat]))
        )
    other = symmetry.forward(json_codec.json_round_trip(move))
    other_move = json_codec.read_move(game, other["seat"], other)
    after = fold(state.copy(), decide(game, state, move, Luck(0)))
    wanted = write_position(game, there(played, after, symmetry))
    results = (fold(image.copy(), decide(game, image, other_move, Luck(seed))) for seed in count())
    assert wanted in (write_position(game, result) for result in islice(results, 300))


def as_set(moves: Any) -> set[bytes]:
    return {msgspec.json.encode(move, order="deterministic") for move in moves}


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_names_lead_there_and_back(game: AnyGame, seats: int) -> None:
    played = record(game, seats, 0)
    same, *others = game.symmetries(played.setup, seats)
    assert same.seats == tuple(range(seats))
    assert {one.seats for one in others} <= set(permutations(range(seats)))
    for moment in played.some(4):
        seen = relevant_fields(game, game.view(moment.state, None))
        move = json_codec.json_round_trip(moment.move)
        assert same.forward(move) == move
        for symmetry in others:
            assert symmetry.backward(symmetry.forward(move)) == move
            assert as_set([symmetry.backward(symmetry.forward(seen))]) == as_set(
                [same.forward(seen)]
            )


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_position_has_one_key_under_every_symmetry_and_for_all_hidden_values(
    game: AnyGame, seats: int
) -> None:
    played = record(game, seats, 0)
    variant = variant_of(game, played.setup, seats)
    for moment in played.some(4):
        place = canonical_position(variant, moment.state)
        kept = canonical_move(place, json_codec.json_round_trip(moment.move))
        assert json_codec.json_round_trip(moment.move) in moves_like(place, kept)
        for symmetry in variant.symmetries:
            image = there(played, moment.state, symmetry)
            assert canonical_position(variant, image).key == place.key
            move = symmetry.forward(json_codec.json_round_trip(moment.move))
            assert canonical_move(canonical_position(variant, image), move) == kept
        for seat in range(seats):
            imagined = game.imagine(moment.state, seat, Luck(1))
            assert canonical_position(variant, imagined).key == place.key


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_is_called_immaterial_makes_no_difference(game: AnyGame, seats: int) -> None:
    played = record(game, seats, 0)
    variant = variant_of(game, played.setup, seats)
    moments = played.some(6)
    for one, other in pairwise(moments):
        changed = one.state.copy()
        for name in game.irrelevant_fields:
            if hasattr(changed, name) and name != "boards":
                setattr(changed, name, getattr(other.state, name))
        assert legal_moves(game, changed, one.move.seat) == legal_moves(
            game, one.state, one.move.seat
        )
        results = (
            fold(state.copy(), decide(game, state, one.move, Luck(0)))
            for state in (changed, one.state)
        )
        assert len({canonical_position(variant, result).key for result in results}) == 1


def test_a_claim_that_is_wrong_is_found_out() -> None:
    qin = GAMES["qin"]
    setup = qin.setup(qin.options(board="lion"), 2)
    half_turn = qin.symmetries(setup, 2)[2]
    for seed in range(20):
        played = record(qin, 2, seed)
        if played.setup.board == "bird":
            break
    moment = played.moments[3]
    with pytest.raises(AssertionError):
        goes_on_alike(played, moment.state, moment.move, half_turn)


def test_the_boards_have_no_undeclared_symmetry() -> None:
    """The test tries all turns and reflections, with every exchange of colours."""
    for game, boards, colours, told in (
        ("qin", qin_board.SIDES, "RYB", {"bird": 1, "lion": 2}),
        ("tigris_euphrates", te_board.BOARDS, "", {"standard": 1, "advanced": 1}),
    ):
        for name, rows in boards.items():
            found = list(automorphisms(rows, colours))
            setup = GAMES[game].setup(GAMES[game].options(board=name), 2)
            assert len(found) == told[name] == len(GAMES[game].symmetries(setup, 2)) // 2


def automorphisms(rows: Sequence[str], colours: str) -> Iterator[str]:
    """The ways to turn and mirror a board, and to exchange its colours, that change nothing."""
    for names in permutations(colours):
        image: Any = [row.translate(str.maketrans(colours, "".join(names))) for row in rows]
        for _ in range(4):
            image = ["".join(column) for column in zip(*image[::-1], strict=True)]
            yield from ("" for one in (image, image[::-1]) if tuple(one) == tuple(rows))


def test_no_wall_looks_the_same_from_its_other_end() -> None:
    for layouts in cc_board.LAYOUTS.values():
        sizes = [(one.china, one.mongol) for one in layouts]
        mirrored = [(china[::-1], mongol[::-1]) for china, mongol in sizes]
        assert len(set(sizes)) == len(sizes)
        assert sorted(sizes) != sorted(mirrored)


@for_each("name", ht_board.MAPS)
def test_no_two_cities_of_a_map_can_trade_places(name: str) -> None:
    """The test refines what distinguishes cities by their neighbours until nothing changes."""
    map_ = ht_board.MAPS[name]
    ends = (*map_.east_west.cities, map_.special_prestige.city)
    colours: dict[str, Any] = {
        city.id: repr((msgspec.structs.replace(city, id="", name="", layout=None), city.id in ends))
        for city in map_.cities
    }
    for _ in map_.cities:
        near: dict[str, list[Any]] = {city: [] for city in colours}
        for route in map_.routes:
            told = repr(msgspec.structs.replace(route, id="", cities=("", ""), layout=None))
            for one, other in (route.cities, route.cities[::-1]):
                near[one].append((told, colours[other]))
        told_anew = {city: repr((colours[city], sorted(near[city]))) for city in colours}
        numbers = {text: n for n, text in enumerate(sorted(set(told_anew.values())))}
        colours = {city: str(numbers[text]) for city, text in told_anew.items()}
    assert len(set(colours.values())) == len(map_.cities)
