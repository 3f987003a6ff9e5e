"""Opening a table, sitting down and standing up, and the start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from domain.engine import game as engine
from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition
from domain.engine.game import Game, Json, awaited
from domain.engine.play import Awaiting, Seat
from domain.match.clock import thinking, tick
from domain.match.dice import KeyedDice, commitment_to, dice_key, nonces_in, seed_hash
from domain.match.errors import Forbidden, Impossible, Malformed
from domain.match.events import (
    Aborted,
    BotSeated,
    Clocked,
    Created,
    DiceFell,
    NonceOpened,
    NoncesAwaited,
    SeatLeft,
    SeatTaken,
    Started,
)
from domain.match.length import must_have_room
from domain.match.log import AnyEvent, Draft
from domain.match.state import (
    Chair,
    ClockRule,
    ForkedFrom,
    Match,
    SeriesPlace,
    UndoPolicy,
    WhyUnrated,
)

OPENING_MS = 120_000
"""How long the start waits for nonces of which only the hash is known."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a table is to be like; `chairs` are filled, invited or free."""

    match: str
    host: str
    chairs: tuple[Chair, ...]
    options: Json = {}
    undo: UndoPolicy = "consent"
    clock: ClockRule | None = None
    on_timeout: Literal["bot", "resign"] = "bot"
    substitute: str | None = None  # level of the bot that steps in; the middle one by default
    visibility: Literal["public", "private"] = "public"
    position: Json | None = None
    forked_from: ForkedFrom | None = None
    setup: Any = None  # that of the match it is forked from, if it is a fork
    nonces: bytes = b""  # those of the players who sit there at once, one after another
    seed_given: bool = False
    seed_index: int | None = None  # which of the host's seeds it is, unless it was given
    series: SeriesPlace | None = None
    expires: int  # ms since the epoch: if nobody has joined by then, the match is aborted


def create(game: Game[Any], plan: Plan, seed: bytes, now: int) -> Draft:
    """Open a table; if all its seats are taken the game starts at once."""
    match, created = _planned(game, plan, seed)
    nonces = nonces_in(plan.nonces)
    started = _started_if_full(match, list(plan.chairs), nonces, now)
    return Draft("Created", (created, *started), nonces=plan.nonces)


def check(game: Game[Any], plan: Plan) -> None:
    """Refuse a table that cannot be opened, before any seed is drawn for it."""
    _planned(game, plan, b"")


def take_seat(
    match: Match,
    player: str,
    seat: Seat | None,
    now: int,
    nonce: bytes = b"",
    commitment: str | None = None,
) -> Draft:
    """Sit down, on this seat or on the first that is free for this player; perhaps with a nonce
    for the dice, or with the hash of one that is opened once all seats are taken.
    """
    _must_be_open(match)
    must_have_room(match)
    if match.seats_of(player):
        raise Impossible("already_seated", "You sit at this table already.")
    place = _free_seat(match, player, seat)
    chairs = list(match.chairs)
    commitment = commitment_to(nonce) if nonce else commitment
    chairs[place] = msgspec.structs.replace(chairs[place], player=player, commitment=commitment)
    taken = SeatTaken(place, player, commitment)
    started = _started_if_full(match, chairs, match.handed_in | nonces_in(nonce), now)
    return Draft("SeatTaken", (taken, *started), nonces=nonce)


def open_nonce(match: Match, player: str, nonce: bytes, now: int) -> Draft:
    """Open the nonce that a player committed to, now that nobody can fit theirs to it."""
    _must_be_open(match)
    if match.opening is None:
        raise Impossible("nothing_to_open", "Nonces are opened once all seats are taken.")
    promised = {match.chairs[seat].commitment for seat in match.seats_of(player)}
    if commitment_to(nonce) not in promised - match.handed_in.keys():
        raise Impossible("nothing_to_open", "You have not committed to this, or have opened it.")
    started = _started_if_full(match, match.chairs, match.handed_in | nonces_in(nonce), now)
    return Draft("NonceOpened", (NonceOpened(player), *started), nonces=nonce)


def begin(match: Match, now: int) -> Draft:
    """Start without the nonces that were not opened in time."""
    if match.opening is None or now < match.opening:
        raise Impossible("not_due", "There is nothing to start.")
    return Draft("Started", tuple(_begun(match, match.chairs, match.handed_in, now)))


