"""What nothing else determines in a position: counts, and lists that can contain duplicates."""

AGAIN = (
    "cities/*",
    "routes/*",
    "markers/*",
    "seats/*",
    "bottom/*",
    "special/*",
)
NUMBERS = (
    "active",
    "last/posts/*",  # one of several posts
    "last/seat",
    "pile/*",  # markers can be out of the game
    "seats/*/prestige",
    "seats/*/ready/*",
    "seats/*/used/*",
    "turn",
)
