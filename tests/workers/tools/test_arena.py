"""The arena: pairings, results and their summary."""

from __future__ import annotations

import json

import click
import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from domain.engine.scoring import ScoreLine, Scoring
from domain.games import GAMES
from workers.tools.bots.arena import (
    Contest,
    Outcome,
    arena,
    competitor_shares,
    find_level,
    play_match,
    read_options,
    summarize,
)
from workers.tools.bots.sample_file import load_samples, store_samples

QIN = GAMES["qin"]
EASY = Contest("qin", ("li_mu", "li_mu"), {}, seed=1)


@pytest.mark.parametrize("name", ["wu_qi", "Wise", "WISE", " wu qi "])
def test_a_level_has_a_key_a_label_and_a_name(name):
    assert find_level(QIN, name).key == "wu_qi"


def test_an_unknown_level_is_refused_with_the_valid_ones():
    with pytest.raises(click.BadParameter, match=r"li_mu \(Easy\), sun_bin \(Crafty\)"):
        find_level(QIN, "genius")


def test_options_are_json_or_text():
    given = ("board=lion", "colours=[]", "first_player=seat:1")
    options = {"board": "lion", "colours": [], "first_player": "seat:1"}
    assert read_options(QIN, given, seats=2) == options


@pytest.mark.parametrize(("given", "seats"), [(("board=tiger",), 2), (("moon=full",), 2), ((), 5)])
def test_unknown_options_are_refused(given, seats):
    with pytest.raises(click.BadParameter):
        read_options(QIN, given, seats)


def test_a_match_is_reproducible():
    one, again = play_match(EASY, 0), play_match(EASY, 0)
    assert one.shares == again.shares
    assert [len(times) for times in one.milliseconds] == [len(t) for t in again.milliseconds]
    assert sum(one.shares) == 1


def test_each_deal_comes_once_with_each_seating():
    """A competitor who begins has as many moves as the other, or one more."""
    contest = Contest("qin", ("wu_qi", "wu_qi"), {"first_player": "seat:0"}, seed=1)
    first, second = (play_match(contest, number) for number in (0, 1))
    assert len(first.milliseconds[0]) - len(first.milliseconds[1]) in (0, 1)
    assert len(second.milliseconds[1]) - len(second.milliseconds[0]) in (0, 1)


def test_a_shared_victory_counts_in_equal_parts():
    outcomes = [
        Outcome("", 0, (1.0, 0.0), ((1.0,), (2.0,)), "tiles"),
        Outcome("", 1, (0.5, 0.5), ((3.0,), (4.0, 9.0)), "tiles"),
    ]
    result = summarize(Contest("qin", ("wu_qi", "sun_bin"), {}, seed=1), outcomes)
    assert [line["wins"] for line in result["competitors"]] == [1.5, 0.5]
    assert [line["rate"] for line in result["competitors"]] == [0.75, 0.25]
    assert [line["ms_mean"] for line in result["competitors"]] == [2.0, 5.0]
    assert result["moves_per_match"] == 2.5
    assert result["ends"] == {"tiles": 2}


LINES = tuple(ScoreLine(seat, rank, 0, {}) for seat, rank in ((0, 1), (1, 2), (2, 1)))


@pytest.mark.parametrize(
    ("scoring", "shares"),
    [
        (Scoring("time", LINES), (0.5, 0.5, 0.0)),
        (Scoring("time", tuple(replace(line, rank=1) for line in LINES), won=True), (1.0,) * 3),
        (Scoring("time", tuple(replace(line, rank=1) for line in LINES), won=False), (0.0,) * 3),
    ],
    ids=["against each other", "won together", "lost together"],
)
def test_a_cooperative_table_wins_or_loses_as_one(scoring, shares):
    """By competitor: here the first is at seat 2, and the last at seat 1."""
    assert competitor_shares(scoring, seated=(1, 2, 0)) == shares


def test_the_number_of_seats_depends_on_the_mode():
    wall = GAMES["great_wall"]
    assert read_options(wall, ("mode=solo",), 1) == {"mode": "solo"}
    for given, seats in ((("mode=solo",), 2), (("mode=coop",), 1), ((), 1)):
        with pytest.raises(click.BadParameter):
            read_options(wall, given, seats)


def test_the_command_prints_a_table_and_writes_the_result(tmp_path):
    out = tmp_path / "result.json"
    words = ["qin", "--seats", "easy,crafty", "--matches", "2", "--processes", "1"]
    said = CliRunner().invoke(arena, [*words, "--options", "board=lion", "--json", str(out)])
    assert said.exit_code == 0, said.output
    assert "Sun Bin" in said.output
    result = json.loads(out.read_text())
    assert result["options"] == {"board": "lion"}
    assert sum(line["wins"] for line in result["competitors"]) == 2
    assert all(line["low"] <= line["rate"] <= line["high"] for line in result["competitors"])


def test_the_command_plays_only_the_matches_that_are_missing(tmp_path):
    kept, out = tmp_path / "samples", tmp_path / "result.json"
    words = ["qin", "--seats", "easy,easy", "--samples", str(kept), "--json", str(out)]
    for number in (1, 0):
        played = replace(play_match(EASY, number), reason=f"match {number}")
        assert list(store_samples(kept, [played])) == [played]
    with kept.open("ab") as file:
        file.write(kept.read_bytes()[:9])  # a killed command has not finished its line
    for more, ends in (
        (("--matches", "2"), {"match 0": 1, "match 1": 1}),
        (("--matches", "1"), {"match 0": 1}),
        (("--matches", "3"), {"match 0": 1, "match 1": 1, "last_pagoda": 1}),
    ):
        said = CliRunner().invoke(arena, [*words, *more, "--processes", "1"])
        assert said.exit_code == 0, said.output
        assert json.loads(out.read_text())["ends"] == ends
    decoder, other = msgspec.json.Decoder(Outcome), Contest("qin", EASY.levels, {}, seed=2)
    assert load_samples(kept, decoder, other.name) == []
    assert len(load_samples(kept, decoder, EASY.name)) == 3


def test_the_command_refuses_invalid_options():
    said = CliRunner().invoke(arena, ["qin", "--seats", "easy"])
    assert said.exit_code == 2
    assert "not for 1 players" in said.output
