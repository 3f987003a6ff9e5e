"""What each game must have in each language, as functions of a game and a number of seats."""

from __future__ import annotations

import re
import sys
from inspect import getsource
from itertools import pairwise

from domain.engine.answers import fallback_key
from domain.engine.contract.refusals import rule_faults
from domain.engine.game import describe_event, describe_step
from domain.engine.options import option_values
from domain.engine.play import Awaiting
from domain.engine.resources.rulebook import ENGLISH, RULE_NUMBER
from domain.engine.sentences import LANGUAGES, Sentence
from service.http.guides import MARKDOWN
from tests.engine.toy import GAME as TOY
from tests.games.drawn import draw_in_turn
from tests.games.record import record
from tests.games.seen import AnyGame
from tests.support.languages import CHINESE, check_texts, foreign
from workers.tools.new_game import MARK

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
WORD = re.compile(r"[A-Za-z]{3,}")
"""What could be an English word."""
NAME = re.compile(r"[^\W\d][\w' ]+")
"""A text that is a word or a few, without a sentence or a part to fill in."""
LATIN = re.compile(r"[A-Za-z]")
CODE = re.compile(r"`[^`]*`")
"""Names that are the same in all languages."""
SPACED = re.compile(r"[\u4e00-\u9fff] Jo\b|\bJo [\u4e00-\u9fff]")
"""A name with a space before or after it."""
DATA = re.compile(r"\w*[a-z]_\w+|`[^`]*`")
"""A name as moves, options and cards have them, and all that stands as code."""
QUOTED = {
    "zh-Hant": re.compile("\u300c[^\u300d]*\u300d"),
    "zh-Hans": re.compile("\u201c[^\u201d]*\u201d"),
}
"""A name in quotation marks."""
REFUSED = ("fault_", "fallback_")
ORDERS = (
    "Activate|Add|Agree|Attack|Break|Build|Challenge|Choose|Commit|Copy|Declare|Decline|Deploy"
    "|Discard|Donate|End|Fill|Finish|Give|Hire|Improve|Keep|Lay|Leave|Move|Name|Offer|Open|Pay"
    "|Place|Play|Put|Read|Reclaim|Recruit|Remove|Return|Save|Take|Upgrade|Use|Vote"
)
"""How an instruction begins, besides the words with which moves of the game begin."""
LIMIT = r"\b(?:only|must|costs|needs)\b"
FIRST_WORD = re.compile("[A-Z][a-z]+")
CARD = re.compile(r"card_\d+|event_")
NEVER = r"(?!)"
"""Matches nothing."""
RULING = ("Ruling", "\u88c1\u5b9a")
LISTED = re.compile(r"^(?:[-|]|\d+\.) ", re.MULTILINE)
"""An item of a list, or a line of a table."""
DRAWN = re.compile(r"^!\[\]\((\w+)\)$", re.MULTILINE)
"""Where a page names an example that it draws."""
STILL = re.compile(r"<code>.*?</code>", re.DOTALL)
"""Code, which Markdown does not change."""


def it_has_texts_and_rules_in_each_language(game: AnyGame, _seats: int) -> None:
    """With the same rule numbers, no more and no fewer; and the pages beside the rules."""
    texts, books = game.resources.texts, game.resources.rulebooks
    aids, turns = game.resources.aids, game.resources.turns
    for own in (texts, books, aids, turns):
        assert all(own[language] for language in LANGUAGES)
    assert set(texts) == set(books) == set(LANGUAGES)
    for language, book in books.items():
        assert list(book.rules) == list(game.rulebook.rules), f"{game.key}: RULES.{language}.md"
        assert all(book.rules.values())


def its_pages_cite_the_same_rules(game: AnyGame, _seats: int) -> None:
    """In each language: the player aid, and how a turn goes, which draws the same examples. All of
    them exist.
    """
    resources = game.resources
    examples = [example.key for example in resources.examples]
    for pages in (resources.aids, resources.turns):
        cited = [RULE_NUMBER.findall(pages[language]) for language in LANGUAGES]
        drawn = [DRAWN.findall(pages[language]) for language in LANGUAGES]
        assert cited[0]
        assert all(one == cited[0] for one in cited), game.key
        assert all(one == drawn[0] for one in drawn), game.key
        assert set(cited[0]) <= set(game.rulebook.rules)
        assert set(drawn[0]) <= set(examples)
    assert DRAWN.findall(resources.turns[ENGLISH])


