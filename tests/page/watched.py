"""What goes on in a browser: errors of its pages, and whom they ask."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError


class Watched:
    """Notes what pages of a context complain of, and what they ask of other hosts."""

    def __init__(self, context: BrowserContext, url: str, faults: tuple[str, ...] = ()) -> None:
        self._host = urlsplit(url).netloc
        self._faults = faults
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        context.on("console", self._said)
        context.on("weberror", self._failed)
        context.on("request", self._asked)

    def check(self) -> None:
        """Nothing went wrong."""
        assert self.strangers == []
        unforeseen = [said for said in self.complaints if not self._foreseen(said)]
        assert not unforeseen, unforeseen

    def _foreseen(self, said: str) -> bool:
        return any(fault in said for fault in self._faults)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")

    def _failed(self, error: WebError) -> None:
        self.complaints.append(str(error.error))

    def _asked(self, request: Request) -> None:
        host = urlsplit(request.url)
        if host.scheme not in ("data", "blob") and host.netloc != self._host:
            self.strangers.append(request.url)
