"""The box: cards and a die."""

from __future__ import annotations

VALUES = range(1, 7)
COPIES = 5
HAND = 3
CHALLENGES = 2
SIDES = 6
