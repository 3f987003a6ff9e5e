"""The decks, and files that break the language: chapters 9 and 18."""

import json

import pytest

from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.amounts import Count
from domain.games.great_wall.cards.decks import BadCards, read_cards, read_hordes
from domain.games.great_wall.cards.kinds import Advisor, Artifact, Command, General, Tactic
from domain.games.great_wall.cards.scripts import SCRIPTS
from tests.support.for_each import for_each

FILES = {
    Advisor: "advisors.json",
    Artifact: "artifacts.json",
    Command: "command_cards.json",
    General: "generals.json",
    Tactic: "tactics.json",
}


def alter(name, card, changes, cards="cards"):
    """The text of a data file with these changes to the first card of this id."""
    data = json.loads(board.read_text(name))
    place = next(c for c in data[cards] if card in (c.get("id"), c.get("type")))
    place.update(changes)
    return json.dumps(data)


def refusal(kind, card, **changes):
    """The refusal of a card with these changes."""
    with pytest.raises(BadCards) as caught:
        read_cards("own.json", alter(FILES[kind], card, changes), kind)
    assert str(caught.value) == f"own.json: {caught.value.card}: {caught.value.reason}"
    return caught.value.card, caught.value.reason


def test_the_decks_are_as_large_as_the_component_list_says():
    """GW-2.3, GW-17.1"""
    sizes = board.read("components.json")["cards"]
    for deck, base, five in (
        (decks.GENERALS, "general", "general_5p"),
        (decks.ADVISORS, "advisor", "advisor_5p"),
        (decks.TACTICS, "tactic", "tactic_5p"),
        (decks.ARTIFACTS, "artifact", None),
        (decks.HORDES, "horde", None),
    ):
        sets = [card.set for card in deck.values()]
        assert sets.count("base") == sizes[base]
        assert five is None or sets.count("5p") == sizes[five]
    assert len(decks.COMMANDS) == sizes["command_per_player"]


def test_cards_come_in_the_order_of_the_file():
    for deck, *names in (
        (decks.TACTICS, "tactics.json"),
        (decks.HORDES, "hordes.json", "hordes_coop.json"),
    ):
        cards = (card["id"] for name in names for card in board.read(name)["cards"])
        assert list(deck) == list(cards)


def test_a_card_has_the_content_of_its_file():
    """GW-9.1, GW-9.2, GW-9.3, GW-9.9"""
    assert decks.GENERALS["song_ci"].setup.tea == 41
    assert decks.ARTIFACTS["tiger_tally"].score == Count("soldiers_fielded", mul=2)
    keng = decks.ADVISORS["keng_hsien_seng"]
    assert [ability.trigger for ability in keng.triggered] == ["income"]
    assert [modifier.resource for modifier in keng.modifiers] == ["gold"]


def test_a_horde_card_has_a_grid_of_twelve_places():
    """GW-9.8"""
    scouts = decks.HORDES["scouts_left"]
    assert (scouts.type, scouts.invasion, scouts.power, scouts.honor) == ("scouts", "left", 2, 3)
    assert [place for place, reward in enumerate(scouts.grid) if reward is not None] == [2, 3, 8, 9]
    assert (scouts.grid[2].wood, scouts.grid[3].honor, scouts.grid[9].stone) == (1, 1, 1)
    assert {len(card.grid) for card in decks.HORDES.values()} == {12}


def test_all_effects_of_a_card_have_an_address():
    assert SCRIPTS["tactics/volley/boosted"] == decks.TACTICS["volley"].boosted
    assert SCRIPTS["advisors/spy/0/0.else"][0].any == 1
    assert SCRIPTS["commands/betrayal/first/0.options.1"][0].n == 2
    assert SCRIPTS["commands/economy/others"] == decks.COMMANDS["economy"].others


