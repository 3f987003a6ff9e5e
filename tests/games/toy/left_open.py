"""The paths of a position that nothing else determines, and lists that may contain equal items."""

AGAIN = (
    "bag/*",
    "hands/*",
    "points/*",
)
NUMBERS = (
    "bag/*",
    "hands/*",
    "points/*",
    "prize",
)

ONE_ANSWER = {"Seal": "TOY-2.2", "GiveIn": "TOY-3.2", "Pass": "TOY-3.1"}
"""The only legal answers that a player is asked for, and the rule that has them give it."""
