"""Every problem code with its status; the texts files have its title and advice.

The texts of a code are `<code>_title` and `<code>_advice`, in the file of each language.
"""

from __future__ import annotations

from collections.abc import Mapping

from domain.engine.resources.rulebook import ENGLISH
from domain.engine.resources.texts import Texts, read

HTTP_CODES: Mapping[int, str] = {
    400: "malformed",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
    414: "too_large",
    415: "unsupported_media_type",
    431: "too_large",
}
CODES: Mapping[int, tuple[str, ...]] = {
    400: (
        "bad_clock", "bad_cursor", "bad_move", "bad_options", "bad_position", "bad_seat",
        "bad_seats", "invalid", "malformed", "no_such_seat", "query_too_large", "refused",
        "seat_mismatch", "unknown_level",
    ),
    401: ("bad_signature", "unauthorized", "unknown_token"),
    403: (
        "bad_code", "bad_recovery", "banned", "cross_site", "fork_is_private",
        "insufficient_scope", "is_operator", "muted", "no_answer_expected", "not_an_operator",
        "not_seated", "not_the_host", "not_your_room", "not_your_seat", "not_your_turn",
        "not_your_view", "other_player", "phrases_only", "position_hidden", "reliability_too_low",
        "seat_played_by_bot", "undo_off",
    ),
    404: ("not_found", "not_logged"),
    405: ("method_not_allowed",),
    406: ("not_acceptable",),
    408: ("too_slow",),
    409: (
        "already_seated", "bot_decides", "contended", "game_over", "match_aborted",
        "match_has_players", "match_not_started", "match_paused", "match_started",
        "match_too_long", "name_taken", "no_absent_player", "no_backups", "no_hints", "no_pause",
        "no_proposal", "no_rematch", "no_replacement", "no_time_to_give", "no_undo_request",
        "not_in_lesson", "not_invited", "not_scored", "nothing_to_keep", "nothing_to_open",
        "nothing_to_reclaim", "nothing_to_redo", "nothing_to_undo", "proposal_stands",
        "proposed_lately", "rules_version_mismatch",
        "seat_taken", "talk_closed", "too_early", "too_many_bot_tables", "too_many_muted",
        "too_many_notes", "too_many_people", "too_many_reports", "too_many_tables",
        "too_many_tokens",
        "too_many_webhooks", "undo_already_requested", "waiting_for_nonces", "waiting_for_players",
        "webhook_disabled",
    ),
    412: ("stale_version",),
    413: ("too_large",),  # 414 and 431 if it is the address or the headers
    415: ("unsupported_media_type",),
    422: ("key_reused", "rule_broken"),
    429: ("too_many_own_streams", "too_many_requests"),
    500: ("corrupt", "internal"),
    503: (
        "analysis_failed", "analyst_busy", "exports_busy", "log_stopped", "painters_busy",
        "statistics_busy", "store_unavailable", "too_many_streams",
    ),
}  # fmt: skip
"""The codes by their status: the only place that has it."""
STATUS_OF: Mapping[str, int] = {code: status for status, codes in CODES.items() for code in codes}
TEXTS: Mapping[str, Texts] = read(__package__)
"""By language, the texts of problems and of the pages that explain them."""


def title_of(code: str, language: str = ENGLISH) -> str:
    """Return the title of a problem."""
    return TEXTS[language][f"{code}_title"]


def advice_of(code: str, language: str = ENGLISH) -> str:
    """Return what to do about a problem: one line of Markdown."""
    return TEXTS[language][f"{code}_advice"]
