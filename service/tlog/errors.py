"""Why the log is not continued."""

from __future__ import annotations


class Contradiction(Exception):
    """To go on might sign what contradicts something that was signed before, or hide that the store
    lost something; in one sentence that says what to do.
    """


class Busy(Contradiction):
    """Somebody else continues the log in this folder."""
