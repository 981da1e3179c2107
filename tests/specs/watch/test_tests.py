"""`--watch` of tests: test files run again when they, or their dependencies, change; the reports, and the exit."""

from __future__ import annotations

import os
import signal

import pytest
from rig import Box
from watching import Watching, save

FILES = {
    "a.test.cjs": "require('./lib.cjs'); require('node:test')('a', () => {});\n",
    "b.test.mjs": "import test from 'node:test'; test('b', () => { throw new Error('b failed'); });\n",
    "lib.cjs": "exports.n = 1;\n",
}
NEW = "require('node:test')('c', () => {});\n"
ONE = "require('node:test')('one', () => {});\n"


def round_of(watching: Watching) -> str:
    """Read up to the end of a round. Return its output."""
    return watching.read_until("duration_ms ")


@pytest.mark.parametrize("isolation", ["process", "none"])
def test_affected_scripts_run_again(box: Box, isolation: str) -> None:
    box.write(FILES)
    watching = Watching(
        box, "--test", "--watch", "--test-reporter=tap", "--test-concurrency=2", f"--test-isolation={isolation}"
    )
    first = round_of(watching)
    assert "\nok 1 - a\n" in first and "\nnot ok 2 - b\n" in first and "# tests 2\n" in first
    save(box, "lib.cjs", "exports.n = 2;\n")
    again = round_of(watching)
    assert "ok 1 - a\n" in again and ("- b\n" in again) == (isolation == "none")
    (box.folder / "unrelated.txt").write_text("nobody has loaded this")
    save(box, "c.test.cjs", NEW)
    third = round_of(watching)
    assert "- c\n" in third and ("- a\n" in third) == (isolation == "none")
    (box.folder / "lib.cjs").unlink()
    gone = round_of(watching)
    assert "Cannot find module './lib.cjs'" in gone and ("- c\n" in gone) == (isolation == "none")
    (box.folder / "c.test.cjs").unlink()  # starts nothing
    save(box, "lib.cjs", "exports.n = 3;\n")
    mended = round_of(watching)
    assert "- a\n" in mended and "- c\n" not in mended
    assert watching.end(signal.SIGINT) == 1  # a round has failed
    assert "Interrupted" not in watching.seen and "# tests 0\n" in watching.seen
    box.await_nothing_left()


def test_only_given_files_and_global_setup_once(box: Box) -> None:
    box.write(
        {
            "one.cjs": ONE,
            "setup.cjs": "exports.globalSetup = () => { console.log('set up'); setInterval(() => {}, 1e9); };\n"
            "exports.globalTeardown = () => { console.log('torn down'); };\n",
        }
    )
    watching = Watching(box, "--test", "--watch", "--test-global-setup=setup.cjs", "one.cjs")
    assert "set up" in round_of(watching)
    save(box, "two.test.cjs", NEW)  # not a file of this run
    save(box, "one.cjs", ONE + "\n")
    reported = round_of(watching)
    assert "Restarted at " in reported and "one" in reported and "set up" not in reported and "torn" not in reported
    assert watching.end(signal.SIGTERM) == 0
    assert "torn down" in watching.seen


def test_a_running_file_is_ended_and_run_again(box: Box) -> None:
    endless = "require('node:test')('endless', async () => { require('node:fs').readFileSync('ready'); await new Promise(() => setInterval(() => {}, 1e9)); });\n"
    box.write({"a.test.cjs": endless})
    os.mkfifo(box.folder / "ready")
    watching = Watching(box, "--test", "--watch")
    (box.folder / "ready").write_text("")  # waits until the test runs
    save(box, "a.test.cjs", ONE)
    reported = round_of(watching)
    assert "✖ a.test.cjs" in reported and "✔ one" in reported
    save(box, "a.test.cjs", endless)
    (box.folder / "ready").write_text("")
    assert watching.end(signal.SIGINT) == 1
    assert "Interrupted while running:" in watching.seen
    box.await_nothing_left()


def test_events_of_run_until_it_is_aborted(box: Box) -> None:
    box.write(
        {
            **FILES,
            "run.mjs": "import { run } from 'node:test'; import fs from 'node:fs';\n"
            "const controller = new AbortController(); const reported = []; let rounds = 0;\n"
            "const stream = run({ files: ['a.test.cjs'], watch: true, signal: controller.signal });\n"
            "for await (const { type, data } of stream) {\n"
            "  if (/watch|summary|pass/.test(type)) reported.push(type !== 'test:summary' ? type : data.file === undefined ? data.counts.tests : 'file');\n"
            "  if (type !== 'test:watch:drained') continue;\n"
            "  if (++rounds === 2) controller.abort(); else fs.writeFileSync('lib.cjs', 'exports.n = 5;');\n"
            "}\n"
            "console.log(reported.join(' '));\n"
            "for (const options of [{ forceExit: true }, { shard: { index: 1, total: 2 } }, { randomize: true }])\n"
            "  try { run({ ...options, watch: true }); } catch (error) { console.log(error.code); }\n",
        }
    )
    done = box.run("run.mjs")
    assert done.stdout.decode().splitlines() == [
        "test:pass file test:watch:drained 1 test:watch:restarted test:pass file test:watch:drained 1 0",
        *["ERR_INVALID_ARG_VALUE"] * 3,
    ]
