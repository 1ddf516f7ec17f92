"""The counter of touches counts every entry that a walk reads, and does not change the code's behaviour."""

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, Final

import pytest
from support.running.touches import Touches

from swagproof.models.operations import CONCATENATION
from swagproof.reference.catalogue import FIFO

N: Final = 50


class Keeper:
    """Keeps whatever it is given."""

    kept: Any


def keep(touches: Touches, value: Any) -> Any:
    """Return a value as it is kept, with the count reset."""
    keeper = touches.watch(Keeper)()
    keeper.kept = value
    touches.count = 0
    return object.__getattribute__(keeper, "kept")


WALKS: Final[tuple[Callable[[Any], Any], ...]] = (
    list,
    sorted,
    sum,
    max,
    lambda kept: [*kept],
    lambda kept: -1 in list(kept),
    lambda kept: kept == type(kept)(kept),
    lambda kept: kept.copy(),
    lambda kept: kept.clear(),
    lambda kept: all(each >= 0 for each in kept),
)


@pytest.mark.parametrize("kind", [list, deque, set, dict.fromkeys, OrderedDict.fromkeys])
@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_touches_every_entry(kind: Callable[[Any], Any], walk: Callable[[Any], Any]) -> None:
    touches = Touches()
    walk(keep(touches, kind(range(N))))
    assert touches.count >= N


@pytest.mark.parametrize(
    ("kind", "step"),
    [
        (list, lambda kept: (kept[3], kept.append(1), kept.pop(), len(kept))),
        (deque, lambda kept: (kept[0], kept.append(1), kept.popleft(), len(kept))),
        (set, lambda kept: (3 in kept, kept.add(1), kept.discard(3), len(kept))),
        (dict.fromkeys, lambda kept: (3 in kept, kept[3], kept.pop(3), kept.get(3))),
        (OrderedDict.fromkeys, lambda kept: (3 in kept, kept[3], kept.get(3), len(kept))),
    ],
)
def test_a_step_touches_one_entry(kind: Callable[[Any], Any], step: Callable[[Any], Any]) -> None:
    touches = Touches()
    step(keep(touches, kind(range(N))))
    assert touches.count == 4


@pytest.mark.parametrize("put", [lambda kept, one: kept.append(one), lambda kept, one: kept.append((one,))])
def test_what_is_put_into_a_container_is_watched_too(put: Callable[[Any, Any], Any]) -> None:
    touches = Touches()
    kept = keep(touches, [])
    put(kept, [1] * N)
    touches.count = 0
    (found,) = kept[0] if isinstance(kept[0], tuple) else kept
    list(found)
    assert touches.count >= N


@pytest.mark.parametrize("column", [column for column in FIFO if not column.subtracts], ids=lambda column: column.slug)
def test_a_watched_window_answers_as_before(column: Any) -> None:
    plain, watched = column.algorithm(CONCATENATION), Touches().watch(column.algorithm)(CONCATENATION)
    for k in range(200):
        for window in (plain, watched):
            window.insert(chr(97 + k % 26))
            if k % 3 == 0:
                window.evict()
        assert plain.query() == watched.query()
