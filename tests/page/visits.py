"""Visits of the page, each by a new visitor.

A new context and its renderer cost as much processor time as the visit itself, so the next visitor
gets the context and the page of an earlier one, without anything that these have stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Frame, Page, Route

from tests.page.strict import strict_json
from tests.page.watched import PageWatcher
from tests.support.patience import PATIENCE_S

USUAL = {
    "viewport": {"width": 1280, "height": 720}, "locale": "en-GB",
    "color_scheme": "light", "reduced_motion": "reduce",
}  # fmt: skip
"""Options of a context. Motion, drawn without a graphics card, costs a tenth of a match."""
OF_PAGE = ("viewport", "color_scheme", "reduced_motion")
"""The options that an open page can change."""
UNPAINTED = """{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("html, dialog, [popover], ::backdrop { opacity: 0 !important }");
    document.adoptedStyleSheets = [sheet];
}"""
"""Without opacity the browser lays a page out and finds what is at a point, but paints nothing:
painting takes a fifth of the time of a visit.
"""
PAINTED = "document.adoptedStyleSheets = []"
FORGET = "localStorage.clear(); sessionStorage.clear()"
BLANK = "about:blank"
LASTING = (
    "add_locator_handler", "expose_binding", "expose_function", "grant_permissions",
    "set_default_navigation_timeout", "set_default_timeout", "set_extra_http_headers",
    "set_geolocation",
)  # fmt: skip
"""What a page or context has for good, once a test has called it."""
OF_CLOCK = ("install", "pause_at", "set_fixed_time", "set_system_time")
"""The same of the clock."""
MAX_UNUSED = 4
"""Maximum number of contexts that wait for another visitor."""
Visit = Callable[..., Page]


class Visits:
    """The visits of one browser."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._unused: list[Window] = []

    @contextmanager
    def begin(self) -> Iterator[Visit]:
        """Opens a page in a separate context, as a new visitor: `visit(url, locale="zh-TW")`.

        Options are those of a Playwright context; `faults` are texts that its errors may contain,
        `before` gets the page before its first request, and with `is_new` no other visit has used
        the context, so that it has loaded nothing.
        """
        opened: list[Window] = []

        def open_page(
            url: str,
            *,
            faults: tuple[str, ...] = (),
            before: Callable[[Page], object] | None = None,
            is_new: bool = False,
            storage_state: Any = None,
            **options: Any,
        ) -> Page:
            window = self._find({**USUAL, **options}, is_new=is_new)
            opened.append(window)
            window.begin(faults, storage_state)
            if before:
                before(window.page)
            window.page.goto(url)
            return window.page

        with ExitStack() as stack:  # each of these, also if a test or another one fails
            stack.callback(self._end_all, opened)
            yield open_page
        for window in opened:
            window.watched.check()

    def _end_all(self, opened: list[Window]) -> None:
        with ExitStack() as stack:
            for window in opened:
                stack.callback(self._end, window)

    def _find(self, options: dict[str, Any], *, is_new: bool) -> Window:
        """An unused window with these options, or a new one."""
        fitting = (one for one in reversed(self._unused) if one.fits(options))
        found = None if is_new else next(fitting, None)
        if found is None:
            return Window(self._browser, options)
        self._unused.remove(found)
        found.adapt(options)
        return found

    def _end(self, window: Window) -> None:
        """Keep a window for the next visitor if it can be cleaned."""
        if window.is_shared and window.clean():
            self._unused.append(window)
        else:
            window.close()
        for old in self._unused[:-MAX_UNUSED]:
            self._unused.remove(old)
            old.close()


