"""The theorem that every operation of a class keeps its contracts: a symbolic run for each operation.

A family says what a run does (`Operations.run`).  It gets the exploration of each operation, of the reference or of a
mutant, and the theorem, whose mutants are run only where they can make a difference.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from swagproof.proofs.engine.paths import Exploration, Path, enclosing_path, explore
from swagproof.proofs.engine.solver import Model, z3
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.ledger.theorem import Theorem


def run_of_path() -> Any:
    """The run of the path that is being run, for what stands for names in the code."""
    path = enclosing_path()
    assert path is not None
    return path.run


def name_numbers(model: Model) -> str:
    """The numbers of a counterexample that the state is told by: not those that were made in passing."""
    given = {str(d).partition("!")[0]: model[d] for d in sorted(model.decls(), key=str) if z3.is_int_value(model[d])}
    return ", ".join(f"{name} = {value}" for name, value in given.items())


Enough = Callable[[Exploration], bool]


@dataclass(frozen=True, kw_only=True, eq=False)
class Operations:
    """The symbolic runs of a class, one for each operation, from any state that meets the contracts."""

    made: Callable[[Mutant | None], Any]
    """The function that returns the class, or a mutant of it."""
    run: Callable[[Any, str, Path], None]
    """The function that runs an operation of the class along one path."""
    names: Sequence[str]
    """The operations."""
    run_with: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """The operations that run a method, for methods that are no operation of that name."""

    def explore(self, operation: str, mutant: Mutant | None, enough: Enough = lambda report: False) -> Exploration:
        """Run an operation along every path, until the findings are enough."""
        return explore(partial(self.run, self.made(mutant), operation), enough)

    def affected(self, among: Sequence[str], mutant: Mutant) -> Sequence[str]:
        """Return the operations that a mutant can affect, or all if none is known to be."""
        methods = [edit.method.rpartition(".")[2] for edit in mutant.edits]
        changed = {each for method in methods for each in self.run_with.get(method, (method,))}
        return [operation for operation in among if operation in changed] or among

    def theorem(self, *own: str, lemmas: Callable[[], Exploration] = Exploration) -> Theorem[str]:
        """Return the theorem about these operations, by default all, which rests on all of them."""
        runs = own or tuple(self.names)
        return Theorem(
            explore=self.explore, runs=runs, rests_on=self.names, affected=partial(self.affected, runs), lemmas=lemmas
        )
