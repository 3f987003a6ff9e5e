"""Encrypts messages for one browser: `aes128gcm` (RFC 8188) with keys as Web Push has them (RFC
8291). A push service passes them on and can't read them.
"""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RECORD_BYTES = 4_096
"""The size of a record in the header; a message is one record."""
MAX_PLAIN_BYTES = 3_993
"""The longest message: push services take 4,096 bytes, of which the header has 86, the padding 1
and the tag 16.
"""
PUBLIC_KEY_BYTES, AUTH_BYTES, SALT_BYTES = 65, 16, 16
_LAST_RECORD = b"\x02"


def encrypt(
    message: bytes,
    public_key: bytes,
    auth: bytes,
    sender: EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return the body of a request with a message for the browser that has this public key (65
    bytes) and this secret (16 bytes). Without `sender` and `salt`, which a test gives, both are
    new. Raises ValueError if the message is too long, or the key is none.
    """
    if len(message) > MAX_PLAIN_BYTES:
        raise ValueError(f"A push message has at most {MAX_PLAIN_BYTES} bytes.")
    own, salt = sender or generate_private_key(SECP256R1()), salt or os.urandom(SALT_BYTES)
    shared = own.exchange(ECDH(), read_public_key(public_key))
    own_public = write_public_key(own.public_key())
    secret = _derive(shared, auth, b"WebPush: info\0" + public_key + own_public, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(key).encrypt(nonce, message + _LAST_RECORD, None)
    header = salt + RECORD_BYTES.to_bytes(4) + bytes([len(own_public)]) + own_public
    return header + sealed


def read_public_key(point: bytes) -> EllipticCurvePublicKey:
    """Return a key from its 65 bytes, as browsers write them. Raises ValueError."""
    if len(point) != PUBLIC_KEY_BYTES:
        raise ValueError("A public key has 65 bytes.")
    return EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)


def write_public_key(key: EllipticCurvePublicKey) -> bytes:
    """Return the 65 bytes of a key."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def to_base64url(content: bytes) -> str:
    """Return bytes in base64url without padding."""
    return urlsafe_b64encode(content).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    """Return the bytes of a text in base64url, with or without padding. Raises ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
