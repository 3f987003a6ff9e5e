"""What a mail says: one line for each match, as it is when the mail is sent.

It names only what is the same for all who see the match: its game, its players, whose turn it is
and until when.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from email.message import EmailMessage
from html import escape
from typing import NamedTuple

from domain.engine.play import Seat
from domain.engine.resources.texts import Texts, read
from domain.engine.sentences import Words
from domain.match.decisions.absence import patience_ends
from domain.match.state import Match
from domain.notices import Notice
from service.accounts.notices.quiet_hours import find_zone
from service.channels.mail.addresses import MailAddress, PendingAddress, link_code
from service.channels.mail.kinds import TYPES, Kind
from service.channels.mail.links import confirm_url, end_url
from service.channels.mail.messages import build_message, domain_of
from service.channels.mail.talk import UnreadTalk
from service.matches.container import Annals
from service.matches.queries import seat_names

TEXTS: Mapping[str, Texts] = read(__package__)
"""By language, the texts of mails."""
MAX_LISTED = 30
"""How many matches a mail names; it counts the others."""
URGENCY: Sequence[Kind] = ("request", "reminder", "turn", "end", "start", "message")
"""Of several kinds of notices about a match, a mail says the first of these."""
SENTENCES: Mapping[Kind, str] = {
    "turn": "turn", "reminder": "reminder", "request": "request", "start": "started",
    "end": "ended", "message": "unread",
}  # fmt: skip
OF_IDLE_MATCHES: Mapping[str, str] = {
    "match.idle": "reminder_end", "pause.ending": "reminder_pause",
}  # fmt: skip
"""The sentences of reminders that are not about a turn, by the type of their notice."""
OWN_SUBJECTS = ("reminder_away", "reminder_end", "reminder_pause", "reminder_vote")
"""The sentences that have a subject of their own, since no time of the reader is running out."""
PATIENCE, PATIENCE_OVER = "patience.warning", "patience.ended"
MINUTE_MS, HOUR_MS, DAY_MS = 60_000, 3_600_000, 86_400_000


class MailItem(NamedTuple):
    """Why a mail names a match: the kind, the key of its sentence, and until when, if that is known
    (ms since the epoch).
    """

    match: Match
    kind: Kind
    sentence: str
    until: int | None
    unread: int | None = None
    """How many messages are unread, in an item about talk."""


def deciding_seats(match: Match, player: str) -> tuple[Seat, ...]:
    """Return the seats at which a player has to decide themselves, now."""
    if match.pause is not None:
        return ()
    own = match.seats_of(player)
    return tuple(seat for seat in match.seats_to_move if seat in own and match.chairs[seat].human)


def turn_of(match: Match, player: str) -> MailItem | None:
    """Return that it is the turn of a player; None if it is not."""
    return _item(match, player, "turn") if deciding_seats(match, player) else None


def talk_of(unread: UnreadTalk) -> MailItem:
    """Return that something was said in a match that is still unread."""
    return MailItem(unread.match, "message", SENTENCES["message"], None, unread.messages)


def find_item(match: Match, player: str, notices: Iterable[Notice]) -> MailItem | None:
    """Return the most urgent of the notices of a match; None if there is none."""
    found = {kind: one for one in notices for kind in TYPES if one.type in TYPES[kind]}
    for kind in URGENCY:
        if kind in found:
            return _item(match, player, kind, _sentence(match, player, found[kind]))
    return None


def _sentence(match: Match, player: str, notice: Notice) -> str | None:
    """Return the key of the sentence of a notice that has its own; None for that of its kind."""
    if notice.type == PATIENCE_OVER:
        return "reminder_away" if player in match.absent_players else "reminder_vote"
    return "reminder_patience" if notice.type == PATIENCE else OF_IDLE_MATCHES.get(notice.type)


def _item(match: Match, player: str, kind: Kind, sentence: str | None = None) -> MailItem:
    until = _deadline(match, player) if match.clocks else match.ends_at
    if sentence == "reminder_patience":
        ends = patience_ends(match)
        until = min((ends[seat] for seat in match.seats_of(player) if seat in ends), default=None)
    waits = kind in ("turn", "reminder") and match.pause is None
    ends_at = match.pause.until if match.pause else None
    return MailItem(match, kind, sentence or SENTENCES[kind], until if waits else ends_at)


def _deadline(match: Match, player: str) -> int | None:
    """Return when the time of a player runs out (ms since the epoch); None if it does not run."""
    clocks = match.clocks
    running = set(deciding_seats(match, player)) & set(clocks.running) if clocks else ()
    if clocks is None or not running:
        return None
    return min(clocks.since + max(0, clocks.banks[seat]) for seat in running)


def still_holds(match: Match, player: str, notice: Notice) -> bool:
    """Return whether what a notice says is still so. Nothing is for a player who was replaced: they
    may no longer see the match.
    """
    is_replaced = any(one.player == player for one in match.tenures)
    return not is_replaced and _holds(match, player, notice)


def _holds(match: Match, player: str, notice: Notice) -> bool:
    if notice.type in TYPES["request"]:
        asked = [one.asked for one in (match.undo_request, match.proposal) if one]
        return any(player in players for players in asked)
    if notice.type in TYPES["end"]:
        return match.status in ("scored", "aborted")
    if notice.type in TYPES["start"]:
        return match.status == "active"
    if notice.type == PATIENCE_OVER:
        return bool(match.absent) and player in match.deciding_players()
    if notice.type in OF_IDLE_MATCHES:
        has_left = all(match.chairs[seat].resigned for seat in match.seats_of(player))
        return notice.version == match.version and match.status == "active" and not has_left
    seats = deciding_seats(match, player)
    return bool(seats) if notice.seat is None else notice.seat in seats


class MailWriter:
    """Writes the mails to an address, in its language."""

    def __init__(self, annals: Annals, player: str, address: MailAddress) -> None:
        self._annals = annals
        self._player = player
        self._address = address
        self._words = Words(TEXTS[address.language])
        self._zone: tzinfo = find_zone(address.time_zone) or UTC
        self._now = annals.now()

    def write_digest(
        self, items: Sequence[MailItem], more: int, positions: Mapping[str, int]
    ) -> EmailMessage:
        """Return a mail about these matches and the number of others that wait. Equal `positions`
        of notices give an equal Message-ID, so most addresses show a mail once that comes again.
        """
        words, lines = self._words, [(self._line(one), self._url(one.match)) for one in items]
        ends = [
            *([words("more", count=more)] if more else []),
            words("footer", place=self._annals.public_url),
        ]
        end = end_url(self._annals, link_code(self._player, self._address))
        links = {
            words("my_turns"): f"{self._annals.public_url}/turns",
            words("settings"): f"{self._annals.public_url}/settings#notices",
            words("end"): end,
        }
        headers = {
            "Message-ID": self._message_id(positions),
            "List-Unsubscribe": f"<{end}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
        html = [
            "<ul>",
            *(f'<li><a href="{escape(url)}">{escape(line)}</a></li>' for line, url in lines),
            "</ul>",
            *(f"<p>{escape(line)}</p>" for line in ends),
            *(f'<p><a href="{escape(url)}">{escape(name)}</a></p>' for name, url in links.items()),
        ]
        text = [f"{line}\n{url}\n" for line, url in lines] + ends
        text += [f"{name}: {url}" for name, url in links.items()]
        return self._build(self._subject(items, more), text, html, headers)

    def write_confirmation(self, pending: PendingAddress) -> EmailMessage:
        """Return the mail with the link that confirms the address. It has no words of the player:
        it may reach anyone.
        """
        words, url = self._words, confirm_url(self._annals, link_code(self._player, self._address))
        until = self._time(pending.until)
        asked = words("confirm_text", place=self._annals.public_url, until=until)
        html = [
            f"<p>{escape(asked)}</p>",
            f'<p><a href="{escape(url)}">{escape(url)}</a></p>',
            f"<p>{escape(words('confirm_not_you'))}</p>",
        ]
        text = [asked, url, "", words("confirm_not_you")]
        return self._build(words("confirm_subject"), text, html, {})

    def _build(
        self, subject: str, text: Sequence[str], html: Sequence[str], headers: Mapping[str, str]
    ) -> EmailMessage:
        sender, recipient = self._annals.settings.mail_from, self._address.address
        page = (
            f'<!doctype html><html lang="{self._address.language}"><meta charset="utf-8">'
            f"<body>{''.join(html)}</body></html>\n"
        )
        plain = "\n".join(text) + "\n"
        return build_message(
            sender, recipient, subject, plain, self._now, html=page, headers=headers
        )

    def _subject(self, items: Sequence[MailItem], more: int) -> str:
        matches = len({one.match.id for one in items}) + more
        if matches > 1:
            return self._words("subject_many", count=matches)
        one = min(items, key=lambda item: URGENCY.index(item.kind))
        what = one.sentence if one.sentence in OWN_SUBJECTS else one.kind
        return self._words(f"subject_{what}", game=self._title(one.match))

    def _line(self, item: MailItem) -> str:
        own = item.match.seats_of(self._player)
        names = seat_names(self._annals, item.match, self._address.language)
        others = [_unlinked(name) for seat, name in enumerate(names) if name and seat not in own]
        key, words = "match" if others else "match_alone", self._words
        listed = words("separator").join(others)
        what = words(key, game=self._title(item.match), others=listed)
        said = words(item.sentence, **({} if item.unread is None else {"count": item.unread}))
        if item.until is None or item.until <= self._now:
            return words("line", what=what, said=said)
        left, until = self._duration(item.until - self._now), self._time(item.until)
        return words("line_until", what=what, said=said, until=until, left=left)

    def _title(self, match: Match) -> str:
        return match.game.title_in(self._address.language)

    def _url(self, match: Match) -> str:
        return f"{self._annals.public_url}/matches/{match.id}"

    def _duration(self, ms: int) -> str:
        """Return a time in one unit, rounded down."""
        for unit, name in ((DAY_MS, "left_days"), (HOUR_MS, "left_hours")):
            if ms >= 2 * unit:
                return self._words(name, count=ms // unit)
        return self._words("left_minutes", count=max(1, ms // MINUTE_MS))

    def _time(self, at: int) -> str:
        """Return a time of day in the zone of the player, with its name."""
        there = datetime.fromtimestamp(at / 1000, self._zone)
        name = "UTC" if self._zone is UTC else self._address.time_zone
        return f"{there:%Y-%m-%d %H:%M} ({name})"

    def _message_id(self, positions: Mapping[str, int]) -> str:
        said = " ".join(f"{match}:{positions[match]}" for match in sorted(positions))
        digest = hashlib.sha256(f"{self._player} {said}".encode()).hexdigest()[:32]
        return f"<{digest}@{domain_of(self._annals.settings.mail_from)}>"


def _unlinked(name: str) -> str:
    """Return a name in which mail programs see no address of a website."""
    return name.replace(".", ".\u2060")
