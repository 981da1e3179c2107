"""Results of traced tasks while rt is killed, the disk is full, the store is on another file system, or two runs use it at once."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from random_workspaces import tree
from rig import executable, wait_until

if TYPE_CHECKING:
    from rig import Box

FILES = 150
BUILD = f"mkdir -p dist/sub; for i in $(seq {FILES}); do cat src.txt > dist/sub/$i; done"


def write(folder: Path, text: str = "one\n") -> None:
    folder.mkdir(exist_ok=True)
    (folder / "package.json").write_text(f'{{"name": "app", "scripts": {{"build": "{BUILD}"}}}}')
    (folder / "src.txt").write_text(text)


def expected(text: str) -> dict[str, str]:
    return {f"dist/sub/{number}": text for number in range(1, FILES + 1)}


def outputs(folder: Path) -> dict[str, str]:
    """Return the files below `dist`, also hidden ones."""
    files = (path for path in (folder / "dist").rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in files}


def run(box: Box) -> bool:
    """Run the script. Return whether its result came from the cache."""
    result = box.run("run", "--cache", "build")
    assert (result.returncode, result.stderr) == (0, b""), result
    return b": cached, saved " in result.stdout


def count(folder: Path, pattern: str) -> int:
    return len(list(folder.glob(pattern)))


def kill_when(box: Box, folder: Path, pattern: str, number: int) -> None:
    """Start a run, and kill rt as soon as at least `number` paths match."""
    process = box.start("run", "--cache", "build")
    wait_until(lambda: count(folder, pattern) >= number or process.poll() is not None, pattern)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    box.await_nothing_left()


@pytest.mark.parametrize("lines", [1, 5000], ids=["small", "large"])  # in the entry, or in a file of its own
def test_kill_9_while_a_result_is_stored(box: Box, lines: int) -> None:
    """Whatever is in the store then, the next runs leave the files of a build."""
    texts = ("one\n" * lines, "two\n" * lines)
    for number, text in enumerate(texts):
        write(box.folder, text)
        each = 2 if lines == 1 else 3
        kill_when(box, box.cache, "rt/tasks/*/*/*", 1 + each * number)  # what is stored first; then a file or an entry
        run(box)
        assert outputs(box.folder) == expected(text)
    assert run(box)
    write(box.folder, texts[0])
    run(box)
    assert outputs(box.folder) == expected(texts[0])


@pytest.mark.parametrize("number", [1, FILES // 2])
def test_kill_9_while_a_result_is_restored(box: Box, number: int) -> None:
    """The next run completes it, and removes the drafts of files that the killed run has left."""
    write(box.folder)
    run(box)
    write(box.folder, "two\n")
    run(box)
    write(box.folder)
    shutil.rmtree(box.folder / "dist")
    kill_when(box, box.folder, "dist/sub/*", number)
    run(box)
    assert outputs(box.folder) == expected("one\n")
    write(box.folder, "two\n")
    run(box)
    assert outputs(box.folder) == expected("two\n")


def in_mounted_cache(box: Box, size: str, text: str) -> tuple[str, str]:
    """Run lines of sh with rt's cache in a file system of its own, and return what they print. Skips where mounting is forbidden."""
    box.cache.mkdir(parents=True, exist_ok=True)
    mount = f"mount -t tmpfs -o mode=700,size={size} none {box.cache} || exit 99\n"
    result = box.run("-rm", "sh", "-ec", mount + text, executable=shutil.which("unshare"))
    if result.returncode in (1, 99):
        pytest.skip(f"cannot mount: {result.stderr.decode()}")
    assert result.returncode == 0, result
    return result.stdout.decode(), result.stderr.decode()


def test_a_store_on_another_file_system(box: Box) -> None:
    write(box.folder)
    printed, _ = in_mounted_cache(
        box, "64m", f"{executable()} run --cache build; rm -r dist; {executable()} run --cache build"
    )
    assert printed.count(": cached, saved ") == 1
    assert outputs(box.folder) == expected("one\n")


def test_a_full_disk(box: Box) -> None:
    """The runs succeed, say what is missing, and restore nothing that is not complete."""
    write(box.folder)
    (box.folder / "random").write_bytes(os.urandom(600_000))
    (box.folder / "package.json").write_text('{"name": "app", "scripts": {"build": "cp random out; cp src.txt small"}}')
    twice = f"{executable()} run --cache build; rm out small; {executable()} run --cache build"
    printed, errors = in_mounted_cache(box, "400k", twice)
    assert ": cached, saved " not in printed
    assert errors.count(" its result is not stored: No space left on device: ") == 2
    assert (box.folder / "out").read_bytes() == (box.folder / "random").read_bytes()


def test_two_runs_on_one_store(box: Box) -> None:
    """Both scripts run at the same time, in two copies of the workspace that have the same key."""
    folders = [box.folder / "first", box.folder / "second"]
    meet = "touch $XDG_CACHE_HOME/${PWD##*/}; until [ -e $XDG_CACHE_HOME/first -a -e $XDG_CACHE_HOME/second ]; do :; done; "
    for folder in folders:
        write(folder)
        text = (folder / "package.json").read_text().replace("mkdir", meet + "mkdir")
        (folder / "package.json").write_text(text)
    for is_cached in (False, True):
        started = [box.start("run", "--cache", "build", cwd=folder) for folder in folders]
        printed = [process.communicate() for process in started]
        assert [process.returncode for process in started] == [0, 0], printed
        assert [b": cached, saved " in out for out, _ in printed] == [is_cached, is_cached], printed
        assert tree(folders[0] / "dist") == tree(folders[1] / "dist")
        assert outputs(folders[0]) == expected("one\n")
        for folder in folders:
            shutil.rmtree(folder / "dist")
