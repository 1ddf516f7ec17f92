"""A module of the reference with a mistake in it: for functions that are no methods, as `Variant.of` is for classes.

The whole module is written anew, so that whatever in it calls the changed function calls the changed one.
"""

import inspect
import linecache
import zlib
from types import ModuleType, SimpleNamespace
from typing import Any

from swagproof.proofs.ledger.variants import Variant


def rewritten(module: ModuleType, variant: Variant) -> Any:
    """The names of the module with the mistake; `edit.method` is a function or `Class.method`.

    ValueError when the module no longer contains the line.
    """
    text = inspect.getsource(module)
    for method in dict.fromkeys(edit.method for edit in variant.edits):
        function: Any = module
        for name in method.split("."):
            function = getattr(function, name)
        source = changed = inspect.getsource(function)
        for edit in variant.edits:
            if edit.method == method:
                if changed.count(edit.old) != 1 or text.count(source) != 1:
                    raise ValueError(f"variant {variant.name!r}: {edit.old!r} does not stand once in {method}")
                changed = changed.replace(edit.old, edit.new)
        text = text.replace(source, changed)
    file = f"<{module.__name__}: {variant.name}, {zlib.crc32(text.encode()):08x}>"  # no other text's place
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file  # so that tracebacks show it
    made = ModuleType(module.__name__)
    exec(compile(text, file, "exec"), vars(made))
    return SimpleNamespace(**vars(made))
