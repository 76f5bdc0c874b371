"""The message table: both languages, the same placeholders, nothing missing, nothing dead."""

import ast
import re
import string
from pathlib import Path

import pytest

from labkit import messages

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = [
    (area, message_id, entry)
    for area in messages.areas()
    for message_id, entry in messages.table(area).items()
]
IDS = {message_id for _, message_id, _ in ENTRIES}


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize(("area", "message_id", "entry"), ENTRIES, ids=[e[1] for e in ENTRIES])
def test_entry_is_complete_in_both_languages(area, message_id, entry):
    assert message_id.startswith(f"{area}.")
    assert set(entry) == {"en", "hi"}
    assert entry["en"].strip()
    assert entry["hi"].strip()
    assert placeholders(entry["en"]) == placeholders(entry["hi"])
    assert not re.search(r"[\u0900-\u097F]", entry["en"])


def strings_in_code() -> tuple[set[str], set[str]]:
    """Return the literal strings and the leading parts of f-strings in labkit and the notebook sources."""
    literals, prefixes = set(), set()
    for path in [*(ROOT / "labkit").rglob("*.py"), *(ROOT / "notebooks" / "source").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                literals.add(node.value)
            elif isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
                prefixes.add(str(node.values[0].value))
    return literals, prefixes


def test_every_message_is_used():
    literals, prefixes = strings_in_code()
    areas = tuple(f"{area}." for area in messages.areas())
    starts = tuple(p for p in prefixes | literals if p.startswith(areas) and p not in IDS)
    dead = {i for i in IDS if i not in literals and not i.startswith(starts)}
    assert not dead


def test_an_unknown_id_names_itself():
    with pytest.raises(KeyError, match="no_such"):
        messages.text("plan.no_such")


def test_an_unknown_language_lists_the_known_ones():
    with pytest.raises(ValueError, match="'en', 'hi'"):
        messages.set_language("fr")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (40, "40"),
        (1234.5, "1,234"),
        (0.0567, "0.0567"),
        (0.000612, "0.000612"),
        (99.95, "100"),
        (-3.14159, "-3.14"),
    ],
)
def test_numbers_are_rounded_for_people(value, shown):
    assert messages.number(value) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.0006, "0.6 ms"), (12, "12 s"), (2400, "40 min"), (43200, "12 h"), (604800, "7 days")],
)
def test_durations_choose_their_unit(seconds, shown):
    assert messages.duration(seconds, "en") == shown
