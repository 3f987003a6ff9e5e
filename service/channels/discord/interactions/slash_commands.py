"""What each part of `/annals` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domain.match.decisions import lobby, playing, undo
from domain.match.errors import Forbidden
from domain.match.state import Match
from service.channels.chat.markup import cut, plain
from service.channels.chat.preferences import Form
from service.channels.discord.components import RED, button, later, row, told
from service.channels.discord.context import HIDDEN, Answer, Visit
from service.channels.discord.custom_ids import Mark
from service.channels.discord.moves.move_flow import made, start_of_move, to_the_channel
from service.channels.discord.moves.move_menus import Steps
from service.channels.discord.moves.table_setup import game_named, luck, opened
from service.runtime.errors import NotFound

PAGE = 3_400
FORMS: Mapping[str, Form] = {"picture": "picture", "text": "text"}


def new(visit: Visit) -> Answer:
    """Open a table in this channel."""
    return to_the_channel(visit, opened(visit))


def join(visit: Visit) -> Answer:
    """Sit down."""
    match = named(visit, lambda match: match.status == "open")
    receipt = visit.record(
        match.id, lambda match, now: lobby.take_seat(match, visit.player.id, None, now, luck(visit))
    )
    return to_the_channel(visit, receipt.match)


def board(visit: Visit) -> Answer:
    """Show the board; to the channel only what it may see."""
    match = named(visit)
    if visit.yes("share") and visit.channel:
        if not match.seats_of(visit.player.id):
            raise Forbidden("not_seated", "Only who has a seat in a match can share it.")
        visit.desk.channels.show(visit.channel, match.id, visit.annals.now())
    return to_the_channel(visit, match)


def hand(visit: Visit) -> Answer:
    """Show them what they alone may see."""
    return own_view(visit, named(visit, visit.has_part))


def own_view(visit: Visit, match: Match) -> Answer:
    """Show them a match as they see it; Forbidden without a seat."""
    if not match.seats_of(visit.player.id):
        raise Forbidden("not_seated", "You have no seat in this match.")
    return Answer(later(private=True), [visit.errand(match, "own")])


def move(visit: Visit) -> Answer:
    """Make a move that is named, or ask for it step by step."""
    match = named(visit, lambda match: bool(set(match.awaited) & set(mine(visit, match))))
    wanted = visit.typed("move")
    if not wanted:
        return start_of_move(visit, match)
    version, seat, place = _known_as(wanted)
    if version != match.version or seat not in match.seats_of(visit.player.id):
        raise NotFound("Choose a move from the list, or leave it out to be asked for it.")
    return made(visit, match, Steps(visit.annals, match, seat).known(place), update=False)


def take_back(visit: Visit) -> Answer:
    """Undo their last move, or ask the others for it."""
    match = named(visit, visit.has_part)
    receipt = visit.record(
        match.id, lambda match, now: undo.undo(match, visit.player.id, None, now)
    )
    return to_the_channel(visit, receipt.match)


def resign(visit: Visit) -> Answer:
    """Ask whether they really mean it."""
    match = named(visit, visit.has_part)
    playing.must_be_active(match)
    mark = Mark("rs", match.id, match.version)
    sure = row([button("Resign", str(mark), RED)])
    return Answer(told(f"Do you give up {match.game.title} `{match.id}`?", [sure]))


def games(visit: Visit) -> Answer:
    """List all games."""
    lines = [
        f"- **{game.title}**, {game.all_seats[0]} to {game.all_seats[-1]} players"
        for game in visit.annals.games.values()
    ]
    return Answer(told("\n".join([*lines, "`/annals new` opens a table."])))


def rules(visit: Visit) -> Answer:
    """Tell a rule by its number, or which there are."""
    game, number = game_named(visit), visit.typed("rule").upper()
    book = game.rulebook.rules
    if number and number not in book:
        raise NotFound(f"{game.title} has no rule of this number.")
    if number:
        return Answer(told(f"**{number}** {book[number]}"))
    known = ", ".join(book)
    return Answer(told(cut(f"**{game.title}** has the rules {known}.", PAGE)))


def link(visit: Visit) -> Answer:
    """Show a code that links them with a player, or end that."""
    links = visit.desk.links
    if visit.yes("unlink"):
        ended = links.unlink(visit.user)
        return Answer(told("You are your own player again." if ended else "You were not linked."))
    code = links.offer(visit.user)
    return Answer(
        told(
            f"Your code is `{code}`: good once, for ten minutes. Send it with your token:"
            ' `POST /v1/me/discord {"code": "\u2026"}`. Until then you play here as'
            f" **{plain(visit.player.name)}**."
        )
    )


def settings(visit: Visit) -> Answer:
    """Tell how they are answered, or change it."""
    form = FORMS.get(visit.typed("board"))
    wishes = visit.desk.links.wish(visit.user, visit.yes("ping"), form)
    ping = "called" if wishes.ping else "not called"
    return Answer(told(f"You are {ping} when it is your turn, and see boards as {wishes.form}."))


def usage(visit: Visit) -> Answer:
    """Tell what can be done."""
    lines = [f"- `/annals {name}` \u2014 {does}" for name, does in HELP.items()]
    return Answer(told("\n".join(["Board games, played here.", *lines])))


def named(visit: Visit, fits: Callable[[Match], bool] = lambda _: True) -> Match:
    """The match that they named, or the newest of this channel that fits; NotFound."""
    if wanted := visit.typed("match"):
        return visit.seen(wanted)
    for match_id in visit.desk.channels.matches(visit.channel):
        try:
            match = visit.seen(match_id)
        except NotFound:
            continue
        if match.status != "aborted" and fits(match):
            return match
    raise NotFound(f"{HIDDEN} `/annals new` opens one.")


def mine(visit: Visit, match: Match) -> tuple[int, ...]:
    """Their seats in a match."""
    return match.seats_of(visit.player.id)


def _known_as(wanted: str) -> tuple[int, int, int]:
    """The version, the seat and the number of a move from the list; NotFound."""
    try:
        version, seat, place = map(int, wanted.split("."))
    except ValueError:
        raise NotFound("Choose a move from the list, or leave it out.") from None
    return version, seat, abs(place)


HELP: Mapping[str, str] = {
    "new": "open a table in this channel",
    "join": "sit down",
    "board": "show the board, or share a match of yours with this channel",
    "hand": "show what only you may see",
    "move": "make a move: from the list, or step by step",
    "undo": "undo your last move, or ask the others for it",
    "resign": "give up",
    "games": "list the games",
    "rules": "look a rule up",
    "link": "play here as the player that you are elsewhere",
    "settings": "choose how you are answered",
    "help": "show this",
}
COMMANDS: Mapping[str, Callable[[Visit], Answer]] = {
    "new": new,
    "join": join,
    "board": board,
    "hand": hand,
    "move": move,
    "undo": take_back,
    "resign": resign,
    "games": games,
    "rules": rules,
    "link": link,
    "settings": settings,
    "help": usage,
}
