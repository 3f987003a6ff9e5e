"""What happens in a browser: the errors of its pages, and the hosts they call."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError


class PageWatcher:
    """Records the complaints of the pages of a context, and their requests to other hosts."""

    def __init__(self, context: BrowserContext, url: str, faults: tuple[str, ...] = ()) -> None:
        self._host = urlsplit(url).netloc
        self._faults = faults
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("request", self._on_request)

    def check(self) -> None:
        """Check that there were none."""
        assert self.strangers == []
        unforeseen = [said for said in self.complaints if not self._is_expected(said)]
        assert not unforeseen, unforeseen

    def _is_expected(self, said: str) -> bool:
        return any(fault in said for fault in self._faults)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")

    def _on_error(self, error: WebError) -> None:
        self.complaints.append(str(error.error))

    def _on_request(self, request: Request) -> None:
        host = urlsplit(request.url)
        if host.scheme not in ("data", "blob") and host.netloc != self._host:
            self.strangers.append(request.url)
