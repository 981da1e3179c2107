"""Uncaught errors of built-in modules: class, code and place are the same wherever the program throws, and no frame is rt's own.

Errors that the event loop creates have the frames of what awaits the operation, or of the call that began it.
"""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig import Box

# An expression of each built-in module that throws.
THROWING = {
    "assert": "require('assert').strictEqual(1, 2)",
    "async_hooks": "new (require('async_hooks').AsyncResource)()",
    "buffer": "require('buffer').Buffer.alloc('x')",
    "child_process": "require('child_process').spawnSync()",
    "cluster": "require('cluster').setupPrimary(new Proxy({}, { ownKeys: () => require('path').join(1) }))",
    "console": "new (require('console').Console)()",
    "crypto": "require('crypto').createHash()",
    "dgram": "require('dgram').createSocket('x')",
    "diagnostics_channel": "require('diagnostics_channel').channel()",
    "dns": "require('dns').lookup('x')",
    "events": "new (require('events'))().on('x')",
    "fs": "require('fs').statSync('/no/such/entry')",
    "fs-open": "require('fs').openSync('/no/such/entry')",
    "http": "require('http').request('x')",
    "http2": "require('http2').connect('x')",
    "https": "require('https').request('x')",
    "inspector": "new (require('inspector').Session)().post('x')",
    "module": "require('module').createRequire('x')",
    "net": "require('net').connect(99999)",
    "os": "require('os').setPriority('x')",
    "path": "require('path').join(3)",
    "perf_hooks": "require('perf_hooks').createHistogram({ lowest: 'x' })",
    "process": "process.hrtime(1)",
    "process-kill": "process.kill('x')",
    "punycode": "require('punycode').decode('\\x80')",
    "querystring": "require('querystring').escape('\\ud800')",
    "readline": "require('readline').createInterface({ input: process.stdin, completer: 1 })",
    "sqlite": "new (require('node:sqlite').DatabaseSync)()",
    "stream": "require('stream').pipeline()",
    "string_decoder": "new (require('string_decoder').StringDecoder)('x')",
    "test": "require('node:test').mock.method()",
    "timers": "require('timers').setTimeout()",
    "tls": "require('tls').createSecureContext({ minVersion: 'x' })",
    "trace_events": "require('trace_events').createTracing()",
    "url": "new (require('url').URL)('x')",
    "util": "require('util').promisify(1)",
    "v8": "require('v8').setFlagsFromString(1)",
    "vm": "require('vm').createContext(1)",
    "wasi": "new (require('wasi').WASI)({ version: 'x' })",
    "worker_threads": "new (require('worker_threads').Worker)(1)",
    "zlib": "require('zlib').inflateSync('x')",
    "the engine": "null.member",
    "the program": "(() => { throw Object.assign(new RangeError('m'), { code: 'E', errno: -7 }) })()",
}

# place -> (files of an expression, arguments, standard input, the location that the report must name)
Setting = tuple[dict[str, str], list[str], str | None, str]
MACRO = "import { thrown } from './macro.cjs' with { type: 'macro' };\nconsole.log(thrown());"
PLACES: dict[str, Callable[[str], Setting]] = {
    "a CommonJS file": lambda text: ({"a.cjs": f"\n{text}"}, ["a.cjs"], None, "/a.cjs:2:"),
    "an ES module": lambda text: (
        {"a.mts": f"import {{ createRequire }} from 'module';\nconst require = createRequire(import.meta.url);\n{text}"},
        ["a.mts"],
        None,
        "/a.mts:3:",
    ),
    "-e": lambda text: ({}, ["-e", f"\n{text}"], None, "/[eval]:2:"),
    "-p": lambda text: ({}, ["-p", f"\n{text}"], None, "/[eval]:2:"),
    "standard input": lambda text: ({}, ["-"], f"\n{text}", "/[stdin]:2:"),
    "a worker": lambda text: ({"a.cjs": MADE_WORKER, "b.cjs": f"\n{text}"}, ["a.cjs"], None, "/b.cjs:2:"),
    "an evaluated worker": lambda text: (
        {"a.cjs": f"new (require('worker_threads').Worker)({json.dumps(text)}, {{ eval: true }});"},
        ["a.cjs"],
        None,
        "/[worker eval]:1:",
    ),
    "vm": lambda text: (
        {"a.cjs": f"globalThis.require = require;\nrequire('vm').runInThisContext({json.dumps(text)}, 'script.js');"},
        ["a.cjs"],
        None,
        "script.js:1:",
    ),
    "a timer": lambda text: ({}, ["-e", f"setTimeout(() => {{\n{text} }})"], None, "/[eval]:2:"),
    "a tick": lambda text: ({}, ["-e", f"process.nextTick(() => {{\n{text} }})"], None, "/[eval]:2:"),
    "a promise": lambda text: ({}, ["-e", f"(async () => {{ await 1;\n{text} }})()"], None, "/[eval]:2:"),
    "a macro": lambda text: ({"a.mjs": MACRO, "macro.cjs": f"exports.thrown = () => {{\n{text} }};"}, ["a.mjs"], None, "/macro.cjs:2:"),
}  # fmt: skip
MADE_WORKER = "new (require('worker_threads').Worker)(require('path').join(__dirname, 'b.cjs'));"
# Modules that refuse to load in workers, as in Node.
NOT_IN_WORKERS = {
    "trace_events": {"name": "Error", "message": "Trace events are unavailable", "code": "ERR_TRACE_EVENTS_UNAVAILABLE"}
}
CATCHING = """\
const facts = {};
for (const [name, text] of Object.entries(JSON.parse(process.argv[2]))) {
  try { eval(text); facts[name] = null; } catch (e) { facts[name] = { name: e.name, message: e.message, code: e.code, errno: e.errno }; }
}
console.log(JSON.stringify(facts));
"""


