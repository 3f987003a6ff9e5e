"""What the routes stand on: the service of this app, and the caller of this request."""

from __future__ import annotations

import re
from functools import cached_property, partial
from typing import cast

from flask import current_app, g, request
from redis import Redis

from projections.lists.change_feed import NewsReader
from service.accounts.players import Player, Session
from service.accounts.quota import Allowance
from service.accounts.sessions import Sessions
from service.accounts.tokens import Scope, key_of
from service.analytics.explorer import Explorer
from service.analytics.statistics.query_runner import Statistics
from service.analytics.table_folders import Published
from service.channels.discord.context import Desk
from service.channels.discord.follow_up_jobs import Errands
from service.channels.webhooks.signing import SigningKey
from service.channels.webhooks.subscriptions import Subscriptions
from service.drawing.pictures.cache import Gallery
from service.http.cookies import from_own_page, origin_of, token_of_session
from service.http.rate_limit import RateLimit, RateLimits, Share, block_of
from service.live.broadcast import Broadcasts
from service.live.change_feed import NewsTopic
from service.live.feed_watcher import Changes, Entries, Watcher
from service.live.match_stream import MatchTopic
from service.live.stream_slots import Places
from service.matches.analyses import Analyses
from service.matches.bundles import Bundles
from service.matches.container import Annals
from service.runtime.errors import Banned, CrossSite, InsufficientScope, OtherPlayer, Unauthorized
from service.runtime.random_bytes import by_chance
from service.store.redis_client import connect
from service.tlog.folder import Folder
from service.tlog.responses import Served

# An id that a caller sends goes to our log, so it has nothing in it that could forge a line.
SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


MEANT = "Annals-Player"
"""The header by which a page says as whom it was shown; another tab may have signed in since."""


class Context:
    """What the routes of an app work with."""

    def __init__(self, annals: Annals) -> None:
        self.annals = annals
        settings = annals.settings
        self.places = Places(settings.max_streams, settings.streams_each, settings.streams_address)
        self.watcher = Watcher(Entries(annals.store))
        self.broadcasts = Broadcasts(partial(MatchTopic, annals, self.watcher))
        self.news = NewsReader(annals.store.redis, annals.store.partitions)
        self.news_watcher = Watcher(Changes(self.news))
        self.news_broadcasts = Broadcasts(
            partial(NewsTopic, self.news, annals.players, self.news_watcher)
        )
        self.webhooks = Subscriptions(
            annals.store.redis, annals.store.partitions, settings.webhooks
        )
        self.webhook_key = SigningKey(annals.store.redis)
        self.webhook_key.get_ready()
        annals.seeds.get_ready()
        self.registrations = Allowance(annals.store.redis, "registrations", settings.registrations)
        self.recoveries = Allowance(annals.store.redis, "recoveries", settings.recoveries)
        self.sessions = Sessions(annals.store.redis, annals.players)
        self.limits = RateLimits(settings.rate, settings.rate_address)
        self.picture_limit = RateLimit("pictures", settings.picture_rate, what="new pictures")
        self.webhook_limit = RateLimit("webhooks", settings.webhook_asks, what="such messages")
        self.discord_limit = RateLimit("discord", settings.discord_rate, what="commands and clicks")
        self.gallery = Gallery(
            settings.painters, settings.picture_queue, settings.picture_mb * 1_000_000
        )

        self.statistics_limit = RateLimit("statistics", settings.statistics_rate, what="questions")
        self.statistics = Statistics(annals, settings.statistics_matches)
        self.discord = Desk(annals)
        folder = settings.tlog_folder
        self.log = Served(Folder(folder), annals.store) if folder else None
        self.bundles = Bundles(annals)
        self.tables = Published(settings)
        self.explorer = Explorer(annals.store.redis, annals.store.partitions)
        self.analyses = Analyses(annals.store, lambda: self.queue_redis)
        self.analysis_allowance = Allowance(annals.store.redis, "analyses", settings.analyses)

    @cached_property
    def queue_redis(self) -> Redis:
        """The Redis of the queues, which few routes need."""
        return connect(self.annals.settings.queue_url)

    @cached_property
    def errands(self) -> Errands:
        """Where errands of Discord wait."""
        return Errands(self.queue_redis)

    def close(self) -> None:
        """Let nobody wait or listen any more: the process is about to end."""
        self.watcher.close()
        self.news_watcher.close()


