"""A defect that engines or libraries have had in public, re-created from what its thread tells, in code of our own.

Each is a class: `thread` says where it was told, the docstring what went wrong.  The code is right, but where it looks
at `wrong`; so the twin, `Class.right`, is the same code without the defect, and must conform.  Both can be asked by
hand: `swagproof conform tests/oracle/wild/frame_defects.py:EmptyFrameKeepsState --window frame`, and
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
