"""The cost of the event loop compared with Node: file calls, slow FIFOs, a bulk stream, idle connections.

    python benchmarks/loop.py [NAME ...] [--runs 5] [--rt PATH] [--node PATH]

Each program prints figures; the runtimes take turns, and the medians and their ratio are printed. Rates are better if
larger, times if smaller.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

CALLS = """
const fs = require('fs');
fs.writeFileSync('small', 'some text of a small file\\n');
const measure = (name, work) => {
  for (let i = 0; i < 2000; i++) work();
  const began = performance.now();
  for (let i = 0; i < 100000; i++) work();
  console.log(name, (performance.now() - began).toFixed(1), 'ms');
};
measure('statSync', () => fs.statSync('small'));
measure('existsSync', () => fs.existsSync('small'));
measure('existsSync-no', () => fs.existsSync('none'));
measure('readFileSync', () => fs.readFileSync('small'));
measure('readFileSync-utf8', () => fs.readFileSync('small', 'utf8'));
measure('writeFileSync', () => fs.writeFileSync('other', 'some text'));
"""

ASYNC = """
const fs = require('fs');
(async () => {
  fs.writeFileSync('small', 'some text of a small file\\n');
  for (const [name, work] of [['promises.stat', () => fs.promises.stat('small')], ['promises.readFile', () => fs.promises.readFile('small')]]) {
    const began = performance.now();
    for (let i = 0; i < 200; i++) await Promise.all(Array.from({ length: 50 }, work));
    console.log(name, (performance.now() - began).toFixed(1), 'ms');
  }
})();
"""

FIFOS = """
const fs = require('fs');
const { spawn, execFileSync } = require('child_process');
const names = Array.from({ length: 200 }, (_, i) => `fifo${i}`);
execFileSync('mkfifo', names);
const writer = spawn('sh', ['-c', names.map((name) => `sleep 0.005; echo x > ${name}`).join('; ')]);
let worst = 0;
let last = performance.now();
const timer = setInterval(() => {
  const now = performance.now();
  worst = Math.max(worst, now - last - 10);
  last = now;
}, 10);
(async () => {
  for (let i = 0; i < names.length; i += 4) await Promise.all(names.slice(i, i + 4).map((name) => fs.promises.readFile(name)));
  clearInterval(timer);
  console.log('worst-delay', worst.toFixed(1), 'ms');
})();
"""

STREAM = """
const net = require('net');
const { fork } = require('child_process');
const TOTAL = 2e9;
const block = Buffer.alloc(65536, 7);
if (process.argv[2] === 'send') {
  const socket = net.connect(+process.argv[3], () => {
    let sent = 0;
    (function more() {
      while (sent < TOTAL) {
        sent += block.length;
        if (!socket.write(block)) {
          socket.once('drain', more);
          return;
        }
      }
      socket.end();
    })();
  });
} else {
  const server = net.createServer((socket) => {
    let size = 0;
    const began = performance.now();
    socket.on('data', (data) => { size += data.length; });
    socket.on('end', () => {
      console.log('throughput', (size / 1e6 / ((performance.now() - began) / 1000)).toFixed(0), 'MB/s');
      server.close();
    });
  }).listen(0, '127.0.0.1', () => fork(__filename, ['send', server.address().port]));
}
"""

IDLE = """
const net = require('net');
const ROUNDS = 3000;
const server = net.createServer((socket) => socket.setNoDelay(true).on('data', (data) => socket.write(data)).on('error', () => {}));
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const open = () => new Promise((done) => { const socket = net.connect(port, '127.0.0.1', () => done(socket)); });
  const busy = (await open()).setNoDelay(true);
  const latency = async () => {
    const times = [];
    for (let i = 0; i < ROUNDS; i++) {
      const began = performance.now();
      await new Promise((done) => { busy.once('data', done); busy.write('x'); });
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b)[ROUNDS >> 1] * 1000;
  };
  const idle = [await open()];
  await latency();
  const one = await latency();
  console.log('latency-1', one.toFixed(1), 'us');
  while (idle.length < 5000) idle.push(...await Promise.all(Array.from({ length: 50 }, open)));
  const many = await latency();
  console.log('latency-5000', many.toFixed(1), 'us');
  console.log('growth', (many / one).toFixed(2), 'x');
  process.exit();
});
"""

PROGRAMS = {"calls": CALLS, "async": ASYNC, "fifos": FIFOS, "stream": STREAM, "idle": IDLE}
Figures = dict[str, tuple[float, str]]


def measured(program: str, file: str) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, file], cwd=folder, stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    lines = [line.split() for line in done.stdout.splitlines()]
    return {name: (float(figure), unit) for name, figure, unit in lines}


def compare(name: str, programs: dict[str, str], runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, f"{name}.cjs")
        with open(file, "w") as opened:
            opened.write(PROGRAMS[name])
        seen: dict[str, list[Figures]] = {peer: [] for peer in programs}
        for _ in range(runs):
            for peer, path in programs.items():
                seen[peer].append(measured(path, file))
    first = next(iter(seen.values()))[0]
    for figure, (_, unit) in first.items():
        medians = {peer: statistics.median(run[figure][0] for run in all_runs) for peer, all_runs in seen.items()}
        shown = "  ".join(f"{peer} {value:10.1f}" for peer, value in medians.items())
        rt, *others = medians.values()
        ratio = f"  rt/node {rt / others[0]:.2f}" if others and others[0] else ""
        print(f"{name:8}{figure:20}{unit:5}{shown}{ratio}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PROGRAMS)}")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rt", default=os.path.join(PROJECT, ".venv", "bin", "rt"))
    parser.add_argument("--node", default=shutil.which("node26") or shutil.which("node") or "")
    options = parser.parse_args()
    programs = {"rt": options.rt} | ({"node": options.node} if options.node else {})
    for name in options.names or PROGRAMS:
        compare(name, programs, options.runs)


if __name__ == "__main__":
    main()
