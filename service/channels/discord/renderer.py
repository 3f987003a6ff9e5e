"""Doing errands: a match drawn and sent, and the buttons of the message before taken away."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import structlog

from domain.match import visibility
from domain.match.state import Match
from service.channels.chat.markup import cut
from service.channels.chat.multipart import File
from service.channels.chat.summary import Story, turns_since
from service.channels.discord import components
from service.channels.discord.cards import Look, look
from service.channels.discord.channels import Card
from service.channels.discord.client import Client, DiscordFailed, Sent
from service.channels.discord.components import Json
from service.channels.discord.context import Desk
from service.channels.discord.follow_up_jobs import Errand
from service.channels.discord.payloads import DEFAULT_LIMIT
from service.drawing.pictures.cache import Gallery
from service.drawing.pictures.inputs import drawn

WHO = "discord"
"""For whom pictures are drawn: there is nobody else."""
EARLY_S = (0.2, 0.5, 1.0)
"""How long to wait for a first answer to arrive that was sent just now."""
UNKNOWN = (10008, 10015)
"""Codes: Discord knows no such message, or no such interaction."""
log = structlog.get_logger()


class Showing:
    """Shows matches in Discord."""

    def __init__(
        self,
        desk: Desk,
        client: Client,
        gallery: Gallery,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.desk = desk
        self._sleep = sleep
        self._client = client
        self._gallery = gallery

    def show(self, errand: Errand) -> None:
        """Show a match as it stands now; DiscordFailed if that may come right later."""
        match = self.desk.annals.matches.latest(errand.match)
        private = errand.shown == "own"
        if not private and self._is_known(errand, match.version):
            return
        seat = visibility.viewing_seat(match, errand.player) if private else None
        form = self.desk.links.wishes(errand.user).form if private else "picture"
        if private or not errand.channel:
            seen = look(self.desk, match, seat, form, errand.note, public=not private)
        else:
            seen = self._for_channel(match, errand.channel)
        message, files = self._message(seen, errand.limit or DEFAULT_LIMIT)
        nonce = f"{match.id[:16]}.{match.version}"
        sent = self._send(errand, nonce, message, files)
        if sent and not private and errand.channel:
            self._note(errand.channel, match.id, match.version, seen, sent)

    def _is_known(self, errand: Errand, version: int) -> bool:
        """Whether a channel that nobody made wait for an answer has been shown this already: by
        an errand that was cut off thereafter, or by another one.
        """
        waits = errand.token and errand.original
        channel = None if waits else errand.channel
        card = self.desk.channels.card(channel, errand.match) if channel else None
        return card is not None and card.version >= version

    def _for_channel(self, match: Match, channel: str) -> Look:
        """A match as a channel is shown it, after what it was shown last: whoever was called then
        is not called again.
        """
        card = self.desk.channels.card(channel, match.id)
        if card is None:
            return look(self.desk, match, None, "picture", turns=match.awaited)
        since = min(card.version, match.version - 1)
        turns = turns_since(self.desk.annals, match, card.version)
        return look(self.desk, match, None, "picture", since=since, turns=turns)

    def _message(self, seen: Look, limit: int) -> tuple[Json, Sequence[File]]:
        """What is sent: with the picture if it is wanted and may be so large, else with text."""
        told = seen.story
        if seen.form == "picture":
            content = self._gallery.draw(told.picture, WHO)
            if len(content) <= limit:
                about = [{"id": 0, "filename": told.file, "description": _alt(told)}]
                message = components.message(seen.components(with_file=True), told.users)
                return {**message, "attachments": about}, [File(told.file, content)]
        text = drawn(told.text).decode()
        return components.message(seen.components(with_file=False, board=text), told.users), ()

    def _send(
        self, errand: Errand, nonce: str, message: Json, files: Sequence[File]
    ) -> Sent | None:
        """Send it where it was asked for, or let the bot say it in the channel; None if neither
        is possible: then it is there the next time somebody asks.
        """
        try:
            if errand.token and errand.original:
                return self._edited(errand.token, message, files)
            if errand.token:
                return self._client.follow_up(errand.token, message, files)
        except DiscordFailed as failed:
            if not failed.gone:
                raise
        return self._said_by_bot(errand, nonce, message, files)

    def _edited(self, token: str, message: Json, files: Sequence[File]) -> Sent:
        """Put it in the place of the first answer, which may not have arrived in Discord yet."""
        for wait_s in EARLY_S:
            try:
                return self._client.edit_original(token, message, files)
            except DiscordFailed as failed:
                if failed.code not in UNKNOWN:
                    raise
                self._sleep(wait_s)
        return self._client.edit_original(token, message, files)

    def _said_by_bot(
        self, errand: Errand, nonce: str, message: Json, files: Sequence[File]
    ) -> Sent | None:
        channel = errand.channel
        if errand.shown == "own" or channel is None or not self._may_speak(channel):
            return None
        try:
            loud = message["allowed_mentions"].get("users")
            said = message if loud else {**message, "flags": message["flags"] | components.SILENT}
            return self._client.post(channel, nonce, said, files)
        except DiscordFailed as failed:
            if not failed.final:
                raise
            log.info("discord_not_told", match=errand.match, code=failed.code)
            if failed.gone or failed.status == 403:
                self.desk.channels.close(channel)
            return None

    def _may_speak(self, channel: str) -> bool:
        return self._client.has_bot and not self.desk.channels.is_closed(channel)

    def _note(self, channel: str, match: str, version: int, seen: Look, sent: Sent) -> None:
        """Note which message shows the match now, and take the buttons from the one before; from
        this one, if it arrived late and there is a newer one below it.
        """
        file = next((one.id for one in sent.attachments), None)
        card = Card(sent.id, version, seen.bare(file is not None), file)
        before = self.desk.channels.put_card(channel, match, card)
        if before is None or before.message == card.message:
            return
        if before.stands_after(card):
            self.desk.channels.put_card(channel, match, before)
            before = card
        if self._client.has_bot:
            self._strip(channel, match, before)

    def _strip(self, channel: str, match: str, card: Card) -> None:
        kept = [{"id": card.attachment}] if card.attachment else []
        message = {**components.message(card.components), "attachments": kept}
        try:
            self._client.edit(channel, card.message, message)
        except DiscordFailed as failed:  # its buttons tell by themselves that they are old
            log.info("discord_not_edited", match=match, code=failed.code)


def _alt(told: Story) -> str:
    return cut(told.alt, components.LONGEST_ALT)
