"""Which packages `rt run` and `rt exec` select beyond the peer's filters, compared by what runs and in which order."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from rig import Box
from screens import Session

FILES: dict[str, Any] = {
    "package.json": {
        "name": "top",
        "workspaces": ["p/*"],
        "scripts": {"make": "echo top"},
        "dependencies": {"lib": "*"},
    },
    "p/lib/package.json": {"name": "lib", "scripts": {"make": "echo lib"}},
    "p/web/package.json": {"name": "web", "scripts": {"make": "echo web"}, "dependencies": {"lib": "*"}},
    "p/ask/package.json": {"name": "ask", "scripts": {"make": "read line; echo got $line"}},
    "p/none/package.json": {"name": "none"},
}


def outputs(result: subprocess.CompletedProcess[bytes]) -> list[str]:
    assert result.stderr == b""
    assert result.returncode == 0
    lines = result.stdout.decode().splitlines()
    return [line.partition(": ")[2] for line in lines if not line.endswith("Exited with code 0")]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--filter", "top", "make"], ["top"]),
        (["--filter", "top...", "make"], ["lib", "top"]),
        (["--filter", "...lib", "make"], ["lib", "web"]),
        (["--filter", "//", "make"], ["top"]),
        (["--filter", ".", "make"], ["top"]),
        (["--workspace-root", "make"], ["top"]),
        (["-w", "make"], ["top"]),
        (["--workspace", "web", "make"], ["web"]),
        (["--workspace=p/web", "make"], ["web"]),
        (["-w", "web", "make"], ["web"]),
        (["--filter", "*", "--filter", "!ask", "make"], ["lib", "web"]),
        (["--filter", "t*", "--filter", "web", "make"], ["web"]),
        (["--filter", "!ask", "make"], ["lib", "web"]),
        (["--filter", "*b", "--reverse", "make"], ["web", "lib"]),
    ],
)
def test_what_runs(box: Box, arguments: list[str], expected: list[str]) -> None:
    box.write(FILES)
    result = box.run("run", *arguments)
    warnings = result.stderr.decode()
    if "t*" in arguments:
        assert warnings == 'warn: No workspace packages matched the filter "t*"\n'
        result = subprocess.CompletedProcess(result.args, result.returncode, result.stdout, b"")
    assert outputs(result) == expected


def test_recursive_skips_packages_without_the_script(box: Box) -> None:
    box.write(FILES)
    assert sorted(outputs(box.run("run", "-r", "make"))) == ["got", "lib", "web"]


def test_the_root_package_stays_out_of_star_and_of_the_cache(box: Box) -> None:
    box.write(FILES)
    for _ in range(2):
        assert outputs(box.run("run", "--filter", "top", "make")) == ["top"]
        assert "top" not in outputs(box.run("run", "--filter", "*", "make"))


def test_exec_runs_a_command_in_each_package_in_order(box: Box) -> None:
    box.write(FILES)
    lines = outputs(box.run("exec", "--filter", "*b", "--", "basename", "$PWD"))
    assert lines == ["$PWD", "$PWD"], "arguments are not text of a shell"
    assert outputs(box.run("exec", "--filter", "*b", "basename $PWD | tr a-z A-Z")) == ["LIB", "WEB"]
    assert outputs(box.run("exec", "-r", "--reverse", "--filter", "!ask", "--", "cat", "package.json"))[0].startswith(
        "{"
    )


def test_exec_fails_as_a_script_does(box: Box) -> None:
    box.write(FILES)
    result = box.run("exec", "--filter", "lib", "--filter", "web", "--", "sh", "-c", "exit 3")
    assert result.returncode == 3
    assert result.stdout.decode().splitlines() == ["lib sh: Exited with code 3", "web sh: Skipped"]


def test_exec_without_a_selection_runs_in_the_working_folder(box: Box) -> None:
    box.write({**FILES, "node_modules/.bin/tool": "#!/bin/sh\necho tool $1"})
    assert box.run("exec", "tool", "--flag").stdout == b"tool --flag\n"
    assert box.run("exec", "make").returncode != 0, "scripts are not commands"


def test_the_only_script_reads_standard_input(box: Box) -> None:
    box.write(FILES)
    (box.folder / "in").write_text("hello\n")
    with (box.folder / "in").open() as stdin:
        assert outputs(box.run("run", "--filter", "ask", "make", stdin=stdin)) == ["got hello"]


def test_one_of_several_scripts_has_no_standard_input(box: Box) -> None:
    box.write(FILES)
    (box.folder / "in").write_text("hello\n")
    with (box.folder / "in").open() as stdin:
        assert "got" in outputs(box.run("run", "--filter", "*", "make", stdin=stdin))


def test_the_only_script_gets_the_terminal_with_raw_output(box: Box) -> None:
    box.write(
        {
            **FILES,
            "p/ask/package.json": {
                "name": "ask",
                "scripts": {"make": "test -t 0 && read line && echo got $line in $PWD"},
            },
        }
    )
    session = Session(box, "run", "--filter", "ask", "--output=raw", "make", columns=200)
    session.read_until("$ test -t 0")
    session.type("hello\n")
    assert session.finish() == 0
    assert any(line == f"got hello in {box.folder}/p/ask" for line in session.lines)
