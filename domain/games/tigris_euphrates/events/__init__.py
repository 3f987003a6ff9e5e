"""What can happen; each fact writes itself down."""

from domain.engine.play import Event
from domain.games.tigris_euphrates.events.conflicts import (
    ConflictBegan,
    RevoltDecided,
    TilesCommitted,
    WarChosen,
    WarDecided,
)
from domain.games.tigris_euphrates.events.monuments import (
    MonumentBuilt,
    MonumentDeclined,
    MonumentScored,
    TreasuresTaken,
)
from domain.games.tigris_euphrates.events.pieces import (
    CatastrophePlaced,
    KingdomsUnited,
    LeaderExiled,
    LeaderMoved,
    LeaderPlaced,
    LeaderWithdrawn,
    TilePlaced,
    TileScored,
    UnificationTileRemoved,
)
from domain.games.tigris_euphrates.events.turn import (
    ActionPassed,
    BagRanOut,
    GameEnded,
    StartPlayerChosen,
    TileDiscarded,
    TilesDrawn,
    TurnEnded,
)
from domain.games.tigris_euphrates.state import State

EVENTS: tuple[type[Event[State]], ...] = (
    StartPlayerChosen,
    TilesDrawn,
    BagRanOut,
    LeaderPlaced,
    LeaderMoved,
    LeaderWithdrawn,
    LeaderExiled,
    TilePlaced,
    TileScored,
    KingdomsUnited,
    UnificationTileRemoved,
    CatastrophePlaced,
    TileDiscarded,
    ActionPassed,
    ConflictBegan,
    WarChosen,
    TilesCommitted,
    RevoltDecided,
    WarDecided,
    MonumentBuilt,
    MonumentDeclined,
    TreasuresTaken,
    MonumentScored,
    TurnEnded,
    GameEnded,
)

__all__ = [
    "EVENTS",
    "ActionPassed",
    "BagRanOut",
    "CatastrophePlaced",
    "ConflictBegan",
    "GameEnded",
    "KingdomsUnited",
    "LeaderExiled",
    "LeaderMoved",
    "LeaderPlaced",
    "LeaderWithdrawn",
    "MonumentBuilt",
    "MonumentDeclined",
    "MonumentScored",
    "RevoltDecided",
    "StartPlayerChosen",
    "TileDiscarded",
    "TilePlaced",
    "TileScored",
    "TilesCommitted",
    "TilesDrawn",
    "TreasuresTaken",
    "TurnEnded",
    "UnificationTileRemoved",
    "WarChosen",
    "WarDecided",
]
