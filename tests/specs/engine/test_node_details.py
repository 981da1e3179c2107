"""Details of Node that tools rely on: its debug log, the default of Error.prepareStackTrace, profiles of a killed program."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import js_peers as peers
import pytest
from rig import Box, executable

IDENTITY = "--identity=node"

REQUEST = """
const http = require('node:http');
const server = http.createServer((request, response) => response.end('x')).listen(0, () => {
  const port = server.address().port;
  http.get({ port, headers: { authorization: 'secret' } }, (response) => response.resume().on('end', () => server.close()));
});
"""


@pytest.mark.parametrize(("variable", "is_logged"), [("http", True), ("fs,HTTP*", True), ("net", False)])
def test_the_debug_log_of_http_warns_of_secrets(box: Box, variable: str, is_logged: bool) -> None:
    box.write({"a.cjs": REQUEST})
    result = box.run(IDENTITY, "a.cjs", environment={"NODE_DEBUG": variable})
    shown = result.stderr.decode()
    assert result.returncode == 0
    assert ("Setting the NODE_DEBUG environment variable to 'http' can expose sensitive data" in shown) is is_logged
    for line in ("SERVER new http connection", "SERVER incoming request: GET /", "AGENT incoming response: 200"):
        assert (line in shown) is is_logged


def test_error_prepare_stack_trace_has_a_default_for_programs_that_see_node_only(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
        const initial = Error.prepareStackTrace;
        const plain = new Error('x').stack;
        Error.prepareStackTrace = (error, sites) => `${sites.length > 0} ${initial(error, sites).split('\\n')[0]}`;
        console.log(typeof initial, initial.length, plain.split('\\n')[0], '|', new Error('y').stack);
        """
        }
    )
    assert box.run(IDENTITY, "a.cjs").stdout == b"function 2 Error: x | true Error: y\n"
    box.write({"b.cjs": "console.log(typeof Error.prepareStackTrace)"})
    assert box.run("b.cjs").stdout == b"undefined\n"


@pytest.mark.skipif(sys.platform != "linux", reason="signals of Linux")
@pytest.mark.parametrize("target", ["process.pid", "String(process.pid)"])
def test_a_program_that_kills_itself_writes_its_profile_and_coverage(box: Box, target: str) -> None:
    box.write({"a.cjs": f"process.kill({target}, 'SIGTERM'); setInterval(() => {{}}, 1000);"})
    environment = {"NODE_V8_COVERAGE": str(box.folder / "coverage")}
    result = box.run("--cpu-prof", "--cpu-prof-dir=profiles", "a.cjs", environment=environment)
    assert result.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM)
    (profile,) = (box.folder / "profiles").iterdir()
    assert json.loads(profile.read_text())["nodes"]
    (coverage,) = (box.folder / "coverage").iterdir()
    assert any(each["url"].endswith("a.cjs") for each in json.loads(coverage.read_text())["result"])


def test_a_signal_with_a_listener_writes_no_profile_early(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
        process.once('SIGTERM', () => console.log(require('fs').existsSync('profiles')));
        process.kill(process.pid, 'SIGTERM');
        process.kill(process.pid, 0);
        setTimeout(() => {}, 50);
        """
        }
    )
    assert box.run("--cpu-prof", "--cpu-prof-dir=profiles", "a.cjs").stdout == b"false\n"
    assert len(list((box.folder / "profiles").iterdir())) == 1


def test_flags_of_the_engine_apply_to_code_that_is_evaluated(box: Box) -> None:
    box.write({"a.cjs": "console.log(eval('%HaveSameMap({ a: 1 }, { a: 2 })'))"})
    assert box.run("--allow-natives-syntax", "a.cjs").stdout == b"true\n"
    assert box.run("a.cjs").returncode == 1


def test_the_old_names_of_the_streams_of_a_repl(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
        const { PassThrough } = require('node:stream');
        const [input, output] = [new PassThrough(), new PassThrough()];
        const repl = require('node:repl').start({ input, output });
        console.log(repl.inputStream === input, repl.outputStream === output, Object.keys(repl).includes('inputStream'));
        repl.close();
        """
        }
    )
    assert box.run("a.cjs").stdout == b"true true false\n"
    assert b"[DEP0141]" in box.run("a.cjs", environment={"NODE_PENDING_DEPRECATION": "1"}).stderr


