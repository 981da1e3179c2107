"""Flags that select rt's default behaviour, and arguments from the environment."""

from __future__ import annotations

import pytest
from rig import Box


@pytest.mark.parametrize("flag", ["--no-install", "--no-orphans"])
def test_flags_that_change_nothing(box: Box, flag: str) -> None:
    box.scripts(hello="echo hello")
    box.write({"a.mjs": "console.log(process.execArgv.join())"})
    assert box.run(flag, "a.mjs").stdout == f"{flag}\n".encode()
    assert box.run(flag, "run", "hello").stdout == b"hello\n"
    assert box.run("run", flag, "hello").stdout == b"hello\n"


@pytest.mark.parametrize(
    ("given", "arguments", "printed"),
    [
        ("--console-depth=1", ("a.mjs",), "{\n  a: {\n    b: [Object ...],\n  },\n}\n"),
        ("--console-depth=1", ("--console-depth=2", "a.mjs"), "{\n  a: {\n    b: {\n      c: 1,\n    },\n  },\n}\n"),
        ("a.mjs", (), "{\n  a: {\n    b: {\n      c: 1,\n    },\n  },\n}\n"),
        ("--print '1 + 1'", (), "2\n"),
        ("--silent run", ("hello",), "hello\n"),
        ("", ("-p", "3"), "3\n"),
    ],
)
def test_arguments_from_the_environment(box: Box, given: str, arguments: tuple[str, ...], printed: str) -> None:
    box.scripts(hello="echo hello")
    box.write({"a.mjs": "console.log({ a: { b: { c: 1 } } })"})
    done = box.run(*arguments, environment={"RT_OPTIONS": given})
    assert (done.stdout.decode(), done.stderr.decode()) == (printed, "")
