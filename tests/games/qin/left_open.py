"""The paths of a position that nothing else determines, and lists that may contain equal items."""

AGAIN = (
    "cells/*",
    "owners/*",
    "hands/*",  # several tiles are equal
    "supply/*",
)
NUMBERS = (
    "active",
    "first",
    "supply/*",  # some may be out of the game
    "pile/*",
)
