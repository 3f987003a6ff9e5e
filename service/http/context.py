"""The service of this application, and the caller of this request."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, partial
from typing import cast

from flask import current_app, g, request
from redis import Redis

from projections.lists.change_feed import ChangeFeedReader
from service.accounts.operators import Operators
from service.accounts.people.presence import PresenceRecorder
from service.accounts.players import Identity, Player
from service.accounts.quota import Quota
from service.accounts.sessions import Sessions
from service.accounts.tokens import Scope, token_key
from service.admin.health import HealthReader
from service.analytics.explorer import Explorer
from service.analytics.statistics.columns import MATCH_BYTES
from service.analytics.statistics.query_runner import Statistics
from service.analytics.table_folders import PublishedTables
from service.channels.discord.context import DiscordContext
from service.channels.discord.follow_up_jobs import FollowUpQueue
from service.channels.webhooks.signing import SigningKey
from service.channels.webhooks.subscriptions import Subscriptions
from service.drawing.pictures.cache import PictureCache
from service.http.cookies import is_same_site, origin_of, session_token
from service.http.rate_limit import Caller, RateLimit, RateLimits, network_of
from service.live.backlog import BacklogReader
from service.live.broadcast import Broadcasts
from service.live.change_feed import ChangeFeedTopic
from service.live.feed_watcher import ChangeSource, EntrySource, FeedWatcher
from service.live.match_stream import MatchTopic
from service.live.stream_slots import StreamSlots
from service.live.talk_stream import TalkSource, TalkTopic
from service.matches.analyses import Analyses
from service.matches.bundles import Bundles
from service.matches.container import Annals
from service.matches.points import PointHistories
from service.runtime.errors import (
    BannedPlayer,
    CrossSite,
    InsufficientScope,
    InvalidToken,
    NotAnOperator,
    OtherPlayer,
    UnknownToken,
)
from service.runtime.random_bytes import random_id
from service.runtime.shares.byte_cache import ByteCache
from service.runtime.shares.cache_shares import BYTES_PER_PERCENT, EXPLORER_PERCENT, RATE_LIMITS
from service.runtime.shares.fair_queue import Payer
from service.store.redis_client import connect
from service.talk.reports import REPORTS_PER_HOUR
from service.talk.speakers import Speakers
from service.talk.storage import Talk
from service.tlog.folder import Folder
from service.tlog.responses import LogResponses

# The id goes to our log, so it must not contain anything that could forge a line.
SAFE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
EXPECTED_PLAYER_HEADER = "Annals-Player"
"""A page names the player it was rendered for: another tab may have signed in since."""

PLAYERS_PER_ADDRESS = 3
"""How many players at one address can talk as much as they may."""


class TalkContext:
    """The messages about all matches, who may say what and how much, and the streams."""

    def __init__(self, annals: Annals) -> None:
        settings, redis = annals.settings, annals.store.redis
        self.storage = Talk(annals.store)
        self.speakers = Speakers(redis, settings.talk_after_hours)
        self.limits = RateLimits(
            settings.talk_rate,
            PLAYERS_PER_ADDRESS * settings.talk_rate,
            max_callers=RATE_LIMITS.max_entries(settings.cache_mb),
            counted="messages",
            names=("talk", "talk_address"),
        )
        self.report_quota = Quota(redis, "reports", REPORTS_PER_HOUR)
        self.watcher = FeedWatcher(TalkSource(annals.store))
        self.broadcasts = Broadcasts(partial(TalkTopic, annals, self.watcher))


class Context:
    """What the routes of an application work with."""

    def __init__(self, annals: Annals) -> None:
        self.annals = annals
        settings = annals.settings
        self.stream_slots = StreamSlots(
            settings.max_streams, settings.streams_per_caller, settings.streams_per_address
        )
        self.watcher = FeedWatcher(EntrySource(annals.store))
        self.broadcasts = Broadcasts(partial(MatchTopic, annals, self.watcher))
        self.change_feed = ChangeFeedReader(annals.store.redis, annals.store.partitions)
        self.change_watcher = FeedWatcher(ChangeSource(self.change_feed))
        self.change_broadcasts = Broadcasts(
            partial(
                ChangeFeedTopic,
                annals.store.redis,
                self.change_feed,
                annals.players,
                self.change_watcher,
            )
        )
        self.webhooks = Subscriptions(
            annals.store.redis,
            annals.store.partitions,
            settings.webhooks,
            settings.webhook_audience,
        )
        self.webhook_key = SigningKey(annals.store.redis)
        self.webhook_key.ensure_key()
        annals.seeds.prepare()
        self.registration_quota = Quota(annals.store.redis, "registrations", settings.registrations)
        self.recovery_quota = Quota(annals.store.redis, "recoveries", settings.recoveries)
        self.sessions = Sessions(annals.store.redis, annals.players)
        callers = RATE_LIMITS.max_entries(settings.cache_mb)
        self.limits = RateLimits(settings.rate, settings.rate_per_address, max_callers=callers)
        self.picture_limit = RateLimit(
            "pictures", settings.picture_rate, counted="new pictures", max_callers=callers
        )
        self.webhook_limit = RateLimit(
            "webhooks", settings.webhook_rate, counted="webhook requests", max_callers=callers
        )
        self.discord_limit = RateLimit(
            "discord", settings.discord_rate, counted="commands and clicks", max_callers=callers
        )
        self.picture_cache = PictureCache(
            settings.painters, settings.picture_queue, settings.picture_mb * 1_000_000
        )
        self.statistics_limit = RateLimit(
            "statistics", settings.statistics_rate, counted="queries", max_callers=callers
        )
        self.statistics = Statistics(annals, settings.statistics_mb * 1_000_000 // MATCH_BYTES)
        self.discord, self.talk = DiscordContext(annals), TalkContext(annals)
        self.histories = ByteCache(settings.history_mb * 1_000_000)
        self.log = _open_log(annals, self.histories)
        self.bundles = Bundles(annals, self.histories)
        self.tables = PublishedTables(settings)
        self.analyses = Analyses(annals.store, lambda: self.queue_redis)
        self.analysis_quota = Quota(annals.store.redis, "analyses", settings.analyses_per_hour)

    @cached_property
    def presence(self) -> PresenceRecorder:
        """Notes who is here."""
        return PresenceRecorder(self.annals.store.redis, self.annals.now)

    @cached_property
    def hint_limit(self) -> RateLimit:
        """The limit of hints, which few callers ask for."""
        settings = self.annals.settings
        callers = RATE_LIMITS.max_entries(settings.cache_mb)
        return RateLimit("hints", settings.hint_rate, counted="hints", max_callers=callers)

    @cached_property
    def explorer(self) -> Explorer:
        """What players chose in a position."""
        store, most = self.annals.store, self.annals.settings.cache_mb
        return Explorer(store.redis, store.partitions, most * BYTES_PER_PERCENT * EXPLORER_PERCENT)

    @cached_property
    def queue_redis(self) -> Redis:
        """The Redis of the queues, which few routes need."""
        return connect(self.annals.settings.queue_url)

    @cached_property
    def point_histories(self) -> PointHistories:
        """The points over finished matches."""
        return PointHistories(self.histories)

    @cached_property
    def backlog(self) -> BacklogReader:
        """The backlog of the projections."""
        return BacklogReader(self.annals)

    @cached_property
    def operators(self) -> Operators:
        """The players who operate the service."""
        return Operators(self.annals.store.redis)

    @cached_property
    def health(self) -> HealthReader:
        """How the service fares, for operators."""
        return HealthReader(self.annals, self.queue_redis, self.backlog)

    @cached_property
    def follow_up_jobs(self) -> FollowUpQueue:
        """The queue of Discord follow-up jobs."""
        return FollowUpQueue(self.queue_redis)

    def close(self) -> None:
        """Wake all waiting requests and end all streams: the process is about to stop."""
        self.watcher.close()
        self.change_watcher.close()
        self.talk.watcher.close()


def _open_log(annals: Annals, cache: ByteCache) -> LogResponses | None:
    folder = annals.settings.tlog_folder
    return LogResponses(Folder(folder), annals.store, cache) if folder else None


def context() -> Context:
    """Return what this application works with."""
    return cast(Context, current_app.extensions["annals"])


def annals() -> Annals:
    """Return the service of this application."""
    return context().annals


def request_id() -> str:
    """Return the id of this request: the caller's, if they sent one."""
    if "request_id" not in g:
        g.request_id = safe_request_id(request.headers.get("X-Request-Id"))
    return cast(str, g.request_id)


