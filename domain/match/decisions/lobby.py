"""Opening a table, taking and leaving seats, and the start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from domain.engine import game as engine
from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition
from domain.engine.game import Game, Json, seats_to_move
from domain.engine.play import Awaiting, Seat
from domain.engine.starting.starts import read_start, without_history
from domain.match.clock import check_clock, running_seats, tick
from domain.match.dice import KeyedDice, commitment_to, dice_key, seed_hash, split_nonces
from domain.match.errors import Forbidden, Impossible, InvalidCommand, TooEarly
from domain.match.events import (
    Aborted,
    BotSeated,
    Clocked,
    Created,
    DiceFell,
    InvitationDeclined,
    LessonBegun,
    NonceOpened,
    NoncesAwaited,
    SeatLeft,
    SeatTaken,
    Started,
)
from domain.match.length import require_room
from domain.match.log import AnyEvent, Draft
from domain.match.social_events import PatienceSet, ReliabilityRequired, RematchOpened
from domain.match.state import (
    Chair,
    ClockRule,
    ForkedFrom,
    Match,
    SeriesPlace,
    UndoPolicy,
    UnratedReason,
)

NONCE_OPENING_MS = 120_000
"""How long the start waits for players to open the nonces they committed to."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of a new table; `chairs` are taken, reserved by an invitation, or free."""

    match: str
    host: str
    chairs: tuple[Chair, ...]
    options: Json = {}
    undo: UndoPolicy = "consent"
    clock: ClockRule | None = None
    on_timeout: Literal["bot", "resign"] = "bot"
    substitute: str | None = None  # level of the bot that steps in; default: the middle one
    visibility: Literal["public", "private"] = "public"
    position: Json | None = None
    forked_from: ForkedFrom | None = None
    lesson: str | None = None  # key of the lesson of the game
    rematch: RematchOpened | None = None  # of which match it is one
    min_reliability: int | None = None  # percent, of those who take a free seat
    setup: Any = None  # of a fork: the setup of its source
    nonces: bytes = b""  # of the players already seated, concatenated
    seed_given: bool = False
    seed_index: int | None = None  # index among the host's seeds; None if the host supplied it
    series: SeriesPlace | None = None
    expires: int  # ms since the epoch: abort the match if no player has joined by then
    idle_ms: int | None = None  # time without an action of the only player until the match ends
    patience_ms: int | None = None  # to wait for a seat until the others may vote


def create(game: Game[Any], plan: Plan, seed: bytes, now: int) -> Draft:
    """Open a table. If all its seats are taken, the game starts at once."""
    match, created = _open_table(game, plan, seed)
    nonces = split_nonces(plan.nonces)
    started = _start_if_full(match, list(plan.chairs), nonces, now)
    return Draft("Created", (created, *_more_terms(plan), *started), nonces=plan.nonces)


def check_plan(game: Game[Any], plan: Plan) -> None:
    """Raise Refusal if this table cannot be opened, before a seed is drawn for it."""
    _open_table(game, plan, b"")


def take_seat(
    match: Match,
    player: str,
    seat: Seat | None,
    now: int,
    nonce: bytes = b"",
    commitment: str | None = None,
) -> Draft:
    """Take this seat, or all that are kept for this player, or the first free one. They may add a
    nonce for the dice, or the hash of one that they open once all seats are taken.
    """
    _require_open(match)
    require_room(match)
    if match.seats_of(player):
        raise Impossible("already_seated", "You sit at this table already.")
    chairs, taken = list(match.chairs), list[SeatTaken]()
    commitment = commitment_to(nonce) if nonce else commitment
    for place in _free_seats(match, player, seat):
        chairs[place] = msgspec.structs.replace(chairs[place], player=player, commitment=commitment)
        taken.append(SeatTaken(place, player, commitment))
    started = _start_if_full(match, chairs, match.nonces_by_hash | split_nonces(nonce), now)
    return Draft("SeatTaken", (*taken, *started), nonces=nonce)


def open_nonce(match: Match, player: str, nonce: bytes, now: int) -> Draft:
    """Open the nonce that a player committed to, when no seat can still choose its own."""
    _require_open(match)
    if match.nonces_due_at is None:
        raise Impossible("nothing_to_open", "You can open your nonce once all seats are taken.")
    promised = {match.chairs[seat].commitment for seat in match.seats_of(player)}
    if commitment_to(nonce) not in promised - match.nonces_by_hash.keys():
        raise Impossible(
            "nothing_to_open", "You did not commit to this nonce, or you have opened it already."
        )
    started = _start_if_full(match, match.chairs, match.nonces_by_hash | split_nonces(nonce), now)
    return Draft("NonceOpened", (NonceOpened(player), *started), nonces=nonce)


def begin(match: Match, now: int) -> Draft:
    """Start without the nonces that players did not open in time."""
    if match.nonces_due_at is None or now < match.nonces_due_at:
        raise TooEarly("There is nothing to start.")
    return Draft("Started", tuple(_start_events(match, match.chairs, match.nonces_by_hash, now)))


