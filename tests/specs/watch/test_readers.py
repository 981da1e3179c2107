"""`--watch` of one command whose output is a pipe: rt ends when the reader exits, also while it waits for changes."""

from __future__ import annotations

import os
import subprocess

import pytest
from rig import Box, executable, wait_until

CLOSED_OUTPUT = 141  # 128 + SIGPIPE
COMMANDS = {"program": ["main.js"], "script": ["run", "dev"], "debugged program": ["--inspect=0", "main.js"]}


@pytest.mark.parametrize("piped", ["stdout", "stderr"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_that_exits_ends_it(box: Box, command: str, piped: str) -> None:
    box.write({"main.js": "console.log('printed');", "package.json": {"scripts": {"dev": "echo printed"}}})
    reader, writer = os.pipe()
    log = box.folder.parent / "log"
    with log.open("wb") as file:
        ends = {"stdout": file.fileno(), "stderr": file.fileno(), piped: writer}
        process = subprocess.Popen(
            [executable(), "--watch", *COMMANDS[command]],
            cwd=box.folder,
            env=box.environment(),
            stdin=subprocess.DEVNULL,
            stdout=ends["stdout"],
            stderr=ends["stderr"],
        )
    os.close(writer)
    if piped == "stdout":
        assert os.read(reader, 8) == b"printed\n"
        wait_until(lambda: b"waiting for changes" in log.read_bytes(), "the end of the program")
    else:
        wait_until(lambda: b"printed\n" in log.read_bytes(), "the line of the program")
    os.close(reader)
    assert process.wait() == CLOSED_OUTPUT
