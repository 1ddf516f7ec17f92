"""Every step has a sentence: the lines that a paper prints, and those of an algorithm without a listing."""

import re
from typing import Any

import pytest

from swagproof.learn.narration.narrate import Narration, templates
from swagproof.learn.plays.repertoire import PLAYS, find_column
from swagproof.learn.session import Session
from swagproof.learn.texts import Text, statements
from swagproof.reference.listings.listing import TAG


def stepped_tags(text: Text) -> set[str]:
    """Return the tags of the lines that can be steps: the first of each statement."""
    first = {text.files[name]: statements(source) for name, source in text.sources.items()}
    return {
        f"{listing} l.{label}"
        for function in text.functions
        for number, line in enumerate(function.lines, function.first)
        if first[function.file].get(number) == number
        for listing, label, *_ in TAG.findall(line)
        if not function.is_expression or function.name.endswith(".query")
    }


@pytest.mark.parametrize("slug", PLAYS)
def test_every_line_tag_and_every_operation_has_a_sentence(slug: str) -> None:
    text = Text(find_column(slug).algorithm)
    assert stepped_tags(text) <= {*templates()}
    narrated = {function.rpartition(".")[2] for function, _ in Narration(text).templates}
    assert {*PLAYS[slug].operations} - narrated <= {"wait", "register", "evict_oldest", "update_twice"}


def test_every_template_is_of_a_line() -> None:
    lines = [
        (function.name, line)
        for slug in PLAYS
        for function in Text(find_column(slug).algorithm).functions
        for line in function.lines
    ]
    tags = {f"{listing} l.{label}" for _, line in lines for listing, label, *_ in TAG.findall(line)}
    for key, template in templates().items():
        function, colon, start = key.partition(": ")
        assert key in tags or (colon and any(n == function and x.strip().startswith(start) for n, x in lines)), key
        for sentence in [template] if isinstance(template, str) else template.values():
            assert sentence.endswith("."), key
        assert isinstance(template, str) or {*template} == {"yes", "no"}, key


def play(slug: str, history: list[list[Any]] | None = None) -> list[dict[str, Any]]:
    """Return the steps that are shown by default."""
    session = Session()
    steps = session.handle({"do": "open", "algorithm": slug, "history": history})["steps"]
    return [session.handle({"do": "step", "at": at}) for at, each in enumerate(steps) if each[4]]


@pytest.mark.parametrize("slug", PLAYS)
def test_no_sentence_has_a_hole_and_none_is_of_a_helper(slug: str) -> None:
    for step in play(slug):
        assert step["says"]
        assert not re.search(r"[{}]|<.* object at|\bNone:", step["says"]), step["says"]
        assert not step["says"].startswith("In "), (step["function"], step["line"])


def test_the_sentences_say_what_the_state_is() -> None:
    says = [step["says"] for step in play("daba", [["insert", letter] for letter in "abcd"])]
    flip = next(at for at, each in enumerate(says) if each.startswith("Flip: "))
    assert says[flip - 1].startswith("L has reached B: every aggregate of the front is final")
    assert says[flip + 1] == "Left and right have 1 element each. Shrink both by one."
    assert "left, right and accumulator: " in says[flip + 2]
    says = [step["says"] for step in play("fiba", [["insert", time, "x"] for time in (1, 2, 3, 4)])]
    assert "The root 1, 2, 3, 4 has 4 entries, more than 3: split it, the middle entry moves up." in says
    assert "Go down: recompute the aggregate of the leaf 1, 2, the product of its entries: x ⊗ x = xx." in says


def test_bookkeeping_is_a_step_line_by_line_and_none_by_default() -> None:
    session = Session()
    steps = session.handle({"do": "open", "algorithm": "fiba"})["steps"]
    told = [(each[4], session.handle({"do": "step", "at": at})["says"]) for at, each in enumerate(steps)]
    remembers = [is_shown for is_shown, says in told if says.startswith("Remember whether a spine is touched")]
    assert remembers == [0] * 9
    assert sum(is_shown for is_shown, _ in told) < 12 * 9


def test_checks_and_helpers_are_no_steps_and_a_changed_function_is_all_steps() -> None:
    session = Session()
    history = [["insert", time, "x"] for time in range(8)]
    steps = session.handle({"do": "open", "algorithm": "fiba", "history": history})["steps"]
    assert sum(each[4] for each in steps) < len(steps) / 3
    functions = session.handle({"do": "open", "algorithm": "daba", "history": []})["functions"]
    (text,) = ["\n".join(row["text"] for row in each["lines"]) for each in functions if each["name"] == "Daba.evict"]
    changed = text.replace("self.F = self.F + 1  # [DABA evict l.19]", "w = 1\n        self.F = self.F + w")
    answer = session.handle(
        {"do": "open", "algorithm": "daba", "history": [["insert", "a"], ["evict"]], "changes": {"Daba.evict": changed}}
    )
    last = [each for each in answer["steps"] if each[0] == 1 and each[1] == 0 and not each[2]]
    assert all(each[4] for each in last)
