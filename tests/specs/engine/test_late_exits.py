"""What still runs after an unhandled rejection, and after the reader of standard output has exited."""

from __future__ import annotations

import subprocess

import pytest
from rig import Box, executable

EXIT = "process.on('exit', (code) => console.log('exit', code)); process.on('beforeExit', () => console.log('beforeExit'));"
# name -> program, its output, its status, its error output
REJECTIONS = {
    "in a timer": (
        "setTimeout(() => { Promise.reject(new Error('late')); console.log('after'); process.nextTick(() => console.log('tick')) }, 5); setTimeout(() => console.log('on'), 20)",
        "after\ntick\non\nexit 0\n", 1, ["late"],
    ),
    "two of them": (
        "setTimeout(() => { Promise.reject(new Error('one')); Promise.reject('two') }, 1); setTimeout(() => Promise.reject(new Error('three')), 10)",
        "exit 0\n", 1, ["one", "two", "three"],
    ),
    "with a status of the program's own": ("process.exitCode = 7; setTimeout(() => Promise.reject(new Error('late')), 1)", "exit 7\n", 1, ["late"]),
    "before process.exit(5)": ("setTimeout(() => Promise.reject(new Error('late')), 1); setTimeout(() => process.exit(5), 10)", "exit 5\n", 5, ["late"]),
    "before an exception": ("setTimeout(() => Promise.reject(new Error('late')), 1); setTimeout(() => { throw new Error('thrown') }, 10)", "exit 1\n", 1, ["late", "thrown"]),
    "while the main module waits": (
        "await null; (async () => { throw new Error('late') })(); await new Promise((done) => setTimeout(done, 5)); console.log('on')",
        "on\nexit 0\n", 1, ["late"],
    ),
    "while the main module runs": ("Promise.reject(new Error('early')); setTimeout(() => console.log('never'), 1); console.log('after')", "after\nexit 1\n", 1, ["early"]),
    "that somebody hears of": ("process.on('unhandledRejection', () => console.log('heard')); setTimeout(() => Promise.reject(1), 1)", "heard\nbeforeExit\nexit 0\n", 0, []),
}  # fmt: skip


@pytest.mark.parametrize("name", REJECTIONS)
def test_a_rejection(box: Box, name: str) -> None:
    program, printed, status, said = REJECTIONS[name]
    box.write({"a.mjs": f"{EXIT} {program}"})
    done = box.run("a.mjs")
    assert (done.stdout.decode(), done.returncode) == (printed, status)
    assert [
        line.removeprefix("error: ") for line in done.stderr.decode().splitlines() if line.startswith("error: ")
    ] == said


@pytest.mark.parametrize(("mode", "on", "status"), [("strict", True, 1), ("throw", True, 1), ("warn", True, 0), ("none", True, 0), ("warn-with-error-code", True, 1)])  # fmt: skip
def test_a_late_rejection_in_each_mode(box: Box, mode: str, on: bool, status: int) -> None:
    code = "setTimeout(() => Promise.reject(new Error('late')), 1); setTimeout(() => console.log('on'), 10)"
    done = box.run(f"--unhandled-rejections={mode}", "-e", code)
    assert (done.stdout == b"on\n", done.returncode) == (on, status)


LINES = "for (let i = 0; i < 100000; i++) process.stdout.write(`line ${i}\\n`);"
READERS = {
    "console.log": (f"{LINES.replace('process.stdout.write', 'console.log')} report('never')", "exit 0\n"),
    "process.stdout.write": (f"{LINES} report('never')", "exit 0\n"),
    "without end": ("for (;;) console.log('y')", "exit 0\n"),
    "in a timer": ("setInterval(() => console.log('x'.repeat(10000)), 1)", "exit 0\n"),
    "with a status": ("process.exitCode = 3; for (;;) console.log('y')", "exit 3\n"),
    "that is listened for": (
        f"process.stdout.on('error', (e) => report(`${{e.code}} ${{e.syscall}} ${{e.message}}`)); {LINES} report('done'); setTimeout(() => {{ console.log('lost'); report('timer') }}, 1)",
        "done\nEPIPE write write EPIPE\ntimer\nexit 0\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READERS)
def test_a_reader_that_goes_away(box: Box, name: str) -> None:
    program, reported = READERS[name]
    report = "import { writeSync } from 'fs'; const report = (text) => writeSync(2, `${text}\\n`); process.on('exit', (code) => report(`exit ${code}`));"
    box.write({"a.mjs": f"{report} {program}"})
    command = f"{executable()} a.mjs | head -1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=box.folder, env=box.environment(), capture_output=True, timeout=120
    )
    assert (done.stderr.decode(), done.returncode) == (reported, 3 if name == "with a status" else 0)