def leave_seat(match: Match, player: str, seat: Seat) -> Draft:
    """Stand up before the start; if the host leaves, the first of the others becomes host, and a
    table without people is closed.
    """
    _must_be_open(match)
    if seat not in match.seats_of(player):
        raise Forbidden("not_your_seat", "This is not your seat.")
    left = [chair.player for i, chair in enumerate(match.chairs) if i != seat and chair.player]
    if not left:
        return Draft("SeatLeft", (SeatLeft(seat), Aborted("abandoned", match.seed.hex())))
    host = left[0] if player == match.host and player not in left else None
    return Draft("SeatLeft", (SeatLeft(seat, host),))


def start(match: Match, player: str, level: str | None, now: int) -> Draft:
    """The host fills the free seats with bots, and the game starts."""
    _must_be_open(match)
    if player != match.host:
        raise Forbidden("not_the_host", "Only the host can start the match.")
    if match.opening is not None:
        raise Impossible("nonces_awaited", "It starts by itself once the nonces are opened.")
    level = level or match.substitute
    check_level(match.game, level)
    chairs, seated = list(match.chairs), []
    for seat, chair in enumerate(chairs):
        if chair.free:
            chairs[seat] = Chair(bot=level)
            seated.append(BotSeated(seat, level))
    started = _started_if_full(match, chairs, match.handed_in, now)
    return Draft("Started", (*seated, *started))


def close(match: Match, player: str) -> Draft:
    """The host closes a table before the start, whether or not they sit at it, or later a match
    in which bots hold all seats.
    """
    if match.status != "active":
        _must_be_open(match)
    if player != match.host:
        raise Forbidden("not_the_host", "Only the host can close the table.")
    if match.status == "active" and match.has_people:
        raise Impossible(
            "people_play", "People hold seats in this match: it ends when they resign."
        )
    return Draft("Aborted", (Aborted("closed", match.seed.hex()),))


def abort(match: Match, now: int) -> Draft:
    """Close a table that nobody joined in time."""
    if match.status != "open" or match.expires is None or now < match.expires:
        raise Impossible("not_due", "There is nothing to abort.")
    return Draft("Aborted", (Aborted("nobody_joined", match.seed.hex()),))


def first_events(match: Match, nonces: Iterable[str | None]) -> list[AnyEvent]:
    """The first events of the game: from its beginning, or from the position it was given."""
    if match.position is not None:
        return [Awaiting(tuple(match.blank().agenda))]
    dice = KeyedDice(dice_key(match.seed, nonces), match.draws)
    events = engine.begin(match.game, match.setup, len(match.chairs), dice)
    return [*events, *([DiceFell(match.draws)] if dice.fell else [])]


def nonces_of(chairs: Iterable[Chair], handed_in: Mapping[str, bytes]) -> tuple[str | None, ...]:
    """What each seat adds to the dice, in hexadecimal; None if nothing, or if it was not opened."""
    found = (handed_in.get(chair.commitment or "") for chair in chairs)
    return tuple(nonce.hex() if nonce else None for nonce in found)


def check_level(game: Game[Any], level: str) -> None:
    """Refuse a level that the bots of this game do not have."""
    levels = [known.key for known in game.levels]
    if level not in levels:
        raise Malformed("unknown_level", f"Unknown bot level. This game has: {', '.join(levels)}.")


def _planned(game: Game[Any], plan: Plan, seed: bytes) -> tuple[Match, Created]:
    """The table as it would stand open; Refused if it cannot."""
    _check_seats(game, plan)
    if plan.substitute is not None:
        check_level(game, plan.substitute)
    _check_clock(plan.clock)
    created = _created(game, plan, seed)
    match = Match(game, seed)  # only to try out the position and to deal
    created.apply(match)
    _check_position(match)
    return match, created


