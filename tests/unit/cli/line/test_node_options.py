"""NODE_OPTIONS: its words, and how they join the flags of a command line."""

from __future__ import annotations

import pytest

from rt_supervisor.cli.line import arguments
from rt_supervisor.cli.line.node_options import with_node_options, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  ", []),
        ("--a  --b=c", ["--a", "--b=c"]),
        ('--require "./with space.js"', ["--require", "./with space.js"]),
        ('--title="a \\"b\\" \\\\c"', ['--title=a "b" \\c']),
        ("--title='a'", ["--title='a'"]),
        ('""', [""]),
    ],
)
def test_words_are_those_of_node(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_flags_stand_before_those_of_the_command_line() -> None:
    invocation = arguments.parse(["--preload", "./own.js", "--title=own", "file.js"])
    joined = with_node_options(
        invocation, "--require ./first.js --import=./second.mjs --title=theirs --no-warnings -C dev"
    )
    assert joined.texts("preload") == ("./first.js", "./second.mjs", "./own.js")
    assert joined.text("title") == "own"
    assert joined.is_set("no-warnings")
    assert joined.texts("conditions") == ("dev",)


def test_unsupported_node_options_are_ignored() -> None:
    invocation = arguments.parse(["file.js"])
    joined = with_node_options(
        invocation, "--max-semi-space-size=4096 --experimental-vm-modules --no-deprecation --eval=1 --watch"
    )
    assert dict(joined.options) == {"no-deprecation": True}


def test_the_heap_size_counts_in_node_options_unless_the_command_line_has_one() -> None:
    given = "--max-old-space-size=4096"
    assert with_node_options(arguments.parse(["a.js"]), given).text("max-old-space-size") == "4096"
    invocation = arguments.parse(["--max-old-space-size=100", "a.js"])
    assert with_node_options(invocation, given).text("max-old-space-size") == "100"
