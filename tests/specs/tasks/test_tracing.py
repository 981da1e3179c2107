"""The tracer: random programs in C, Python and bash are traced, and the trace is compared with what they did; and what fails closed.

`RT_TEST_TRACED_PROGRAMS` sets the number of programs, `RT_TEST_SEED` the first one.
"""

from __future__ import annotations

import os
import random
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from rig import executable

from rt_supervisor.tasks.traces import (
    ATTRIBUTES_SET,
    EXAMINED,
    LISTED,
    LOOKED_UP,
    OPENED_TO_CHANGE,
    READ,
    TRACER,
    WRITTEN,
    Trace,
    read_trace,
)

PROGRAMS = int(os.environ.get("RT_TEST_TRACED_PROGRAMS", "200"))
SEED = int(os.environ.get("RT_TEST_SEED", "1"))
OPERATIONS = 14
MOST_LINKS = 40  # as in the kernel
PATHS = ["a", "b", "c", "d", "d/a", "d/b", "e", "e/a", "none/a", "l", "d/../b", "./c"]
USES = READ | LOOKED_UP | LISTED | OPENED_TO_CHANGE | WRITTEN | EXAMINED | ATTRIBUTES_SET

IN_PYTHON = """
import os, sys
words = sys.argv[1:]
def open_and(path, mode, act):
    try:
        with open(path, mode) as file: act(file)
    except OSError: pass
def attempt(act, *paths):
    try: act(*paths)
    except OSError: pass
def listed(path):
    with os.scandir(path) as entries: list(entries)
while words:
    operation, first, *rest = words
    words = rest
    match operation:
        case 'r': open_and(first, 'rb', lambda file: file.read())
        case 's': attempt(os.stat, first)
        case 'a': os.access(first, os.F_OK)
        case 'k': attempt(os.readlink, first)
        case 'l': attempt(listed, first)
        case 'w': open_and(first, 'wb', lambda file: file.write(b'x'))
        case 'e': open_and(first, 'ab', lambda file: file.write(b'x'))
        case 'u': attempt(os.unlink, first)
        case 'd': attempt(os.mkdir, first)
        case 'n': attempt(os.rename, first, words.pop(0))
        case 'y': attempt(os.symlink, first, words.pop(0))
        case 'h': attempt(os.link, first, words.pop(0))
"""
BASH = {"r": ": < {0}", "w": "echo x > {0}", "e": "echo x >> {0}", "d": "[ -d none ] && mkdir {0}", "s": "[ -e {0} ]"}