@pytest.mark.parametrize("place", PLACES)
def test_errors_of_built_in_modules(box: Box, place: str) -> None:
    box.write({"facts.cjs": CATCHING})
    facts = json.loads(box.run("facts.cjs", json.dumps(THROWING)).stdout)
    assert [name for name, fact in facts.items() if fact is None] == []

    def problems_of(name: str) -> list[str]:
        files, arguments, text, location = PLACES[place](THROWING[name])
        folder = name.replace(" ", "-")
        box.write({f"{folder}/in": text or "", **{f"{folder}/{file}": content for file, content in files.items()}})
        with (box.folder / folder / "in").open() as stdin:
            result = box.run(*arguments, cwd=box.folder / folder, stdin=stdin)
        report = result.stderr.decode()
        fact = NOT_IN_WORKERS.get(name, facts[name]) if "worker" in place else facts[name]
        headline = "error" if fact["name"] == "Error" else fact["name"]
        wanted = [f"{headline}: {fact['message'].splitlines()[0]}\n", f"{location}"]
        wanted += [f' code: "{fact["code"]}"\n'] if isinstance(fact.get("code"), str) else []
        wanted += [f"errno: {fact['errno']},\n"] if "errno" in fact else []
        found = [f"{name}: no {each!r} in\n{report}" for each in wanted if each not in report]
        if re.search(r"\brt:[a-z]", report):
            found.append(f"{name}: frames of the library in\n{report}")
        if result.returncode != 1:
            found.append(f"{name}: status {result.returncode}")
        return found

    with ThreadPoolExecutor(2) as pool:
        problems = [each for found in pool.map(problems_of, THROWING) for each in found]
    assert problems == [], "\n\n".join(problems)


# A PostgreSQL server that accepts the connection `c` and refuses every query.
SERVE_POSTGRES = (
    "c.once('data', () => { c.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]));"
    " c.on('data', () => { const text = Buffer.from('SERROR\\0C42601\\0Mno such statement\\0\\0'); const size = Buffer.alloc(4); size.writeInt32BE(4 + text.length);"
    " c.end(Buffer.concat([Buffer.from('E'), size, text, Buffer.from([90, 0, 0, 0, 5, 73])])); server.close(); }); })"
)

