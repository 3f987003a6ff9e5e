"""Messages are encrypted as RFC 8291 has it, and signed as RFC 8292 has it."""

from __future__ import annotations

import json

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from redis import Redis

from service.channels.push.encryption import MAX_PLAIN_BYTES, encrypt
from service.channels.push.vapid import VapidKey
from tests.support.push_browser import AUTH, BROWSER, decode, encode, private_key, public_bytes

RFC_MESSAGE = b"When I grow up, I want to be a watermelon"
RFC_SENDER, RFC_SALT = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "DGv6ra1nlYgDCS1FRnbzlw"
RFC_BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
    "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy"
    "4a-fN"
)
"""The example of RFC 8291, section 5."""


def test_the_example_of_the_rfc() -> None:
    key, auth = public_bytes(BROWSER.key), decode(AUTH)
    body = encrypt(RFC_MESSAGE, key, auth, private_key(RFC_SENDER), decode(RFC_SALT))
    assert encode(body) == RFC_BODY


def test_a_browser_reads_what_was_encrypted_for_it_alone() -> None:
    text = json.dumps("x" * (MAX_PLAIN_BYTES - 2)).encode()
    first, second = (encrypt(text, public_bytes(BROWSER.key), BROWSER.auth) for _ in range(2))
    assert len(first) == 4_096
    assert first != second, "another key and another salt each time"
    assert BROWSER.decrypt(first) == BROWSER.decrypt(second) == json.loads(text)
    with pytest.raises(ValueError, match="3993 bytes"):
        encrypt(text + b" ", public_bytes(BROWSER.key), BROWSER.auth)


def test_all_processes_sign_with_one_key(redis_client: Redis) -> None:
    ours, theirs = VapidKey(redis_client), VapidKey(redis_client)
    header = ours.authorize("https://push.example:444/x?y", "mailto:a@example.com", 1_000_000)
    token, key = header.removeprefix("vapid t=").split(", k=")
    assert key == theirs.public_key
    assert VapidKey(redis_client).public_key == key, "kept over restarts"
    head, claims, signature = token.split(".")
    assert json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(decode(claims)) == {
        "aud": "https://push.example:444", "exp": 1_000 + 12 * 3_600, "sub": "mailto:a@example.com",
    }  # fmt: skip
    numbers = [int.from_bytes(decode(signature)[at : at + 32]) for at in (0, 32)]
    signed, content = encode_dss_signature(*numbers), f"{head}.{claims}".encode()
    point = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decode(key))
    point.verify(signed, content, ECDSA(SHA256()))
    with pytest.raises(InvalidSignature):
        generate_private_key(SECP256R1()).public_key().verify(signed, content, ECDSA(SHA256()))
