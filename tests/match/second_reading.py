"""The dice of a match, implemented a second time from docs/dice.md, and tables to test them."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from domain.match.decisions import lobby
from domain.match.log import read_events
from tests.engine.toy.events import CardDrawn, PrizeRolled
from tests.match.table import Table

NONCE = bytes(range(100, 132))
OTHER = bytes(range(200, 232))


def numbers(key: bytes, draw: int) -> Any:
    """The stream of numbers, implemented a second time from docs/dice.md."""
    counter = 0
    while True:
        text = str(draw) + "|" + str(counter)
        digest = hmac.new(key, text.encode("ascii"), hashlib.sha256).hexdigest()
        yield int(digest[:16], 16)
        counter += 1


def below(stream: Any, n: int) -> int:
    """A number below n from the stream."""
    too_large = 2**64 // n * n
    number = next(stream)
    while number >= too_large:
        number = next(stream)
    return int(number % n)


def key_of(seed: bytes, nonces: Any) -> bytes:
    """The key of the dice, implemented a second time from docs/dice.md."""
    text = b"annals/seed/1".hex() + seed.hex()
    for nonce in nonces:
        text += nonce or "0" * 64
    return hashlib.sha256(bytes.fromhex(text)).digest()


class SecondReading:
    """Dice implemented only from the description."""

    def __init__(self, *stream: Any) -> None:
        self.stream = numbers(*stream)

    def below(self, n: int) -> int:
        return below(self.stream, n)


def seat_with_nonces(*nonces: bytes, **more: Any) -> Table:
    """A table at which each seat gave one of these nonces, or none."""
    names = ("ann", "bob", "cid", "dan")
    table = Table(f"ann{' .' * (len(nonces) - 1)}", nonces=nonces[:1], **more)
    for name, nonce in zip(names[1:], nonces[1:], strict=False):
        table.act(lobby.take_seat(table.match, name, None, table.now, nonce), name)
    return table


def all_events(table: Table) -> list[Any]:
    """The events of each entry."""
    return [read_events(table.game, record.events) for record in table.entries]


def draws(table: Table) -> list[Any]:
    """What chance decided in a match of the toy game."""
    happened = (event for events in all_events(table) for event in events)
    return [event for event in happened if isinstance(event, CardDrawn | PrizeRolled)]
