"""Every problem code with its status, its title and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

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
PROBLEM_CODES: Mapping[str, tuple[str, str]] = {
    "already_asked": (
        "An undo is being asked for already",
        "Wait until the others have answered, or until the request lapses.",
    ),
    "already_seated": (
        "You sit at this table already",
        "A player takes one seat; hotseat tables are opened with several seats for `me`.",
    ),
    "analysis_failed": (
        "The match could not be analysed",
        "It is tried again when somebody asks a minute later; the log of the service says why.",
    ),
    "analyst_busy": (
        "Too many matches wait to be analysed",
        "Ask again later; what waits is done one after the other.",
    ),
    "bad_clock": (
        "No match can have this clock",
        "It gives time for each move, or a bank with an increment; `detail` says what is wrong.",
    ),
    "bad_code": (
        "This code signs nobody in",
        "Have another one shown in a browser that is signed in: it is good once, for ten minutes.",
    ),
    "bad_cursor": (
        "This cursor does not come from here",
        "Follow the `Link` of the previous page; without `after` the list starts at its head.",
    ),
    "bad_move": (
        "Not a move of this game",
        "`GET /v1/games/{game}` has the JSON schema of every move.",
    ),
    "bad_options": (
        "Not options of this game",
        "`GET /v1/games/{game}` has the JSON schema of the options and their defaults.",
    ),
    "bad_position": (
        "Not a valid position",
        "It cannot be read, contradicts itself, or is a position in which the game is over.",
    ),
    "bad_recovery": (
        "Name and recovery code do not belong together",
        "Each code is good for one use; new ones end the old ones.",
    ),
    "bad_seat": ("Not a seat", "Seats are whole numbers, counted from 0."),
    "bad_seats": (
        "The game is not played by this number of players",
        "`GET /v1/games/{game}` says how many seats a table has.",
    ),
    "bad_signature": (
        "Not signed by whom it should come from",
        "Only Discord calls this; `docs/discord.md` says where its public key is set.",
    ),
    "banned": (
        "You may not play here",
        "Whoever runs this service keeps you out; `detail` has the reason.",
    ),
    "bot_decides": (
        "A bot makes this one decision for you",
        "Your time ran out for it. You can take your seat back as soon as the bot has moved.",
    ),
    "contended": (
        "Too many others write to this match",
        "Nothing was recorded. Send the request again after a moment.",
    ),
    "cross_site": (
        "A page of another site sent this",
        "Cookies are taken from the pages of this service alone. Send a token: `Authorization:"
        " Bearer <token>`.",
    ),
    "damaged": (
        "The match cannot be read",
        "Something in it was damaged after it was recorded. To come again does not help; whoever"
        " runs the service finds out with `annals verify`, and has backups.",
    ),
    "fork_is_private": (
        "A fork of this match is private",
        "What it begins with is not for everybody. Leave out `visibility`, or say `private`.",
    ),
    "game_over": ("The game is over", "No more moves can be made; the annals stay readable."),
    "insufficient_scope": (
        "The token is not for this",
        "`scope` says what it must be for; the token from `POST /v1/players` is for everything.",
    ),
    "internal": (
        "Something went wrong on our side",
        "Send the request again with the same Idempotency-Key; it is carried out at most once.",
    ),
    "invalid": (
        "The request does not fit the schema",
        "Each of the `errors` says what is wrong, and points to where it is wrong.",
    ),
    "key_reused": (
        "This Idempotency-Key was used for another request",
        "Make a new key for each new request; only an exact repetition may use it again.",
    ),
    "log_stopped": (
        "The log is not signed now",
        "To sign might contradict what was signed before; `detail` says what whoever runs the"
        " service can do. Tiles and proofs are to be had still.",
    ),
    "malformed": ("The request cannot be read", "See `detail`."),
    "match_aborted": ("The match was aborted", "Open another one."),
    "match_not_started": (
        "The match has not begun",
        "It begins when its last seat is taken, or when its host starts it.",
    ),
    "match_too_long": (
        "The match has become too long for this",
        "Play goes on: moves, resigning, leaving and starting a table stay possible.",
    ),
    "match_started": ("The match has begun", "Seats can be taken and left only before the start."),
    "method_not_allowed": (
        "This cannot be done here",
        "The `Allow` header names the methods that this address understands.",
    ),
    "name_taken": ("Somebody has this name", "Names that differ only in case count as equal."),
    "no_such_seat": ("The table has no such seat", "Seats are counted from 0."),
    "nonces_awaited": (
        "The start waits for nonces that are to be opened",
        "It begins by itself: `nonces_until` of the match says by when.",
    ),
    "not_acceptable": ("There is no such form of the answer", "See `Accept` in the description."),
    "not_asked": ("You are not asked", "Only those who were asked can answer, and only once."),
    "not_due": ("It is not time for this", "The service does this by itself when it is time."),
    "not_found": (
        "There is no such thing",
        "It does not exist, or you may not know that it exists: then a token may help.",
    ),
    "not_logged": (
        "This is in no checkpoint of the log yet",
        "It will be within seconds, if a match was opened, ended or aborted; within ten minutes"
        " otherwise.",
    ),
    "not_scored": (
        "The match is not scored",
        "Come again once `status` is `scored`; a match that was aborted never is.",
    ),
    "not_seated": ("You have no seat in this match", "Only those at the table can do this."),
    "not_the_host": ("Only the host can do this", "The host is the player who opened the table."),
    "not_your_eyes": (
        "You may not see as this seat",
        "Before the end everybody sees as their own seat, or as a spectator.",
    ),
    "not_your_seat": ("This is not your seat", "Name one of your seats, or none."),
    "not_your_turn": ("It is not your turn", "`awaiting` of the match says who has to decide."),
    "nothing_asked": ("Nobody asks for an undo", "The request has lapsed, or there was none."),
    "nothing_to_open": (
        "You have no nonce to open now",
        "Only what you committed to is opened, once, as soon as all seats are taken.",
    ),
    "nothing_to_reclaim": ("No bot plays in your place", "You can move for yourself."),
    "nothing_to_redo": ("There is nothing to restore", "A new move ends what could be restored."),
    "nothing_to_undo": (
        "There is nothing to undo",
        "`to` must be an earlier version of this line of play; by default your last move goes.",
    ),
    "other_rules": (
        "The match was played by other rules",
        "Only the rules of today are known here; everything that was recorded can be read.",
    ),
    "painters_busy": (
        "Too many pictures wait to be drawn",
        "Ask again after `Retry-After`. Pictures that were drawn before are still to be had.",
    ),
    "people_play": (
        "People hold seats in this match",
        "Only a match in which bots hold all seats can be closed; those who give up resign.",
    ),
    "position_hidden": (
        "Positions are shown after the end",
        "A position shows all hands. Until the end the view has all that you may know.",
    ),
    "refused": ("This is refused", "See `detail`."),
    "rule_broken": (
        "The rules of the game forbid this",
        "`rule` is the number of the rule, `rule_text` its text, `fault` a word for programs.",
    ),
    "seat_played_by_bot": (
        "A bot plays this seat now",
        "Take it back first: `POST /v1/matches/{id}/reclaim`.",
    ),
    "seat_taken": ("There is no such free seat for you", "Take another one, or another table."),
    "seats_differ": ("Two different seats are named", "Name the seat once, or not at all."),
    "stale_version": (
        "The match has moved on",
        "Read the match again, decide again, and send its new version in `If-Match`.",
    ),
    "statistics_busy": (
        "Too much is asked of the statistics just now",
        "Ask again after `Retry-After`: what was read for the question is kept.",
    ),
    "store_unavailable": (
        "The event store does not answer",
        "Send the request again after `Retry-After`, with the same Idempotency-Key.",
    ),
    "too_large": ("The request is too large", "See the limits in the description of the API."),
    "too_many_bot_tables": (
        "Bots alone decide in too many of your matches",
        "Wait until some have ended, or close those in which bots hold all seats: `DELETE"
        " /v1/matches/{id}`. Those in which bots play for people whose time ran out end when these"
        " resign. Tables of people can be opened meanwhile.",
    ),
    "too_many_own_streams": (
        "You have too many streams open",
        "Close one, or read the events of some matches from time to time.",
    ),
    "too_many_requests": (
        "Too many requests",
        "`detail` says which limit it was; `RateLimit` tells with every answer what is left.",
    ),
    "too_many_streams": (
        "Too many streams are open",
        "Connect again after `Retry-After`, or read the events from time to time.",
    ),
    "too_many_tables": (
        "You are the host of too many tables",
        "Finish those in play, or close open ones and those of bots: `DELETE /v1/matches/{id}`.",
    ),
    "too_many_tokens": (
        "You have too many tokens",
        "End those that are not needed: `DELETE /v1/me/tokens/{token}`.",
    ),
    "too_many_webhooks": (
        "You have too many webhooks",
        "Remove those that are not needed: `DELETE /v1/webhooks/{webhook}`.",
    ),
    "too_slow": (
        "The request did not come in time",
        "Send the whole request within `ANNALS_REQUEST_SECONDS`; nothing was done.",
    ),
    "too_wide": (
        "The question is too wide",
        "Tell fewer groups apart, or ask for fewer by filters; `annals export` has tables of all.",
    ),
    "unauthorized": (
        "Who are you?",
        "Send `Authorization: Bearer <token>`; `POST /v1/players` gives you a token.",
    ),
    "undo_off": (
        "This match is played without undo",
        "Its host chose that when opening the table.",
    ),
    "unknown_level": (
        "No bot of this game plays at this level",
        "`GET /v1/games/{game}` names the levels.",
    ),
    "webhook_off": (
        "The webhook is turned off",
        "`disabled_reason` says why; `PATCH` with `active: true`, or `recover`, turns it on.",
    ),
    "unsupported_media_type": ("The body is not JSON", "Send `Content-Type: application/json`."),
}
CODES: Mapping[int, tuple[str, ...]] = {
    400: (
        "bad_clock", "bad_cursor", "bad_move", "bad_options", "bad_position", "bad_seat",
        "bad_seats", "invalid", "malformed", "no_such_seat", "refused", "seats_differ", "too_wide",
        "unknown_level",
    ),
    401: ("bad_signature", "unauthorized"),
    403: (
        "bad_code", "bad_recovery", "banned", "cross_site", "fork_is_private", "insufficient_scope",
        "not_asked", "not_seated", "not_the_host", "not_your_eyes", "not_your_seat",
        "not_your_turn", "position_hidden", "seat_played_by_bot", "undo_off",
    ),
    404: ("not_found", "not_logged"),
    405: ("method_not_allowed",),
    406: ("not_acceptable",),
    408: ("too_slow",),
    409: (
        "already_asked", "already_seated", "bot_decides", "contended", "game_over",
        "match_aborted", "match_not_started", "match_started", "match_too_long", "name_taken",
        "nonces_awaited", "not_due", "not_scored", "nothing_asked", "nothing_to_open",
        "nothing_to_reclaim", "nothing_to_redo", "nothing_to_undo", "other_rules", "people_play",
        "seat_taken", "too_many_bot_tables", "too_many_tables", "too_many_tokens",
        "too_many_webhooks", "webhook_off",
    ),
    412: ("stale_version",),
    413: ("too_large",),  # 414 and 431, if it is the address or the headers
    415: ("unsupported_media_type",),
    422: ("key_reused", "rule_broken"),
    429: ("too_many_own_streams", "too_many_requests"),
    500: ("damaged", "internal"),
    503: (
        "analysis_failed", "analyst_busy", "log_stopped", "painters_busy", "statistics_busy",
        "store_unavailable", "too_many_streams",
    ),
}  # fmt: skip
"""The codes by their status: the only place that has it."""
STATUS_OF: Mapping[str, int] = {code: status for status, codes in CODES.items() for code in codes}
