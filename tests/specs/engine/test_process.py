"""The process object where the system is involved: names, reports, execve; and warning flags."""

from __future__ import annotations

import json
import os
import subprocess

import js_peers
import pytest
from rig import Box, executable

SEEN = """
    const fs = require('node:fs');
    const seen = () => [process.title, fs.readFileSync('/proc/self/comm', 'utf8').trim(), fs.readFileSync('/proc/self/cmdline', 'utf8').replace(/\\0+$/, '')];
"""


def output_of(box: Box, *arguments: str, **options: object) -> str:
    result = box.run(*arguments, **options)
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout.decode()


def test_title_is_what_the_system_lists(box: Box) -> None:
    box.write({"a.cjs": f"{SEEN} process.title = 'renamed'; console.log(JSON.stringify(seen()))"})
    assert json.loads(output_of(box, "a.cjs")) == ["renamed", "renamed", "renamed"]
    box.write({"b.cjs": f"{SEEN} console.log(JSON.stringify(seen()))"})
    assert json.loads(output_of(box, "--title=given", "b.cjs")) == ["given", "given", "given"]
    title, _, command_line = json.loads(output_of(box, "b.cjs"))
    assert title == "rt"
    assert command_line.endswith("b.cjs")


def test_a_long_title_takes_the_room_there_is(box: Box) -> None:
    long = "t" * 5000
    box.write(
        {
            "a.cjs": f"{SEEN} process.title = '{long}'; console.log(JSON.stringify([...seen(), process.env.HOME, process.argv]))"
        }
    )
    title, name, command_line, home, argv = json.loads(output_of(box, "a.cjs"))
    assert title == long
    assert name == "t" * 15
    assert 0 < len(command_line) < 5000
    assert set(command_line) == {"t"}
    assert home == str(box.folder)
    assert argv[1].endswith("a.cjs")


def test_report_is_written(box: Box) -> None:
    box.write({
        "a.cjs": """
        process.report.compact = true;
        console.log(process.report.writeReport('one.json', new Error('why')));
        process.report.directory = 'reports'; require('fs').mkdirSync('reports');
        process.report.excludeEnv = true;
        const name = process.report.writeReport();
        console.log(/^report\\.\\d{8}\\.\\d{6}\\.\\d+\\.0\\.001\\.json$/.test(name), require('fs').readdirSync('reports')[0] === name);
        process.report.reportOnUncaughtException = true; process.report.filename = 'last.json';
        throw new RangeError('last words');
        """
    })  # fmt: skip
    result = box.run("a.cjs")
    assert result.returncode == 1
    assert result.stdout == b"one.json\ntrue true\n"
    assert b"\nWriting Node.js report to file: one.json\nNode.js report completed\n" in result.stderr
    one = json.loads((box.folder / "one.json").read_text())
    assert "\n" not in (box.folder / "one.json").read_text().strip()
    assert one["javascriptStack"]["message"] == "Error: why"
    assert one["header"]["filename"] == "one.json"
    assert one["environmentVariables"]["HOME"] == str(box.folder)
    assert one["userLimits"]["open_files"]["soft"] > 0
    last = json.loads((box.folder / "reports" / "last.json").read_text())
    assert last["header"]["event"] == "Uncaught exception"
    assert last["javascriptStack"]["message"] == "RangeError: last words"
    assert "environmentVariables" not in last


def test_report_on_a_signal(box: Box) -> None:
    box.write({
        "a.cjs": """
        process.report.signal = 'SIGUSR1'; process.report.filename = 'stdout'; process.report.compact = true; process.report.reportOnSignal = true;
        const alive = setInterval(() => {}, 1000);
        process.on('SIGUSR1', () => clearInterval(alive));
        process.kill(process.pid, 'SIGUSR1');
        """
    })  # fmt: skip
    assert json.loads(output_of(box, "a.cjs"))["header"]["event"] == "SIGUSR1"


def test_execve_replaces_the_program(box: Box) -> None:
    box.write({
        "a.cjs": """
        console.log('before', process.pid);
        process.on('exit', () => console.log('never'));
        process.execve('/bin/sh', ['sh', '-c', 'echo $$ $X; trap'], { X: 'there' });
        """
    })  # fmt: skip
    before, after, *traps = output_of(box, "a.cjs").splitlines()
    assert before.split()[1] == after.split()[0]
    assert after.endswith(" there")
    assert traps == []
    missing = box.run(
        "-e", "try { process.execve('/no/such') } catch (error) { console.log(error.code) } console.log('on')"
    )
    assert missing.stdout == b"ENOENT\non\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root may change its users and groups")
def test_groups_and_users(box: Box) -> None:
    code = """
        process.setgroups([7, 8]); console.log(process.getgroups().join());
        process.initgroups('root', 9); console.log(process.getgroups().includes(9));
        process.setgid(5); process.setuid(3); console.log(process.getgid(), process.getuid(), process.geteuid());
        try { process.setuid(0) } catch (error) { console.log(error.code, error.syscall) }
    """
    assert output_of(box, "-e", code) == "7,8,0\ntrue\n5 3 3\nEPERM setuid\n"


