"""The archive of Spark's classes: who makes it, what the JVM is told, and when it has its name."""

import subprocess
from pathlib import Path

import pytest

from swagproof.oracle.engines.jvm import Jvm, home_for
from swagproof.oracle.trace import InputError
from swagproof.pipeline.archive import FOLDER, Archive, find_archive, find_class_paths

DUMPS = '#!/bin/sh\nfor a do case "$a" in -XX:SharedArchiveFile=*) echo kept > "${a#*=}" ;; esac; done\n'
FAILS = "#!/bin/sh\necho no shared spaces here\nexit 1\n"


def make_java(folder: Path, script: str) -> Jvm:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(script, encoding="utf-8")
    java.chmod(0o755)
    return Jvm(folder, 21, True, "PATH")


def test_an_archive_stands_on_one_of_javas_own_and_has_its_name_once_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jvm = make_java(tmp_path / "java", DUMPS)
    monkeypatch.delenv(FOLDER, raising=False)
    assert find_archive(jvm) is None
    monkeypatch.setenv(FOLDER, str(tmp_path / "kept"))
    archive = find_archive(jvm)
    assert archive is not None
    first, second = archive.find_options().split()
    base, new = (Path(option.partition("=")[2]) for option in (first, second))
    assert (base.read_text(), second.partition("=")[0]) == ("kept\n", "-XX:ArchiveClassesAtExit")
    archive.keep()  # of a JVM that was killed
    assert not archive.is_there
    new.write_text("whole", encoding="utf-8")
    archive.keep()
    assert archive.find_options() == f"-XX:SharedArchiveFile={archive.file}"
    assert archive.file.read_text() == "whole"
    assert find_archive(Jvm(jvm.home, 25, True, "PATH")) != archive, "another Java has another"


def test_a_java_with_classes_of_its_own_kept_needs_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jvm = make_java(tmp_path / "java", FAILS)
    monkeypatch.setenv(FOLDER, str(tmp_path / "kept"))
    archive = find_archive(jvm)
    assert archive is not None
    with pytest.raises(InputError, match="makes no archive: no shared spaces here"):
        archive.find_options()
    own = jvm.home / "lib" / "server" / "classes.jsa"
    own.parent.mkdir(parents=True)
    own.touch()
    assert archive.find_options().startswith("-XX:ArchiveClassesAtExit=")
    spaced = Archive(jvm, tmp_path / "a b" / "kept.jsa")
    assert spaced.find_options().startswith('"-XX:ArchiveClassesAtExit=')


def test_the_class_path_is_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPARK_HOME", "SPARK_CONF_DIR"):
        monkeypatch.delenv(name, raising=False)
    paths = find_class_paths()
    jvm = make_java(tmp_path / "java", '#!/bin/sh\nfor a do echo "[$a]"; done\n')
    for of, to in paths.items():
        java = home_for(jvm, tmp_path / str(len(of)), paths) / "bin" / "java"
        told = subprocess.run([java, "-cp", of, f"{of}:more"], capture_output=True, text=True, check=True)
        assert told.stdout.splitlines() == ["[-cp]", f"[{to}]", f"[{of}:more]"]
    assert len(paths) == 2
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert find_class_paths() == {}