def requested_match() -> str | None:
    """Return the id of the match in the address of this request, if there is one."""
    return (request.view_args or {}).get("match_id")


def safe_request_id(sent: str | None) -> str:
    """Return the id that the caller sent, if it is safe to log, else a new one."""
    return sent if sent is not None and SAFE_ID.fullmatch(sent) else new_request_id()


def new_request_id() -> str:
    """Return a new id for a request."""
    return random_id().hex()


def viewer() -> Player | None:
    """Return the player who sent this request, or None without a token."""
    return cast("Player | None", g.player)


def viewer_id() -> str | None:
    """Return the id of the player who sent this request, or None without a token."""
    player = viewer()
    return player.id if player else None


def caller() -> Caller:
    """Whose rate limits this request counts for: callers without a token share those of their
    address.
    """
    address = network_of(request.remote_addr)
    return Caller(viewer_id() or f"address:{address}", address)


def payer() -> Payer:
    """Return whose share of a queue this request takes."""
    counted = caller()
    return Payer(counted.address, counted.key)


def session() -> Identity:
    """Return the session of this request. Raises InvalidToken without one, BannedPlayer if they are
    banned.
    """
    if g.session is None:
        raise g.banned or InvalidToken("Send a token: `Authorization: Bearer <token>`.")
    return cast(Identity, g.session)


