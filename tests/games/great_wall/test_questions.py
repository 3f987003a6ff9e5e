"""Each question says what it is about: the card, the price, the cause, the list that it carries."""

import pytest
from msgspec.structs import replace

from domain.engine.game import describe_step
from domain.engine.sentences import LANGUAGES, say
from domain.games.great_wall import GAME
from domain.games.great_wall.state.agenda import effects
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.context import Context
from tests.games.great_wall.situations import full_table
from tests.games.record import sample_of

SCOUTS, LANCERS = Context(hordes=("scouts_left",)), Context(hordes=("lancers_left",))
SAID = {
    "bill": (Bill(chi=2), Bill(gold=3)),
    "cards": (("scouts_left",), ("lancers_left",)),
    "cause": ("GW-13.6", "GW-10.11"),
    "context": (SCOUTS, LANCERS),
    "here": tuple(
        effects.Perform(clan=0, script=f"advisors/{card}/0") for card in ("spy", "calligrapher")
    ),
    "request": ("timber_levy", "rites"),
    "rule": ("GW-8.9", "GW-18.6"),
    "OrderAbilities.waiting": (("advisors/spy/0",), ("advisors/calligrapher/0",)),
    "OrderActivations.waiting": (("quarry",), ("temple",)),
    "OrderPlayers.waiting": ((0, 1), (1, 2)),
}
"""By the field of a step that says what its question is about, two values of it."""
UNSAID = {
    ("Attacking", "rule"): "Winter has a text of its own",
    ("DiscardShame", "rule"): "the question is the deed, and names its price",
    ("DiscardTactics", "rule"): "the limit of the hand is its only cause",
    ("MoveClerks", "rule"): "the line above the question names the command card",
    ("MoveReedClerks", "rule"): "the line above the question names the command card",
    ("OrderAbilities", "context"): "the abilities say which event they answer",
}
"""Such fields that are not in the words, and why."""


def _find_fields():
    """The question, and each of its fields that must be in the words."""
    asked = {key.partition("_")[2] for key in GAME.resources.texts["en"] if key[:4] == "ask_"}
    for step in GAME.answers.steps:
        name = step.__name__
        for field in step.__struct_fields__:
            values = SAID.get(f"{name}.{field}", SAID.get(field))
            if values and any(key.split("_")[0] == name for key in asked):
                yield step, field, values


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_says_what_it_is_about(language):
    """GW-1.5: with another card, price, cause or list, a question has other words."""
    fields = list(_find_fields())
    assert fields
    for kind, field, values in fields:
        step = replace(sample_of(kind), seats=(0,))
        known = {one: SAID[one][0] for one in kind.__struct_fields__ if one in SAID}
        step = replace(step, **known)
        said = [_say(replace(step, **{field: value}), language) for value in values]
        differs = [one != other for one, other in zip(*said, strict=True)]
        is_said = (kind.__name__, field) not in UNSAID
        assert differs == [is_said] * 2, (kind.__name__, field)


def _say(step, language):
    """The question to the seat that decides, and to another."""
    state, texts = full_table(), GAME.resources.texts[language]
    state.agenda.append(step)
    return [
        say(describe_step(GAME, step, GAME.view(state, seat), seat), texts, ["Ada", "Bo", "Cid"])
        for seat in (0, 1)
    ]
