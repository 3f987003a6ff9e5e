"""A match that cannot be read: everybody says so in one sentence, and nothing else suffers."""

from __future__ import annotations

from collections.abc import Callable
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
from domain.match.scheduled_work import QUEUE_OF, QUEUES
from projections import PROJECTIONS
from projections.lists.matches import get
from projections.progress import progress
from projections.projector import Projector
from service.front.app import create_app
from service.matches.container import Annals, open_annals
from service.matches.match_cache import RECENT
from service.runtime.settings import read_settings
from service.store.event_store import Store
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import Recorded
from tests.support.damage import damage, put_nonsense, rewrite
from tests.support.patience import eventually
from tests.workers.processes.test_projector import working
from workers.dispatch.due_work import Dispatcher
from workers.jobs import match_jobs
from workers.tools.check.replay import replay
from workers.tools.check.show import show
from workers.tools.check.verify import verify
from workers.tools.rebuild import rebuild

DAMAGED = "version 2 is damaged: its checksum is wrong."
KINDS: dict[str, tuple[Callable[[Store], None], str]] = {
    "damaged": (lambda store: damage(store, "m", 2), DAMAGED),
    "missing": (lambda store: rewrite(store, "m", 2, lambda _: None), "version 2 is missing."),
    "senseless": (
        lambda store: put_nonsense(store, "m", 2), "version 2 makes no sense: ValidationError: "
    ),
}  # fmt: skip


