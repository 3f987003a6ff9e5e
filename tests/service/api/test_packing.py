"""What is packed for whom, and what its ETag is good for."""

from __future__ import annotations

import gzip

import pytest

from service.http.compression import packed
from tests.service.api.conftest import Api, moves, opened

GZIP = {"Accept-Encoding": "gzip, br"}


@pytest.mark.parametrize("address", ["", "/board.svg", "/events"])
def test_text_of_some_length_is_packed_for_those_who_take_it(
    ann: Api,
    qin: str,
    address: str,
) -> None:
    plain, small = ann.get(qin + address), ann.get(qin + address, **GZIP)
    assert small.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(small.data) == plain.data
    assert len(small.data) < len(plain.data)
    assert "Accept-Encoding" in small.vary
    assert "Accept-Encoding" in plain.vary  # or a cache would give either to anybody


def test_lines_are_packed_as_they_come(ann: Api, qin: str) -> None:
    lines = {"Accept": "application/x-ndjson"}
    plain, small = ann.get(f"{qin}/events", **lines), ann.get(f"{qin}/events", **lines, **GZIP)
    assert gzip.decompress(small.data) == plain.data
    assert gzip.decompress(b"".join(packed(iter([b"a", b"b"])))) == b"ab"


@pytest.mark.parametrize("refusal", ["identity", "gzip;q=0", "", "br"])
def test_nothing_is_packed_for_those_who_do_not(ann: Api, qin: str, refusal: str) -> None:
    assert "Content-Encoding" not in ann.get(qin, **{"Accept-Encoding": refusal or "x"}).headers


def test_pictures_of_points_and_short_answers_stay_as_they_are(ann: Api, qin: str) -> None:
    assert "Content-Encoding" not in ann.get(f"{qin}/board.png", **GZIP).headers
    assert "Content-Encoding" not in ann.get("/v1/me", **GZIP).headers


def test_a_token_is_never_packed(nobody: Api) -> None:
    """Its length must not tell of it (BREACH), however long the answer may become."""
    answer = nobody.post("/v1/players", {"name": "Ann"}, **GZIP)
    assert answer.cache_control.no_store
    assert "Content-Encoding" not in answer.headers


def test_the_tag_of_a_packed_answer_is_another_one_and_good_for_both_conditions(
    ann: Api,
    qin: str,
) -> None:
    plain, small = ann.get(qin).headers["ETag"], ann.get(qin, **GZIP).headers["ETag"]
    assert small == plain[:-1] + '-gzip"'
    assert ann.get(qin, If_None_Match=small, **GZIP).status_code == 304
    assert ann.get(qin, If_None_Match=small).status_code == 304
    assert ann.get(qin, If_None_Match=plain, **GZIP).status_code == 304


def test_a_command_takes_the_tag_of_a_packed_answer(ann: Api, bob: Api) -> None:
    qin = opened(ann, bob, game="qin")
    mover = ann if moves(ann, qin) else bob
    move = {"move": moves(mover, qin)[0]}
    assert mover.post(f"{qin}/moves", move, If_Match='"1-0-gzip"').status_code == 412
    small = mover.get(qin, **GZIP).headers["ETag"]
    made = mover.post(f"{qin}/moves", move, If_Match=small, **GZIP)
    assert made.status_code == 201
    assert made.headers["ETag"] == '"3"'
