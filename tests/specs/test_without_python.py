"""A program that requires nothing of Python runs without it, and behaves the same as with it, whatever it does and
however it ends.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from programs_without_python import (
    CHILDREN,
    COMMONJS,
    CRYPTO,
    NAMES,
    NETWORK,
    PLACES,
    PROGRAMS,
    PROJECT,
    SIGNALS,
    SYSTEM,
    TELLS_HOW,
    USUAL,
    ZLIB,
)
from rig import Box, executable

pytestmark = pytest.mark.skipif(
    Path(executable()).read_bytes()[:4] != b"\x7fELF", reason="rt is installed without its launcher"
)
LAST = 4  # the first start creates an image, the second caches the start, the third may record that Python was needed


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    made = Box(tmp_path_factory.mktemp("box"))
    made.write(PROJECT)
    yield made
    made.close()


def normal(text: bytes) -> bytes:
    return re.sub(rb"localhost:\d+", b"localhost:PORT", text)


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_as_with_python(box: Box, name: str) -> None:
    runs = runs_of(box, f"{re.sub(r'[^a-z]', '_', name)}.ts", PROGRAMS[name])
    if name == "killed":
        assert runs[0][0] == -signal.SIGTERM


@pytest.mark.parametrize("name", ("places", "crypto"))
def test_errors_are_as_with_python(box: Box, name: str) -> None:
    """Both end with an uncaught error."""
    programs = {"places": PLACES + "(() => { shipped() })()\n", "crypto": CRYPTO}
    assert runs_of(box, f"last_{name}.ts", programs[name])[0][0] == 1


@pytest.mark.parametrize("file", COMMONJS)
def test_commonjs_is_as_with_python(box: Box, file: str) -> None:
    runs = runs_of(box, file, COMMONJS[file])
    assert runs[0][1] or file in ("throws.cjs", "imports what throws.mjs")


def runs_of(box: Box, file: str, program: str) -> list[tuple[int, bytes, bytes]]:
    """Run a program with Python, then until its cached start has settled: all runs are the same."""
    box.write({file: program + "\n"})
    set_old_times(box.folder / file)
    runs = []
    for number in range(LAST + 1):
        asked = {"RT_NO_START_CACHE": "1"} if number == 0 else {}
        with open(box.folder / "given.txt") as given:
            run = box.run(f"./{file}", "one", "--two", stdin=given, environment={"GIVEN": "yes", **asked})
        runs.append((run.returncode, normal(run.stdout), normal(run.stderr)))
    assert runs[1:] == [runs[0]] * LAST
    return runs


def set_old_times(path: Path) -> None:
    """Set a file's times back: rt does not cache what has just changed."""
    os.utime(path, (1_700_000_000, 1_700_000_000))


def test_python_is_not_there(box: Box) -> None:
    box.write({"how.ts": TELLS_HOW})
    set_old_times(box.folder / "how.ts")
    reported = [box.run("./how.ts").stdout.decode().strip() for _ in range(LAST + 1)]
    assert reported[0] == "with Python" and reported[-1] == "without Python"
    assert box.run("./how.ts", environment={"RT_NO_START_CACHE": "1"}).stdout == b"with Python\n"
    assert box.run("./how.ts", environment={"RT_NO_START_CACHE": "1"}).stdout == b"with Python\n"


def test_variables_that_change_how_files_are_read_need_no_python(box: Box) -> None:
    box.write(
        {
            "how.ts": "import { shared } from 'shared'; console.log(shared); require('./b.cjs');\n" + TELLS_HOW,
            "b.cjs": "console.log(require('shared').shared)",
            "folder/shared/package.json": '{"main": "index.js"}',
            "folder/shared/index.js": "exports.shared = 'found'",
        }
    )
    set_old_times(box.folder / "how.ts")
    variables = {"NODE_PATH": "/nowhere::folder", "NODE_COMPILE_CACHE": "cache", "NODE_DEBUG_NATIVE": "compile_cache"}
    runs = [box.run("./how.ts", environment=variables) for _ in range(LAST + 1)]
    lines = [run.stdout.decode().splitlines() for run in runs]
    assert all(printed[:2] == ["found", "found"] for printed in lines)
    assert lines[-1] == ["found", "found", "without Python"]
    assert b"reading cache from" in runs[-1].stderr
    assert b"was accepted" in runs[-1].stderr
    disabled = box.run("./how.ts", environment={**variables, "NODE_DISABLE_COMPILE_CACHE": ""})
    assert disabled.stdout.decode().splitlines() == lines[-1]
    assert disabled.stderr == b"[compile cache] Disabled by NODE_DISABLE_COMPILE_CACHE.\n"


