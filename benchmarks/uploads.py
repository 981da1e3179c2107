"""CPU time of a server for one upload that its handler reads whole, under rt and Bun, by the size of the body. One client sends
the uploads one after the other; the servers take turns.

    python benchmarks/uploads.py [ROUNDS]
"""

from __future__ import annotations

import socket
import sys
import tempfile
from pathlib import Path
from statistics import median

from servers import RT, found, processor_s, start

SCRIPT = """
const fetch = async (request) => new Response(String((await request.arrayBuffer()).byteLength));
console.log((globalThis.RT ?? Bun).serve({ port: 0, hostname: '127.0.0.1', fetch }).port);
"""
COUNTS = {1_000: 2000, 100_000: 500, 1_000_000: 150, 20_000_000: 10}


def upload(port: int, size: int, count: int) -> None:
    head = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n"
    request = head.encode() + b"x" * size
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(count):
            connection.sendall(request)
            answer = b""
            while not answer.endswith(str(size).encode()):
                received = connection.recv(65536)
                if not received:
                    raise SystemExit("the server closed the connection")
                answer += received


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    commands = {"rt": RT, "bun": found("bun")}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "serve.mjs").write_text(SCRIPT)
        running = {
            name: start([command, "serve.mjs"], folder) for name, command in commands.items() if command is not None
        }
        for size, count in COUNTS.items():
            costs: dict[str, list[float]] = {name: [] for name in running}
            for _ in range(rounds + 1):
                for name, (process, port) in running.items():
                    before = processor_s(process.pid)
                    upload(port, size, count)
                    costs[name].append((processor_s(process.pid) - before) * 1e6 / count)
            columns = "  ".join(f"{name} {median(each[1:]):8.0f} us" for name, each in costs.items())
            print(f"{size:10} bytes  {columns}", flush=True)
        for process, _ in running.values():
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