def its_pages_are_in_the_letters_of_their_language(game: AnyGame, _seats: int) -> None:
    """Hardly a word of English in those of others, and no mark of Markdown is left over."""
    for pages in (game.resources.aids, game.resources.turns):
        for language, text in pages.items():
            plain = DRAWN.sub("", RULE_NUMBER.sub("", text))
            assert foreign(plain, language) == "", language
            assert "*" not in MARKDOWN.render(text), language
            assert DATA.findall(plain) == [], language
            assert language == ENGLISH or len(WORD.findall(plain)) <= len(plain) / 50, language


def rules_are_in_the_language_of_their_book(game: AnyGame, _seats: int) -> None:
    """Hardly a word of English in those of others."""
    for language in OTHERS:
        for number, text in game.resources.rulebooks[language].rules.items():
            words = WORD.findall(CODE.sub("", text))
            assert len(words) <= len(text) / 12, (language, number)


def rules_are_in_the_letters_of_their_book(game: AnyGame, _seats: int) -> None:
    """And in its quotes. No star of an emphasis is left over: in `*A.*B` Markdown does not close
    the emphasis, because the star stands between a full stop and a letter.
    """
    for language, book in game.resources.rulebooks.items():
        assert foreign(CODE.sub("", book.text), language) == "", language
        assert "*" not in STILL.sub("", MARKDOWN.render(book.text)), language


def rules_have_no_words_of_data(game: AnyGame, _seats: int) -> None:
    """Such as `remove_three`: players know the words on the board and in the form of a match."""
    for language, book in game.resources.rulebooks.items():
        assert DATA.findall(book.text) == [], language


def rulings_stand_below_what_they_are_about(game: AnyGame, _seats: int) -> None:
    """Without an empty line between, but below a list or a table, which would go on otherwise."""
    for language, book in game.resources.rulebooks.items():
        for above, below in pairwise(book.text.split("\n\n")):
            assert LISTED.search(above) or not below.startswith(RULING), (language, below)


def no_space_stands_around_names(game: AnyGame, seats: int) -> None:
    """In descriptions of events and in prompts, also where names are in Latin letters."""
    spoken = _spoken(game, seats)
    for words in (game.words(language, ["Jo"] * seats) for language in OTHERS):
        said = [text for one in spoken if SPACED.search(text := words.line(one))]
        assert said == []


def cards_are_in_quotes(game: AnyGame, seats: int) -> None:
    """In Chinese descriptions of events and prompts. A card has a text of what it does, or `card`
    or `event` before its key; a rival without a seat is no card.
    """
    spoken = _spoken(game, seats)
    for language, marks in QUOTED.items():
        words = game.words(language)
        rivals = {name for key, name in words.texts.items() if key.startswith("rival_")}
        cards = {
            name
            for key, name in words.texts.items()
            if f"{key}_text" in words.texts or (CARD.match(key) and NAME.fullmatch(name))
        } - rivals
        bare = {marks.sub("", words.line(one)) for one in spoken}
        named = re.compile("|".join(map(re.escape, cards)) or NEVER)
        assert [line for line in bare if named.search(line)] == []


def every_refusal_has_a_text(game: AnyGame, _seats: int) -> None:
    """Each fault has one, and so does the refusal of a move that does not answer a step."""
    steps = game.answers.fallbacks
    of_steps = {refusal.fault for refusal in steps.values()}
    keys = [f"fault_{fault}" for fault in rule_faults(game) if fault not in of_steps]
    keys += map(fallback_key, steps)
    for words in game.resources.texts.values():
        for key in keys:
            assert words[next((text for text in words if text.startswith(key)), key)]


def every_refusal_says_what_is_possible(game: AnyGame, _seats: int) -> None:
    """What to do instead, in the words of a move (Ask in `AskFor`) or others, or what is allowed;
    besides what is not.
    """
    orders = "|".join(
        [ORDERS, *(FIRST_WORD.findall(kind.__name__)[0] for kind in game.answers.moves)]
    )
    possible = re.compile(rf"(?:^|[.:] )(?:{orders})\b|{LIMIT}", re.IGNORECASE)
    texts = game.resources.texts[ENGLISH].items()
    reasons = {key: text for key, text in texts if key.startswith(REFUSED)}
    assert [key for key, text in reasons.items() if not possible.search(text)] == [], (
        f"Say in domain/games/{game.key}/texts/en.json what players can do instead."
    )


