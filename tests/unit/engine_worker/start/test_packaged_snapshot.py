"""The snapshot that a wheel contains is used as long as it was made of the installed sources."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rt_supervisor import _native
from rt_supervisor.engine_worker.start import bundle

START = """
import subprocess, sys
from rt_supervisor.engine_worker.start import bundle
started = []
popen = subprocess.Popen
def note(*args, **options):
    started.append(args)
    return popen(*args, **options)
subprocess.Popen = note
bundle.PACKAGED_SNAPSHOT = sys.argv[1]
engine = bundle.make_engine(lambda name: print)
print(engine.run("typeof __rt"), len(started))
"""


@pytest.fixture(scope="module")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("package") / "library.snapshot"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "PACKAGED_SNAPSHOT", str(path))
        bundle.write_packaged_snapshot()
    return path


@pytest.fixture
def sources(tmp_path: Path) -> tuple[Path, Path]:
    """Copies of the JavaScript library and of the names of operations; times of files differ from the installed ones."""
    folder, names = tmp_path / "js", tmp_path / "names.py"
    shutil.copytree(bundle.JS_FOLDER, folder, copy_function=shutil.copyfile)
    shutil.copyfile(bundle.OPERATION_NAMES, names)
    return folder, names


def is_current(data: bytes, sources: tuple[Path, Path]) -> bool:
    folder, names = sources
    return _native.snapshot_is_current(data, str(folder), str(names))


def start(snapshot: Path, cache: Path) -> str:
    command = [sys.executable, "-c", START, str(snapshot)]
    environment = {"XDG_CACHE_HOME": str(cache), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.mark.parametrize("cache", ["writable", "unusable"])
def test_a_first_start_needs_no_other_process(cache: str, packaged: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache" if cache == "writable" else Path("/dev/null")
    assert start(packaged, folder) == "object 0\n"
    assert len(list(folder.glob("rt/v8/*/*.snapshot"))) == (1 if cache == "writable" else 0)


@pytest.mark.parametrize("state", ["missing", "damaged", "of another build"])
def test_a_start_makes_its_own_if_it_is(state: str, packaged: Path, tmp_path: Path) -> None:
    other = tmp_path / "library.snapshot"
    data = bytearray(packaged.read_bytes())
    if state != "missing":
        data[8 if state == "of another build" else -1] ^= 1
        other.write_bytes(data)
    assert start(other, tmp_path / "cache") == "object 2\n"  # one makes it, one tries it


def test_it_depends_on_contents_rather_than_times(packaged: Path, sources: tuple[Path, Path]) -> None:
    data = packaged.read_bytes()
    assert is_current(data, sources)
    unused = sources[0] / "node" / "zlib.js"
    candidates = [unused] if unused.exists() else sorted(sources[0].glob("node/zlib/*.js"))
    candidates[0].write_text("throw new Error('not in the snapshot')", encoding="utf-8")
    assert is_current(data, sources)


@pytest.mark.parametrize("change", ["a source", "a missing source", "the names of operations"])
def test_it_is_outdated_by(change: str, packaged: Path, sources: tuple[Path, Path]) -> None:
    folder, names = sources
    runtime = folder / "boot" / "runtime.js"
    match change:
        case "a source":
            runtime.write_bytes(runtime.read_bytes() + b"\n")
        case "a missing source":
            runtime.unlink()
        case _:
            names.write_bytes(names.read_bytes() + b"\n")
    assert not is_current(packaged.read_bytes(), sources)


def test_the_snapshot_of_other_scripts_is_never_current() -> None:
    code = "from rt_supervisor import _native; from rt_supervisor.engine_worker.start import library, bundle; library.start()\n"
    code += "data = _native.build_snapshot([('a.js', '1')])\n"
    code += "print(_native.snapshot_is_current(data, bundle.JS_FOLDER, bundle.OPERATION_NAMES))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False\n"
