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

ONE_ANSWER = {"EndTurn": "HT-3.3", "RelocatePiece": "HT-5.3"}
"""The only legal answers that a player is asked for, and the rule that has them give it."""
