"""What is drawn and in which words: names, and sentences about the game."""

from __future__ import annotations

from dataclasses import dataclass

from domain.engine.drawing.panel import result_sentence
from domain.engine.play import Seat
from domain.engine.sentences import Part, SeatName, Sentence, Words, prompt, sentence
from domain.games.hansa_teutonica.board import ABILITIES, PRIVILEGES, VALUES, WHOLE_STOCK, City
from domain.games.hansa_teutonica.rules import name_parts
from domain.games.hansa_teutonica.sayings import SAYINGS
from domain.games.hansa_teutonica.view import View


@dataclass(frozen=True)
class Scene:
    """A view of the table, and the words of a language."""

    view: View
    words: Words

    def city(self, city: str) -> str:
        """The name of a city by its id."""
        return self._say(name_parts.city(city))

    def route(self, route: str) -> str:
        """The name of a route by its id."""
        return self._say(name_parts.route(route))

    def province(self, province: str) -> str:
        """The name of a province by its id."""
        return self._say(name_parts.province(province))

    def marker(self, kind: str) -> str:
        """The name of a kind of marker."""
        return self.words(f"marker_{kind}")

    def bonus(self, kind: str) -> str:
        """The name of a permanent bonus."""
        return self.words(f"bonus_{kind}")

    def abilities(self, city: City) -> str:
        """What a city improves; empty if nothing."""
        names = [name for name in (city.ability, city.second_ability) if name]
        return (
            self._say(name_parts.one_of([ABILITIES.index(name) for name in names])) if names else ""
        )

    def value(self, ability: str, level: int) -> str:
        """The value of an ability at this level, in words."""
        value = VALUES[ABILITIES.index(ability)][level]
        if ability == "privilege":
            return self.words(f"privilege_{PRIVILEGES[value]}")
        return self.words("all") if value == WHOLE_STOCK else str(value)

    def say_ability(self, ability: str, level: int) -> str:
        """An ability and its value at this level."""
        named, value = self.words(f"ability_{ability}"), self.value(ability, level)
        return self.words("desk_level", ability=named, value=value)

    def seat(self, seat: Seat) -> str:
        """The name of the player of a seat, with their colour."""
        return self.words("seat", who=SeatName(seat), colour=self._colour(seat))

    def heading(self, seat: Seat) -> str:
        """The name of the player of a seat at the beginning of a line."""
        return self.words("seat", who=self.words.heading(seat), colour=self._colour(seat))

    def points(self, seat: Seat) -> Sentence:
        """The points that a seat would have if the game ended now."""
        return sentence("points", count=self.view.scores[seat])

    def speak(self, spoken: Sentence) -> str:
        """A whole sentence, with the colours of all players in it."""
        people = [self.seat(seat) for seat in range(len(self.view.players))]
        return self.words.with_names(people).line(spoken)

    def join_words(self, several: list[str]) -> str:
        """Several things in a row."""
        return self.words("list_more").join(several)

    @property
    def status(self) -> str:
        """Whose turn it is and for what, or who won."""
        view = self.view
        if view.ended is not None:
            return self.speak(result_sentence(view))
        if not view.awaiting or view.pending is None:
            return self.speak(sentence("nobody_decides"))
        return self.speak(prompt(view.pending, view, SAYINGS, self.words.reader(view)))

    @property
    def last_deed(self) -> str:
        """The last deed, if there is one."""
        last = self.view.last
        if last is None:
            return ""
        parts: dict[str, Part] = {
            "seat": SeatName(last.seat),
            "route": name_parts.route(last.route) if last.route else sentence("some_route"),
            "city": name_parts.city(last.city) if last.city else sentence("some_city"),
        }
        return self.speak(Sentence(f"deed_{last.deed}", parts))

    @property
    def summary(self) -> str:
        """The position in a few sentences."""
        view, words = self.view, self.words
        parts = [words("summary", players=len(view.players), turn=view.turn), self.status]
        parts += [self._summary_of(seat) for seat in range(len(view.players))]
        limit = view.map.completed_city_limit
        parts.append(words("summary_cities", complete=view.complete, limit=limit))
        return words("pause").join(part for part in (*parts, self.last_deed) if part)

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
            offices=sentence("offices", count=offices),
            points=self.points(seat),
        )

    def _colour(self, seat: Seat) -> Sentence:
        return Sentence(f"colour_{self.view.colours[seat]}")

    def _say(self, part: Part) -> str:
        return self.words.say(part) if isinstance(part, Sentence) else str(part)
