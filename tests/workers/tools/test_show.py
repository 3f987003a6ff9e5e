"""`annals show`: a match of any game, at any version, as anybody may see it."""

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
from service.matches.commands import Metadata, carry_out, create
from service.matches.container import Annals, open_annals
from service.matches.queries import moves_of
from service.runtime.settings import read_settings
from service.store.event_store import Store
from tests.games.modes import Seating, seatings
from tests.games.record import any_move
from workers.tools.check.replay import replay
from workers.tools.check.show import LAST, show
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


def opened(service: Annals, game: Game, *chairs: Chair, **terms: Any) -> str:
    plan = lobby.Plan(match="m", host=ADA, chairs=chairs, expires=1 << 45, **terms)
    create(service, plan, game, Metadata(ADA))
    return "m"


def played(service: Annals, game: Game, moves: int, clock: ClockRule | None = None) -> Match:
    """A match between Ada and Ben after this many moves by chance."""
    match_id = opened(service, game, Chair(ADA), Chair(BEN), clock=clock)
    luck = Luck("show")
    for _ in range(moves):
        match = service.matches.latest(match_id)
        move = any_move(game, match.state, luck)
        assert move in moves_of(match, move.seat)
        actor = Metadata(str(match.chairs[move.seat].player))
        carry_out(service, match_id, actor, lambda m, now, move=move: playing.move(m, move, now))
    return service.matches.latest(match_id)


def asked(*words: str) -> Result:
    return CliRunner().invoke(show, words)


def shown(*words: str) -> str:
    said = asked(*words)
    assert said.exit_code == 0, said.output
    return said.output


@EVERY
def test_the_head_says_which_match_it_is_and_how_it_stands(service: Annals, game: Game) -> None:
    match = played(service, game, 6)
    head, terms, *_ = shown("m").splitlines()
    assert head.startswith(f"{game.title}, match m: active, version {match.version}, ")
    assert head.endswith(", 2026-11-22T12:00:00.000Z")
    assert terms == "public, undo consent, no clock, seen by a spectator"


@EVERY
def test_each_seat_is_told_and_who_has_to_decide(service: Annals, game: Game) -> None:
    match = played(service, game, 6)
    step = type(match.state.agenda[-1]).__name__
    seats = [line for line in shown("m").splitlines() if line.startswith("seat ")]
    assert [line.split(" - ")[0] for line in seats] == ["seat 0  Ada", "seat 1  Ben"]
    deciding = [seat for seat, line in enumerate(seats) if f"has to decide: {step}" in line]
    assert deciding == sorted(match.awaited)


@EVERY
def test_the_last_events_are_told_in_words(service: Annals, game: Game) -> None:
    match = played(service, game, 6)
    last = shown("m").split("Last:\n")[1].splitlines()
    versions = [int(line.split()[0]) for line in last if not line.startswith(" " * 10)]
    assert versions == list(range(match.version - LAST + 1, match.version + 1))
    assert any("Ada: Moved" in line or "Ben: Moved" in line for line in last)
    then = shown("m", "--version", "2").split("Last:\n")[1].splitlines()
    assert [int(line.split()[0]) for line in then if not line.startswith(" " * 10)] == [1, 2]


def test_what_was_undone_is_marked_if_it_was_undone_by_then(service: Annals) -> None:
    before = played(service, GAMES["qin"], 3).version
    carry_out(service, "m", Metadata(ADA), lambda m, now: undo.undo(m, ADA, before - 1, now))
    carry_out(service, "m", Metadata(BEN), lambda m, now: undo.answer(m, BEN, True, now))
    moves = [line for line in shown("m").splitlines() if ": " in line and "Moved" in line]
    assert [" undone Moved " in line for line in moves] == [False] * (len(moves) - 1) + [True]
    assert " undone " not in shown("m", "--version", str(before))


