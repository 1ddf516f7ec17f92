"""The code of this package that this process has loaded, module by module.

Python does not say what it runs.  It takes what it compiled earlier for a module's source where that has the same size
and was written in the same second, and keeps neither; and a file may be written after it was read.  So whoever has to
know what ran notes it as it is loaded, from the first module of the proofs on.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

PACKAGE: Final = __name__.partition(".")[0]

_loaded: Final[dict[str, CodeType]] = {}


class _Noting(SourceFileLoader):
    """Loads a module as Python does, and notes the code."""

    def exec_module(self, module: ModuleType) -> None:
        code = self.get_code(module.__name__)
        assert code is not None  # as there is a source
        _loaded[module.__name__] = code
        exec(code, module.__dict__)


class _Finder:
    """Finds the modules of this package as Python does."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name.startswith(f"{PACKAGE}.") else None
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Noting(spec.loader.name, spec.loader.path)
        return spec


def note_what_is_loaded() -> None:
    """Note the code of each module of the package that is loaded from now on."""
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)


def is_loaded(module: str) -> bool:
    """Whether the code of this module was noted."""
    return module in _loaded


def find_code(module: str, file: Path) -> CodeType | None:
    """The code that was loaded for a module; where none was noted, what Python would load now."""
    return _loaded.get(module) or SourceFileLoader(module, str(file)).get_code(module)