class Model:
    """A folder with files, and the uses that operations on it make. Paths are relative to the folder."""

    def __init__(self) -> None:
        self.kinds = {"": "folder", "a": "file", "b": "file", "d": "folder", "d/a": "file", "l": "link d"}
        self.uses: dict[str, int] = {}
        self.files = {"a": 1, "b": 2, "d/a": 3}  # the file that a path is a name of

    def use(self, path: str, flags: int) -> None:
        known = self.uses.get(path, 0)
        if not known & WRITTEN:
            self.uses[path] = known | flags

    def find(self, path: str, *, follows: bool) -> str | None:
        """Return the path without links, None if a folder on the way is missing, which is then looked up."""
        at = ""
        todo = path.split("/")
        followed = 0
        while todo:
            name = todo.pop(0)
            if name in ("", "."):
                continue
            if name == "..":
                at = at.rpartition("/")[0]
                continue
            at = f"{at}/{name}" if at else name
            kind = self.kinds.get(at, "")
            if kind.startswith("link ") and (todo or follows):
                self.use(at, LOOKED_UP)
                followed += 1
                if followed > MOST_LINKS:
                    return None
                todo = [*kind[5:].split("/"), *todo]
                at = at.rpartition("/")[0]
            elif todo and kind != "folder":
                self.use(at, LOOKED_UP)
                return None
        return at

    def open(self, path: str, *, writes: bool, empties: bool = False) -> None:
        at = self.find(path, follows=True)
        if at is None:
            return
        kind = self.kinds.get(at)
        if writes and kind is None:
            self.use(at, WRITTEN)
            self.kinds[at] = "file"
            self.files[at] = 1 + max(self.files.values(), default=0)
        elif kind != "file":
            self.use(at, LOOKED_UP)
        elif empties:
            self.use(at, WRITTEN)
        else:
            self.use(at, READ | OPENED_TO_CHANGE if writes else READ)

    def look(self, path: str, flags: int, *, follows: bool = True) -> None:
        at = self.find(path, follows=follows)
        if at is not None:
            self.use(at, flags)

    def listing(self, path: str) -> None:
        at = self.find(path, follows=True)
        if at is None:
            return
        self.use(at, LOOKED_UP)
        if self.kinds.get(at) == "folder":
            self.uses[at] = self.uses.get(at, 0) | LISTED

    def make(self, path: str, kind: str) -> None:
        at = self.find(path, follows=False)
        if at is None:
            return
        self.use(at, LOOKED_UP if at in self.kinds else WRITTEN)
        self.kinds.setdefault(at, kind)

    def remove(self, path: str) -> None:
        at = self.find(path, follows=False)
        if at is None:
            return
        self.use(at, WRITTEN if at in self.kinds else LOOKED_UP)
        if self.kinds.get(at) != "folder":
            self.kinds.pop(at, None)
            self.files.pop(at, None)

    def link(self, old: str, new: str) -> None:
        at = self.find(old, follows=False)
        if at is not None:
            self.use(at, READ)
        to = self.find(new, follows=False)
        if to is None:
            return
        self.use(to, LOOKED_UP if to in self.kinds else WRITTEN)
        kind = self.kinds.get(at or "", "folder")
        if at is not None and kind != "folder" and to not in self.kinds:
            self.kinds[to] = kind
            if at in self.files:
                self.files[to] = self.files[at]

    def rename(self, old: str, new: str) -> None:
        start = self.find(old, follows=False)
        to = None if start is None else self.find(new, follows=False)
        if start is None or to is None:
            return
        if start not in self.kinds:
            self.use(start, LOOKED_UP)
            self.use(to, LOOKED_UP)
            return
        below = [path for path in self.kinds if path == start or path.startswith(f"{start}/")]
        for path in below:
            self.use(path, READ)
            self.use(path, WRITTEN)
            self.use(to + path[len(start) :], WRITTEN)
            if self.kinds[path] == "folder":
                self.uses[path] |= LISTED
        if self.may_rename(start, to):
            self.files.pop(to, None)
            for path in below:
                name = to + path[len(start) :]
                self.kinds[name] = self.kinds.pop(path)
                if path in self.files:
                    self.files[name] = self.files.pop(path)

    def may_rename(self, start: str, to: str) -> bool:
        if start == to or to.startswith(f"{start}/"):
            return False
        if start in self.files and self.files[start] == self.files.get(to):
            return False  # names of one file: the kernel leaves both
        kind, other = self.kinds[start], self.kinds.get(to)
        if other is None:
            return True
        is_empty = not any(path.startswith(f"{to}/") for path in self.kinds)
        return (kind == "folder") == (other == "folder") and (other != "folder" or is_empty)

    def perform(self, operation: str, *paths: str) -> None:
        match operation:
            case "r" | "m":
                self.open(paths[0], writes=False)
            case "s":
                self.look(paths[0], EXAMINED)
            case "a":
                self.look(paths[0], LOOKED_UP)
            case "k":
                self.look(paths[0], LOOKED_UP, follows=False)
            case "l":
                self.listing(paths[0])
            case "w":
                self.open(paths[0], writes=True, empties=True)
            case "e":
                self.open(paths[0], writes=True)
            case "u":
                self.remove(paths[0])
            case "d":
                self.make(paths[0], "folder")
            case "x":
                self.execute(paths[0])
            case "n":
                self.rename(*paths)
            case "y":
                self.make(paths[1], f"link {paths[0]}")
            case "h":
                self.link(*paths)

    def execute(self, path: str) -> None:
        self.look(path, READ)


def build_folder(place: Path) -> None:
    (place / "d").mkdir(parents=True)
    for name in ("a", "b", "d/a"):
        (place / name).write_text(name)
    (place / "l").symlink_to("d")


def trace_of(folder: Path, *words: str, status: int = 0) -> Trace:
    """Run a program under the tracer, and return its trace."""
    file = folder.parent / "trace"
    done = subprocess.run([executable(), TRACER, str(file), *words], cwd=folder, capture_output=True, check=False)
    assert done.returncode == status, done
    trace = read_trace(str(file))
    assert trace is not None
    return trace


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of the program that performs operations."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    place = tmp_path_factory.mktemp("driver") / "driver"
    source = Path(__file__).with_name("traced_driver.c")
    subprocess.run([compiler, "-O1", "-static", "-o", place, source], check=True)
    return str(place)


def random_operations(chance: random.Random, letters: str) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for _ in range(OPERATIONS):
        letter = chance.choice(letters)
        found.append((letter, *chance.sample(PATHS, 2 if letter in "nyh" else 1)))
    return found


def uses_below(trace: Trace, folder: Path) -> dict[str, int]:
    base = str(folder)
    return {
        path[len(base) + 1 :]: use.flags & USES
        for path, use in trace.uses.items()
        if path == base or path.startswith(f"{base}/")
    }


