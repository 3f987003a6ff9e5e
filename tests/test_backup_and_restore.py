"""The whole service is backed up while it runs, and restored elsewhere from the file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from redis import Redis

from domain.audit.notes import Checkpoint, read_checkpoint, read_note
from service.runtime.redis_urls import own_redis_url
from service.tlog.folder import CHECKPOINT, Folder
from tests.support.documented_keys import is_documented
from tests.support.patience import eventually
from tests.support.receiver import receiving
from tests.support.warm_start import run_command
from tests.support.whole_service import Service, running_service, whole_service
from workers.tools.store.stored_keys import treatment_of

pytestmark = pytest.mark.slow
NOWHERE = "http://127.0.0.1:9"
LOOPBACK = {"ANNALS_WEBHOOKS_LOOPBACK": "1"}


def use(service: Service) -> dict[str, Any]:
    """Use everything that stores data; returns what must be the same after the restore."""
    service.sign_up("Ada")
    service.insist(
        "POST", "/v1/me/tokens", {"name": "bot", "scopes": ["play"], "expires_in_s": 9999}
    )
    service.insist("POST", "/v1/me/recovery-codes")
    hook = service.insist("POST", "/v1/webhooks", {"url": f"{NOWHERE}/hook"})["id"]
    service.insist("POST", f"/v1/webhooks/{hook}/ping")
    eventually(lambda: service.insist("GET", f"/v1/webhooks/{hook}/deliveries")["deliveries"])
    bots = {"game": "qin", "seats": [{"bot": "li_mu"}, {"me": True}]}
    ended = service.insist("POST", "/v1/matches", bots)["id"]
    service.insist("POST", f"/v1/matches/{ended}/resign", but=("match_not_started",))
    open_table = {"game": "qin", "seats": [{"me": True}, {"open": True}]}
    lobby = service.insist("POST", "/v1/matches", open_table)["id"]
    plan = {**bots, "undo": "free", "clock": {"per_move_s": 9_999}}
    going_on = service.insist("POST", "/v1/matches", plan, Idempotency_Key="open")["id"]
    path = f"/v1/matches/{going_on}"
    first = move(service, path, "first")
    eventually(lambda: service.insist("GET", f"/v1/matches/{ended}")["status"] == "scored")
    eventually(lambda: my_turn(service, path))
    return {"path": path, "lobby": lobby, "ended": ended, "first": first, "hook": hook}


def my_turn(service: Service, path: str) -> list[Any]:
    moves: list[Any] = service.insist("GET", f"{path}/legal-moves")["moves"]
    return moves


def move(service: Service, path: str, key: str) -> dict[str, Any]:
    """Make a move; returns the request and its answer, to be repeated later."""
    eventually(lambda: my_turn(service, path))
    body = {"move": my_turn(service, path)[0]}
    return {
        "body": body,
        "answer": service.insist("POST", f"{path}/moves", body, Idempotency_Key=key),
    }


def keys_of(data: Path) -> list[str]:
    with Redis.from_url(own_redis_url(data)) as redis:
        return [name.decode() for name in redis.scan_iter()]


def annals(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The result of a command on a folder whose service does not run."""
    environ = {**os.environ, "ANNALS_DATA": str(data)}
    environ.pop("REDIS_URL", None)
    return run_command(words, environ)


def test_a_service_goes_on_elsewhere_from_its_backup(tmp_path: Path) -> None:
    with whole_service(tmp_path / "var", **LOOPBACK) as service:
        known = use(service)
        kept = keys_of(tmp_path / "var")
        unknown = [name for name in kept if treatment_of(name) is None]
        assert not unknown, (
            "service keys without a treatment: see workers/tools/store/stored_keys.py"
        )
        untold = [name for name in kept if not is_documented(name)]
        assert not untold, "keys that are not in the tables of docs/event-store.md"
        said = service.command("backup", str(tmp_path / "b"))
        assert said.returncode == 0, said.stderr
        token, state = service.token, service.insist("GET", known["path"])
    stopped = annals(tmp_path / "var", "backup", str(tmp_path / "b2"))
    assert stopped.returncode == 0, stopped.stderr
    log = tmp_path / "new" / "tlog"
    shutil.copytree(tmp_path / "var" / "tlog", log)  # it has read more than the backup has
    received = annals(tmp_path / "new", "restore", str(tmp_path / "b"))
    assert received.returncode == 0, received.stdout + received.stderr
    assert "\nThe transparency log continues and keeps its " in received.stdout
    leaves = checkpoint_of(log).size
    verified = annals(tmp_path / "new", "verify", "--all")
    assert verified.stdout.endswith(" matches checked, 0 faults found.\n"), verified
    with whole_service(tmp_path / "new", **LOOPBACK) as service:
        service.token = token
        went_on(service, known, state)
        eventually(lambda: checkpoint_of(log).size > leaves)
        assert service.picture("/v1/log/checkpoint").decode() == Folder(log).text(CHECKPOINT)
    assert "signs nothing" not in service.said
    checked = annals(tmp_path / "new", "tlog", "check")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def checkpoint_of(log: Path) -> Checkpoint:
    return read_checkpoint(read_note(Folder(log).text(CHECKPOINT) or "").text)


