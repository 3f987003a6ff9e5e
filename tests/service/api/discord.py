"""Calling the service as Discord does."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from werkzeug.test import TestResponse

from service.annals import Annals
from service.app import create_app

APP = "900"
KEY = Ed25519PrivateKey.from_private_bytes(b"\x01" * 32)
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(b"\x02" * 32)


def in_discord(annals: Annals) -> Annals:
    """The same service as an application of Discord."""
    public = KEY.public_key().public_bytes_raw().hex()
    return replace(annals, settings=replace(annals.settings, discord_app=APP, discord_key=public))


def signed(
    annals: Annals, path: str, body: Any, key: Ed25519PrivateKey = KEY, *,
    spoilt: bytes = b"", late_s: int = 0,
) -> TestResponse:  # fmt: skip
    """What is answered to a body that is signed, and perhaps spoilt or late on the way."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    at = str(annals.now() // 1000 - late_s)
    headers = {
        "X-Signature-Ed25519": key.sign(at.encode() + raw).hex(),
        "X-Signature-Timestamp": at,
        "Content-Type": "application/json",
        "X-Request-Id": "example-example",
    }
    client = create_app(in_discord(annals)).test_client()
    return client.post(path, data=raw + spoilt, headers=headers)