@pytest.fixture
def annals(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Annals:
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.setitem(GAMES, "toy", TOY)
    return open_annals(read_settings({"REDIS_URL": redis_url}))


@pytest.fixture(params=KINDS)
def said(request: pytest.FixtureRequest, annals: Annals) -> str:
    """What is said of the match `m`, which nobody can read; a sound one is beside it."""
    Recorded(annals.store, "ann +easy ben", match="m").play(3)
    beside = beside_m(annals.store)
    Recorded(annals.store, "ann ben", match=beside).play(3)
    harm, sentence = KINDS[request.param]
    harm(annals.store)
    return sentence


def beside_m(store: Store) -> str:
    """The id of another match in the partition of `m`."""
    ids = (f"sound{number}" for number in range(1_000))
    return next(one for one in ids if store.partition_of(one) == store.partition_of("m"))


def test_the_projector_tells_it_once_and_folds_all_others(annals: Annals, said: str) -> None:
    store, partition = annals.store, annals.store.partition_of("m")
    sound = beside_m(store)
    with capture_logs() as lines, working(store, store.redis):
        eventually(lambda: not any(one.lag for one in progress(store.redis, 16).values()))
    [line] = lines
    assert (line["event"], line["match"]) == ("damaged", "m")
    assert "reason" not in line  # it may be a secret
    assert get(store.redis, partition, "m").version == 1
    assert get(store.redis, partition, sound).version == 4


def test_a_feed_that_cannot_be_read_holds_up_no_other(annals: Annals) -> None:
    store, partition = annals.store, annals.store.partition_of("m")
    Recorded(store, "ann ben", match="m").play(3)
    store.redis.set(f"{{p{(partition + 1) % store.partitions}}}:feed", "nonsense")
    projector = Projector(store.redis, store, range(store.partitions), PROJECTIONS)
    assert projector.fold_next(100) == 4
    assert get(store.redis, partition, "m").version == 4
    with pytest.raises(ResponseError):
        projector.fold_next(100, block_ms=1)


@pytest.mark.parametrize("kind", QUEUE_OF)
def test_a_job_tells_it_and_is_done(annals: Annals, said: str, kind: str) -> None:
    match_jobs._annals.cache_clear()
    with capture_logs() as lines:
        getattr(match_jobs, kind)("m", 4)
    [line] = lines
    assert (line["event"], line["match"], line["work"]) == ("damaged", "m", kind)
    assert "reason" not in line  # it may be a secret


@pytest.mark.parametrize("said", ["damaged"], indirect=True)
def test_its_work_is_tried_again_later_and_later(annals: Annals, said: str) -> None:
    match_jobs._annals.cache_clear()
    passed, tries = 0.0, []
    store = annals.store
    dispatcher = Dispatcher(annals.settings, store, store.redis, lambda: passed)
    worker = SimpleWorker([Queue(name, connection=store.redis) for name in QUEUES])
    while passed < 86_400:
        if dispatcher.look(1):
            tries.append(passed)
            with capture_logs() as lines:
                worker.work(burst=True, logging_level="ERROR")
            assert [line["event"] for line in lines] == ["damaged"]
        passed += max(1, passed // 20)
    waits = [after - before for before, after in pairwise(tries)]
    assert waits[0] == 6
    assert len(tries) < 50


@pytest.mark.parametrize("member", [b"score:nobody", b"scare:m", b"score", b"score:\xff"])
def test_work_that_is_none_stops_no_other(annals: Annals, member: bytes) -> None:
    store = annals.store
    Recorded(store, "ann +easy", match="m")
    partition = store.partition_of("m")
    store.redis.zadd(f"{{p{partition}}}:work:scoring", {member: 1, "score:m": 2})
    assert [due.match for due in store.due(partition, 5, 10)] == ["m"]


@pytest.fixture
def client(annals: Annals) -> FlaskClient:
    return create_app(annals).test_client()


@pytest.mark.parametrize("path", ["", "/events", "/board.svg", "/legal-moves", "/stream"])
def test_a_caller_is_told_and_can_look_at_others(
    annals: Annals, said: str, client: FlaskClient, path: str
) -> None:
    _, token = annals.players.register("Ann", 1)
    headers = {"Authorization": f"Bearer {token}"}
    with capture_logs() as lines:
        answer = client.get(f"/v1/matches/m{path}", headers=headers)
    assert (answer.status_code, answer.json["code"]) == (500, "damaged")
    assert not {"version", "checksum"} & set(answer.json["detail"].split())
    [line] = [line for line in lines if line["event"] == "damaged"]
    assert "reason" not in line  # it may be a secret
    assert line["id"] == answer.headers["X-Request-Id"]
    assert client.get(f"/v1/matches/{beside_m(annals.store)}").status_code == 200


def test_a_stream_ends_when_its_match_can_no_longer_be_read(
    annals: Annals, client: FlaskClient
) -> None:
    Recorded(annals.store, "ann ben", match="q").play(RECENT)  # more than a process has at hand
    assert client.get("/v1/matches/q").status_code == 200  # so that the process knows the match
    damage(annals.store, "q", 1)
    with closing(client.get("/v1/matches/q/stream?after=0", buffered=False)) as answer:
        [opening] = answer.response
        assert b"retry" in opening


@pytest.mark.parametrize(
    ("command", "words"),
    [(show, ["m"]), (replay, ["m"])],
    ids=lambda one: getattr(one, "name", ""),
)
def test_a_tool_that_shows_it_says_one_sentence(
    annals: Annals, said: str, command: click.Command, words: list[str]
) -> None:
    told = CliRunner().invoke(command, words)
    assert told.exit_code == 1
    assert told.output.startswith(f"Error: Match m: {said}")
    assert told.output.count("\n") == 1


def test_verify_names_it_and_goes_on(annals: Annals, said: str) -> None:
    sound = beside_m(annals.store)
    damage(annals.store, sound, 3)
    told = CliRunner().invoke(verify, ["--all"])
    assert told.exit_code == 1
    first, second, last = told.output.splitlines()
    assert first.startswith(f"m: {said}")
    assert second == f"{sound}: version 3 is damaged: its checksum is wrong."
    assert last == "2 matches checked, 2 faults found."


def test_a_rebuild_names_it_and_has_all_others(annals: Annals, said: str) -> None:
    told = CliRunner().invoke(rebuild, ["matches"])
    assert told.exit_code == 0
    folded, named = told.stdout.splitlines()
    assert folded == "matches: 8 entries folded anew"
    assert named.startswith(f"m: {said}")
    assert named.endswith(" It is there as it was before.")
    store = annals.store
    assert get(store.redis, store.partition_of("m"), beside_m(store)).version == 4
