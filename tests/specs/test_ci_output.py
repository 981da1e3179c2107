"""The summary of a run without a terminal, and settings in the files of other tools."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from rig import Box, executable

CHAIN: dict[str, Any] = {
    "package.json": {"name": "root", "workspaces": ["p/*"]},
    "p/a/package.json": {"name": "a", "scripts": {"build": "exit 3"}},
    "p/b/package.json": {"name": "b", "scripts": {"build": "echo b"}, "dependencies": {"a": "*"}},
    "p/c/package.json": {"name": "c", "scripts": {"prebuild": "kill -9 $$", "build": "echo c"}},
    "p/d/package.json": {"name": "d", "scripts": {"build": "echo d"}, "dependencies": {"c": "*"}},
    "p/e/package.json": {"name": "e", "scripts": {"build": "echo e"}},
}
WORDS = """error: 2 of 5 scripts failed
  a build exited with code 3
  c build (prebuild) ended by SIGKILL
  b build did not run, because a build failed
  d build did not run, because c build failed
"""


def test_a_run_with_failures_lists_failed_and_skipped_tasks(box: Box) -> None:
    box.write(CHAIN)
    done = box.run("run", "--filter", "*", "build")
    assert sorted(done.stderr.decode().splitlines()) == sorted(WORDS.splitlines())
    assert b"b build: Skipped" in done.stdout


def test_annotations_for_github(box: Box) -> None:
    box.write(CHAIN)
    done = box.run("run", "--filter", "a", "build", environment={"GITHUB_ACTIONS": "true"})
    assert done.stderr.decode().splitlines()[-1] == "::error title=a build::a build exited with code 3"


def test_a_single_failure_is_reported_once_except_in_ci(box: Box) -> None:
    box.write(CHAIN)
    assert box.run("run", "--filter", "a", "build").stderr == b""
    done = box.run("run", "--filter", "a", "build", environment={"CI": "true"})
    assert done.stderr.decode() == "error: 1 of 1 scripts failed\n  a build exited with code 3\n"


def test_a_run_without_failures_prints_nothing(box: Box) -> None:
    box.write(CHAIN)
    assert box.run("run", "--filter", "e", "build", environment={"CI": "true"}).stderr == b""


@pytest.mark.parametrize("mode", [(), ("--parallel",), ("--sequential",)])
def test_packages_without_any_scripts_are_no_part_of_a_run(box: Box, mode: tuple[str, ...]) -> None:
    box.write({"package.json": {"workspaces": ["a", "b"]}, "a/package.json": {"name": "a", "scripts": {"t": "echo A"}}, "b/package.json": {"name": "b"}})  # fmt: skip
    done = box.run("run", "--workspaces", *mode, "t")
    assert done.returncode == 0
    assert b"A" in done.stdout


def test_a_package_without_the_script_is_an_error(box: Box) -> None:
    box.write({"package.json": {"workspaces": ["a", "b"]}, "a/package.json": {"name": "a", "scripts": {"t": "echo A"}}, "b/package.json": {"name": "b", "scripts": {"u": "x"}}})  # fmt: skip
    done = box.run("run", "--workspaces", "t")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == f"error: Missing 't' script at '{box.folder}/b'\n"


@pytest.mark.parametrize(
    ("config", "printed"),
    [
        ("env = false", "undefined"),
        ("[env]\nfile = false", "undefined"),
        ("[env]\nfile = true", "1"),
        ("env = true", "1"),
        ('logLevel = "error"\ntelemetry = false\n[test]\ncoverage = true\n[install]\nregistry = "x"\n[install.scopes]\na = "b"', "1"),
    ],
)  # fmt: skip
def test_settings_of_the_peers_files(box: Box, config: str, printed: str) -> None:
    box.write({".env": "A=1", "rtfig.toml": config})
    done = box.run("-p", "process.env.A")
    assert (done.stdout.decode(), done.stderr.decode()) == (f"{printed}\n", "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "biuld"), 'error: Script not found "biuld"\nnote: did you mean "build"?\n'),
        (("grpah",), 'error: Script not found "grpah"\nnote: did you mean `rt graph`?\n'),
        (("runn",), 'error: Script not found "runn"\nnote: did you mean `rt run`?\n'),
        (
            ("run", "five"),
            'error: Script not found "five"\n'
            'note: "five" in <BOX>/package.json:2 is a number; a script must be a non-empty string, the command to run\n',
        ),
        (
            ("run", "nothing"),
            'error: Script not found "nothing"\n'
            'note: "nothing" in <BOX>/package.json:3 is an empty string; a script must be a non-empty string, the command to run\n',
        ),
    ],
)
def test_notes_in_ci_logs(box: Box, words: tuple[str, ...], said: str) -> None:
    box.write({"package.json": '{"scripts": {"build": "x",\n"five": 5,\n"nothing": ""}}'})
    done = box.run(*words, environment={"CI": "true"})
    assert (done.returncode, done.stderr.decode().replace(str(box.folder), "<BOX>")) == (1, said)
    assert box.run(*words).stderr.decode() == said.partition("note")[0]


@pytest.mark.parametrize("pattern", ["[origin/main]", "...[HEAD~1]", "[main~2]...", "{p}[v1]", "!a[origin/main]"])
def test_a_filter_by_commit_needs_a_repository(box: Box, pattern: str) -> None:
    box.write(CHAIN)
    done = box.run("run", "--filter", pattern, "build")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"is not in a git repository" in done.stderr


def test_a_character_class_is_not_a_commit(box: Box) -> None:
    box.write(CHAIN)
    done = box.run("run", "--filter", "[ez]", "build")
    assert (done.returncode, done.stdout) == (0, b"e build: e\ne build: Exited with code 0\n")


def test_a_binary_takes_precedence_over_a_data_file(box: Box) -> None:
    box.write({"nx.json": "{}", "node_modules/.bin/nx": "#!/bin/sh\necho binary"})
    (box.folder / "node_modules/.bin/nx").chmod(0o755)
    assert box.run("run", "nx").stdout == b"binary\n"
    assert b"rt cannot run json files directly" in box.run("run", "nx.json").stderr


@pytest.mark.parametrize("words", [("--rt", "node"), ("run", "--rt", "node")])
def test_rt_as_node_without_a_script(box: Box, words: tuple[str, ...]) -> None:
    box.write({"a.js": "console.log(process.versions.bun === undefined, process.argv[2])"})
    done = box.run(*words, "a.js", "--flag", environment={"PATH": "/nowhere"})
    assert (done.stdout, done.returncode) == (b"true --flag\n", 0)


@pytest.mark.parametrize(("given", "shown"), [({}, "[]\n"), ({"LC_CTYPE": "C.UTF-8"}, '["LC_CTYPE"]\n')])
def test_the_environment_is_what_was_given(box: Box, given: dict[str, str], shown: str) -> None:
    environment = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(box.cache), **given}
    program = "JSON.stringify(Object.keys(process.env).filter((name) => /^L(C_|ANG)/.test(name)))"
    done = subprocess.run([executable(), "-p", program], env=environment, capture_output=True, cwd=box.folder)
    assert done.stdout.decode() == shown


@pytest.mark.parametrize(
    "colours", [{}, {"FORCE_COLOR": "1", "NO_COLOR": ""}, {"FORCE_COLOR": "3"}, {"FORCE_COLOR": "0"}]
)
def test_nothing_is_elided_or_redrawn_off_a_terminal(box: Box, colours: dict[str, str]) -> None:
    box.write({
        "package.json": {"name": "root", "workspaces": ["p"]},
        "p/package.json": {"name": "p", "scripts": {"count": "seq 1 30"}},
    })  # fmt: skip
    said = [*(f"p count: {number}" for number in range(1, 31)), "p count: Exited with code 0"]
    for lines in ((), ("--elide-lines", "3"), ("--elide-lines=0",)):
        done = box.run("run", "--filter", "*", *lines, "count", environment=colours)
        assert done.stdout.decode().splitlines() == said


def test_a_missing_package_has_a_note_about_auto_install(box: Box) -> None:
    box.write({"a.mjs": "import 'no-such-package-anywhere';", "node_modules/x/package.json": {}, "package.json": {}})
    environment = {"CI": "true", "RT_NO_INSTALL": ""}
    reported = box.run("a.mjs", environment=environment).stderr.decode()
    assert reported == (
        f"error: Cannot find package 'no-such-package-anywhere' from '{box.folder}/a.mjs'\n\n"
        "note: `rt -i` installs missing packages while a program runs\n"
    )
    assert "note" not in box.run("a.mjs", environment={"RT_NO_INSTALL": ""}).stderr.decode()
    assert "note" not in box.run("--no-install", "a.mjs", environment=environment).stderr.decode()


def test_packages_with_one_name_are_reported(box: Box) -> None:
    files = {f"p/{name}/package.json": {"name": "same", "scripts": {"x": "echo x"}} for name in ("a", "b")}
    box.write(
        {
            **files,
            "package.json": {"workspaces": ["p/*"]},
            "p/c/package.json": {"name": "other", "scripts": {"x": "echo x"}},
        }
    )
    assert box.run("run", "--filter", "*", "x").stderr == b'warn: 2 packages have the name "same": p/a, p/b\n'
    assert box.run("run", "--filter", "other", "x").stderr == b""


def test_rt_test_names_the_test_runner(box: Box) -> None:
    assert b"use `rt --test`" in box.run("test").stderr
