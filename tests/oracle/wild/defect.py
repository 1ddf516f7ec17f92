"""Public defects of engines and libraries, re-created in our own code from the reports.

Each defect is a class: `thread` is the report, the docstring says what went wrong.  Code that checks `wrong` has the
defect; the twin, `Class.right`, is the same class without it, and must conform.  To judge both manually:
`swagproof conform tests/oracle/wild/frame_defects.py:EmptyFrameKeepsState --window frame`, and
`...:EmptyFrameKeepsState.right`.
"""

from typing import Any, ClassVar


class Defect:
    """The base class of all defects: the thread, and the twin."""

    thread: ClassVar[str] = ""
    """The end of its address: `owner/repository/issues/number`, or `.../pull/number`."""
    learned: ClassVar[str] = ""
    """The addition to the search that was needed to find it, if any."""
    wrong: ClassVar[bool] = True
    """True if the defect is present."""
    right: ClassVar[type[Any]]
    """The same without it."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "thread" in vars(cls):
            fields = {"__doc__": f"{cls.__name__} without its defect.", "__module__": cls.__module__, "wrong": False}
            cls.right = type(cls.__name__, (cls,), fields)
