"""`--test` compared with Node: selected files and tests, output formats, and the exit status."""

from __future__ import annotations

import re
import subprocess

import js_peers as peers
import pytest
from rig import Box, executable

FILES = {
    "sum.test.js": """
const { test, describe, it, before, after } = require('node:test');
const assert = require('node:assert');
describe('sums', () => {
  before(() => console.log('before'));
  it('of two', () => assert.strictEqual(1 + 1, 2));
  it('is wrong', () => assert.strictEqual(1 + 1, 3));
  it.skip('is left out', () => {});
  it.todo('is to come', () => { throw new Error('not yet'); });
});
test('parents', async (t) => {
  t.diagnostic('said');
  await t.test('child', () => {});
  await t.test('other child', { skip: 'why not' }, () => {});
});
test('only one', { only: true }, () => {});
test('to fail', { expectFailure: true }, () => { throw new Error('as it should'); });
""",
    "test/deep/part.mjs": "import { test } from 'node:test';\ntest('deep one', () => {});\ntest('slow', (t, done) => setTimeout(done, 400));\n",
    "broken_test.cjs": "throw new Error('at once');\n",
    "empty-test.js": "console.log('no tests here');\n",
    "notes.js": "throw new Error('no test');\n",
    "node_modules/x/test.js": "throw new Error('not ours');\n",
}
UNLIKE = re.compile(
    r"^ *(?:duration_ms|location|stack|code|name|failureType|error|operator|expected|actual|exitCode|signal): .*\n(?: {6,}.*\n)*",
    re.M,
)
TIMES = re.compile(r"duration_ms [\d.]+")


def outcome(box: Box, command: str, *arguments: str) -> tuple[str, int]:
    result = subprocess.run(
        [command, "--test", "--test-reporter=tap", *arguments],
        cwd=box.folder,
        env=box.environment(),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        text=True,
    )
    assert "bug in rt" not in result.stderr
    reported = [
        line for line in result.stdout.splitlines(True) if not line.startswith(("#     at", "#   at", "# Node.js"))
    ]
    return TIMES.sub("duration_ms", UNLIKE.sub("", "".join(reported))), result.returncode


@pytest.mark.parametrize(
    "arguments",
    [
        ("sum.test.js", "test/deep/part.mjs", "empty-test.js"),
        ("--test-name-pattern=of two", "--test-name-pattern=/DEEP/i", "sum.test.js", "test/**/*.mjs"),
        (
            "--test-skip-pattern=wrong",
            "--test-skip-pattern",
            "is to come",
            "--test-shard=2/2",
            "sum.test.js",
            "empty-test.js",
        ),
        ("--test-only", "sum.test.js"),
        ("--test-isolation=none", "sum.test.js", "test/deep/part.mjs"),
        ("--test-timeout=200", "test/deep/part.mjs"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_runs_and_reports_as_in_node(box: Box, arguments: tuple[str, ...]) -> None:
    box.write(FILES)
    assert outcome(box, executable(), *arguments) == outcome(box, peers.node(), *arguments)


def test_finds_test_files_by_name(box: Box) -> None:
    box.write(FILES)
    reported, status = outcome(box, executable())
    points = [line for line in reported.splitlines() if line.startswith(("ok", "not ok"))]
    assert status == 1
    assert [point.split(" - ")[1] for point in points] == [
        "broken_test.cjs",
        "empty-test.js",
        "sums",
        "parents",
        "only one",
        "to fail # EXPECTED FAILURE",
        "deep one",
        "slow",
    ]


def test_several_reporters_with_separate_destinations(box: Box) -> None:
    box.write(FILES)
    box.write(
        {
            "short.mjs": "export default async function* (events) { for await (const { type } of events) if (type === 'test:pass') yield '+'; }\n"
        }
    )
    done = box.run(
        "--test", "--test-reporter=./short.mjs", "--test-reporter-destination=stdout",
        "--test-reporter=junit", "--test-reporter-destination=out.xml", "test/deep/part.mjs",
    )  # fmt: skip
    assert (done.stdout, done.returncode) == (b"++", 0)
    assert '<testcase name="deep one"' in (box.folder / "out.xml").read_text()


def test_bad_values_are_errors(box: Box) -> None:
    box.write(FILES)
    for arguments, words in {
        ("--test", "--test-timeout=soon"): b"--test-timeout must be a number, not 'soon'",
        (
            "--test",
            "--test-coverage-lines=101",
        ): b'The value of "--test-coverage-lines" is out of range. It must be >= 0 && <= 100.',
        ("--test", "--test-isolation=thread"): b"--test-isolation must be process or none",
        ("--test", "nothing-there.js"): b"Could not find 'nothing-there.js'",
    }.items():
        done = box.run(*arguments)
        assert (done.returncode, words in done.stderr) == (1, True), done.stderr


def test_a_snapshot_in_a_separate_folder(box: Box) -> None:
    box.write(
        {"a.test.cjs": "require('node:test')('a', (t) => t.assert.fileSnapshot({ n: 1 }, 'made/here/a.json'));\n"}
    )
    assert box.run("a.test.cjs").returncode == 1
    assert box.run("--test-update-snapshots", "a.test.cjs").returncode == 0
    assert (box.folder / "made/here/a.json").read_text() == '{\n  "n": 1\n}'
    assert box.run("a.test.cjs").returncode == 0


@pytest.mark.parametrize("flags", [("--test", "--test-isolation=none"), ("--test",), ()], ids=" ".join)
def test_an_error_of_the_global_setup_ends_the_run(box: Box, flags: tuple[str, ...]) -> None:
    box.write(
        {
            "setup.cjs": "exports.globalSetup = () => { throw new Error('not ready'); };\n",
            "a.test.cjs": "require('node:test')('never', () => console.log('ran'));\n",
        }
    )
    done = box.run(*flags, "--test-global-setup=setup.cjs", "a.test.cjs")
    assert done.returncode == 1
    assert b"not ready" in done.stderr and b"ran" not in done.stdout