def leave_seat(match: Match, player: str, seat: Seat) -> Draft:
    """Leave a seat before the start. If the host leaves, the first remaining player becomes host; a
    table without people is closed.
    """
    _require_open(match)
    if seat not in match.seats_of(player):
        raise Forbidden("not_your_seat", "This is not your seat.")
    left = [chair.player for i, chair in enumerate(match.chairs) if i != seat and chair.player]
    if not left:
        return Draft("SeatLeft", (SeatLeft(seat), Aborted("abandoned", match.seed.hex())))
    host = left[0] if player == match.host and player not in left else None
    return Draft("SeatLeft", (SeatLeft(seat, host),))


def decline_invitation(match: Match, player: str) -> Draft:
    """Decline all invitations of a player to this table. Their seats are open to all then; a table
    to play again is closed, because all have to agree.
    """
    _require_open(match)
    kept = [
        seat for seat, chair in enumerate(match.chairs) if chair.free and player == chair.invited
    ]
    if not kept:
        raise Impossible("not_invited", "No seat at this table is kept for you.")
    declined = (InvitationDeclined(seat, player) for seat in kept)
    closed = [Aborted("declined", match.seed.hex())] if match.rematch_of else []
    return Draft("InvitationDeclined", (*declined, *closed))


def start(match: Match, player: str, level: str | None, now: int) -> Draft:
    """Start for the host, with bots on the free seats."""
    _require_open(match)
    if player != match.host:
        raise Forbidden("not_the_host", "Only the host can start the match.")
    if match.nonces_due_at is not None:
        raise Impossible("waiting_for_nonces", "The match starts once all nonces are opened.")
    if match.rematch_of is not None:
        raise Impossible("waiting_for_players", "The match starts once all players have agreed.")
    level = level or match.substitute
    check_level(match.game, level)
    chairs, seated = list(match.chairs), []
    for seat, chair in enumerate(chairs):
        if chair.free:
            chairs[seat] = Chair(bot=level)
            seated.append(BotSeated(seat, level))
    started = _start_if_full(match, chairs, match.nonces_by_hash, now)
    return Draft("Started", (*seated, *started))


def close(match: Match, player: str) -> Draft:
    """Close a table for its host before the start; later, a lesson, or a match in which bots hold
    all seats.
    """
    if match.status != "active":
        _require_open(match)
    if player != match.host:
        raise Forbidden("not_the_host", "Only the host can close the table.")
    if match.status == "active" and match.has_people and match.lesson is None:
        raise Impossible(
            "match_has_players", "Players hold seats in this match. They can resign to end it."
        )
    return Draft("Aborted", (Aborted("closed", match.seed.hex()),))


def abort(match: Match, now: int) -> Draft:
    """Close a table that no player joined in time."""
    if match.status != "open" or match.expires is None or now < match.expires:
        raise TooEarly("There is nothing to abort.")
    return Draft("Aborted", (Aborted("nobody_joined", match.seed.hex()),))


def first_events(match: Match, nonces: Iterable[str | None]) -> list[AnyEvent]:
    """The first events of the game: its setup, or the position it starts from."""
    if match.position is not None:
        return [Awaiting(tuple(match.blank_state().agenda))]
    dice = KeyedDice(dice_key(match.seed, nonces), match.draws)
    events = engine.begin(match.game, match.setup, len(match.chairs), dice)
    return [*events, *([DiceFell(match.draws)] if dice.used else [])]


def nonces_of(
    chairs: Iterable[Chair], nonces_by_hash: Mapping[str, bytes]
) -> tuple[str | None, ...]:
    """The nonce of each seat in hexadecimal; None if it has none, or did not open it."""
    found = (nonces_by_hash.get(chair.commitment or "") for chair in chairs)
    return tuple(nonce.hex() if nonce else None for nonce in found)


def check_level(game: Game[Any], level: str) -> None:
    """Raise InvalidCommand if the bots of this game do not have this level."""
    levels = [known.key for known in game.levels]
    if level not in levels:
        raise InvalidCommand(
            "unknown_level", f"Unknown bot level. This game has: {', '.join(levels)}."
        )


def _more_terms(plan: Plan) -> Iterator[AnyEvent]:
    """What else the table is, besides what all tables are."""
    if plan.lesson:
        yield LessonBegun(plan.lesson)
    if plan.rematch:
        yield plan.rematch
    if plan.min_reliability:
        yield ReliabilityRequired(plan.min_reliability)
    if plan.patience_ms:
        yield PatienceSet(plan.patience_ms)


def _open_table(game: Game[Any], plan: Plan, seed: bytes) -> tuple[Match, Created]:
    """The open table and its event. Raises Refusal if it cannot be opened."""
    _check_seats(game, plan)
    if plan.substitute is not None:
        check_level(game, plan.substitute)
    check_clock(plan.clock)
    created = _creation_event(game, plan, seed)
    match = Match(game, seed)  # only to try the position and to deal
    created.apply(match)
    _check_position(match, plan.position)
    return match, created


