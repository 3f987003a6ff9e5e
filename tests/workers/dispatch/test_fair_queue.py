"""Fair shares, in memory."""

from __future__ import annotations

from service.store.event_store import Turn
from workers.dispatch import fair_queue as shares
from workers.dispatch.fair_queue import Payer, Shares

ANN, BOB, CID = Payer("north", "ann"), Payer("south", "bob"), Payer("south", "cid")


def turn(match: str) -> Turn:
    return Turn("bot", match, 1)


def served(waiting: Shares, count: int, held_up: tuple[str, ...] = ()) -> list[str]:
    """The matches of the next turns, each taken as it comes."""
    out = []
    for _ in range(count):
        if chosen := waiting.next(held_up):
            waiting.serve(chosen.match)
            out.append(chosen.match)
    return out


def waiting(**matches: Payer) -> Shares:
    """Turns of these matches, which fell due in this order."""
    shares = Shares()
    for match, payer in matches.items():
        shares.add(payer, turn(match))
    return shares


def test_whoever_comes_is_served_after_whoever_was_served() -> None:
    crowd = waiting(**{f"a{n}": ANN for n in range(100)})
    assert served(crowd, 2) == ["a0", "a1"]
    crowd.add(BOB, turn("b"))
    assert served(crowd, 3) == ["b", "a2", "a3"]


def test_hosts_take_turns() -> None:
    assert served(waiting(a1=ANN, a2=ANN, a3=ANN, b1=BOB, b2=BOB), 9) == [
        "a1", "b1", "a2", "b2", "a3",
    ]  # fmt: skip


def test_accounts_at_one_address_share_what_one_has() -> None:
    crowd = {f"b{n}": Payer("south", f"u{n}") for n in range(100)}
    assert served(waiting(a1=ANN, a2=ANN, **crowd), 5) == ["a1", "b0", "a2", "b1", "b2"]
    assert served(waiting(b1=BOB, b2=BOB, c=CID), 3) == ["b1", "c", "b2"]


def test_whoever_leaves_and_comes_back_gains_nothing() -> None:
    crowd = waiting(a1=ANN, a2=ANN, b=BOB)
    assert served(crowd, 2) == ["a1", "b"]
    crowd.add(BOB, turn("b"))
    assert served(crowd, 2) == ["a2", "b"]


def test_a_host_who_is_held_up_waits_and_loses_nothing() -> None:
    crowd = waiting(a=ANN, b=BOB)
    assert served(crowd, 2, held_up=("ann",)) == ["b"]
    assert served(crowd, 2) == ["a"]


def test_a_match_has_one_turn_at_a_time() -> None:
    crowd = waiting(a=ANN)
    crowd.add(ANN, Turn("think", "a", 7))
    assert len(crowd) == 1
    assert crowd.next(()) == Turn("think", "a", 7)
    crowd.discard("a")
    crowd.discard("a")
    assert (len(crowd), crowd.next(())) == (0, None)


def test_those_who_were_served_long_ago_are_forgotten() -> None:
    shares.REMEMBERED, before = 4, shares.REMEMBERED
    crowd = waiting(**{f"m{n}": Payer(f"o{n}", f"h{n}") for n in range(9)})
    try:
        assert served(crowd, 9) == [f"m{n}" for n in range(9)]
    finally:
        shares.REMEMBERED = before
    assert len(crowd._served) == 4
