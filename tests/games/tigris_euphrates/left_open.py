"""The paths of a position that nothing else determines, and lists that may contain equal items."""

AGAIN = (
    "catastrophes_left/*",
    "discarded/*",
    "hands/*",
    "leaders/*",
    "points/*",
    "treasures_taken/*",
)
NUMBERS = (
    "bag/*",  # tiles may be out of the game
    "catastrophes_left/*",
    "discarded/*",
    "first",
    "gone/*",
    "hands/*",
    "points/*",
    "treasures_taken/*",
)

ONE_ANSWER = {"CommitTiles": "TE-9.3"}  # who is asked reveals no hand
"""The only legal answers that a player is asked for, and the rule that has them give it."""