def test_the_binding_of_the_inspector_tells_whether_it_listens(box: Box) -> None:
    code = "const { isEnabled } = process.binding('inspector'); const before = isEnabled(); process._debugEnd(); "
    result = box.run("--inspect=0", IDENTITY, "-e", f"{code}console.log(before, isEnabled())")
    assert result.stdout == b"true false\n"


@pytest.mark.parametrize(
    ("handler", "is_aborted"),
    [
        ("process.on('uncaughtException', () => console.log('handled'));", True),
        ("process.setUncaughtExceptionCaptureCallback(() => console.log('handled'));", False),
        ("require('domain').create().on('error', () => console.log('handled')).enter();", False),
    ],
)
def test_the_flag_to_abort_precedes_listeners_of_uncaught_errors(box: Box, handler: str, is_aborted: bool) -> None:
    box.write({"a.cjs": f"{handler} throw new Error('thrown');"})
    result = box.run("--abort-on-uncaught-exception", IDENTITY, "a.cjs")
    assert result.stdout == (b"" if is_aborted else b"handled\n")
    assert (result.returncode in (-signal.SIGABRT, 128 + signal.SIGABRT)) is is_aborted


def test_an_error_of_a_listener_aborts_too(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
            process.setUncaughtExceptionCaptureCallback(() => { throw new Error('second'); });
            throw new Error('first');
            """
        }
    )
    assert box.run(IDENTITY, "a.cjs").returncode == 7
    result = box.run("--abort-on-uncaught-exception", IDENTITY, "a.cjs")
    assert result.returncode in (-signal.SIGABRT, 128 + signal.SIGABRT)


@pytest.mark.parametrize("isolation", ["none", "process"])
def test_the_caller_of_run_decides_about_the_exit_status(box: Box, isolation: str) -> None:
    box.write(
        {
            "failing.mjs": "import { test } from 'node:test'; test('a', () => { throw new Error('x'); });",
            "a.mjs": f"""
            import {{ run }} from 'node:test';
            const events = run({{ files: [`${{import.meta.dirname}}/failing.mjs`], isolation: '{isolation}' }});
            events.on('test:fail', () => console.log('failed'));
            """,
        }
    )
    result = box.run(IDENTITY, "a.mjs")
    assert (b"failed\n" in result.stdout, result.returncode) == (True, 0)
    assert box.run("--test", f"--test-isolation={isolation}", "failing.mjs", IDENTITY).returncode == 1


def test_a_port_that_is_posted_to_itself(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
            const { port1, port2 } = new MessageChannel();
            const bytes = new ArrayBuffer(8);
            port1.on('close', () => console.log('first closed'));
            port2.on('close', () => console.log('second closed'));
            console.log(port2.postMessage(null, [port1, bytes]), bytes.byteLength);
            try { port1.postMessage(null, [port1]); } catch (error) { console.log(error.message); }
            """
        }
    )
    result = box.run("a.cjs")
    lines = result.stdout.decode().splitlines()
    assert lines[:2] == ["true 0", "Transfer list contains source port"]
    assert "second closed" in lines
    assert b"The target port was posted to itself, and the communication channel was lost" in result.stderr


def test_preserve_symlinks_among_the_flags_of_a_worker(box: Box) -> None:
    box.write(
        {
            "real/value.cjs": "module.exports = __filename.split('/').slice(-2).join('/');",
            "linked/value.cjs": "module.exports = 'linked';",
            "real/main.cjs": "console.log(require('./value.cjs'));",
            "a.cjs": """
            const { Worker } = require('node:worker_threads');
            const file = `${__dirname}/linked/main.cjs`;
            const start = (execArgv, env) => new Promise((done) => new Worker(file, { execArgv, env }).on('exit', done));
            const keeping = { ...process.env, NODE_PRESERVE_SYMLINKS: '1' };
            start([]).then(() => start(['--preserve-symlinks']))
              .then(() => start(['--preserve-symlinks', '--preserve-symlinks-main']))
              .then(() => start(['--preserve-symlinks-main'], keeping))
              .then(() => start([], keeping));
            """,
        }
    )
    (box.folder / "linked/main.cjs").symlink_to(box.folder / "real/main.cjs")
    (box.folder / "linked/value.cjs").unlink()
    (box.folder / "linked/value.cjs").symlink_to(box.folder / "real/value.cjs")
    for changes in ({}, {"NODE_PRESERVE_SYMLINKS": "1"}, {"NODE_PRESERVE_SYMLINKS_MAIN": "1"}):
        result = box.run("a.cjs", environment=changes)
        node = subprocess.run(
            [peers.node(), "a.cjs"],
            cwd=box.folder,
            env=box.environment(**changes),
            capture_output=True,
            check=True,
            timeout=60,
        )
        assert result.stdout == node.stdout


