"""`annals replay` and `annals verify`: entries in words, and every forged entry is found."""

from __future__ import annotations

import json
import os
import pty
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from click.testing import CliRunner
from flask import Flask
from msgspec.structs import replace
from redis import Redis

from domain.engine.codecs.binary_codec import pack
from domain.engine.dice import Luck, choose
from domain.games.qin import GAME as QIN
from domain.games.qin.events import TileDrawn, TilesDealt
from domain.match.decisions import ending, forks, lobby, playing, undo
from domain.match.events import Scored
from domain.match.log import Entry, read_events
from domain.match.state import Chair
from service.matches.commands import Metadata, create, execute
from service.matches.container import Annals, open_annals
from service.matches.queries import moves_of
from service.matches.seeds import SEEDS_KEY
from service.runtime.settings import read_settings
from tests.support.warm_start import start_command
from workers.tools.check.replay import replay
from workers.tools.check.verify import find_match_faults, verify

ADA, BEN = "u" + "1" * 16, "u" + "2" * 16


@pytest.fixture
def service(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Annals:
    monkeypatch.setenv("REDIS_URL", redis_url)
    for player, name in ((ADA, "Ada"), (BEN, "Ben")):
        redis_client.hset(f"player:{player}", mapping={"name": name, "at": 1})
    return open_annals(read_settings({"REDIS_URL": redis_url}))


def play(service: Annals, moves: int = 400) -> str:
    """A match with an undo and a redo, continued with random moves."""
    service.store.redis.set(SEEDS_KEY, b"one")
    chairs = (Chair(player=ADA), Chair(player=BEN))
    plan = lobby.Plan(match="m", host=ADA, chairs=chairs, undo="free", expires=1 << 45)
    create(service, plan, QIN, Metadata(ADA))
    luck = Luck("audit")
    place(service, luck)
    place(service, luck)
    execute(service, "m", Metadata(ADA), lambda m, now: undo.undo(m, ADA, 1, now))
    execute(service, "m", Metadata(ADA), lambda m, now: undo.redo(m, ADA, now))
    execute(service, "m", Metadata(ADA), lambda m, now: undo.undo(m, ADA, 2, now))
    for _ in range(moves):
        if service.matches.latest("m").over:
            execute(service, "m", Metadata(), lambda m, now: ending.score(m))
            break
        place(service, luck)
    return "m"


def place(service: Annals, luck: Luck, match_id: str = "m") -> None:
    match = service.matches.latest(match_id)
    seat = match.seats_to_move[0]
    move = choose(luck, moves_of(match, seat))
    actor = Metadata(str(match.chairs[seat].player))
    execute(service, match_id, actor, lambda match, now: playing.move(match, move, now))


def replay_of(*words: str) -> list[str]:
    said = CliRunner().invoke(replay, words)
    assert said.exit_code == 0, said.output
    return said.output.splitlines()


def headers(lines: list[str]) -> list[str]:
    """The first lines of entries."""
    return [line for line in lines if not line.startswith("     ")]


def test_a_replay_lists_entries_and_marks_undone_ones(service: Annals) -> None:
    lines = [line for line in replay_of(play(service, 2)) if not line.startswith("     ")]
    kinds = [line.split(": ", 1)[1].split(" PlaceTile")[0] for line in lines]
    assert kinds == [
        "Created", "Moved", "undone Moved", "Undone", "Redone", "Undone", "Moved", "Moved"
    ]  # fmt: skip
    assert {line.split(": ")[0].split()[-1] for line in lines} == {"Ada", "Ben"}
    assert all("T" in line.split()[1] and line.split()[1].endswith("Z") for line in lines)


def test_a_replay_hides_hands_before_the_end(service: Annals) -> None:
    match_id = play(service, 2)
    hidden, shown = "draws 3 starting tiles.", "draws starting tiles: "
    assert not [line for line in replay_of(match_id) if shown in line]
    [own] = [line for line in replay_of(match_id, "--as", "1") if shown in line]
    assert own.strip().startswith("Ben ")
    assert not [line for line in replay_of(match_id, "--reveal") if hidden in line]


def test_a_replay_reads_a_file_of_events(service: Annals, tmp_path: Path) -> None:
    from service.front.app import create_app

    match_id = play(service, 2)
    client = create_app(service).test_client()
    for name in ("events", "events.ndjson"):
        file = tmp_path / name
        file.write_bytes(client.get(f"/v1/matches/{match_id}/{name}?limit=200").data)
        with_ids = [
            line.replace("Ada:", f"{ADA}:").replace("Ben:", f"{BEN}:")
            for line in replay_of(match_id)
        ]
        in_file = replay_of(str(file))
        assert headers(in_file) == headers(with_ids)
        assert any("TilesDealt seat=0 kinds=[null,null,null]" in line for line in in_file)
        assert not any("Awaiting" in line for line in in_file)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no JSON", "cannot be read as JSON or NDJSON."),
        ("7", "cannot be read as JSON or NDJSON."),
        ('{"other": []}', "contains no entry of a match."),
        ("[1]", "contains no entry of a match."),
        ('{"kind": "Moved", "version": 1}', "contains no entry of a match."),
    ],
)
def test_another_file_is_one_sentence(text: str, says: str, tmp_path: Path) -> None:
    (file := tmp_path / "file").write_text(text)
    said = CliRunner().invoke(replay, [str(file)])
    assert (said.exit_code, said.output) == (1, f"Error: {file} {says}\n")


