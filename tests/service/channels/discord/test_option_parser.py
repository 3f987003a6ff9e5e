"""Parsing and completing typed options and clocks of any game."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.options import has_effect
from domain.games import GAMES
from domain.match.errors import InvalidCommand
from domain.match.state import ClockRule
from service.channels.discord.moves.option_parser import (
    CLOCKS,
    parse_clock,
    parse_options,
    suggest_clocks,
    suggest_options,
)
from tests.discord.people import text
from tests.service.channels.discord.conftest import DiscordHarness, Guest

QIN = GAMES["qin"]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_suggested_options_are_valid(game: Any) -> None:
    starts = [f"mode={mode} " for mode in game.seats_by_mode] or [""]
    offered = [value for start in starts for _, value in suggest_options(game, start)]
    named = {part.partition("=")[0] for one in offered for part in one.split()}
    assert named == set(game.options.__struct_fields__)
    for one in offered:
        assert parse_options(game, one)
        if "+" not in one:
            longer = [value for _, value in suggest_options(game, f"{one}+")]
            assert all(value.startswith(f"{one}+") for value in longer)


@pytest.mark.parametrize(
    ("game", "typed", "read"),
    [
        ("qin", "", {}),
        ("qin", "board=lion", {"board": "lion"}),
        ("qin", "series=bird+lion  colours=white+green",
         {"series": ["bird", "lion"], "colours": ["white", "green"]}),
        ("qin", "series=off", {"series": "off"}),
        ("qin", "first_player=seat:1", {"first_player": "seat:1"}),
        ("great_wall", "open_resources=yes", {"open_resources": True}),
        ("great_wall", "mode=solo solo_initial_hordes=4",
         {"mode": "solo", "solo_initial_hordes": 4}),
        ("hansa_teutonica", "marker_mix=2009", {"marker_mix": "2009"}),
    ],
)  # fmt: skip
def test_options_are_parsed(game: str, typed: str, read: Any) -> None:
    assert parse_options(GAMES[game], typed) == read
    json_codec.read_options(GAMES[game], read)


@pytest.mark.parametrize(
    ("typed", "received"),
    [
        ("bord=lion", "Qin has no option bord. Its options: board, first_player"),
        ("board=tiger", "board must be one of: bird, lion."),
        ("colours=red", "colours must be one of: black, green, purple, white; join several"),
        ("first_player=me", "first_player must be one of: `random`, or a seat such as `seat:0`"),
        ("lion", "Qin has no option lion."),
    ],
)
def test_invalid_options_list_the_valid_ones(typed: str, received: str) -> None:
    with pytest.raises(InvalidCommand) as refused:
        parse_options(QIN, typed)
    assert received in refused.value.reason


@pytest.mark.parametrize(
    "game", [one for one in GAMES.values() if one.seats_by_mode], ids=attrgetter("key")
)
def test_options_of_another_mode_are_not_suggested(game: Any) -> None:
    usual = game.options().mode
    for start, mode in [("", usual), *((f"mode={mode} ", mode) for mode in game.seats_by_mode)]:
        offered = {value.split()[-1].partition("=")[0] for _, value in suggest_options(game, start)}
        for name in game.options.__struct_fields__:
            if name != "mode" or not start:
                assert (name in offered) == has_effect(game.options, name, mode), (start, name)


def test_options_are_suggested_one_after_another() -> None:
    assert [one for _, one in suggest_options(QIN, "board=l")] == ["board=lion"]
    after = [one for _, one in suggest_options(QIN, "board=lion col")]
    assert "board=lion colours=white" in after
    assert all("board=" not in one.partition(" ")[2] for one in after)
    more = [one for _, one in suggest_options(QIN, "colours=white+g")]
    assert more == ["colours=white+green"]
    named = [one for _, one in suggest_options(QIN, "first_player=seat:1")]
    assert named == ["first_player=seat:1"]


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("", None),
        ("1d", ClockRule(per_move_s=86_400)),
        ("10m + 10s", ClockRule(bank_s=600, increment_s=10)),
        ("90S", ClockRule(per_move_s=90)),
    ],
)
def test_clocks_are_parsed(typed: str, rule: ClockRule | None) -> None:
    assert parse_clock(typed) == rule


@pytest.mark.parametrize("typed", ["1", "0s", "31d", "1h+2d", "soon", "1h+", "-1h"])
def test_an_invalid_clock_explains_the_format(typed: str) -> None:
    with pytest.raises(InvalidCommand) as refused:
        parse_clock(typed)
    assert "as `1h+30s`" in refused.value.reason


def test_clocks_are_suggested_by_description() -> None:
    assert [value for _, value in suggest_clocks("day")] == ["1d", "3d", "7d+6h"]
    assert all(parse_clock(one) for one in CLOCKS)


def test_a_table_has_the_typed_options_and_clock(harness: DiscordHarness, ada: Guest) -> None:
    [option] = ada.types("new", "options", game="qin", options="board=l")
    [day] = ada.types("new", "clock", game="qin", clock="a day")
    table = ada.says("new", game="qin", options=option["value"], clock=day["value"])
    match = harness.annals.matches.latest(text(table).split("`")[1])
    assert match.options["board"] == "lion"
    assert match.clock_rule == ClockRule(per_move_s=86_400)
    refused = ada.says("new", game="qin", options="board=tiger")
    assert refused["only"] == ada.id
    assert "bird, lion" in text(refused)
