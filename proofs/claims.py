"""All claims, in the order of the ledger, and `check_claims`, which checks them in several processes."""

import gc
import importlib
import os
import pkgutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, Final, NoReturn

from swagproof import proofs
from swagproof.proofs.explorer.workers import end_with
from swagproof.proofs.ledger.claim import Claim, ClaimResult, Reviewer, check_claim, give_up
from swagproof.proofs.ledger.matrix import name_entries
from swagproof.reference.catalogue import CATALOGUE

FAMILIES: Final = (
    "in_order",
    "containers",
    "trees",
    "flat_trees",
    "slicing",
    "related_work",
    "sharing",
    "windows",
    "operations",
    "errata",
)
"""The folders with claims, in the order of the ledger."""


def _list_claims() -> Iterator[Claim]:
    """Yield the `CLAIMS` of the modules of each family: algorithm by algorithm, in the order of the catalogue."""
    places = {entry.name: place for place, entry in enumerate(CATALOGUE)}
    for family in FAMILIES:
        package = importlib.import_module(f"{proofs.__name__}.{family}")
        modules = (found.name for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))
        claims = [
            claim
            for module in (package, *map(importlib.import_module, modules))
            for claim in getattr(module, "CLAIMS", ())
        ]
        yield from sorted(claims, key=lambda claim: places.get(name_entries(claim)[0], len(places)))


CLAIMS: Final[tuple[Claim, ...]] = tuple(_list_claims())
"""Every claim of the project; no other module may make claims."""

HEAVY: Final = ("windows", "operations", "daba", "daba-lite", "reactive-aggregator", "fiba", "b-tree", "flat-fat")
"""Groups of claims that take long, and so start first."""

BY_ID: Final = {claim.id: claim for claim in CLAIMS}
"""The claims by id.  Processes exchange ids, because checks are functions, which cannot be sent between processes."""


def _names(claim: Claim) -> tuple[str, ...]:
    """Return the names that select a claim, in lower case."""
    return claim.id.lower(), claim.id.partition("/")[0], claim.algorithm.lower(), claim.paper.lower()


def find(names: Sequence[str]) -> list[Claim]:
    """Return the claims with these ids, of these algorithms (`DABA Lite`, `daba-lite`) or papers; all if none is given.

    Raises KeyError that lists the valid names.
    """
    wanted = {name.lower() for name in names}
    for name in wanted.difference(*map(_names, CLAIMS)):
        known = ", ".join(dict.fromkeys(claim.algorithm for claim in CLAIMS))
        raise KeyError(f"no claim or algorithm {name!r}. Algorithms: {known}. Ids: swagproof prove --list")
    return [claim for claim in CLAIMS if not wanted or wanted.intersection(_names(claim))]


def collect_seldom() -> None:
    """Run the garbage collector of this process seldom, and never on the objects that exist now.

    Proofs create millions of terms without reference cycles; looking for cycles took a sixth of their time.
    """
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def _begin() -> None:
    collect_seldom()
    _end_in_order()


def _end_in_order() -> None:
    """Let a terminated process unwind, so that its children (CrossHair) end with it; and end it with its parent."""
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()


def _leave(*_: object) -> NoReturn:
    """Unwind, and exit after five seconds in any case; an exit raised in a destructor, such as Z3's, is ignored."""
    late = threading.Timer(5.0, os._exit, (1,))
    late.daemon = True
    late.start()
    sys.exit(1)


def _check_batch(ids: Sequence[str], deep: bool, review: Reviewer | None) -> list[tuple[str, Any]]:
    """Check claims and return the fields of their results, without the claims, which processes cannot exchange."""
    rows = [check_claim(BY_ID[id], deep, review) for id in ids]
    return [
        (row.claim.id, (row.verdict, row.detail, row.seconds, row.controls, row.statistics, row.deep)) for row in rows
    ]


def check_claims(
    claims: Sequence[Claim],
    *,
    processes: int,
    deep: bool = False,
    review: Reviewer | None = None,
    cached: Mapping[str, ClaimResult] | None = None,
    report: Callable[[ClaimResult], None],
) -> list[ClaimResult]:
    """Check the claims, those of one algorithm in one process, and report each result when it is complete.

    A claim with a cached result is not checked.  There is a result for each claim, in the order of the claims.  On an
    exception, including Ctrl-C, the processes are ended.  If a process is killed, for example for lack of memory, all
    unfinished work is lost.  Those claims are checked again, each in its own process; a claim whose process is killed
    again is unknown.
    """
    rows: dict[str, ClaimResult] = {}

    def take(row: ClaimResult) -> None:
        rows[row.claim.id] = row
        report(row)

    batches: dict[str, list[str]] = {}
    for claim in claims:
        if cached and claim.id in cached:
            take(cached[claim.id])
        else:
            batches.setdefault(claim.algorithm, []).append(claim.id)
    heaviest_first = sorted(batches.values(), key=lambda ids: ids[0].split("/")[0] not in HEAVY)
    if processes == 1:
        for id in (id for ids in batches.values() for id in ids):
            take(check_claim(BY_ID[id], deep, review))
    else:
        check_them = partial(_check_batch, deep=deep, review=review)
        for id in _check_in_pool(check_them, heaviest_first, processes, take):
            if _check_in_pool(check_them, [[id]], 1, take):
                take(give_up(BY_ID[id], "the process that checked it was ended", deep))
    return [rows[claim.id] for claim in claims]


def _check_in_pool(
    check_them: Callable[[Sequence[str]], list[tuple[str, Any]]],
    batches: Sequence[Sequence[str]],
    processes: int,
    take: Callable[[ClaimResult], None],
) -> list[str]:
    """Check batches of claims in parallel, and return the ids of those that were lost when a process ended."""
    lost: list[str] = []
    pool = ProcessPoolExecutor(processes, initializer=_begin)
    try:
        pending = {pool.submit(check_them, ids): ids for ids in batches}
        while pending:
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                ids = pending.pop(future)
                try:
                    settled = future.result()
                except BrokenProcessPool:
                    lost += ids
                    continue
                for id, found in settled:
                    take(ClaimResult(BY_ID[id], *found))
    except BaseException:
        for process in list(pool._processes.values()):  # pyright: ignore[reportPrivateUsage]  # the pool cannot end them itself
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return lost
