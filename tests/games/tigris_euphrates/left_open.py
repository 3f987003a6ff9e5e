"""What nothing else tells in a position: numbers, and lists in which the same may come again."""

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
    "counted/*/tiles",  # points may be of before
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
