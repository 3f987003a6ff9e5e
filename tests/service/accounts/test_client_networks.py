"""Which players of a match the ratings leave out because they share a network."""

from __future__ import annotations

import pytest
from redis import Redis

from service.accounts.client_networks import players_left_out, store_network
from tests.match.test_replacing import replace, seeking


@pytest.mark.parametrize(
    ("shared", "left_out"),
    [
        ("ann dan", "dan"),
        ("ann bob", "ann bob"),
        ("ann bob dan", "ann bob dan"),
        ("bob dan", "bob dan"),
    ],
)
def test_a_second_account_in_their_seat_spares_no_player_the_loss(
    redis_client: Redis, shared: str, left_out: str
) -> None:
    """Dan has the seat of Ann, and Bob was there before."""
    table = seeking()
    replace(table, "dan")
    for player in shared.split():
        store_network(redis_client, player, "1.1.1.1")
    assert players_left_out(redis_client, table.match) == {*left_out.split()}
