"""The key by which push services know this house, and the tokens that it signs: VAPID, RFC 8292."""

from __future__ import annotations

import secrets
from functools import cached_property
from typing import cast
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    derive_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from redis import Redis

from service.channels.push.encryption import from_base64url, to_base64url, write_public_key

VAPID_KEY = "push:key"
"""The key in Redis. A backup contains it, so browsers stay subscribed after a restore."""
TOKEN_LIFETIME_S = 12 * 3_600
"""Push services refuse tokens that end more than a day ahead."""
NUMBER_BYTES = 32
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of P-256: a private key is a number from 1 to one less."""
RANDOM_BYTES = NUMBER_BYTES + 8
"""8 bytes more than a key has make all keys as good as equally likely (FIPS 186-5, A.2.1)."""
_HEADER = to_base64url(b'{"typ":"JWT","alg":"ES256"}')


def _read(stored: bytes) -> EllipticCurvePrivateKey:
    return derive_private_key(int.from_bytes(from_base64url(stored.decode())), SECP256R1())


class VapidKey:
    """The P-256 key of the house, created on first use and stored in Redis for all processes."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    @cached_property
    def _private(self) -> EllipticCurvePrivateKey:
        return _read(self._load() or self._create())

    def _load(self) -> bytes | None:
        return cast("bytes | None", self._redis.get(VAPID_KEY))

    def _create(self) -> bytes:
        number = int.from_bytes(secrets.token_bytes(RANDOM_BYTES)) % (ORDER - 1) + 1
        fresh = to_base64url(number.to_bytes(NUMBER_BYTES))
        self._redis.set(VAPID_KEY, fresh, nx=True)  # another process may have been first
        stored = self._load()
        assert stored
        return stored

    @cached_property
    def public_key(self) -> str:
        """The public key in base64url: browsers take it as `applicationServerKey`."""
        return to_base64url(write_public_key(self._private.public_key()))

    def find_public_key(self) -> str | None:
        """Return the public key, or None if the house has none yet. Raises ValueError if what is
        stored is no key.
        """
        return self.public_key if self._load() else None

    def authorize(self, endpoint: str, subject: str, now: int) -> str:
        """Return the `Authorization` header of a request to an endpoint at a time (ms since the
        epoch). `subject` is where the push service can reach the operator: a `mailto:` or `https:`
        address.
        """
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": now // 1000 + TOKEN_LIFETIME_S,
            "sub": subject,
        }
        content = f"{_HEADER}.{to_base64url(msgspec.json.encode(claims))}"
        return f"vapid t={content}.{self._sign(content.encode())}, k={self.public_key}"

    def _sign(self, content: bytes) -> str:
        numbers = decode_dss_signature(self._private.sign(content, ECDSA(SHA256())))
        return to_base64url(b"".join(one.to_bytes(NUMBER_BYTES) for one in numbers))
