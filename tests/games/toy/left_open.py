"""The paths of a position that nothing else determines, and lists that may contain equal items."""

AGAIN = (
    "bag/*",
    "hands/*",
    "points/*",
    "sealed/*",
)
NUMBERS = (
    "agenda/*",
    "bag/*",
    "hands/*",
    "points/*",
    "prize",
    "round",
    "sealed/*",
)