def test_a_single_entry_is_replayed(service: Annals, tmp_path: Path) -> None:
    from service.front.app import create_app

    path = f"/v1/matches/{play(service, 2)}/events?limit=1"
    answer = create_app(service).test_client().get(path)
    (file := tmp_path / "entry").write_text(json.dumps(answer.json["events"][0]))
    assert f"{ADA}: Created" in replay_of(str(file))[0], "a file knows no names"


def test_an_unknown_match_is_one_sentence(service: Annals) -> None:
    said = CliRunner().invoke(replay, ["nobody"])
    assert (said.exit_code, said.output) == (1, "Error: There is no such match.\n")


def test_an_unknown_seat_is_one_sentence(service: Annals) -> None:
    said = CliRunner().invoke(replay, [play(service, 1), "--as", "2"])
    assert (said.exit_code, said.output) == (1, "Error: The seats of this table are 0 to 1.\n")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "nowhere"])
def test_an_unreachable_service_is_one_sentence(service: Annals, url: str) -> None:
    said = CliRunner().invoke(verify, [play(service, 1), "--url", url])
    assert (said.exit_code, said.output) == (1, f"Error: No service answers at {url}.\n")


def test_intact_matches_have_no_faults(service: Annals) -> None:
    play(service)
    said = CliRunner().invoke(verify, ["--all"])
    assert (said.exit_code, said.output) == (0, "1 matches checked, 0 faults found.\n")


def test_a_fork_is_verified_as_any_match(service: Annals) -> None:
    play(service, 12)
    source = service.matches.latest("m")
    wanted = lobby.Plan(match="f", host=ADA, chairs=tuple(source.chairs), expires=1 << 45)
    plan = forks.plan_fork(source, source, wanted, Luck(1))
    create(service, plan, QIN, Metadata(ADA), bytes(32))
    for _ in range(3):
        place(service, Luck("fork"), "f")
    said = CliRunner().invoke(verify, ["--all"])
    assert (said.exit_code, said.output) == (0, "2 matches checked, 0 faults found.\n")


