"""CPU time of short calls, in microseconds, under rt, Node and Bun: digests, text, errors, copies and messages. Then time,
CPU time and peak memory of a program that prints a line. The runtimes take turns; the best of several rounds is printed.

    python benchmarks/small_calls.py [ROUNDS]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from scale import measure
from servers import RT, found

CALLS = """
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { MessageChannel, Worker } from 'node:worker_threads';

const results = {};
const measure = async (name, count, call, isAsync = false) => {
  const run = async (times) => {
    for (let i = 0; i < times; i++) if (isAsync) await call(i); else call(i);
  };
  await run(count / 4);
  const before = process.cpuUsage();
  await run(count);
  const { user, system } = process.cpuUsage(before);
  results[name] = (user + system) / count;
};
const short = 'hello world, this is short';
const encode = (text) => new TextEncoder().encode(text);
const decoder = new TextDecoder();
const [ascii, short8, long8] = [encode('hello '.repeat(10)), encode('Привет, '.repeat(8)), encode('世界こんにちは'.repeat(300))];

await measure('createHash of 26 bytes', 20000, () => createHash('sha256').update(short).digest('hex'));
await measure('subtle.digest', 3000, () => crypto.subtle.digest('SHA-256', ascii), true);
await measure('TextDecoder, 60 bytes of ASCII', 50000, () => decoder.decode(ascii));
await measure('TextDecoder, 112 bytes of UTF-8', 50000, () => decoder.decode(short8));
await measure('TextDecoder, 6300 bytes of UTF-8', 5000, () => decoder.decode(long8));
await measure('new Error', 20000, () => new Error('message'));
await measure('new Error after await', 10000, async () => { await 1; return new Error('message'); }, true);
await measure('structuredClone, flat', 50000, () => structuredClone({ id: 1, text: 'text' }));

const COUNT = 20000;
const post = async (name, port, last) => {
  for (let round = 0; round < 2; round++) {
    const { promise, resolve } = Promise.withResolvers();
    last(resolve);
    const before = process.cpuUsage();
    for (let id = 1; id <= COUNT; id++) port.postMessage({ id, text: 'text' });
    await promise;
    const { user, system } = process.cpuUsage(before);
    results[name] = (user + system) / COUNT;
  }
};
const { port1, port2 } = new MessageChannel();
let done;
port2.on('message', ({ id }) => id === COUNT && done());
await post('a message in one thread', port1, (resolve) => { done = resolve; });
port1.close();
const receiver = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ id }) => id === ${COUNT} && parentPort.postMessage('done'));
`;
const worker = new Worker(receiver, { eval: true });
await post('a message to another thread', worker, (resolve) => worker.once('message', resolve));
await worker.terminate();

const folder = fs.mkdtempSync('files-');
await measure('a file of 800 bytes, written and read', 2000, (i) => {
  fs.writeFileSync(`${folder}/${i}`, short.repeat(31));
  fs.readFileSync(`${folder}/${i}`, 'utf8');
});
fs.rmSync(folder, { recursive: true });
console.log(JSON.stringify(results));
process.exit();
"""


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    commands = {"rt": RT, "node": found("node26") or found("node"), "bun": found("bun")}
    runtimes = {name: [command] for name, command in commands.items() if command is not None}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "calls.mjs").write_text(CALLS)
        Path(folder, "hello.ts").write_text("console.log('hello');\n")
        best: dict[str, dict[str, float]] = {}
        for _ in range(rounds):
            for name, command in runtimes.items():
                printed = subprocess.run(
                    [*command, "calls.mjs"], cwd=folder, capture_output=True, text=True, check=True
                ).stdout
                for call, cost in json.loads(printed).items():
                    row = best.setdefault(call, {})
                    row[name] = min(cost, row.get(name, cost))
        for call, row in best.items():
            print(f"{call:40} {'  '.join(f'{name} {cost:7.2f}' for name, cost in row.items())}", flush=True)
        deno = found("deno")
        for name, command in {**runtimes, **({"deno": [deno, "run"]} if deno else {})}.items():
            results = [measure(Path(folder), *command, "hello.ts") for _ in range(rounds * 3)]
            wall, cpu, memory = (min(column) for column in zip(*results[1:], strict=True))
            print(
                f"hello.ts, {name:6} {cpu * 1000:6.1f} ms CPU  {wall * 1000:6.1f} ms  {memory / 1024:6.1f} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
