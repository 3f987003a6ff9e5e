"""What is drawn and in whose words: names, and sentences about the game."""

from __future__ import annotations

from dataclasses import dataclass

from domain.engine.drawing.panel import over
from domain.engine.play import Seat
from domain.engine.sentences import Part, Sentence, Who, Words, sentence, told
from domain.games.hansa_teutonica.board import ABILITIES, ALL, PRIVILEGES, VALUES, City
from domain.games.hansa_teutonica.rules import named
from domain.games.hansa_teutonica.state import steps
from domain.games.hansa_teutonica.telling import SAYINGS
from domain.games.hansa_teutonica.view import View


@dataclass(frozen=True)
class Scene:
    """A table as somebody sees it, and the words in which it is told."""

    view: View
    words: Words

    def city(self, city: str) -> str:
        """A city by its id."""
        return self._say(named.city(city))

    def route(self, route: str) -> str:
        """A route by its id."""
        return self._say(named.route(route))

    def province(self, province: str) -> str:
        """A province by its id."""
        return self._say(named.province(province))

    def marker(self, kind: str) -> str:
        """A kind of marker."""
        return self.words(f"marker_{kind}")

    def bonus(self, kind: str) -> str:
        """A permanent bonus."""
        return self.words(f"bonus_{kind}")

    def abilities(self, city: City) -> str:
        """What a city improves, if anything."""
        names = [name for name in (city.ability, city.second_ability) if name]
        return self._say(named.one_of([ABILITIES.index(name) for name in names])) if names else ""

    def value(self, ability: str, level: int) -> str:
        """The value of an ability at this level, as people say it."""
        value = VALUES[ABILITIES.index(ability)][level]
        if ability == "privilege":
            return self.words(f"privilege_{PRIVILEGES[value]}")
        return self.words("all") if value == ALL else str(value)

    def seat(self, seat: Seat) -> str:
        """Whoever has a seat, with their colour."""
        return self.words("seat", who=Who(seat), colour=self._colour(seat))

    def heading(self, seat: Seat) -> str:
        """The same where a line begins."""
        return self.words("seat", who=self.words.heading(seat), colour=self._colour(seat))

    def said(self, spoken: Sentence) -> str:
        """A whole sentence, in which all people are called by their colours as well."""
        people = [self.seat(seat) for seat in range(len(self.view.players))]
        return self.words.calling(people).line(spoken)

    def listed(self, several: list[str]) -> str:
        """Several things behind one another."""
        return self.words("list_more").join(several)

    @property
    def status(self) -> str:
        """Whose turn it is and for what, or who has won."""
        view = self.view
        if view.ended is not None:
            return self.said(over(view))
        if not view.awaiting or view.pending is None:
            return self.said(sentence("nobody_decides"))
        return self.said(self._task(view.pending))

    @property
    def last_deed(self) -> str:
        """What was done last, if anything was."""
        last = self.view.last
        if last is None:
            return ""
        parts: dict[str, Part] = {
            "seat": Who(last.seat),
            "route": named.route(last.route) if last.route else sentence("some_route"),
            "city": named.city(last.city) if last.city else sentence("some_city"),
        }
        return self.said(Sentence(f"deed_{last.deed}", parts))

    @property
    def summary(self) -> str:
        """The position in a few sentences."""
        view, words = self.view, self.words
        parts = [words("summary", players=len(view.players), turn=view.turn), self.status]
        parts += [self._summary_of(seat) for seat in range(len(view.players))]
        limit = view.map.completed_city_limit
        parts.append(words("summary_cities", complete=view.complete, limit=limit))
        return " ".join(part for part in (*parts, self.last_deed) if part)

    def _summary_of(self, seat: Seat) -> str:
        offices = sum(
            sign[0] == str(seat)
            for city in self.view.cities.values()
            for sign in (*city.offices, *city.extra)
            if sign
        )
        return self.words(
            "summary_seat",
            seat=self.heading(seat),
            prestige=self.view.players[seat].prestige,
            offices=offices,
            points=self.view.scores[seat],
        )

    def _task(self, step: steps.Turn | steps.Pending) -> Sentence:
        """What is to be decided; of a turn also how much is left of it."""
        if not isinstance(step, steps.Turn):
            return told(step, self.view, SAYINGS, "ask_")
        seats = tuple(map(Who, self.view.awaiting))
        if self.view.closed:
            return sentence("closed", seats=seats)
        return sentence("act", seats=seats, left=sentence("actions", count=self.view.actions))

    def _colour(self, seat: Seat) -> Sentence:
        return Sentence(f"colour_{self.view.colours[seat]}")

    def _say(self, part: Part) -> str:
        return self.words.say(part) if isinstance(part, Sentence) else str(part)
