"""NODE_OPTIONS: its words, and how they join the flags of a command line."""

from __future__ import annotations

import pytest

from rt_supervisor.cli.line import arguments
from rt_supervisor.cli.line.node_options import with_node_options, words
from rt_supervisor.vocabulary.errors import Failed


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("--no-warnings --version", "--version is not allowed in NODE_OPTIONS"),
        ("-pe", "-pe is not allowed in NODE_OPTIONS"),
        ("--", "-- is not allowed in NODE_OPTIONS"),
        ("--eval=1", "--eval= is not allowed in NODE_OPTIONS"),
        ("--stack-size=9", "--stack-size= is not allowed in NODE_OPTIONS"),
        ("-C=dev", "-C=dev is not allowed in NODE_OPTIONS"),
        ("--no-title", "--no-title is not allowed in NODE_OPTIONS"),
        ("--require", "--require requires an argument"),
        ("-r --no-warnings", "-r requires an argument"),
        ("--require= a", "--require= requires an argument"),
        ('--title="a', "invalid value for NODE_OPTIONS (unterminated string)"),
        ('"a\\', "invalid value for NODE_OPTIONS (invalid escape)"),
    ],
)
def test_under_the_name_node_other_flags_are_refused_with_the_messages_of_node(text: str, message: str) -> None:
    invocation = arguments.parse(["file.js"])
    with pytest.raises(Failed) as caught:
        with_node_options(invocation, text, as_node=True)
    assert (caught.value.failure.message, caught.value.failure.status) == (message, 9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("--version --require", "--require requires an argument"),
        ("-r --no-warnings", "-r requires an argument"),
        ("--import=", "--import= requires an argument"),
        ('--import "a', "invalid value for NODE_OPTIONS (unterminated string)"),
    ],
)
def test_flags_without_their_value_are_refused_under_every_name(text: str, message: str) -> None:
    with pytest.raises(Failed) as caught:
        with_node_options(arguments.parse(["file.js"]), text)
    assert (caught.value.failure.message, caught.value.failure.status) == (message, 9)


def test_under_the_name_node_flags_of_node_and_values_are_accepted() -> None:
    text = "word --abort_on-uncaught_exception --no-warnings -C dev --title a - --max-old-space-size=100"
    with_node_options(arguments.parse(["file.js"]), text, as_node=True)


def test_the_heap_size_counts_in_node_options_unless_the_command_line_has_one() -> None:
    given = "--max-old-space-size=4096"
    assert with_node_options(arguments.parse(["a.js"]), given).text("max-old-space-size") == "4096"
    invocation = arguments.parse(["--max-old-space-size=100", "a.js"])
    assert with_node_options(invocation, given).text("max-old-space-size") == "100"
