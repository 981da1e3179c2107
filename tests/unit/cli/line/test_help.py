"""The help pages: complete, aligned, within the width."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest

from rt_supervisor.cli.colours import wants_colour
from rt_supervisor.cli.line import arguments, commands, flags, help

from ..conftest import Run

SGR = re.compile(r"\x1b\[[0-9;]*m")
PAGES: dict[str, Callable[..., str]] = {
    "overview": help.overview,
    "run": help.run_help,
    **{name: partial(help.command_help, name) for name in ("graph", "x", "agent")},
}


def test_first_lines(run: Run) -> None:
    overview = run("--help")
    assert (overview.returncode, overview.stderr) == (0, "")
    assert len(re.findall(r"^Usage: [a-z]+ <command> \[\.\.\.flags\] \[\.\.\.args\]$", overview.stdout, re.M)) == 1
    assert run("-h").stdout == run().stdout == run("help").stdout == run("--silent").stdout == overview.stdout
    page = run("run", "--help").stdout
    assert page.splitlines()[0] == "Usage: rt run [flags] <file or script>"
    assert run("run", "-h").stdout == run("help", "run").stdout == page
    assert run("graph", "--help").stdout == run("help", "graph").stdout
    assert run("x", "--help").stdout.startswith("Usage: rt x [flags] <binary>\n")
    assert run("agent", "--help").stdout == run("help", "agent").stdout
    assert run("agent", "-h").stdout.startswith("Usage: rt agent [flags] <address>\n")
    assert run("completions", "-h").stdout.startswith("Usage: rt completions bash|zsh|fish\n")


def test_every_flag_and_command_is_shown() -> None:
    page = help.run_help(100, colour=False)
    for _, group in flags.FLAG_GROUPS:
        for flag in group:
            if flag.name:
                assert re.search(rf"^ +(-\w, )?--{flag.name}[\[= \n]", page, re.M)
            if flag.short:
                assert re.search(rf"^ +-{flag.short}[, ]", page, re.M)
    overview = help.overview(100, colour=False)
    listed = re.search(r"^Commands: (.*?)\n\n", overview, re.M | re.S)
    assert listed is not None
    assert re.findall(r"\w+", listed[1]) == [name for name, _, _ in commands.COMMANDS]


def test_the_overview_fits_a_screen_and_shows_what_people_do_most() -> None:
    lines = help.overview(80, colour=False).splitlines()
    assert len(lines) <= 30
    assert all(len(line) <= 81 for line in lines)
    for flag in ("--watch", "--hot", "--inspect", "--preload", "--filter", "--parallel", "-i", "-p"):
        assert any(f" {flag} " in line for line in lines), flag


def test_examples_are_valid_command_lines() -> None:
    import shlex

    for words, _ in help.EXAMPLES:
        program, *rest = shlex.split(words)
        assert program == "rt"
        assert arguments.parse(rest).command in ("run", "x")


def test_flags_that_few_people_type_come_last() -> None:
    page = help.run_help(100, colour=False)
    at = page.index(f"{flags.NODE_GROUP}:")
    assert all(page.index(f"\n{title}:") < at for title, _ in flags.FLAG_GROUPS if title != flags.NODE_GROUP)
    assert at < page.index("--cpu-prof-interval") < page.index("Examples:")


def test_a_topic_is_a_page_of_the_documentation(run: Run) -> None:
    shown = run("help", "watch")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith("Watch mode")
    assert "architecture" not in help.overview(100, colour=False)
    assert run("help", "architecture").returncode == 0


def test_an_unknown_topic_is_an_error(run: Run) -> None:
    refused = run("help", "wacth")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == 'error: "wacth" is not a command or a topic of the documentation\n'


@pytest.mark.parametrize("width", [40, 60, 80, 120, 300])
@pytest.mark.parametrize("page", PAGES)
def test_lines_keep_to_the_width(page: str, width: int) -> None:
    text = PAGES[page](width, colour=False)
    for line in text.splitlines():
        is_unbreakable = re.match(r"^( +-[^ ]+(, --[^ ]+)?| +[^ ]+|Usage: .*|  rt .*)$", line)
        assert len(line) <= width or is_unbreakable, line


def test_columns_are_aligned() -> None:
    starts = {
        match.end()
        for line in help.run_help(100, colour=False).splitlines()
        if (match := re.match(r"^ +-\S+(?:, --\S+)?  +(?=\S)", line))
    }
    assert len(starts) == 1


def test_colours_change_no_width() -> None:
    for make in PAGES.values():
        painted = make(80, colour=True)
        assert "\x1b[" in painted
        assert SGR.sub("", painted) == make(80, colour=False)


def test_defaults_are_reported() -> None:
    assert help.flag_text(flags.BY_NAME["elide-lines"]).endswith("(default: 10)")


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": ""}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1"}, False),
    ],
)
def test_when_colours_are_used(environment: dict[str, str], wanted: bool) -> None:
    with open("/dev/null") as file:
        assert wants_colour(file.fileno(), environment) is wanted


def test_a_terminal_has_colours_unless_it_says_otherwise() -> None:
    import os

    leader, follower = os.openpty()
    try:
        assert wants_colour(follower, {"TERM": "xterm"})
        assert wants_colour(follower, {"NO_COLOR": ""})
        assert not wants_colour(follower, {"NO_COLOR": "0"})
        assert not wants_colour(follower, {"TERM": "dumb"})
    finally:
        os.close(leader)
        os.close(follower)
