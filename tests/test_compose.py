"""The sample for several machines: it names the tested versions, and only settings that exist.

The test starts no container, as that takes an engine and a registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from click import Context

from service.runtime.settings import read_settings
from service.store.redis_client import server_urls
from tests.support.cluster_of_six import FLAGS, MASTERS, NODE_TIMEOUT_MS, REPLICA_REQUIRED
from tests.support.ports import free_port
from tests.support.redis_process import RedisProcess
from tests.support.spread_service import ACKNOWLEDGED_BY, PROCESSES, ROOT, WEB_SERVERS
from workers.cli import commands
from workers.dispatch.partitions import read_partitions

SAMPLES = ROOT / "examples" / "hosting"
CONTENT: Mapping[str, Any] = yaml.safe_load((SAMPLES / "compose.yaml").read_text())
SERVICES: Mapping[str, Mapping[str, Any]] = CONTENT["services"]
OURS = {name: one for name, one in SERVICES.items() if one["image"] == "localhost/annals"}
SETTINGS: Mapping[str, str] = CONTENT["x-annals"]["environment"]


def words_of(name: str) -> list[str]:
    return [*SERVICES[name].get("command", [])]


STORES = [name for name in SERVICES if "--cluster-enabled" in words_of(name)]


def options(words: Sequence[str]) -> dict[str, str]:
    """The options of a server by name."""
    program, *rest = words
    assert program == "valkey-server"
    return {
        name.removeprefix("--"): value for name, value in zip(rest[::2], rest[1::2], strict=True)
    }


def address_of(name: str) -> str:
    return str(SERVICES[name]["networks"]["back"]["ipv4_address"])


def test_its_servers_are_set_as_those_of_the_tests() -> None:
    assert len(STORES) == 2 * MASTERS
    tested = {
        **FLAGS, **REPLICA_REQUIRED,
        "appendonly": "yes", "appendfsync": "always", "save": "",
        "cluster-node-timeout": str(NODE_TIMEOUT_MS),
        "dir": "/data",
    }  # fmt: skip
    for name in STORES:
        assert options(words_of(name)) == tested


@pytest.mark.slow
@pytest.mark.parametrize("name", ["store-1", "queue"])
def test_a_server_starts_as_configured(tmp_path: Path, name: str) -> None:
    bus = str(free_port())  # the default is the port plus ten thousand, which may be out of range
    received = options(words_of(name)) | {"dir": str(tmp_path), "cluster-port": bus}
    server = RedisProcess(
        tmp_path,
        *(word for one, value in received.items() for word in (f"--{one}", value)),
        tcp=True,
    )
    with server.client() as client:
        kept = client.config_get("*")
    server.kill()
    assert {one: kept[one] for one in received} == received


@pytest.mark.slow
def test_its_cluster_is_made_of_all_its_servers() -> None:
    [words] = [words_of(name)[-1] for name in SERVICES if "--cluster create" in str(words_of(name))]
    assert "--cluster-replicas 1" in words
    addresses = [address_of(name) for name in STORES]
    created = words.partition("--cluster create")[2]
    assert re.findall(r"([\d.]+):6379", created) == addresses
    assert {*SERVICES["form"]["depends_on"]} == {*STORES}


def test_a_web_server_is_left_out_if_it_is_away_and_not_if_a_part_of_the_cluster_is() -> None:
    proxy = (SAMPLES / "compose.Caddyfile").read_text()
    assert re.findall(r"^\s*health_uri (\S+)$", proxy, re.MULTILINE) == ["/healthz"]
    asked = [str(one["healthcheck"]["test"]) for one in OURS.values() if "healthcheck" in one]
    assert len(asked) == WEB_SERVERS
    assert all("/healthz'" in one for one in asked)


def parse_command(words: Sequence[str]) -> Context:
    """The context of the `annals` command for these arguments."""
    name, *rest = words
    command = commands.get_command(Context(commands), name)
    assert command, name
    return command.make_context(name, rest)


def test_its_commands_are_those_of_annals_with_the_tested_versions() -> None:
    asked = [tuple(words_of(name)) for name in OURS]
    for words in asked:
        parse_command(words)
    assert {*PROCESSES} <= {*asked}
    assert asked.count(("web",)) == WEB_SERVERS


def test_its_projectors_have_each_partition_once() -> None:
    count = int(SETTINGS["ANNALS_PARTITIONS"])
    some = [
        parse_command(words_of(name)).params for name in OURS if words_of(name)[0] == "projector"
    ]
    named = [n for one in some for n in read_partitions(one["partitions"], count)]
    assert sorted(named) == [*range(count)]
    assert count >= 4 * MASTERS


def test_its_settings_are_settings_and_the_same_for_all() -> None:
    assert all(one["environment"] == SETTINGS for one in OURS.values())
    settings = read_settings(SETTINGS)
    assert settings.acknowledge == ACKNOWLEDGED_BY["c"]
    assert not settings.owns_redis
    assert not settings.owns_queue
    hosts = [urlsplit(one).hostname for one in server_urls(settings.events_url)]
    assert hosts == [address_of(name) for name in STORES]


def test_it_has_one_queue_which_is_no_cluster() -> None:
    queue = urlsplit(SETTINGS["QUEUE_REDIS_URL"]).hostname
    assert queue in SERVICES
    received = options(words_of(str(queue)))
    assert "cluster-enabled" not in received
    assert (received["appendonly"], received["save"], received["maxmemory-policy"]) == (
        "no",
        "",
        "noeviction",
    )


def names(listed: Iterable[Any]) -> set[str]:
    """The names before the colon, except paths."""
    return {str(one).partition(":")[0] for one in listed if not str(one).startswith("./")}


def test_it_names_nothing_that_is_not_there() -> None:
    kept = [volume for one in SERVICES.values() for volume in names(one.get("volumes", ()))]
    assert {*kept} == {*CONTENT["volumes"]}
    assert len(STORES) == len([one for one in kept if one.startswith("store-")])
    for one in SERVICES.values():
        assert {*one.get("depends_on", ())} <= {*SERVICES}
        assert {*one["networks"]} <= {*CONTENT["networks"]}
        assert one["image"].startswith(("docker.io/", "localhost/"))
    build = SERVICES["web-1"]["build"]
    assert (SAMPLES / build["context"] / build["dockerfile"]).is_file()


def test_only_the_proxy_is_reached_from_outside_and_hands_on_to_all_web_servers() -> None:
    assert [name for name, one in SERVICES.items() if "ports" in one] == ["proxy"]
    assert CONTENT["networks"]["back"]["internal"]
    text = (SAMPLES / "compose.Caddyfile").read_text()
    found = re.search(r"reverse_proxy (.*) \{", text)
    web = [f"{name}:8000" for name in OURS if words_of(name) == ["web"]]
    assert found
    assert found[1].split() == web
