"""Scripts in rt's own shell: process groups, signals, prefixes, leftovers; and `rt shell` itself."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest
from rig import Box, wait_until


def test_prefixes_and_statuses(box: Box) -> None:
    box.scripts(a="echo {1..2}; echo no-newline | tr -d '\\n'", b="echo b >&2; exit 3")
    result = box.run("run", "--sequential", "--no-exit-on-error", "--shell=rt", "a", "b")
    assert result.stdout == b"a | 1 2\na | no-newline\n"
    assert b"b | b\n" in result.stderr
    assert result.returncode == 3


def test_a_broken_text_fails_its_own_script_only(box: Box) -> None:
    box.scripts(a="echo a )", b="echo b")
    result = box.run("run", "--sequential", "--no-exit-on-error", "--shell=rt", "a", "b")
    assert b"error: Failed to run script a due to error Unexpected ')'" in result.stderr
    assert result.stdout == b"b | b\n"
    assert result.returncode == 1


def test_workspaces_and_config(box: Box) -> None:
    box.write(
        {
            "package.json": {"workspaces": ["p"]},
            "p/package.json": {"name": "p", "scripts": {"x": "echo *.none || echo own shell"}},
            "rtfig.toml": '[run]\nshell = "rt"\n',
        }
    )
    assert b"own shell" in box.run("run", "--filter", "*", "x").stdout
    assert box.run("run", "--cwd=p", "--shell=rt", "--silent", "x").stdout == b"own shell\n"


@pytest.mark.parametrize("many", [[], ["--parallel"]], ids=["one", "many"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_all_of_it(box: Box, many: list[str], number: signal.Signals) -> None:
    box.scripts(a="yes > /dev/null | (touch ready; sleep 1000; echo never) | cat")
    process = box.start("run", *many, "--shell=rt", "a")
    box.await_file("ready")
    process.send_signal(number)
    out, _ = process.communicate(timeout=60)
    assert b"never" not in out
    assert process.returncode in (-number, 128 + number)
    wait_until(lambda: not box.left(), "nothing left")


def test_the_exit_trap_runs_when_a_signal_ends_it(box: Box) -> None:
    box.scripts(a="trap 'echo trapped' EXIT; touch ready; sleep 1000")
    process = box.start("run", "--shell=rt", "a")
    box.await_file("ready")
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=60)
    assert out == b"trapped\n"


def test_a_program_that_catches_ctrl_c_lets_the_script_go_on(box: Box) -> None:
    box.scripts(a="bash -c 'trap \"echo caught; exit 0\" INT; touch ready; sleep 1000 & wait'; echo after")
    process = box.start("run", "--shell=rt", "a")
    box.await_file("ready")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == b"caught\nafter\n"


def test_its_leftovers_are_ended(box: Box) -> None:
    box.scripts(a="bash -c 'sleep 1000 & echo started'")
    assert box.run("run", "--silent", "--shell=rt", "a").stdout == b"started\n"
    wait_until(lambda: not box.left(), "nothing left")


def test_rt_in_it_is_this_rt(box: Box) -> None:
    box.scripts(a="npm run --silent b | cat; rt ./t.ts x && echo $?", b="echo inner")
    box.write({"t.ts": "const word: string = process.argv[2]; console.log(word);"})
    assert box.run("run", "--silent", "--shell=rt", "a").stdout == b"inner\nx\n0\n"


COMMANDS: list[tuple[list[str], dict[str, Any], bytes, int]] = [
    (["shell", "-c", "echo $0 $1 $#", "name", "a b", "c"], {}, b"name a b 2\n", 0),
    (["shell", "file.sh", "x"], {}, b"file.sh x\n", 4),
    (["shell", "-e", "-c", "false; echo no"], {}, b"", 1),
    (["shell", "-o", "pipefail", "-c", "false | true"], {}, b"", 1),
    (["run", "--shell=rt", "--silent", "./file.sh", "y"], {}, b"y\n", 4),
    # A failed expansion ends the shell with 127 for a command string and 1 for a script, as in bash.
    (["shell", "-c", "echo a; : ${x:?gone}; echo b"], {}, b"a\n", 127),
    (["shell", "-u", "-c", "echo a; echo $x; echo b"], {}, b"a\n", 127),
    (["shell", "fatal.sh"], {}, b"a\n", 1),
    (["shell", "unset.sh"], {}, b"a\n", 1),
    (["shell", "-c", ". ./fatal.sh; echo b"], {}, b"a\n", 127),
    (["shell", "-c", "(. ./fatal.sh; echo b); echo $?"], {}, b"a\n1\n", 0),
    (["run", "--shell=rt", "--silent", "fatal"], {}, b"a\n", 127),
]


@pytest.mark.parametrize(
    ("arguments", "options", "out", "status"), COMMANDS, ids=[str(case[0][:3]) for case in COMMANDS]
)
def test_commands(box: Box, arguments: list[str], options: dict[str, Any], out: bytes, status: int) -> None:
    box.write({"file.sh": "echo $0 $1\nexit 4\n", "fatal.sh": "echo a\n: ${x:?gone}\necho b\n"})
    box.write({"unset.sh": "set -u\necho a\ny=$(( x + 1 ))\necho b\n"})
    box.scripts(fatal="echo a; : ${x:?gone}; echo b")
    result = box.run(*arguments, **options)
    assert result.stdout.endswith(out)
    assert result.returncode == status


def test_a_failed_expansion_on_standard_input(box: Box) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"echo a; : ${x:?gone}; echo b\n")
    os.close(writer)
    result = box.run("shell", stdin=reader)
    os.close(reader)
    assert (result.stdout, result.returncode) == (b"a\n", 1)


def test_standard_input_is_commands(box: Box) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"x=1\necho from stdin $x\n")
    os.close(writer)
    result = box.run("shell", stdin=reader)
    os.close(reader)
    assert result.stdout == b"from stdin 1\n"


def test_problems_point_at_their_column(box: Box) -> None:
    result = box.run("shell", "-c", "echo a\necho b )")
    assert result.stderr.decode() == "error: Unexpected ')'\n    at -c: line 2, column 8\n    echo b )\n           ^\n"
    assert result.returncode == 2


def test_a_reader_that_goes_away(box: Box) -> None:
    reader, writer = os.pipe()
    process = box.start("shell", "-c", "while true; do echo line; done", stdout=writer)
    os.close(writer)
    assert os.read(reader, 5) == b"line\n"
    os.close(reader)
    assert process.wait(timeout=60) == -signal.SIGPIPE
