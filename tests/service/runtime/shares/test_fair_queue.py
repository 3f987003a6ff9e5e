"""Fair shares, in memory."""

from __future__ import annotations

from service.runtime.shares import fair_queue as shares
from service.runtime.shares.fair_queue import FairQueue, Payer

ANN, BOB, CID = Payer("north", "ann"), Payer("south", "bob"), Payer("south", "cid")


def serve_all(waiting: FairQueue[int], count: int, held_up: tuple[str, ...] = ()) -> list[str]:
    """The keys of the next items, in order."""
    out = []
    for _ in range(count):
        if chosen := waiting.next_item(lambda payer, _: payer.owner not in held_up):
            waiting.serve(chosen[0])
            out.append(chosen[0])
    return out


def queue_of(**keys: Payer) -> FairQueue[int]:
    """A queue with items of these keys, which were added in this order."""
    shares: FairQueue[int] = FairQueue()
    for key, payer in keys.items():
        shares.add(payer, key, 1)
    return shares


def test_a_new_payer_comes_before_those_already_served() -> None:
    crowd = queue_of(**{f"a{n}": ANN for n in range(100)})
    assert serve_all(crowd, 2) == ["a0", "a1"]
    crowd.add(BOB, "b", 1)
    assert serve_all(crowd, 3) == ["b", "a2", "a3"]


def test_hosts_take_turns() -> None:
    assert serve_all(queue_of(a1=ANN, a2=ANN, a3=ANN, b1=BOB, b2=BOB), 9) == [
        "a1", "b1", "a2", "b2", "a3",
    ]  # fmt: skip


def test_accounts_of_one_network_share_one_share() -> None:
    crowd = {f"b{n}": Payer("south", f"u{n}") for n in range(100)}
    assert serve_all(queue_of(a1=ANN, a2=ANN, **crowd), 5) == ["a1", "b0", "a2", "b1", "b2"]
    assert serve_all(queue_of(b1=BOB, b2=BOB, c=CID), 3) == ["b1", "c", "b2"]


def test_leaving_and_returning_gains_nothing() -> None:
    crowd = queue_of(a1=ANN, a2=ANN, b=BOB)
    assert serve_all(crowd, 2) == ["a1", "b"]
    crowd.add(BOB, "b", 1)
    assert serve_all(crowd, 2) == ["a2", "b"]


def test_a_host_over_the_quota_keeps_their_place() -> None:
    crowd = queue_of(a=ANN, b=BOB)
    assert serve_all(crowd, 2, held_up=("ann",)) == ["b"]
    assert serve_all(crowd, 2) == ["a"]


def test_a_key_has_one_item_at_a_time() -> None:
    crowd = queue_of(a=ANN)
    crowd.add(ANN, "a", 7)
    assert len(crowd) == 1
    assert crowd.next_item() == ("a", 7)
    crowd.discard("a")
    crowd.discard("a")
    assert (len(crowd), crowd.next_item()) == (0, None)


def test_an_item_that_is_not_ready_lets_later_ones_of_its_owner_pass() -> None:
    crowd = queue_of(a1=ANN, a2=ANN)
    crowd.add(ANN, "a1", 9)  # now it comes after a2
    assert crowd.next_item(lambda _, number: number == 9) == ("a1", 9)
    assert (crowd.count_of("north"), crowd.count_of("south")) == (2, 0)


def test_old_payers_are_dropped() -> None:
    shares.MAX_SERVED, before = 4, shares.MAX_SERVED
    crowd = queue_of(**{f"m{n}": Payer(f"o{n}", f"h{n}") for n in range(9)})
    try:
        assert serve_all(crowd, 9) == [f"m{n}" for n in range(9)]
    finally:
        shares.MAX_SERVED = before
    assert len(crowd._served) == 4
