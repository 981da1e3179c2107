"""Commands executed without a shell: words, file and environment compared with bash."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rt_supervisor.plan.direct import BUILTINS, DECIDING, KEYWORDS, SILENT, DirectCommands, plain_command

BASH = shutil.which("bash") or ""
pytestmark = pytest.mark.skipif(not BASH, reason="there is no bash here")
SHOW = '#!/bin/sh\nprintf \'%s\\0\' "$0" "$@" --\nexec env -0\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("direct")
    for name, text in {"bin/show": SHOW, "bin/plain": "echo no first line\n", "below/show": SHOW}.items():
        path = made / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    (made / "bin/data").write_text(SHOW)
    (made / "link").symlink_to(made / "below")
    return made


def direct(folder: Path, text: str, environment: dict[str, str]) -> tuple[tuple[str, ...], dict[str, str]]:
    return DirectCommands(environment, environment).of(
        (BASH, "-c", text), str(folder), path=environment.get("PATH"), working_folder=environment.get("PWD")
    )


def given_to(folder: Path) -> dict[str, str]:
    return {"PATH": f"{folder / 'bin'}:/usr/bin:/bin", "SHLVL": "1", "PWD": str(folder), "A": "b c"}


def in_bash(folder: Path, text: str, environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([BASH, "-c", text], env=environment, cwd=folder, capture_output=True, timeout=60)


def without(folder: Path, words: tuple[str, ...], environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    program = words[0]
    return subprocess.run(words[1:], executable=program, env=environment, cwd=folder, capture_output=True, timeout=60)


def as_seen(done: subprocess.CompletedProcess[bytes]) -> tuple[int, list[bytes], bytes]:
    return done.returncode, sorted(done.stdout.split(b"\0")), done.stderr


@pytest.mark.parametrize(
    "text",
    ["show", "show 'a b' \"c\" --d=e", "below/show x", "./bin/show", " \tshow\t", "'show'", "true", "false", "env -0"],
)
def test_the_visible_result_is_the_same(folder: Path, text: str) -> None:
    environment = given_to(folder)
    words, left = direct(folder, text, environment)
    assert words
    assert as_seen(without(folder, words, environment | left)) == as_seen(in_bash(folder, text, environment))


@pytest.mark.parametrize(
    "text",
    [
        *(f"{name} x" for name in BUILTINS.split()),
        *(f"{name} x" for name in KEYWORDS.split()),
        *(f"{name} --help" for name in SILENT),
        "", "A=b show", "%1", "show $A", "show a&", "show;", "show > x", "show *", "show ~", "show {a,b}", "missing", "data",
        "./missing", "bin", "./bin", "''", "show\nshow", "show #", "!show", "shów",
    ],
)  # fmt: skip
def test_the_shells_own_builtins(folder: Path, text: str) -> None:
    assert direct(folder, text, given_to(folder)) == ((), {})


def test_every_builtin_and_keyword_of_this_bash_is_known() -> None:
    known = subprocess.run([BASH, "-c", "compgen -b -k"], capture_output=True, text=True, check=True).stdout.split()
    assert set(known) - set(SILENT) <= {*BUILTINS.split(), *KEYWORDS.split()}


@pytest.mark.parametrize(
    "more",
    [
        *({name: "1"} for name in DECIDING),
        {"RT_WHOLE_PROCESSES": "1"}, {"BASH_ENV": "/dev/null"}, {"BASH_FUNC_show%%": "() { echo a function; }"}, {"BASHOPTS": ""}, {"OLDPWD": "/nowhere"},
        {"SHLVL": "0"}, {"SHLVL": "x"}, {"SHLVL": "999"}, {"SHLVL": ""}, {"PATH": ".:/usr/bin"}, {"PATH": ""}, {"PATH": "bin"},
    ],
)  # fmt: skip
def test_what_changes_bash(folder: Path, more: dict[str, str]) -> None:
    if "PATH" in more:
        assert direct(folder, "show", given_to(folder) | more)[0] == ()
    else:
        assert direct(folder, "true", given_to(folder) | more) == ((), {})


def test_another_shell(folder: Path) -> None:
    environment = given_to(folder)
    commands = DirectCommands(environment, environment)
    sh = str(folder / "bin/show")
    assert commands.of((sh, "-c", "show"), str(folder), path=environment["PATH"], working_folder=None) == ((), {})


def test_a_silent_builtin_is_not_a_program_of_the_users(folder: Path) -> None:
    own = folder / "own"
    own.mkdir(exist_ok=True)
    shutil.copy(folder / "bin/show", own / "true")
    environment = given_to(folder) | {"PATH": f"{own}:/usr/bin:/bin"}
    assert direct(folder, "true", environment) == ((), {})


NAMES = st.sampled_from(
    ("PWD", "OLDPWD", "SHLVL", "_", "PS1", "SHELL", "TERM", "HOME", "IFS", "a-b", "ENV", "MAIL", "COLUMNS")
)
VALUES = st.sampled_from(("", "/", "..", "1", "7", "x", "below", "LINK", "FOLDER"))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(more=st.dictionaries(NAMES, VALUES, max_size=3), gone=st.sets(NAMES, max_size=2))
@example(more={"PWD": "LINK"}, gone=set())
def test_the_environment_is_the_one_bash_passes_on(folder: Path, more: dict[str, str], gone: set[str]) -> None:
    places = {"LINK": str(folder / "link"), "FOLDER": str(folder)}
    environment = given_to(folder) | {name: places.get(value, value) for name, value in more.items()}
    environment = {name: value for name, value in environment.items() if name not in gone}
    below = folder / "below"
    words, left = direct(below, "show", environment)
    if words:
        mine, bashs = (as_seen(without(below, words, environment | left)), as_seen(in_bash(below, "show", environment)))
        assert mine == bashs


@settings(max_examples=150)
@given(st.text("ab .$'\"\\*~#=-/;&|<>(){}[]!?`\n\t%", max_size=10))
@example("'show'\"\"")
def test_plain_commands_are_words(text: str) -> None:
    for word in plain_command(text):
        assert "\0" not in word
        assert "\n" not in word


def test_a_file_that_the_system_does_not_execute_is_left_to_bash_at_the_start(folder: Path) -> None:
    assert direct(folder, "plain", given_to(folder))[0] == (str(folder / "bin/plain"), "plain")
    with pytest.raises(OSError):
        os.execve(folder / "bin/plain", ["plain"], {})
