"""Which answers are compressed for which client, and what their ETag matches."""

from __future__ import annotations

import gzip

import pytest
from flask import Request, Response

from service.http.compression import compress_response, compress_stream
from tests.service.api.conftest import Api, moves, open_table

GZIP = {"Accept-Encoding": "gzip, br"}


@pytest.mark.parametrize("address", ["", "/board.svg", "/events"])
def test_long_text_is_compressed_for_clients_that_accept_it(
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
    assert "Accept-Encoding" in plain.vary  # or a cache would serve either variant to any client


def test_lines_are_compressed_as_they_come(ann: Api, qin: str) -> None:
    plain, small = ann.get(f"{qin}/events.ndjson"), ann.get(f"{qin}/events.ndjson", **GZIP)
    assert gzip.decompress(small.data) == plain.data
    assert gzip.decompress(b"".join(compress_stream(iter([b"a", b"b"])))) == b"ab"


@pytest.mark.parametrize("refusal", ["identity", "gzip;q=0", "", "br"])
def test_nothing_is_compressed_for_other_clients(ann: Api, qin: str, refusal: str) -> None:
    assert "Content-Encoding" not in ann.get(qin, **{"Accept-Encoding": refusal or "x"}).headers


def test_pictures_of_points_and_short_answers_stay_as_they_are(ann: Api, qin: str) -> None:
    assert "Content-Encoding" not in ann.get(f"{qin}/board.png", **GZIP).headers
    assert "Content-Encoding" not in ann.get("/v1/me", **GZIP).headers


def test_a_token_is_never_compressed(nobody: Api) -> None:
    """Its compressed length would reveal it (BREACH), however long the answer is."""
    answer = nobody.post("/v1/players", {"name": "Ann"}, **GZIP)
    assert answer.cache_control.no_store
    assert "Content-Encoding" not in answer.headers


def test_the_etag_of_a_compressed_answer_differs_and_works_for_both_conditions(
    ann: Api,
    qin: str,
) -> None:
    plain, small = ann.get(qin).headers["ETag"], ann.get(qin, **GZIP).headers["ETag"]
    assert small == plain[:-1] + '-gzip"'
    assert ann.get(qin, If_None_Match=small, **GZIP).status_code == 304
    assert ann.get(qin, If_None_Match=small).status_code == 304
    assert ann.get(qin, If_None_Match=plain, **GZIP).status_code == 304


def test_a_command_accepts_the_etag_of_a_compressed_answer(ann: Api, bob: Api) -> None:
    qin = open_table(ann, bob, game="qin")
    mover = ann if moves(ann, qin) else bob
    move = {"move": moves(mover, qin)[0]}
    assert mover.post(f"{qin}/moves", move, If_Match='"1-0-gzip"').status_code == 412
    small = mover.get(qin, **GZIP).headers["ETag"]
    made = mover.post(f"{qin}/moves", move, If_Match=small, **GZIP)
    assert made.status_code == 201
    assert made.headers["ETag"] == '"3"'


def test_what_has_an_encoding_is_not_compressed_again() -> None:
    packed = gzip.compress(bytes(9_000), 0)
    response = Response(packed, mimetype="text/plain", headers={"Content-Encoding": "gzip"})
    compress_response(Request({"HTTP_ACCEPT_ENCODING": "gzip"}), response)
    assert response.get_data() == packed
