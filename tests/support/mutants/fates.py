"""The fate of a mutant: killed, equivalent, or an error.

A run (the explorer, with a shortest history) or a proof (with a start state) kills a mutant.  A surviving mutant must
be equivalent: a proof shows that it meets every contract, or `equivalent.txt` lists it with the reason.

A proof must never accept a mutant that a run refutes: the two share only the contracts.  Nor may a run refute a mutant
on the list.
"""

import re
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Final, Literal

from support.places import TESTS

from swagproof.proofs.ledger.mutants import Mutant

Run = Callable[[Mutant], str | None]
"""Returns the failure of a mutant, by the contracts of the proofs too, or None."""
Proof = Literal["proved", "refuted", "unknown"]
Listed = Mapping[str, Sequence[str]]
"""The mutants by reason, each as its name with ` … ` for omissions.  It must match exactly one mutant."""

TABLE: Final = TESTS / "support" / "mutants" / "equivalent.txt"
STOPPED: Final = "it is stopped"
SHORTEST: Final = 0.3
"""The least time limit of a run, in seconds."""
MARGIN: Final = 5
"""The least time limit as a multiple of the reference's own time."""
ALLOWED: Final = ("killed", "equivalent")


class _OutOfTime(BaseException):
    """A timeout that passes `except Exception`: an explorer attributes any Exception to the mutant."""


def within(seconds: float, run: Callable[[], str | None]) -> str | None:
    """Return the result of a run, or that it was stopped after this processor time.  For the main thread only."""

    def stop(*_: object) -> None:
        raise _OutOfTime

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return run()
    except _OutOfTime:
        return STOPPED
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def unchanged(mutant: Mutant) -> Mutant:
    """Return the reference as a mutant."""
    return replace(mutant, edits=tuple(replace(edit, new=edit.old) for edit in mutant.edits))


class Timed:
    """A run with a time limit of five times the time that the reference takes on this machine."""

    def __init__(self, run: Run) -> None:
        self.run, self.needed = run, 0.0

    def __call__(self, mutant: Mutant) -> str | None:
        """Return the failure of the mutant, or that it was stopped."""
        found = within(max(SHORTEST, MARGIN * self.needed), partial(self.run, mutant))
        if found == STOPPED and not self.needed:
            began = time.process_time()
            self.run(unchanged(mutant))
            self.needed = time.process_time() - began
            return self(mutant) if MARGIN * self.needed > SHORTEST else found
        return found


def first_failure(runs: Sequence[Run], mutant: Mutant) -> str | None:
    """Return the first failure that a run finds."""
    return next(filter(None, (run(mutant) for run in runs)), None)


def no_proof(mutant: Mutant) -> Proof:
    """Return `unknown`, for an algorithm without proofs."""
    return "unknown"


@dataclass(frozen=True)
class Subject:
    """An algorithm whose mutants are judged."""

    id: str
    generate: Callable[[], list[Mutant]]
    runs: Sequence[Run]
    hunt: Sequence[Run] = ()
    """Longer runs, for mutants that would survive; they may check more than the proofs, such as costs."""
    prove: Callable[[Mutant], Proof] = no_proof
    """The function that tries to prove that a mutant meets every contract."""

    @cached_property
    def mutants(self) -> Sequence[Mutant]:
        """Return all mutants."""
        return self.generate()

    @cached_property
    def equivalent(self) -> Mapping[str, str]:
        """Return the mutants on the list, with their reasons."""
        return by_name(read_equivalent().get(self.id, {}), self.mutants)

    def fate(self, mutant: Mutant) -> tuple[str, str]:
        """Return a mutant's fate and its cause: one of `ALLOWED`, or a description of the error."""
        reason, proof = self.equivalent.get(mutant.name, ""), self.prove(mutant)
        found = first_failure(self.runs, mutant)
        if not found and not reason and proof == "unknown":
            found = first_failure(self.hunt, mutant)
        if found and proof == "proved":
            return "proved though a run refutes it", found
        if found and reason:
            return "listed though a run refutes it", found
        if found or proof == "refuted":
            return "killed", found or "an obligation has a counterexample"
        if reason or proof == "proved":
            return "equivalent", reason or "it meets every contract"
        return "survives", "neither killed nor shown to be equivalent"


@cache
def read_equivalent() -> dict[str, dict[str, list[str]]]:
    """Return the list of equivalent mutants: algorithm -> reason -> mutants."""
    found: dict[str, dict[str, list[str]]] = {}
    for part in TABLE.read_text(encoding="utf-8").split("\n## ")[1:]:
        algorithm, *lines = part.splitlines()
        reasons = found.setdefault(algorithm, {})
        for line in filter(None, lines):
            if line.startswith(" "):
                reasons[next(reversed(reasons))].append(line.strip())
            else:
                reasons[line] = []
    return found


def by_name(listed: Listed, every: Sequence[Mutant]) -> dict[str, str]:
    """Map mutants to reasons.  Raises ValueError if a shortened name matches no mutant, several, or a listed one."""
    reasons: dict[str, str] = {}
    for reason, shortened in listed.items():
        for short in shortened:
            pattern = re.compile(".*".join(map(re.escape, short.split(" … "))) + ".*", re.DOTALL)
            names = [mutant.name for mutant in every if pattern.match(mutant.name)]
            names = [short] if short in names else names
            if len(names) != 1 or names[0] in reasons:
                raise ValueError(f"listed {short!r} fits {len(names)} mutants, not one: {'; '.join(names[:3])}")
            reasons[names[0]] = reason
    return reasons
