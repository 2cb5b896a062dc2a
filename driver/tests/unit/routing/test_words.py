# SPDX-License-Identifier: Apache-2.0
"""Whether a text has the word IF outside strings, names and comments: what a reading letter by letter finds."""

from cassandra.query import SimpleStatement
from hypothesis import example, given, settings
from hypothesis import strategies as st

from isotherm_driver.routing.stable_order import may_shuffle

PARTS = ["IF", "if", "iF", "i", "I", "f", "F", "x", "_", "1", "SELECT", "UPDATE"]
PARTS += ["é", "\u0131", "\u017f", "€", "\U0001d4b3"]  # letters like i and f among them
PARTS += [*" \t\n\r'\"$-/*(,", "''", '""', "$$", "$$$", "--", "//", "/*", "*/", "/*/"]
#: So many that it is not worth looking for one with an F after it.
PARTS += ["i" * 70, "I " * 70]


def is_of_word(letter: str) -> bool:
    return letter == "_" or letter.isalnum()


def is_word(text: str, at: int, word: str) -> bool:
    there = text[at : at + len(word)]
    return there.isascii() and there.upper() == word and not is_of_word((text[at + len(word) :] or " ")[0])


def past(text: str, mark: str, at: int) -> int:
    while at < len(text) and not text.startswith(mark, at):
        at += 1
    return at + len(mark)


def word_at(text: str, at: int) -> int:
    while at < len(text):
        if text[at] in " \t\n\v\f\r":
            at += 1
        elif text.startswith("/*", at):
            at = past(text, "*/", at + 2)
        elif text.startswith(("--", "//"), at):
            while at < len(text) and text[at] not in "\n\r":
                at += 1
        else:
            return at
    return len(text)


def is_conditional(text: str) -> bool:
    """Read the text letter by letter."""
    at = word_at(text, 0)
    if is_word(text, at, "SELECT"):
        return False
    while at < len(text):
        if text[at] in "'\"":
            at = past(text, text[at], at + 1)
        elif text.startswith("$$", at):
            at = past(text, "$$", at + 2)
        elif is_of_word(text[at]):
            if is_word(text, at, "IF"):
                return True
            while at < len(text) and is_of_word(text[at]):
                at += 1
        else:
            at += 1
        at = word_at(text, at)
    return False


@settings(max_examples=3000)
@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
@example("UPDATE t SET v = $$ IF $ $$ IF EXISTS")
@example("UPDATE t /*/ IF */ SET v = 1")
@example("UPDATE t SET v = 1 --")
@example("$$")
@example("$$$")
@example("/*/")
@example("'")
def test_it_is_found_where_a_reading_letter_by_letter_finds_it(text: str) -> None:
    assert may_shuffle(SimpleStatement(text)) is not is_conditional(text)
