"""No cache keeps the old name of a player after they change or delete it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.matches.container import Annals
from tests.service.api.conftest import Api, moves, open_table, play_on, register
from tests.service.api.test_pictures import settle
from tests.support.apps import app_over

NAME = "Wilhelmina"
LOOKS = [
    f"{what}{query}"
    for what in ("", "/board.svg", "/board.png", "/board.txt")
    for query in ("", "?version=3", "?as=0", "?version=3&as=0", "?version=3&as=spectator")
] + ["?version=3&as=0&sentences=true"]
QUERIES = ("", "?version=3&as=0", "?version=3&as=spectator", "?as=spectator", "?sentences=true")


@pytest.fixture
def player(annals: Annals) -> Api:
    """A player with a name that appears nowhere else."""
    return register(app_over(annals), NAME)


@pytest.fixture
def path(player: Api, bob: Api, annals: Annals) -> str:
    """A finished match of theirs."""
    path = open_table(player, bob)
    settle(annals, path, player, bob)
    return path


def rename(player: Api) -> None:
    assert player.post("/v1/me/name", {"name": "Mina"}).status_code == 200


def leave(player: Api) -> None:
    assert player.delete(f"/v1/me?name={NAME}").status_code == 204


@pytest.mark.parametrize("go", [rename, leave])
def test_a_cached_answer_with_an_old_name_is_stale(
    player: Api, path: str, nobody: Api, go: Callable[[Api], None]
) -> None:
    cached = {look: nobody.get(path + look) for look in LOOKS}
    for look, before in cached.items():
        again = nobody.get(path + look, If_None_Match=before.headers["ETag"])
        assert again.status_code == 304, look
    go(player)
    for look, before in cached.items():
        after = nobody.get(path + look, If_None_Match=before.headers["ETag"])
        assert (after.status_code, NAME.encode() in after.data) == (200, False), look
        assert after.data != before.data, look


def test_answers_with_a_name_must_be_revalidated(player: Api, path: str, nobody: Api) -> None:
    addresses = {
        rule.rule.replace("/v1/matches/<match_id:match_id>", path)
        .replace("<player>", player.id)
        .replace("<game>", "qin")
        for rule in player.app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.rule.endswith("/stream")
        if not rule.endpoint.startswith("page.")  # tests/page/ checks those
    }
    named = set()
    for address in sorted(one for one in addresses if "<" not in one):
        queries = QUERIES if address.startswith(path) else QUERIES[:1]
        for caller, query in ((player, ""), *((nobody, one) for one in queries)):
            answer = caller.get(address + query)
            if answer.status_code == 200 and NAME.encode() in answer.data:
                named.add(address)
                keep = answer.headers["Cache-Control"]
                assert "no-cache" in keep or "no-store" in keep, address + query
    assert {path, f"{path}/board.svg", f"{path}/board.txt", f"{path}/events"} <= named
    assert f"/v1/players/{player.id}" in named


def test_a_refusal_must_be_revalidated(nobody: Api) -> None:
    """The resource may exist tomorrow, or for another caller."""
    for address in ("/v1/matches/aaaaaaaaaaaa/board.svg", "/v1/players/nobody", "/v1/me"):
        assert "no-cache" in nobody.get(address).headers["Cache-Control"], address


def test_a_tag_with_names_is_good_for_a_command(player: Api, bob: Api) -> None:
    path = open_table(player, bob)
    play_on(path, player, bob, until=3)
    mover = player if moves(player, path) else bob
    tag = mover.get(path).headers["ETag"]
    move = {"move": moves(mover, path)[0]}
    assert mover.post(f"{path}/moves", move, If_Match=tag).status_code == 201
    assert mover.post(f"{path}/moves", move, If_Match=tag).status_code == 412
