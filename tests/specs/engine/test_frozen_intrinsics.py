"""`--frozen-intrinsics` under the name `node`: what a program can no longer change, and that the library still works."""

from __future__ import annotations

import subprocess

import js_peers as peers
from rig import Box, executable

PROGRAM = """
'use strict';
const attempts = {
  static() { Object.defineProperty = 1; },
  method() { Array.prototype.push = 1; },
  added() { Array.prototype.own = 1; },
  deleted() { delete JSON.parse; },
  globalThis() { globalThis.globalThis = null; },
  console() { console.log = null; },
  function() { Math.random = 5; },
  prototype() { Object.prototype.own = 1; },
  promise() { Promise.prototype.then = 1; },
  generator() { Object.getPrototypeOf(function* () {}).own = 1; },
  object() {
    const object = {};
    object.toString = () => 'own';
    return `${object}` + Object.getOwnPropertyDescriptor(object, 'toString').enumerable;
  },
  subclass() {
    class Own extends Array {}
    Own.prototype.push = Own.from = 5;
    return Own.from + Own.prototype.push;
  },
  error() { return String(Object.assign(new Error('x'), { name: 'Own', message: 'y' })); },
  closure() {
    function own() {}
    own.prototype.constructor = 5;
    own.toString = 6;
    return own.toString + own.prototype.constructor;
  },
  map() { return Object.assign(new Map(), { set: 5 }).set; },
  global() { return (globalThis.own = 5); },
  preloaded: () => [].last,
  frozen: () => [Symbol.prototype, Intl.DateTimeFormat.prototype, WebAssembly, setTimeout, process, Buffer].map(Object.isFrozen),
};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    console.log(name, attempt());
  } catch (error) {
    console.log(name, error.name);
  }
}
(async () => {
  const { inspect, promisify } = require('node:util');
  console.log(inspect({ a: [1, new Map([[1, 2]])] }), await promisify(setTimeout)(1, 'timer'));
  console.log((await require('node:fs/promises').readFile('/dev/null')).length);
  const { gzipSync, gunzipSync } = require('node:zlib');
  console.log(`${gunzipSync(gzipSync('text'))}`, require('node:crypto').createHash('sha1').update('').digest('hex'));
  for await (const chunk of require('node:stream').Readable.from([1, 2])) console.log(chunk);
  const server = require('node:http').createServer((request, response) => response.end('served'));
  await new Promise((resolve) => server.listen(0, resolve));
  console.log(await (await fetch(`http://127.0.0.1:${server.address().port}`)).text());
  server.close();
  const { Worker } = require('node:worker_threads');
  new Worker('require("worker_threads").parentPort.postMessage(Object.isFrozen(Array))', { eval: true }).on('message', console.log);
})();
"""


def test_intrinsics(box: Box) -> None:
    box.write({"a.cjs": PROGRAM, "preload.cjs": "Array.prototype.last = 'preloaded';"})
    node = box.folder / "node"
    node.symlink_to(executable())
    for words in ((), ("--require", "./preload.cjs")):
        own, other = (
            subprocess.run(
                [program, "--frozen-intrinsics", "--no-warnings", *words, "a.cjs"],
                cwd=box.folder,
                env=box.environment(),
                capture_output=True,
                text=True,
                timeout=60,
            )
            for program in (str(node), peers.node())
        )
        assert (own.stdout, own.stderr, own.returncode) == (other.stdout, other.stderr, other.returncode)
