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