def test_a_terminal_shows_progress_apart_from_faults(service: Annals, redis_url: str) -> None:
    play(service, 2)
    watched, terminal = pty.openpty()
    environ = {**os.environ, "REDIS_URL": redis_url, "TERM": "xterm"}
    with start_command(["verify", "--all"], environ, stderr=terminal) as process:
        assert process.stdout
        assert process.stdout.read() == b"1 matches checked, 0 faults found.\n"
    os.close(terminal)
    assert b"checking" in os.read(watched, 10_000)
    os.close(watched)


def forge(service: Annals, version: int, forge: Callable[[Entry], Entry]) -> list[str]:
    """The faults after one entry of the stored match was changed."""
    entries = service.store.read(play(service))
    service.store.redis.flushdb()
    for entry in entries:
        changed = forge(entry) if entry.version == version else entry
        assert (changed != entry) == (entry.version == version)
        service.store.append("m", changed, {})
    fresh = open_annals(service.settings)
    return list(find_match_faults(fresh, "m"))


def replace_event(entry: Entry, kind: type, change: Callable[[Any], Any]) -> Entry:
    """The entry with another event in place of the first of this kind."""
    events = read_events(QIN, entry.events)
    place = next(place for place, event in enumerate(events) if isinstance(event, kind))
    events[place] = change(events[place])
    return replace(entry, events=pack(events))


def other_draw(entry: Entry) -> Entry:
    """The entry with another tile drawn."""
    return replace_event(
        entry, TileDrawn, lambda drawn: replace(drawn, kind="YY" if drawn.kind == "RR" else "RR")
    )


def test_a_forged_draw_is_found(service: Annals) -> None:
    assert "version 2 does not follow from the rules and the dice." in forge(service, 2, other_draw)


def other_deal(entry: Entry) -> Entry:
    """The entry with other tiles dealt at the beginning."""
    return replace_event(entry, TilesDealt, lambda dealt: replace(dealt, kinds=("RR", "RR", "RR")))


def test_a_forged_deal_is_found(service: Annals) -> None:
    found = forge(service, 1, other_deal)
    assert "version 1 does not follow from the rules and the dice." in found
    assert all(re.fullmatch(r"version \d+ [^\n]+\.", fault) for fault in found)
    assert any("cannot be played: ValueError: A bag with" in fault for fault in found)


def other_score(entry: Entry) -> Entry:
    """The entry with another winner."""

    def share_victory(scored: Scored) -> Scored:
        lines = tuple(replace(line, rank=1) for line in scored.scoring.lines)
        return replace(scored, scoring=replace(scored.scoring, lines=lines))

    return replace_event(entry, Scored, share_victory)


def test_a_forged_score_is_found(service: Annals) -> None:
    last = service.matches.latest(play(service)).version
    service.store.redis.flushdb()
    fresh = open_annals(service.settings)
    assert forge(fresh, last, other_score) == [
        f"version {last} does not follow from the rules and the dice."
    ]


class Silent(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """The address of a separate web server."""
    with make_server("127.0.0.1", 0, app, handler_class=Silent) as server:
        Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def test_answers_of_the_service_are_compared_with_the_entries(service: Annals) -> None:
    from service.front.app import create_app

    match_id = play(service, 4)
    with serving(create_app(service)) as url:
        assert list(find_match_faults(service, match_id, url)) == []
        service.matches.latest(match_id).state.supply[0] -= 1
        assert list(find_match_faults(service, match_id, url)) == [
            "the service returns a different state."
        ]


def test_a_forged_seed_is_found(service: Annals) -> None:
    found = forge(service, 1, lambda entry: replace(entry, secret=bytes([1] * 32)))
    assert "version 1 has a seed that does not match its published hash." in found


def test_a_lost_entry_is_found(service: Annals) -> None:
    play(service, 4)
    partition = service.store.partition_of("m")
    service.store.redis.xdel(f"{{p{partition}}}:match:m", "4-0")
    assert list(find_match_faults(service, "m")) == ["version 4 is missing."]
    assert list(find_match_faults(service, "nobody")) == ["it has no entries."]
