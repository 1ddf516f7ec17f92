"""The gate: whatever touches a stand-in is held to the language first, however it came to be run.

A method that is rewritten is held to its language where it is rewritten, and there is no other way to have it run over
stand-ins.  But much is run as it stands: arithmetic of slices and windows, laws of operations, clauses of contracts,
helpers that any of these call.  Who writes a new run could forget to ask for those.  So stand-ins ask: at every branch
and at every operation they look who is calling, and code of the rooms that was not admitted is held to `PLAIN` then and
there, with what it calls by name.  A row whose code is refused is unknown.
"""

import sys
from inspect import CO_GENERATOR
from types import CodeType, FrameType
from typing import Final

from swagproof.proofs.engine.language import in_rooms, refuse_plain

_ADMITTED: Final[dict[int, CodeType]] = {}
"""Code that may touch stand-ins, by `id`: as a key, code would be compared by what it says."""
_ENDS: Final[set[int]] = set()
"""Code below which nothing is run symbolically."""
_HELD: Final[dict[int, FrameType]] = {}
"""Frames, by `id`, that were held with all below them.  While one of them runs, nothing below it changes: a generator,
which another caller may go on with, is none of them.  Those that have ended are on no way down."""
STAND_INS: Final = "swagproof.proofs.engine.values"
"""Where operations of stand-ins are: who calls them is looked at, and they themselves have ended when another asks."""
MOST: Final = 100
"""So many frames are remembered."""


def admit(code: CodeType) -> None:
    """Let code pass that has been held to its language, and the code within it."""
    _ADMITTED[id(code)] = code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            admit(constant)


def end_at(code: CodeType) -> None:
    """Look no further down than this code, which begins a symbolic run."""
    admit(code)
    _ENDS.add(id(code))


def hold_callers() -> None:
    """Unseen when code of the rooms that is being run is in more than the engine sees."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") == STAND_INS:
        frame = frame.f_back
    looked_at: list[FrameType] = []
    while frame is not None and id(frame) not in _HELD:
        code = frame.f_code
        if id(code) not in _ADMITTED:
            if in_rooms(str(frame.f_globals.get("__name__"))):
                refuse_plain(code, frame.f_globals, {name: frame.f_locals[name] for name in code.co_freevars})
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