def went_on(service: Service, known: dict[str, Any], state: dict[str, Any]) -> None:
    """Check that everything is the same, and that the match continues."""
    path = known["path"]
    again = service.insist("GET", path)
    assert {**again, "view": None} == {**state, "view": None}
    assert service.insist("GET", f"/v1/matches/{known['ended']}")["status"] == "scored"
    first = known["first"]
    repeated = service.insist("POST", f"{path}/moves", first["body"], Idempotency_Key="first")
    assert repeated["version"] == first["answer"]["version"]
    assert service.insist("GET", path)["version"] == state["version"]
    stream = Request(
        f"{service.url}{path}/stream",
        headers={"Last-Event-ID": "1", "Authorization": f"Bearer {service.token}"},
    )
    with urlopen(stream) as events:
        eventually(lambda: events.readline() == b"id: 2\n")
    move(service, path, "later")
    eventually(lambda: my_turn(service, path))
    events = service.insist("GET", f"{path}/events")["events"]
    assert "TimeReturned" in json.dumps(events), "the time since the backup costs nobody anything"
    assert service.insist("POST", f"{path}/undo", {})["version"] > state["version"]
    assert service.insist("GET", path)["clocks"]["running"] is not None
    listed = {one["id"] for one in service.insist("GET", "/v1/matches")["matches"]}
    assert known["lobby"] in listed
    with receiving() as receiver:  # it receives new events, and none of the past
        hook = f"/v1/webhooks/{known['hook']}"
        service.call("PATCH", hook, {"url": receiver.url, "types": ["match.created"]})
        service.insist("POST", f"{hook}/recover", {})
        opened = service.insist("POST", "/v1/matches", {"game": "qin", "seats": [{"me": True}] * 2})
        eventually(lambda: opened["id"] in [one.data["match"] for one in receiver.got])


def test_a_copied_folder_is_a_separate_service(tmp_path: Path) -> None:
    """`verify` on a copy checks the copy, and a copy starts separately."""
    with running_service(tmp_path / "var") as service:
        service.sign_up("Ada")
        seats = [{"me": True}, {"open": True}]
        service.insist("POST", "/v1/matches", {"game": "qin", "seats": seats})
        shutil.copytree(tmp_path / "var", tmp_path / "copy", ignore=sockets)
        with Redis.from_url(own_redis_url(tmp_path / "var")) as redis:
            [match, *_] = redis.scan_iter("*:match:*")
            redis.xdel(match, "1-0")
        found = service.command("verify", "--all")
        assert (found.returncode, "it has no entries." in found.stdout) == (1, True)
        said = annals(tmp_path / "copy", "verify", "--all")
        assert said.returncode == 0, said.stdout + said.stderr
        with running_service(tmp_path / "copy") as copy:
            assert copy.call("GET", "/readyz")[0] == 200


def sockets(folder: str, names: list[str]) -> list[str]:
    """Sockets, which no tool can copy."""
    return [name for name in names if Path(folder, name).is_socket()]


@pytest.mark.parametrize(
    "words", [["verify", "--all"], ["rebuild"], ["show", "m"], ["backup", "b"]]
)
def test_a_folder_without_data_stays_without(tmp_path: Path, words: list[str]) -> None:
    said = annals(tmp_path / "var", *words)
    sentence = f"There is no data in {tmp_path}/var: set ANNALS_DATA to the folder of a service.\n"
    assert (said.returncode, said.stderr) == (1, sentence)
    assert not list(tmp_path.iterdir())
