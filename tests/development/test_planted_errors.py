"""The sanitizers of the debug build detect planted errors: in Rust code, in an addon, and lost memory; and no others."""

from __future__ import annotations

from pathlib import Path

import development_builds as builds
import pytest
from addon_builds import build, compiled, headers
from rig import Box

__all__ = ["build", "headers"]

# As a developer who looks for errors of an addon compiles it. The linker leaves the sanitizer's functions to the preloaded
# runtime.
INSTRUMENTED = ("-fsanitize=address", "-g", "-c")
ADDON = """
#include <stdlib.h>
#include "probe.h"
FUNCTION(overflow) {
    volatile char *bytes = malloc(16);
    for (int index = 0; index <= 16; index++) bytes[index] = 1;
    free((void *)bytes);
    return number(env, 1);
}
FUNCTION(leak) {
    volatile char *bytes = malloc(1234);
    bytes[0] = 1;
    bytes = NULL;
    return number(env, 2);
}
FUNCTION(correct) {
    volatile char *bytes = malloc(16);
    for (int index = 0; index < 16; index++) bytes[index] = 1;
    free((void *)bytes);
    return number(env, 3);
}
NAPI_MODULE_INIT() { PUT(overflow); PUT(leak); PUT(correct); return exports; }
"""
SHORT = """
import { readFileSync } from 'node:fs';
interface Row { name: string; values: number[] }
class Table { rows: Row[] = []; add(row: Row) { this.rows.push(row); return this } }
const table = new Table();
for (let index = 0; index < 1000; index++) table.add({ name: `row ${index}`, values: [index, index * 2] });
const text = JSON.parse(JSON.stringify(table));
await new Promise((done) => setTimeout(done, 1));
using server = RT.serve({ port: 0, fetch: () => new Response('hello') });
const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(server.url).then((it) => it.text())));
console.log(text.rows.length, readFileSync(import.meta.filename, 'utf8').length > 0, answers.join('').length);
"""


def in_python(folder: Path, kind: str, *, leaks: bool = False) -> str:
    """Plant an error in Rust code that Python calls; return what the sanitizers report."""
    program = folder / "plant.py"
    program.write_text(f"import os\nfrom rt_supervisor import _native\n_native.plant_error({kind!r})\nos._exit(0)\n")
    return builds.run("python", program, leaks=leaks).stderr


def addon_program(box: Box, function: str) -> str:
    """Write a program that calls a function of the instrumented addon; return its name."""
    code = compiled(box, "planted", ADDON, *INSTRUMENTED).rename(box.folder / "planted.o")
    compiled(box, "planted", "", str(code))
    name = f"{function}.cjs"
    box.write({name: f"console.log(require('./planted.node').{function}())"})
    return name


def test_a_use_after_free_in_rust_code_is_detected(tmp_path: Path) -> None:
    report = in_python(tmp_path, "use-after-free")
    assert builds.USE_AFTER_FREE in report
    assert "planted_errors.rs" in report  # the stacks have names and lines


def test_an_overflow_in_an_addon_is_detected(build: Box) -> None:
    done = builds.run("rt-debug", addon_program(build, "overflow"), cwd=build.folder)
    assert done.returncode != 0
    assert builds.OVERFLOW in done.stderr
    assert "planted.c" in done.stderr


def test_a_leak_in_an_addon_is_detected(build: Box) -> None:
    program = addon_program(build, "leak")
    done = builds.run("rt-debug", program, cwd=build.folder, leaks=True)
    assert done.returncode != 0
    assert builds.LEAK in done.stderr
    assert "1234 byte" in done.stderr
    assert builds.is_clean(builds.run("rt-debug", program, cwd=build.folder))  # the search is opt-in


def test_a_correct_addon_is_not_reported(build: Box) -> None:
    program = addon_program(build, "correct")
    for leaks in (False, True):
        done = builds.run("rt-debug", program, cwd=build.folder, leaks=leaks)
        assert builds.is_clean(done), done.stderr
        assert done.stdout == "3\n"


def test_a_leak_in_rust_code_is_detected(tmp_path: Path) -> None:
    report = in_python(tmp_path, "leak", leaks=True)
    assert builds.LEAK in report
    assert "planted_errors.rs" in report
    assert in_python(tmp_path, "leak") == ""


@pytest.mark.parametrize("name", ["short.ts", "short.mts"])
def test_a_short_program_has_no_leaks(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(SHORT)
    for _ in range(2):  # without and with a cached start
        done = builds.run("rt-debug", name, cwd=tmp_path, leaks=True)
        assert builds.is_clean(done), done.stderr
        assert done.stdout == "1000 true 100\n"
