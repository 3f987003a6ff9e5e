"""What changes for a player, or in the lobby, for all who listen."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from projections.core.changes import LOBBY
from projections.core.summary import Summary
from projections.lists.change_feed import Marks, New, News, NewsReader, write_marks
from service.accounts.players import Players
from service.live.broadcast import Eyes, event
from service.live.feed_watcher import Channel, Watcher
from service.matches import lists
from service.matches.lists import Json
from service.matches.queries import Names
from service.runtime.event_loop import Rings

ENCODER = msgspec.json.Encoder()


class Told:
    """Changes, as somebody may see them."""

    def __init__(self, news: News, who: str, names: Names, more: bool) -> None:
        self.last = news.marks
        self.more = more
        self._news = news
        self._who = who
        self._names = names
        self._frames: dict[Eyes, bytes] = {}

    def frame(self, eyes: Eyes) -> bytes:
        """The matches that changed; only those of one game, if the eyes are set on it."""
        if eyes not in self._frames:
            told = [new for new in self._news.items if eyes.of in (None, new.match.game)]
            last = told[-1].marks if told else None
            frames = [self._encoded(new) for new in told]
            self._frames[eyes] = b"".join(frames) + (mark(self.last) if last != self.last else b"")
        return self._frames[eyes]

    def _encoded(self, new: New) -> bytes:
        kind, data = self._seen(new.match)
        return event(write_marks(new.marks), kind, ENCODER.encode(data))

    def _seen(self, match: Summary) -> tuple[str, Json]:
        if self._who == LOBBY:
            return "match", lists.summary(match, self._names)
        if self._who in match.involved:
            return "match", lists.own(match, self._names, self._who)
        return "gone", {"id": match.id}


class NewsNow:
    """What there is to tell a player, or the lobby."""

    def __init__(self, topic: NewsTopic, channels: Mapping[int, Channel], over: bool) -> None:
        self.over = over
        self._topic = topic
        self._channels = channels

    def place(self, after: Marks) -> Marks:
        """These marks, but in each partition no later than what was told last: nothing has changed
        in between, and whoever began to listen a little later is told the same from now on.
        """
        return tuple(
            min(mark, self._channels[partition].version or mark)
            for partition, mark in enumerate(after)
        )

    def read(self, after: Marks) -> Told | None:
        """What has changed after these marks."""
        rings = {
            partition: channel.rings
            for partition, channel in self._channels.items()
            if not 0 < channel.version <= after[partition]
        }
        return self._topic.read(after, rings) if rings else None


class NewsTopic:
    """What concerns a player, or the lobby; how far one has heard are marks."""

    def __init__(self, reader: NewsReader, players: Players, watcher: Watcher, who: str) -> None:
        self._reader = reader
        self._players = players
        self._watcher = watcher
        self._who = who
        self._channels: Mapping[int, Channel] = {}

    def watch(self, bell: Rings) -> None:
        """Let this ring whenever something has changed."""
        if not self._channels:
            everywhere = range(self._reader.partitions)
            self._channels = self._watcher.watch(self._who, everywhere, bell)

    def unwatch(self, bell: Rings) -> None:
        """Let it ring no more."""
        channels, self._channels = self._channels, {}
        self._watcher.unwatch(self._who, channels, bell)

    def now(self) -> NewsNow:
        """What there is to tell; only that nothing more comes, if the process ends."""
        return NewsNow(self, self._channels, self._watcher.closing)

    def read(self, after: Marks, rings: Mapping[int, int]) -> Told:
        """What has changed in partitions, whose channels had rung so often before."""
        news = self._reader.read(self._who, after, [*rings])
        for partition, end in news.ends.items():
            self._watcher.learn(self._channels[partition], rings[partition], end)
        names = lists.names_in(self._players, [new.match for new in news.items])
        return Told(news, self._who, names, more=len(news.ends) < len(rings))


def mark(marks: Marks) -> bytes:
    """Tells up to where one has heard, and nothing else."""
    return b"id: %b\n\n" % write_marks(marks).encode()
