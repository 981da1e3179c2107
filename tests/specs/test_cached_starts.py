"""A cached start that the launcher executes without Python is what Python would decide now, after changes of every
input.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from asking import (
    PARTS,
    SHELL,
    SHOW,
    SURROUNDINGS,
    Asker,
    appear,
    differences_after,
    edit,
    needs_launcher,
    part_of,
    relink,
    remove,
    renew,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rig import Box, executable

pytestmark = needs_launcher


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    (tmp_path / "box").mkdir()
    made = Box(tmp_path / "box")
    write_files(made)
    yield made
    made.close()


def write_files(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "outer", "version": "1.0.0", "scripts": {"show": f"echo outer; {SHOW}"}},
            "app/package.json": {
                "name": "app",
                "version": "2.0.0",
                "config": {"port": 1},
                "scripts": {
                    "show": SHOW,
                    "preshow": "echo before",
                    "fails": "exit 7",
                    "killed": "kill -USR1 $$",
                    "direct": "tool 'a b'",
                    "no": "echo )",
                },
            },
            "app/node_modules/.bin/tool": "#!/bin/sh\necho tool of app $*\n",
            "node_modules/.bin/tool": "#!/bin/sh\necho outer tool $*\n",
            "first/other": "#!/bin/sh\necho other\n",
        }
    )
    (box.folder / "first/other").chmod(0o755)


CHANGES: dict[str, Callable[[Asker], object]] = SURROUNDINGS | {
    "a script changes": lambda a: edit(a, "app/package.json", "pwd", "pwd; echo more"),
    "a script changes and its file has the old time and size": lambda a: edit(
        a, "app/package.json", "before", "BEFORE", keep_time=True
    ),
    "a hook comes": lambda a: edit(a, "app/package.json", '"preshow"', '"postshow"'),
    "the version changes": lambda a: edit(a, "app/package.json", "2.0.0", "3.0.0"),
    "the file breaks": lambda a: edit(a, "app/package.json", "{", "{{"),
    "the file goes": lambda a: remove(a, "app/package.json"),
    "the file becomes a link": lambda a: relink(a, "app/package.json", "package.json"),
    "a config comes": lambda a: appear(a, "app/rtfig.toml", "[run]\nsilent = true\n"),
    "a broken config comes": lambda a: appear(a, "app/rtfig.toml", "[run\n"),
    "a link to no config comes": lambda a: relink(a, "app/rtfig.toml", "nowhere"),
    "the config goes": lambda a: remove(a, "app/rtfig.toml"),
    "what is no shell comes first on PATH": lambda a: appear(a, "first/bash", SHELL, 0o644),
    "the binary goes": lambda a: remove(a, "app/node_modules/.bin/tool"),
    "the binary may not be executed": lambda a: (
        (a.app / "node_modules/.bin/tool").exists() and (a.app / "node_modules/.bin/tool").chmod(0o644)
    ),
    "the binary becomes a link": lambda a: relink(a, "app/node_modules/.bin/tool", "first/other"),
    "the binary has another first line": lambda a: edit(a, "app/node_modules/.bin/tool", "#!/bin/sh\n", ""),
    "a file of the name comes": lambda a: appear(a, "app/tool.sh", "echo a file\n"),
    "npm_execpath is given": lambda a: a.variables.update(npm_execpath="/else"),
    "options are given": lambda a: a.variables.update(RT_OPTIONS="--silent"),
    "the shell reads a file first": lambda a: (
        appear(a, "app/first.sh", "echo first\n"),
        a.variables.update(BASH_ENV=str(a.app / "first.sh")),
    ),
    "no shell is below": lambda a: a.variables.update(SHLVL="0"),
}
REQUESTED = (
    ("run", "direct"),
    ("run", "show"),
    ("run", "--silent", "show"),
    ("show",),
    ("run", "tool", "a b"),
    ("x", "tool"),
    ("run", "other"),
    ("run", "--shell=rt", "show"),
)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(
    "words",
    [("run", "show"), ("run", "tool", "a b"), ("run", "direct"), ("run", "--shell=rt", "show")],
    ids=" ".join,
)
def test_one_thing_changes(box: Box, words: tuple[str, ...], part: int) -> None:
    assert differences_after(part_of(CHANGES, part), Asker(box, *words), write_files) == {}


@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(REQUESTED), st.lists(st.sampled_from(sorted(CHANGES)), min_size=2, max_size=5))
def test_one_thing_changes_after_the_other(box: Box, words: tuple[str, ...], changes: list[str]) -> None:
    renew(box, write_files)
    asker = Asker(box, *words)
    for change in [None, *changes]:
        if change is not None:
            CHANGES[change](asker)
        decided = asker.run_uncached()
        for _ in range(2):
            assert asker.run() == decided


def test_an_irrelevant_variable_keeps_the_cached_start(box: Box) -> None:
    asker = Asker(box, "run", "show")
    asker.await_stored()
    stored = asker.stored()
    asker.variables["NO_MEANING"] = "1"  # passed on nevertheless
    assert b"NO_MEANING=1" in asker.run()[1]
    assert asker.stored() == stored


@pytest.mark.parametrize(
    "words",
    [
        ("run", "fails"),
        ("run", "killed"),
        ("run", "--silent", "killed"),
        ("run", "nothing"),
        ("run", "--shell=rt", "fails"),
        ("run", "--shell=rt", "killed"),
    ],
)
def test_ends_are_the_same(box: Box, words: tuple[str, ...]) -> None:
    asker = Asker(box, *words)
    first = asker.run()
    if words[-1] != "nothing":
        asker.await_stored()
    assert asker.run() == first == asker.run_uncached()


@pytest.mark.parametrize(
    "words", [("run", "--rt", "show"), ("run", "--env-file=e", "show"), ("run", "--shell=rt", "no")]
)
def test_starts_with_other_inputs_are_never_cached(box: Box, words: tuple[str, ...]) -> None:
    box.write({"app/e": "A=$HOME\n"})
    asker = Asker(box, *words)
    asker.run()
    asker.run()
    assert asker.stored() == {}


def test_without_a_node_on_path_the_start_is_cached_until_one_appears(box: Box) -> None:
    """The folder whose `node` is rt is cached: it is the same each time, and removing it does no harm."""
    box.write({"app/package.json": {"name": "app", "scripts": {"show": "node -p 6*7; echo $NODE; readlink $NODE"}}})
    tools = box.folder / "tools"
    tools.mkdir()
    for name in ("bash", "sh", "readlink"):
        (tools / name).symlink_to(shutil.which(name) or "")
    asker = Asker(box, "run", "--silent", "show")
    asker.variables["PATH"] = str(tools)
    asker.await_stored()
    first = asker.run()
    assert first == asker.run_uncached()
    stand_in = first[1].decode().split("\n")[1]
    assert stand_in.startswith(str(box.cache)) and first[1].startswith(b"42\n")
    (kept,) = (box.cache / "rt/node").iterdir()
    shutil.rmtree(kept)
    assert asker.run() == first
    (kept / "node").unlink()
    (kept / "node").symlink_to(shutil.which("true") or "")
    assert asker.run() == first
    kept.parent.chmod(0o777)
    assert str(box.cache) not in asker.run()[1].decode()
    kept.parent.chmod(0o700)
    appear(asker, "tools/node", "#!/bin/sh\necho another node\n", 0o755)
    assert asker.run()[1].startswith(b"another node\n")


def test_a_damaged_record_is_not_used(box: Box) -> None:
    asker = Asker(box, "run", "fails")
    asker.await_stored()
    (entry,) = (box.cache / "rt/starts").iterdir()
    whole, decided = entry.read_bytes(), asker.run_uncached()

    @given(st.data())
    @settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
    def check(data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(whole) - 1))
        damaged = data.draw(
            st.sampled_from([whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :], whole + b"x"])
        )
        entry.write_bytes(damaged)
        assert asker.run() == decided

    check()


@pytest.mark.parametrize("make", ["file", "folder", "link"])
def test_files_that_others_may_write_are_not_used(box: Box, make: str) -> None:
    asker = Asker(box, "run", "fails")
    asker.await_stored()
    folder = box.cache / "rt/starts"
    (entry,) = folder.iterdir()
    other = box.folder / "aside"
    if make == "file":
        entry.chmod(0o666)
    elif make == "folder":
        folder.chmod(0o777)
    else:
        shutil.copy(entry, other)
        entry.unlink()
        entry.symlink_to(other)
    traced = subprocess.run(
        [executable(), "run", "fails"],
        cwd=asker.app,
        env=box.environment(**asker.variables, PYTHONVERBOSE="", RT_DEBUG_TRACEBACK=""),
        capture_output=True,
    )
    assert traced.returncode == 7
    assert asker.run() == asker.run_uncached()


def test_the_shell_of_a_cached_start_comes_from_one_file(box: Box) -> None:
    """Its modules come from the bundle; if that is missing or changed, the cached start is invalid."""
    asker = Asker(box, "run", "--shell=rt", "--silent", "show")
    asker.await_stored()
    shown = asker.run()
    (bundle,) = (box.cache / "rt/images").glob("shell-*")
    assert any(bytes(bundle) in path.read_bytes() for path in (box.cache / "rt/starts").iterdir())

    argv = [sys.executable, "-v", "-I", "-S", str(bundle), "name", "echo one two | cat"]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "one two\n"
    assert re.search(r"import 'rt_supervisor\.shell\.parser' # .*FrozenFinder", done.stderr)
    assert not re.search(r"matches .*/rt_supervisor/shell/parser\.py", done.stderr)

    bundle.unlink()
    assert asker.run() == shown
    assert bundle.exists(), "it was not made again"
    asker.await_stored()
    bundle.write_bytes(b"print('something else')")
    assert asker.run() == shown
