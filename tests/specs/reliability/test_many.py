"""Large numbers: concurrent first starts, timers, reads, children, terminal sizes; and full disks and argument lists."""

from __future__ import annotations

import os
import random
import select

import pytest
from rig import Box
from screens import Session

BOUND = 240  # seconds, an upper bound for runs that must end
CHILDREN = int(os.environ.get("RT_TEST_CHILDREN", "1000"))  # the requirement is 10,000; that many take 20 seconds each


TIMERS = "let n = 0; for (let i = 0; i < 1e5; i++) setTimeout(() => { if (++n === 1e5) console.log('all') }, i % 50)"
READS = """
const fs = require('fs'); let n = 0
for (let i = 0; i < 1e5; i++) fs.read(fd, Buffer.alloc(1), 0, 1, 0, (error) => { if (error) throw error; if (++n === 1e5) console.log('all') })
"""
PIPES = """
const { spawn } = require('child_process'); let n = 0
for (let i = 0; i < 100; i++) {
  const child = spawn('cat'); child.stdout.on('data', (text) => { if (String(text) === 'x') n++ })
  child.on('close', () => { if (--left === 0) console.log(n === 100 ? 'all' : n) })
  setImmediate(() => child.stdin.end('x'))
}
let left = 100
"""
IN_A_ROW = """
const { spawn, spawnSync } = require('child_process'); const fs = require('fs')
const open = () => fs.readdirSync('/proc/self/fd').length
let failed = 0, left = COUNT / 2
for (let i = 0; i < left; i++) failed += spawnSync('/bin/true').status
const before = open()
const next = () => {
  if (left-- === 0) console.log(failed === 0 && open() <= before + 20 ? 'all' : [failed, before, open()])
  else spawn('/bin/true').on('close', (status) => { failed += status; next() })
}
next()
"""
FLOOD = """
const child = require('child_process').spawn('yes'); let n = 0
child.stdout.on('data', (data) => { n += data.length; if (n > 5e7) child.kill() })
child.on('close', () => console.log('all'))
"""
PROGRAMS = {
    "timers": TIMERS,
    "reads": "const fd = require('fs').openSync(__filename);" + READS,
    "pipes": PIPES,
    "children": IN_A_ROW.replace("COUNT", str(CHILDREN)),
    "flood": FLOOD,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_of_many(box: Box, name: str) -> None:
    box.write({"a.js": PROGRAMS[name]})
    done = box.in_bash("$RT a.js", bound_s=BOUND)
    assert (done.returncode, done.stdout) == (0, b"all\n"), done.stderr
    box.await_nothing_left()


def test_first_starts_at_once(box: Box) -> None:
    """All of them create the cache; one copy of each file remains, and no draft."""
    box.write({"a.js": "console.log('ran')"})
    started = box.in_bash("for n in $(seq 20); do XDG_CACHE_HOME=$PWD/cache $RT a.js & done; wait", bound_s=BOUND)
    assert started.stdout == b"ran\n" * 20
    assert started.stderr == b""
    kept = [path.name for path in (box.folder / "cache").rglob("*") if path.is_file()]
    assert sum(name.endswith(".snapshot") for name in kept) == 1, kept
    assert sum(name.endswith(".so") for name in kept) == 1, kept
    assert box.in_bash("XDG_CACHE_HOME=$PWD/cache $RT a.js", bound_s=BOUND).stdout == b"ran\n"


SIZES = ((1, 1), (0, 0), (2, 1), (1, 2), (80, 24), (65535, 65535), (3, 500), (500, 1))
UNTIL_GO = "touch begun; until [ -e go ]; do printf '%0200d\\n' 1; sleep 0.01; done"
PRINTS = """
process.stdout.on('resize', () => {})
require('fs').writeFileSync('begun', '')
const timer = setInterval(() => {
  console.log(process.stdout.columns, process.stdout.rows, 'x'.repeat(99))
  if (require('fs').existsSync('go')) clearInterval(timer)
}, 1)
"""


@pytest.mark.parametrize(
    "words", [("run", "--parallel", "a", "b"), ("run", "--filter", "*", "a"), ("run", "a"), ("a.js",)]
)
def test_a_terminal_of_one_cell_that_is_resized(box: Box, words: tuple[str, ...]) -> None:
    """A thousand resizes while the view is drawn; the output is read throughout."""
    box.scripts(a=UNTIL_GO, b=UNTIL_GO)
    box.write({"a.js": PRINTS})
    session = Session(box, *words, columns=1, rows=1)
    chance = random.Random(3)
    box.await_file("begun")  # one cell may be too small to draw anything
    for _ in range(1000):
        session.resize(*chance.choice(SIZES))
        if select.select([session.master], [], [], 0)[0]:
            assert os.read(session.master, 1 << 16)
    session.resize(1, 1)
    (box.folder / "go").touch()
    drawn = bytearray()
    while piece := read_or_end(session.master):
        drawn += piece
    os.close(session.master)
    assert session.process.wait() == 0, bytes(drawn[-500:])
    assert b"Traceback" not in drawn
    box.await_nothing_left()


def read_or_end(master: int) -> bytes:
    try:
        return os.read(master, 1 << 16)
    except OSError:  # the terminal has hung up
        return b""


@pytest.mark.parametrize("words", ["run --silent a", "run --parallel a", "a.js", "run --parallel a.js"])
def test_two_megabytes_of_arguments(box: Box, words: str) -> None:
    """A program receives them all; a script's text is one word that exceeds the system's limit, which is a clear
    error.
    """
    box.scripts(a="echo")
    box.write({"a.js": "console.log(process.argv.length - 2)"})
    done = box.in_bash(f"$RT {words} $(seq -f '%0120000.0f' 15)", bound_s=BOUND)
    assert b"Traceback" not in done.stderr
    if words == "a.js":
        assert (done.returncode, done.stdout) == (0, b"15\n"), done.stderr[-300:]
    elif words == "run --silent a":
        seen = b"error: cannot start the script: its arguments and environment are too long\n"
        assert (done.returncode, done.stderr) == (1, seen)
    else:  # there every word names a script
        assert done.returncode not in (0, 124), done.stderr[-300:]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a file system")
@pytest.mark.parametrize("size", ["4k", "2m", "20m"])
def test_a_full_disk_while_the_cache_is_prepared(box: Box, size: str) -> None:
    box.write({"a.js": "console.log('ran')"})
    line = f"mkdir disk; mount -t tmpfs -o size={size} none disk && XDG_CACHE_HOME=$PWD/disk $RT a.js && $RT a.js"
    done = box.in_bash(f"unshare -m bash -c '{line}'", bound_s=BOUND)
    assert (done.returncode, done.stdout) == (0, b"ran\nran\n"), done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a file system")
@pytest.mark.parametrize(
    "words", ["a.js", "run --silent a", "run --parallel a", "run --parallel a.js", "run --rt --silent a"]
)
def test_full_disks_for_what_is_temporary_and_for_output(box: Box, words: str) -> None:
    """A missing resource that rt requires is reported; one that it does not require does not stop it."""
    box.write({"a.js": "console.log('ran')", "package.json": {"scripts": {"a": "echo ran"}}})
    full = "mkdir disk; mount -t tmpfs -o size=4k none disk; cat /dev/zero > disk/full 2>/dev/null;"
    done = box.in_bash(f"unshare -m bash -c '{full} TMPDIR=$PWD/disk $RT {words}'", bound_s=BOUND)
    assert b"bug in rt" not in done.stderr
    assert b"ran" in done.stdout or b"No space left on device" in done.stderr, done.stderr
    done = box.in_bash(f"unshare -m bash -c '{full} $RT {words} >> disk/full'", bound_s=BOUND)
    assert done.returncode != 0
    assert b"bug in rt" not in done.stderr
    assert b"space left on device" in done.stderr.lower(), done.stderr
    box.await_nothing_left()


def test_a_small_limit_on_files(box: Box) -> None:
    box.write({"a.js": "console.log('ran')", "package.json": {"scripts": {"a": "echo ran"}}})
    for words in ("a.js", "run --silent a", "run --parallel a"):
        done = box.in_bash(f"ulimit -f 100; XDG_CACHE_HOME=$PWD/cache $RT {words} | cat", bound_s=BOUND)
        assert b"ran" in done.stdout, done.stderr
