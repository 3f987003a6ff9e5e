"""Links that invite to the open seats of a private table, or to those of absent players."""

from __future__ import annotations

import hashlib
import hmac

from domain.match.state import Match

INVITATION_BYTES = 16


def invitation_to(match: Match) -> str:
    """Return the secret of the link to a table. It follows from the secret of the match, so it is
    stored nowhere else; a seed that its host gave does not reveal it.
    """
    what = f"annals/invitation|{match.id}".encode()
    return hmac.digest(match.salt_key, what, hashlib.sha256)[:INVITATION_BYTES].hex()


def is_invitation(match: Match, given: str | None) -> bool:
    """Return whether this is the secret of a link to the table, and a seat is still open to all."""
    is_open = bool(match.replaceable) or (
        match.status == "open"
        and any(chair.free and chair.invited is None for chair in match.chairs)
    )
    expected = invitation_to(match).encode()
    return is_open and hmac.compare_digest(expected, (given or "").encode())
