"""CPU time of conversions between text and bytes, in nanoseconds, under rt, Node and Bun. The runtimes take turns; the best of
several rounds is printed.

    python benchmarks/buffer_texts.py [ROUNDS]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from servers import RT, found

CONVERSIONS = """
const results = {};
const measure = (name, call) => {
  const COUNT = 20000;
  for (let i = 0; i < COUNT / 4; i++) call();
  const before = process.cpuUsage();
  for (let i = 0; i < COUNT; i++) call();
  const { user, system } = process.cpuUsage(before);
  results[name] = ((user + system) / COUNT) * 1000;
};
const TEXTS = {
  'ASCII, 60': 'the quick brown fox jumps over the lazy dog, and so it goes on'.slice(0, 60),
  'ASCII, 6000': 'the quick brown fox jumps over the lazy dog, and so it goes on'.repeat(100).slice(0, 6000),
  'mixed, 6000': 'grüße aus münchen, 日本語 text '.repeat(300).slice(0, 6000),
};
const target = Buffer.alloc(1 << 16);
const encoder = new TextEncoder();
const decoder = new TextDecoder();
for (const [name, text] of Object.entries(TEXTS)) {
  const bytes = Buffer.from(text);
  measure(`${name}: Buffer.byteLength`, () => Buffer.byteLength(text));
  measure(`${name}: Buffer.from`, () => Buffer.from(text));
  measure(`${name}: write`, () => target.write(text));
  measure(`${name}: encode`, () => encoder.encode(text));
  measure(`${name}: encodeInto`, () => encoder.encodeInto(text, target));
  measure(`${name}: decode`, () => decoder.decode(bytes));
  for (const encoding of ['base64', 'hex', 'utf16le']) {
    const encoded = bytes.toString(encoding);
    measure(`${name}: to ${encoding}`, () => bytes.toString(encoding));
    measure(`${name}: from ${encoding}`, () => Buffer.from(encoded, encoding));
  }
}
console.log(JSON.stringify(results));
"""


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    runtimes = {"rt": RT, **{name: path for name in ("node26", "bun") if (path := found(name))}}
    best: dict[str, dict[str, float]] = {name: {} for name in runtimes}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "conversions.mjs"
        program.write_text(CONVERSIONS, encoding="utf-8")
        for _ in range(rounds):
            for name, executable in runtimes.items():
                done = subprocess.run([executable, str(program)], capture_output=True, text=True, check=True)
                for row, cost in json.loads(done.stdout).items():
                    best[name][row] = min(cost, best[name].get(row, cost))
    for row in best["rt"]:
        costs = {name: each[row] for name, each in best.items()}
        ratio = costs["rt"] / min(cost for name, cost in costs.items() if name != "rt") if len(costs) > 1 else 1.0
        print(f"{row:32}" + "".join(f"{name} {cost:8.0f}  " for name, cost in costs.items()) + f"{ratio:5.2f}")


if __name__ == "__main__":
    main()
