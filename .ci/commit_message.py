"""Check commit messages: the subject is short and an imperative, and a blank line follows it.

    python .ci/commit_message.py FILE        one message, as git hands it to a commit-msg hook
    git log -z --format=%B | python .ci/commit_message.py --null     several, each ended by NUL

Problems go to standard error, and the exit code is 1. Messages that git writes itself pass.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_SUBJECT_LETTERS = 72
BY_GIT = re.compile(r"Merge |Revert |(fixup|squash|amend)! ")
SCISSORS = re.compile(r"^# -+ >8 -+$.*", re.MULTILINE | re.DOTALL)
OTHER_FORM = re.compile(r"[a-z]+(ed|ing|[^su]s)", re.IGNORECASE)
"""How the past tense, the participle and the third person end."""
IMPERATIVE = re.compile(
    r"alias|bias|bring|canvas|embed|exceed|feed|heed|need|ping|proceed|ring|seed|shed|sing|speed"
    r"|spring|sting|string|succeed|swing|weed",
    re.IGNORECASE,
)
"""Imperatives that look like another form."""


def problems(message: str) -> Iterator[str]:
    """What is wrong with a message; comments of git don't count."""
    text = "\n".join(
        line for line in SCISSORS.sub("", message).splitlines() if not line.startswith("#")
    )
    subject, *body = text.strip("\n").split("\n")
    if BY_GIT.match(subject):
        return
    if not subject.strip():
        yield "The subject is missing."
        return
    if len(subject) > MAX_SUBJECT_LETTERS:
        yield f"The subject has {len(subject)} letters. Use at most {MAX_SUBJECT_LETTERS}."
    if subject.endswith("."):
        yield "The subject ends with a full stop. Remove it."
    first = subject.split()[0]
    if not first[0].isupper():
        yield f"The subject begins with {first!r}. Begin with a capital letter."
    if OTHER_FORM.fullmatch(first) and not IMPERATIVE.fullmatch(first):
        yield f"The subject begins with {first!r}. Use the imperative, such as 'Add' or 'Refuse'."
    if body and body[0].strip():
        yield "The second line is not blank. Put a blank line between subject and body."


def main(words: list[str]) -> int:
    """Check the messages in a file, or on standard input."""
    if words == ["--null"]:
        messages = [one for one in sys.stdin.read().split("\0") if one.strip()]
    else:
        messages = [Path(word).read_text(encoding="utf-8") for word in words]
    found = [(message, problem) for message in messages for problem in problems(message)]
    for message, problem in found:
        sys.stderr.write(f"{message.strip().partition(chr(10))[0]!r}: {problem}\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
