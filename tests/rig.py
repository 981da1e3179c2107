"""Shared parts of tests with real processes: a folder to work in, rt as a process, marks on the processes it starts.

Children of a test carry a mark in their environment, so that leftover processes are found on the whole machine, not
only in a process tree that may have broken apart. Tests wait for files that children create, never for time to pass.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trees import write_tree

MARK = "RT_TEST_MARK"
# Additional scripts of a run, which decide whether its guardian has a zygote: a JavaScript program requires one.
GUARDIANS = {"alone": (), "zygote": ("ends.js",)}
PATIENCE_S = 30.0  # how long a test waits for something that must happen; not a limit on how long it may take


def executable() -> str:
    """Return the path of the rt under test: that of RT_TEST_EXECUTABLE, or the one beside this interpreter."""
    found = Path(os.environ.get("RT_TEST_EXECUTABLE") or Path(sys.executable).parent / "rt")
    assert found.exists(), f"{found} is missing: install the project first (scripts/test does)"
    return str(found)


def script() -> str:
    """Return the path of the Python script that runs rt without its launcher."""
    found = Path(executable()).parent / "rt-plain"
    return str(found) if found.exists() else executable()


class V8Files:
    """The files that rt creates from V8's library at its first start (85 MB), made once for a test run and shared by
    its boxes.
    """

    def __init__(self, place: Path) -> None:
        self._place = place

    def put(self, cache: Path, *, as_copies: bool = False) -> None:
        """Add these files to the folder `cache`. Large files are hard-linked, so tests must not write to them, except
        `as_copies`.
        """
        if not self._place.exists():
            self._make()
        copy = shutil.copy2 if as_copies else _link_or_copy
        shutil.copytree(self._place / "rt/v8", cache / "rt/v8", copy_function=copy)
        shutil.copystat(self._place / "rt", cache / "rt")

    def _make(self) -> None:
        draft = self._place.with_name(f"{self._place.name}-{os.getpid()}")
        environment = os.environ | {"XDG_CACHE_HOME": str(draft)}
        subprocess.run([executable(), "-e", ""], env=environment, check=True, cwd="/", stdin=subprocess.DEVNULL)
        with contextlib.suppress(OSError):  # another process of this test run was faster
            draft.rename(self._place)
        shutil.rmtree(draft, ignore_errors=True)


def _link_or_copy(source: str, target: str) -> None:
    if source.endswith((".so", ".dat")):
        with contextlib.suppress(OSError):  # the boxes may be on another file system
            os.link(source, target)
            return
    shutil.copy2(source, target)


class Box:
    """A folder with files, and rt started in it."""

    v8_files: V8Files | None = None

    def __init__(self, folder: Path, *, first_start: bool = False) -> None:
        """With `first_start`, rt starts as after an installation: its cache is empty."""
        self.folder = folder
        self.mark = f"{os.getpid()}-{folder.name}-{time.monotonic_ns()}"
        self.started: list[subprocess.Popen[bytes]] = []
        self.cache = folder.parent / f"{folder.name}-cache"
        if self.v8_files is not None and not first_start:
            self.v8_files.put(self.cache)

    def write(self, files: dict[str, Any]) -> None:
        """Write `files` (text, bytes, or a value that is written as JSON) below the folder."""
        write_tree(self.folder, files)
        for name in files:
            if name.endswith(".sh") or "/.bin/" in name:
                (self.folder / name).chmod(0o755)

    def scripts(self, **scripts: str) -> None:
        """Write a package.json with `scripts`; two underscores in a name stand for a colon."""
        named = {name.replace("__", ":"): command for name, command in scripts.items()}
        self.write({"ends.js": "", "package.json": {"name": "app", "version": "1.0.0", "scripts": named}})

    def environment(self, **changes: str) -> dict[str, str]:
        path = f"{Path(executable()).parent}:{os.environ['PATH']}"
        base = {
            "PATH": path,
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "SHLVL": "1",
            "RT_NO_INSTALL": "1",
            "NO_TUI": "1",
        }
        return base | {"XDG_CACHE_HOME": str(self.cache), MARK: self.mark} | changes

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
        """Start rt with `arguments` in a new session, with its output in pipes unless `options` say otherwise. `prefix` is a command that
        executes rt.
        """
        prefix = options.pop("prefix", ())
        settings: dict[str, Any] = {
            "cwd": self.folder,
            "env": self.environment(**options.pop("environment", {})),
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "start_new_session": True,
        }
        process = subprocess.Popen([*prefix, executable(), *arguments], **(settings | options))
        self.started.append(process)
        return process

    def run(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
        """Run rt to its end."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=PATIENCE_S * 4)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def in_bash(
        self, text: str, *, bound_s: int = 60, environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a line of bash in which `$RT` is rt; kill it if it takes longer than `bound_s`."""
        return subprocess.run(
            ["timeout", "-k", "1", str(bound_s), "bash", "-c", text],
            cwd=self.folder,
            env=self.environment(RT=executable(), **(environment or {})),
            capture_output=True,
        )

    def await_file(self, name: str, count: int = 1) -> None:
        """Wait until `count` files match the pattern `name`."""
        wait_until(lambda: len(list(self.folder.glob(name))) >= count, f"{count} x {name}")

    def left(self) -> list[str]:
        """Return the command lines of this box's live processes, including rt's own."""
        found = []
        for pid in self._marked():
            entry = Path("/proc", str(pid))
            with contextlib.suppress(OSError):
                if not is_zombie(entry):
                    found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        return found

    def _marked(self) -> Iterator[int]:
        """Yield the processes with this box's mark. Every test looks at every process of the machine: without `pathlib`, which
        takes twice as long as the kernel.
        """
        wanted = f"\0{MARK}={self.mark}\0".encode()
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                with open(f"/proc/{name}/environ", "rb", buffering=0) as file:
                    if wanted in b"\0" + file.readall() + b"\0":
                        yield int(name)
            except OSError:
                continue

    def await_nothing_left(self, within_s: float = PATIENCE_S) -> None:
        """Wait until no process of this box is alive."""
        wait_until(lambda: not self.left(), lambda: f"nothing left, but there is {self.left()}", within_s)

    def close(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
        for pid in self._marked():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.cache, ignore_errors=True)


def children_of(pid: int) -> set[int]:
    """Return the children of a process with one thread, including zombies."""
    return {int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def is_zombie(entry: Path) -> bool:
    return (entry / "stat").read_bytes().rpartition(b")")[2].split()[0] in (b"Z", b"X")


def wait_until(condition: Any, what: Any, within_s: float = PATIENCE_S) -> None:
    """Wait until another process has made a condition true."""
    end = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {within_s} s: {what() if callable(what) else what}")
        time.sleep(0.002)
