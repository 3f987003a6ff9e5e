"""The paths of a position that nothing else determines, and lists that may contain equal items."""

AGAIN = (
    "counted/*",
    "catastrophes_left/*",
    "discarded/*",
    "hands/*",
    "leaders/*",
    "points/*",
    "treasures_taken/*",
)
NUMBERS = (
    "bag/*",  # tiles may be out of the game
    "catastrophes_left/*",
    "conflict/*_total",
    "conflict/winner",
    "conflict/loser",
    "conflict/attacker",
    "counted/*/tiles",  # points may be from earlier turns
    "counted/*/king",
    "counted/*/wars",
    "counted/*/monuments",
    "discarded/*",
    "first",
    "gone/*",
    "hands/*",
    "points/*",
    "treasures_taken/*",
)
