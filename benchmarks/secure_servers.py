"""CPU time per request of HTTPS and HTTP/2 servers under rt and other runtimes, with small and large bodies, and per
handshake. h2load (Debian: nghttp2-client) generates the load: eight connections, with ten streams each for HTTP/2.
`python benchmarks/secure_servers.py [ROUNDS]`; the servers take turns, and medians are printed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from servers import RT, found, on_core, processor_s, start

IDENTITY = "const { readFileSync } = require('node:fs'); const tls = { key: readFileSync('key.pem'), cert: readFileSync('cert.pem') };"
BODY = "const body = process.argv[2] === 'large' ? Buffer.alloc(64 * 1024, 'x') : 'hello world';"
LISTEN = ".listen(0, '127.0.0.1', function () { console.log(this.address().port); });"
ANSWER = "(request, response) => response.end(body)"
SCRIPTS = {
    "https.cjs": f"{IDENTITY}{BODY}require('node:https').createServer(tls, {ANSWER}){LISTEN}",
    "http2.cjs": f"{IDENTITY}{BODY}require('node:http2').createSecureServer(tls, {ANSWER}){LISTEN}",
    "http2-plain.cjs": f"{BODY}require('node:http2').createServer({ANSWER}){LISTEN}",
    "serve.cjs": f"{IDENTITY}{BODY}const fetch = () => new Response(body); const options = {{ port: 0, hostname: '127.0.0.1', tls, fetch }};"
    "console.log((globalThis.RT ?? globalThis.Bun).serve(options).port);",
}
COUNTS = {"small": 8000, "large": 3000}
HANDSHAKES = 1500


def load(script: str, port: int, count: int, *more: str) -> None:
    version = ["-m10"] if script.startswith("http2") else ["--h1"]
    scheme = "http" if "plain" in script else "https"
    command = ["h2load", "-t1", "-c8", *version, f"-n{count}", *more, f"{scheme}://127.0.0.1:{port}/"]
    result = subprocess.run(on_core(1, command), capture_output=True, text=True, check=True)
    succeeded = re.search(r"(\d+) succeeded", result.stdout)
    assert succeeded is not None and int(succeeded[1]) == count, result.stdout


def cost_us(command: list[str], script: str, size: str, folder: str) -> float:
    process, port = start([*command, script, "small" if size == "handshake" else size], folder)
    try:
        count, more = (HANDSHAKES, (f"-c{HANDSHAKES}",)) if size == "handshake" else (COUNTS[size], ())
        load(script, port, 2000)
        before = processor_s(process.pid)
        load(script, port, count, *more)
        return (processor_s(process.pid) - before) * 1e6 / count
    finally:
        process.kill()
        process.wait()


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    commands = {"rt": RT, "node": found("node26") or found("node"), "bun": found("bun")}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SCRIPTS.items():
            Path(folder, name).write_text(text)
        request = "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 30 -subj /CN=localhost"
        subprocess.run(request.split(), cwd=folder, check=True, capture_output=True)
        for script in SCRIPTS:
            for size in ("small", "large", *(["handshake"] if script == "https.cjs" else [])):
                costs: dict[str, list[float]] = {}
                for _ in range(rounds):
                    for name, command in commands.items():
                        if command is not None and not (name == "node" and script == "serve.cjs"):
                            costs.setdefault(name, []).append(cost_us([command], script, size, folder))
                reported = "  ".join(f"{name} {median(each):7.1f} us" for name, each in costs.items())
                print(f"{script:16} {size:10} {reported}", flush=True)


if __name__ == "__main__":
    main()
