"""Calls to the service as Discord makes them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask
from werkzeug.test import TestResponse

from service.matches.container import Annals
from tests.support.apps import app_over

APP = "900"
KEY = Ed25519PrivateKey.from_private_bytes(b"\x01" * 32)
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(b"\x02" * 32)


def in_discord(annals: Annals, **settings: int) -> Annals:
    """The same service as an application of Discord."""
    own = {"discord_app": APP, "discord_key": KEY.public_key().public_bytes_raw().hex()}
    return replace(annals, settings=replace(annals.settings, **own, **settings))


def post_signed(
    annals: Annals, path: str, body: Any, key: Ed25519PrivateKey = KEY, *,
    spoilt: bytes = b"", late_s: int = 0,
) -> TestResponse:  # fmt: skip
    """The answer to a signed body that may be corrupted or delayed on the way."""
    app = app_over(in_discord(annals))
    return send_signed(app, path, body, key, spoilt=spoilt, late_s=late_s)


def send_signed(
    app: Flask, path: str, body: Any, key: Ed25519PrivateKey = KEY, *,
    spoilt: bytes = b"", late_s: int = 0,
) -> TestResponse:  # fmt: skip
    """The same for an app."""
    at = str(app.extensions["annals"].annals.now() // 1000 - late_s)
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {
        "X-Signature-Ed25519": key.sign(at.encode() + raw).hex(),
        "X-Signature-Timestamp": at,
        "Content-Type": "application/json",
        "X-Request-Id": "example-example",
    }
    return app.test_client().post(path, data=raw + spoilt, headers=headers)
