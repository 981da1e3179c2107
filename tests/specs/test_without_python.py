"""A program that asks nothing of Python runs without it, and sees and shows just what it does with it: whatever it asks for on
the way, and however it ends."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from rig import Box, executable

pytestmark = pytest.mark.skipif(
    Path(executable()).read_bytes()[:4] != b"\x7fELF", reason="rt is installed without its launcher"
)
# Python closes the descriptor of what it is to be told when it reads it.
TELLS_HOW = """
import { readdirSync, readlinkSync } from 'node:fs'
const open = readdirSync('/proc/self/fd').map((name) => { try { return readlinkSync(`/proc/self/fd/${name}`) } catch { return '' } })
console.log(open.some((name) => name.includes('rt-program')) ? 'without Python' : 'with Python')
"""
PROGRAMS = {
    "plain": "const who: string = 'world'\nconsole.log(`hello ${who}`, process.argv.slice(2), process.cwd(), import.meta.url, import.meta.main, import.meta.dirname)",
    "files": "import fs from 'node:fs'\nfs.writeFileSync('made', 'text')\nconsole.log(fs.readFileSync('made', 'utf8'), fs.existsSync('none'))",
    "modules": "import { sep } from 'node:path'\nimport * as own from './lib/own.ts'\nconsole.log(sep, own, own.default())",
    "timers": "setTimeout(() => console.log('later'), 5)\nsetImmediate(() => console.log('soon'))\nawait new Promise((done) => setTimeout(done, 1))",
    "both streams": "for (let i = 0; i < 50; i++) { console.log('out', i); console.error('error', i) }",
    "much output": "for (let i = 0; i < 20000; i++) console.log('line', i)",
    "surrogates": "console.log('a\\ud800b'); process.stdout.write(new Uint8Array([104, 105, 10]))",
    "exit": "process.on('exit', (code) => console.log('exit', code))\nsetTimeout(() => process.exit(3), 1)\nawait new Promise(() => {})",
    "exit in a listener": "process.on('exit', () => process.exit(4))",
    "exit code": "process.exitCode = 5",
    "exit after await": "await 1\nprocess.exit(6)",
    "exit in a microtask": "queueMicrotask(() => process.exit(7))",
    "before exit": "let left = 2\nprocess.on('beforeExit', () => { if (left-- > 0) setTimeout(() => console.log('again', left), 1) })",
    "error": "interface Gone { a: number }\n\nfunction fail(): never { throw new Error('with a place') }\nfail()",
    "error later": "setTimeout(() => { throw new TypeError('later') }, 1)",
    "rejection": "Promise.reject(new RangeError('nobody waits'))",
    "caught": "process.on('uncaughtException', (error) => console.log('caught', error.message))\nthrow new Error('it')",
    "stack": "const deep = () => new Error('here').stack\nconsole.log(deep())",
    "never": "await new Promise(() => {})",
    "syntax": "const x = ;",
    "no export": "import { nope } from 'node:fs'\nconsole.log(nope)",
    "no module": "import './nowhere.ts'",
    "data": "import data from './data.json'\nconsole.log(data)",
    "commonjs": "console.log(require('./data.json'), __filename.length > 0)",
    "import()": "console.log(Object.keys(await import('./lib/own.ts')), (await import('node:os')).EOL)",
    "children": "import { execSync } from 'node:child_process'\nconsole.log('before')\nconsole.log(String(execSync('echo a child')))",
    "environment": "process.env.NEW = '1'\nconsole.log(process.env.NEW, process.env.GIVEN, process.title, typeof process.hrtime.bigint())",
    "signals": "process.on('SIGUSR2', () => { console.log('heard'); process.exit() })\nprocess.kill(process.pid, 'SIGUSR2')\nsetTimeout(() => {}, 60000)",
    "killed": "console.log('gathered')\nprocess.kill(process.pid, 'SIGTERM')\nsetTimeout(() => {}, 60000)",
    "servers": "import http from 'node:http'\nconst server = http.createServer((_, answer) => answer.end('served'))\nserver.listen(0, async () => {\n  console.log(await (await fetch(`http://localhost:${server.address().port}`)).text())\n  server.close()\n})",
    "workers": "import { Worker, isMainThread, parentPort } from 'node:worker_threads'\nif (isMainThread) new Worker(import.meta.filename).on('message', console.log).on('exit', console.log)\nelse parentPort.postMessage('from a worker')",
    "standard input": "let text = ''\nfor await (const part of process.stdin) text += part\nconsole.log(text)",
    "require": "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\nconsole.log(require('./data.json'), require('node:os').EOL)",
    "built-ins change": "import fs, { existsSync } from 'node:fs'\nimport { syncBuiltinESMExports } from 'node:module'\nfs.existsSync = () => 'changed'\nsyncBuiltinESMExports()\nconsole.log(existsSync('x'))",
    "wasm": "console.log(await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])))",
    "garbage": "const seen = new FinalizationRegistry(() => {})\nfor (let i = 0; i < 1e5; i++) seen.register({}, i)\nawait new Promise((done) => setTimeout(done, 20))\nconsole.log('done')",
    "recursion": "const endless = () => 1 + endless()\ntry { endless() } catch (error) { console.log(error.message) }",
}
LAST = 4  # the first start makes an image, the second keeps an answer, the third may note that Python was needed


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    made = Box(tmp_path_factory.mktemp("box"))
    made.write(
        {
            "given.txt": "given\n",
            "data.json": '{"k": 1}',
            "lib/own.ts": "export const one: number = 1\nexport default () => 'called'\n",
        }
    )
    yield made
    made.close()


def normal(text: bytes) -> bytes:
    return re.sub(rb"localhost:\d+", b"localhost:PORT", text)


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_as_with_python(box: Box, name: str) -> None:
    file = f"{re.sub(r'[^a-z]', '_', name)}.ts"
    box.write({file: PROGRAMS[name] + "\n"})
    aged(box.folder / file)
    runs = []
    for number in range(LAST + 1):
        asked = {"RT_NO_REPLAY": "1"} if number == 0 else {}
        with open(box.folder / "given.txt") as given:
            run = box.run(f"./{file}", "one", "--two", stdin=given, environment={"GIVEN": "yes", **asked})
        runs.append((run.returncode, normal(run.stdout), normal(run.stderr)))
    assert runs[1:] == [runs[0]] * LAST
    if name == "killed":
        assert runs[0][0] == -signal.SIGTERM


def aged(path: Path) -> None:
    """Have it look as if it was written a while ago: what has just changed is not kept."""
    os.utime(path, (1_700_000_000, 1_700_000_000))


def test_python_is_not_there(box: Box) -> None:
    box.write({"how.ts": TELLS_HOW})
    aged(box.folder / "how.ts")
    told = [box.run("./how.ts").stdout.decode().strip() for _ in range(4)]
    assert told[0] == "with Python" and told[-1] == "without Python"
    assert box.run("./how.ts", environment={"RT_NO_REPLAY": "1"}).stdout == b"with Python\n"
    assert box.run("./how.ts", environment={"RT_NO_IMAGE": "1"}).stdout == b"with Python\n"
    assert box.run("./how.ts", environment={"NODE_PATH": "/x"}).stdout == b"with Python\n"


def test_what_always_needs_python_begins_with_it(box: Box) -> None:
    needs = "import { execSync } from 'node:child_process'\n" + TELLS_HOW + "execSync('true')\n"
    box.write({"needs.ts": needs})
    aged(box.folder / "needs.ts")
    told = [box.run("./needs.ts").stdout.decode().strip() for _ in range(6)]
    assert "without Python" in told and told[-2:] == ["with Python"] * 2
    box.write({"needs.ts": needs + "// changed\n"})
    os.utime(box.folder / "needs.ts", (1_700_000_001, 1_700_000_001))
    assert box.run("./needs.ts").stdout == b"without Python\n"


def test_a_reader_that_goes_away_ends_it(box: Box) -> None:
    box.write({"endless.ts": "for (;;) console.log('a line of some length')\n"})
    aged(box.folder / "endless.ts")
    outcomes = [box.in_bash("$RT ./endless.ts | head -n 1; echo ${PIPESTATUS[0]}").stdout for _ in range(LAST)]
    assert outcomes == [outcomes[0]] * LAST
