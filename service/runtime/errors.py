"""Why the service refuses a request. Refusals of a match are in `domain/match/errors.py`, those of
a game in `domain/engine/errors.py`; `service/http/problem_codes.py` has the status of each code.
"""

from __future__ import annotations

from collections.abc import Sequence

from redis.exceptions import RedisClusterException, RedisError

from domain.engine.errors import Refusal

REDIS_ERRORS = (RedisError, RedisClusterException)
"""How it shows that Redis does not answer, or refuses a command: a client of a cluster raises the
second, which is no RedisError.
"""


class NotFound(Refusal):
    """The thing does not exist, or the caller may not know of it."""

    code = "not_found"


class NotLogged(Refusal):
    """The entry or checkpoint is not in the transparency log yet."""

    code = "not_logged"


class LogStopped(Refusal):
    """The transparency log signs no checkpoints at present."""

    code = "log_stopped"


class InvalidToken(Refusal):
    """The request has no token that can be read."""

    code = "unauthorized"


class UnknownToken(InvalidToken):
    """The token is unknown, or has ended."""

    code = "unknown_token"


class BadSignature(Refusal):
    """The signature of the request does not match."""

    code = "bad_signature"


class BadQuery(Refusal):
    """The query is invalid. `faults` has a pair for each wrong parameter: its name and the
    fault.
    """

    code = "invalid"

    def __init__(self, faults: Sequence[tuple[str, str]]) -> None:
        super().__init__(" ".join(f"`{name}`: {detail}" for name, detail in faults))
        self.faults = faults


class InsufficientScope(Refusal):
    """The token lacks the scope that the request needs."""

    code = "insufficient_scope"

    def __init__(self, scope: str) -> None:
        super().__init__(f"You need a token with the scope `{scope}`.")
        self.scope = scope


class BannedPlayer(Refusal):
    """The operator has banned this player; `why` is the reason they gave."""

    code = "banned"

    def __init__(self, reason: str) -> None:
        super().__init__(f"You cannot play here: {reason}")
        self.why = reason


class BadRecoveryCode(Refusal):
    """The recovery code does not belong to the player of this name."""

    code = "bad_recovery"


class BadCode(Refusal):
    """The sign-in code is unknown, expired or used."""

    code = "bad_code"


class NotAnOperator(Refusal):
    """Only operators of the service may do this."""

    code = "not_an_operator"


class IsOperator(Refusal):
    """The player operates the service."""

    code = "is_operator"


class NoBackups(Refusal):
    """The service makes no backups."""

    code = "no_backups"


class CrossSite(Refusal):
    """A page of another site sent the request with a cookie of this one."""

    code = "cross_site"


class OtherPlayer(Refusal):
    """The page was loaded for one player, but its browser is now signed in as another, or signed
    out.
    """

    code = "other_player"


class TooManyTokens(Refusal):
    """The player has the maximum number of tokens."""

    code = "too_many_tokens"


class TooManyNotes(Refusal):
    """The player has the maximum number of notes."""

    code = "too_many_notes"


class TooManyPeople(Refusal):
    """The player has the maximum number of players in a list."""

    code = "too_many_people"


class PhrasesOnly(Refusal):
    """The player may only say phrases."""

    code = "phrases_only"


class MutedPlayer(Refusal):
    """An operator has muted the player."""

    code = "muted"


class TalkClosed(Refusal):
    """The talk about a match has ended."""

    code = "talk_closed"


class TooManyMuted(Refusal):
    """The player has muted the maximum number of players."""

    code = "too_many_muted"


class TooManyReports(Refusal):
    """Operators have as many reports as they can hold."""

    code = "too_many_reports"


class TooManyWebhooks(Refusal):
    """The player has the maximum number of webhooks."""

    code = "too_many_webhooks"


class WebhookOff(Refusal):
    """The webhook is turned off."""

    code = "webhook_disabled"


class NameTaken(Refusal):
    """Another player has this name."""

    code = "name_taken"


class StaleVersion(Refusal):
    """The match is not at the version that the caller expects."""

    code = "stale_version"

    def __init__(self, version: int) -> None:
        super().__init__(f"The match is at version {version}.")
        self.version = version


class KeyReused(Refusal):
    """An earlier, different request used this idempotency key."""

    code = "key_reused"


class TooManyTables(Refusal):
    """The host has the maximum number of open and active tables."""

    code = "too_many_tables"


class TooManyBotTables(Refusal):
    """The host has the maximum number of active matches in which only bots decide."""

    code = "too_many_bot_tables"


class WriteConflict(Refusal):
    """Other writers appended first on every attempt. The client can retry."""

    code = "contended"


class StoreUnavailable(Refusal):
    """The event store does not answer, or accepts no writes."""

    code = "store_unavailable"


_POLICIES_PER_ADDRESS = (
    "address", "analyses", "confirmations", "processor", "registrations", "recoveries",
    "talk_address",
)  # fmt: skip


class TooManyRequests(Refusal):
    """The caller, or their address, is above a quota."""

    code = "too_many_requests"

    def __init__(self, seconds: int, limit: str, policy: str) -> None:
        whose = "address" if policy in _POLICIES_PER_ADDRESS else "caller"
        super().__init__(f"At most {limit} for one {whose}. Try again in {seconds} seconds.")
        self.seconds = seconds
        self.policy = policy


class TooManyRenames(TooManyRequests):
    """The player changed their name a short time ago."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds, "one change of name every few days", "renames")


class ExportsBusy(Refusal):
    """The queue of exports and full checks is full."""

    code = "exports_busy"


class PaintersBusy(Refusal):
    """The queue of the painters is full."""

    code = "painters_busy"


class AnalystBusy(Refusal):
    """The queue of analyses is full."""

    code = "analyst_busy"


class AnalysisFailed(Refusal):
    """The analysis failed."""

    code = "analysis_failed"


class TooManyStreams(Refusal):
    """This process has no free stream slot."""

    code = "too_many_streams"


class TooManyOwnStreams(Refusal):
    """The caller, or their address, has the maximum number of streams of this process."""

    code = "too_many_own_streams"


class StatisticsBusy(Refusal):
    """Too many queries wait, or this one took too long."""

    code = "statistics_busy"


class TooWide(Refusal):
    """The answer would have too many groups."""

    code = "query_too_large"
