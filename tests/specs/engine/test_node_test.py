"""Files of node:test run directly: the tree, hooks, mocks and the summary match Node's, except for times."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import js_peers as peers
import pytest
from rig import Box, executable

PROGRAMS = sorted((Path(__file__).parent / "node_test").glob("*.*js"))
TIME = re.compile(r"\(\d+(?:\.\d+)?ms\)|duration_ms:? [\d.]+")
FRAME = re.compile(r"^ +at .*\n", re.MULTILINE)


def outcome(box: Box, command: list[str], program: Path) -> tuple[str, str, int]:
    folder = box.folder / Path(command[0]).name
    folder.mkdir()
    shutil.copy(program, folder)
    result = subprocess.run(
        [*command, program.name], cwd=folder, env=box.environment(), capture_output=True, text=True, timeout=60
    )
    said = FRAME.sub("", TIME.sub("<time>", result.stdout)).replace(str(folder), "<DIR>")
    return said, result.stderr, result.returncode


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.stem for program in PROGRAMS])
def test_reads_as_under_node(box: Box, program: Path) -> None:
    assert outcome(box, [executable()], program) == outcome(box, [peers.node()], program)


def test_files_run_as_separate_processes(box: Box) -> None:
    box.write(
        {
            "a.cjs": "const test = require('node:test'); test('one', () => {}); test('two', () => { throw new Error('x') })",
            "run.mjs": "import { run } from 'node:test';\n"
            "for await (const { type, data } of run({ files: ['a.cjs'] })) if (/pass|fail/.test(type)) console.log(type, data.name)",
        }
    )
    result = box.run("run.mjs")
    assert result.stdout.decode().splitlines() == ["test:pass one", "test:fail two"]


BAIL = """
module.exports = async function* (source) {
  for await (const { type, data } of source) {
    if (type !== 'test:fail') continue;
    yield `${data.name}\\n`;
    process.exitCode = 1;
    process.emit('SIGINT');
  }
};
"""


def test_a_reporter_can_end_the_run(box: Box) -> None:
    failing = "require('node:test')('{}', () => {{ throw new Error(); }});"
    box.write({"bail.cjs": BAIL} | {f"{name}.test.cjs": failing.format(name) for name in "abc"})
    words = ["--test", "--test-reporter=./bail.cjs", "--test-concurrency=1", "*.test.cjs"]
    for program in ([executable(), "--identity=node"], [peers.node()]):
        done = subprocess.run(
            [*program, *words], cwd=box.folder, env=box.environment(), capture_output=True, text=True, timeout=60
        )
        assert (done.stdout, done.returncode) == ("a\n", 1)


@pytest.mark.parametrize("isolation", ["none", "process"])
def test_modules_of_flags_run_after_the_global_setup_as_in_node(box: Box, isolation: str) -> None:
    box.write(
        {
            "setup.mjs": "export const globalSetup = () => console.log('setup'); export const globalTeardown = () => console.log('end');",
            "required.cjs": "console.log('required');",
            "imported.mjs": "console.log('imported');",
            "a.test.cjs": "console.log('file'); require('node:test')('a', () => console.log('test'));",
        }
    )
    words = [f"--test-isolation={isolation}", "--test", "--test-global-setup=./setup.mjs", "--test-reporter=tap"]
    words += [
        "--require=./required.cjs",
        "--import=./imported.mjs",
        "--import=data:text/javascript,console.log('data')",
    ]
    shown = []
    for program in ([executable(), "--identity=node"], [peers.node()]):
        done = subprocess.run(
            [*program, *words, "a.test.cjs"],
            cwd=box.folder,
            env=box.environment(),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        shown.append(re.findall(r"\b(?:setup|end|required|imported|data|file|test)$", done.stdout, re.MULTILINE))
    assert shown[0] == shown[1]
