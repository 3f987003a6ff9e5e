"""What nothing else determines in a position: counts, and lists that can contain duplicates."""

AGAIN = (
    "agenda/*",  # the same step can be planned twice
    "agenda/*/moved/*",
    "last/*",
)
NUMBERS = (
    "agenda/*/amount",
    "agenda/*/at",
    "agenda/*/bill/*",
    "agenda/*/clan",
    "agenda/*/clans/*",
    "agenda/*/clerk/*",
    "agenda/*/context/*",
    "agenda/*/declarer",
    "agenda/*/each_section",
    "agenda/*/failed/*/0",
    "agenda/*/got",
    "agenda/*/here/context/*",
    "agenda/*/keep",
    "agenda/*/left",
    "agenda/*/less",
    "agenda/*/made/*",
    "agenda/*/proposed/*",
    "agenda/*/seat",
    "agenda/*/seats/*",
    "agenda/*/sections",
    "agenda/*/shot/*",
    "agenda/*/slot",
    "agenda/*/step/*",
    "agenda/*/windows/*/*",
    "barricades/*",
    "breaches",  # of this Winter
    "clans/*/claimed/*/shame",  # the pool may have lost one
    "clans/*/overseers/*/level",
    "clans/*/resources/*",
    "defeats",  # of this Year
    "doubled/*",
    "last/*/clan",
    "shame",  # tokens may have left the game
    "slot",
    "walls/*",
    "warehouse/*",
)
