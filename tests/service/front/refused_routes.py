"""Routes that refuse all requests in the test of every route's turn, and why."""

from __future__ import annotations

MATCH = "/v1/matches/<match_id:match_id>"
ROOM = f"{MATCH}/talk/<any(players, spectators):room>"
REFUSED = {
    "needs a match in another state": [
        f"GET {MATCH}/lesson", f"DELETE {MATCH}",
        f"DELETE {MATCH}/invitation", f"DELETE {MATCH}/seats/<int(max=63):seat>",
        *(
            f"POST {MATCH}/{name}"
            for name in (
                "keep", "nonce", "reclaim", "redo", "rematch", "seats", "start", "time", "undo",
                "undo/answer",
            )
        ),
    ],
    "needs a message of another player": [
        "DELETE /v1/admin/reports/<report>", f"POST {ROOM}/<int:number>/report",
    ],
    "needs a rated match": [
        "GET /v1/players/<player>/ratings", "GET /v1/players/<player>/ratings.svg",
    ],
    "needs a code, a token or a name": [
        "GET /mail/confirm", "POST /mail/confirm",
        "DELETE /v1/me", "DELETE /v1/me/tokens/<token>", "GET /v1/players", "POST /setup",
        "POST /v1/recovery", "POST /v1/session",
    ],
    "needs a subscribed browser": ["DELETE /v1/me/push-subscriptions/<subscription>"],
    "needs Discord": [
        "DELETE /v1/me/discord", "POST /v1/discord/events", "POST /v1/discord/interactions",
        "POST /v1/me/discord",
    ],
    "needs a browser that has signed in": [
        "GET /admin", "GET /admin/actions", "GET /admin/backups", "GET /admin/matches",
        "GET /admin/players", "GET /admin/reports", "GET /admin/settings", "GET /admin/webhooks",
    ],
    "needs the transparency log, tables or backups": [
        "GET /v1/analytics/tables", "GET /v1/log/checkpoint", "GET /v1/log/keys",
        "GET /v1/log/tile/<path:tile>", f"GET {MATCH}/proof", "POST /v1/admin/backups",
    ],
    "needs other processes": [
        "GET /readyz", "POST /v1/webhooks/<webhook>/deliveries/<delivery>/redeliver",
    ],
    "needs the name of a file or an example": [
        "GET /docs/<name>", "GET /guide/<name>", "GET /page/<version>/<path:name>",
        "GET /page/games/<game>/<example>.svg",
        "GET /v1/games/<game>/examples/<example>.svg", "GET /v1/series/<match_id:series>",
    ],
}  # fmt: skip
"""Why some routes refuse all requests here."""
