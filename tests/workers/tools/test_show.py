"""`annals show`: a match of any game, at any version, for any viewer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import Game
from domain.games import GAMES
from domain.match import visibility
from domain.match.decisions import ending, lobby, playing, undo
from domain.match.log import Entry
from domain.match.state import Chair, ClockRule, Match
from service.matches.commands import Metadata, create, execute
from service.matches.container import Annals, open_annals
from service.matches.queries import moves_of
from service.runtime.settings import read_settings
from service.store.event_store import EventStore
from tests.games.modes import Seating, seatings
from tests.games.record import any_move
from workers.tools.check.replay import replay
from workers.tools.check.show import LAST_ENTRIES, show
from workers.tools.check.verify import verify

EVERY = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
TOGETHER = [one for one in seatings(GAMES.values()) if one.together]
PER_MOVE = ClockRule(per_move_s=3600)
NOON = 1_795_348_800_000
ADA, BEN = "u" + "1" * 16, "u" + "2" * 16
NAMES = {ADA: "Ada", BEN: "Ben"}


@pytest.fixture
def service(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Annals:
    monkeypatch.setenv("REDIS_URL", redis_url)
    for player, name in NAMES.items():
        redis_client.hset(f"player:{player}", "name", name)
    return replace(open_annals(read_settings({"REDIS_URL": redis_url})), now=lambda: NOON)


def open_match(service: Annals, game: Game, *chairs: Chair, **terms: Any) -> str:
    plan = lobby.Plan(match="m", host=ADA, chairs=chairs, expires=1 << 45, **terms)
    create(service, plan, game, Metadata(ADA))
    return "m"


def play(service: Annals, game: Game, moves: int, clock: ClockRule | None = None) -> Match:
    """A match between Ada and Ben after this number of random moves."""
    match_id = open_match(service, game, Chair(ADA), Chair(BEN), clock=clock)
    luck = Luck("show")
    for _ in range(moves):
        match = service.matches.latest(match_id)
        move = any_move(game, match.state, luck)
        assert move in moves_of(match, move.seat)
        actor = Metadata(str(match.chairs[move.seat].player))
        execute(service, match_id, actor, lambda m, now, move=move: playing.move(m, move, now))
    return service.matches.latest(match_id)


def run(*words: str) -> Result:
    return CliRunner().invoke(show, words)


def show_lines(*words: str) -> str:
    said = run(*words)
    assert said.exit_code == 0, said.output
    return said.output


@EVERY
def test_the_header_has_the_match_and_its_status(service: Annals, game: Game) -> None:
    match = play(service, game, 2)
    head, terms, *_ = show_lines("m").splitlines()
    assert head.startswith(f"{game.title}, match m: active, version {match.version}, ")
    assert head.endswith(", 2026-11-22T12:00:00.000Z")
    assert terms == "public, undo consent, no clock, seen by a spectator"


@EVERY
def test_each_seat_is_listed_with_its_decision(service: Annals, game: Game) -> None:
    match = play(service, game, 2)
    step = type(match.state.agenda[-1]).__name__
    seats = [line for line in show_lines("m").splitlines() if line.startswith("seat ")]
    assert [line.split(" - ")[0] for line in seats] == ["seat 0  Ada", "seat 1  Ben"]
    deciding = [seat for seat, line in enumerate(seats) if f"to decide: {step}" in line]
    assert deciding == sorted(match.seats_to_move)


@EVERY
def test_the_latest_events_are_sentences(service: Annals, game: Game) -> None:
    match = play(service, game, 6)
    last = show_lines("m").split("Latest entries:\n")[1].splitlines()
    versions = [int(line.split()[0]) for line in last if not line.startswith(" " * 10)]
    assert versions == list(range(match.version - LAST_ENTRIES + 1, match.version + 1))
    assert any("Ada: Moved" in line or "Ben: Moved" in line for line in last)
    then = show_lines("m", "--version", "2").split("Latest entries:\n")[1].splitlines()
    assert [int(line.split()[0]) for line in then if not line.startswith(" " * 10)] == [1, 2]


def test_entries_undone_by_then_are_marked(service: Annals) -> None:
    before = play(service, GAMES["qin"], 3).version
    execute(service, "m", Metadata(ADA), lambda m, now: undo.undo(m, ADA, before - 1, now))
    execute(service, "m", Metadata(BEN), lambda m, now: undo.answer(m, BEN, True, now))
    moves = [line for line in show_lines("m").splitlines() if ": " in line and "Moved" in line]
    assert [" undone Moved " in line for line in moves] == [False] * (len(moves) - 1) + [True]
    assert " undone " not in show_lines("m", "--version", str(before))


def test_only_the_latest_entries_of_a_long_match_are_read(
    service: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = play(service, GAMES["qin"], 20)
    reads: list[int] = []
    read = EventStore.read

    def count_reads(
        store: EventStore, match_id: str, after: int = 0, *more: int, **named: int
    ) -> list[Entry]:
        reads.append(after)
        return read(store, match_id, after, *more, **named)

    monkeypatch.setattr(EventStore, "read", count_reads)
    show_lines("m")
    assert reads == [0, match.version - LAST_ENTRIES]


@EVERY
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_the_board_depends_on_version_and_viewer(service: Annals, game, seat) -> None:
    then = play(service, game, 4).copy()
    play_more(service, game)
    words = [] if seat is None else ["--as", str(seat)]
    said = show_lines("m", "--version", str(then.version), "--board", *words)
    assert f"version {then.version} of {then.version + 2}," in said
    assert said.endswith(f"\n\n{game.render_text(visibility.view(then, seat), game.words())}\n")
    assert said.count("\n   ") >= 1


def play_more(service: Annals, game: Game) -> None:
    luck = Luck("on")
    for _ in range(2):
        match = service.matches.latest("m")
        move = any_move(game, match.state, luck)
        execute(service, "m", Metadata("system"), lambda m, now, x=move: playing.move(m, x, now))


def test_a_player_has_a_name_or_an_id(service: Annals) -> None:
    play(service, GAMES["qin"], 2)
    assert (
        show_lines("m", "--as", "ben")
        == show_lines("m", "--as", "1")
        == show_lines("m", "--as", BEN)
    )
    assert "seen by seat 1 (Ben)" in show_lines("m", "--as", "Ben")


def test_hidden_information_stays_hidden(service: Annals) -> None:
    match = play(service, GAMES["qin"], 0)
    told = show_lines("m", "--as", "0").splitlines()
    [dealt] = [line for line in told if "Ada draws starting tiles: " in line]
    for viewer in ([], ["--as", "1"]):
        assert dealt not in show_lines("m", *viewer)
        assert "Ada draws 3 starting tiles." in show_lines("m", *viewer)
    assert match.seed.hex() not in show_lines("m", "--board")


def test_clocks_bots_and_free_seats(service: Annals) -> None:
    chairs = (Chair(ADA), Chair(bot="wu_qi"), Chair(invited="Cid"), Chair())
    open_match(service, GAMES["qin"], *chairs, clock=ClockRule(bank_s=600, increment_s=5))
    said = show_lines("m")
    assert "600 s plus 5 s per move" in said
    for line in ("seat 1  bot wu_qi", "seat 2  invited: Cid", "seat 3  free"):
        assert line in said.splitlines()


def test_the_remaining_time_is_shown(service: Annals) -> None:
    play(service, GAMES["qin"], 1, PER_MOVE)
    assert "3600 s per decision" in show_lines("m")
    assert show_lines("m").count("3600.0 s left") == 2
    assert show_lines("m").count(" until 2026-11-22T13:00:00.000Z\n") == 1


def test_a_bot_that_plays_for_a_player_is_shown(service: Annals) -> None:
    match = play(service, GAMES["qin"], 1, PER_MOVE)
    [late] = match.seats_to_move
    later = replace(service, now=lambda: NOON + 3_600_000)
    execute(later, "m", Metadata(), playing.time_out)
    name = list(NAMES.values())[late]
    assert f"seat {late}  {name}, played by bot " in show_lines("m")


def test_places_and_points_are_shown_at_the_end(service: Annals) -> None:
    play(service, GAMES["qin"], 3)
    execute(service, "m", Metadata(BEN), lambda m, now: playing.resign(m, BEN, now))
    execute(service, "m", Metadata(), lambda m, now: ending.score(m))
    seats = [line for line in show_lines("m").splitlines() if line.startswith("seat ")]
    assert "place 1 with" in seats[0]
    assert "resigned - place 2 with" in seats[1]


@pytest.mark.parametrize("one", TOGETHER, ids=str)
def test_a_lost_cooperative_match_has_no_places(service: Annals, one: Seating) -> None:
    options = json_codec.read_options(one.game, one.options)
    players = [ADA, BEN, *(f"u{number:016}" for number in range(2, one.seats))]
    open_match(service, one.game, *map(Chair, players[: one.seats]), options=options)
    for player in players[: one.seats]:
        actor = Metadata(player)
        execute(service, "m", actor, lambda m, now, player=player: playing.resign(m, player, now))
    execute(service, "m", Metadata(), lambda m, now: ending.score(m))
    _, _, outcome, *lines = show_lines("m").splitlines()
    assert outcome.startswith("Game lost: ")
    seats = [line for line in lines if line.startswith("seat ")]
    assert all(" points" in seat and "place" not in seat for seat in seats)
    assert len(seats) == one.seats


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["n"], "There is no such match."),
        (["m", "--version", "99"], "The match has only "),
        (["m", "--version", "0"], "There is no version 0 of this match."),
        (["m", "--as", "2"], "The seats of this table are 0 to 1."),
        (["m", "--as", "Zoe"], "No player at this table has the name Zoe. Players: Ada, Ben."),
    ],
)
def test_an_unknown_match_or_version_is_one_sentence(service: Annals, words, reason) -> None:
    play(service, GAMES["qin"], 1)
    said = run(*words)
    assert said.exit_code == 1
    assert said.output.startswith(f"Error: {reason}")


def test_before_the_start_there_is_no_board(service: Annals) -> None:
    open_match(service, GAMES["qin"], Chair(ADA), Chair())
    assert "open, version 1" in show_lines("m")
    assert run("m", "--board").output == "Error: There is no board before the match starts.\n"


@pytest.mark.parametrize("words", ["\udcff", "x" * 300, "Not An Id", "../m", "m\0"])
def test_an_invalid_id_is_one_sentence(service: Annals, words: str) -> None:
    for command, code in ((show, 1), (verify, 64), (replay, 1)):
        result = CliRunner().invoke(command, [words])
        assert result.exit_code == code
        assert result.output.startswith("Error: This is not a match id")


def test_a_seat_of_thousands_of_digits_is_one_sentence(service: Annals) -> None:
    play(service, GAMES["qin"], 1)
    assert run("m", "--as", "9" * 5_000).output.startswith("Error: The seats of this table are 0")
