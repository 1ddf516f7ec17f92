"""Public defects of engines and libraries, re-created in our own code from the reports.

Each defect is a class: `thread` is the report, the docstring says what went wrong.  Code that checks `wrong` has the
defect; the twin, `Class.right`, is the same class without it, and must conform.  To judge both manually:
`swagproof conform tests/oracle/wild/frame_defects.py:EmptyFrameKeepsState --window frame`, and
`...:EmptyFrameKeepsState.right`.

Most defects are edits of right code, in tables (`define_defects`).
"""

import re
from inspect import cleandoc
from typing import Any, ClassVar, Final

from swagproof.proofs.ledger.mutants import read_mutants

HEAD: Final = re.compile(r"(\w+)(?: over ([\w-]+))? \((\S+)\): (.*)")


class Defect:
    """The base class of all defects: the thread, and the twin."""

    thread: ClassVar[str] = ""
    """The report: `owner/repository/issues/number`, or `.../pull/number`."""
    learned: ClassVar[str] = ""
    """The addition to the search that was needed to find it, if any."""
    wrong: ClassVar[bool] = True
    """True if the defect is present."""
    right: ClassVar[type[Any]]
    """The same class without the defect."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "thread" in vars(cls):
            fields = {"__doc__": f"{cls.__name__} without its defect.", "__module__": cls.__module__, "wrong": False}
            cls.right = type(cls.__name__, (cls,), fields)


def define_defects(names: dict[str, Any], right: type[Any], table: str) -> None:
    """Define the defects of a table, each a right class with an edit, in the module that has these names.

    A defect is a line `Name (thread): docstring`, or `Name over sum (thread): docstring` if it computes this function
    alone; lines of the docstring that follow are indented by two.  Its edits are indented below, as in `read_mutants`.
    """
    for mutant in read_mutants(re.sub(r"\n  (?=\S)", " ", cleandoc("\n" + table))).values():
        head = HEAD.fullmatch(mutant.name)
        assert head is not None, mutant.name
        name, monoid, thread, docstring = head.groups()
        twin = type(name, (right,), {"monoids": (monoid,)}) if monoid else right
        fields = {"__module__": names["__name__"], "__doc__": docstring, "__qualname__": name, "thread": thread}
        made: Any = type(name, (mutant.of(twin),), fields)
        made.right = twin
        names[name] = made
