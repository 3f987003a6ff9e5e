"""The paths of a position that nothing else determines, and lists that may contain equal items."""

AGAIN = (
    "committed/*",
    "counted/*",
    "catastrophes_left/*",
    "discarded/*",
    "hands/*",
    "leaders/*",
    "points/*",
    "treasures_taken/*",
)
NUMBERS = (
    "active",
    "agenda/*/left",
    "agenda/*/discarded",
    "bag/*",  # tiles may be out of the game
    "catastrophes_left/*",
    "committed/*",
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
    "last/seat",
    "points/*",
    "treasures_taken/*",
)
