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

ONE_ANSWER = {"BuildSingle": "CC-4.1"}  # one space is left
"""The only legal answers that a player is asked for, and the rule that has them give it."""
