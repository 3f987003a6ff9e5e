from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.drawing.charts.chart import format_figure, format_number
from service.drawing.charts.scale import make_scale
from service.drawing.charts.text_metrics import text_width, truncate, truncate_middle, wrap

numbers = st.floats(-1e12, 1e12, allow_nan=False)


@given(numbers, numbers, st.integers(2, 10))
def test_a_scale_has_room_for_what_it_shows_and_few_ticks(one, other, about):
    low, high = min(one, other), max(one, other)
    made = make_scale(low, high, 100, 500, about)
    slack = (made.ticks[-1] - made.ticks[0]) * 1e-6
    assert made.ticks[0] - slack <= low <= high <= made.ticks[-1] + slack
    assert list(made.ticks) == sorted(set(made.ticks))
    assert 2 <= len(made.ticks) <= about + 3
    assert made.pixel(made.ticks[0]) == 100
    assert made.pixel(made.ticks[-1]) == pytest.approx(500)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0, 1.2, ["0.00", "0.25", "0.50", "0.75", "1.00", "1.25"]),
        (-3, 9, ["\u22125.0", "\u22122.5", "0.0", "2.5", "5.0", "7.5", "10.0"]),
        (0, 4000, ["0", "1,000", "2,000", "3,000", "4,000"]),
        (7, 7, ["6.0", "6.5", "7.0", "7.5", "8.0"]),
        (0, 0, ["\u22121.0", "\u22120.5", "0.0", "0.5", "1.0"]),
        (0, 5e-324, ["\u22121.0", "\u22120.5", "0.0", "0.5", "1.0"]),
        (-1e-310, -1e-310, ["\u22121.0", "\u22120.5", "0.0", "0.5", "1.0"]),
    ],
)
def test_ticks_are_at_nice_numbers(low, high, ticks):
    assert [said for _, said in make_scale(low, high, 0, 1).labels()] == ticks


@pytest.mark.parametrize(
    ("high", "ticks"),
    [
        (1, ["0", "1"]),
        (2, ["0", "1", "2"]),
        (9, ["0", "2", "4", "6", "8", "10"]),
        (11, ["0", "5", "10", "15"]),
    ],
)
def test_ticks_of_counts_are_whole(high, ticks):
    assert [said for _, said in make_scale(0, high, 0, 1, whole=True).labels()] == ticks


@given(numbers, numbers)
def test_no_two_ticks_are_written_alike(one, other):
    made = make_scale(min(one, other), max(one, other), 0, 1)
    if made.ticks[-1] - made.ticks[0] > 1e-9:
        said = [words for _, words in made.labels()]
        assert len(set(said)) == len(said)


@pytest.mark.parametrize(
    ("value", "said"),
    [(1234.5, "1,234"), (45.67, "45.7"), (1, "1"), (0.5, "0.5"), (0.12345, "0.123"),
     (-2, "\u22122"), (0, "0"), (-0.0001, "0"), (100, "100"), (99.96, "100")],
)  # fmt: skip
def test_numbers_are_short(value, said):
    assert format_figure(value) == said


def test_nothing_is_less_than_nothing():
    assert format_number(-0.001, 2) == "0.00"


@pytest.mark.slow
@given(st.text(max_size=80), st.integers(30, 300))
def test_words_that_are_cut_have_room(words, room):
    assert text_width(truncate(words, 12, room), 12) <= room
    assert text_width(truncate_middle(words, 12, room), 12) <= room
    assert len(lines := wrap(words, 12, room, 2)) <= 2
    assert all(text_width(line, 12) <= room for line in lines)


def test_words_are_only_cut_if_they_must_be():
    assert truncate("seat 1", 12, 60) == truncate_middle("seat 1", 12, 60) == "seat 1"
    assert wrap("one two three", 12, 60, 2) == ["one two", "three"]
    assert wrap("\u957f\u57ce\u5b8c\u5de5\u3002Ada won", 12, 50, 3) == [
        "\u957f\u57ce\u5b8c",
        "\u5de5\u3002Ada",
        "won",
    ]
    assert truncate_middle("leader at f4, then a tile at g7", 12, 100).endswith("g7")
