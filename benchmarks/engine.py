"""The cost of V8 from Python: the steps of its start, calls in both directions, values across the boundary.

    python benchmarks/engine.py [--runs 9]

The start is timed in fresh interpreters, with the prepared library and with the wheel's own; the rest in this
process. Prints medians: of a start in milliseconds, of a call in nanoseconds, of large values in milliseconds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, PROJECT)

START = """
import sys, time
began = time.perf_counter()
def part(name):
    global began
    now = time.perf_counter()
    print(f"{name}={(now - began) * 1000}")
    began = time.perf_counter()
sys.path.insert(0, sys.argv[1])
from rt_supervisor import _native
part("import native")
from rt_supervisor.engine_worker.start import library
part("import library")
if sys.argv[2] == "wheel":
    library.prepared = lambda wheel: None
library.start()
part("library and V8")
boot = "".join(f"globalThis.f{i} = x => {{ class K {{ m() {{ return {i} + x }} }} return new K().m() }};" for i in range(1000))
snapshot = library.snapshot(0, lambda: _native.build_snapshot([("boot.js", boot)], ["read"]))
began = time.perf_counter()
engine = _native.Engine(snapshot)
part("engine from a snapshot of 0.6 MB")
engine.run("f1(2)")
part("first script")
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    for kind in ("prepared", "wheel"):
        show_start(kind, runs)
    from rt_supervisor import _native
    from rt_supervisor.engine_worker.start import library

    library.start()
    engine = _native.Engine()
    show_calls_from_javascript(engine)
    show_calls_from_python(engine)
    show_large_values(engine)


def show_start(kind: str, runs: int) -> None:
    parts: dict[str, list[float]] = {}
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(runs + 1):
        done = subprocess.run(
            [sys.executable, "-c", START, PROJECT, kind], capture_output=True, text=True, check=True, env=environment
        )
        for line in done.stdout.splitlines():
            name, value = line.split("=")
            parts.setdefault(name, []).append(float(value))
    print(f"start, {kind} library (ms)")
    for name, values in parts.items():
        show(name, statistics.median(values[1:]), "ms")


def show(name: str, value: float, unit: str) -> None:
    print(f"  {name:<40} {value:10.2f} {unit}")


def show_calls_from_javascript(engine: Any) -> None:
    print("calls from JavaScript")
    engine.global_object["nothing"] = engine.function(lambda: None)
    engine.global_object["echo"] = engine.function(lambda value: value)
    engine.global_object["size"] = engine.function(len, signature="b")
    for name, call, count in (
        ("native: constructorName(object)", "__host.constructorName(object)", 2_000_000),
        ("Python: nothing()", "nothing()", 500_000),
        ("Python: echo(1)", "echo(1)", 500_000),
        ("Python: echo('text')", "echo('hello world')", 500_000),
        ("Python: echo(object)", "echo(object)", 500_000),
        ("Python: size(100 bytes)", "size(bytes)", 500_000),
    ):
        source = f"""(count, object = {{}}, bytes = new Uint8Array(100)) => {{
            const began = __host.now();
            for (let i = 0; i < count; i++) {call};
            return (__host.now() - began) * 1e6 / count;
        }}"""
        measure = engine.run(source)
        measure(count // 10)
        show(name, statistics.median(measure(count // 5) for _ in range(5)), "ns")


def show_calls_from_python(engine: Any) -> None:
    print("calls from Python")
    identity, made = engine.run("x => x"), engine.run("({ a: 1, b: { c: [1, 2, 3] } })")
    calls: dict[str, Callable[[], Any]] = {
        "f()": identity,
        "f(1)": lambda: identity(1),
        "f('text')": lambda: identity("hello world"),
        "f([10 numbers])": lambda: identity([1, 2, 3, 4, 5, 6, 7, 8, 9, 0]),
        "f({3 entries})": lambda: identity({"a": 1, "b": 2, "c": "x"}),
        "object.get": lambda: made.get("a"),
        "object.to_python": lambda: made.to_python(),
        "run('1 + 1')": lambda: engine.run("1 + 1"),
    }
    for name, call in calls.items():
        show(name, statistics.median(timed(call, 20_000) for _ in range(7)) * 1e9 / 20_000, "ns")


def timed(call: Callable[[], Any], count: int) -> float:
    began = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - began


def show_large_values(engine: Any) -> None:
    print("large values")
    measure, repeat = engine.run("text => text.length"), engine.run("(text, count) => text.repeat(count)")
    for name, unit, count in (
        ("10 MB of ASCII", "x", 10_000_000),
        ("5 million Latin-1 characters", "é", 5_000_000),
        ("2 million emoji", "😀", 2_000_000),
    ):
        show_once(f"{name} to JavaScript", partial(measure, unit * count))
        show_once(f"{name} to Python", partial(repeat, unit, count))
    data = bytes(50_000_000)
    buffer = engine.new_buffer(data)
    show_once("50 MB of bytes to JavaScript", partial(engine.new_buffer, data))
    show_once("50 MB of bytes to Python", partial(bytes, buffer))
    show_once("50 MB of bytes as a memoryview", lambda: memoryview(buffer).release())


def show_once(name: str, call: Callable[[], Any]) -> None:
    show(name, statistics.median(timed(call, 1) for _ in range(5)) * 1e3, "ms")


if __name__ == "__main__":
    main()
