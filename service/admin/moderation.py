"""What operators can do to players, matches, webhooks and backups: each action is recorded in the
admin log before it is carried out.
"""

from __future__ import annotations

from domain.match.decisions import ending
from domain.match.state import CloseReason
from service.accounts.admin_log import AdminAction, AdminLog
from service.accounts.operators import Operators
from service.accounts.players import Account
from service.channels.account_deletion import MatchesLeft, leave_matches
from service.channels.outside_access import end_outside_access
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue
from service.channels.webhooks.subscriptions import Subscriptions
from service.matches.commands import Metadata, execute
from service.matches.container import Annals
from service.runtime.errors import IsOperator, NoBackups, NotFound
from service.store.backup_state import request_backup
from service.talk.reports import Reports
from service.talk.speakers import OperatorMute, Speakers

NONE_LEFT = MatchesLeft(0, ())
DAY_MS = 86_400_000
PAUSE_MS = 7 * DAY_MS
"""How long a paused webhook gets nothing, unless its owner or an operator ends the pause."""


class Moderation:
    """The actions of an operator: a player, or a user of the machine."""

    def __init__(self, annals: Annals, operator: str) -> None:
        self._annals, self._operator = annals, operator

    def record(self, action: str, subject: str, reason: str = "") -> None:
        """Record an action in the admin log."""
        done = AdminAction(self._annals.now(), self._operator, action, subject, reason)
        AdminLog(self._annals.store.redis).add(done)

    def ban(self, player: str, reason: str, *, keep_matches: bool = False) -> MatchesLeft:
        """Ban a player: they can use no token. Unless `keep_matches`, resign their matches, and
        leave or close their tables. Doing it again completes it.
        """
        self.record("ban", player, reason)
        self._annals.players.ban(player, reason)
        return NONE_LEFT if keep_matches else leave_matches(self._annals, player)

    def lift_ban(self, player: str) -> None:
        """Let a player play again; matches that they have left stay as they are."""
        self.record("unban", player)
        self._annals.players.ban(player, None)

    def mute(self, player: str, reason: str, days: int | None = None) -> OperatorMute:
        """Mute a player for some days, or until an operator lifts it: they can say nothing at any
        table. Return the mute.
        """
        mute = OperatorMute(reason, days and self._annals.now() + days * DAY_MS)
        lasting = f" ({days} day{'' if days == 1 else 's'})" if days else ""
        self.record("mute", player, reason + lasting)
        self._speakers.mute(player, mute)
        return mute

    def lift_mute(self, player: str) -> None:
        """Let a player talk again."""
        self.record("unmute", player)
        self._speakers.lift_mute(player)

    def dismiss_report(self, report_id: str) -> None:
        """Remove the report of a message. Raises NotFound."""
        reports = Reports(self._annals.store.redis)
        author = reports.get(report_id).author
        self.record("dismiss report", author, report_id)
        reports.remove(report_id)

    def close_match(self, match_id: str, reason: CloseReason, note: str = "") -> None:
        """End a match without a result. Its last entry has the reason, and only the admin log the
        note. Raises Refusal, and records nothing, if there is no such match, or it has ended.
        """
        ending.close(self._annals.matches.latest(match_id), reason)
        self.record("close", match_id, f"{reason} {note}".strip())
        execute(self._annals, match_id, Metadata(), lambda match, _: ending.close(match, reason))

    def replace_tokens(self, player: str) -> str:
        """Revoke all tokens, sessions and recovery codes of a player, unlink Discord and turn off
        their webhooks: a thief may have any of them. Return a new token.
        """
        self.record("token", player)
        token = self._annals.players.replace_all_tokens(player, self._annals.now())
        self._annals.players.recovery.delete_all(player)  # now none of them can make new ones
        end_outside_access(self._annals, player)
        return token

    def replace_codes(self, player: str) -> list[str]:
        """Revoke all recovery codes of a player; return new ones."""
        self.record("codes", player)
        return self._annals.players.recovery.issue(player)

    def pause_webhook(self, subscriptions: Subscriptions, webhook: str) -> None:
        """Send nothing to a webhook for PAUSE_MS. Raises NotFound."""
        subscriptions.get(webhook)
        self.record("pause webhook", webhook)
        until = self._annals.now() + PAUSE_MS
        subscriptions.update_health(webhook, paused_until=until)
        self._queue(webhook).reschedule(until)

    def retry_webhook(self, subscriptions: Subscriptions, webhook: str) -> None:
        """End the pause of a webhook, turn it on if it is off because it failed, and send what
        waits. Raises NotFound, TooManyWebhooks.
        """
        found = subscriptions.get(webhook)
        self.record("retry webhook", webhook)
        if found.health.disabled_reason in ("failing", "gone", "queue_full"):
            subscriptions.enable(found.subscription)
        subscriptions.clear_pause(webhook)
        self._queue(webhook).retry_all()

    def request_backup(self) -> None:
        """Have the process that makes backups begin one. Raises NoBackups if there is none."""
        if not self._annals.settings.backup:
            raise NoBackups("This service makes no backups: set ANNALS_BACKUP.")
        self.record("backup", "store")
        request_backup(self._annals.settings.data)

    @property
    def _speakers(self) -> Speakers:
        return Speakers(self._annals.store.redis, self._annals.settings.talk_after_hours)

    def _queue(self, webhook: str) -> DeliveryQueue:
        store = self._annals.store
        return DeliveryQueue(store.redis, store.partitions, webhook)


def find_player(annals: Annals, player: str) -> Account:
    """Return a player to whom operators can do something by REST. Raises NotFound, also if they are
    deleted; IsOperator for an operator, so that whoever steals the session of one cannot lock out
    the others.
    """
    account = annals.players.account(player)
    if account.deleted_at is not None:
        raise NotFound("This player is deleted.")
    if Operators(annals.store.redis).has(player):
        raise IsOperator("Operators are managed by `annals admin` on the machine of the service.")
    return account
