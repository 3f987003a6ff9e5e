"""The paths of a position that nothing else determines, and lists that may contain equal items."""

AGAIN = (
    "hands/*",  # cards may be out of the game
    "points/*",  # two seats may have as many
)
NUMBERS = (
    "cards/*",
    "first",
    "hands/*",
    "pieces/*/seat",
    "points/*",  # of earlier regions and cards, whose walls have changed since
    "prestige/*",  # of regions without a scoring
    "seen/*",
    "threats/*",
    "turn",
)
