"""Lessons of the games, and how far a learner is in one."""

from __future__ import annotations

from flask import Blueprint, Response

from domain.engine.resources.lessons import TITLE, Lesson
from domain.match.decisions import lessons
from service.accounts.client_networks import store_network
from service.http.addresses import MATCH
from service.http.context import annals, authenticate, caller, viewer_id
from service.http.json_responses import Json, json_response
from service.http.language import language, with_content_language
from service.http.requests import command_metadata, parse_body, parse_query
from service.http.responses.command_responses import creation_response
from service.http.responses.lesson_responses import show_progress
from service.http.schemas.common import EmptyObject, LanguageQuery
from service.matches import commands, queries
from service.runtime.errors import NotFound

bp = Blueprint("lessons", __name__)
LESSONS = "/v1/games/<game>/lessons"
LANGUAGE, NOTHING = LanguageQuery(), EmptyObject()


@bp.get(LESSONS)
def find_lessons(game: str) -> Response:
    """Return the lessons of a game."""
    parse_query(LANGUAGE)
    known = annals().game(game)
    found = [_summary(lesson) for lesson in known.resources.lessons.values()]
    return with_content_language(json_response({"lessons": found}))


@bp.post(f"{LESSONS}/<lesson>")
def begin(game: str, lesson: str) -> Response:
    """Open a match that teaches the caller."""
    player, known = authenticate("host"), annals().game(game)
    parse_body(NOTHING, optional=True)
    found = known.resources.lessons.get(lesson)
    if found is None:
        raise NotFound(f"{known.title} has no lesson with this key.")
    metadata = command_metadata(player)
    plan = lessons.plan_lesson(
        known,
        found,
        commands.new_match_id(player.id, metadata.key),
        player.id,
        commands.lobby_expiry(annals()),
    )
    store_network(annals().store.redis, player.id, caller().address)
    receipt = commands.create(annals(), plan, known, metadata, found.seed(known.key))
    return creation_response(receipt, player)


@bp.get(f"{MATCH}/lesson")
def progress(match_id: str) -> Response:
    """Return how far the learner is, and the steps to show now."""
    parse_query(LANGUAGE)
    match = queries.match_for(annals(), match_id, viewer_id())
    lesson = lessons.find_lesson(match)
    if lesson is None:
        raise NotFound("This match is not a lesson.")
    return with_content_language(json_response(show_progress(match, lesson, language())))


def _summary(lesson: Lesson) -> Json:
    terms = lesson.terms
    return {
        "key": lesson.key,
        "title": lesson.texts[language()][TITLE],
        "minutes": terms.minutes,
        "count": len(lesson.steps),
        "seats": terms.seats,
        "seat": terms.seat,
        "options": terms.options,
    }
