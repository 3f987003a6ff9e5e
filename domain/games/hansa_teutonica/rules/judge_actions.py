"""Which actions with pieces are legal, and which relocations."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.hansa_teutonica.board import (
    COSTS,
    PIECE_NUMBER,
    PIECES,
)
from domain.games.hansa_teutonica.moves import (
    DisplacePiece,
    LiftPiece,
    PlacePiece,
    PutPiece,
    RelocatePiece,
    TakeIncome,
    income_counts,
    nearest,
)
from domain.games.hansa_teutonica.rules.countries import (
    all_find_room,
    check_moved,
    check_permission,
    held_at,
    land_of,
)
from domain.games.hansa_teutonica.rules.faults import (
    broken,
    fitting_post,
    has_action,
    in_province,
    post_number,
    takes,
)
from domain.games.hansa_teutonica.state import (
    FREE,
    Moving,
    Relocate,
    State,
    code_of,
    owner_of,
    piece_of,
)


def check_income(state: State, move: TakeIncome) -> None:
    """HT-4.1, HT-13.7"""
    has_action(state)
    traders, merchants = state.in_stock(move.seat)
    if not traders + merchants:
        broken("HT-4.1", "stock_empty", "Your stock is empty.")
    if not (0 <= move.traders <= traders and 0 <= move.merchants <= merchants):
        reason = f"Your stock has {traders} traders and {merchants} merchants."
        broken("HT-4.1", "not_in_stock", reason)
    counts = income_counts(state, move.seat)
    if move.traders + move.merchants not in counts:
        wanted = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"exactly {counts[0]}"
        broken("HT-4.1", "wrong_number", f"An income brings you {wanted} pieces.")


def check_place(state: State, move: PlacePiece) -> None:
    """HT-4.2"""
    has_action(state)
    if not state.supply[code_of(move.seat, PIECE_NUMBER[move.piece])]:
        broken("HT-4.2", "not_in_supply", f"There is no {move.piece} in your supply.")
    fitting_post(state, move.post, move.piece)
    in_province(state, move.post[0])
    check_permission(state, move.seat, move.post[0])


def check_displace(state: State, move: DisplacePiece) -> None:
    """HT-4.3, HT-5.1"""
    has_action(state)
    at = post_number(state, move.post)
    there = state.posts[at]
    if there == FREE or owner_of(there) == move.seat:
        broken("HT-4.3", "no_opponent", "No piece of another player stands on this post.")
    takes(state, at, move.piece)
    in_province(state, move.post[0])
    check_permission(state, move.seat, move.post[0])
    traders, merchants = state.in_supply(move.seat)
    used = [move.pay_traders, move.pay_merchants]
    used[PIECE_NUMBER[move.piece]] += 1
    if min(move.pay_traders, move.pay_merchants) < 0 or used[0] > traders or used[1] > merchants:
        reason = f"Your supply has {traders} traders and {merchants} merchants."
        broken("HT-4.3", "not_in_supply", reason)
    cost = COSTS[piece_of(there)]
    if move.pay_traders + move.pay_merchants != cost:
        reason = f"To displace a {PIECES[piece_of(there)]} you pay {cost} more."
        broken("HT-5.1", "wrong_payment", reason)


def check_lift(state: State, move: LiftPiece, moving: Moving | None) -> None:
    """HT-4.4, HT-13.4, HT-14.5"""
    rule = _rule_of(moving)
    if moving is None:
        has_action(state)
    elif not moving.left:
        broken(rule, "all_lifted", "You may lift no more pieces.")
    there = state.posts[post_number(state, move.post)]
    if there == FREE:
        broken(rule, "nothing_there", "No piece stands on this post.")
    own = owner_of(there) == move.seat
    if rule == "HT-13.4" and own:
        broken(rule, "own_piece", "The marker moves pieces of other players.")
    if rule == "HT-4.4" and not own:
        broken(rule, "not_your_piece", "You may move only your own pieces.")


def _rule_of(moving: Moving | None) -> str:
    """HT-4.4, HT-13.4, HT-14.5: by which rule pieces are lifted."""
    if moving is not None and moving.bonus:
        return "HT-14.5"
    return "HT-13.4" if moving is not None and moving.marker else "HT-4.4"


def check_put(state: State, move: PutPiece, moving: Moving) -> None:
    """HT-4.4"""
    if not 0 <= move.owner < state.seats:
        broken("HT-4.4", "not_held", f"There is no seat {move.owner}.")
    if code_of(move.owner, PIECE_NUMBER[move.piece]) not in moving.held:
        broken("HT-4.4", "not_held", f"You hold no {move.piece} of seat {move.owner}.")
    at = fitting_post(state, move.post, move.piece)
    if state.board.reserved or state.board.divided:
        _check_put_down(state, move, moving, at)


def check_relocate(state: State, move: RelocatePiece, step: Relocate) -> None:
    """HT-5.3, HT-5.5"""
    if (move.lifted is None) == (move.source == "board"):
        broken("HT-5.4", "not_lifted", "A piece is lifted if, and only if, it is from the board.")
    if move.source == "displaced":
        if step.placed or move.piece != step.piece:
            broken("HT-5.3", "not_displaced", f"No displaced {move.piece} waits for its place.")
    else:
        _check_extra(state, move, step)
    fitting_post(state, move.post, move.piece)
    _check_near(state, move, step)


def check_decline(step: Relocate) -> None:
    """HT-5.8"""
    if not step.placed:
        broken("HT-5.8", "must_place", f"The displaced {step.piece} must be placed.")


def _check_near(state: State, move: RelocatePiece, step: Relocate) -> None:
    """HT-5.5, HT-5.6, HT-14.13"""
    board = state.board
    origin, there = board.route_number[step.route], board.route_number[move.post[0]]
    if there == origin:
        broken("HT-5.6", "same_route", f"The piece was displaced from {step.route} itself.")
    if not board.may_go(board.lands[origin], there):
        reason = f"From {board.lands[origin]} no piece goes to {board.lands[there]}."
        broken("HT-14.13", "wrong_country", reason)
    near = nearest(state, origin, PIECE_NUMBER[move.piece])
    if there not in near:
        names = ", ".join(state.setup.map.routes[route].id for route in near)
        broken("HT-5.5", "too_far", f"The nearest routes with a free post are: {names}.")


def _check_extra(state: State, move: RelocatePiece, step: Relocate) -> None:
    """HT-5.4, HT-5.7"""
    if not step.extras:
        broken("HT-5.3", "no_extra_left", "You may place no more extra pieces.")
    source = source_of(state, move.seat)
    if move.source != source:
        broken("HT-5.4", "wrong_source", f"Extra pieces come from the {source} now.")
    code = code_of(move.seat, PIECE_NUMBER[move.piece])
    if move.lifted is not None:
        if state.posts[post_number(state, move.lifted)] != code:
            broken("HT-5.4", "not_there", f"No {move.piece} of yours stands there.")
        post_number(state, move.post)
        check_moved(state, move.lifted, move.post)
    elif not (state.stock if source == "stock" else state.supply)[code]:
        broken("HT-5.4", "not_there", f"There is no {move.piece} in your {source}.")
    if not step.placed:
        _leaves_a_post(state, move, step)


def source_of(state: State, seat: int) -> str:
    """HT-5.4"""
    if any(state.in_stock(seat)):
        return "stock"
    return "supply" if any(state.in_supply(seat)) else "board"


def _leaves_a_post(state: State, move: RelocatePiece, step: Relocate) -> None:
    """HT-5.7"""
    board, piece = state.board, PIECE_NUMBER[step.piece]
    taken = post_number(state, move.post)
    route = board.route_number[step.route]
    if move.lifted is not None:
        left = post_number(state, move.lifted)
        near = board.route_of[left]
        fits = board.may_go(board.lands[route], near) and (piece or left not in board.reserved)
        if near != route and fits:
            return
    if all(at == taken for at in open_posts(state, route, piece)):
        broken("HT-5.7", "last_post", "The last free post is for the displaced piece.")


def open_posts(state: State, route: int, piece: int) -> Iterator[int]:
    """HT-5.5, HT-5.6, HT-14.13"""
    land = state.board.lands[route]
    for ring in state.board.rings[route]:
        for near in ring:
            for post in state.board.posts[near] if state.board.may_go(land, near) else ():
                if state.posts[post] == FREE and (piece or post not in state.board.reserved):
                    yield post


def _check_put_down(state: State, move: PutPiece, moving: Moving, at: int) -> None:
    """HT-14.1, HT-14.13: it may go there, and what stays in the hand can be put down as well."""
    code = code_of(move.owner, PIECE_NUMBER[move.piece])
    number = held_at(state, moving, code, move.country, move.post[0])
    if number < 0:
        reason = f"No {move.piece} that you hold may go to {land_of(state, move.post)}."
        broken("HT-14.13", "wrong_country", reason)
    if not all_find_room(state, moving, number, at):
        rule = "HT-14.13" if state.board.divided else "HT-14.1"
        broken(rule, "no_room", "No posts would be left for all that stays in your hand.")