def what_is_chosen_for_a_match_has_a_text(game: AnyGame, _seats: int) -> None:
    """Its title, what players aim at in each mode, its bots, its options and what they can be."""
    keys = ["title", "goal", *(f"level_{level.key}" for level in game.levels)]
    keys += [f"goal_{mode}" for mode in other_modes(game)]
    keys += [f"label_{level.label}" for level in game.levels]
    for name, values in option_values(game.options).items():
        keys += [f"option_{name}", *(f"option_{name}_{value}" for value in values)]
    check_texts(game.resources.texts, keys)


def its_goals_are_sentences_of_its_own(game: AnyGame, _seats: int) -> None:
    """Each mode has another one, and none is still the toy's."""
    for language in LANGUAGES:
        goals = [
            game.goal_in(language),
            *(game.goal_in(language, one) for one in other_modes(game)),
        ]
        assert len({*goals}) == len(goals)
        assert all(re.fullmatch(r"[^.。]+[.。]", goal) for goal in goals), goals
        assert is_copied(game) or game is TOY or TOY.goal_in(language) not in goals, (
            f"Say in domain/games/{game.key}/texts/{language}.json what players aim at: `goal`."
        )


def other_modes(game: AnyGame) -> list[str]:
    """All modes but the usual one."""
    return [mode for mode in game.seats_by_mode if game.non_default_mode(game.options(mode=mode))]


def its_title_is_translated(game: AnyGame, _seats: int) -> None:
    """Once its record is no longer the toy's: `annals new-game` knows only the English title."""
    for language in OTHERS:
        assert is_copied(game) or max(game.title_in(language)) >= CHINESE, (
            f"Translate `title` in domain/games/{game.key}/texts/{language}.json."
        )


def is_copied(game: AnyGame) -> bool:
    """Whether the record of a game is still the toy's."""
    module = sys.modules.get(f"domain.games.{game.key}")
    return module is not None and MARK in getsource(module)


def a_word_names_one_level(game: AnyGame, _seats: int) -> None:
    """By key, name or label, as commands accept them."""
    names = game.bot_names()
    words = [
        {one.casefold() for one in (level.key, names[level.key], level.label)}
        for level in game.levels
    ]
    assert len(set().union(*words)) == sum(map(len, words))


def no_bot_has_the_name_of_a_thing(game: AnyGame, _seats: int) -> None:
    """Players do not take a bot in the log for a piece, a card or a place: no other text of the
    game says the name of a bot, and no name of a bot contains a text that is a word.
    """
    for language, texts in game.resources.texts.items():
        own = {f"level_{level.key}" for level in game.levels}
        others = {key: text for key, text in texts.items() if key not in own | {"title"}}
        for name in game.bot_names(language).values():
            word = _whole(name, language)
            assert [key for key, text in others.items() if word.search(text)] == [], name
            things = [text for text in others.values() if NAME.fullmatch(text)]
            assert [text for text in things if _whole(text, language).search(name)] == [], name


def _spoken(game: AnyGame, seats: int) -> list[Sentence]:
    """The sentences about the events and the prompts of a match."""
    played = record(game, seats, 0)
    view, states = game.view(played.end, None), [moment.state for moment in played.some(20)]
    events = [event for event in played.events if not isinstance(event, Awaiting)]
    told = [describe_event(game, event, view) for event in events]
    asked = [
        describe_step(game, state.agenda[-1], game.view(state, None), None) for state in states
    ]
    return [one for one in told if one is not None] + asked


def _whole(name: str, language: str) -> re.Pattern[str]:
    """Where a text has this word: Chinese has no spaces between words."""
    return re.compile(rf"\b{name}s?\b" if language == ENGLISH else name, re.IGNORECASE)


def pictures_speak_the_language(game: AnyGame, seats: int, turn: int = 0) -> None:
    """Each word of English in the picture or the text of a table is in the texts as well."""
    for language, one in draw_in_turn(game, seats, OTHERS, turn):
        known = set(WORD.findall(" ".join(game.words(language).texts.values())))
        drawn = " ".join(one.root.itertext()) + one.text
        assert set(WORD.findall(drawn)) - known == set(), language


def pictures_have_initials_of_the_language(game: AnyGame, seats: int, turn: int = 0) -> None:
    """A letter that stands alone names a row or a column of places, such as C of C5."""
    for language, one in draw_in_turn(game, seats, OTHERS, turn):
        parts = [*one.root.iter()]
        places = " ".join(part.get("data-at", "") for part in parts)
        initials = {text for part in parts if LATIN.fullmatch(text := part.text or "")}
        assert [one for one in initials if not re.search(rf"\b{one}\d", places)] == [], language
