"""The archive of Spark's classes: who makes it, what the JVM is told, and when it has its name."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from swagproof.oracle.engines.jvm import Jvm, home_for
from swagproof.oracle.trace import InputError
from swagproof.pipeline.archive import FOLDER, OFF, PATIENCE, Archive, find_archive, find_class_paths

DUMPS = """#!/bin/sh
for a do case "$a" in -XX:SharedArchiveFile=*) echo kept > "${a#*=}" ;; esac; done
case "$3" in dynamic_dump) echo whole > "$4" ;; esac
"""
FAILS = "#!/bin/sh\necho no shared spaces here\nexit 1\n"


def make_java(folder: Path, script: str) -> Jvm:
    for name in ("java", "jcmd"):
        java = folder / "bin" / name
        java.parent.mkdir(parents=True, exist_ok=True)
        java.write_text(script, encoding="utf-8")
        java.chmod(0o755)
    return Jvm(folder, 21, True, "PATH")


def find(jvm: Jvm) -> Archive:
    archive = find_archive(jvm)
    assert archive is not None
    return archive


def test_the_first_start_in_a_folder_that_is_named_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jvm = make_java(tmp_path / "java", DUMPS)
    monkeypatch.setenv(FOLDER, OFF)
    assert find_archive(jvm) is None
    monkeypatch.setenv(FOLDER, str(tmp_path / "kept"))
    archive = find(jvm)
    options, writing = archive.prepare()
    first, second = options.split()
    assert (Path(first.partition("=")[2]).read_text(), second, writing) == (
        "kept\n",
        "-XX:+RecordDynamicDumpInfo",
        True,
    )
    assert not archive.file.exists()
    archive.write(7)
    assert archive.file.read_text() == "whole\n"
    assert archive.prepare() == (f"-XX:SharedArchiveFile={archive.file}", False)
    assert find(Jvm(jvm.home, 25, True, "PATH")) != archive, "another Java has another"


def test_of_a_users_starts_the_second_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "cache")
    jvm = make_java(tmp_path / "java", DUMPS)
    assert find(jvm).prepare() == ("", False)
    assert find(jvm).prepare()[1]
    unable = make_java(tmp_path / "unable", FAILS)
    for _ in range(3):
        assert find(unable).prepare() == ("", False)
    (tmp_path / "file").touch()
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "file")
    assert find_archive(jvm) is None


def test_what_a_killed_driver_left_goes_and_so_do_old_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jvm = make_java(tmp_path / "java", DUMPS)
    monkeypatch.setenv(FOLDER, str(tmp_path))
    now = time.time()
    ages = {"spark-0.1.new": 2 * PATIENCE, "spark-0.2.new": 1, "spark-1.jsa": 9, "spark-1.base": 9, "spark-2.jsa": 5}
    for name, age in ages.items():
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (now - age, now - age))
    archive = find(jvm)
    archive.prepare()
    archive.write(7)
    left = {file.name for file in tmp_path.glob("spark-*")}
    assert left == {"spark-0.2.new", "spark-2.jsa", archive.file.name, archive.file.with_suffix(".base").name}


def test_a_java_that_cannot_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jvm = make_java(tmp_path / "java", DUMPS)
    (jvm.home / "bin" / "java").write_text(FAILS, encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(tmp_path / "kept"))
    archive = find(jvm)
    with pytest.raises(InputError, match=r"no archive can be made: .*no shared spaces here"):
        archive.prepare()
    own = jvm.home / "lib" / "server" / "classes.jsa"
    own.parent.mkdir(parents=True)
    own.touch()
    assert archive.prepare() == ("-XX:+RecordDynamicDumpInfo", True)
    (jvm.home / "bin" / "jcmd").write_text(FAILS, encoding="utf-8")
    with pytest.raises(InputError, match="jcmd: no shared spaces here"):
        archive.prepare()
    archive.write(7)
    assert not list(archive.file.parent.glob("spark-*"))
    spaced = Archive(jvm, tmp_path / "a b.jsa", True)
    spaced.file.touch()
    assert spaced.prepare()[0].startswith('"-XX:SharedArchiveFile=')


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