def test_a_long_match_is_not_read_again_to_tell_its_last_entries(
    service: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played(service, GAMES["qin"], 20)
    reads: list[int] = []
    read = Store.read

    def noted(store: Store, match_id: str, after: int = 0, *more: int, **named: int) -> list[Entry]:
        reads.append(after)
        return read(store, match_id, after, *more, **named)

    monkeypatch.setattr(Store, "read", noted)
    shown("m")
    assert reads == [0, match.version - LAST]


@EVERY
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_the_board_is_that_of_the_version_and_the_viewer(service: Annals, game, seat) -> None:
    then = played(service, game, 4).fork()
    played_on(service, game)
    words = [] if seat is None else ["--as", str(seat)]
    said = shown("m", "--version", str(then.version), "--board", *words)
    assert f"version {then.version} of {then.version + 2}," in said
    assert said.endswith(f"\n\n{game.text(visibility.view(then, seat))}\n")
    assert said.count("\n   ") >= 1


def played_on(service: Annals, game: Game) -> None:
    luck = Luck("on")
    for _ in range(2):
        match = service.matches.latest("m")
        move = any_move(game, match.state, luck)
        carry_out(service, "m", Metadata("system"), lambda m, now, x=move: playing.move(m, x, now))


def test_a_player_is_known_by_name_or_id(service: Annals) -> None:
    played(service, GAMES["qin"], 2)
    assert shown("m", "--as", "ben") == shown("m", "--as", "1") == shown("m", "--as", BEN)
    assert "seen by seat 1 (Ben)" in shown("m", "--as", "Ben")


def test_what_is_hidden_from_a_viewer_stays_hidden(service: Annals) -> None:
    match = played(service, GAMES["qin"], 0)
    told = shown("m", "--as", "0").splitlines()
    [dealt] = [line for line in told if "Ada draws the first tiles: " in line]
    for viewer in ([], ["--as", "1"]):
        assert dealt not in shown("m", *viewer)
        assert "Ada draws the first tiles." in shown("m", *viewer)
    assert match.seed.hex() not in shown("m", "--board")


def test_clocks_bots_and_free_seats(service: Annals) -> None:
    chairs = (Chair(ADA), Chair(bot="wu_qi"), Chair(invited="Cid"), Chair())
    opened(service, GAMES["qin"], *chairs, clock=ClockRule(bank_s=600, increment_s=5))
    said = shown("m")
    assert "600 s and 5 s more for each move" in said
    for line in ("seat 1  bot wu_qi", "seat 2  invited: Cid", "seat 3  free"):
        assert line in said.splitlines()


def test_time_left_is_told(service: Annals) -> None:
    played(service, GAMES["qin"], 1, PER_MOVE)
    assert "3600 s for each decision" in shown("m")
    assert shown("m").count("3600.0 s left") == 2
    assert shown("m").count(" until 2026-11-22T13:00:00.000Z\n") == 1


def test_a_bot_that_plays_for_somebody_is_told(service: Annals) -> None:
    match = played(service, GAMES["qin"], 1, PER_MOVE)
    [late] = match.awaited
    later = replace(service, now=lambda: NOON + 3_600_000)
    carry_out(later, "m", Metadata(), playing.time_out)
    name = list(NAMES.values())[late]
    assert f"seat {late}  {name}, played by bot " in shown("m")


def test_at_the_end_places_and_points_are_told(service: Annals) -> None:
    played(service, GAMES["qin"], 3)
    carry_out(service, "m", Metadata(BEN), lambda m, now: playing.resign(m, BEN, now))
    carry_out(service, "m", Metadata(), lambda m, now: ending.score(m))
    seats = [line for line in shown("m").splitlines() if line.startswith("seat ")]
    assert "place 1 with" in seats[0]
    assert "resigned - place 2 with" in seats[1]


@pytest.mark.parametrize("one", TOGETHER, ids=str)
def test_who_have_lost_together_have_no_places_and_are_told_so(
    service: Annals, one: Seating
) -> None:
    options = json_codec.read_options(one.game, one.options)
    players = [ADA, BEN, *(f"u{number:016}" for number in range(2, one.seats))]
    opened(service, one.game, *map(Chair, players[: one.seats]), options=options)
    for player in players[: one.seats]:
        actor = Metadata(player)
        carry_out(service, "m", actor, lambda m, now, player=player: playing.resign(m, player, now))
    carry_out(service, "m", Metadata(), lambda m, now: ending.score(m))
    _, _, outcome, *lines = shown("m").splitlines()
    assert outcome.startswith("The game is lost: ")
    seats = [line for line in lines if line.startswith("seat ")]
    assert all(" points" in seat and "place" not in seat for seat in seats)
    assert len(seats) == one.seats


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["n"], "There is no such match."),
        (["m", "--version", "99"], "The match has only come to version "),
        (["m", "--version", "0"], "There is no version 0 of this match."),
        (["m", "--as", "2"], "The table has the seats 0 to 1."),
        (["m", "--as", "Zoe"], "Nobody at this table is called Zoe. Players: Ada, Ben."),
    ],
)
def test_what_is_not_there_is_one_sentence(service: Annals, words, reason) -> None:
    played(service, GAMES["qin"], 1)
    said = asked(*words)
    assert said.exit_code == 1
    assert said.output.startswith(f"Error: {reason}")


def test_before_the_start_there_is_no_board(service: Annals) -> None:
    opened(service, GAMES["qin"], Chair(ADA), Chair())
    assert "open, version 1" in shown("m")
    assert asked("m", "--board").output == "Error: There is no board before the match begins.\n"


@pytest.mark.parametrize("words", ["\udcff", "x" * 300, "Not An Id", "../m", "m\0"])
def test_what_could_be_no_id_is_one_sentence(service: Annals, words: str) -> None:
    for command in (show, verify, replay):
        result = CliRunner().invoke(command, [words])
        assert result.exit_code == 1
        assert result.output.startswith("Error: There is no such match")


def test_a_seat_of_thousands_of_digits_is_one_sentence(service: Annals) -> None:
    played(service, GAMES["qin"], 1)
    assert asked("m", "--as", "9" * 5_000).output.startswith("Error: The table has the seats 0")