@pytest.mark.parametrize("flags", [(), ("--zero-fill-buffers",)])
def test_unsafe_buffers_contain_no_foreign_data(box: Box, flags: tuple[str, ...]) -> None:
    code = """
        const { Buffer, SlowBuffer } = require('node:buffer');
        for (let i = 0; i < 200; i++) Buffer.allocUnsafe(700).fill(0xff);
        const made = [Buffer.allocUnsafe(700), Buffer.allocUnsafe(70000), Buffer.allocUnsafeSlow(700), ...(SlowBuffer ? [SlowBuffer(700)] : [])];
        console.log(made.every((buffer) => buffer.every((byte) => byte === 0)));
    """
    box.write({"a.cjs": code})
    assert output_of(box, *flags, "a.cjs") == "true\n"


WARNINGS = """
process.on('warning', (warning) => console.log('seen', warning.name, warning.code));
function make() {
  process.emitWarning('old', 'DeprecationWarning', 'DEP1');
  process.emitWarning('x', { type: 'Other', code: 'C', detail: 'some\\ndetail' });
}
make();
process.emitWarning(new Error('e'));
process.emitWarning('new', 'ExperimentalWarning');
process.emitWarning(Object.assign(new Error('own'), { toString: () => 'in its own words' }));
process.emitWarning(Object.assign(new Error('none'), { toString: undefined }));
"""
FLAGS = [
    (), ("--no-deprecation",), ("--no-warnings",), ("--trace-warnings",), ("--trace-deprecation",),
    ("--disable-warning=DEP1",), ("--disable-warning=Other", "--disable-warning=ExperimentalWarning"),
]  # fmt: skip


def run_with_warnings(command: list[str], box: Box) -> tuple[str, list[str]]:
    """Return standard output, and the lines of standard error without the program's name and its internal frames."""
    done = subprocess.run(command, cwd=box.folder, env=box.environment(), capture_output=True, stdin=subprocess.DEVNULL)
    lines = []
    for line in done.stderr.decode().splitlines():
        if "node:internal" not in line:
            head, mark, rest = line.partition(") ")
            lines.append(mark + rest if head.startswith("(") and ":" in head else line.replace(executable(), "rt"))
    return done.stdout.decode(), [line.partition("(Use ")[0] + "(Use" * ("(Use " in line) for line in lines]


@pytest.mark.parametrize("flags", FLAGS, ids=["_".join(flags) or "none" for flags in FLAGS])
def test_warnings_by_flag_are_as_in_node(box: Box, flags: tuple[str, ...]) -> None:
    box.write({"a.cjs": WARNINGS})
    theirs = run_with_warnings([js_peers.node(), *flags, "a.cjs"], box)
    ours = run_with_warnings([executable(), *flags, "a.cjs"], box)
    assert ours == theirs


def test_deprecations_are_thrown_on_demand(box: Box) -> None:
    result = box.run(
        "--throw-deprecation",
        "-e",
        "process.emitWarning('old', 'DeprecationWarning'); setTimeout(() => console.log('on'), 5)",
    )
    assert result.returncode == 1
    assert b"DeprecationWarning: old" in result.stderr
    assert result.stdout == b""


def test_environment_silences_warnings(box: Box) -> None:
    result = box.run("-e", "process.emitWarning('w')", environment={"NODE_NO_WARNINGS": "1"})
    assert (result.returncode, result.stderr) == (0, b"")


def test_the_environment_takes_plain_values_alone(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
                const define = (descriptor) => {
                  try { Object.defineProperty(process.env, 'X', descriptor); return process.env.X; } catch (error) { return error.code; }
                };
                console.log(define({ value: 1 }), define({ get() {} }));
                console.log(define({ value: 1, configurable: true, writable: true, enumerable: true }));
                process.env.TZ = 'UTC';
                delete process.env.TZ;
                console.log(process.env.TZ, new Date(0).getTime());
            """
        }
    )
    assert box.run("a.cjs").stdout.decode().splitlines() == [
        "ERR_INVALID_OBJECT_DEFINE_PROPERTY ERR_INVALID_OBJECT_DEFINE_PROPERTY",
        "1",
        "undefined 0",
    ]


def test_kill_goes_through_the_process(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
                const real = process._kill;
                process._kill = (...args) => { console.log(...args); return 0; };
                process.kill(0, 'SIGHUP');
                process._kill = real;
                try { process.kill(process.pid, 987); } catch (error) { console.log(error.message, error.code, error.syscall); }
            """
        }
    )
    assert box.run("a.cjs").stdout.decode().splitlines() == ["0 1", "kill EINVAL EINVAL kill"]
