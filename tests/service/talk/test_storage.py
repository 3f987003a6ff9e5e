"""Where talk is kept: on a cluster as on one server, and whatever dies while people talk."""

from __future__ import annotations

from pathlib import Path

from redis import Redis

from service.live.talk_stream import TalkSource
from service.matches.container import open_annals
from service.runtime.settings import Settings
from service.store.event_store import EventStore
from service.store.redis_client import connect
from service.talk.erasing import erase_old_talk, erase_talk
from service.talk.messages import Message
from service.talk.storage import RETENTION_MS, Talk
from tests.support.killing import draw_changes, kill_before_change
from tests.support.redis_process import RedisProcess, cluster

ANN = "u0123456789abcdef"
COMMAND = b"command-"
MOST_KILLS = 8


def said(match: str, room: str = "players") -> Message:
    return Message(ANN, 1, text=f"{match} {room}")


def test_all_works_on_a_cluster(tmp_path: Path) -> None:
    """All keys of a match are in one slot, whatever the match."""
    with cluster(tmp_path) as url:
        annals = open_annals(Settings(redis_url=url, events_url=url))
        store, talk = annals.store, Talk(annals.store)
        partition = store.partition_of("m")
        source = TalkSource(store)
        assert source.ends([partition, 0])[partition] == 0
        for match in ("m", "n", "o"):
            for room in ("players", "spectators"):
                command = f"{match} {room}".encode().ljust(8)[:8]
                assert talk.say(match, room, said(match, room), command)[0] == 1
        assert source.read({partition: 0})[partition][1] == {"m:players": 1, "m:spectators": 1}
        assert talk.read("m", "players", [1, 2]) == {1: said("m")}
        assert talk.remove("m", "players", [1]) == 1
        changes = talk.changes("m", "players", 0, 10)
        assert [one.is_removal for one in changes or ()] == [False, True]
        talk.mark_read(ANN, "m", "spectators", 1)
        erase_talk(store, ANN)
        assert talk.count_matches(ANN) == 0
        assert talk.numbers("o", "spectators") == []
        for one in range(store.partitions):  # the matches themselves are unknown
            erase_old_talk(annals, one)
        assert talk.due(partition, 1 + RETENTION_MS, 10) == []


def test_a_message_is_said_once_whenever_its_process_dies(
    redis_url: str, redis_client: Redis
) -> None:
    """Given a process that dies at any step, when the request comes again, the message is there
    once, and its author's list knows the match.
    """

    def say() -> None:
        redis = connect(redis_url)
        Talk(EventStore(redis, reads_only=True)).say("m", "players", said("m"), COMMAND)

    EventStore(redis_client)
    kills = 0
    for number in draw_changes(say, MOST_KILLS):
        redis_client.flushdb()
        EventStore(redis_client)
        kills += kill_before_change(say, number)
        talk = Talk(EventStore(redis_client))
        assert set(talk.numbers("m", "players")) <= {1}
        assert talk.count_matches(ANN) >= len(talk.numbers("m", "players"))
        say()
        assert talk.read("m", "players", talk.numbers("m", "players")) == {1: said("m")}
        assert talk.position("m", "players") == 1
    assert kills


def test_what_is_acknowledged_survives_redis(tmp_path: Path) -> None:
    """Given messages that were acknowledged, when Redis is killed and starts again, they are there,
    and what was removed is not.
    """
    server = RedisProcess(tmp_path, "--appendonly", "yes", "--appendfsync", "always")
    try:
        with server.client() as redis:
            talk = Talk(EventStore(redis))
            for number in range(1, 21):
                assert talk.say("m", "players", said("m"), b"%08d" % number)[0] == number
            talk.remove("m", "players", [3])
        server.kill()
        server.start()
        with server.client() as redis:
            talk = Talk(EventStore(redis))
            assert talk.numbers("m", "players") == [1, 2, *range(4, 21)]
            assert talk.say("m", "players", said("m"), b"00000007")[0] == 7  # known
            assert talk.say("m", "players", said("m"), b"another-")[0] == 22
    finally:
        server.kill()
