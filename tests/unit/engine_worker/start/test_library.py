"""Finding V8, and its prepared copy: made once, used only if it is valid, and never an obstacle."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rt_supervisor import _native
from rt_supervisor.engine_worker.start import library, preparation
from rt_supervisor.vocabulary.errors import Failed

RUN = """
import os, sys
from rt_supervisor.engine_worker.start import library
library.start()
from rt_supervisor import _native
engine = _native.Engine(library.snapshot(1, lambda: _native.build_snapshot([("b.js", "globalThis.answer = 42")])))
german = engine.run("new Intl.NumberFormat('de').format(1234.5) + new Date(0).getFullYear()")
maps = open("/proc/self/maps").read()
print(engine.run("answer"), german, sys.argv[1] in maps, "ICU_DATA" in subprocess_environment())
"""
HELPER = """
def subprocess_environment():
    import ctypes
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_char_p
    return {"ICU_DATA": 1} if libc.getenv(b"ICU_DATA") else os.environ
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "rt" / "v8"


def run(mapped: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", HELPER + RUN, str(mapped)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""
    return done.stdout.strip()


def folder_in(cache: Path) -> Path:
    [folder] = cache.iterdir()
    return folder


def test_the_first_start_prepares_and_the_next_one_uses_it(cache: Path) -> None:
    assert run(cache) == "42 1.234,51970 True False"
    folder = folder_in(cache)
    names = sorted(path.name for path in folder.iterdir())
    assert [name for name in names if not name.endswith(".snapshot")] == ["icudt77l.dat", "libmini_racer.so"]
    assert len(names) == 3
    before = {path.name: path.stat() for path in folder.iterdir()}
    assert run(cache) == "42 1.234,51970 True False"
    assert {path.name: path.stat() for path in folder.iterdir()} == before


@pytest.mark.parametrize("damage", ["truncated", "another time", "writable by others", "a link", "no data"])
def test_an_invalid_copy_is_recreated(cache: Path, damage: str, tmp_path: Path) -> None:
    run(cache)
    copy = folder_in(cache) / library.LIBRARY
    match damage:
        case "truncated":
            times = copy.stat()
            os.truncate(copy, 1000)
            os.utime(copy, ns=(times.st_mtime_ns, times.st_mtime_ns))
        case "another time":
            os.utime(copy)
        case "writable by others":
            copy.chmod(0o777)
        case "a link":
            copy.rename(tmp_path / "elsewhere")
            copy.symlink_to(tmp_path / "elsewhere")
        case "no data":
            (folder_in(cache) / library.MAPPED_ICU_DATA).unlink()
    assert run(cache) == "42 1.234,51970 True False"
    assert copy.stat().st_mode & 0o777 == 0o700
    assert not copy.is_symlink()


@pytest.mark.parametrize("home", ["/proc/none", "/dev/null"])
def test_an_unusable_cache_is_silent(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", home)
    assert run(Path(library.find())) == "42 1.234,51970 True False"


def test_a_copy_that_cannot_be_loaded_falls_back(cache: Path) -> None:
    run(cache)
    copy = folder_in(cache) / library.LIBRARY
    times = copy.stat()
    with copy.open("r+b") as file:
        file.write(b"garbage!")
    os.utime(copy, ns=(times.st_mtime_ns, times.st_mtime_ns))
    assert run(Path(library.find())) == "42 1.234,51970 True False"


def test_many_first_starts_at_once(cache: Path) -> None:
    command = [sys.executable, "-c", HELPER + RUN, str(cache)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(6)]
    for process in runs:
        out, err = process.communicate(timeout=60)
        assert (out.split()[:2], err) == (["42", "1.234,51970"], "")
    assert not [path for path in folder_in(cache).iterdir() if "draft" in path.name or path.name == "making"]


def test_another_process_that_prepares_is_not_waited_for(cache: Path) -> None:
    run(cache)
    folder = folder_in(cache)
    (folder / library.LIBRARY).unlink()
    with (folder / "making").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert library.prepared(library.find()) is None
    assert library.prepared(library.find()) == str(folder)  # a lock whose process no longer exists


def test_old_folders_are_forgotten(cache: Path) -> None:
    for index in range(5):
        old = cache / f"old{index}"
        old.mkdir(parents=True)
        (old / library.LIBRARY).touch()
        os.utime(old, (index, index))
    folder = library.prepared(library.find())
    assert folder
    assert sorted(path.name for path in cache.iterdir()) == sorted([os.path.basename(folder), "old3", "old4"])


def test_environments_with_the_same_wheel_share_a_folder(cache: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for name in (library.LIBRARY, library.WHEEL_ICU_DATA):
        os.symlink(os.path.join(library.find(), name), other / name)
    assert library.prepared(str(other)) == library.prepared(library.find()) == str(folder_in(cache))


def test_a_missing_wheel_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["/nowhere"])
    with pytest.raises(Failed, match=r"pip install mini-racer==0\.14\.1"):
        library.find()


def test_another_library_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; from rt_supervisor import _native; _native.v8_start(sys.argv[1])"
    for name in (_native.__file__, str(tmp_path / "missing.so")):
        done = subprocess.run([sys.executable, "-c", code, name], capture_output=True, text=True, timeout=60)
        assert "EngineUnavailable" in done.stderr
        assert f"install mini-racer==0.14.1, whose V8 is {_native.v8_version()}" in done.stderr


def test_old_snapshots_are_forgotten(cache: Path) -> None:
    folder = library.prepared(library.find())
    assert folder is not None
    for index in range(preparation.KEPT_SNAPSHOTS + 2):
        path = Path(_native.snapshot_path(folder, index))
        assert preparation.put(str(path), b"")
        os.utime(path, (index, index))
    kept = {path.stat().st_mtime for path in folder_in(cache).glob("*.snapshot")}
    assert kept == {index + 2 for index in range(preparation.KEPT_SNAPSHOTS)}


def test_snapshots_are_cached_by_key(cache: Path) -> None:
    built: list[bytes] = []

    def build() -> bytes:
        built.append(b"x")
        return b"snapshot %d" % len(built)

    first = library.snapshot(1, build)
    assert isinstance(first, str)
    assert library.snapshot(1, build) == first
    assert Path(first).read_bytes() == b"snapshot 1"
    assert library.snapshot(2, build) != first
    assert library.snapshot(1, build, renew=True) == b"snapshot 3"
    assert Path(first).read_bytes() == b"snapshot 3"


def test_broken_libraries_are_refused(tmp_path: Path) -> None:
    whole = Path(library.find(), library.LIBRARY).read_bytes()[:4096]
    for data in (b"", b"\x7fELF", whole, whole[:64], b"x" * 100, whole[:0x20] + b"\xff" * 8 + whole[0x28:]):
        (tmp_path / "broken.so").write_bytes(data)
        with pytest.raises(OSError, match="not a shared library that can be prepared"):
            _native.prelink(str(tmp_path / "broken.so"), str(tmp_path / "out.so"), mtime_ns=0)
        assert not (tmp_path / "out.so").exists()


ENDED = """
import sys, threading
from rt_supervisor import _native
from rt_supervisor.engine_worker.start import library
library.start(library.PROGRAM_FLAGS, threads=library.PROGRAM_THREADS)
engine = _native.Engine(heap_limit_bytes=64 << 20)
try:
    engine.run("const all = []; for (;;) all.push(new Array(1000).fill(1.5))")
except _native.JsHeapLimit:
    print("heap limit")
threading.Timer(0.5, engine.terminate).start()
try:
    engine.run("let x; for (;;) x = new Array(1000)")
except _native.JsTerminated:
    print("terminated")
"""


def test_as_programs_start_it_loops_can_be_ended() -> None:
    """Even if another thread compiles the code that runs."""
    done = subprocess.run([sys.executable, "-c", ENDED], capture_output=True, text=True, timeout=120)
    assert done.stdout.split("\n") == ["heap limit", "terminated", ""], done.stderr
