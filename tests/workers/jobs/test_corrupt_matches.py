"""A corrupt match gets one sentence everywhere, and nothing else is affected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise

import click
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from redis import Redis
from redis.exceptions import ResponseError
from rq import Queue, SimpleWorker
from structlog.testing import capture_logs

from domain.games import GAMES
from domain.match.log import CorruptEntry, naming_match
from domain.match.scheduled_work import QUEUE_OF, QUEUES
from projections import PROJECTIONS
from projections.lists.matches import get
from projections.progress import read_progress
from projections.projector import Projector
from service.front.app import create_app
from service.http.json_responses import until_error
from service.matches.container import Annals, open_annals
from service.matches.match_cache import RECENT_ENTRIES
from service.runtime.settings import read_settings
from service.store.event_store import EventStore
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import RecordedMatch
from tests.service.api.test_scopes import PLACES
from tests.service.front.test_every_route_in_turn import address, routes
from tests.support.damage import damage, put_nonsense, rewrite
from tests.support.patience import eventually
from tests.workers.processes.test_projector import running_threads
from workers.dispatch.due_work import Dispatcher
from workers.jobs import match_jobs
from workers.tools.check.replay import replay
from workers.tools.check.show import show
from workers.tools.check.verify import verify
from workers.tools.rebuild import rebuild

MESSAGE = "version 2 is corrupt: its checksum is wrong."
KINDS: dict[str, tuple[Callable[[EventStore], None], str]] = {
    "damaged": (lambda store: damage(store, "m", 2), MESSAGE),
    "missing": (lambda store: rewrite(store, "m", 2, lambda _: None), "version 2 is missing."),
    "senseless": (
        lambda store: put_nonsense(store, "m", 2), "version 2 cannot be decoded: ValidationError: "
    ),
}  # fmt: skip


@pytest.fixture
def annals(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Annals:
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.setitem(GAMES, "toy", TOY)
    return open_annals(read_settings({"REDIS_URL": redis_url}))


@pytest.fixture(params=KINDS)
def corrupt_message(request: pytest.FixtureRequest, annals: Annals) -> str:
    """The message for the corrupt match `m`; another match is intact."""
    RecordedMatch(annals.store, "ann +easy ben", match="m").play(3)
    beside = neighbour_of_m(annals.store)
    RecordedMatch(annals.store, "ann ben", match=beside).play(3)
    harm, sentence = KINDS[request.param]
    harm(annals.store)
    return sentence


def neighbour_of_m(store: EventStore) -> str:
    """The id of another match in the partition of `m`."""
    ids = (f"sound{number}" for number in range(1_000))
    return next(one for one in ids if store.partition_of(one) == store.partition_of("m"))


def test_the_projector_logs_it_once_and_folds_all_others(
    annals: Annals, corrupt_message: str
) -> None:
    store, partition = annals.store, annals.store.partition_of("m")
    sound = neighbour_of_m(store)
    with capture_logs() as lines, running_threads(store, store.redis):
        eventually(lambda: not any(one.lag for one in read_progress(store.redis, 16).values()))
    [line] = lines
    assert (line["event"], line["match"], line["version"]) == ("entry_corrupt", "m", 2)
    assert "reason" not in line  # it may be a secret
    assert get(store.redis, partition, "m").version == 1
    assert get(store.redis, partition, sound).version == 4


def test_an_unreadable_feed_delays_no_other(annals: Annals) -> None:
    store, partition = annals.store, annals.store.partition_of("m")
    RecordedMatch(store, "ann ben", match="m").play(3)
    store.redis.set(f"{{p{(partition + 1) % store.partitions}}}:feed", "nonsense")
    projector = Projector(store.redis, store, range(store.partitions), PROJECTIONS)
    assert projector.fold_next(100) == 4
    assert get(store.redis, partition, "m").version == 4
    with pytest.raises(ResponseError):
        projector.fold_next(100, block_ms=1)


@pytest.mark.parametrize("kind", QUEUE_OF)
def test_a_job_logs_it_and_ends(annals: Annals, corrupt_message: str, kind: str) -> None:
    match_jobs._annals.cache_clear()
    with capture_logs() as lines:
        getattr(match_jobs, kind)("m", 4)
    [line] = lines
    assert (line["event"], line["match"], line["work"]) == ("entry_corrupt", "m", kind)
    assert line["version"] == 2
    assert "reason" not in line  # it may be a secret


@pytest.mark.parametrize("corrupt_message", ["damaged"], indirect=True)
def test_its_work_is_retried_less_and_less_often(annals: Annals, corrupt_message: str) -> None:
    match_jobs._annals.cache_clear()
    passed, tries = 0.0, []
    store = annals.store
    dispatcher = Dispatcher(annals.settings, store, store.redis, lambda: passed)
    worker = SimpleWorker([Queue(name, connection=store.redis) for name in QUEUES])
    while passed < 86_400:
        if dispatcher.scan(1):
            tries.append(passed)
            with capture_logs() as lines:
                worker.work(burst=True, logging_level="ERROR")
            assert [line["event"] for line in lines] == ["entry_corrupt"]
        passed += max(1, passed // 20)
    waits = [after - before for before, after in pairwise(tries)]
    assert waits[0] == 6
    assert len(tries) < 50


@pytest.mark.parametrize("member", [b"score:nobody", b"scare:m", b"score", b"score:\xff"])
def test_invalid_work_delays_no_other(annals: Annals, member: bytes) -> None:
    store = annals.store
    RecordedMatch(store, "ann +easy", match="m")
    partition = store.partition_of("m")
    store.redis.zadd(f"{{p{partition}}}:work:scoring", {member: 1, "score:m": 2})
    assert [due.match for due in store.due_work(partition, 5, 10)] == ["m"]


@pytest.fixture
def client(annals: Annals) -> FlaskClient:
    return create_app(annals).test_client()


@pytest.mark.parametrize("path", ["", "/events", "/board.svg", "/legal-moves", "/stream"])
def test_a_request_gets_an_error_for_this_match_only(
    annals: Annals, corrupt_message: str, client: FlaskClient, path: str
) -> None:
    _, token = annals.players.register("Ann", 1)
    headers = {"Authorization": f"Bearer {token}"}
    with capture_logs() as lines:
        answer = client.get(f"/v1/matches/m{path}", headers=headers)
    assert (answer.status_code, answer.json["code"]) == (500, "corrupt")
    assert not {"version", "checksum"} & set(answer.json["detail"].split())
    [line] = [line for line in lines if line["event"] == "entry_corrupt"]
    assert "reason" not in line  # it may be a secret
    assert (line["match"], line["version"]) == ("m", 2)
    assert line["id"] == answer.headers["X-Request-Id"]
    assert client.get(f"/v1/matches/{neighbour_of_m(annals.store)}").status_code == 200


def test_every_route_that_reads_a_corrupt_match_names_it_in_the_log(
    annals: Annals, corrupt_message: str, client: FlaskClient
) -> None:
    """Also a route that names the match otherwise, such as by its series."""
    player, token = annals.players.register("Ann", 1)
    client.application.extensions["annals"].operators.add(player.id)
    headers, read = {"Authorization": f"Bearer {token}"}, set()
    for method, rule in routes(client.application):
        path = address(client.application, rule, PLACES)
        with capture_logs() as lines:
            client.open(path, method=method, headers=headers, json={}, buffered=False).close()
        if found := [line for line in lines if line["event"] == "entry_corrupt"]:
            assert [(line["match"], line["version"]) for line in found] == [("m", 2)], path
            read.add(path)
    assert {"/v1/matches/m", "/v1/series/m", "/matches/m"} <= read


def test_the_log_names_the_match_that_is_corrupt_and_not_the_one_that_was_requested(
    client: FlaskClient,
) -> None:
    def parts() -> Iterator[bytes]:
        with naming_match("next"):
            raise CorruptEntry("version 2 is a secret.", 2)
        yield b""

    with (
        client.application.test_request_context("/v1/matches/m/events.ndjson"),
        capture_logs() as lines,
    ):
        assert [*until_error(parts())] == []
    assert [(line["match"], line["version"]) for line in lines] == [("next", 2)]


def test_a_long_response_ends_at_the_error_which_the_log_names(client: FlaskClient) -> None:
    def parts() -> Iterator[bytes]:
        yield b"line"
        raise CorruptEntry("version 2 is a secret.", 2)

    with (
        client.application.test_request_context("/v1/matches/m/events.ndjson"),
        capture_logs() as lines,
    ):
        assert [*until_error(parts())] == [b"line"]
    [line] = [line for line in lines if line["event"] == "entry_corrupt"]
    assert (line["match"], line["version"], "reason" in line) == ("m", 2, False)


def test_a_stream_ends_when_its_match_is_corrupt(annals: Annals, client: FlaskClient) -> None:
    RecordedMatch(annals.store, "ann ben", match="q").play(
        RECENT_ENTRIES
    )  # more than a process caches
    assert client.get("/v1/matches/q").status_code == 200  # so that the process caches the match
    damage(annals.store, "q", 1)
    with (
        capture_logs() as lines,
        closing(client.get("/v1/matches/q/stream?after=0", buffered=False)) as answer,
    ):
        [opening] = answer.response
        assert b"retry" in opening
    found = [line for line in lines if line["event"] == "entry_corrupt"]
    assert [(line["match"], line["version"]) for line in found] == [("q", 1)]


@pytest.mark.parametrize(
    ("command", "words"),
    [(show, ["m"]), (replay, ["m"])],
    ids=lambda one: getattr(one, "name", ""),
)
def test_a_command_prints_one_sentence(
    annals: Annals, corrupt_message: str, command: click.Command, words: list[str]
) -> None:
    told = CliRunner().invoke(command, words)
    assert told.exit_code == 1
    assert told.output.startswith(f"Error: Match m: {corrupt_message}")
    assert told.output.count("\n") == 1


def test_verify_names_it_and_continues(annals: Annals, corrupt_message: str) -> None:
    sound = neighbour_of_m(annals.store)
    damage(annals.store, sound, 3)
    told = CliRunner().invoke(verify, ["--all"])
    assert told.exit_code == 1
    first, second, last = told.output.splitlines()
    assert first.startswith(f"m: {corrupt_message}")
    assert second == f"{sound}: version 3 is corrupt: its checksum is wrong."
    assert last == "2 matches checked, 2 faults found."


def test_a_rebuild_names_it_and_folds_all_others(annals: Annals, corrupt_message: str) -> None:
    told = CliRunner().invoke(rebuild, ["matches"])
    assert told.exit_code == 0
    folded, named = told.stdout.splitlines()
    assert folded == "matches: 8 entries folded again"
    assert named.startswith(f"m: {corrupt_message}")
    assert named.endswith(" It keeps its earlier state.")
    store = annals.store
    assert get(store.redis, store.partition_of("m"), neighbour_of_m(store)).version == 4
