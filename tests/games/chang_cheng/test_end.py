"""The end: the Mongols come, event cards, victory."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.events.course import EventCardScored, GameEnded, MongolsInvaded
from domain.games.chang_cheng.events.wall import ThreatOpened
from domain.games.chang_cheng.moves import BuildDouble, BuildSingle
from domain.games.chang_cheng.rules.invasion import longest_run, reach
from tests.games.chang_cheng.table import happens, kinds, only, refusal, table
from tests.support.for_each import for_each


def nearly_full(b1: str, b2: str, b3: str, **position: Any) -> Any:
    """Three boards, a sign for each cell, the last one empty; it is seat 0 that fills it."""
    rows = {"b1": b1, "b2": b2, "b3": b3}
    words = [
        f"{board}:{n}={sign}" + ("t" if f"{board}:{n}" in position.get("towers", ()) else "")
        for board, row in rows.items()
        for n, sign in enumerate(row, 1)
    ]
    position.pop("towers", None)
    position.setdefault("hands", [[], [], []])
    return table(" ".join(words), boards=list(rows), **position)


ROWS = ("0001112220012", "0112200112201", "012012012012")
LAST = BuildSingle(0, "b3:13")


def test_the_game_ends_at_once_when_the_wall_is_complete():
    """CC-10.1"""
    state = nearly_full(*ROWS)
    told = happens(state, LAST)
    assert kinds(told)[-1] == "GameEnded"
    assert state.agenda == []
    assert GAME.scoring(state).reason == "wall_complete"


def test_the_mongols_come_from_left_to_right_where_a_tile_lies():
    """CC-10.2"""
    state = nearly_full(*ROWS, removed=["b2:M2"])
    attacks = [e for e in happens(state, LAST) if isinstance(e, MongolsInvaded)]
    names = [f"b{b}:M{m}" for b in (1, 2, 3) for m in (1, 2, 3)]
    assert [event.region for event in attacks] == [name for name in names if name != "b2:M2"]
    first = attacks[0]
    assert (first.walls, first.payers) == ((3, 2, 0), (0,))
    lost = sum(event.threat for event in attacks if 0 in event.payers)
    assert GAME.scoring(state).lines[0].breakdown["invasion"] == -lost


def test_ruins_are_no_walls_for_the_mongols():
    """CC-10.2"""
    state = table(
        "b1:1=0x b1:2=0x b1:3=1 b1:4=1 b1:5=0 " + rest(), boards=["b1", "b2", "b3"], hands=[[]] * 3
    )
    attack = next(e for e in happens(state, LAST) if isinstance(e, MongolsInvaded))
    assert (attack.walls, attack.payers) == ((1, 2, 0), (1,))


def rest() -> str:
    signs = {"b1": ROWS[0], "b2": ROWS[1], "b3": ROWS[2]}
    cells = [(b, n, s) for b, row in signs.items() for n, s in enumerate(row, 1)]
    return " ".join(f"{b}:{n}={s}" for b, n, s in cells if b != "b1" or n > 5)


def test_a_tower_shields_its_owner_and_no_other_player_pays_instead():
    """CC-10.3"""
    state = nearly_full(*ROWS, towers=["b1:1"])
    attack = next(e for e in happens(state, LAST) if isinstance(e, MongolsInvaded))
    assert (attack.walls, attack.shielded, attack.payers) == ((3, 2, 0), (0,), ())


def test_a_tower_does_not_shield_those_who_are_tied_nor_in_other_regions():
    """CC-10.3, CC-10.4"""
    state = nearly_full("0011211220012", *ROWS[1:], towers=["b1:1"])
    first, second, *_ = (e for e in happens(state, LAST) if isinstance(e, MongolsInvaded))
    assert (first.walls, first.payers) == ((2, 2, 1), (1,))
    assert second.shielded == ()


def test_all_who_are_tied_pay():
    """CC-10.4"""
    state = nearly_full("0011211220012", *ROWS[1:])
    attack = next(e for e in happens(state, LAST) if isinstance(e, MongolsInvaded))
    assert attack.payers == (0, 1)


def test_scores_may_be_negative():
    """CC-10.5"""
    state = nearly_full(*ROWS)
    happens(state, LAST)
    assert min(line.points for line in GAME.scoring(state).lines) < 0


def test_the_most_points_win():
    """CC-13.1"""
    state = nearly_full(*ROWS, points=[{}, {"regions": 50}, {}])
    event = only(happens(state, LAST), GameEnded)
    assert event.winners == (1,) == state.winners
    assert event.scores == tuple(line.points for line in GAME.scoring(state).lines)


def test_who_is_tied_shares_the_victory():
    """CC-13.2"""
    state = nearly_full(*ROWS)
    happens(state, LAST)
    scores = [line.points for line in GAME.scoring(state).lines]
    gaps = [{"regions": 40 - score} for score in scores]
    state = nearly_full(*ROWS, points=gaps)
    happens(state, LAST)
    assert GAME.scoring(state).winners == (0, 1, 2)
    assert [line.rank for line in GAME.scoring(state).lines] == [1, 1, 1]


def card_scored(event: str, **position: Any) -> EventCardScored:
    rows = position.pop("rows", ROWS)
    return only(happens(nearly_full(*rows, events=[event], **position), LAST), EventCardScored)


def test_event_cards_are_scored_after_the_invasion():
    """CC-12.1"""
    state = nearly_full(*ROWS, events=["imperial_reward", "diplomat"])
    told = [kind for kind in kinds(happens(state, LAST)) if kind != "ThreatSeen"]
    assert told[-4:] == ["MongolsInvaded", "EventCardScored", "EventCardScored", "GameEnded"]


def test_the_diplomat_rewards_walls_in_the_most_regions():
    """CC-12.2"""
    event = card_scored("diplomat")
    most = max(event.counts)
    assert event.points == tuple(4 if count == most else 0 for count in event.counts)
    assert event.counts == (8, 9, 7)


def test_ruins_do_not_count_for_the_diplomat():
    """CC-12.2"""
    position = table(
        "b1:1=0x b1:2=1 b1:3=1 b1:4=1 b1:5=0 " + rest(),
        boards=["b1", "b2", "b3"],
        hands=[[]] * 3,
        events=["diplomat"],
    )
    assert only(happens(position, LAST), EventCardScored).counts[0] == 8


def test_the_hegemon_rewards_the_longest_run_also_across_seams():
    """CC-12.3"""
    rows = ("0001112220011", "1122012012201", "012012012012")
    event = card_scored("hegemon", rows=rows)
    assert (event.counts, event.points) == ((3, 4, 3), (0, 4, 0))


def test_ruins_break_a_run():
    """CC-12.3"""
    state = table(
        "b1:1=0 b1:2=0x b1:3=0 b1:4=1 b1:5=1 " + rest(),
        boards=["b1", "b2", "b3"],
        hands=[[]] * 3,
        events=["hegemon"],
    )
    assert only(happens(state, LAST), EventCardScored).counts[0] == 2


def test_the_imperial_reward_pays_for_cards_in_hand():
    """CC-12.4"""
    event = card_scored("imperial_reward", hands=[[1], [], [2, 3, 6]])
    assert (event.counts, event.points) == ((1, 0, 3), (2, 0, 6))


def test_the_scout_opens_each_threat_beside_a_piece():
    """CC-12.5, CC-9.4"""
    state = table(events=["scout"])
    opened = only(happens(state, BuildSingle(0, "b1:1")), ThreatOpened)
    assert opened.threat == state.threats[0]
    assert GAME.view(state, None).mongol[0].threat == opened.threat
    assert "ThreatOpened" not in kinds(happens(state, BuildSingle(0, "b1:5")))


@pytest.mark.parametrize("event", ["diplomat", "hegemon"])
def test_the_neutral_colour_has_no_part_in_event_cards(event):
    """CC-12.6"""
    cells = [(board, n) for board in ("b1", "b2", "b3") for n in range(1, 14)][:-1]
    words = [f"{board}:{n}={'n' if n < 5 else n % 2}" for board, n in cells]
    state = table(
        " ".join(words), seats=2, boards=["b1", "b2", "b3"], events=[event], hands=[[], []]
    )
    assert len(only(happens(state, LAST), EventCardScored).counts) == 2


def test_nothing_is_possible_after_the_end():
    """CC-10.1"""
    state = nearly_full(*ROWS)
    assert refusal(state, BuildSingle(0, "b3:12")) == ("CC-5.1", "not_empty")
    happens(state, LAST)
    assert GAME.view(state, 1).awaiting == ()


@for_each(
    ("row", "counts", "points"),
    [
        ("0001112220012", (8, 9, 7), (0, 4, 0)),
        ("1100222012021", (9, 9, 7), (4, 4, 0)),
        ("0220121220201", (8, 8, 8), (4, 4, 4)),
    ],
)
def test_all_who_are_tied_for_the_diplomat_get_four_points(row, counts, points):
    """CC-12.2"""
    event = card_scored("diplomat", rows=(row, *ROWS[1:]))
    assert (event.counts, event.points) == (counts, points)


def test_all_who_are_tied_for_the_hegemon_get_the_length_of_the_run():
    """CC-12.3"""
    event = card_scored("hegemon")
    assert event.counts == (3, 3, 3)
    assert event.points == (3, 3, 3)


def test_event_cards_that_do_not_lie_open_are_not_scored():
    """CC-12.1"""
    state = nearly_full(*ROWS, events=["scout"])
    assert "EventCardScored" not in kinds(happens(state, LAST))


@for_each(
    ("events", "order"),
    [
        (["hegemon", "diplomat"], ["diplomat", "hegemon"]),
        (["imperial_reward", "hegemon"], ["hegemon", "imperial_reward"]),
        (["imperial_reward", "diplomat"], ["diplomat", "imperial_reward"]),
    ],
)
def test_event_cards_are_scored_in_their_order_and_not_in_the_order_in_which_they_lie(
    events, order
):
    """CC-12.1"""
    told = happens(nearly_full(*ROWS, events=events), LAST)
    assert [event.card for event in told if isinstance(event, EventCardScored)] == order


def test_the_double_and_the_seam_make_runs_longer():
    """CC-12.3"""
    state = table("b1:11=1 b1:12-13=0 b2:1=0t b2:2=0 b2:3=1 b2:4=0", events=["hegemon"])
    assert [longest_run(state, seat) for seat in range(3)] == [4, 1, 0]
    assert [reach(state, seat) for seat in range(3)] == [3, 2, 0]


def test_a_scout_opens_both_threats_beside_a_double():
    """CC-12.5, CC-9.4"""
    state = table(events=["scout"])
    told = happens(state, BuildDouble(0, ("b1:5", "b1:6")))
    assert [e.region for e in told if isinstance(e, ThreatOpened)] == ["b1:M1", "b1:M2"]
    assert "ThreatSeen" not in kinds(told)
    assert [region.open for region in GAME.view(state, None).mongol[:3]] == [True, True, False]


def test_a_scout_opens_what_a_player_had_looked_at_but_nothing_that_was_removed():
    """CC-12.5, CC-7.4"""
    state = table(events=["scout"], seen={"b1:M1": [1]}, removed=["b2:M1"])
    told = happens(state, BuildSingle(0, "b1:1"), BuildSingle(0, "b2:1"))
    assert [e.region for e in told if isinstance(e, ThreatOpened)] == ["b1:M1"]


def test_the_scores_of_the_end_are_the_sums_of_their_categories():
    """CC-10.2, CC-13.1"""
    state = nearly_full(*ROWS, events=["diplomat", "imperial_reward"], hands=[[1], [], [2, 3]])
    told = happens(state, LAST)
    for line in GAME.scoring(state).lines:
        assert (
            line.points == sum(line.breakdown.values()) == only(told, GameEnded).scores[line.seat]
        )
        attacks = [event for event in told if isinstance(event, MongolsInvaded)]
        lost = sum(event.threat for event in attacks if line.seat in event.payers)
        assert line.breakdown["invasion"] == -lost
    assert [line.breakdown["imperial_reward"] for line in GAME.scoring(state).lines] == [2, 0, 4]


def test_two_may_share_the_victory_and_the_next_player_is_third():
    """CC-13.2"""
    ended = nearly_full(*ROWS)
    happens(ended, LAST)
    scores = [line.points for line in GAME.scoring(ended).lines]
    gaps = [{"regions": wanted - score} for wanted, score in zip((40, 40, 30), scores, strict=True)]
    state = nearly_full(*ROWS, points=gaps)
    assert only(happens(state, LAST), GameEnded).winners == (0, 1)
    assert [line.rank for line in GAME.scoring(state).lines] == [1, 1, 3]
