"""Signatures as Standard Webhooks 1.0.0 has them: `v1` by a shared secret, `v1a` by our key.

What is signed is the id of a message, a dot, the time of this try (seconds since the epoch), a dot,
and exactly the bytes of the body.
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
from redis.exceptions import RedisError

SECRET = "whsec_"  # noqa: S105 - what all of them begin with
PUBLIC_KEY = "whpk_"
PRIVATE_KEY = "whsk_"
SECRET_BYTES = 32
_KEY = "webhooks:key"


def new_secret() -> str:
    """A secret that a subscriber and we share."""
    return SECRET + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


class SigningKey:
    """The Ed25519 key of the service, made at the first start and kept in Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def get_ready(self) -> None:
        """Make the key while it can be kept: a full Redis can only be read."""
        with suppress(RedisError):
            _ = self._private

    @cached_property
    def _private(self) -> Ed25519PrivateKey:
        kept = self._kept() or self._made()
        seed = b64decode(kept.decode().removeprefix(PRIVATE_KEY))
        return Ed25519PrivateKey.from_private_bytes(seed)

    def _kept(self) -> bytes | None:
        return cast("bytes | None", self._redis.get(_KEY))

    def _made(self) -> bytes:
        fresh = PRIVATE_KEY + b64encode(secrets.token_bytes(32)).decode()
        self._redis.set(_KEY, fresh, nx=True)
        kept = self._kept()
        assert kept
        return kept

    @property
    def public(self) -> str:
        """What anybody can check `v1a` with."""
        return PUBLIC_KEY + b64encode(self._private.public_key().public_bytes_raw()).decode()

    def sign(self, content: bytes) -> str:
        """The signature `v1a` of what is signed."""
        return f"v1a,{b64encode(self._private.sign(content)).decode()}"


def signed_headers(
    name: str, at_s: int, body: bytes, shared: Iterable[str], key: SigningKey
) -> dict[str, str]:
    """The three headers of a message, sent at a time, with a signature by each of these secrets and
    one by the key of the service.
    """
    content = b"%b.%d.%b" % (name.encode(), at_s, body)
    signatures = [*(_by_secret(secret, content) for secret in shared), key.sign(content)]
    return {
        "webhook-id": name,
        "webhook-timestamp": str(at_s),
        "webhook-signature": " ".join(signatures),
    }


def _by_secret(secret: str, content: bytes) -> str:
    key = b64decode(secret.removeprefix(SECRET))
    return f"v1,{b64encode(hmac.digest(key, content, hashlib.sha256)).decode()}"
