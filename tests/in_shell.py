"""Runs a shell text in this process and returns stdout, stderr and status, in a folder of the test."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

from rt_supervisor.shell.interpreter import Interpreter
from rt_supervisor.shell.parser import ENOUGH_FRAMES, parse
from rt_supervisor.shell.session import Session
from rt_supervisor.shell.state import State

sys.setrecursionlimit(ENOUGH_FRAMES)  # set here as the first text would do: hypothesis objects to changes during a test


class Ran(NamedTuple):
    out: str
    err: str
    status: int


def run(text: str, folder: Path, *arguments: str, stdin: bytes = b"", **variables: str) -> Ran:
    """Run `text` in `folder` as a complete shell would."""
    environment = {"PATH": os.environ["PATH"], "HOME": "/home/someone", **variables}
    state = State(environment=environment, folder=str(folder), name="rt", arguments=arguments)
    given, out, err = (os.memfd_create(name) for name in ("stdin", "stdout", "stderr"))
    os.write(given, stdin)
    os.lseek(given, 0, os.SEEK_SET)
    try:
        status = Interpreter(state, Session()).run_whole(parse(text), {0: given, 1: out, 2: err})
        return Ran(contents(out), contents(err), status)
    finally:
        for descriptor in (given, out, err):
            os.close(descriptor)


def contents(descriptor: int) -> str:
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0).decode("utf-8", "surrogateescape")
