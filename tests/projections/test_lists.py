"""The lobby, the turns, the records and the leaderboard."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from domain.match.clock import has_time_left
from domain.match.decisions import ending, lobby
from projections.lists.matches import find, find_invitations, get
from projections.lists.pages import BadCursor
from projections.lists.results import GameRecord, read_record
from projections.lists.turns import Turn, find_turns
from service.store.event_store import EventStore
from tests.match.table import NOON, clock
from tests.projections.recorded import RecordedMatch, fold_all, some_of_each_kind


def waiting(store: EventStore, player: str) -> list[Turn]:
    return find_turns(store.redis, 16, player).items


def ids(redis: Redis, **wanted: Any) -> list[str]:
    return [match.id for match in find(redis, 16, **wanted).items]


def test_matches_are_found_by_game_status_and_player(store: EventStore) -> None:
    tables = some_of_each_kind(store)
    fold_all(store)
    public = sorted((t.match.id for t in tables if t.match.id != "running"), reverse=True)
    assert ids(store.redis) == public
    assert ids(store.redis, game="toy") == public
    assert ids(store.redis, game="chess") == []
    assert ids(store.redis, status="open") == ["open"]
    assert ids(store.redis, game="toy", status="scored") == ["scored", "hotseat"]
    assert ids(store.redis, player="cid") == ["resigned"]
    assert ids(store.redis, player="bob") == ["resigned", "asking"]
    assert ids(store.redis, player="ann", status="active") == ["resigned", "asking"]
    assert ids(store.redis, player="zoe") == []


def test_a_private_match_is_found_only_by_its_players(store: EventStore) -> None:
    RecordedMatch(store, "ann ?cid .", match="secret", visibility="private", host="dan")
    fold_all(store)
    for who in ("ann", "cid", "dan"):
        assert ids(store.redis, viewer=who) == ["secret"]
        assert ids(store.redis, viewer=who, game="toy", status="open") == ["secret"]
        assert ids(store.redis, viewer=who, status="active") == []
    assert ids(store.redis, viewer="eve") == ids(store.redis) == []
    assert ids(store.redis, player="ann") == ids(store.redis, player="ann", viewer="eve") == []
    assert ids(store.redis, player="ann", viewer="cid") == ["secret"]


def test_a_player_who_left_is_no_longer_listed(store: EventStore) -> None:
    table = RecordedMatch(store, "ann . .", match="m")
    table.act(lobby.take_seat(table.match, "bob", None, table.now), "bob")
    fold_all(store)
    assert ids(store.redis, player="bob") == ["m"]
    table.act(lobby.leave_seat(table.match, "bob", 1), "bob")
    fold_all(store)
    assert ids(store.redis, player="bob") == []
    assert ids(store.redis, player="ann") == ["m"]


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_an_invitation_is_listed_until_its_seat_is_taken_or_it_is_declined(
    store: EventStore, visibility: str
) -> None:
    def invitations(player: str) -> list[str]:
        return [match.id for match in find_invitations(store.redis, 16, player)]

    table = RecordedMatch(store, "ann ?bob ?cid", match="m", visibility=visibility)
    fold_all(store)
    assert (invitations("bob"), invitations("ann")) == (["m"], [])
    table.act(lobby.take_seat(table.match, "bob", None, table.now), "bob")
    table.act(lobby.decline_invitation(table.match, "cid"), "cid")
    fold_all(store)
    assert invitations("bob") == invitations("cid") == []
    found = get(store.redis, store.partition_of("m"), "m")
    assert found
    assert (found.seats[2].invited, found.seats[2].declined) == (None, "cid")
    listed = ids(store.redis, viewer="cid")
    assert listed == (["m"] if visibility == "public" else [])


@pytest.mark.parametrize("limit", [1, 3, 7, 30])
def test_pages_neither_overlap_nor_skip(store: EventStore, limit: int) -> None:
    for n in range(30):
        visibility = "private" if n % 4 == 0 else "public"
        RecordedMatch(store, "ann .", match=f"m{n:02}", visibility=visibility)  # all equally old
    fold_all(store)
    for wanted, expected in (
        ({}, [f"m{n:02}" for n in range(30) if n % 4]),
        ({"viewer": "ann"}, [f"m{n:02}" for n in range(30)]),
        ({"player": "ann"}, [f"m{n:02}" for n in range(30) if n % 4]),
    ):
        assert all_pages(store.redis, limit, **wanted) == expected[::-1]


def all_pages(redis: Redis, limit: int, **wanted: Any) -> list[str]:
    found, page = [], find(redis, 16, limit=limit, **wanted)
    while page.next:
        assert len(page.items) == limit
        found += page.items
        page = find(redis, 16, limit=limit, after=page.next, **wanted)
    return [match.id for match in [*found, *page.items]]


def test_a_new_match_does_not_shift_the_next_page(store: EventStore) -> None:
    for n in range(4):
        RecordedMatch(store, "ann .", match=f"m{n}")
    fold_all(store)
    first = find(store.redis, 16, limit=2)
    RecordedMatch(store, "ann .", match="new")
    fold_all(store)
    rest = find(store.redis, 16, limit=2, after=first.next)
    assert [match.id for match in rest.items] == ["m1", "m0"]
    assert rest.next is None


@pytest.mark.parametrize("cursor", ["x", "????", "bm90IG1pbmU", "é"])
def test_a_foreign_cursor_is_refused(store: EventStore, cursor: str) -> None:
    with pytest.raises(BadCursor):
        find(store.redis, 16, after=cursor)


def test_a_summary_is_read_by_id(store: EventStore) -> None:
    RecordedMatch(store, "ann .", match="m")
    fold_all(store)
    found = get(store.redis, store.partition_of("m"), "m")
    assert found
    assert found.created_at == NOON
    assert get(store.redis, 0, "none") is None


def test_a_match_waits_for_the_deciding_players(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob", match="m", clock=clock(bank=60))
    while table.match.status == "active":
        fold_all(store)
        for player, seat in (("ann", 0), ("bob", 1)):
            turns = waiting(store, player)
            assert [turn.seats for turn in turns] == [(seat,)] * (seat in table.match.seats_to_move)
            assert all(turn.deadline is not None for turn in turns)
        table.wait(1).play()
    fold_all(store)
    assert waiting(store, "ann") == waiting(store, "bob") == []


def test_the_most_urgent_match_comes_first(store: EventStore) -> None:
    for match, bank, at in (("slow", 900, 0), ("new", None, 9), ("old", None, 1), ("fast", 60, 5)):
        table = RecordedMatch(
            store, "ann ann", match=match, clock=clock(bank=bank) if bank else None
        )
        table.play().wait(at).play()  # both seats are asked again
    fold_all(store)
    assert [turn.match for turn in waiting(store, "ann")] == [
        "fast",
        "slow",
        "old",
        "new",
    ]


def test_bots_and_resigned_players_have_no_turns(store: EventStore) -> None:
    table = RecordedMatch(store, "ann +easy cid", match="m")
    fold_all(store)
    assert waiting(store, "bot:easy") == []
    table.resign("ann")
    fold_all(store)
    assert waiting(store, "ann") == []


def test_a_replaced_player_has_no_turn_until_the_seat_is_reclaimed(
    store: EventStore,
) -> None:
    table = RecordedMatch(store, "ann bob", match="m", clock=clock(per_move=30))
    late = [str(table.match.chairs[seat].player) for seat in table.match.seats_to_move]
    table.wait(31).time_out()
    fold_all(store)
    assert [waiting(store, player) for player in late] == [[]] * len(late)
    while table.match.status == "active" and len(reclaimable(table)) < 1:
        table.play()
    [back] = reclaimable(table)[:1]
    table.reclaim(back)
    fold_all(store)
    assert [turn.match for turn in waiting(store, back)] == ["m"]


def reclaimable(table: RecordedMatch) -> list[str]:
    """A match with a replaced player who would have to decide now."""
    return [
        str(table.match.chairs[seat].player)
        for seat in table.match.seats_to_move
        if table.match.chairs[seat].bot and has_time_left(table.match, seat)
    ]


def test_an_undo_request_is_a_turn_of_the_asked_players(store: EventStore) -> None:
    table = next(table for table in some_of_each_kind(store) if table.match.undo_request)
    fold_all(store)
    [turn] = [t for t in waiting(store, "bob") if t.match == table.match.id]
    assert turn.undo
    assert (turn.undo.player, turn.undo.asked) == ("ann", ("bob",))
    table.answer("bob", agree=False)
    fold_all(store)
    turns = [t for t in waiting(store, "bob") if t.match == table.match.id]
    assert all(turn.undo is None for turn in turns)


def test_results_count_once_the_match_is_rated(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob", match="m").play_out()
    table.score()
    fold_all(store)
    assert read_record(store.redis, 16, "ann") == {}
    table.rate()
    fold_all(store)
    winners = table.match.scoring.winners if table.match.scoring else ()
    for seat, player in enumerate(("ann", "bob")):
        alone, both = winners == (seat,), len(winners) == 2
        expected = GameRecord(played=1, won=int(alone), shared=int(both))
        assert read_record(store.redis, 16, player) == {"toy": expected}


def test_an_unrated_result_counts_nowhere(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob", match="m")
    table.resign("ann")
    table.score()
    table.act(ending.leave_unrated(table.match, "early_resignation"), "system")
    fold_all(store)
    assert (
        read_record(store.redis, 16, "ann") == read_record(store.redis, 16, "ann", "private") == {}
    )


def test_who_is_left_out_of_a_rated_result_has_no_record_of_it(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob cid", match="m")
    table.resign("cid")
    table.play_out().score()
    table.rate(ann=(26.0, 7.0, 1, 1), bob=(24.0, 7.0, 1, 0))
    fold_all(store)
    found = {who: read_record(store.redis, 16, who) for who in ("ann", "bob", "cid")}
    assert [sum(one.played for one in record.values()) for record in found.values()] == [1, 1, 0]


def test_private_matches_have_a_separate_record(store: EventStore) -> None:
    RecordedMatch(store, "ann bob", match="m", visibility="private").play_out().settle()
    RecordedMatch(store, "ann ann", match="n", visibility="private").play_out().settle()
    fold_all(store, batch=1)
    assert read_record(store.redis, 16, "ann") == {}
    assert read_record(store.redis, 16, "ann", "private")["toy"].played == 1


def test_resignation_and_time_out_are_counted(store: EventStore) -> None:
    given_up = RecordedMatch(store, "ann bob", match="a")
    given_up.resign("bob")
    given_up.settle()
    late = RecordedMatch(store, "ann bob", match="b", clock=clock(per_move=9), on_timeout="resign")
    late.wait(10).time_out()
    while late.match.status == "active":
        late.play()
    late.settle()
    fold_all(store)
    record = read_record(store.redis, 16, "bob")["toy"]
    assert (record.played, record.resigned) == (2, 1 + late.match.chairs[1].resigned)
    flagged = sum(read_record(store.redis, 16, who)["toy"].timed_out for who in ("ann", "bob"))
    assert flagged == sum(chair.resigned for chair in late.match.chairs) > 0
    assert read_record(store.redis, 16, "ann")["toy"].won >= 1


def test_an_unrated_match_counts_for_no_player(store: EventStore) -> None:
    hotseat = RecordedMatch(store, "ann ann", match="m").play_out()
    hotseat.settle()
    free = RecordedMatch(store, "ann bob", match="n", undo="free").play_out()
    free.settle()
    fold_all(store)
    assert read_record(store.redis, 16, "ann") == read_record(store.redis, 16, "bob") == {}
