"""A browser that gets push messages: its keys, and how it decrypts what a push service passes on.

The keys are those of the example in RFC 8291, section 5.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PRIVATE_KEY = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
ENDPOINT = "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"


def decode(text: str) -> bytes:
    """The bytes of a text in base64url without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """A private key from its number."""
    return ec.derive_private_key(int.from_bytes(decode(text)), ec.SECP256R1())


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass
class PushBrowser:
    """The secrets of one browser."""

    key: ec.EllipticCurvePrivateKey
    auth: bytes

    def subscription(self, endpoint: str = ENDPOINT, **more: Any) -> dict[str, Any]:
        """The body of a request that subscribes it."""
        keys = {"p256dh": encode(public_bytes(self.key)), "auth": encode(self.auth)}
        return {"endpoint": endpoint, "keys": keys, **more}

    def decrypt(self, body: bytes) -> Any:
        """The JSON of a message, as RFC 8188 and RFC 8291 say it."""
        salt, length = body[:16], body[20]
        assert int.from_bytes(body[16:20]) >= len(body) - 21 - length, "one record"
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        info = b"WebPush: info\x00" + public_bytes(self.key) + sender
        shared = self.key.exchange(ec.ECDH(), point)
        secret = HKDF(SHA256(), 32, self.auth, info).derive(shared)
        key, nonce = (
            HKDF(SHA256(), size, salt, name).derive(secret)
            for size, name in (
                (16, b"Content-Encoding: aes128gcm\x00"),
                (12, b"Content-Encoding: nonce\x00"),
            )
        )
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\x00")
        assert plain[-1:] == b"\x02", "the last record"
        return json.loads(plain[:-1])


BROWSER = PushBrowser(private_key(PRIVATE_KEY), decode(AUTH))