def authenticate(scope: Scope) -> Player:
    """Return the player who sent this request.

    Raises InvalidToken without a token, InsufficientScope without this scope. For `account` the
    token is read again, as another process may have revoked it.
    """
    asks = session()
    if scope == "account":
        _check_token()
    return check_scope(asks, scope).player


def check_operator(player: Player | None) -> Player:
    """Return the player. Raises NotAnOperator, also without one; InvalidToken or BannedPlayer if
    another process has ended their token or banned them.
    """
    if player is None or not context().operators.has(player.id):
        raise NotAnOperator("Only operators of this service may do this.")
    _check_token()
    annals().players.find_active(player.id)
    return player


def _check_token() -> None:
    """Read the token of this request again. Raises UnknownToken if it has ended."""
    if annals().players.tokens.find(token_key(g.bearer)) is None:
        raise UnknownToken("This token has ended.")


def undo_if_ended(undo: Callable[[], object]) -> None:
    """Call `undo`, and raise UnknownToken, if the token of this request has ended since it was
    checked: the access that the request gave would outlive the return of a stolen account.
    """
    try:
        _check_token()
    except UnknownToken:
        undo()
        raise


def check_scope(session: Identity, scope: Scope) -> Identity:
    """Return the session. Raises InsufficientScope if its token lacks this scope."""
    if scope not in session.token.scopes:
        raise InsufficientScope(scope)
    return session


def identify(token: str | None = None) -> None:
    """Set `g.session` and `g.player` from this token, or from the request. Raises UnknownToken for
    an unknown token.
    """
    text = bearer_token() if token is None else token.strip()
    if text is None:
        identify_browser()
        return
    g.session, g.bearer, g.by_cookie = session_by_token(annals(), text), text, False
    g.player = g.session.player


def identify_browser() -> None:
    """Set `g.session` and `g.player` from the cookie of the browser.

    Without a valid session they stay None and the browser sees what is public; `g.banned` says why
    a player may not play.
    """
    text = session_token(request.headers.get("Cookie"))
    if not text:
        return
    g.by_cookie = True
    try:
        g.session = session_by_cookie_token(annals(), text)
    except BannedPlayer as banned:
        g.banned = banned
    if g.session is not None:
        g.player, g.bearer = g.session.player, text


def session_by_cookie_token(annals: Annals, token: str) -> Identity | None:
    """Return the session of a browser with this token, or None if it has ended. Raises
    BannedPlayer.
    """
    session = annals.players.by_token(token)
    return session if session and session.token.session else None


def check_same_site() -> None:
    """Raise CrossSite if a page of another site may have sent this request."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    own = origin_of(request.host_url), origin_of(annals().base_url)
    if not is_same_site(site, origin, own):
        raise CrossSite("Only pages of this service can use its cookie. Send a token.")


def check_expected_player() -> None:
    """Raise OtherPlayer if the request names another player than the caller."""
    expected = request.headers.get(EXPECTED_PLAYER_HEADER)
    if expected is not None and expected != viewer_id():
        raise OtherPlayer("You are no longer signed in as this player. Load the page again.")


def session_by_token(annals: Annals, token: str) -> Identity:
    """Return the session of this token. Raises UnknownToken for an unknown one, BannedPlayer for a
    banned player.
    """
    session = annals.players.by_token(token)
    if session is None:
        raise UnknownToken("This token is unknown.")
    return session


def bearer_token() -> str | None:
    """Return the token of this request, if it has one. Raises InvalidToken for another scheme."""
    header = request.headers.get("Authorization")
    return None if header is None else parse_bearer(header)


def parse_bearer(header: str) -> str:
    """Return the token in `Authorization`. Raises InvalidToken for another scheme."""
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise InvalidToken("Send a token: `Authorization: Bearer <token>`.")
    return token.strip()
