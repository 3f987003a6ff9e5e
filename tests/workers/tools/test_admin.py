"""`annals admin`: managing players and matches."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from click.testing import CliRunner
from redis import Redis

from domain.engine.errors import Refusal
from domain.games import GAMES
from domain.match.decisions import lobby
from domain.match.events import Aborted
from domain.match.log import read_events
from domain.match.state import Chair
from projections import PROJECTIONS
from projections.projector import Projector
from service.accounts.operators import Operators
from service.admin.moderation import DAY_MS
from service.matches.commands import Metadata, create
from service.matches.container import Annals, open_annals
from service.matches.queries import iso
from service.runtime.errors import BannedPlayer, MutedPlayer
from service.runtime.settings import read_settings
from service.talk.speakers import OperatorMute, Speakers
from workers.tools.admin.admin import admin


@pytest.fixture
def service(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Annals:
    monkeypatch.setenv("REDIS_URL", redis_url)
    return open_annals(read_settings({"REDIS_URL": redis_url, "ANNALS_TOKENS_CACHE_SECONDS": "0"}))


def run(*words: str, answer: str = "") -> tuple[int, str]:
    said = CliRunner().invoke(admin, words, input=answer)
    return said.exit_code, said.stdout


def run_ok(*words: str) -> str:
    code, said = run(*words)
    assert code == 0, said
    return said


def open_match(service: Annals, match: str, *chairs: Chair) -> None:
    host = str(chairs[0].player)
    plan = lobby.Plan(match=match, host=host, chairs=chairs, expires=1 << 45)
    create(service, plan, GAMES["qin"], Metadata(host))
    for partition in range(service.store.partitions):
        redis = service.store.redis
        Projector(redis, service.store, [partition], PROJECTIONS).fold_next(100)


def actions() -> Sequence[str]:
    return [json.loads(line)["action"] for line in run_ok("log", "--json").splitlines()]


def test_players_are_listed_by_name_and_in_pages(service: Annals) -> None:
    for name in ("Bob", "ann", "Anna"):
        service.players.register(name, 1_000)
    names = [line.split()[-1] for line in run_ok("players").splitlines()]
    assert names == ["ann", "Anna", "Bob"]
    [anna] = run_ok("players", "AN", "--after", "ann", "--json").splitlines()
    assert json.loads(anna)["name"] == "Anna"
    assert json.loads(anna)["registered_at"] == 1_000
    assert [line.split()[-1] for line in run_ok("players", "--limit", "1").splitlines()] == ["ann"]


def test_a_banned_player_leaves_their_matches_and_stays_out(service: Annals) -> None:
    ann, token = service.players.register("Ann", 0)
    bob, _ = service.players.register("Bob", 0)
    open_match(service, "running", Chair(player=ann.id), Chair(player=bob.id))
    open_match(service, "waiting", Chair(player=ann.id), Chair())
    said = run_ok("ban", "ann", "--reason", "cheating", "--yes")
    assert said == "Ann is banned and has left 2 matches.\n"
    assert service.matches.latest("running").chairs[0].resigned
    assert service.matches.latest("waiting").status == "aborted"
    with pytest.raises(BannedPlayer, match="cheating"):
        service.players.by_token(token)
    assert "banned: cheating" in run_ok("player", ann.id)
    run_ok("unban", ann.id)
    assert service.players.by_token(token)
    assert actions() == ["unban", "ban"]


def test_a_player_is_muted_for_some_days_or_until_it_is_lifted(service: Annals) -> None:
    ann, _ = service.players.register("Ann", 0)
    speakers, now = Speakers(service.store.redis, 0), service.now()
    said = run_ok("mute", "ann", "--reason", "insults", "--days", "7", "--yes")
    mute = speakers.find_mute(ann.id, now)
    assert mute is not None
    assert mute.until is not None
    assert said == f"Ann is muted until {iso(mute.until)}.\n"
    assert 0 <= mute.until - now - 7 * DAY_MS < DAY_MS
    with pytest.raises(MutedPlayer, match=f"until {iso(mute.until)}: insults"):
        speakers.check(ann.id, now, text=False)
    speakers.check(ann.id, mute.until, text=False)
    assert run_ok("mute", "ann", "--reason", "worse", "--yes") == "Ann is muted.\n"
    assert speakers.find_mute(ann.id, mute.until) == OperatorMute("worse")
    assert "muted: worse" in run_ok("player", "Ann")
    run_ok("unmute", "ann")
    assert not speakers.has_mute(ann.id)
    assert actions() == ["unmute", "mute", "mute"]
    assert f"mute {ann.id} insults (7 days)" in run_ok("log")
    assert run("mute", "ann", "--reason", "x", "--days", "0", "--yes")[0] == 2


def test_a_match_is_closed_with_a_reason_that_stays(service: Annals) -> None:
    open_match(service, "m", Chair(player="ann"), Chair(player="bob"))
    run_ok("close", "m", "--reason", "abuse", "--note", "Ann again", "--yes")
    match = service.matches.latest("m")
    assert (match.status, match.seats_to_move, match.clocks) == ("aborted", (), None)
    [*_, last] = service.store.read("m")
    assert read_events(match.game, last.events) == [Aborted("operator", match.seed.hex(), "abuse")]
    assert run("close", "m", "--reason", "fault", "--yes")[0] == 1
    assert run("close", "nowhere", "--reason", "fault", "--yes")[0] == 1
    assert run("close", "m", "--reason", "Ann again", "--yes")[0] == 2  # not in the list of reasons
    assert service.store.version("m") == 2
    assert "close m abuse Ann again" in run_ok("log")


def test_lost_tokens_and_codes_are_replaced(service: Annals) -> None:
    ann, old = service.players.register("Ann", 0)
    new = run_ok("token", "Ann", "--yes").strip()
    assert service.players.by_token(old) is None
    session = service.players.by_token(new)
    assert session
    assert session.player == ann
    codes = run_ok("codes", "Ann", "--yes").split()
    assert service.players.recovery.count(ann.id) == len(codes) == 8
    assert service.players.recovery.use(ann.id, codes[0])
    assert new not in run_ok("log")
    assert codes[1] not in run_ok("log")


@pytest.mark.parametrize(
    "words",
    [
        *((action, "Ann", "--reason", "x") for action in ("ban", "mute")),
        *(("token", "Ann"), ("codes", "Ann")),
    ],
    ids=lambda words: words[0],
)
def test_nothing_is_done_without_confirmation(service: Annals, words: Sequence[str]) -> None:
    _, token = service.players.register("Ann", 0)
    assert run(*words, answer="n\n")[0] == 1
    try:
        assert service.players.by_token(token)
    except Refusal:
        pytest.fail("it was done")
    assert actions() == []


def test_an_unknown_player_is_one_sentence(service: Annals) -> None:
    for command in ("player", "unban", "token"):
        said = CliRunner().invoke(
            admin, [command, "Zoe", *(["--yes"] if command == "token" else [])]
        )
        assert (said.exit_code, said.output) == (1, "Error: There is no player 'Zoe'.\n")


def test_a_link_makes_operators_whom_the_command_lists_and_removes(service: Annals) -> None:
    link = run_ok("setup")
    assert link.startswith("http://127.0.0.1:8000/setup?code=")
    operators = Operators(service.store.redis)
    assert operators.is_valid(link.strip().rpartition("=")[2])
    ada, _ = service.players.register("Ada", 1_000)
    operators.add(ada.id)
    assert run_ok("operators").split()[0] == ada.id
    assert run_ok("operators", "--remove", "Ada") == "Ada is no operator any more.\n"
    assert run("operators", "--remove", "Ada")[0] == 1
    assert operators.ids() == []
    assert actions() == ["remove operator", "remove operator", "setup"]
