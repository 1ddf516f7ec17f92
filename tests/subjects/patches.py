"""Wrong subjects as patches of right ones."""

from inspect import cleandoc
from typing import Any

from swagproof.proofs.ledger.mutants import read_mutants


def patch(names: dict[str, Any], right: type[Any], table: str) -> None:
    """Define the classes of a table, each a right class with an edit, in the module that has these names.

    A class is a line `Name: docstring`, or `Name over sum, max: docstring` if it computes these functions alone.  Its
    edits are indented below, as in `read_mutants`.
    """
    for mutant in read_mutants(cleandoc("\n" + table)).values():
        head, _, docstring = mutant.name.partition(": ")
        name, _, monoids = head.partition(" over ")
        made = mutant.of(right)
        made.__name__ = made.__qualname__ = name
        made.__module__, made.__doc__ = names["__name__"], docstring
        if monoids:
            made.monoids = tuple(monoids.split(", "))
        names[name] = made
