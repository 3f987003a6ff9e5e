"""What nothing else tells in a position: numbers, and lists in which the same may come again."""

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
