"""The routes of the transparency log, and proofs that a client can verify without the service."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from redis import Redis

from domain.audit.log_entries import HeadLeaf, OpenLeaf, read_leaf
from domain.audit.notes import Note, Witness, read_checkpoint, read_key, read_note
from domain.audit.proofs import check_proof, read_proof
from service.matches.container import Annals
from service.tlog.checkpoint_signer import CheckpointSigner
from service.tlog.folder import Folder
from service.tlog.keys import Keys
from tests.service.api.conftest import Api, Clock, open_table, register
from tests.support.apps import app_over

ORIGIN = "annals.example/v1/log"
TEN_MINUTES = 600_000


@pytest.fixture
def annals(annals: Annals, tmp_path: Path) -> Annals:
    return replace(annals, settings=replace(annals.settings, tlog=str(tmp_path / "tlog")))


@pytest.fixture
def folder(annals: Annals) -> Folder:
    assert annals.settings.tlog_folder
    return Folder(annals.settings.tlog_folder)


@pytest.fixture
def notary(annals: Annals, folder: Folder) -> CheckpointSigner:
    return CheckpointSigner(folder, annals.store, Keys(folder.path, ()), ORIGIN)


def prove(api: Api, path: str, leaf: str = "newest") -> OpenLeaf | HeadLeaf:
    """The leaf of a match, verified with the public key."""
    keys = [read_key(line) for line in api.get("/v1/log/keys").text.split()]
    proof = read_proof(api.get(f"{path}/proof?leaf={leaf}").text)
    check_proof(proof, proof.extra, keys)
    return read_leaf(proof.extra)


def test_a_proof_of_the_newest_leaf_and_of_the_opening(
    notary: CheckpointSigner, toy: str, ann: Api, nobody: Api, clock: Clock
):
    notary.step(clock())
    opening = prove(nobody, toy)
    assert isinstance(opening, OpenLeaf)
    seen = ann.get(toy).json
    assert opening.seed_hash == seen["seed_hash"]
    notary.step(clock() + TEN_MINUTES)
    newest = prove(nobody, toy)
    assert isinstance(newest, HeadLeaf)
    assert (newest.version, newest.head, newest.state) == (seen["version"], seen["head"], "turn")
    assert prove(nobody, toy, "open") == opening


def test_a_leaf_outside_the_checkpoint_has_no_proof(
    notary: CheckpointSigner, toy: str, nobody: Api, clock: Clock
):
    answer = nobody.get(f"{toy}/proof")
    assert (answer.status_code, answer.json["code"]) == (404, "not_logged")
    notary.step(clock())
    assert nobody.get(f"{toy}/proof").status_code == 200
    assert nobody.get(f"{toy}/proof?leaf=last").status_code == 400
    assert nobody.get("/v1/matches/m-that-is-not/proof").json["code"] == "not_found"


def test_a_hidden_match_has_no_proof(
    notary: CheckpointSigner, ann: Api, cid: Api, nobody: Api, clock: Clock
):
    path = open_table(ann, visibility="private")
    notary.step(clock())
    assert isinstance(prove(ann, path), OpenLeaf)
    for stranger in (cid, nobody):
        assert stranger.get(f"{path}/proof").json["code"] == "not_found"


def test_a_leaf_reveals_only_the_id_of_a_private_match(
    notary: CheckpointSigner, ann: Api, nobody: Api, clock: Clock
):
    path = open_table(ann, visibility="private")
    notary.step(clock())
    bundle = nobody.get("/v1/log/tile/entries/000.p/1").data
    assert path.rpartition("/")[2].encode() in bundle
    assert len(bundle) < 300
    for secret in (ann.id, "toy", "private", "Ann"):
        assert secret.encode() not in bundle


def test_the_checkpoint_and_the_tiles(
    notary: CheckpointSigner, folder: Folder, toy: str, nobody: Api, clock: Clock
):
    notary.step(clock())
    checkpoint = nobody.get("/v1/log/checkpoint")
    assert checkpoint.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert checkpoint.headers["Cache-Control"] == "public, max-age=2"
    assert read_checkpoint(read_note(checkpoint.text).text).size == 1
    assert checkpoint.data == (folder.public / "checkpoint").read_bytes()
    tile = nobody.get("/v1/log/tile/0/000.p/1")
    assert tile.headers["Content-Type"] == "application/octet-stream"
    assert "immutable" in tile.headers["Cache-Control"]
    assert tile.data == (folder.public / "tile/0/000.p/1").read_bytes()
    again = nobody.get("/v1/log/tile/0/000.p/1", If_None_Match=tile.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "0/000", "0/000.p/2", "0/000.p/0", "0/000.p/256", "0/0", "1/000", "64/000", "0/x000/000",
        "entries/001", "../state", "..%2f..%2fsecret-keys", "0/..", "0/000.p/", "%00", "0//000",
    ],
)  # fmt: skip
def test_other_paths_are_not_tiles(
    notary: CheckpointSigner, toy: str, nobody: Api, clock: Clock, path: str
):
    notary.step(clock())
    assert nobody.get(f"/v1/log/tile/{path}").status_code == 404


def test_a_stopped_log_says_why(
    notary: CheckpointSigner, folder: Folder, toy: str, nobody: Api, clock: Clock
):
    notary.step(clock())
    folder.set_stop_reason("It is an older copy.")
    answer = nobody.get("/v1/log/checkpoint")
    assert (answer.status_code, answer.json["code"]) == (503, "log_stopped")
    assert answer.json["detail"] == "It is an older copy."
    assert nobody.get(f"{toy}/proof").status_code == 200
    folder.set_stop_reason(None)
    assert nobody.get("/v1/log/checkpoint").status_code == 200


def test_a_service_without_a_log(annals: Annals, app: Flask):
    paths = ("checkpoint", "keys", "tile/0/000")
    assert [Api(app).get(f"/v1/log/{path}").status_code for path in paths] == [404, 404, 404]
    off = app_over(replace(annals, settings=replace(annals.settings, tlog="off")))
    assert [Api(off).get(f"/v1/log/{path}").status_code for path in paths] == [404, 404, 404]
    assert Api(off).get(open_table(register(off, "Ann")) + "/proof").status_code == 404


def test_a_proof_prefers_the_witnessed_checkpoint(notary: CheckpointSigner, ann: Api, clock: Clock):
    first = open_table(ann)
    notary.step(clock())
    witness = Witness("witness.example/w1", bytes(32))
    text = notary.checkpoint().text
    notary.add_cosignatures(text, witness.key, (witness.cosign(text, clock() // 1000),))
    second = open_table(ann)
    notary.step(clock())
    assert _signers(read_proof(ann.get(f"{first}/proof").text).checkpoint) == 2
    assert _signers(read_proof(ann.get(f"{second}/proof").text).checkpoint) == 1


def test_proofs_need_nothing_written(
    notary: CheckpointSigner, toy: str, nobody: Api, clock: Clock, redis_client: Redis
):
    notary.step(clock())
    redis_client.config_set("maxmemory", 1)
    try:
        assert nobody.get(f"{toy}/proof").status_code == 200
        assert nobody.get("/v1/log/checkpoint").status_code == 200
    finally:
        redis_client.config_set("maxmemory", 0)


def _signers(note: Note) -> int:
    return len(note.signatures)
