"""Reported messages as operators see them: each with the lines around it, and no others."""

from __future__ import annotations

from service.matches.container import Annals
from service.matches.queries import iso
from service.talk.reading import Json, show_messages
from service.talk.reports import Report, ReportedMessage, Reports
from service.talk.speakers import OperatorMute, Speakers
from service.talk.storage import Talk

LINES_BEFORE = LINES_AFTER = 5
"""How many messages around a reported one operators see."""


def list_reports(annals: Annals, after: int, limit: int, language: str) -> Json:
    """Return a page of reports, the oldest first, after this number of them."""
    reports = Reports(annals.store.redis).all()
    shown = reports[after : after + limit]
    following = after + len(shown)
    return {
        "reports": [_show(annals, *one, language) for one in shown],
        "next": str(following) if following < len(reports) else None,
    }


def describe_mute(mute: OperatorMute | None) -> Json:
    """Return why a player is muted, and until when, as JSON."""
    until = mute and mute.until
    return {"muted": mute and mute.reason, "muted_until": None if until is None else iso(until)}


def _show(annals: Annals, reported: ReportedMessage, report: Report, language: str) -> Json:
    match, room, number = reported
    talk = Talk(annals.store)
    numbers = talk.numbers(match, room)
    before = [one for one in numbers if one < number][-LINES_BEFORE:]
    upto = [one for one in numbers if one >= number][: LINES_AFTER + 1]
    lines = talk.read(match, room, before + upto)
    names = annals.players.names({report.author, report.reporter})
    mute = Speakers(annals.store.redis, 0).find_mute(report.author, annals.now())
    return {
        "id": reported.id,
        "match": match,
        "room": room,
        "number": number,
        "at": iso(report.at),
        "author": report.author,
        "author_name": names.get(report.author, report.author),
        "reporter": report.reporter or None,
        "reporter_name": names.get(report.reporter),
        "is_removed": number not in lines,
        **describe_mute(mute),
        "messages": show_messages(annals.players, lines, language),
    }
