"""A script that is a source file runs in an engine worker, indistinguishable from a separate process.

Each program runs twice, once with RT_WHOLE_PROCESSES=1: output, exit status and everything the program can observe
about itself are identical. `reliability/test_engine_workers.py` covers how workers end, and what they leave behind.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest
from rig import Box, executable

# What a program can learn about its process, without what differs between runs.
SELF = """
import * as fs from 'node:fs'
const status = fs.readFileSync('/proc/self/status', 'utf8')
const field = (name: string) => status.match(new RegExp(`^${name}:\\\\s*(.*)$`, 'm'))?.[1]
const stat = fs.readFileSync('/proc/self/stat', 'utf8').replace(/.*\\) /, '').split(' ')
const [, parent, group, session] = stat.map(Number)
const parentStat = fs.readFileSync(`/proc/${process.ppid}/stat`, 'utf8').replace(/.*\\) /, '').split(' ')
const { RT_WHOLE_PROCESSES, _RT_SCRIPT, ...env } = process.env
console.log(JSON.stringify({
  argv: process.argv, execPath: process.execPath, argv0: process.argv0, execArgv: process.execArgv,
  title: process.title, cwd: process.cwd(), umask: process.umask(), main: import.meta.main, path: import.meta.path,
  env: Object.entries(env).sort(), hasMark: /^\\d+\\.\\d+$/.test(_RT_SCRIPT ?? ''),
  pid: process.pid === Number(fs.readlinkSync('/proc/self')),
  ppid: process.ppid === parent,
  ofTheGuardian: Number(parentStat[3]) === process.ppid && session === process.ppid,
  leadsItsGroup: group === process.pid,
  // without the two real-time signals that are the C library's own, handled once there was a second thread
  signals: ['SigBlk', 'SigIgn', 'SigCgt', 'ShdPnd'].map((name) => BigInt(`0x${field(name)}`) & ~(3n << 31n)).map(String),
  threads: field('Threads'),
  descriptors: fs.readdirSync('/proc/self/fd').map(Number).filter((n) => fs.existsSync(`/proc/self/fd/${n}`)),
  streams: [0, 1, 2].map((n) => fs.readlinkSync(`/proc/self/fd/${n}`).replace(/\\d+/, '')),
  limits: fs.readFileSync('/proc/self/limits', 'utf8').replace(/^Max file locks.*$/m, 'the mark of the run'),
  uptime: process.uptime() < 60, young: process.cpuUsage().user < 60e6,
}, null, 1))
"""

PROGRAMS: dict[str, str] = {
    "hello": "console.log('hello' as string)",
    "itself": SELF,
    # A command line that replaces a longer one ends in more than one NUL.
    "command line": "console.log(require('fs').readFileSync('/proc/self/cmdline', 'utf8').replace(/\\0+$/, '').split('\\0').pop())",
    "both streams": "for (let i = 0; i < 50; i++) { console.log('out', i); console.error('err', i) }",
    "a megabyte": "process.stdout.write('x'.repeat(1 << 20)); console.log('end')",
    "no final newline": "process.stdout.write('tail')",
    "bytes": "process.stdout.write(Buffer.from([0xff, 0, 0xfe, 10]))",
    "imports": "import { two } from './two'; import data from './data.json'; console.log(two, data)",
    "commonjs": "const { sep } = require('path'); module.exports = 1; console.log(sep, __filename, require.main === module)",
    "top-level await": "await new Promise((r) => setTimeout(r, 5)); console.log('later')",
    "status": "process.exit(3)",
    "exit code": "process.exitCode = 300; process.on('beforeExit', () => console.log('before'))",
    "exit in a handler": "process.on('exit', (code) => { console.log('exit', code); process.exit(9) }); process.exit(4)",
    "uncaught": "function f() { throw new TypeError('no', { cause: new Error('why') }) }\nf()",
    "rejected": "await Promise.reject(new Error('late'))",
    "thrown string": "throw 'words'",
    "uncaughtException": "process.on('uncaughtException', (e) => console.log('caught', e.message)); null.x",
    "syntax error": "const a = ;",
    "missing module": "import './nowhere'",
    "unsettled": "await new Promise(() => {})",
    "stdin": "process.stdin.on('data', (d) => console.log('data', d)).on('end', () => console.log('end'))",
    "killed": "process.kill(process.pid, 'SIGKILL'); setTimeout(() => {}, 1e6)",
    "terminated": "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 1e6)",
    "handled signal": "process.on('SIGTERM', () => { console.log('reported'); process.exit(5) });"
    "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 1e6)",
    "aborted": "console.log('before'); process.abort()",
    "recursion": "const f = () => f(); try { f() } catch (e) { console.log(e.name) }",
    "folder": "process.chdir('/'); console.log(process.cwd())",
    "environment": "process.env.A = '1'; delete process.env.HOME; console.log(process.env.A, process.env.HOME)",
    "dates": "console.log(new Date(0).toString(), Intl.DateTimeFormat().resolvedOptions().timeZone)",
    "children": "import { spawnSync } from 'node:child_process';"
    "const r = spawnSync('sh', ['-c', 'cat; echo $A; kill -PIPE $$'], { env: { ...process.env, A: '7' } });"
    "console.log(r.signal, String(r.stdout))",
    "regular expressions and JIT": "let n = 0; for (let i = 0; i < 3e5; i++) n += /(\\d+)-\\1/.test(`${i}-${i}`) ? 1 : 0;"
    "console.log(n)",
    "eval": "console.log(eval('1 + 1'), new Function('a', 'return a * 2')(21))",
    "WebAssembly": "const code = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0]);"
    "console.log(WebAssembly.validate(code), new WebAssembly.Module(code) instanceof WebAssembly.Module)",
    "WebAssembly on V8's thread": "const code = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0]);"
    "WebAssembly.compile(code).then((module) => console.log(WebAssembly.Module.exports(module)))",
    "hot functions on V8's thread": "const f = (n) => { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s };"
    "let n = 0; for (let i = 0; i < 2000; i++) n += f(1000); console.log(n)",
    "tasks of V8": "const cell = new Int32Array(new SharedArrayBuffer(4));"
    "Atomics.waitAsync(cell, 0, 0, 20).value.then((how) => console.log(how)); setTimeout(() => {}, 60)",
    "garbage": "let all = []; for (let i = 0; i < 200; i++) all = [all.length, 'y'.repeat(1e5) + i]; console.log(all.length)",
}
TEXTS = {
    "a path": "rt ./main.ts",
    "a name": "rt main.ts one two",
    "with run": "rt run main.ts one",
    "quoted": "rt main.ts 'a b' \"c  d\" -x --flag=1 ''",
    "in a shell": "VAR=1 rt main.ts",  # not recognised: the control
}
FILES: dict[str, Any] = {"two.ts": "export const two: number = 2", "data.json": {"a": 1}}


def run_twice(
    box: Box, *arguments: str, pass_fds: tuple[int, ...] = (), **environment: str
) -> list[tuple[int, bytes, bytes]]:
    """Return (status, stdout, stderr) in an engine worker, and in a separate process."""
    results = []
    for more in ({}, {"RT_WHOLE_PROCESSES": "1"}):
        result = box.run(*arguments, environment=environment | more, pass_fds=pass_fds)
        err = re.sub(rb"Done in [\d.]+m?s", b"Done", result.stderr)
        results.append((result.returncode, result.stdout, err))
    return results


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_worker_is_like_a_process(box: Box, name: str) -> None:
    box.write(FILES | {"main.ts": PROGRAMS[name]})
    worker, whole = run_twice(box, "run", "--parallel", "main.ts")
    assert worker == whole
    assert worker[1] or worker[2]


@pytest.mark.parametrize("name", TEXTS)
def test_a_script_text_runs_as_in_its_shell(box: Box, name: str) -> None:
    box.write(FILES | {"main.ts": SELF, "package.json": {"name": "app", "scripts": {"go": TEXTS[name]}}})
    variables: tuple[dict[str, Any], ...] = (
        {},
        {"PWD": "/wrong", "SHLVL": "3", "OLDPWD": "/", "_": "old"},
        {"PWD": str(box.folder)},
    )
    for more in variables:
        worker, whole = run_twice(box, "run", "--parallel", "go", **more)
        assert worker == whole
        assert b'"argv"' in worker[1]


def test_the_node_that_rt_provides_is_rt(box: Box) -> None:
    text = "console.log(process.argv.slice(1), process.execPath, RT.version, process.env.NODE?.split('/').pop())"
    box.write({"main.js": text, "package.json": {"name": "app", "scripts": {"go": "node main.js run x"}}})
    worker, whole = run_twice(box, "--rt", "run", "--parallel", "go")
    assert worker == whole
    assert b"'run'" in worker[1] or b'"run"' in worker[1]


def test_config_and_env_files_count(box: Box) -> None:
    """A V8 flag that the zygote was not started with requires a separate process."""
    text = "console.log(process.env.FROM_FILE, (globalThis as any).before)"
    box.write({"main.ts": text, ".env": "FROM_FILE=yes", "pre.ts": "(globalThis as any).before = 1"})
    box.write({"rtfig.toml": 'preload = ["./pre.ts"]\nsmol = true\n'})
    worker, whole = run_twice(box, "run", "--parallel", "main.ts")
    assert worker == whole
    assert b"yes 1" in worker[1]


@pytest.mark.parametrize("name", ["TZ", "LANG", "PYTHONUTF8"])
def test_variables_read_at_start_are_respected(box: Box, name: str) -> None:
    """rt itself may have been started with other values than --env-file gives to the scripts."""
    value = {"TZ": "Asia/Tokyo", "LANG": "C", "PYTHONUTF8": "0"}[name]
    box.write({"main.ts": PROGRAMS["dates"] + f"; console.log(process.env.{name})", "env": f"{name}={value}"})
    environment = box.environment()
    del environment["LANG"]
    outcomes = []
    for more in ({}, {"RT_WHOLE_PROCESSES": "1"}):
        command = [executable(), "--env-file=env", "run", "--parallel", "main.ts"]
        outcomes.append(subprocess.check_output(command, env=environment | more, cwd=box.folder, timeout=60))
    assert outcomes[0] == outcomes[1]
    assert value.encode() in outcomes[0]


def test_descriptors_that_rt_was_given_reach_the_programs(box: Box) -> None:
    """As those of a jobserver."""
    read, write = os.pipe()
    box.write({"main.ts": f"require('fs').writeSync({write}, 'token\\n'); console.log('wrote')"})
    worker, whole = run_twice(box, "run", "--parallel", "main.ts", pass_fds=(write,))
    os.close(write)
    with open(read, "rb") as pipe:
        assert pipe.read() == b"token\n" * 2
    assert worker == whole


def test_filter_runs_workers_in_order(box: Box) -> None:
    box.write({"package.json": {"workspaces": ["p/*"]}})
    names = ["a", "b", "c"]
    for before, name in zip([None, *names], names, strict=False):
        dependencies = {before: "*"} if before else {}
        manifest = {"name": name, "scripts": {"build": "rt build.ts"}, "dependencies": dependencies}
        box.write({f"p/{name}/package.json": manifest, f"p/{name}/build.ts": "console.log('built', process.cwd())"})
    worker, whole = run_twice(box, "run", "--filter", "*", "build")
    assert worker == whole
    assert [line for line in worker[1].split(b"\n") if b"built" in line] == [
        f"{name} build: built {box.folder}/p/{name}".encode() for name in names
    ]


def test_random_numbers_differ_and_workers_are_siblings(box: Box) -> None:
    box.write({"main.ts": "console.log(Math.random(), Math.random(), process.ppid)"})
    lines = box.run("run", "--parallel", *["main.ts"] * 12).stdout.decode().split("\n")[:-1]
    rows = [line.partition(" | ")[2].split() for line in lines]
    assert len(rows) == len({row[0] for row in rows}) == len({row[1] for row in rows}) == 12
    assert len({row[2] for row in rows}) == 1


def test_workers_share_what_the_zygote_has(box: Box) -> None:
    """There is a zygote, and workers are forked from it: they are not executed themselves."""
    text = "console.log(require('fs').readFileSync('/proc/self/environ', 'utf8').includes('_RT_SCRIPT='))"
    box.write({"main.ts": text})
    worker, whole = run_twice(box, "run", "--parallel", "main.ts")
    assert (worker[1], whole[1]) == (b"main.ts | false\n", b"main.ts | true\n")


def test_nothing_more_is_imported_after_the_fork(box: Box) -> None:
    """`RtProgramHost.prepare` has imported everything that a small program needs; the interpreter's import log shows
    it.
    """
    box.write({"main.ts": "import * as fs from 'node:fs'; fs.writeSync(2, 'PROGRAM RUNS\\n')"})
    # The zygote's stderr is the original one when it reports an error.
    environment = box.environment(RT_DEBUG_TRACEBACK="1", PYTHONPROFILEIMPORTTIME="1")
    command = [sys.executable, f"{executable()}-plain", "run", "--sequential", "main.ts"]
    result = subprocess.run(command, env=environment, cwd=box.folder, capture_output=True, timeout=60, check=True)
    of_the_worker = [line for line in result.stderr.decode().split("\n") if line.startswith("main.ts | ")]
    assert "main.ts | PROGRAM RUNS" in of_the_worker
    assert [line for line in of_the_worker if "import time" in line] == []
    assert "rt_supervisor.engine_worker.start.ready_engine" in result.stderr.decode()


def test_the_report_covers_workers_like_processes(box: Box) -> None:
    box.write({"main.ts": "let n = 0; for (let i = 0; i < 2e7; i++) n += i % 7; console.log(n)"})
    box.run("--report", "report.json", "run", "--parallel", "main.ts")
    report = json.loads((box.folder / "report.json").read_text())
    (task,) = report["tasks"]
    (step,) = task["steps"]
    assert step["cpuSeconds"] > 0.005
    assert step["peakBytes"] > 10_000_000
