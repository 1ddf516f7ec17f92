"""What becomes of a text where it is written: a column has room for so many characters, and no more are kept.

How many these are the results tell: the longest ones, of which there are several, are as long as the column.
"""

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Sample
from swagproof.pipeline.audit.rules import Answer

_NEEDS: Final = 2
"""How many results have the greatest length at least."""


def list_texts(sample: Sample) -> Iterator[Hypothesis]:
    """Texts of which the first characters are kept, or the last."""
    if sample.kind not in ("text", "json"):
        return
    results = [sample.results.get(name, []) for name in sample.open]
    texts = [_read(got[0].text, sample.kind) for got in results if len(got) == 1]
    lengths = Counter(len(text) for text in texts if text is not None)
    longest = max(lengths, default=0)
    if lengths[longest] < _NEEDS:
        return
    for said, last in (("the first", False), ("the last", True)):
        why = f"writes {said} {longest:,} characters of its answers alone"
        yield Hypothesis("truncated", why, change=partial(_cut, longest, last, sample.kind), needs=_NEEDS)


def _read(text: str | None, kind: str) -> str | None:
    """The text that a result is; None where it is none."""
    if text is None or kind == "text":
        return text
    try:
        value = json.loads(text)
    except ValueError:  # it is no JSON
        return None
    return value if isinstance(value, str) else None


def _cut(n: int, last: bool, kind: str, answer: Answer) -> Answer:
    text = _read(answer.text, kind)
    if text is None or len(text) <= n:
        return answer
    kept = text[len(text) - n :] if last else text[:n]
    return answer._replace(text=kept if kind == "text" else json.dumps(kept))
