"""Why something that is to be checked is not believed."""

from __future__ import annotations


class Unproven(ValueError):
    """What was to be shown is not shown, or not in the form it must have; in one sentence."""
