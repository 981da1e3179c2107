"""What a program prints of its debugger that runs as `node`: Node's lines, for which tools search."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

import pytest
from front_end import FrontEnd
from rig import Box, executable

LISTENS = re.compile(
    rb"^Debugger listening on (ws://127\.0\.0\.1:\d+/[0-9a-f-]{36})\n"
    rb"For help, see: https://nodejs\.org/learn/getting-started/debugging\n"
)
CHILD = "const child = require('child_process').fork('./a.cjs', { execArgv: ['--inspect-wait=0'] });"
PROGRAMS = {
    "flag": (["--inspect-wait=0", "a.cjs"], {}),
    "code": (["--inspect-wait=0", "-e", "require('./a.cjs')"], {}),
    "NODE_OPTIONS": (["a.cjs"], {"NODE_OPTIONS": "--inspect-wait=0"}),
    "open": (["-e", "require('inspector').open(0, '127.0.0.1', true); require('./a.cjs')"], {}),
    "child": (["-e", CHILD], {}),
    "worker": (["--inspect-wait=0", "-e", "new (require('worker_threads').Worker)('./a.cjs')"], {}),
    "its name": (["--inspect-wait=0", "a.cjs"], {"RT_IDENTITY": "bun"}),
}


def start_node(box: Box, *arguments: str, environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Start rt by a link named node, as `--rt` puts it on the PATH."""
    link = Path(box.folder, "bin/node")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(executable())
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [link, *arguments],
        cwd=box.folder,
        env=box.environment(**(environment or {})),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        start_new_session=True,
    )
    box.started.append(process)
    return process


@pytest.mark.parametrize("case", PROGRAMS)
def test_node_says_where_it_listens(box: Box, case: str) -> None:
    box.write({"a.cjs": "console.log('ran');"})
    arguments, environment = PROGRAMS[case]
    program = start_node(box, *arguments, environment=environment)
    assert program.stderr is not None
    lines = program.stderr.readline() + program.stderr.readline()
    found = LISTENS.match(lines)
    assert found, lines
    front = FrontEnd(found[1].decode())
    front.begin()
    front.socket.close()
    out, err = program.communicate(timeout=60)
    assert (out, program.returncode) == (b"ran\n", 0)
    assert b"inspector" not in err and err.count(b"\n") <= 2, err  # "Debugger attached." and the wait at the end


def test_a_signal(box: Box) -> None:
    box.write({"a.cjs": "console.log(1); setInterval(() => {}, 1e6);"})
    program = start_node(box, "a.cjs")
    assert program.stdout is not None and program.stderr is not None
    assert program.stdout.readline() == b"1\n"
    program.send_signal(signal.SIGUSR1)
    assert LISTENS.match(program.stderr.readline() + program.stderr.readline())


def test_a_script_that_starts_node(box: Box) -> None:
    """A flag of `node` prints Node's lines; one of rt, which its variable passes on, rt's banner."""
    box.write({"package.json": {"scripts": {"own": "node --inspect=0 a.cjs", "dev": "node a.cjs"}}, "a.cjs": "0"})
    ran = box.run("--rt", "run", "own")
    assert LISTENS.search(re.sub(rb"^\$.*\n", b"", ran.stderr)), ran.stderr
    ran = box.run("--rt", "--inspect=0", "run", "dev")
    assert b"rt inspector" in ran.stderr and b"Debugger listening" not in ran.stderr


def test_a_program_of_rt_prints_the_banner(box: Box) -> None:
    ran = box.run("--identity=node", "--inspect=0", "-e", "0")
    assert b"rt inspector" in ran.stderr and b"Debugger listening" not in ran.stderr


def test_the_debugger_of_the_terminal(box: Box) -> None:
    box.write({"a.cjs": "console.log('ran');\n"})
    program = start_node(box, "inspect", "--port=0", "a.cjs")
    assert program.stdout is not None
    text = b""
    while b"debug> " not in text:
        text += program.stdout.read1(4096)  # type: ignore[attr-defined]
    assert b"< Debugger listening on ws://" in text and b"Break on start in a.cjs:1" in text
    program.communicate(b".exit\n", timeout=60)
    assert program.returncode == 0
