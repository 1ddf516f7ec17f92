"""The reference compared with the papers' listings, and wrong transcriptions that the check must reject."""

import ast
import inspect
from collections import Counter
from collections.abc import Iterator
from copy import copy
from itertools import pairwise
from pathlib import Path

import pytest
from support.mutants.generated import changed_trees
from support.transcription import Function, problems

from swagproof.reference import catalogue
from swagproof.reference.listings.listing import TAG

LISTED = {entry.name: entry for entry in catalogue.CATALOGUE if entry.listings}


def transcribed(algorithm: str) -> list[Function]:
    """Return the functions with tags."""
    found = inspect.getmembers(LISTED[algorithm].algorithm, inspect.isfunction)
    functions = [Function.of(function) for _, function in found if inspect.unwrap(function) is function]
    return [function for function in functions if TAG.search("\n".join(function.lines))]


def retagged(function: Function, old: str, new: str) -> Function:
    """Return the same text with other tags."""
    return Function([line.replace(old, new) for line in function.lines], function.tree)


@pytest.mark.parametrize("algorithm", LISTED)
def test_the_code_says_what_the_listing_says(algorithm: str) -> None:
    assert [
        said for function in transcribed(algorithm) for said in problems(LISTED[algorithm].listings, function)
    ] == []


def ill_tagged(text: str) -> set[str]:
    """Return the lines of the listings that no tag or several tags name, and the tags that name no line."""
    tags = Counter(f"{tag[1]} {tag[2]}" for tag in TAG.finditer(text))
    every = {listing.name: listing for entry in LISTED.values() for listing in entry.listings}.values()
    lines = Counter(f"{listing.name} {label}" for listing in every for label in listing.lines)
    return {name for name in tags | lines if tags[name] != lines[name]}


def test_every_line_has_one_tag_and_every_tag_a_line() -> None:
    files = [path for path in Path(inspect.getfile(catalogue)).parent.rglob("*.py") if path.parent.name != "listings"]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    assert ill_tagged(text) == set()
    assert ill_tagged(text.replace("[Alg.3 l.4]", "")) == {"Alg.3 4"}
    assert ill_tagged(text.replace("[Alg.3 l.4]", "[Alg.3 l.5]")) == {"Alg.3 4", "Alg.3 5"}
    assert ill_tagged(text + "[Alg.3 l.6]") == {"Alg.3 6"}


def wrong(algorithm: str) -> Iterator[tuple[Function, str]]:
    """Yield each transcribed function with one change under a tag: operands, indices, calls, comparisons, ..."""
    for function in transcribed(algorithm):
        ours = function.ours()
        for line, tree in changed_trees(function.tree, (), True):
            if line not in ours:
                yield Function(function.lines, tree), function.lines[line - 1]


@pytest.mark.parametrize("algorithm", LISTED)
def test_a_wrong_body_under_a_right_tag_is_refused(algorithm: str) -> None:
    changed = list(wrong(algorithm))
    assert [line for function, line in changed if not problems(LISTED[algorithm].listings, function)] == []
    assert len(changed) > sum(len(listing.lines) for listing in LISTED[algorithm].listings)


@pytest.mark.parametrize("algorithm", LISTED)
def test_wrong_tags_are_refused(algorithm: str) -> None:
    listings = LISTED[algorithm].listings
    for function in transcribed(algorithm):
        tags = [tag for line in function.lines for tag in TAG.finditer(line)]
        for tag, other in pairwise(tags):
            swapped = retagged(retagged(function, tag[0], "[]"), other[0], tag[0])
            assert problems(listings, retagged(swapped, "[]", other[0]))
            assert problems(listings, retagged(function, tag[0], f"[{tag[1]} l.99]"))


def test_what_differs_from_the_listing_says_so() -> None:
    (moved,) = (function for function in transcribed("FiBA") if "def repair_aggs" in function.lines[0])
    listings = catalogue.FIBA.listings
    for displaced, said in (("21", "39]: stands under 37, 35"), ("39 34", "34]: stands under 32, 32")):
        others = [copy(listing) for listing in listings]
        for each in others:
            each.displaced = frozenset(displaced.split())
        assert problems(others, moved) == [f"[Fig.7 l.{said} as supplied"]
    (corrected,) = (function for function in transcribed("FiBA") if "def rebalance_for_evict" in function.lines[0])
    assert problems(listings, retagged(corrected, ", erratum FIBA-3", "")) == ["[Fig.7 l.62]: erratum FIBA-3"]
    (problem,) = problems(listings, retagged(corrected, ", erratum FIBA-3", ", reading FIBA-3"))
    assert problem.endswith(": erratum FIBA-3")


@pytest.mark.parametrize(
    ("algorithm", "old", "new"),
    [
        ("DABA", "self.monoid.combine(self.pi_B(), v)", "self.other.combine(self.pi_B(), v)"),
        ("DABA", "def insert(self, v: A)", "def insert(self, v: A = None)"),
        ("DABA", "def insert(self, v: A)", "def insert(self, v: A, *w: A)"),
        ("DABA", "if self.L == self.B", "if self.L is self.B"),
        ("DABA", "= self.E, self.E, self.E, self.E", "= self.E, self.E, self.E, self.E, self.E"),
        ("DABA Lite", "self.aggRA = self.aggB", "self.agg_RA = self.aggB"),
        ("FlatFAT", "return a  #", "return a,  #"),
    ],
)
def test_what_a_changed_tree_does_not_reach_is_refused(algorithm: str, old: str, new: str) -> None:
    (function, *_) = (each for each in transcribed(algorithm) if old in "\n".join(each.lines))
    lines = "\n".join(function.lines).replace(old, new).split("\n")
    assert problems(LISTED[algorithm].listings, Function(lines, ast.parse("\n".join(lines))))
