"""Requests per second of small servers under rt and other runtimes, with the server on one core and the load (wrk, 64
connections) on the other; CPU time per request, which a busy machine hardly changes; and time and CPU time of 10,000
fetches: one after the other, a hundred at a time, and all at once. `python benchmarks/servers.py [ROUNDS]`, with one second per server and round; other
runtimes are found as by the tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

PEERS = Path(os.environ.get("RT_PEERS", Path.home() / ".cache/rt-peers/bin"))
RT = str(Path(sys.executable).parent / "rt")
NODE_SERVER = """
const http = require('node:http');
const body = process.argv[2] === 'large' ? Buffer.alloc(64 * 1024, 'x') : 'hello world';
http.createServer((request, response) => response.end(body)).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
"""
SERVE = """
const body = (globalThis.process?.argv[2] ?? Deno.args[0]) === 'large' ? new Uint8Array(64 * 1024).fill(120) : 'hello world';
const fetch = () => new Response(body);
if (globalThis.Deno) Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log(port) }, fetch);
else console.log((globalThis.RT ?? Bun).serve({ port: 0, hostname: '127.0.0.1', fetch }).port);
"""
CLIENT = """
const at = `http://127.0.0.1:${process.argv[2]}`;
const ask = async () => (await fetch(at)).text();
const COUNT = 10000;
const results = [];
const measure = async (run) => {
  const since = performance.now();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  results.push({ ms: performance.now() - since, us: (user + system) / COUNT });
};
for (let i = 0; i < 2000; i++) await ask();
await measure(async () => { for (let i = 0; i < COUNT; i++) await ask(); });
await measure(async () => { for (let i = 0; i < COUNT; i += 100) await Promise.all(Array.from({ length: 100 }, ask)); });
await measure(() => Promise.all(Array.from({ length: COUNT }, ask)));
console.log(JSON.stringify(results));
process.exit();
"""


def found(name: str) -> str | None:
    path = PEERS / name
    return str(path) if path.exists() else shutil.which(name)


def on_core(core: int, command: list[str]) -> list[str]:
    return ["taskset", "-c", str(core), *command]


def start(command: list[str], folder: str) -> tuple[subprocess.Popen[str], int]:
    process = subprocess.Popen(on_core(0, command), stdout=subprocess.PIPE, text=True, cwd=folder)
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Measured:
    """One server and its measurements of each round."""

    def __init__(self, name: str, command: list[str], folder: str) -> None:
        self.name = name
        self.process, self.port = start(command, folder)
        self.rates: list[float] = []
        self.costs_us: list[float] = []

    def load(self, seconds: int) -> tuple[float, float]:
        """Return requests per second, and CPU microseconds per request."""
        before = processor_s(self.process.pid)
        load = ["wrk", "-t1", "-c64", f"-d{seconds}", f"http://127.0.0.1:{self.port}/"]
        result = subprocess.run(on_core(1, load), capture_output=True, text=True, check=True)
        match = re.search(r"Requests/sec:\s+([\d.]+)", result.stdout)
        count = re.search(r"(\d+) requests in", result.stdout)
        assert match is not None and count is not None, result.stdout
        return float(match[1]), (processor_s(self.process.pid) - before) * 1e6 / int(count[1])

    def round(self, seconds: int) -> None:
        rate, cost_us = self.load(seconds)
        self.rates.append(rate)
        self.costs_us.append(cost_us)


def measure(servers: dict[str, list[str | None]], size: str, folder: str, seconds: int) -> None:
    """Measure all servers in turn, round after round, so that other load affects them alike. Print medians."""
    running = [
        Measured(name, [*(word for word in command if word is not None), size], folder)
        for name, command in servers.items()
        if command[0] is not None
    ]
    try:
        for each in running:
            each.load(1)
        for _ in range(seconds):
            for each in running:
                each.round(1)
        for each in running:
            print(f"  {each.name:18} {median(each.rates):10.0f} {median(each.costs_us):10.1f} us", flush=True)
    finally:
        for each in running:
            each.process.kill()
            each.process.wait()


def main() -> None:
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    deno, node, bun = found("deno"), found("node26") or found("node"), found("bun")
    servers = {
        "RT.serve, rt": [RT, "serve.mjs"],
        "node:http, rt": [RT, "http.cjs"],
        "node:http, node": [node, "http.cjs"],
        "Deno.serve, deno": [deno, "run", "-A", "serve.mjs"],
        "Bun.serve, bun": [bun, "serve.mjs"],
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("http.cjs", NODE_SERVER), ("serve.mjs", SERVE), ("client.mjs", CLIENT)):
            Path(folder, name).write_text(text)
        for size in ("small", "large"):
            print(f"{'hello world' if size == 'small' else '64 KB'}, requests a second")
            measure(servers, size, folder, seconds)
        print("10,000 fetches, ms and CPU time of each: one after the other, 100 at a time, all at once")
        server, port = start([node or RT, "http.cjs", "small"], folder)
        for name, command in (("rt", [RT]), ("node", [node]), ("bun", [bun])):
            if command[0] is None:
                continue
            words = [*(word for word in command if word is not None), "client.mjs", str(port)]
            result = subprocess.run(on_core(1, words), capture_output=True, text=True, cwd=folder)
            if result.returncode != 0:
                print(f"  {name:18} {result.stderr}", flush=True)
                continue
            columns = [f"{each['ms']:8.0f} {each['us']:6.1f} us" for each in json.loads(result.stdout)]
            print(f"  {name:18} {'  '.join(columns)}", flush=True)
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
