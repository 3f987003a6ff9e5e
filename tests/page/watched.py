"""What happens in a browser: the errors of its pages, and the hosts they call."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, ConsoleMessage, WebError

NO_OTHER_HOST = "--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""An option of Chromium: this machine also has names that end in `.test`, and no other host can be
found.
"""
STRANGER = "net::ERR_NAME_NOT_RESOLVED"
"""The browser's message for a request to another host."""


class PageWatcher:
    """Records the complaints of the pages of a context, also about requests to other hosts."""

    def __init__(self, context: BrowserContext, faults: tuple[str, ...] = ()) -> None:
        self.begin(faults)
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)

    def begin(self, faults: tuple[str, ...]) -> None:
        """Forget the complaints; from now on they may contain these texts."""
        self._faults = faults
        self.complaints: list[str] = []

    def check(self) -> None:
        """Check that there were none."""
        unforeseen = [said for said in self.complaints if not self._is_expected(said)]
        assert not unforeseen, unforeseen

    def _is_expected(self, said: str) -> bool:
        return STRANGER not in said and any(fault in said for fault in self._faults)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")

    def _on_error(self, error: WebError) -> None:
        self.complaints.append(str(error.error))