@for_each(
    ("kind", "card", "changes", "reason"),
    [
        # words that the grammar does not know
        (Tactic, "volley", {"basic": [{"op": "dance"}]}, "'dance' - at `$.basic[0].op`"),
        (Tactic, "volley", {"basic": [{"n": 1}]}, "missing required field `op`"),
        (Tactic, "volley", {"basic": [{"op": "gain", "iron": 1}]}, "unknown field `iron`"),
        (Tactic, "volley", {"basic": [{"op": "donate"}]}, "missing required field `n`"),
        (Tactic, "volley", {"basic": [{"op": "gain", "honor": -1}]}, ">= 0 - at"),
        (Tactic, "volley", {"window": "you_dance"}, "'you_dance' - at `$.window`"),
        (Tactic, "volley", {"cond": {"moon": "full"}}, "unknown field `moon`"),
        (Tactic, "volley", {"boost_cost": {"iron": 1}}, "unknown field `iron` - at `$.boost_cost`"),
        (Tactic, "volley", {"set": "own"}, "'own' - at `$.set`"),
        (Tactic, "volley", {"colour": "red"}, "unknown field `colour`"),
        (Advisor, "spy", {"ability": [{"trigger": "dance", "do": []}]}, "at `$.triggered[0]"),
        (Advisor, "spy", {"ability": [{"modifier": "dance"}]}, "at `$.modifiers[0]"),
        (Advisor, "spy", {"ability": [{"do": []}]}, "missing required field `modifier`"),
        (Advisor, "spy", {"ability": ["income"]}, "at `$.modifiers[0]`"),
        (Artifact, "tiger_tally", {"score": {"count": "moons"}}, "'moons' - at `$.score.count`"),
        (General, "song_ci", {"setup": {"wood": 1}}, "missing required field `tea`"),
        (Tactic, "volley", {"basic": [{"op": "gain", "tactics": 10**30}]}, "<= 999 - at"),
        (General, "song_ci", {"ability": [{"modifier": "save_cost_delta", "amount": -1000}]}, ">="),
        # phrases without a content
        (Tactic, "volley", {"basic": [{"op": "gain"}]}, "the operation changes nothing"),
        (Tactic, "volley", {"basic": [{"op": "lose", "wood": 0}]}, "the operation changes nothing"),
        (Tactic, "volley", {"boost_cost": {}}, "a cost must not be empty"),
        (Tactic, "volley", {"cond": {}}, "a condition must not be empty"),
        (
            Tactic,
            "volley",
            {"basic": [{"op": "gain", "wood": 1, "different": True}]},
            "`any_of` and `different` need `any`",
        ),
        (
            Tactic,
            "volley",
            {"basic": [{"op": "lose", "wood": 1, "any_of": ["wood"]}]},
            "`any_of` needs `any`",
        ),
        (
            Tactic,
            "volley",
            {"basic": [{"op": "choose", "n": 2, "options": [[]]}]},
            "2 of 1 options",
        ),
        (
            Artifact,
            "tiger_tally",
            {"score": {"count": "year", "name": "economy"}},
            "needs a `name`",
        ),
        (Artifact, "tiger_tally", {"score": {"count": "commands_on_track"}}, "needs a `name`"),
        (
            Advisor,
            "carpenter",
            {"ability": [{"modifier": "clerk_counts_as", "where": "any"}]},
            "exactly one of `each` and `first` is needed",
        ),
        (
            Tactic,
            "volley",
            {"basic": [{"op": "warehouse_add", "n": 1, "any_of": ["wood", "chi"]}]},
            "the Warehouse holds no chi",
        ),
        (Tactic, "volley", {"cond": {"attacked_with": ["archer"] * 2}}, "`archer` is named twice"),
        # phrases without a meaning in their place
        (
            Advisor,
            "spy",
            {"ability": [{"trigger": "income", "role": "claimed", "do": []}]},
            "`income` has no `role`",
        ),
        (
            Artifact,
            "tiger_tally",
            {"score": {"count": "year", "times": "killed_now"}},
            "`killed_now` counts nothing at ``",
        ),
        (
            Advisor,
            "gravekeeper",
            {
                "ability": [
                    {"trigger": "income", "do": [{"op": "gain", "any": {"count": "killed_now"}}]}
                ]
            },
            "`killed_now` counts nothing at `income`",
        ),
        (Tactic, "volley", {"basic": [{"op": "save", "n": 1}]}, "saves no soldier at `you_attack`"),
        (
            Tactic,
            "ambush",
            {
                "basic": [
                    {
                        "op": "attack",
                        "n": 1,
                        "types": ["archer"],
                        "from": "rest",
                        "sections": 1,
                        "not_recruited_now": True,
                    }
                ]
            },
            "`not_recruited_now` excludes no soldier",
        ),
        (Tactic, "volley", {"basic": [{"op": "copy_command"}]}, "only `betrayal` can copy"),
        (Command, "economy", {"last": [{"op": "copy_command"}]}, "only `betrayal` can copy"),
    ],
)
def test_a_card_that_breaks_the_language_is_refused_by_its_id(kind, card, changes, reason):
    """GW-18.1, GW-18.2, GW-18.4, GW-18.6, GW-18.7, GW-18.13, GW-9.6"""
    told, why = refusal(kind, card, **changes)
    assert told == card
    assert reason in why


