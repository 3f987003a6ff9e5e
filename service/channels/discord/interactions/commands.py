"""The subcommands of `/annals`: one record each, from which all else about them follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from domain.match.decisions.absence import MAX_PATIENCE_DAYS
from domain.match.decisions.giving_time import MAX_GIFT_S
from service.channels.discord.components import Json, private_answer
from service.channels.discord.context import FirstAnswer, InteractionContext
from service.channels.discord.interactions import autocomplete as choices
from service.channels.discord.interactions import slash_commands as handlers
from service.channels.discord.interactions.autocomplete import Choices
from service.channels.discord.interactions.turns import list_turns

_TEXT, _INTEGER, _BOOLEAN, _USER = 3, 4, 5, 6
Suggest = Callable[[InteractionContext, str], Choices]


@dataclass(frozen=True)
class Option:
    """An option of a command: how Discord registers it, and what completes it."""

    registered: Json
    suggest: Suggest | None = None

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.registered["name"])

    @property
    def required(self) -> bool:
        """Whether the command needs it."""
        return bool(self.registered.get("required"))


@dataclass(frozen=True, kw_only=True)
class Command:
    """A subcommand of `/annals`."""

    name: str
    does: str
    """What you use it for, as Discord, the help and the docs say it."""
    options: tuple[Option, ...]
    handle: Callable[[InteractionContext], FirstAnswer]

    def suggest(self, option: str) -> Suggest | None:
        """Return what completes an option, if anything does."""
        return next((one.suggest for one in self.options if one.name == option), None)


def show_help(_context: InteractionContext) -> FirstAnswer:
    """List the subcommands."""
    lines = [f"- `/annals {one.name}` \u2014 {one.does}" for one in COMMANDS.values()]
    return FirstAnswer(private_answer("\n".join(["Board games, played here.", *lines])))


def _option(kind: int, name: str, does: str, **more: object) -> Option:
    return Option(_registered(kind, name, does, **more))


def _completed(name: str, does: str, suggest: Suggest, required: bool = False) -> Option:
    """Return a text option with completion."""
    return Option(
        _registered(_TEXT, name, does, required=required, autocomplete=True), suggest=suggest
    )


def _registered(kind: int, name: str, does: str, **more: object) -> Json:
    return {"type": kind, "name": name, "description": does, **more}


_MATCH = _completed(
    "match", "a match; by default the newest of this channel", choices.complete_matches
)
_GAME = _completed("game", "a game", choices.complete_games, required=True)
_LUCK = _option(_TEXT, "luck", "any words of yours; they take part in the dice", max_length=100)
_NEW = (
    _GAME,
    _option(_INTEGER, "seats", "number of seats", min_value=1, max_value=8),
    _option(_USER, "opponent", "the user to invite to the second seat"),
    _option(_INTEGER, "bots", "number of seats for bots", min_value=0, max_value=7),
    _completed(
        "clock",
        "time per move, such as 1d, or a bank with an increment, such as 1h+30s",
        choices.complete_clocks,
    ),
    _completed(
        "options",
        "game options from the list, separated by spaces",
        choices.complete_options,
    ),
    _option(
        _INTEGER,
        "patience",
        "without a clock: for how many days others wait for a player until they may vote",
        min_value=1,
        max_value=MAX_PATIENCE_DAYS,
    ),
    _option(
        _INTEGER,
        "reliability",
        "of players who take a free seat, in percent: matches finished without a time-out",
        min_value=1,
        max_value=100,
    ),
    _option(_BOOLEAN, "private", "hide the match from others; it is not rated"),
    _LUCK,
)
_BOARD_FORMATS = [
    {"name": "as a picture", "value": "picture"},
    {"name": "as text", "value": "text"},
]

COMMANDS: Mapping[str, Command] = {
    one.name: one
    for one in (
        Command(
            name="new",
            does="open a table in this channel",
            options=_NEW,
            handle=handlers.open_new_table,
        ),
        Command(
            name="join",
            does="take a seat",
            options=(_MATCH, _LUCK),
            handle=handlers.join,
        ),
        Command(
            name="board",
            does="show the board, or share a match of yours with this channel",
            options=(
                _MATCH,
                _option(_BOOLEAN, "share", "show a match of yours in this channel"),
            ),
            handle=handlers.board,
        ),
        Command(
            name="hand",
            does="show what only you may see",
            options=(_MATCH,),
            handle=handlers.hand,
        ),
        Command(
            name="move",
            does="make a move, from the list or step by step",
            options=(
                _MATCH,
                _completed(
                    "move",
                    "words of the move; leave it out to choose step by step",
                    choices.complete_moves,
                ),
            ),
            handle=handlers.move,
        ),
        Command(
            name="turns",
            does="list the matches that wait for you and your invitations, here and elsewhere",
            options=(),
            handle=list_turns,
        ),
        Command(
            name="undo",
            does="undo your last move, or ask the others to agree",
            options=(_MATCH,),
            handle=handlers.undo_last_move,
        ),
        Command(
            name="redo",
            does="redo the last undo, or play on from an undone move, or ask the others to agree",
            options=(
                _MATCH,
                _option(
                    _INTEGER,
                    "move",
                    "number of an undone move in the log; by default the last undo",
                    min_value=1,
                ),
            ),
            handle=handlers.redo_moves,
        ),
        Command(
            name="time",
            does="give the others who are thinking more time",
            options=(
                _MATCH,
                _option(
                    _INTEGER,
                    "seconds",
                    "how much; by default what suits the clock",
                    min_value=1,
                    max_value=MAX_GIFT_S,
                ),
            ),
            handle=handlers.give_time,
        ),
        Command(
            name="end",
            does="propose to end the match without a result",
            options=(_MATCH,),
            handle=handlers.end,
        ),
        Command(
            name="bot",
            does="propose that bots play on for players who are absent",
            options=(_MATCH,),
            handle=handlers.let_bots_play_on,
        ),
        Command(
            name="replace",
            does="propose that a new player takes the seat of one who is absent",
            options=(_MATCH,),
            handle=handlers.find_new_player,
        ),
        Command(
            name="pause",
            does="propose to pause a match with a clock",
            options=(_MATCH,),
            handle=handlers.pause,
        ),
        Command(
            name="resign",
            does="resign the match",
            options=(_MATCH,),
            handle=handlers.resign,
        ),
        Command(
            name="games",
            does="list the games",
            options=(),
            handle=handlers.games,
        ),
        Command(
            name="rules",
            does="look up a rule",
            options=(
                _GAME,
                _completed("rule", "a number, or words of a rule", choices.complete_rules),
            ),
            handle=handlers.rules,
        ),
        Command(
            name="link",
            does="link your Annals account to Discord",
            options=(_option(_BOOLEAN, "unlink", "remove the link"),),
            handle=handlers.link,
        ),
        Command(
            name="settings",
            does="set mentions and how boards look",
            options=(
                _option(_BOOLEAN, "ping", "mention you when it is your turn"),
                _option(_TEXT, "board", "how boards look", choices=_BOARD_FORMATS),
            ),
            handle=handlers.settings,
        ),
        Command(
            name="help",
            does="show this",
            options=(),
            handle=show_help,
        ),
    )
}
