"""`--smol` and `--expose-gc`: less memory for a program that creates much garbage; gc() only if requested."""

from __future__ import annotations

from pathlib import Path

import pytest
from rig import Box, wait_until

# Two thousand live objects among many short-lived ones, as in servers.
CHURN = """
const live = new Map();
for (let i = 0; i < 300000; i++) live.set(i % 2000, JSON.parse(`{"id":${i},"tags":["a","b"],"n":{"x":1.5,"y":[1,2,3]}}`));
"""


TELLS = "console.log(/VmHWM:\\s*(\\d+)/.exec(require('fs').readFileSync('/proc/self/status', 'utf8'))[1]);"


def peak_kb(box: Box, *arguments: str) -> int:
    """The peak memory of a program, which it reports itself: the value of wait4 includes this process's memory."""
    done = box.run(*arguments)
    assert done.stderr == b""
    return int(done.stdout.split()[-1])


@pytest.mark.parametrize("form", ["file", "code", "config"])
def test_smol_takes_less_memory(box: Box, form: str) -> None:
    code = CHURN + TELLS
    box.write({"churn.js": code, "empty.js": TELLS})
    # The first starts create cache files that later ones find, which takes additional memory.
    wait_until(lambda: box.run("empty.js") and list(box.cache.rglob("*.snapshot")), "the cache is filled")
    usual, least = peak_kb(box, "churn.js"), min(peak_kb(box, "empty.js") for _ in range(2))
    if form == "config":
        box.write({"rtfig.toml": "smol = true\n"})
    line = {"file": ("--smol", "churn.js"), "code": ("-e", code, "--smol"), "config": ("churn.js",)}[form]
    assert peak_kb(box, *line) - least < (usual - least) * 0.6  # 0.3 here


def test_gc_exists_when_it_is_requested(box: Box) -> None:
    source = "let ref; (() => { ref = new WeakRef({}) })(); setTimeout(() => { gc(); console.log(ref.deref() === undefined) }, 1)"
    box.write({"gc.cjs": source, "no.cjs": "console.log(typeof gc, typeof RT.gc)"})
    assert box.run("--expose-gc", "gc.cjs").stdout == b"true\n"
    assert box.run("no.cjs").stdout == b"undefined function\n"


def test_gc_takes_the_options_of_the_engine(box: Box) -> None:
    source = """
    const profiler = new (require('node:v8').GCProfiler)();
    profiler.start();
    const later = gc({ type: 'major', execution: 'async' });
    console.log(gc.name, gc.length, gc({ type: 'minor' }), gc(true), gc(), later instanceof Promise);
    later.then((value) => console.log(value, profiler.stop().statistics.map(({ gcType }) => gcType).join()));
    """
    box.write({"gc.cjs": source})
    first, second = box.run("--expose-gc", "gc.cjs").stdout.decode().splitlines()
    assert first == "gc 0 undefined undefined undefined true"
    assert second == "undefined Scavenge,Scavenge,MarkSweepCompact,MarkSweepCompact"


def test_memory_does_not_grow_without_references(box: Box, tmp_path: Path) -> None:
    source = """
    const rss = () => process.memoryUsage().rss >> 20;
    let rounds = 0, first;
    (function turn() {
      for (let i = 0; i < 2000; i++) { Promise.resolve(i).then(() => {}); setTimeout(() => {}, 0); Buffer.alloc(1000) }
      if (++rounds === 20) first = rss();
      if (rounds < 200) setImmediate(turn); else console.log(rss() - first < 40)
    })()
    """
    box.write({"turns.cjs": source})
    assert box.run("turns.cjs").stdout == b"true\n"
