"""What nothing else determines in a position: counts, and lists that can contain duplicates."""

AGAIN = ()
NUMBERS = (
    "barricades/*",
    "clans/*/claimed/*/shame",  # the pool may have lost one
    "clans/*/overseers/*/level",
    "clans/*/resources/*",
    "shame",  # tokens may have left the game
    "slot",
    "walls/*",
    "warehouse/*",
)
