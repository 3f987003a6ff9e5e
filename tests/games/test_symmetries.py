"""What games say of their symmetries is so; nobody's board has one that is not told."""

from __future__ import annotations

from itertools import count, islice
from typing import Any

import msgspec
import pytest

from domain.engine import codec
from domain.engine.dice import Luck
from domain.engine.game import Json, awaited, decide, fold, legal_moves
from domain.engine.symmetry import Symmetry
from domain.games import GAMES
from tests.games.record import Record, record
from tests.games.seen import AnyGame

TABLES = [
    pytest.param(game, seats, id=f"{key}-{seats}")
    for key, game in GAMES.items()
    for seats in game.seats
]


def there(played: Record, state: Any, symmetry: Symmetry) -> Any:
    """The same position under other names."""
    whole = defaults(played.game.position_type) | written(played.game, state)
    position = symmetry.there(whole)
    return played.game.read_position(played.setup, position, played.seats)


def written(game: AnyGame, state: Any) -> Json:
    return codec.as_read_back(game.write_position(state))


def defaults(kind: type[msgspec.Struct]) -> Json:
    """What a record does not write down, as it says the same as nothing."""
    fields = msgspec.structs.fields(kind)
    return {f.name: f.default for f in fields if isinstance(f.default, int)}


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_game_goes_on_alike_under_other_names(game: AnyGame, seats: int) -> None:
    for seed in range(2):
        played = record(game, seats, seed)
        for symmetry in game.symmetries(played.setup, seats)[1:]:
            for moment in played.some(6):
                goes_on_alike(played, moment.state, moment.move, symmetry)


def goes_on_alike(played: Record, state: Any, move: Any, symmetry: Symmetry) -> None:
    game, image = played.game, there(played, state, symmetry)
    assert {symmetry.seats[seat] for seat in awaited(state)} == set(awaited(image))
    for seat in awaited(state):
        menu = [codec.as_read_back(one) for one in legal_moves(game, state, seat)]
        assert as_set(map(symmetry.there, menu)) == as_set(
            map(codec.as_read_back, legal_moves(game, image, symmetry.seats[seat]))
        )
    other = symmetry.there(codec.as_read_back(move))
    other_move = codec.read_move(game, other["seat"], other)
    after = fold(state.copy(), decide(game, state, move, Luck(0)))
    wanted = written(game, there(played, after, symmetry))
    results = (fold(image.copy(), decide(game, image, other_move, Luck(seed))) for seed in count())
    assert wanted in (written(game, result) for result in islice(results, 300))


def as_set(moves: Any) -> set[bytes]:
    return {msgspec.json.encode(move, order="deterministic") for move in moves}