def context() -> Context:
    """What this app works with."""
    return cast(Context, current_app.extensions["annals"])


def annals() -> Annals:
    """The service of this app."""
    return context().annals


def request_id() -> str:
    """The id of this request: the caller's, if they sent one."""
    if "request_id" not in g:
        g.request_id = sane_id(request.headers.get("X-Request-Id"))
    return cast(str, g.request_id)


def sane_id(given: str | None) -> str:
    """The id that a caller gave their request, or another one."""
    return given if given is not None and SANE_ID.fullmatch(given) else new_request_id()


def new_request_id() -> str:
    """An id for a request that came without."""
    return by_chance().hex()


def viewer() -> Player | None:
    """The player who asks; None without a token."""
    return cast("Player | None", g.player)


def viewer_id() -> str | None:
    """The id of the player who asks; None without a token."""
    player = viewer()
    return player.id if player else None


def whose_share() -> Share:
    """Whose limits count: callers without a token share those of their address."""
    address = block_of(request.remote_addr)
    return Share(viewer_id() or f"address:{address}", address)


def session() -> Session:
    """Who asks, and with which token; Unauthorized without one, Banned if they may not play."""
    if g.session is None:
        raise g.banned or Unauthorized("Send a token: `Authorization: Bearer <token>`.")
    return cast(Session, g.session)


def caller(scope: Scope) -> Player:
    """The player who asks; Unauthorized without a token, InsufficientScope without this scope.

    What gives out tokens and codes is not open to a token that has ended elsewhere just now.
    """
    asks = session()
    if scope == "account" and annals().players.tokens.find(key_of(g.bearer)) is None:
        raise Unauthorized("This token has ended.")
    return admitted(asks, scope).player


def admitted(session: Session, scope: Scope) -> Session:
    """The same session, if its token is for this."""
    if scope not in session.token.scopes:
        raise InsufficientScope(scope)
    return session


def identify(token: str | None = None) -> None:
    """Note whose token this is, or came with the request; Unauthorized if it is nobody's."""
    text = bearer() if token is None else token.strip()
    if text is None:
        identify_browser()
        return
    g.session, g.bearer, g.by_cookie = session_of(annals(), text), text, False
    g.player = g.session.player


def identify_browser() -> None:
    """Note who is signed in in this browser.

    A session that has ended, or is that of somebody who may not play here (`g.banned`), is
    nobody's: its browser sees what everybody sees.
    """
    text = token_of_session(request.headers.get("Cookie"))
    if not text:
        return
    g.by_cookie = True
    try:
        g.session = session_by_cookie(annals(), text)
    except Banned as banned:
        g.banned = banned
    if g.session is not None:
        g.player, g.bearer = g.session.player, text


def session_by_cookie(annals: Annals, token: str) -> Session | None:
    """The session of a browser that keeps this token; None if it has ended. Banned."""
    session = annals.players.by_token(token)
    return session if session and session.token.session else None


def check_own_page() -> None:
    """CrossSite if another page than ours may have made a browser send this request."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    own = origin_of(request.host_url), origin_of(annals().settings.own_url)
    if not from_own_page(site, origin, own):
        raise CrossSite("Only pages of this service may use its cookie; send a token.")


def check_meant() -> None:
    """OtherPlayer if the request says whom it means, and it is not who asks."""
    meant = request.headers.get(MEANT)
    if meant is not None and meant != viewer_id():
        raise OtherPlayer("You are not signed in as this player any more: load the page again.")


def session_of(annals: Annals, token: str) -> Session:
    """Who has this token now; Unauthorized if nobody has, Banned if they may not play."""
    session = annals.players.by_token(token)
    if session is None:
        raise Unauthorized("Nobody has this token.")
    return session


def bearer() -> str | None:
    """The token that came with this request, if any; Unauthorized for another scheme."""
    header = request.headers.get("Authorization")
    return None if header is None else token_in(header)


def token_in(header: str) -> str:
    """The token in `Authorization`; Unauthorized for another scheme."""
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Unauthorized("Send a token: `Authorization: Bearer <token>`.")
    return token.strip()
