"""Ctrl-C while `--test` runs files: the reporters list the running ones, their processes end, and the run fails."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from rig import Box, executable

NEVER = """
const { test } = require('node:test');
test('quick', () => {});
test('endless', async () => {
  require('node:fs').writeFileSync('running', `${process.pid}`);
  await new Promise((done) => setTimeout(done, 1e9));
});
"""


def interrupt_run(box: Box, reporter: str) -> tuple[str, int]:
    box.write({"never.test.js": NEVER, "other.test.js": "require('node:test')('other', () => {});\n"})
    os.mkfifo(box.folder / "running")
    with subprocess.Popen(
        [executable(), "--test", f"--test-reporter={reporter}", "--test-concurrency=1"],
        cwd=box.folder,
        env=box.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as run:
        child = int((box.folder / "running").read_text())  # waits until the test runs
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
        assert err == b""
    assert not Path(f"/proc/{child}").exists()
    return out.decode(), run.returncode


@pytest.mark.parametrize("reporter", ["tap", "spec"])
def test_running_tests_are_reported(box: Box, reporter: str) -> None:
    out, status = interrupt_run(box, reporter)
    assert status == 1
    file = box.folder / "never.test.js"
    if reporter == "tap":
        assert f"# Interrupted while running: {file} at {file}:1:1\n" in out
    else:
        assert f"\nInterrupted while running:\n\n⚠ {file} (never.test.js:1:1)\n" in out
    assert "cancelled 1\n" in out
    assert "other" not in out


def test_settings_of_a_run_are_shown_on_request(box: Box) -> None:
    box.write({"a.test.js": "require('node:test')('a', () => {});\n"})
    for flags, said in (
        (["--test-concurrency=2"], "concurrency: 2,"),
        (["--test-concurrency=2", "--test-isolation=none"], "concurrency: 1,"),
        ([], "timeout: Infinity,"),
        (["--test-timeout=10000"], "timeout: 10000,"),
    ):
        result = subprocess.run(
            [executable(), "--test", *flags],
            cwd=box.folder,
            env={**box.environment(), "NODE_DEBUG": "test_runner"},
            capture_output=True,
            check=True,
        )
        assert said in result.stderr.decode()