def test_stacks_in_a_repl_end_at_its_line_for_hooks_of_the_program(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
            Error.prepareStackTrace = (error, sites) => [error, ...sites].join('|');
            const repl = require('node:repl').start({ prompt: '' });
            repl.on('exit', () => {});
            """
        }
    )
    line = "function one() { throw new Error('x'); } function two() { one(); } two()\n"
    result = subprocess.run(
        [executable(), "a.cjs"],
        input=line,
        cwd=box.folder,
        env=box.environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    shown = result.stdout
    assert shown.splitlines()[-1] == "Uncaught Error: x|one (REPL1:1:24)|two (REPL1:1:59)"


def test_a_deferred_namespace_is_printed_with_its_exports(box: Box) -> None:
    box.write(
        {
            "d.mjs": "export const x = 1; console.log('evaluated');",
            "a.mjs": "import defer * as ns from './d.mjs'; console.log('before'); console.log({ ns });",
        }
    )
    expected = b"before\nevaluated\n{ ns: [Module: null prototype] [Deferred Module] { x: 1 } }\n"
    assert box.run(IDENTITY, "a.mjs").stdout == expected


@pytest.mark.parametrize(("flag", "status"), [("--inspect=0", 0), ("--inspect-wait=0", 0), ("--inspect-brk=0", 1)])
def test_a_debugger_that_is_not_permitted_does_not_listen(box: Box, flag: str, status: int) -> None:
    box.write({"a.cjs": "console.log(1)"})
    (box.folder / "node").symlink_to(executable())
    command = [str(box.folder / "node"), "--permission", "--allow-fs-read=*", flag, "a.cjs"]
    result = subprocess.run(command, cwd=box.folder, capture_output=True, check=False, timeout=60)
    assert result.returncode == status
    assert (result.stdout == b"1\n") is (status == 0)
    assert (b"Access to this API has been restricted" in result.stderr) is (status == 1)


def test_a_rule_for_files_covers_what_begins_as_it_says(box: Box) -> None:
    """The answers are Node's, also where its rules are surprising: `*` ends a rule, whatever follows."""
    granted = ["/a/b/c", "/a/b", "/a/b/", "/q/other.md", "/s/b", "/s/./b"]
    others = ["/a/bc", "/a/b/../c", "/r/b", "/s/b/c"]
    box.write(
        {
            "a.cjs": "console.log(process.argv.slice(2).filter((path) => process.permission.has('fs.read', path)).join(' '))"
        }
    )
    rules = [f"--allow-fs-read={rule}" for rule in (box.folder / "a.cjs", "/a/b/*", "/q/*.js", "/r/b.*", "/s/b")]
    result = box.run("--permission", *rules, "a.cjs", *granted, *others)
    assert result.stdout.decode().split() == granted


def test_the_global_object_and_the_milestones_of_the_start(box: Box) -> None:
    code = """
        const { nodeTiming } = performance;
        const times = ['nodeStart', 'v8Start', 'environment', 'bootstrapComplete'].map((name) => nodeTiming[name]);
        const copy = { ...globalThis };
        console.log(
          times.every((time, index) => index === 0 ? time >= 0 : time > times[index - 1]),
          Object.prototype.toString.call(globalThis),
          JSON.stringify(Object.getOwnPropertyDescriptor(globalThis, Symbol.toStringTag)),
          Object.keys(globalThis).includes('global'),
        );
        require('node:assert').notDeepEqual(Object.setPrototypeOf(copy, Object.getPrototypeOf(globalThis)), globalThis);
    """
    box.write({"a.cjs": code})
    own = box.run(IDENTITY, "a.cjs")
    other = subprocess.run([peers.node(), "a.cjs"], cwd=box.folder, capture_output=True, timeout=60)
    assert (own.stdout, own.stderr) == (other.stdout, b"")