# Programs whose operation `go` begins on line 3 and fails later; the report shows this line, and a frame of `go`.
LATE = {
    "fetch": ("", "await fetch('http://127.0.0.1:1')"),
    "fetch that nothing awaits": ("", "fetch('http://127.0.0.1:1').then((r) => r.json())"),
    "a body that breaks off": (
        "import net from 'node:net'; const cut = net.createServer((c) => c.once('data', () => c.end('HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nx'))).listen(0);"
        " await new Promise((done) => cut.once('listening', done)); const page = await fetch('http://127.0.0.1:' + cut.address().port);",
        "await page.text()",
    ),
    "net.connect": ("import net from 'node:net';", "net.connect(1, '127.0.0.1')"),
    "net.connect to a name": ("import net from 'node:net';", "net.connect(1, 'no-such-host.invalid')"),
    "net.connect to a path": ("import net from 'node:net';", "net.connect('/no/such/socket')"),
    "tls.connect": ("import tls from 'node:tls';", "tls.connect(1, '127.0.0.1')"),
    "a handshake": (
        "import tls from 'node:tls'; import net from 'node:net'; const plain = net.createServer((c) => c.end('plain text')).listen(0);"
        " await new Promise((done) => plain.once('listening', done));",
        "tls.connect(plain.address().port, '127.0.0.1')",
    ),
    "http.get": ("import http from 'node:http';", "http.get('http://127.0.0.1:1')"),
    "https.get": ("import https from 'node:https';", "https.get('https://127.0.0.1:1')"),
    "server.listen": ("import net from 'node:net';", "net.createServer().listen(80, '192.0.2.1')"),
    "dgram bind": ("import dgram from 'node:dgram';", "dgram.createSocket('udp4').bind(80, '192.0.2.1')"),
    "dns.lookup": ("import dns from 'node:dns';", "dns.lookup('no-such-host.invalid', (error) => { throw error; })"),
    "dns.promises.lookup": ("import dns from 'node:dns/promises';", "await dns.lookup('no-such-host.invalid')"),
    "child_process.spawn": ("import { spawn } from 'node:child_process';", "spawn('/no/such/program')"),
    "child_process.exec": (
        "import { execFile } from 'node:child_process'; import { promisify } from 'node:util';",
        "await promisify(execFile)('/no/such/program')",
    ),
    "fs.promises": ("import fs from 'node:fs/promises';", "await fs.readFile('/no/such/file')"),
    "RT.file": ("", "await RT.file('/no/such/file').text()"),
    "RT.connect": ("", "await RT.connect({ hostname: '127.0.0.1', port: 1, socket: { data() {} } })"),
    "RT.spawn": ("", "RT.spawn(['/no/such/program'])"),
    "promisified exec that fails": (
        "import { exec } from 'node:child_process'; import { promisify } from 'node:util';",
        "await promisify(exec)('exit 3')",
    ),
    "dgram send": (
        "import dgram from 'node:dgram';",
        "dgram.createSocket('udp4').send('x', 53, 'no-such-host.invalid')",
    ),
    "dgram connect": (
        "import dgram from 'node:dgram';",
        "dgram.createSocket('udp4').connect(53, 'no-such-host.invalid')",
    ),
    "a Redis command": (
        "import net from 'node:net'; const server = net.createServer((c) => c.on('data', (text) => c.write(`${text}`.includes('HELLO') ? '%0\\r\\n' : '-ERR wrong\\r\\n')));"
        " await new Promise((done) => server.listen(0, done)); const redis = new RT.RedisClient(`redis://127.0.0.1:${server.address().port}`);",
        "await redis.get('x').finally(() => process.nextTick(() => { redis.close(); server.close(); }))",
    ),
    "a Redis connection": (
        "const redis = new RT.RedisClient('redis://127.0.0.1:1', { autoReconnect: false });",
        "await redis.connect().catch((error) => { delete error.cause; throw error; })",
    ),
    "a query": (
        f"import net from 'node:net'; const server = net.createServer((c) => {SERVE_POSTGRES}); await new Promise((done) => server.listen(0, done));"
        " const sql = new RT.SQL(`postgres://u:p@127.0.0.1:${server.address().port}/d?sslmode=disable`);",
        "await sql`selec`",
    ),
    "a refused SQL connection": (
        "const sql = new RT.SQL('postgres://u:p@127.0.0.1:1/d');",
        "await sql`select 1`.catch((error) => { delete error.cause; throw error; })",
    ),
}


@pytest.mark.parametrize("what", LATE)
def test_late_errors_have_the_place_of_the_operation(box: Box, what: str) -> None:
    before, operation = LATE[what]
    box.write({"a.mts": f"{before}\nconst go = async (): Promise<void> => {{\n  {operation};\n}};\nawait go();\n"})
    result = box.run("a.mts")
    report = result.stderr.decode()
    assert result.returncode == 1
    assert f"3 |   {operation};\n" in report
    assert re.search(r"^      at (async )?go \(.*/a\.mts:3:\d+\)$", report, flags=re.M), report
    assert not re.search(r"\brt:[a-z]", report)


def test_awaiting_functions_and_combinators_are_frames(box: Box) -> None:
    inner = "const inner = async () => {\n  await Promise.all([1, fetch('http://127.0.0.1:1')]);\n};"
    box.write({"a.mjs": f"{inner}\nconst outer = async () => {{\n  await inner();\n}};\nawait outer();\n"})
    frames = [line.strip() for line in box.run("a.mjs").stderr.decode().splitlines() if line.startswith("      at ")]
    assert frames[0] == "at async Promise.all (index 1)"
    assert [frame.partition(" (")[0] for frame in frames[1:3]] == ["at async inner", "at async outer"]


def test_an_error_of_the_program_keeps_its_frames(box: Box) -> None:
    program = "const reason = (function mine() { return new Error('why'); })();\nawait fetch('http://127.0.0.1:1', { signal: AbortSignal.abort(reason) });"
    box.write({"a.mjs": program})
    assert f"at mine ({box.folder}/a.mjs:1:" in box.run("a.mjs").stderr.decode()


@pytest.mark.parametrize("limit", ["0", "'none'", "1"])
def test_the_limit_of_frames_applies_to_late_errors(box: Box, limit: str) -> None:
    box.write({"a.cjs": f"Error.stackTraceLimit = {limit};\nfunction go() {{ require('net').connect(1, '127.0.0.1'); }}\nfunction outer() {{ go(); }}\nouter();"})  # fmt: skip
    report = box.run("a.cjs").stderr.decode()
    assert "error: connect ECONNREFUSED" in report
    assert report.count("      at ") == (1 if limit == "1" else 0)


def test_the_programs_formatter_is_called_for_errors_only(box: Box) -> None:
    program = "Error.prepareStackTrace = (error, sites) => { console.log(error.constructor.name); return ''; };\nrequire('net').connect(1, '127.0.0.1').on('error', (error) => { error.stack; });"
    box.write({"a.cjs": program})
    result = box.run("a.cjs")
    assert (result.stdout, result.stderr) == (b"Error\n", b"")
