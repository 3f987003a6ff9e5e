"""What nothing else tells in a position: numbers, and lists in which the same may come again."""

AGAIN = (
    "cities/*",
    "routes/*",
    "markers/*",
    "seats/*",
    "bottom/*",
    "pending/*",
    "special/*",
)
NUMBERS = (
    "active",
    "actions",  # some may be lost
    "last/posts/*",  # of several places
    "last/seat",
    "pending/extras",
    "pending/left",
    "pending/traders",
    "pending/merchants",
    "pile/*",  # markers may be out of the game
    "seats/*/prestige",
    "seats/*/ready/*",
    "seats/*/fresh/*",
    "seats/*/used/*",
    "turn",
)
