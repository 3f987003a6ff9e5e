"""Why the service refuses a request, apart from the match (`domain/match/errors.py`) and its game
(`domain/engine/errors.py`); `service/http/problem_codes.py` has the status of each code.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.errors import Refused


class NotFound(Refused):
    """There is no such thing, or the caller may not know of it."""

    code = "not_found"


class NotLogged(Refused):
    """What is asked for is not in the log yet."""

    code = "not_logged"


class LogStopped(Refused):
    """No checkpoint of the log is signed now."""

    code = "log_stopped"


class Unauthorized(Refused):
    """The caller sent no token, or one that nobody has."""

    code = "unauthorized"


class BadSignature(Refused):
    """What came is not signed by whom it should come from."""

    code = "bad_signature"


class BadQuery(Refused):
    """Parameters of the query that are wrong: `faults` has the name of each, and what is wrong."""

    code = "invalid"

    def __init__(self, faults: Sequence[tuple[str, str]]) -> None:
        super().__init__(" ".join(f"`{name}`: {detail}" for name, detail in faults))
        self.faults = faults


class InsufficientScope(Refused):
    """The token is not for this."""

    code = "insufficient_scope"

    def __init__(self, scope: str) -> None:
        super().__init__(f"This takes a token with the scope `{scope}`.")
        self.scope = scope


class Banned(Refused):
    """Whoever runs the service keeps this player out, and says why."""

    code = "banned"

    def __init__(self, why: str) -> None:
        super().__init__(f"You may not play here: {why}")
        self.why = why


class BadRecovery(Refused):
    """Name and recovery code do not belong together."""

    code = "bad_recovery"


class BadCode(Refused):
    """The code by which somebody would be signed in is none, or is used up."""

    code = "bad_code"


class CrossSite(Refused):
    """A page of another site would have a browser do something here."""

    code = "cross_site"


class OtherPlayer(Refused):
    """A page means one player, and its browser is signed in as another by now, or as nobody."""

    code = "other_player"


class TooManyTokens(Refused):
    """The player has as many tokens as one may have."""

    code = "too_many_tokens"


class TooManyWebhooks(Refused):
    """The player has as many webhooks as one may have."""

    code = "too_many_webhooks"


class WebhookOff(Refused):
    """The webhook is turned off."""

    code = "webhook_off"


class NameTaken(Refused):
    """Somebody has this name already."""

    code = "name_taken"


class StaleVersion(Refused):
    """The match is at another version than the caller thinks."""

    code = "stale_version"

    def __init__(self, version: int) -> None:
        super().__init__(f"The match is at version {version} now.")
        self.version = version


class KeyReused(Refused):
    """This idempotency key came with another request before."""

    code = "key_reused"


class TooManyTables(Refused):
    """The host has as many tables open or in play as one may have."""

    code = "too_many_tables"


class TooManyBotTables(Refused):
    """The host has as many matches in play among bots as one may have."""

    code = "too_many_bot_tables"


class Contended(Refused):
    """Others wrote to the match again and again; trying once more will do."""

    code = "contended"


class StoreUnavailable(Refused):
    """The event store does not answer, or is full."""

    code = "store_unavailable"


_OF_ADDRESSES = ("address", "analyses", "registrations", "recoveries")


class TooManyRequests(Refused):
    """The caller, or all at their address together, asked too often."""

    code = "too_many_requests"

    def __init__(self, seconds: int, limit: str, policy: str) -> None:
        whose = "one address" if policy in _OF_ADDRESSES else "one caller"
        super().__init__(f"At most {limit} from {whose}. You can go on in {seconds} seconds.")
        self.seconds = seconds
        self.policy = policy


class TooManyRenames(TooManyRequests):
    """The player has had another name not long ago."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds, "one change of name in some days", "renames")


class PaintersBusy(Refused):
    """More pictures are wanted than can be drawn."""

    code = "painters_busy"


class AnalystBusy(Refused):
    """More analyses are wanted than can wait."""

    code = "analyst_busy"


class AnalysisFailed(Refused):
    """An analysis could not be made."""

    code = "analysis_failed"


class TooManyStreams(Refused):
    """This process holds as many streams as it can."""

    code = "too_many_streams"


class TooManyOwnStreams(Refused):
    """The caller, or their address, holds as many streams of this process as one may."""

    code = "too_many_own_streams"


class StatisticsBusy(Refused):
    """More is asked of statistics than can be answered in time."""

    code = "statistics_busy"


class TooWide(Refused):
    """The question has more answers than anybody can read."""

    code = "too_wide"
