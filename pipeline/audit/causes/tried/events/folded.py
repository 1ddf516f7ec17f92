"""Texts that a job writes in another form, such as in small letters, before it aggregates them.

Whoever folds search terms, names or codes that are told apart by their capitals, spaces or accents counts several of
them for one; and a first, last, least or joined text is not the one that came.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final
from unicodedata import combining, normalize

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Events, Sample

Fold = Callable[[str], str]


def _strip_accents(text: str) -> str:
    return "".join(c for c in normalize("NFKD", text) if not combining(c))


def _leave_spaces(text: str) -> str:
    return "".join(text.split())


_FOLDS: Final[dict[str, tuple[str, Fold]]] = {
    "in small letters": ("capitals", str.lower),
    "in capitals": ("capitals", str.upper),
    "without spaces around them": ("spaces around them", str.strip),
    "in small letters, without spaces around them": (
        "capitals and spaces around them",
        lambda text: text.lower().strip(),
    ),
    "in capitals, without spaces around them": ("capitals and spaces around them", lambda text: text.upper().strip()),
    "without spaces": ("spaces", _leave_spaces),
    "in small letters, without spaces": ("capitals and spaces", lambda text: _leave_spaces(text.lower())),
    "without accents": ("accents", _strip_accents),
    "in small letters, without accents": ("capitals and accents", lambda text: _strip_accents(text.lower())),
    "in the composed form of Unicode": ("how Unicode composes them", partial(normalize, "NFC")),
}
"""How texts may be written, the likelier first; and in what those differ that are one then."""


def list_folded(sample: Sample) -> Iterator[Hypothesis]:
    """The forms that make of the texts what none before does: where they are counted, which of them are one."""
    texts = sorted({text for e in sample.came for text in _list_texts(e.value)})
    counts = sample.aggregation.name == "distinct-count"
    made: set[tuple[object, ...]] = {tuple(range(len(texts)) if counts else texts)}
    for said, (differ, fold) in _FOLDS.items():
        folded = [fold(text) for text in texts]
        what = tuple(map(folded.index, folded)) if counts else tuple(folded)
        if what not in made:
            made.add(what)
            why = f"takes texts that differ in {differ} alone for one" if counts else f"takes texts {said}"
            yield Hypothesis("values folded", why, events=partial(_change, sample, fold))


def _list_texts(value: Any) -> list[str]:
    """The texts of a value, which may be of several columns."""
    return [one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, str)]


def _change(sample: Sample, fold: Fold, all_: Events) -> Events:
    def folded(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(folded, value))
        return fold(value) if isinstance(value, str) else value

    return {key: [sample.lift(e, folded(e.value)) for e in events] for key, events in all_.items()}
