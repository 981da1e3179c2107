"""Long-running load on servers and clients of rt: `python benchmarks/http_endurance.py [WHAT ...]`, where WHAT is

requests  1,000,000 requests (REQUESTS): the server's memory after each tenth
bodies    4 GB (GIGABYTES) through a server and a client, in both directions: the peak memory of each, beside its idle memory
sockets   10,000 WebSockets (SOCKETS) open at once: a message in each direction on every one, and the memory per socket
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RT = str(Path(sys.executable).parent / "rt")
REQUESTS = int(os.environ.get("REQUESTS", "1000000"))
GIGABYTES = float(os.environ.get("GIGABYTES", "4"))
SOCKETS = int(os.environ.get("SOCKETS", "10000"))

SERVERS = {
    "RT.serve": "console.log(RT.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('hello world') }).port);",
    "node:http": """
import http from 'node:http';
const server = http.createServer((request, response) => response.end('hello world'));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
""",
}
# Sends and receives bodies of a given size, and counts the received bytes.
BODIES = {
    "RT.serve": """
const block = new Uint8Array(256 * 1024).fill(120);
const server = RT.serve({
  port: 0,
  hostname: '127.0.0.1',
  maxRequestBodySize: Infinity,
  idleTimeout: 0,
  async fetch(request) {
    if (request.method === 'POST') {
      let count = 0;
      for await (const bytes of request.body) count += bytes.length;
      return new Response(`${count}`);
    }
    let left = Number(new URL(request.url).searchParams.get('bytes'));
    return new Response(
      new ReadableStream({
        pull(controller) {
          if (left <= 0) return controller.close();
          controller.enqueue(block.subarray(0, Math.min(left, block.length)));
          left -= block.length;
        },
      }),
    );
  },
});
console.log(server.port);
""",
    "node:http": """
import http from 'node:http';
import { Readable } from 'node:stream';
const block = Buffer.alloc(256 * 1024, 'x');
const server = http.createServer((request, response) => {
  if (request.method === 'POST') {
    let count = 0;
    request.on('data', (bytes) => (count += bytes.length));
    request.on('end', () => response.end(`${count}`));
    return;
  }
  let left = Number(new URL(request.url, 'http://a').searchParams.get('bytes'));
  new Readable({
    read() {
      if (left <= 0) return void this.push(null);
      left -= block.length;
      this.push(block);
    },
  }).pipe(response);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
""",
}
CLIENT = """
const [at, bytes] = process.argv.slice(2);
const size = Number(bytes);
await (await fetch(`${at}?bytes=1000`)).text();
console.log('ready');
await new Promise((resolve) => process.stdin.once('data', resolve));
let count = 0;
for await (const piece of (await fetch(`${at}?bytes=${size}`)).body) count += piece.length;
console.log(`came ${count}`);
const block = new Uint8Array(256 * 1024).fill(120);
let left = size;
const body = new ReadableStream({
  pull(controller) {
    if (left <= 0) return controller.close();
    left -= block.length;
    controller.enqueue(block);
  },
});
console.log(`went ${await (await fetch(at, { method: 'POST', body, duplex: 'half' })).text()}`);
await new Promise((resolve) => process.stdin.once('data', resolve));
process.exit();
"""
ECHO = """
const server = RT.serve({
  port: 0,
  hostname: '0.0.0.0',
  fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('no')),
  websocket: { message: (socket, message) => socket.send(message), idleTimeout: 0 },
});
console.log(server.port);
"""
# A single address would run out of ports for that many sockets, so they are spread over several loopback addresses.
SOCKETS_CLIENT = """
const [port, count] = process.argv.slice(2).map(Number);
const sockets = [];
let [open, back] = [0, 0];
const { promise, resolve, reject } = Promise.withResolvers();
const one = (index) => new Promise((opened) => {
  const socket = new WebSocket(`ws://127.0.0.${1 + (index % 4)}:${port}`);
  sockets.push(socket);
  socket.onopen = () => { open++; opened(); };
  socket.onmessage = ({ data }) => {
    if (data !== `message ${index}`) reject(new Error(data));
    if (++back === count) resolve();
  };
  socket.onerror = ({ message }) => reject(new Error(message));
});
const since = performance.now();
for (let index = 0; index < count; index += 100)
  await Promise.all(Array.from({ length: Math.min(100, count - index) }, (_, at) => one(index + at)));
const opened = performance.now();
sockets.forEach((socket, index) => socket.send(`message ${index}`));
await promise;
console.log(`${open} open after ${Math.round(opened - since)} ms, ${back} messages back after ${Math.round(performance.now() - opened)} ms more`);
await new Promise((resolve) => process.stdin.once('data', resolve));
process.exit();
"""


def memory_mb(pid: int, field: str = "VmRSS") -> float:
    found = re.search(rf"{field}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


def start(folder: str, name: str, text: str, *arguments: str) -> subprocess.Popen[str]:
    Path(folder, name).write_text(text)
    words = [RT, name, *arguments]
    return subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def proceed(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def stop(*processes: subprocess.Popen[str]) -> None:
    for process in processes:
        process.kill()
        process.wait()


def requests(folder: str) -> None:
    for name, text in SERVERS.items():
        server = start(folder, "server.mjs", text)
        port = line_of(server)
        done, sizes = 0, []
        while done < REQUESTS:
            load = ["wrk", "-t1", "-c64", "-d2", f"http://127.0.0.1:{port}/"]
            said = subprocess.run(load, capture_output=True, text=True, check=True).stdout
            count = re.search(r"(\d+) requests in", said)
            assert count is not None and "Non-2xx" not in said, said
            done += int(count[1])
            sizes.append((done, memory_mb(server.pid)))
        shown = sizes[:: max(1, len(sizes) // 10)] + sizes[-1:]
        print(f"{name}: " + ", ".join(f"{count:,} {size:.0f} MB" for count, size in shown), flush=True)
        stop(server)


def bodies(folder: str) -> None:
    size = int(GIGABYTES * 2**30)
    for name, text in BODIES.items():
        server = start(folder, "server.mjs", text)
        client = start(folder, "client.mjs", CLIENT, f"http://127.0.0.1:{line_of(server)}/", str(size))
        line_of(client)
        idle = [memory_mb(each.pid) for each in (server, client)]
        print(f"{name}: idle, server {idle[0]:.0f} MB, client {idle[1]:.0f} MB", flush=True)
        proceed(client)
        for _ in range(2):
            since = time.monotonic()
            said = line_of(client)
            most = [memory_mb(each.pid, "VmHWM") for each in (server, client)]
            print(
                f"  {said} bytes in {time.monotonic() - since:.1f} s; at most, above idle: "
                f"server {most[0] - idle[0]:.0f} MB, client {most[1] - idle[1]:.0f} MB",
                flush=True,
            )
            assert said.endswith(str(size)), said
        stop(server, client)


def sockets(folder: str) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    server = start(folder, "server.mjs", ECHO)
    port = line_of(server)
    idle = memory_mb(server.pid)
    client = start(folder, "client.mjs", SOCKETS_CLIENT, port, str(SOCKETS))
    print(line_of(client))
    print(f"server: {(memory_mb(server.pid) - idle) * 1024 / SOCKETS:.1f} KB a socket", flush=True)
    stop(client, server)


def main() -> None:
    parts = {"requests": requests, "bodies": bodies, "sockets": sockets}
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or parts:
            parts[name](folder)


if __name__ == "__main__":
    main()
