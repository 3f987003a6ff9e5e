"""Signatures by Standard Webhooks 1.0.0: `v1` with a shared secret, `v1a` with the service's key.

The signed content is the message id, a dot, the time of the attempt (seconds since the epoch), a
dot, and the exact bytes of the body.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from typing import cast

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis import Redis

from service.runtime.errors import REDIS_ERRORS

SECRET_PREFIX = "whsec_"  # noqa: S105 - a prefix
PUBLIC_KEY_PREFIX = "whpk_"
PRIVATE_KEY_PREFIX = "whsk_"
SECRET_BYTES = 32
_KEY = "webhooks:key"


def new_secret() -> str:
    """Return a new secret, shared by the subscriber and the service."""
    return SECRET_PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


class SigningKey:
    """The Ed25519 key of the service, created at the first start and stored in Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def ensure_key(self) -> None:
        """Create the key if there is none; does nothing if Redis is full and refuses writes."""
        with suppress(*REDIS_ERRORS):
            _ = self._private

    @cached_property
    def _private(self) -> Ed25519PrivateKey:
        stored = self._load() or self._create()
        seed = b64decode(stored.decode().removeprefix(PRIVATE_KEY_PREFIX))
        return Ed25519PrivateKey.from_private_bytes(seed)

    def _load(self) -> bytes | None:
        return cast("bytes | None", self._redis.get(_KEY))

    def _create(self) -> bytes:
        fresh = PRIVATE_KEY_PREFIX + b64encode(secrets.token_bytes(32)).decode()
        self._redis.set(_KEY, fresh, nx=True)
        stored = self._load()
        assert stored
        return stored

    @property
    def public_key(self) -> str:
        """The public key, with which everyone can verify `v1a` signatures."""
        return PUBLIC_KEY_PREFIX + b64encode(self._private.public_key().public_bytes_raw()).decode()

    def sign(self, content: bytes) -> str:
        """Return the `v1a` signature of the content."""
        return f"v1a,{b64encode(self._private.sign(content)).decode()}"


def signature_headers(
    message_id: str, at_s: int, body: bytes, shared_secrets: Iterable[str], key: SigningKey
) -> dict[str, str]:
    """Return the three headers of a message, with one signature per shared secret and one by the
    service's key.
    """
    content = b"%b.%d.%b" % (message_id.encode(), at_s, body)
    signatures = [
        *(_sign_with_secret(secret, content) for secret in shared_secrets),
        key.sign(content),
    ]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(at_s),
        "webhook-signature": " ".join(signatures),
    }


def _sign_with_secret(secret: str, content: bytes) -> str:
    key = b64decode(secret.removeprefix(SECRET_PREFIX))
    return f"v1,{b64encode(hmac.digest(key, content, hashlib.sha256)).decode()}"
