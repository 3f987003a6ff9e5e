"""How requests are parsed: the headers of commands, the depth of a body, the token."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.exceptions import BadRequest

from domain.match.errors import InvalidCommand
from service.http import context, requests
from service.runtime.errors import InvalidToken

APP = Flask(__name__)


@pytest.mark.parametrize(
    ("header", "versions"),
    [
        (None, None),
        ("*", None),
        (" * ", None),
        ('"7"', (7,)),
        ('"7-0"', (7,)),
        ('"7-s"', (7,)),
        ('"7", "8-1"', (7, 8)),
        ('"7" ,\t"8"', (7, 8)),
        ('W/"7"', ()),
        ('W/"7", "8"', (8,)),
        ('"other"', ()),
        ('"12345678901"', ()),
        ('""', ()),
    ],
)
def test_if_match_names_versions(header: str | None, versions: tuple[int, ...] | None) -> None:
    assert requests.parse_if_match(header) == versions


@pytest.mark.parametrize("header", ["7", '"7', "", '"7" "8"', '"7",', "w/7"])
def test_an_if_match_of_another_form_is_refused(header: str) -> None:
    with pytest.raises(InvalidCommand) as refused:
        requests.parse_if_match(header)
    assert refused.value.code == "malformed"


@pytest.mark.parametrize(
    ("header", "key"),
    [
        ('"a b"', "a b"),
        ("ab", "ab"),
        (' "ab" ', "ab"),
        ('"' + "x" * 255 + '"', "x" * 255),
        ("[{}]", "[{}]"),
    ],
)
def test_an_idempotency_key_is_a_string_with_or_without_quotes(header: str, key: str) -> None:
    assert requests.parse_idempotency_key(header) == key


@pytest.mark.parametrize("header", ["", '""', "a b", '"a', 'a"b', "x" * 256, '"ä"', '"a\\b"'])
def test_an_idempotency_key_of_another_form_is_refused(header: str) -> None:
    with pytest.raises(InvalidCommand, match="1 to 255 printable ASCII"):
        requests.parse_idempotency_key(header)


@pytest.mark.parametrize("deep", [31, 32])
@pytest.mark.parametrize(("opens", "closes"), [("[", "]"), ('{"a":', "}")])
def test_json_is_read_up_to_its_greatest_depth(opens: str, closes: str, deep: int) -> None:
    raw = opens * deep + "1" + closes * deep
    assert requests.decode_json(raw.encode()) is not None


@pytest.mark.parametrize(("opens", "closes"), [("[", "]"), ('{"a":', "}"), ('{"a":[', "]}")])
def test_json_that_is_nested_more_deeply_is_refused(opens: str, closes: str) -> None:
    raw = opens * 33 + "1" + closes * 33
    with pytest.raises(BadRequest, match="nested more than 32 deep"):
        requests.decode_json(raw.encode())


def test_many_lists_beside_one_another_are_not_deep() -> None:
    assert requests.decode_json(b"[" + b"[]," * 100 + b"[]]") == [[]] * 101


@pytest.mark.parametrize(
    ("header", "token"),
    [("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER  abc ", "abc"), (None, None)],
)
def test_the_token_of_the_caller(header: str | None, token: str | None) -> None:
    with APP.test_request_context(headers={"Authorization": header} if header else {}):
        assert context.bearer_token() == token


@pytest.mark.parametrize("header", ["Basic abc", "abc", ""])
def test_another_authentication_scheme_is_refused(header: str) -> None:
    with (
        APP.test_request_context(headers={"Authorization": header}),
        pytest.raises(InvalidToken),
    ):
        context.bearer_token()


@pytest.mark.parametrize(
    ("text", "is_doubled"),
    [
        (b'{"a": 1, "b": {"a": 1}, "c": [{"a": 1}, {"a": 1}]}', False),
        (b'{"a:a": "::", "b": [":", 1]}', False),
        (b'{"a": 1, "a": 1}', True),
        (b'{"a": {"b": 1, "c": 2, "b": 1}}', True),
        (b'[[{"b": ":", "b": ":"}]]', True),
        (b'{"\\u0061": 1, "a": 1}', True),
        (b'{"cell": "b3:1"}', False),
        (b'{"a": "::", "a": "::"}', True),
        (b'{"a": ":\\u003a\\u003A", "\\u003a": "\\\\u003a\\\\\\u003a"}', False),
        (b'{"a": 1, "a": "\\u003a"}', True),
        (b'{"a": "\\u003A\\u003A", "b": {"c": 1, "c": 2}}', True),
        (b'{"a": "\\\\\\u003a", "b": 1, "b": 2}', True),
        (b'{":": 1, "\\u003a": 2}', True),
        (b'{"a": ":", "a": "\\u003a\\u003a\\u003a"}', True),
    ],
)
def test_no_name_stands_twice_in_an_object(text: bytes, is_doubled: bool) -> None:
    assert (has_duplicate_members(text), is_refused(text)) == (is_doubled, is_doubled)
    if not is_doubled:
        assert requests.decode_json(text) == json.loads(text)


WRITTEN = st.sampled_from(["a", "u003a", ":", r"\u003a", r"\u003A", r"\\", r"\""])
STRINGS = st.lists(WRITTEN, max_size=4).map(lambda parts: f'"{"".join(parts)}"')
TEXTS = st.recursive(
    STRINGS,
    lambda inner: (
        st.lists(inner, max_size=4).map(lambda items: f"[{','.join(items)}]")
        | st.lists(st.tuples(STRINGS, inner).map(":".join), max_size=4).map(
            lambda members: f"{{{','.join(members)}}}"
        )
    ),
    max_leaves=8,
)


@given(TEXTS.map(str.encode))
def test_no_string_hides_a_name_that_stands_twice(text: bytes) -> None:
    assert is_refused(text) == has_duplicate_members(text)


def is_refused(text: bytes) -> bool:
    try:
        requests.decode_json(text)
    except BadRequest as refusal:
        return "two members with the same name" in str(refusal)
    return False


def has_duplicate_members(text: bytes) -> bool:
    """Whether an object in the JSON has two members of one name, according to another parser."""
    found = []

    def look(members: list[tuple[str, object]]) -> None:
        found.append(len(dict(members)) < len(members))

    json.loads(text, object_pairs_hook=look)
    return any(found)
