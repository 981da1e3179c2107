"""Packages of the registry that watch files themselves, run by rt: each sees saved files, however editors save them."""

from __future__ import annotations

import pytest
from npm_packages import installed, packages
from rig import Box
from watching import Watching, save

__all__ = ["installed", "packages"]
VERSIONS = {"mocha": "11.7.5", "typescript": "5.9.3", "chokidar": "5.0.0"}


@pytest.mark.parametrize("saves", ["in place", "by rename"])
def test_mocha_reads_what_was_changed_again(installed: Box, saves: str) -> None:
    def write(name: str, text: str) -> None:
        if saves == "by rename":
            save(installed, name, text)
        else:  # in one go: mocha would read an empty intermediate file and get no further event
            path = installed.folder / name
            size = path.stat().st_size
            with path.open("r+") as file:
                file.write(text.ljust(size))

    spec = "const n = require('../lib'); it('n is 1', () => require('assert').equal(n, 1));"
    installed.write({"package.json": {"name": "a"}, "lib.js": "module.exports = 1;", "test/a.spec.js": spec})
    mocha = Watching(installed, "node_modules/mocha/bin/mocha.js", "--watch", "--reporter", "dot")
    mocha.read_until("1 passing")
    mocha.read_until("waiting for changes")
    write("lib.js", "module.exports = 2;")
    mocha.read_until("1 failing")
    mocha.read_until("waiting for changes")
    write("test/a.spec.js", "it('a', () => {}); it('b', () => {});")
    mocha.read_until("2 passing")
    mocha.read_until("waiting for changes")
    (installed.folder / "test/b.spec.js").write_text("it('c', () => {});")
    mocha.read_until("3 passing")
    mocha.end()
    installed.await_nothing_left()


def test_tsc_compiles_what_was_changed_again(installed: Box) -> None:
    options = {"target": "es2022", "module": "commonjs", "outDir": "out", "types": [], "skipLibCheck": True}
    installed.write({"tsconfig.json": {"compilerOptions": options, "include": ["src"]}})
    installed.write(
        {"src/a.ts": "import { b } from './b';\nexport const a: number = b;\n", "src/b.ts": "export const b = 1;\n"}
    )
    tsc = Watching(installed, "node_modules/typescript/bin/tsc", "--watch", "--preserveWatchOutput")
    tsc.read_until("Found 0 errors. Watching for file changes.")
    save(installed, "src/b.ts", "export const b = 'text';\n")
    assert "error TS2322: Type 'string' is not assignable to type 'number'." in tsc.read_until("Found 1 error.")
    (installed.folder / "src/b.ts").write_text("export const b = 2;\n")
    tsc.read_until("Found 0 errors.")
    assert "exports.b = 2;" in (installed.folder / "out/b.js").read_text()
    installed.write({"src/c.ts": "export const c: string = 3;\n"})
    assert "src/c.ts(1,14): error TS2322" in tsc.read_until("Found 1 error.")
    (installed.folder / "src/c.ts").unlink()
    tsc.read_until("Found 0 errors.")
    tsc.end()
    installed.await_nothing_left()


DEV_SERVER = """
import http from 'node:http'; import fs from 'node:fs'; import path from 'node:path'; import chokidar from 'chokidar';
const root = path.resolve('app'), listeners = new Set();
const known = new Map();  // transformed modules by path, as a dev server keeps them
const server = http.createServer((request, response) => {
  if (request.url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }); response.write(':\\n\\n');
    listeners.add(response); request.on('close', () => listeners.delete(response));
    return;
  }
  const file = path.join(root, request.url);
  if (!known.has(file)) known.set(file, '/* v' + known.size + ' */ ' + fs.readFileSync(file, 'utf8'));
  response.end(known.get(file));
}).listen(0, async () => {
  const base = 'http://localhost:' + server.address().port;
  const { body } = await fetch(base + '/events');
  console.log('first', await (await fetch(base + '/main.js')).text());
  console.log('ready');
  for await (const block of body.pipeThrough(new TextDecoderStream())) {
    const update = /data: (.*)/.exec(block);
    if (update) console.log('updated', update[1], await (await fetch(base + update[1])).text());
  }
});
chokidar.watch(root, { ignoreInitial: true }).on('all', (event, file) => {
  if (event !== 'change' && event !== 'add') return;
  if (file.endsWith('.draft')) return;
  known.delete(file);
  for (const each of listeners) each.write('data: /' + path.relative(root, file) + '\\n\\n');
});
"""


def test_a_dev_server_sends_what_was_saved(installed: Box) -> None:
    """As in vite: modules cached by path, invalidated on chokidar's events, and an event for the browser."""
    installed.write({"server.mjs": DEV_SERVER, "app/main.js": "let a = 1;", "app/part.js": "let b = 1;"})
    server = Watching(installed, "server.mjs")
    assert "let a = 1;" in server.read_until("ready\n")
    save(installed, "app/main.js", "let a = 2;")
    server.read_until("updated /main.js")
    server.read_until("let a = 2;")
    with (installed.folder / "app/part.js").open("r+") as part:
        part.write("let b = 2;")  # in place and in one write: an empty intermediate file may be all that is seen
    server.read_until("updated /part.js")
    server.read_until("let b = 2;")
    installed.write({"app/new/deep.js": "let c = 1;"})
    server.read_until("updated /new/deep.js")
    server.end()
    installed.await_nothing_left()


def test_a_dev_server_under_watch_starts_again_with_its_config_only(installed: Box) -> None:
    """Files that the server reads itself are its own matter; a change of a module that it imports restarts it."""
    installed.write({"server.mjs": "import './config.mjs';" + DEV_SERVER, "config.mjs": "console.log('config 1');"})
    installed.write({"app/main.js": "let a = 1;"})
    server = Watching(installed, "--watch", "server.mjs")
    server.read_until("config 1")
    server.read_until("ready\n")
    save(installed, "app/main.js", "let a = 2;")
    assert "restarted" not in server.read_until("let a = 2;")
    save(installed, "config.mjs", "console.log('config 2');")
    server.read_until("rt: restarted: config.mjs changed\nconfig 2")
    server.read_until("ready\n")
    server.end()
    installed.await_nothing_left()