def _created(game: Game[Any], plan: Plan, seed: bytes) -> Created:
    options = json_codec.read_options(game, plan.options)
    setup = _setup(game, plan, options)
    return Created(
        match=plan.match,
        game=game.key,
        rules=game.rules,
        host=plan.host,
        chairs=plan.chairs,
        options=json_codec.as_read_back(options),
        setup=json_codec.as_read_back(setup),
        undo=plan.undo,
        clock=plan.clock,
        on_timeout=plan.on_timeout,
        substitute=plan.substitute or game.levels[len(game.levels) // 2].key,
        visibility=plan.visibility,
        seed_hash=seed_hash(seed),
        seed_index=plan.seed_index,
        unrated=_why_unrated(plan, together=game.together(setup)),
        position=plan.position,
        series=plan.series or _first_of_series(game, plan, setup),
        expires=plan.expires,
        forked_from=plan.forked_from,
    )


def _setup(game: Game[Any], plan: Plan, options: msgspec.Struct) -> Any:
    """All data of the game that the match will go by."""
    if plan.forked_from is not None:
        return plan.setup
    setup = game.setup(options, len(plan.chairs))
    return setup if plan.position is None else game.setup_for(setup, plan.position)


def _first_of_series(game: Game[Any], plan: Plan, setup: Any) -> SeriesPlace | None:
    if game.sequels is None or not game.sequels.planned(setup) or plan.forked_from is not None:
        return None
    return SeriesPlace(plan.match, 1, (0,) * len(plan.chairs))


def _why_unrated(plan: Plan, *, together: bool) -> WhyUnrated | None:
    players = [chair.player for chair in plan.chairs if chair.player]
    reasons: dict[WhyUnrated, bool] = {
        "fork": plan.forked_from is not None,
        "position": plan.position is not None,
        "seed": plan.seed_given,
        "together": together,
        "free_undo": plan.undo == "free",
        "hotseat": len(players) > len(set(players)),
        "private": plan.visibility == "private",
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _check_seats(game: Game[Any], plan: Plan) -> None:
    options = json_codec.read_options(game, plan.options)
    seats, wanted = game.seats_with(options), len(plan.chairs)
    if wanted not in seats:
        mode = f" with `mode` {getattr(options, 'mode', '')}" if game.modes else ""
        raise Malformed("bad_seats", f"{game.title}{mode} has {_span(seats)}, not {wanted}.")
    for chair in plan.chairs:
        if chair.bot is not None:
            check_level(game, chair.bot)


def _span(seats: range) -> str:
    """So many seats, in words."""
    few, many = seats[0], seats[-1]
    return f"{few} to {many} seats" if few < many else f"{few} seat{'s' * (few > 1)}"


def _check_clock(rule: ClockRule | None) -> None:
    """A clock is for each move, or a bank that may grow."""
    if rule is None:
        return
    limits = [seconds for seconds in (rule.per_move_s, rule.bank_s) if seconds is not None]
    grows = rule.increment_s > 0 and rule.bank_s is not None
    if len(limits) != 1 or limits[0] < 1 or not (grows or rule.increment_s == 0):
        raise Malformed(
            "bad_clock", "A clock has per_move_s, or bank_s with an increment_s, in whole seconds."
        )


def _check_position(match: Match) -> None:
    """Refuse a position from which nobody can go on, before anybody sits down to it."""
    if match.position is None:
        return
    seats = awaited(match.blank())
    if not seats:
        raise BadPosition("Nobody has to decide in this position: the game is over.")
    if not set(seats) <= set(range(len(match.chairs))):
        raise BadPosition("A seat has to decide in this position that is not at the table.")


def _must_be_open(match: Match) -> None:
    if match.status == "aborted":
        raise Impossible("match_aborted", "The match was aborted.")
    if match.status != "open":
        raise Impossible("match_started", "The match has begun.")


def _free_seat(match: Match, player: str, seat: Seat | None) -> Seat:
    free = [
        place
        for place, chair in enumerate(match.chairs)
        if chair.free and chair.invited in (None, player)
    ]
    wanted = sorted(free, key=lambda place: match.chairs[place].invited != player)
    if seat is not None:
        if seat not in range(len(match.chairs)):
            raise Malformed("no_such_seat", f"The table has no seat {seat}.")
        wanted = [seat] if seat in free else []
    if not wanted:
        raise Impossible("seat_taken", "There is no such free seat for you.")
    return wanted[0]


def _started_if_full(
    match: Match, chairs: list[Chair], handed_in: Mapping[str, bytes], now: int
) -> list[AnyEvent]:
    """The start of the game, if every one of these chairs is taken and no nonce to be opened."""
    if any(chair.free for chair in chairs):
        return []
    if any(chair.commitment and chair.commitment not in handed_in for chair in chairs):
        return [] if match.opening else [NoncesAwaited(now + OPENING_MS)]
    return _begun(match, chairs, handed_in, now)


def _begun(
    match: Match, chairs: Sequence[Chair], handed_in: Mapping[str, bytes], now: int
) -> list[AnyEvent]:
    """The start of the game."""
    nonces = nonces_of(chairs, handed_in)
    events = first_events(match, nonces)
    [awaiting] = [event for event in events if isinstance(event, Awaiting)]
    clocks = tick(match, now, thinking(chairs, awaiting.agenda[-1].seats), moved=None)
    return [Started(nonces), *events, *([Clocked(clocks)] if clocks else [])]
