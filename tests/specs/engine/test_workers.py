"""Workers beyond the comparison in `like_node`: the Web class, TypeScript, memory limits, exits of the program."""

from __future__ import annotations

import subprocess

from rig import Box, executable


def lines(box: Box, *arguments: str) -> list[str]:
    done = box.run(*arguments)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().splitlines()


def test_web_worker_with_typescript(box: Box) -> None:
    box.write(
        {
            "main.ts": """
const worker = new Worker(new URL('./side.ts', import.meta.url), { name: 'side' });
worker.addEventListener('open', () => console.log('open'));
worker.onmessage = ({ data }: MessageEvent) => { console.log(JSON.stringify(data)); worker.postMessage('end'); };
worker.addEventListener('close', (event) => console.log('close', (event as any).code));
worker.postMessage({ n: 20 });
""",
            "side.ts": """
declare const self: any;
self.onmessage = ({ data }: { data: any }) => {
  if (data === 'end') self.close();
  else postMessage({ twice: (data.n as number) * 2, name: self.name, same: self === globalThis });
};
""",
        }
    )
    assert lines(box, "main.ts") == ["open", '{"twice":40,"name":"side","same":true}', "close 0"]


def test_sources_that_are_not_files(box: Box) -> None:
    box.write(
        {
            "main.mjs": """
import { Worker as NodeWorker } from 'node:worker_threads';
const heard = (worker, name) => new Promise((done) => worker[name]((it) => done(it.data ?? it)));
const text = 'import { parentPort } from "node:worker_threads"; parentPort.postMessage("data")';
const data = new NodeWorker(new URL('data:text/javascript,' + encodeURIComponent(text)));
console.log(await new Promise((done) => data.once('message', done)));
const blob = new Worker(URL.createObjectURL(new Blob(['postMessage("blob")'])));
console.log(await new Promise((done) => { blob.onmessage = ({ data }) => done(data); }));
const missing = new NodeWorker('./none.js');
console.log(await new Promise((done) => missing.once('error', (error) => done(error.code))));
"""
        }
    )
    assert lines(box, "main.mjs") == ["data", "blob", "MODULE_NOT_FOUND"]


def test_channels_reach_all_engines(box: Box) -> None:
    box.write(
        {
            "main.cjs": """
const { Worker } = require('node:worker_threads');
const channel = new BroadcastChannel('n');
channel.onmessage = ({ data }) => {
  console.log('main heard', data);
  if (data === 'ready') channel.postMessage('question');
  else channel.close();
};
new Worker(`
  const channel = new BroadcastChannel('n');
  channel.onmessage = ({ data }) => { channel.postMessage('answer to ' + data); channel.close(); };
  channel.postMessage('ready');
`, { eval: true }).on('exit', (code) => console.log('exit', code));
"""
        }
    )
    assert sorted(lines(box, "main.cjs")) == ["exit 0", "main heard answer to question", "main heard ready"]


def test_a_full_heap_ends_only_the_worker(box: Box) -> None:
    box.write(
        {
            "main.cjs": """
const { Worker } = require('node:worker_threads');
const code = 'const all = []; for (;;) all.push(new Array(1000).fill(1.5))';
const worker = new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
worker.on('error', (error) => console.log(error.code)).on('exit', (status) => console.log(status));
"""
        }
    )
    assert lines(box, "main.cjs") == ["ERR_WORKER_OUT_OF_MEMORY", "1"]


def test_the_end_of_the_program_ends_endless_workers(box: Box) -> None:
    box.write(
        {
            "main.cjs": """
const { Worker } = require('node:worker_threads');
let left = 3;
for (const code of ['for (;;);', 'setInterval(() => {}, 1000)', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)']) {
  new Worker(code, { eval: true }).on('online', () => { if (--left === 0) { console.log('all run'); process.exit(3); } });
}
"""
        }
    )
    done = box.run("main.cjs")
    assert (done.returncode, done.stdout) == (3, b"all run\n")


def test_workers_leave_neither_memory_nor_descriptors(box: Box) -> None:
    box.write(
        {
            "main.cjs": """
const { Worker } = require('node:worker_threads');
const one = () => new Promise((done) => new Worker('1', { eval: true }).on('exit', done));
(async () => {
  for (let i = 0; i < 10; i++) await one();
  const before = process.memoryUsage().rss;
  const open = () => require('fs').readdirSync('/proc/self/fd').length;
  const opened = open();
  for (let i = 0; i < 40; i++) await one();
  console.log(process.memoryUsage().rss - before < 40e6 && open() <= opened);
})();
"""
        }
    )
    assert lines(box, "main.cjs") == ["true"]


def test_a_worker_that_lacks_descriptors_reports_the_error(box: Box) -> None:
    code = """
require('stream'); process.stderr;
const { Worker } = require('worker_threads');
const fs = require('fs');
const held = [];
try { for (;;) held.push(fs.openSync('/dev/null')); } catch {}
fs.closeSync(held.pop());
const worker = new Worker('1', { eval: true });
worker.on('error', (error) => {
  for (const descriptor of held) fs.closeSync(descriptor);
  console.log(error.code, error.message);
});
"""
    box.write({"main.cjs": code})
    command = ["bash", "-c", 'ulimit -n 100; exec "$0" main.cjs', executable()]
    done = subprocess.run(command, cwd=box.folder, env=box.environment(), capture_output=True, text=True, timeout=60)
    assert done.stdout == "ERR_WORKER_INIT_FAILED Worker initialization failure: EMFILE\n", done.stderr
    assert done.stderr == ""
