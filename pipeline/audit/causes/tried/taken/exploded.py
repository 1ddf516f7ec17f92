"""Events that count as often as a text of theirs has parts, as where a list of tags is unnested before it is grouped.

A row for each part is right for who asks about parts, and multiplies everything else.  What has no parts has no row, or
is kept as one, as by an outer join.  Where the text itself is the value its parts are counted in its place.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, count_so_often
from swagproof.pipeline.audit.causes.sample import NULL, Event, Sample, get_cell
from swagproof.pipeline.audit.causes.tried.answers import answer_of
from swagproof.pipeline.audit.rules import Answer

_SIGNS: Final = {"|": "|", ",": ",", ";": ";", "a space": " ", "/": "/"}
"""What stands between parts."""
_MOST: Final = 50
"""How many parts a text has at most that is a list."""

Split = Callable[[str], list[Any]]


def list_exploded(sample: Sample) -> Iterator[Hypothesis]:
    """Each text column that has parts, and the value if that is one."""
    for i, name in enumerate(sample.columns):
        for said, split in _list_splits(list(sample.list_cells(i))):
            yield from _list_rows(said, name, partial(get_cell, i), split)
    if sample.kinds[:1] == ("text",) and len(sample.kinds) == 1:
        for said, split in _list_splits(list({e.value for e in sample.came})):
            yield from _list_parts(sample, said, split)


def _list_splits(cells: Sequence[Any]) -> Iterator[tuple[str, Split]]:
    """How texts have parts, in words, and what makes them: only such as make several of some, not of all as many."""
    ways: dict[str, Split] = {f"parted by {said}": partial(_split, sign) for said, sign in _SIGNS.items()}
    ways["of a list in JSON"] = _split_json
    for said, split in ways.items():
        often = {len(split(cell)) if isinstance(cell, str) else 0 for cell in cells}
        if len(often) > 1 and 1 < max(often) <= _MOST:
            yield said, split


def _split(sign: str, text: str) -> list[Any]:
    return text.split(sign) if text else []


def _split_json(text: str) -> list[Any]:
    """The items of a list; none of any other text."""
    if not text.startswith("["):
        return []
    try:
        items: list[Any] = json.loads(text)
    except ValueError:
        return []
    return [json.dumps(item) for item in items]


def _list_rows(said: str, name: str, read: Callable[[Event], Any], split: Split) -> Iterator[Hypothesis]:
    """A row for each part: of what is empty none, or one; of those that are alike one."""
    ways = (
        ("parts", False, 0, ", and not where it has none"),
        ("parts", False, 1, ", once where it has none"),
        ("different parts", True, 0, ", and not where it has none"),
        ("different parts", True, 1, ", once where it has none"),
    )
    for what, once, least, none in ways:
        yield Hypothesis(
            "result multiplied",
            f"counts each event as often as its {name} has {what}, {said}{none}",
            events=partial(count_so_often, partial(_count, read, split, once, least)),
            filters=not least,
            bits=log2(len(ways)),
        )


def _count(read: Callable[[Event], Any], split: Split, once: bool, least: int, e: Event) -> int:
    cell = read(e)
    parts = split(cell) if isinstance(cell, str) else []
    return max(least, len(set(parts) if once else parts))


def _list_parts(sample: Sample, said: str, split: Split) -> Iterator[Hypothesis]:
    """The parts of the values, counted."""
    own = sample.aggregation.name
    if own == "distinct-count":
        why = f"answers how many different parts its values have, {said}"
        yield Hypothesis("another aggregate", why, answer=partial(_count_parts, split, True))
    if own.endswith("count"):
        why = f"answers how many parts its values have, {said}"
        yield Hypothesis("result multiplied", why, answer=partial(_count_parts, split, False))


def _count_parts(split: Split, once: bool, events: Sequence[Event]) -> Answer:
    parts = [part for e in events if e.value is not None for part in split(e.value)]
    return answer_of(len(set(parts) if once else parts)) if events else NULL
