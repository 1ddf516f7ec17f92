"""A gate that checks code against the engine's language before the code may touch a symbolic value.

Methods are checked when the rewriter (swagproof.proofs.engine.loops) rewrites them.  Other code runs unchanged:
arithmetic of slices and windows, laws of operations, clauses of contracts, and the helpers that these call.  So every
branch and every operation on a symbolic number checks its callers (`hold_callers`).  Code in `ROOMS` that was not
admitted before is checked at that moment, together with the functions that it names.

Limit: the gate reads only the frames and the source of callers in `ROOMS`; code of other modules passes.  A claim whose
code is refused (`Unseen`, see swagproof.proofs.engine.language) is unknown.
"""

import sys
from inspect import CO_GENERATOR
from types import CodeType, FrameType
from typing import Final

from swagproof.proofs.engine.language import refuse_code
from swagproof.proofs.engine.source.definitions import in_rooms

_ADMITTED: Final[dict[int, CodeType]] = {}
"""Code that may touch symbolic values, by `id`: code objects compare equal by content."""
_ENDS: Final[set[int]] = set()
"""Code that begins a symbolic run; its callers are not checked."""
_HELD: Final[dict[int, FrameType]] = {}
"""Frames, by `id`, that were checked with all their callers, which do not change while a frame runs.  A generator's
frames change callers and are never kept.  Ended frames are on no stack, so they do no harm.
"""
STAND_INS: Final = "swagproof.proofs.engine.values"
"""The module whose frames are skipped: the operations of symbolic values, whose callers are checked."""
MOST: Final = 100
"""The most frames that are kept."""


def admit(code: CodeType) -> None:
    """Admit code that was checked against the language, and the code nested in it."""
    _ADMITTED[id(code)] = code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            admit(constant)


def end_at(code: CodeType) -> None:
    """Stop checking callers at this code, which begins a symbolic run."""
    admit(code)
    _ENDS.add(id(code))


def hold_callers() -> None:
    """Check the callers on the stack.  Raises Unseen if one in `ROOMS` is not in the language."""
    frame: FrameType | None = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]  # documented
    while frame is not None and frame.f_globals.get("__name__") == STAND_INS:
        frame = frame.f_back
    looked_at: list[FrameType] = []
    while frame is not None and id(frame) not in _HELD:
        code = frame.f_code
        if id(code) not in _ADMITTED:
            if in_rooms(name := str(frame.f_globals.get("__name__"))):
                refuse_code(code, name)
            _ADMITTED[id(code)] = code
        elif id(code) in _ENDS:
            break
        if not code.co_flags & CO_GENERATOR:
            looked_at.append(frame)
        frame = frame.f_back
    if len(_HELD) > MOST:
        _HELD.clear()
    for each in looked_at:
        _HELD[id(each)] = each
