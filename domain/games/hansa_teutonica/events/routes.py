"""Events of establishing a route."""

from __future__ import annotations

from domain.engine.play import Event, Seat
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.board import ABILITY_NUMBER, MARKER_NUMBER, PIECE_NUMBER
from domain.games.hansa_teutonica.events.changes import note_city, number_of
from domain.games.hansa_teutonica.state import table
from domain.games.hansa_teutonica.state.table import FREE, KINDS, State, code_of


class RouteEstablished(Event[State]):
    """HT-6.1: a seat established a route."""

    seat: Seat
    route: str

    def apply(self, state: State) -> None:
        """Change nothing: later events record what it brings."""
        posts = state.board.posts[state.board.route_number[self.route]]
        state.last = table.LastDeed(self.seat, "establish", self.route, tuple(posts))


class PrestigeGained(Event[State]):
    """HT-6.3: the controller of an end city of an established route gains prestige."""

    seat: Seat
    city: str
    points: int

    def apply(self, state: State) -> None:
        """Move the marker on the track."""
        state.prestige[self.seat] += self.points


class MarkerTaken(Event[State]):
    """HT-6.4: the seat that established the route took its marker."""

    seat: Seat
    route: str
    kind: board.Marker

    def apply(self, state: State) -> None:
        """Move it from the board to the seat, face up; it can be used from the next turn on."""
        number = MARKER_NUMBER[self.kind]
        state.markers[state.board.route_number[self.route]] = 0
        state.ready[self.seat * KINDS + number] += 1
        state.fresh[number] += 1


class OfficeOpened(Event[State]):
    """HT-6.6: a piece of the route took the leftmost free office, perhaps with a coin."""

    seat: Seat
    city: str
    office: int
    piece: board.Piece
    post: board.Post
    coin: int

    def apply(self, state: State) -> None:
        """Move the piece from the post to the office, and add the coin to the prestige."""
        state.posts[number_of(state, self.post)] = FREE
        offices = state.board.offices[state.board.city_number[self.city]]
        state.offices[offices.start + self.office] = code_of(self.seat, PIECE_NUMBER[self.piece])
        state.prestige[self.seat] += self.coin
        note_city(state, self.seat, "office", self.city)


class CityCompleted(Event[State]):
    """A city is complete: its last printed office was filled, or a green city got its first."""

    city: str
    cities: int
    rule: str = "HT-6.8"

    def apply(self, state: State) -> None:
        """Count the complete city."""
        state.complete = self.cities


class ExtraOfficeOpened(Event[State]):
    """HT-8.3: a piece of the route became an office to the left of all others."""

    seat: Seat
    city: str
    piece: board.Piece
    post: board.Post

    def apply(self, state: State) -> None:
        """Move the piece from the post to the left of the city."""
        state.posts[number_of(state, self.post)] = FREE
        city = state.board.city_number[self.city]
        code = code_of(self.seat, PIECE_NUMBER[self.piece])
        state.extras[city] = bytes((code,)) + state.extras[city]
        note_city(state, self.seat, "extra_office", self.city)


class CitiesConnected(Event[State]):
    """HT-6.13: offices of this seat join the two red cities."""

    seat: Seat
    points: int

    def apply(self, state: State) -> None:
        """Record it, as each seat gets this only once."""
        state.connected += (self.seat,)
        state.prestige[self.seat] += self.points


class AbilityImproved(Event[State]):
    """The leftmost piece of a row went to the supply, perhaps with actions."""

    seat: Seat
    ability: board.Ability
    level: int
    piece: board.Piece
    actions: int
    rule: str = "HT-6.9"

    def apply(self, state: State) -> None:
        """Move the piece from the desk to the supply."""
        state.levels[self.seat * table.ROWS + ABILITY_NUMBER[self.ability]] = self.level
        state.supply[code_of(self.seat, PIECE_NUMBER[self.piece])] += 1
        state.actions += self.actions
        last = state.last
        route = last.route if last is not None and last.deed == "establish" else None
        state.last = table.LastDeed(self.seat, "ability", route)


class SpecialPrestigeTaken(Event[State]):
    """HT-6.10: a merchant of the route took a space that scores at the end."""

    seat: Seat
    space: int
    points: int
    post: board.Post

    def apply(self, state: State) -> None:
        """Move the merchant from the post to the table of special prestige."""
        state.posts[number_of(state, self.post)] = FREE
        state.special[self.space] = code_of(self.seat, 1)
        note_city(state, self.seat, "special", state.setup.map.special_prestige.city)


class RouteCleared(Event[State]):
    """HT-6.12: the pieces left on the route returned to the stock."""

    seat: Seat
    route: str
    traders: int
    merchants: int

    def apply(self, state: State) -> None:
        """Move the pieces from the posts to the stock."""
        for post in state.board.posts[state.board.route_number[self.route]]:
            state.posts[post] = FREE
        state.stock[code_of(self.seat, 0)] += self.traders
        state.stock[code_of(self.seat, 1)] += self.merchants


class MarkerUsed(Event[State]):
    """HT-8.2: a seat used a marker, which lies face down now."""

    seat: Seat
    kind: board.Marker

    def apply(self, state: State) -> None:
        """Turn it face down."""
        number = MARKER_NUMBER[self.kind]
        state.ready[self.seat * KINDS + number] -= 1
        state.used[self.seat * KINDS + number] += 1
        ready = state.ready[self.seat * KINDS + number]
        state.fresh[number] = min(state.fresh[number], ready)
        if self.kind != "extra_office":
            state.last = table.LastDeed(self.seat, "marker")


class ActionsGained(Event[State]):
    """HT-8.7: a marker brought more actions for this turn."""

    seat: Seat
    actions: int

    def apply(self, state: State) -> None:
        """Add the actions."""
        state.actions += self.actions


class OfficesSwapped(Event[State]):
    """HT-8.4: two neighbouring pieces of a city swapped places."""

    seat: Seat
    city: str
    left: int

    def apply(self, state: State) -> None:
        """Swap them."""
        at = state.board.offices[state.board.city_number[self.city]].start + self.left
        offices = state.offices
        offices[at], offices[at + 1] = offices[at + 1], offices[at]
        state.last = table.LastDeed(self.seat, "swap", city=self.city)
