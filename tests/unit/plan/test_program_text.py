"""Script texts recognised as a call of rt with a source file; words and environment compared with real shells."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rt_supervisor.plan.program_text import program_of, simple_words

# text, its words (None: not simple)
WORDS: list[tuple[str, list[str] | None]] = [
    ("rt main.ts", ["rt", "main.ts"]),
    ("  rt\tmain.ts  ", ["rt", "main.ts"]),
    ("rt main.ts 'a b' \"c d\"", ["rt", "main.ts", "a b", "c d"]),
    ("rt main.ts a'b'\"c\"", ["rt", "main.ts", "abc"]),
    ("rt main.ts '' \"\"", ["rt", "main.ts", "", ""]),
    ("rt main.ts '$HOME `x` \\'", ["rt", "main.ts", "$HOME `x` \\"]),
    ("rt main.ts --a=b,c@d%e+f:g", ["rt", "main.ts", "--a=b,c@d%e+f:g"]),
    ("", None),
    ("rt main.ts 'a", None),
    ('rt main.ts "$A"', None),
    ('rt main.ts "a\\"b"', None),
    *((f"rt main.ts{more}", None) for more in (" $A", " &", " | cat", " > x", "; ls", " *.ts", " ~", " a\\ b", " `a`")),
    *((f"rt main.ts{more}", None) for more in (" #x", "\nls", " {a,b}", " (x)", " [a]", " a?", " !x", " <x", " é")),
]


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_words(text: str, words: list[str] | None) -> None:
    assert simple_words(text) == (words or [])


@settings(max_examples=60)
@given(st.text("abr .$'\"\\*~#=-/;&|<>(){}[]!?`\n\t%", max_size=12))
@example("'a'\"b\" c")
def test_simple_words_are_those_of_a_shell(text: str) -> None:
    words = simple_words("x " + text)
    if words:
        command = ["bash", "-c", f"printf '%s\\0' x {text}"]
        printed = subprocess.run(command, capture_output=True, check=True, cwd="/", timeout=60).stdout
        assert printed.decode().split("\0")[:-1] == words


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("main.ts", "index.js", "script.sh", "data.json", "bin/rt", "other/rt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
        path.chmod(0o755)
    return tmp_path


def program(folder: Path, text: str, shell: str = "bash", **environment: str) -> tuple[str, ...]:
    found, _ = in_shell(folder, text, shell, {"PATH": f"{folder}/bin:{os.environ['PATH']}"} | environment)
    return found


def in_shell(
    folder: Path, text: str, shell: str, environment: Mapping[str, str]
) -> tuple[tuple[str, ...], Mapping[str, str]]:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"there is no {shell} here")
    executable = str(folder / "bin/rt")
    return program_of((path, "-c", text), folder=str(folder), environment=environment, executable=executable)


@pytest.mark.parametrize("text", ["rt main.ts", "rt ./main", "rt run main.ts 'a b'", "rt ./", "rt ./index.js"])
def test_taken(folder: Path, text: str) -> None:
    assert program(folder, text) == tuple(simple_words(text))


@pytest.mark.parametrize(
    "text",
    [
        "rt build",
        "rt run build",
        "rt nowhere.ts",
        "rt script.sh",
        "rt ./script.sh",
        "rt data.json",
        "rt --smol main.ts",
        "rt run --parallel main.ts",
        "rt -e 1",
        "rt",
        "rt run",
        "node main.ts",
        "rt main.ts && ls",
        "A=1 rt main.ts",
    ],
)
def test_left_to_the_shell(folder: Path, text: str) -> None:
    assert program(folder, text) == ()


@pytest.mark.parametrize(
    "environment",
    [
        {"BASH_ENV": "/x"},
        {"BASH_FUNC_rt%%": "() { :; }"},
        {"SHELLOPTS": "xtrace"},
        {"SHLVL": "1000"},
        {"SHLVL": "x"},
        {"OLDPWD": "/nowhere"},
    ],
)
def test_an_environment_that_changes_shells(folder: Path, environment: dict[str, str]) -> None:
    assert program(folder, "rt main.ts", **environment) == ()


def test_another_rt_is_not_this_one(folder: Path) -> None:
    assert program(folder, "rt main.ts", PATH=f"{folder}/other:{folder}/bin") == ()
    assert program(folder, "rt main.ts", PATH="/nowhere") == ()


def test_node_is_rt_where_it_is_a_link_to_it(folder: Path) -> None:
    (folder / "link").mkdir()
    (folder / "link/node").symlink_to(folder / "bin/rt")
    path = f"{folder}/link:{os.environ['PATH']}"
    assert program(folder, "node main.ts run", PATH=path) == ("node", "main.ts", "run")
    assert program(folder, "node run main.ts", PATH=path) == ()


def test_rt_itself_with_a_file(folder: Path) -> None:
    executable = str(folder / "bin/rt")
    for word, taken in (("main.ts", True), ("./script.sh", False), ("nowhere.ts", False)):
        argv = (executable, word)
        found, environment = program_of(argv, folder=str(folder), environment={"A": "1"}, executable=executable)
        assert found == (argv if taken else ())
        assert environment == {"A": "1"}


@pytest.mark.parametrize("shell", ["bash", "dash"])
@pytest.mark.parametrize("kind", ["plain", "nested", "wrong PWD", "link"])
def test_the_environment_is_the_one_the_shell_would_pass_on(folder: Path, shell: str, kind: str) -> None:
    (folder / "link").symlink_to(folder)
    (folder / "bin/rt").write_text("#!/bin/sh\nexec cat /proc/self/environ\n")
    given = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "A": "x y\nz"} | {
        "plain": {},
        "nested": {"SHLVL": "7", "_": "before", "PWD": str(folder), "OLDPWD": "/"},
        "wrong PWD": {"PWD": "/usr"},
        "link": {"PWD": f"{folder}/link"},
    }[kind]
    command = [str(shutil.which(shell) or pytest.skip(f"there is no {shell} here")), "-c", "rt main.ts"]
    printed = subprocess.run(command, env=given, cwd=folder, capture_output=True, check=True, timeout=60).stdout
    wanted = dict(entry.split("=", 1) for entry in printed.decode().split("\0")[:-1])
    _, environment = in_shell(folder, "rt main.ts", shell, given)
    # The stand-in for rt is a shell script, and sh adds to the environment.
    assert {name: environment.get(name) for name in wanted} == wanted
    assert environment.keys() - wanted.keys() == set()