def _creation_event(game: Game[Any], plan: Plan, seed: bytes) -> Created:
    options = json_codec.read_options(game, plan.options)
    setup = _setup(game, plan, options)
    return Created(
        match=plan.match,
        game=game.key,
        rules=game.rules,
        host=plan.host,
        chairs=plan.chairs,
        options=json_codec.json_round_trip(options),
        setup=json_codec.json_round_trip(setup),
        undo=plan.undo,
        clock=plan.clock,
        on_timeout=plan.on_timeout,
        substitute=plan.substitute or game.levels[len(game.levels) // 2].key,
        visibility=plan.visibility,
        seed_hash=seed_hash(seed),
        seed_index=plan.seed_index,
        unrated=_reason_unrated(plan, together=game.is_cooperative(setup)),
        position=_position(game, plan),
        series=plan.series or _first_of_series(game, plan, setup),
        expires=plan.expires,
        forked_from=plan.forked_from,
        idle_ms=plan.idle_ms or msgspec.UNSET,
    )


def _setup(game: Game[Any], plan: Plan, options: msgspec.Struct) -> Any:
    """The data of the game that the match uses."""
    if plan.forked_from is not None:
        return plan.setup
    setup = game.setup(options, len(plan.chairs))
    return setup if plan.position is None else game.setup_for_position(setup, plan.position)


def _position(game: Game[Any], plan: Plan) -> Json | None:
    """The position that the match starts from. A fork continues what was done before it."""
    if plan.position is None or plan.forked_from is not None:
        return plan.position
    return without_history(game, plan.position)


def _first_of_series(game: Game[Any], plan: Plan, setup: Any) -> SeriesPlace | None:
    if game.series is None or not game.series.is_series(setup) or plan.forked_from is not None:
        return None
    return SeriesPlace(plan.match, 1, (0,) * len(plan.chairs))


def _reason_unrated(plan: Plan, *, together: bool) -> UnratedReason | None:
    holders = (chair.player or chair.invited for chair in plan.chairs)
    players = [holder for holder in holders if holder]
    reasons: dict[UnratedReason, bool] = {
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
    seats, count = game.seats_for(options), len(plan.chairs)
    if count not in seats:
        mode = f" with `mode` {getattr(options, 'mode', '')}" if game.seats_by_mode else ""
        raise InvalidCommand(
            "bad_seats", f"{game.title}{mode} has {_seats_in_words(seats)}, not {count}."
        )
    for chair in plan.chairs:
        if chair.bot is not None:
            check_level(game, chair.bot)


def _seats_in_words(seats: range) -> str:
    """A number of seats in words."""
    low, high = seats[0], seats[-1]
    return f"{low} to {high} seats" if low < high else f"{low} seat{'s' * (low > 1)}"


def _check_position(match: Match, given: Json | None) -> None:
    """Raise BadPosition if no seat of the table can go on from the given position.

    Only a position from outside is held to the rules: a fork starts where a match has been.
    """
    if given is None:
        return
    if match.forked_from is None:
        state = read_start(match.game, match.setup, given, len(match.chairs))
    else:
        state = match.blank_state()
    seats = seats_to_move(state)
    if not seats:
        raise BadPosition("No seat has to decide in this position: the game is over.")
    if not set(seats) <= set(range(len(match.chairs))):
        raise BadPosition("A seat that has to decide in this position is not at the table.")


def _require_open(match: Match) -> None:
    if match.status == "aborted":
        raise Impossible("match_aborted", "The match was aborted.")
    if match.status != "open":
        raise Impossible("match_started", "The match has started already.")


def _free_seats(match: Match, player: str, seat: Seat | None) -> list[Seat]:
    free = [
        place
        for place, chair in enumerate(match.chairs)
        if chair.free and chair.invited in (None, player)
    ]
    choices = [place for place in free if match.chairs[place].invited] or free[:1]
    if seat is not None:
        if seat not in range(len(match.chairs)):
            raise InvalidCommand("no_such_seat", f"The table has no seat {seat}.")
        choices = [seat] if seat in free else []
    if not choices:
        raise Impossible("seat_taken", "This seat is not free for you.")
    return choices


def _start_if_full(
    match: Match, chairs: list[Chair], nonces_by_hash: Mapping[str, bytes], now: int
) -> list[AnyEvent]:
    """The start of the game, if all chairs are taken and all nonces opened."""
    if any(chair.free for chair in chairs):
        return []
    if any(chair.commitment and chair.commitment not in nonces_by_hash for chair in chairs):
        return [] if match.nonces_due_at else [NoncesAwaited(now + NONCE_OPENING_MS)]
    return _start_events(match, chairs, nonces_by_hash, now)


def _start_events(
    match: Match, chairs: Sequence[Chair], nonces_by_hash: Mapping[str, bytes], now: int
) -> list[AnyEvent]:
    """The events of the start."""
    nonces = nonces_of(chairs, nonces_by_hash)
    events = first_events(match, nonces)
    [awaiting] = [event for event in events if isinstance(event, Awaiting)]
    clocks = tick(match, now, running_seats(chairs, awaiting.agenda[-1].seats), moved=None)
    return [Started(nonces), *events, *([Clocked(clocks)] if clocks else [])]
