"""The Markdown of the rules as HTML."""

from __future__ import annotations

from domain.engine.resources.rulebook import join_lines
from service.http.guides import MARKDOWN
from service.page.texts import words_in

SCROLLING = '<div class="scroll" role="group" tabindex="0" aria-label="{}">'


def to_html(markdown: str, language: str) -> str:
    """Markdown as HTML, with tables that scroll by themselves on a narrow screen."""
    html: str = MARKDOWN.render(join_lines(markdown))
    words = words_in(language)
    before = SCROLLING.format(words("rules_table")) + "<table>"
    return html.replace("<table>", before).replace("</table>", "</table></div>")
