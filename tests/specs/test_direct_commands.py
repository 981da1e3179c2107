"""A command without shell syntax is executed without a shell, with no visible difference but time."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from rig import Box

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
SHOW = "#!/bin/sh\necho $0 $*\nenv | grep -v -e ^_RT_ -e ^RT_SCRIPT_CHAIN -e ^npm_lifecycle -e RT_WHOLE | sort\n"
COMMANDS = {
    "found": "show 'a b' c",
    "given by path": "./bin/show x",
    "missing": "missing x",
    "missing by path": "./missing",
    "not executable": "./package.json",
    "a folder": "./bin",
    "without a first line": "plain x",
    "with a missing interpreter": "lost",
    "no program": "noise",
    "ended by a signal": "killed",
    "with a status": "false",
}


@pytest.fixture
def project(box: Box) -> Box:
    scripts = dict(COMMANDS)
    # Two commands in one text: bash stays, whatever each of them is.
    box.write(
        {"package.json": {"scripts": scripts | {f"{name} in bash": f"{text};" for name, text in COMMANDS.items()}}}
    )
    files = {
        "show": SHOW,
        "plain": "echo no first line $*\n",
        "lost": "#!/no/where\n",
        "noise": "\x7fELF and no more",
        "killed": "#!/bin/sh\nkill -TERM $$\n",
    }
    for name, text in files.items():
        path = box.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    return box


def run(box: Box, *words: str) -> tuple[int, str, str]:
    path = f"{box.folder / 'bin'}:{box.environment()['PATH']}"
    done = box.run(*words, environment={"PATH": path, "SHLVL": "1"})
    words_of_rt = re.compile(r" in bash|\d+ms")
    return done.returncode, words_of_rt.sub("", done.stdout.decode()), words_of_rt.sub("", done.stderr.decode())


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("flags", [(), ("--sequential",)], ids=["single", "several"])
def test_the_visible_result_is_that_of_a_shell(project: Box, name: str, flags: tuple[str, ...]) -> None:
    direct = run(project, "run", "--silent", *flags, name)
    shell = run(project, "run", "--silent", *flags, f"{name} in bash")
    assert direct == shell


def test_no_shell_is_started(project: Box) -> None:
    Path(project.folder / "bin/parent").write_text("#!/bin/sh\nreadlink /proc/$PPID/exe\n")
    Path(project.folder / "bin/parent").chmod(0o755)
    project.write({"package.json": {"scripts": {"direct": "parent", "shell": "parent; true"}}})
    assert "bash" not in run(project, "run", "--silent", "direct")[1]
    assert "bash" in run(project, "run", "--silent", "shell")[1]
