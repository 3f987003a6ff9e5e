"""The paths of a position that nothing else determines, and lists that may contain equal items."""

AGAIN = (
    "hands/*",  # cards may be out of the game
    "points/*",
)
NUMBERS = (
    "cards/*",
    "first",
    "hands/*",
    "pieces/*/seat",
    "points/*",
    "prestige/*",  # of regions without a scoring
    "seen/*",
    "threats/*",
    "turn",
)