def test_python_is_not_there_for_what_is_usual(box: Box) -> None:
    programs = {
        "how.cjs": COMMONJS["required.cjs"]
        + TELLS_HOW.replace("import { ", "const { ").replace("} from 'node:fs'", "} = require('fs')"),
        "how.mjs": COMMONJS["imports.mjs"] + TELLS_HOW,
        "how_later.ts": PROGRAMS["imports in order"] + TELLS_HOW,
        "usual.mjs": USUAL + TELLS_HOW,
        "cached.mjs": "import { enableCompileCache, getCompileCacheDir } from 'node:module'\n"
        "console.log(enableCompileCache('cached'), getCompileCacheDir())\nimport main from 'main'\n"
        "console.log(main(), await import('./lib/own.ts'))\n" + TELLS_HOW,
        "system.mjs": SYSTEM + TELLS_HOW,
        "children.mjs": CHILDREN + TELLS_HOW,
        "signals.mjs": SIGNALS + TELLS_HOW,
        "names.mjs": NAMES + TELLS_HOW,
        "places.ts": PLACES + TELLS_HOW,
        "zlib.mjs": ZLIB + TELLS_HOW,
        "network.mjs": NETWORK + TELLS_HOW,
        "crypto.ts": CRYPTO.rpartition("crypto.hkdf(")[0] + TELLS_HOW,
    }
    for file, program in programs.items():
        box.write({file: program})
        set_old_times(box.folder / file)
        reported = [box.run(f"./{file}").stdout.decode().splitlines() for _ in range(LAST + 1)]
        assert reported[0][-1] == "with Python" and reported[-1][-1] == "without Python"
        assert reported[0][:-1] == reported[-1][:-1]
    assert len(list(box.folder.glob("cached/*/*"))) >= 1


def test_python_is_not_there_for_a_package_that_a_project_lacks(box: Box) -> None:
    """Programs try optional packages; if other packages are installed, none is downloaded."""
    program = (
        "const { readdirSync, readlinkSync } = require('node:fs')\n"
        "for (const name of ['gone', '@s/gone', 'there/gone']) try { require(name) } catch (e) { console.log(e.code, e.requireStack.length) }\n"
        + TELLS_HOW.partition("\n")[2].partition("\n")[2]
    )
    box.write({"how.cjs": program, "node_modules/there/index.js": ""})
    set_old_times(box.folder / "how.cjs")
    reported = [
        box.run("./how.cjs", environment={"RT_NO_INSTALL": ""}).stdout.decode().splitlines() for _ in range(LAST + 1)
    ]
    assert (reported[0][-1], reported[-1][-1]) == ("with Python", "without Python")
    assert reported[0][:-1] == reported[-1][:-1] == ["MODULE_NOT_FOUND 1"] * 3


@pytest.mark.parametrize("body", ["setInterval(() => {}, 1e6)", "for (;;);"])
def test_a_signal_starts_the_debugger(box: Box, body: str) -> None:
    """An idle program, or one in an endless loop: Python is started while JavaScript is interrupted."""
    file = "idle.mjs" if "set" in body else "busy.mjs"
    box.write({file: f"{TELLS_HOW}\nif (process.argv.length === 2) {{ {body} }}\n"})
    set_old_times(box.folder / file)
    for _ in range(LAST + 1):
        box.run(f"./{file}", "leave")
    program = box.start(f"./{file}")
    assert program.stdout is not None and program.stderr is not None
    assert program.stdout.readline() == b"without Python\n"
    program.send_signal(signal.SIGUSR1)
    said = program.stderr.readline()
    assert b"inspector" in said, said + program.stderr.read()  # it listens, or another process has the port


def test_the_engine_is_created_late_if_it_cannot_be_created_early(box: Box) -> None:
    box.write({"early.mjs": f"{TELLS_HOW}\nconsole.log(1)"})
    set_old_times(box.folder / "early.mjs")
    reported = [box.run("./early.mjs").stdout for _ in range(LAST + 1)]
    assert reported[-1] == b"without Python\n1\n"
    for snapshot in list(box.cache.rglob("*.snapshot")):
        snapshot.unlink()
    reported = [box.run("./early.mjs").stdout for _ in range(LAST)]
    assert (reported[0], reported[-1]) == (b"with Python\n1\n", b"without Python\n1\n")


def test_programs_that_always_need_python_start_with_it(box: Box) -> None:
    needs = TELLS_HOW + "RT.TOML.parse('a = 1')\n"
    box.write({"needs.ts": needs})
    set_old_times(box.folder / "needs.ts")
    reported = [box.run("./needs.ts").stdout.decode().strip() for _ in range(6)]
    assert "without Python" in reported and reported[-2:] == ["with Python"] * 2
    box.write({"needs.ts": needs + "// changed\n"})
    os.utime(box.folder / "needs.ts", (1_700_000_001, 1_700_000_001))
    assert box.run("./needs.ts").stdout == b"without Python\n"


def test_a_reader_that_goes_away_ends_it(box: Box) -> None:
    box.write({"endless.ts": "for (;;) console.log('a line of some length')\n"})
    set_old_times(box.folder / "endless.ts")
    outcomes = [box.in_bash("$RT ./endless.ts | head -n 1; echo ${PIPESTATUS[0]}").stdout for _ in range(LAST)]
    assert outcomes == [outcomes[0]] * LAST
