"""The guides that come with the package, rendered from Markdown to HTML.

`zensical.toml` lists them: sections of titles and paths in the repository. Links between guides
become paths below `/guide`.
"""

from __future__ import annotations

import re
import tomllib
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path, PurePosixPath
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from domain.engine.game import Game
from domain.games import GAMES

MEDIA_TYPES = {".svg": "image/svg+xml", ".jpg": "image/jpeg"}
SHIPPED_FOLDER = Path(__file__).parents[1] / "shipped"
PACKAGE_FOLDER = Path(__file__).parents[2]
MARKDOWN = MarkdownIt("commonmark").enable("table")
FOLDERS = {"docs", "domain", "games"}


class Guide(NamedTuple):
    """A guide: its section, its title, and the path of its text in the repository."""

    section: str
    title: str
    path: str

    @property
    def name(self) -> str:
        """The last part of its address: `qin`, `qin-rules`, `decisions`, `readme`."""
        words = PurePosixPath(self.path).with_suffix("").parts
        own = [word for word in words if word not in FOLDERS]
        return "-".join(own[:-1] if own[1:] and own[-1] == "README" else own).lower()

    @property
    def text(self) -> str:
        """Its Markdown; the rule books lie beside the code of their games."""
        place = PACKAGE_FOLDER if self.path.startswith("domain/") else SHIPPED_FOLDER
        return (place / self.path).read_text(encoding="utf-8")


def read_guides(navigation: Sequence[dict[str, Any]]) -> Iterator[Guide]:
    """Yield all guides in the order of the navigation."""
    for part in navigation:
        for section, entries in part.items():
            for entry in entries:
                for title, path in entry.items():
                    yield Guide(section, title, path)


def _line(line: str, game: Game[Any]) -> str:
    return line.replace("{game}", game.key).replace("{title}", game.title)


def expand_games(config: str) -> str:
    """Return the configuration with one line for each game in place of the template line."""
    lines: list[str] = []
    for line in config.splitlines():
        if "{game}" in line:
            lines += [_line(line, game) for game in GAMES.values()]
        else:
            lines.append(line)
    return "\n".join(lines)


CONFIG = expand_games((SHIPPED_FOLDER / "zensical.toml").read_text(encoding="utf-8"))
NAVIGATION = tomllib.loads(CONFIG)["project"]["nav"]
GUIDES = {guide.name: guide for guide in read_guides(NAVIGATION)}
ADDRESSES = {guide.path: f"/guide/{name}" for name, guide in GUIDES.items()}


@cache
def contents() -> str:
    """Return the list of all guides by section, as HTML."""
    parts = []
    for section in dict.fromkeys(guide.section for guide in GUIDES.values()):
        items = (_item(guide) for guide in GUIDES.values() if guide.section == section)
        parts.append(f"<h2>{escape(section)}</h2>\n<ul>\n{''.join(items)}</ul>\n")
    return f"<h1>Guides</h1>\n{''.join(parts)}"


@cache
def render(name: str) -> str:
    """Return the text of a guide as HTML. Raises KeyError for an unknown name."""
    guide = GUIDES[name]
    tokens = MARKDOWN.parse(guide.text)
    _name_headings(tokens)
    _rewrite_links(tokens, guide.path)
    _inline_pictures(tokens, guide.path)
    _let_keys_scroll(tokens)
    html: str = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return html


def _item(guide: Guide) -> str:
    return f'<li><a href="{ADDRESSES[guide.path]}">{escape(guide.title)}</a></li>\n'


def _name_headings(tokens: Sequence[Token]) -> None:
    """Give each heading the id that git hosts give it, so that the same anchors work."""
    used: Counter[str] = Counter()
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            name = re.sub(r"[^\w\- ]", "", inline.content.lower()).replace(" ", "-")
            token.attrSet("id", f"{name}-{used[name]}" if used[name] else name)
            used[name] += 1


def _rewrite_links(tokens: Sequence[Token], path: str) -> None:
    """Point links between guides at their pages."""
    for token in tokens:
        for part in token.children or ():
            if part.type == "link_open":
                part.attrSet("href", _address(path, str(part.attrGet("href"))))


def _inline_pictures(tokens: Sequence[Token], path: str) -> None:
    """Inline pictures, so that a page needs no further request."""
    for token in tokens:
        for part in token.children or ():
            if part.type == "image":
                place = SHIPPED_FOLDER / normpath(join(dirname(path), str(part.attrGet("src"))))
                content = b64encode(place.read_bytes()).decode()
                part.attrSet("src", f"data:{MEDIA_TYPES[place.suffix]};base64,{content}")


def _let_keys_scroll(tokens: Sequence[Token]) -> None:
    """Let readers focus what may be too wide for their screen: code and tables."""
    for token in tokens:
        if token.type in ("fence", "table_open"):
            token.attrSet("tabindex", "0")


def _address(path: str, link: str) -> str:
    """Return where a link in the guide at this path leads; links to other targets stay as
    they are.
    """
    target, mark, anchor = link.partition("#")
    page = ADDRESSES.get(normpath(join(dirname(path), target)))
    return f"{page}{mark}{anchor}" if target and page else link
