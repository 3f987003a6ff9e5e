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
    "pile/*",  # markers can be out of the game
    "seats/*/prestige",
    "seats/*/ready/*",
    "seats/*/used/*",
    "turn",
)
