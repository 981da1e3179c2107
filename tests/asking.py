"""Runs the same rt command repeatedly while its inputs change, with and without the launcher's cache."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rig import Box, executable, wait_until

needs_launcher = pytest.mark.skipif(
    Path(executable()).read_bytes()[:4] != b"\x7fELF", reason="rt is installed without its launcher"
)
SHOW = "env | grep -v -e ^_= -e ^_RT_ -e RT_NO_START_CACHE | sort; pwd"  # a script that prints all of its arguments
SHELL = "#!/bin/sh\necho this is no shell\n"
SETTLES_S = 0.03  # rt does not cache a start that read files modified up to 20 ms before it
PARTS = 3  # of the changes, for several processes


class Asker:
    """Runs the same rt command repeatedly, in `app` or another folder of the box."""

    def __init__(self, box: Box, *words: str, folder: str = "app") -> None:
        self.box = box
        self.words = words
        self.app = box.folder / folder
        self.variables = {"PATH": f"{box.folder / 'first'}:{box.environment()['PATH']}", "SHLVL": "1"}

    def run(self, **more: str) -> tuple[int, bytes, bytes]:
        done = self.box.run(*self.words, cwd=self.app, environment={**self.variables, **more})
        return done.returncode, done.stdout, done.stderr

    def run_uncached(self) -> tuple[int, bytes, bytes]:
        return self.run(RT_NO_START_CACHE="1")

    def stored(self) -> dict[str, int]:
        folder = self.box.cache / "rt/starts"
        return {entry.name: entry.stat().st_ino for entry in folder.iterdir()} if folder.is_dir() else {}

    def await_stored(self) -> None:
        """Run until the start is cached."""
        time.sleep(SETTLES_S)  # otherwise the first start would be in vain

        def is_repeated() -> bool:
            self.run()
            before = self.stored()
            self.run()
            return bool(before) and self.stored() == before

        wait_until(is_repeated, "an answer that is kept")


def part_of(changes: dict[str, Callable[[Asker], object]], part: int) -> dict[str, Callable[[Asker], object]]:
    return {name: changes[name] for name in list(changes)[part::PARTS]}


def differences_after(
    changes: dict[str, Callable[[Asker], object]],
    asker: Asker,
    write_files: Callable[[Box], None],
    outcome: Callable[..., object] = Asker.run,
) -> dict[str, tuple[object, object]]:
    """Make each change where the start is cached, in a folder with only the files of `write_files`; return the changes after
    which the outcome is not that of a start without a cache, with both outcomes.
    """
    given = asker.variables
    found = {}
    for name, change in {"nothing changes": lambda asker: None, **changes}.items():
        renew(asker.box, write_files)
        asker.variables = dict(given)
        asker.await_stored()
        change(asker)
        cached, decided = outcome(asker), outcome(asker, RT_NO_START_CACHE="1")
        if cached != decided:
            found[name] = (cached, decided)
    return found


def renew(box: Box, write_files: Callable[[Box], None]) -> None:
    """Replace the contents of the box's folder. The path stays, and with it the start images, which depend on HOME."""
    shutil.rmtree(box.folder)
    box.folder.mkdir()
    write_files(box)


def appear(asker: Asker, name: str, text: str = "", mode: int = 0o644) -> None:
    path = asker.box.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def edit(asker: Asker, name: str, old: str, new: str, *, keep_time: bool = False) -> None:
    path = asker.box.folder / name
    if not path.exists():
        return
    about = path.stat()
    path.write_text(path.read_text().replace(old, new))
    if keep_time:
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def remove(asker: Asker, name: str) -> None:
    (asker.box.folder / name).unlink(missing_ok=True)


def relink(asker: Asker, name: str, target: str) -> None:
    remove(asker, name)
    (asker.box.folder / name).symlink_to(asker.box.folder / target)


# Changes around a run: the environment, and the programs on PATH.
SURROUNDINGS: dict[str, Callable[[Asker], object]] = {
    "PATH changes": lambda a: a.variables.update(PATH=a.box.environment()["PATH"]),
    "colours are wanted": lambda a: a.variables.update(FORCE_COLOR="1"),
    "colours are not wanted": lambda a: a.variables.update(FORCE_COLOR="0"),
    "the user agent is given": lambda a: a.variables.update(npm_config_user_agent="somebody"),
    "a chain of scripts led here": lambda a: a.variables.update(RT_SCRIPT_CHAIN="/a\tb"),
    "a variable of no meaning": lambda a: a.variables.update(NO_MEANING="1"),
    "a function is given": lambda a: a.variables.update({"BASH_FUNC_tool%%": "() { echo a function; }"}),
    "the shell says what it does": lambda a: a.variables.update(SHELLOPTS="verbose"),
    "another level of shells": lambda a: a.variables.update(SHLVL="3"),
    "another working folder is named": lambda a: a.variables.update(PWD=str(a.box.folder)),
    "an outer package": lambda a: a.variables.update(npm_package_config_x="1", npm_lifecycle_event="outer"),
    "a language": lambda a: a.variables.update(LANG="C"),
    "a shell comes first on PATH": lambda a: appear(a, "first/bash", SHELL, 0o755),
    "a node comes": lambda a: appear(a, "first/node", SHELL, 0o755),
    "an rt comes": lambda a: appear(a, "first/rt", SHELL, 0o755),
}
