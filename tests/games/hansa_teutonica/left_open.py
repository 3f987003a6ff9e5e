"""What nothing else determines in a position: counts, and lists that can contain duplicates."""

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
    "actions",  # some can be lost
    "last/posts/*",  # one of several posts
    "last/seat",
    "pending/extras",
    "pending/left",
    "pending/traders",
    "pending/merchants",
    "pile/*",  # markers can be out of the game
    "seats/*/prestige",
    "seats/*/ready/*",
    "seats/*/fresh/*",
    "seats/*/used/*",
    "turn",
)