def test_two_cards_of_one_id_are_refused():
    assert refusal(Tactic, "volley", id="ambush")[1] == "there is another card with this id"


def test_a_card_without_an_id_is_refused_by_its_number():
    assert refusal(Tactic, "volley", id=None)[0] == "number 6"


def test_there_are_as_many_command_cards_as_the_file_says():
    """GW-1.2"""
    data = json.loads(board.read_text("command_cards.json"))
    data["cards"].pop()
    with pytest.raises(BadCards, match="the file: 5 cards, not 6"):
        read_cards("own.json", json.dumps(data), Command)


def test_a_deck_that_is_not_as_large_as_it_says_is_refused():
    """GW-2.3"""
    assert refusal(Tactic, "volley", set="coop") == ("the file", "19 cards of `base`, not 20")


@for_each("text", ["", "[]", "{}", '{"cards": [1]}', '{"cards": {}}'])
def test_a_file_that_is_not_a_list_of_cards_is_refused(text):
    with pytest.raises(BadCards) as caught:
        read_cards("own.json", text, Tactic)
    assert caught.value.card == "the file"


def test_a_counted_card_that_does_not_exist_is_refused():
    """GW-18.7"""
    score = {"score": {"count": "commands_on_track", "name": "retreat"}}
    own = read_cards("own.json", alter("artifacts.json", "tiger_tally", score), Artifact)
    with pytest.raises(BadCards, match=r"tiger_tally: there is no command card .*retreat"):
        decks.check_names(decks.COMMANDS, own)


@for_each(
    ("card", "changes", "cards", "told", "reason"),
    [
        ("leader_left", {"type": "elephants"}, "cards", "leader_left", "no type `elephants`"),
        ("leader_left", {"invasion": "up"}, "cards", "leader_left", "'up' - at `$.invasion`"),
        ("leader", {"grid": [[None] * 6] * 2}, "types", "leader", "needs a Vital spot"),
        ("leader", {"grid": [[{}] * 5, [{}] * 6]}, "types", "leader", "length >= 6"),
        ("leader", {"grid": [[{"iron": 1}] * 6] * 2}, "types", "leader", "unknown field `iron`"),
        ("leader", {"ability": {"kind": "sing"}}, "types", "leader", "'sing'"),
        ("leader", {"ability": {"kind": "lethality_self"}}, "types", "leader", "`amount` of 0"),
        ("leader", {"ability": {"kind": "none", "amount": 1}}, "types", "leader", "`amount` of 1"),
        ("leader", {"type": "scouts"}, "types", "scouts", "there is another card with this id"),
    ],
)
def test_a_horde_card_that_breaks_the_language_is_refused(card, changes, cards, told, reason):
    """GW-9.8, GW-18.8"""
    with pytest.raises(BadCards) as caught:
        read_hordes("own.json", alter("hordes.json", card, changes, cards))
    assert caught.value.card == told
    assert reason in caught.value.reason