@pytest.mark.parametrize("language", ["c", "python", "bash"])
def test_the_trace_of_a_random_program_is_what_it_did(tmp_path: Path, driver: str, language: str) -> None:
    share = {"c": 0.7, "python": 0.1, "bash": 0.2}[language]
    for seed in range(SEED, SEED + round(PROGRAMS * share)):
        chance = random.Random(f"{language} {seed}")
        folder = tmp_path / str(seed) / "w"
        build_folder(folder)
        model = Model()
        if language == "bash":
            operations = random_operations(chance, "rwe")
            words = ["/bin/bash", "-c", "\n".join(BASH[letter].format(path) for letter, path in operations) + "\ntrue"]
        else:
            operations = random_operations(chance, "rsaklweudnyh" if language == "python" else "rmsaklweudxnyh")
            flat = [word for operation in operations for word in operation]
            words = [driver, *flat] if language == "c" else [sys.executable, "-SIc", IN_PYTHON, *flat]
        trace = trace_of(folder, *words)
        for operation in operations:
            model.perform(*operation)
        found = uses_below(trace, folder)
        if language == "python":  # it also looks at files before it opens them, and at the working folder
            found = {path: flags for path, flags in found.items() if path in model.uses}
        found.pop("", None)
        model.uses.pop("", None)
        assert found == {path: flags for path, flags in model.uses.items() if flags}, (seed, operations)
        assert trace.obstacles == ()


def test_the_tracer_ends_as_its_process_does(tmp_path: Path) -> None:
    trace_of(tmp_path, "/bin/sh", "-c", "exit 3", status=3)
    trace_of(tmp_path, "/bin/sh", "-c", "kill -TERM $$", status=-signal.SIGTERM)


@pytest.mark.parametrize(
    ("words", "obstacle"),
    [
        (["N", "r", "a"], "it uses other namespaces"),
        (["C", "r", "a"], "it changes its root folder"),
        (["X", "r", "a"], "it runs a program of another architecture (32-bit)"),
        (["P", "r", "a"], "it traces processes itself"),
        (["I", "r", "a"], ""),  # io_uring fails as on an older kernel, and programs use other calls then
    ],
)
def test_what_a_trace_cannot_cover_is_an_obstacle(tmp_path: Path, driver: str, words: list[str], obstacle: str) -> None:
    if words[0] == "X" and os.uname().machine != "x86_64":
        pytest.skip("only x86_64 has x32 calls")
    folder = tmp_path / "w"
    build_folder(folder)
    trace = trace_of(folder, driver, *words)
    assert trace.obstacles == ((obstacle,) if obstacle else ())
    assert uses_below(trace, folder)["a"] == READ


def test_a_setuid_program_is_an_obstacle(tmp_path: Path, driver: str) -> None:
    program = tmp_path / "other-user"
    shutil.copy(driver, program)
    program.chmod(0o4755)
    trace = trace_of(tmp_path, "/bin/sh", "-c", f"{shlex.quote(str(program))}")
    assert trace.obstacles == (f"it runs {program}, which gets the rights of another user",)


IN_ONE_PROCESS = """
import socket
listener = socket.create_server(("127.0.0.1", 0))
socket.create_connection(listener.getsockname()).close()
local = socket.socket(socket.AF_UNIX)
local.bind("own.sock")
local.listen()
socket.socket(socket.AF_UNIX).connect("own.sock")
"""


def test_only_servers_of_the_task_itself_may_be_used(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    folder.mkdir()
    assert trace_of(folder, sys.executable, "-SIc", IN_ONE_PROCESS).obstacles == ()
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(str(folder / "daemon.sock"))
        local.listen()
        port = server.getsockname()[1]
        text = f"""
import socket
socket.create_connection(("127.0.0.1", {port})).close()
socket.socket(socket.AF_UNIX).connect("daemon.sock")
"""
        trace = trace_of(folder, sys.executable, "-SIc", text)
    assert sorted(trace.obstacles) == [
        f"it uses port {port} of another process",
        f"it uses the socket {folder}/daemon.sock of another process",
    ]


def test_a_process_that_outlives_the_task_is_an_obstacle(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    held = os.open(tmp_path / "fifo", os.O_RDWR)
    trace = trace_of(tmp_path, "/bin/sh", "-c", "cat fifo >/dev/null 2>&1 &")
    assert trace.obstacles == ("a process that it started still runs",)
    os.close(held)  # which ends it


def test_a_tracer_in_a_tracer_says_that_it_cannot_trace(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    trace_of(tmp_path, executable(), TRACER, str(inner), "/bin/true")
    trace = read_trace(str(inner))
    assert trace is not None
    assert [words.partition(":")[0] for words in trace.obstacles] == ["files cannot be traced"]


def test_a_tracer_that_is_killed_leaves_neither_a_trace_nor_its_process(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    file = tmp_path / "trace"
    words = [executable(), TRACER, str(file), "/bin/sh", "-c", "echo $$; exec cat fifo"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as tracer:
        assert tracer.stdout is not None
        pid = int(tracer.stdout.readline())
        end = os.pidfd_open(pid)
        tracer.kill()
        assert tracer.stdout.read() == ""  # the process has ended, too
    os.close(end)
    assert read_trace(str(file)) is None
