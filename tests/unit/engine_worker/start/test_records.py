"""The record of a snapshot's source files: a start reads only these, and never uses the snapshot of other files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rt_supervisor import _native
from rt_supervisor.engine_worker.start import bundle

# Creates the snapshot of a source folder, like a start that finds none.
MAKE = """
import sys
from rt_supervisor.engine_worker.start import bundle
bundle.JS_FOLDER, bundle.OPERATION_NAMES = sys.argv[1:]
print(bundle._cached_snapshot())
"""
# Starts V8 ahead, as the launcher does, and prints the snapshot that was used.
AHEAD = """
import os, sys
from rt_supervisor import _native
from rt_supervisor.engine_worker.start import library
folder = library.ready_folder()
_native.v8_start_ahead(
    os.path.join(folder, library.LIBRARY), folder, library.PROGRAM_FLAGS, library.PROGRAM_THREADS,
    sources=sys.argv[1], names=sys.argv[2], heap_limit_bytes=library.heap_limit_bytes(),
)
print(_native.v8_wait_ahead())
"""
IN_SNAPSHOT = "internal/timers.js"
ELSEWHERE = "node/repl/server.js"


class Library:
    """A copy of rt's JavaScript, with a separate cache."""

    def __init__(self, folder: Path) -> None:
        self.js = folder / "js"
        self.names = folder / "names.py"
        self.cache = folder / "cache"
        shutil.copytree(bundle.JS_FOLDER, self.js)
        shutil.copy(bundle.OPERATION_NAMES, self.names)

    def run(self, code: str) -> str:
        environment = os.environ | {"XDG_CACHE_HOME": str(self.cache)}
        command = [sys.executable, "-c", code, str(self.js), str(self.names)]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=120
        ).stdout.strip()

    @property
    def stamp(self) -> int:
        return _native.stamp(str(self.js), str(self.names))

    @property
    def record(self) -> Path:
        [record] = self.cache.glob("rt/v8/*/*.parts")
        return record


@contextmanager
def changed_file(path: Path) -> Iterator[None]:
    """Change a file temporarily."""
    whole, about = path.read_bytes(), path.stat()
    path.write_bytes(whole + b"\n")
    yield
    path.write_bytes(whole)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> tuple[Library, str]:
    made = Library(tmp_path_factory.mktemp("library"))
    return made, made.run(MAKE)


@pytest.fixture
def made(source: tuple[Library, str]) -> tuple[Library, str]:
    library, snapshot = source
    assert library.run(AHEAD) == snapshot
    return source


def test_it_names_the_files_in_the_snapshot_and_the_folders(made: tuple[Library, str]) -> None:
    library, _ = made
    names = library.record.read_text().splitlines()[2:]
    assert {"boot/bootstrap.js", "boot/runtime.js", IN_SNAPSHOT, ".", "node", "node/fs"} <= set(names)
    assert ELSEWHERE not in names
    assert len(names) == len(set(names)) < len(bundle.module_names()) / 2


def test_a_file_outside_of_the_snapshot_may_change(made: tuple[Library, str]) -> None:
    library, snapshot = made
    before = library.stamp
    with changed_file(library.js / ELSEWHERE):
        assert library.stamp != before
        assert library.run(AHEAD) == snapshot
    assert library.stamp == before


@pytest.mark.parametrize("name", [f"js/{IN_SNAPSHOT}", "js/boot/bootstrap.js", "names.py"])
def test_a_file_of_the_snapshot_may_not(made: tuple[Library, str], name: str) -> None:
    library, snapshot = made
    with changed_file(library.js.parent / name):
        assert library.run(AHEAD) == "None"
    assert library.run(AHEAD) == snapshot


def test_no_file_may_come_or_go(made: tuple[Library, str]) -> None:
    library, _ = made
    (library.js / "node/fs/another.js").write_text("")
    assert library.run(AHEAD) == "None"
    (library.js / "node/fs/another.js").unlink()


@pytest.mark.parametrize("text", ["", "\n\n", f"{'0' * 16}\n{'0' * 16}\n", "x\ny\n.\n"])
def test_a_record_that_differs_is_not_used(made: tuple[Library, str], text: str) -> None:
    library, snapshot = made
    library.record.write_text(text)
    assert library.run(AHEAD) == snapshot
    assert IN_SNAPSHOT in library.record.read_text()


def test_a_cache_that_others_may_write_is_not_used(made: tuple[Library, str]) -> None:
    library, snapshot = made
    library.record.chmod(0o666)
    assert library.run(AHEAD) == snapshot
    assert library.record.stat().st_mode & 0o777 == 0o600
