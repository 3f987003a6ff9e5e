"""Players who let the others wait for too long in a match without a clock, and what the others may
choose then: bots, or new players in their seats. docs/clocks.md has the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.engine.play import Seat
from domain.match.decisions.playing import lapse_events, require_active, time_out_events
from domain.match.errors import Impossible, InvalidCommand, TooEarly
from domain.match.length import require_room
from domain.match.log import AnyEvent, Draft
from domain.match.social_events import PatienceEnded, PlayerReplaced, ProposalLapsed
from domain.match.state import Chair, Match

DAY_MS = 86_400_000
MAX_PATIENCE_DAYS = 90


def count_days(ms: int | None) -> int | None:
    """The days of a patience; None for None."""
    return ms and ms // DAY_MS


def needs_patience(chairs: Sequence[Chair]) -> bool:
    """Whether two people or more may play at a new table with these chairs."""
    people = [chair.player or chair.invited for chair in chairs if chair.bot is None]
    return people.count(None) + len({one for one in people if one}) > 1


def patience_ends(match: Match) -> Mapping[Seat, int]:
    """When the patience with each seat that decides ends (ms since the epoch). An absent seat has
    none until a player proposes something.
    """
    if match.patience_ms is None:
        return {}
    renewed = bool(match.proposed)
    return {
        seat: since + match.patience_ms
        for seat, since in match.waiting.items()
        if renewed or seat not in match.absent
    }


def end_patience(match: Match, now: int) -> Draft:
    """Record for which seats the others have waited long enough. A proposal lapses that waits for
    their players, or is theirs.
    """
    require_active(match)
    late = sorted(seat for seat, at in patience_ends(match).items() if at <= now)
    if not late:
        raise TooEarly("No seat has let the others wait for so long.")
    players = {match.chairs[seat].player for seat in late}
    proposal = match.proposal
    parties = {proposal.player, *proposal.asked} if proposal else set()
    lapsed = [ProposalLapsed()] if players & parties else []
    return Draft("PatienceEnded", (*map(PatienceEnded, late), *lapsed))


def absent_others(match: Match, player: str) -> set[str]:
    """The absent players who need not agree to what a player proposes; none if that player is
    absent, too.
    """
    absent = match.absent_players
    return set() if player in absent else absent


def require_absent(match: Match, player: str) -> None:
    """Raise Refusal unless a player can propose that bots play on for others."""
    if player in match.absent_players:
        raise Impossible("no_absent_player", "The match waits for you: move first.")
    if not match.absent:
        raise Impossible("no_absent_player", "The match waits for no player for that long.")


def replace_absent(match: Match, now: int) -> tuple[AnyEvent, ...]:
    """The events with which bots play on for the absent. Their players can come back."""
    return tuple(time_out_events(match, sorted(match.absent), now))


def all_players(match: Match) -> set[str]:
    """The players who hold a seat, or held one until they were replaced."""
    holders = {chair.player for chair in match.chairs if chair.player}
    return holders | {one.player for one in match.tenures}


def players_who_stay(match: Match) -> set[str]:
    """The players whom a new player will meet: all who hold a seat that is not open to them."""
    seats = enumerate(match.chairs)
    return {one.player for seat, one in seats if one.player and seat not in match.replaceable}


def replaceable_seats(match: Match) -> list[Seat]:
    """The absent seats that the others can open to new players. Not those of a player with several
    seats, who would know the hand of the new player.
    """
    shut = sorted(match.absent - match.replaceable)
    return [seat for seat in shut if len(match.seats_of(match.chairs[seat].player)) == 1]


def require_replaceable(match: Match, player: str) -> None:
    """Raise Refusal unless a player can propose that new players take the seats of others."""
    require_absent(match, player)
    if match.absent == match.replaceable:
        raise Impossible("no_replacement", "The seat is open to a new player already.")
    if not replaceable_seats(match):
        raise Impossible("no_replacement", "The absent player holds several seats.")


def replace_player(match: Match, player: str, seat: Seat | None) -> Draft:
    """Give a new player this seat of an absent one, or the first that is open to new players.

    Raises Refusal, also for players who held a seat once: they know a hand.
    """
    require_active(match)
    require_room(match)
    if match.seats_of(player):
        raise Impossible("already_seated", "You sit at this table already.")
    if seat is not None and seat >= len(match.chairs):
        raise InvalidCommand("no_such_seat", f"The table has no seat {seat}.")
    choices = [one for one in sorted(match.replaceable) if seat in (None, one)]
    if not choices or player in all_players(match):
        raise Impossible("seat_taken", "This seat is not free for you.")
    [taken, *_] = choices
    leaver = match.chairs[taken].player or ""
    host = _next_host(match, taken, player) if leaver == match.host else None
    return Draft(
        "PlayerReplaced", (PlayerReplaced(taken, leaver, player, host), *lapse_events(match))
    )


def _next_host(match: Match, taken: Seat, player: str) -> str:
    """The next host: the first player by seat of those who decide, else the new one."""
    people = ((one.player, one.human) for seat, one in enumerate(match.chairs) if seat != taken)
    return next((one for one, decides in people if one and decides), player)
