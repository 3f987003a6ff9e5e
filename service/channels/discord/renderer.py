"""Shows matches in Discord: draws and sends cards, and removes the buttons of previous ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import structlog

from domain.match import visibility
from domain.match.state import Match
from service.channels.chat.multipart import File, attachments
from service.channels.chat.summary import turns_since
from service.channels.discord import components
from service.channels.discord.cards import MatchCard, build_card
from service.channels.discord.channels import PostedCard
from service.channels.discord.client import DiscordClient, DiscordError, SentMessage
from service.channels.discord.components import Json
from service.channels.discord.context import DiscordContext
from service.channels.discord.follow_up_jobs import FollowUpJob
from service.channels.discord.payloads import DEFAULT_MAX_FILE_BYTES
from service.drawing.pictures.cache import PictureCache
from service.drawing.pictures.inputs import Drawing, draw_picture
from service.drawing.pictures.painter import DrawingFailed
from service.runtime.errors import PaintersBusy

PICTURE_CALLER = "discord"
"""The caller for the picture quota; all cards share it."""
EDIT_RETRY_S = (0.2, 0.5, 1.0)
"""Delays before retrying an edit of a first answer that Discord does not know yet."""
UNKNOWN_CODES = (10008, 10015)
"""Error codes: unknown message, unknown interaction."""
log = structlog.get_logger()


class CardRenderer:
    """Draws and sends cards."""

    def __init__(
        self,
        discord: DiscordContext,
        client: DiscordClient,
        gallery: PictureCache,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.discord = discord
        self._sleep = sleep
        self._client = client
        self._gallery = gallery

    def show(self, job: FollowUpJob) -> None:
        """Show the current state of a match. Raises DiscordError if a retry may succeed."""
        match = self.discord.annals.matches.latest(job.match)
        private = job.view == "own"
        if not private and self._is_up_to_date(job, match.version):
            return
        seat = visibility.default_viewer_seat(match, job.player) if private else None
        board_format = self.discord.links.preferences(job.user).board if private else "picture"
        if private or not job.channel:
            card_to_send = build_card(
                self.discord, match, seat, board_format, job.note, public=not private
            )
        else:
            card_to_send = self._build_channel_card(match, job.channel)
        message, files = self._message(
            card_to_send, job.max_picture_bytes or DEFAULT_MAX_FILE_BYTES
        )
        nonce = f"{match.id[:16]}.{match.version}"
        sent = self._send(job, nonce, message, files)
        if sent and not private and job.channel:
            self._record_card(job.channel, match.id, match.version, card_to_send, sent)

    def _is_up_to_date(self, job: FollowUpJob, version: int) -> bool:
        """Return whether the channel already shows this version and no first answer is pending."""
        is_awaited = job.token and job.original
        channel = None if is_awaited else job.channel
        card = self.discord.channels.card(channel, job.match) if channel else None
        return card is not None and card.version >= version

    def _build_channel_card(self, match: Match, channel: str) -> MatchCard:
        """Build the card for a channel: events since its last card, mentions for new turns."""
        card = self.discord.channels.card(channel, match.id)
        if card is None:
            return build_card(self.discord, match, None, "picture", turns=match.seats_to_move)
        since = min(card.version, match.version - 1)
        turns = turns_since(self.discord.annals, match, card.version)
        return build_card(self.discord, match, None, "picture", since=since, turns=turns)

    def _message(self, card_to_send: MatchCard, max_bytes: int) -> tuple[Json, Sequence[File]]:
        """Return the message and its files: with a picture if the viewer wants one, it is not too
        large, and it can be drawn now. Text is better than no answer.
        """
        summary = card_to_send.summary
        if card_to_send.board_format == "picture":
            content = self._draw(summary.picture)
            if content is not None and len(content) <= max_bytes:
                files = [File(summary.file, content, summary.alt)]
                message = components.message(
                    card_to_send.components(with_file=True), summary.mentions
                )
                return {**message, "attachments": attachments(files)}, files
        text = draw_picture(summary.text).decode()
        return components.message(
            card_to_send.components(with_file=False, board=text), summary.mentions
        ), ()

    def _draw(self, picture: Drawing) -> bytes | None:
        """Return the picture; None if it cannot be drawn now."""
        try:
            return self._gallery.draw(picture, PICTURE_CALLER)
        except (PaintersBusy, DrawingFailed) as failed:
            log.warning("discord_picture_failed", reason=type(failed).__name__)
            return None

    def _send(
        self, job: FollowUpJob, nonce: str, message: Json, files: Sequence[File]
    ) -> SentMessage | None:
        """Send the message as an answer, or as the bot; None if neither works.

        In that case the player sees the match with their next command.
        """
        try:
            if job.token and job.original:
                return self._edit_first_answer(job.token, message, files)
            if job.token:
                return self._client.follow_up(job.token, message, files)
        except DiscordError as error:
            if not error.is_gone:
                raise
        return self._post_as_bot(job, nonce, message, files)

    def _edit_first_answer(self, token: str, message: Json, files: Sequence[File]) -> SentMessage:
        """Replace the first answer; retry while it has not arrived in Discord."""
        for wait_s in EDIT_RETRY_S:
            try:
                return self._client.edit_original(token, message, files)
            except DiscordError as error:
                if error.code not in UNKNOWN_CODES:
                    raise
                self._sleep(wait_s)
        return self._client.edit_original(token, message, files)

    def _post_as_bot(
        self, job: FollowUpJob, nonce: str, message: Json, files: Sequence[File]
    ) -> SentMessage | None:
        channel = job.channel
        if job.view == "own" or channel is None or not self._can_post(channel):
            return None
        try:
            mentions = message["allowed_mentions"].get("users")
            posted = (
                message if mentions else {**message, "flags": message["flags"] | components.SILENT}
            )
            return self._client.post(channel, nonce, posted, files)
        except DiscordError as error:
            if not error.is_permanent:
                raise
            log.info("discord_delivery_failed", match=job.match, code=error.code)
            if error.is_gone or error.status == 403:
                self.discord.channels.mark_unwritable(channel)
            return None

    def _can_post(self, channel: str) -> bool:
        return self._client.has_bot and not self.discord.channels.is_unwritable(channel)

    def _record_card(
        self, channel: str, match: str, version: int, card_to_send: MatchCard, sent: SentMessage
    ) -> None:
        """Store the message that shows the match now, and remove the buttons of the previous one.

        If this message arrived late and a newer one exists, this one loses its buttons.
        """
        file = next((one.id for one in sent.attachments), None)
        card = PostedCard(
            sent.id, version, card_to_send.components_without_buttons(file is not None), file
        )
        before = self.discord.channels.put_card(channel, match, card)
        if before is None or before.message == card.message:
            return
        if before.is_later_than(card):
            self.discord.channels.put_card(channel, match, before)
            before = card
        if self._client.has_bot:
            self._remove_buttons(channel, match, before)

    def _remove_buttons(self, channel: str, match: str, card: PostedCard) -> None:
        kept = [{"id": card.attachment}] if card.attachment else []
        message = {**components.message(card.components), "attachments": kept}
        try:
            self._client.edit(channel, card.message, message)
        except DiscordError as error:  # old buttons say so themselves
            log.info("discord_edit_failed", match=match, code=error.code)