class Window:
    """A context of a browser with a page."""

    def __init__(self, browser: Browser, options: dict[str, Any]) -> None:
        self._options = options
        self.is_shared = True
        self._context: BrowserContext = browser.new_context(**options)
        self._context.set_default_timeout(1000 * PATIENCE_S)
        self._context.add_init_script(strict_json())
        self._context.add_init_script(UNPAINTED)
        self.watched = PageWatcher(self._context)
        self.page = self._context.new_page()
        self._origins: set[str] = set()
        self._undo: list[Callable[[], object]] = []
        """What takes back, one by one, what tests have added to the page and its context."""
        self.page.on("framenavigated", self._note_origin)
        self._observe()

    def _note_origin(self, frame: Frame) -> None:
        parts = urlsplit(frame.url)
        if parts.netloc:
            self._origins.add(f"{parts.scheme}://{parts.netloc}")

    def _observe(self) -> None:
        """Note what tests do to the page and the context that the next visitor would find."""
        places: tuple[Any, ...] = (self.page, self._context, self.page.clock)
        for place in places:
            for name in (*LASTING, *OF_CLOCK):
                if method := getattr(place, name, None):
                    setattr(place, name, partial(self._call_lasting, method))
        add_session = partial(self._add, self._context.new_cdp_session, "detach")
        self._context.new_cdp_session = add_session  # type: ignore[method-assign]
        for place in (self.page, self._context):
            add_script = partial(self._add, place.add_init_script, "close")
            place.add_init_script = add_script  # type: ignore[method-assign]
            for name in ("on", "once"):
                add = getattr(place, name)
                setattr(place, name, partial(self._add_listener, place, add))

    def _call_lasting(self, method: Callable[..., Any], *args: Any, **options: Any) -> Any:
        self.is_shared = False
        return method(*args, **options)

    def _add(self, add: Callable[..., Any], undo: str, *args: Any, **options: Any) -> Any:
        """Add a thing that has a method with which it ends."""
        added = add(*args, **options)
        self._undo.append(getattr(added, undo))
        return added

    def _add_listener(self, place: Any, add: Callable[..., None], event: str, listen: Any) -> None:
        self._undo.append(partial(_remove_listener, place, event, listen))
        add(event, listen)

    def fits(self, options: dict[str, Any]) -> bool:
        """Whether the context has these options, besides those that its page can change."""
        return _of_context(self._options) == _of_context(options)

    def adapt(self, options: dict[str, Any]) -> None:
        """Give the page its options again; tests may have changed them."""
        self._options = options
        self.page.set_viewport_size(options["viewport"])
        self.page.emulate_media(
            media="null",
            forced_colors="null",
            color_scheme=options["color_scheme"],
            reduced_motion=options["reduced_motion"],
        )

    def begin(self, faults: tuple[str, ...], state: Any) -> None:
        """Begin the visit of a player with this stored state."""
        self.watched.begin(faults)
        self._origins.clear()
        self._context.add_cookies(state["cookies"] if state else [])

    def clean(self) -> bool:
        """Remove all that a visit has left; returns whether it could."""
        try:
            for other in self._context.pages:
                if other is not self.page:
                    other.close()
            while self._undo:
                self._undo.pop()()
            self._context.set_offline(False)
            self.page.evaluate(FORGET)
            self.page.unroute_all(behavior="ignoreErrors")
            self._context.unroute_all(behavior="ignoreErrors")
            self.page.goto(BLANK)
            self._context.clear_cookies()
        except Error:
            return False
        return len(self._origins) <= 1  # what other origins store stays

    def close(self) -> None:
        """End the context."""
        with suppress(Exception):
            self._context.close()


def lead_nowhere(page: Page) -> None:
    """Leave the page of a match empty to which a button leads from here: other tests look at it."""

    def answer(route: Route) -> None:
        if route.request.is_navigation_request():
            route.fulfill(body="")
        else:
            route.fallback()

    page.route("**/matches/*", answer)


def paint(page: Page) -> None:
    """Have the browser paint a page until it loads another one: for tests that look at its pixels,
    or at how opaque it is.
    """
    page.evaluate(PAINTED)


def _of_context(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in OF_PAGE}


def _remove_listener(place: Any, event: str, listen: Any) -> None:
    with suppress(KeyError):  # it was to be called once, and has been
        place.remove_listener(event, listen)
