"""What nothing else tells in a position: numbers, and lists in which the same may come again."""

AGAIN = (
    "hands/*",  # cards may be out of the game
    "points/*",
)
NUMBERS = (
    "cards/*",
    "first",
    "hands/*",
    "last/seat",
    "last/turn",
    "pieces/*/seat",
    "prestige/*",  # of regions that were not scored
    "seen/*",
    "tally/extra/*",  # if several may have used the card
    "tally/waiting/*",  # if the card lies nowhere
    "threats/*",
    "turn",
)
