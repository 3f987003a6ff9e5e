"""What nothing else tells in a position: numbers, and lists in which the same may come again."""

AGAIN = (
    "cells/*",
    "owners/*",
    "hands/*",  # tiles come in several
    "supply/*",
)
NUMBERS = (
    "active",
    "first",
    "last/seat",  # if others were passed
    "supply/*",  # some may be out of the game
    "pile/*",
)
