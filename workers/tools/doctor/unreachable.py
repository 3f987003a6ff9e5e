"""Why the public address does not lead to this service, and the cure."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Mapping
from urllib.parse import urlsplit

from workers.tools.doctor.finding import Finding

BEHIND_A_PROXY = "See docs/hosting.md, Behind a proxy."
EXPIRED, NOT_YET_VALID = 10, 9
OTHER_NAME = (62, 64)
"""The certificate is for another name, or for another address."""
UNKNOWN_AUTHORITY = (18, 19, 20, 21)
"""The certificate signs itself, or a certificate between it and a known authority is missing."""
CERTIFICATE_CURES: Mapping[int, tuple[str, str]] = {
    EXPIRED: (
        "The certificate of {} has expired.",
        "Renew it, such as with `certbot renew`, and let the proxy read it (reload it).",
    ),
    NOT_YET_VALID: (
        "The certificate of {} is not valid yet.",
        "Synchronize the clocks of this machine and of the one that made it.",
    ),
    **dict.fromkeys(OTHER_NAME, (
        "The certificate of {} is for another name.",
        "Get one for this name, or correct ANNALS_PUBLIC_URL, or the address on the page /setup.",
    )),
    **dict.fromkeys(UNKNOWN_AUTHORITY, (
        "The certificate of {} is not from an authority that this machine knows.",
        "Let the proxy send the whole chain (fullchain.pem). If the authority is your own, name it"
        " for this command: SSL_CERT_FILE=ca.pem annals doctor",
    )),
}  # fmt: skip
"""What to say about a certificate that is not valid, by the code of OpenSSL."""
WITHOUT_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL")
"""The reasons of OpenSSL if the other side answers in plain text."""


def explain_error(url: str, error: Exception) -> Finding:
    """Return why a request to the public address failed."""
    if isinstance(error, ssl.SSLCertVerificationError):
        text, cure = CERTIFICATE_CURES.get(
            error.verify_code,
            (f"The certificate of {{}} is not valid: {error.verify_message}.", "Renew it."),
        )
        return Finding("tls", "fail", text.format(url), cure)
    if isinstance(error, ssl.SSLError):
        return _explain_tls(url, error)
    if isinstance(error, socket.gaierror):
        text = f"The name in {url} has no address."
        return Finding("address", "fail", text, "Add it to the DNS.")
    if isinstance(error, ConnectionRefusedError):
        text = f"Nothing listens at {url}."
        cure = f"Start the proxy, and let the firewall permit its port. {BEHIND_A_PROXY}"
        return Finding("address", "fail", text, cure)
    if isinstance(error, TimeoutError):
        text = f"{url} does not answer."
        cure = "Look whether its name has the address of this machine, and a firewall its port."
        return Finding("address", "fail", text, cure)
    text = f"{url} can't be reached from here: {error!r}."
    return Finding("address", "fail", text, BEHIND_A_PROXY)


def _explain_tls(url: str, error: ssl.SSLError) -> Finding:
    if error.reason in WITHOUT_TLS:
        cure = f"Let the proxy use TLS at this port (`listen 443 ssl`). {BEHIND_A_PROXY}"
        return Finding("tls", "fail", f"{url} answers without TLS.", cure)
    text = f"{url} refuses TLS: {error.reason or error}."
    cure = "Look into the log of the proxy: it may have no certificate for this name."
    return Finding("tls", "fail", text, cure)


def explain_answer(url: str, here: str, status: int, location: str) -> Finding:
    """Return why an answer is not from this service; `here` is its address on this machine."""
    target = urlsplit(location)
    if 300 <= status < 400 and target.netloc and target[:2] != urlsplit(url)[:2]:
        text = f"{url} leads to {target.scheme}://{target.netloc}."
        cure = "Set that as ANNALS_PUBLIC_URL, or on the page /setup."
        return Finding("address", "fail", text, cure)
    if 502 <= status <= 504:
        text = f"The proxy at {url} does not reach the service ({status})."
        cure = f"Let it pass requests to {here}, as `annals sample nginx.conf` does."
        return Finding("address", "fail", text, cure)
    text = f"{url} does not lead to this service ({status})."
    return Finding("address", "fail", text, BEHIND_A_PROXY)
