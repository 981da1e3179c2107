"""Terminating JavaScript from outside, and what must survive it: other threads, the limits of heap and stack."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from rt_supervisor._native import Engine, JsError, JsHeapLimit, JsTerminated

ENDLESS = {
    "loop": "started(); for (;;);",
    "caught": "started(); for (;;) { try { for (;;); } catch {} finally { continue } }",
    "nested": "started(); for (;;) new Array(1000).fill(1)",
    "regex": "started(); /^(a+)+$/.test('a'.repeat(100) + 'b')",
    "wait": "started(); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
    "promises": "started(); (function again() { Promise.resolve().then(again) })()",
    "sort": "started(); for (;;) [3, 2, 1].sort(() => Math.random())",
    "async": "started(); (async () => { for (;;) await 0 })()",
}


def run(engine: Engine, source: str) -> None:
    engine.run(source)
    engine.run_microtasks()


@pytest.mark.parametrize("kind", ENDLESS)
def test_another_thread_ends_it(engine: Engine, kind: str) -> None:
    started = threading.Event()
    engine.global_object["started"] = engine.function(started.set)

    def end() -> None:
        started.wait()
        engine.terminate()

    thread = threading.Thread(target=end)
    thread.start()
    with pytest.raises(JsTerminated):
        run(engine, ENDLESS[kind])
    thread.join()
    assert engine.run("1 + 1") == 2


def test_an_action_runs_while_javascript_is_stopped(engine: Engine) -> None:
    ran = threading.Event()
    engine.global_object["ran"] = engine.function(ran.is_set)
    thread = threading.Thread(target=lambda: engine.interrupt(ran.set))
    engine.global_object["start"] = engine.function(thread.start)
    engine.run("start(); while (!ran()) for (let i = 0; i < 1000; i++);")
    thread.join()

    def fail() -> None:
        raise ValueError("from the action")

    engine.interrupt(fail)
    with pytest.raises(ValueError, match="from the action"):
        engine.run("for (;;);")
    assert engine.run("1") == 1


HOARD = {
    "arrays": "const all = []; for (;;) all.push(new Array(1000).fill(1.5))",
    "objects": "let last; for (;;) last = { last, more: [1, 2, 3] }",
    "strings": "const all = []; for (let i = 0; ; i++) all.push('x'.repeat(1000) + i, JSON.stringify({ i }).repeat(100))",
    "map": "const map = new Map(); for (let i = 0; ; i++) map.set(i, { i })",
    "closures": "let f = () => 1; for (;;) { const g = f; const big = new Array(100).fill(f); f = () => [g, big] }",
    "microtasks": "const all = []; (function again() { all.push(new Array(1000)); Promise.resolve().then(again) })()",
    "caught": "const all = []; for (;;) { try { for (;;) all.push(new Array(1000).fill(2.5)) } catch {} }",
}


@pytest.mark.parametrize("kind", HOARD)
def test_the_heap_limit_is_an_error(kind: str) -> None:
    engine = Engine(heap_limit_bytes=64 << 20)
    with pytest.raises(JsHeapLimit, match="heap limit"):
        run(engine, HOARD[kind])
    assert engine.run("1 + 1") == 2
    engine.close()


IN_A_PROGRAM = """
import sys
from rt_supervisor import _native
from rt_supervisor.engine_worker.start import library
library.start(library.PROGRAM_FLAGS, threads=library.PROGRAM_THREADS)
engine = _native.Engine(heap_limit_bytes=64 << 20)
try:
    engine.run(sys.argv[1])
    engine.run_microtasks()
except _native.JsHeapLimit:
    print(engine.run("1 + 1"))
"""


@pytest.mark.parametrize("kind", [*HOARD, "loops in loops"])
def test_the_heap_limit_is_an_error_beside_a_thread(kind: str) -> None:
    source = HOARD.get(kind, "const all = []; for (;;) all.push(new Array(1000).fill({}))")
    done = subprocess.run([sys.executable, "-c", IN_A_PROGRAM, source], capture_output=True, timeout=120)
    assert (done.stdout, done.stderr, done.returncode) == (b"2\n", b"", 0)


HUGE = """
import sys
from rt_supervisor import _native
_native.v8_start(sys.argv[1], None)
engine = _native.Engine(heap_limit_bytes=64 << 20)
try:
    engine.run("const a = []; a.length = 3e7; const b = a.fill({}); const c = []; for (;;) c.push(b.slice())")
except (_native.JsHeapLimit, _native.JsError):
    print("ended")
"""


def test_a_huge_allocation_is_an_error_or_one_clear_line() -> None:
    maps = Path("/proc/self/maps").read_text().split()
    library = next(word for word in maps if word.endswith("libmini_racer.so"))
    done = subprocess.run([sys.executable, "-c", HUGE, library], capture_output=True, timeout=60)
    assert (done.stdout, done.stderr) in ((b"ended\n", b""), (b"", b"error: JavaScript ran out of memory\n"))


def test_recursion_uses_the_stack_there_is() -> None:
    depths: list[Any] = []

    def measure() -> None:
        engine = Engine()
        depths.append(
            engine.run("let n = 0; try { (function f() { n++; f() })() } catch (e) { e instanceof RangeError && n }")
        )
        with pytest.raises(JsError, match="RangeError"):
            engine.run("JSON.parse('['.repeat(1e6) + ']'.repeat(1e6)); (function f() { [1].map(f) })()")
        engine.close()

    measure()
    for size in (2 << 20, 16 << 20):
        threading.stack_size(size)
        thread = threading.Thread(target=measure)
        thread.start()
        thread.join()
    threading.stack_size(0)
    assert all(depth > 5000 for depth in depths)
    assert len(depths) == 3


def test_an_engine_stays_on_its_thread(engine: Engine) -> None:
    value = engine.run("({})")
    problems: list[str] = []

    def use() -> None:
        for call in (lambda: engine.run("1"), lambda: value.get("x"), engine.close, engine.take_finalized):
            try:
                call()
            except RuntimeError as problem:
                problems.append(str(problem))

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert problems == ["an engine is used on the thread that made it"] * 4


def test_python_threads_go_on_while_javascript_runs(engine: Engine) -> None:
    counted = [0]
    stop = threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1
            if counted[0] == 1000:
                engine.terminate()

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(JsTerminated):
        engine.run("for (;;);")
    stop.set()
    thread.join()
    assert counted[0] >= 1000


def test_an_engine_is_not_closed_under_its_own_javascript(engine: Engine) -> None:
    engine.global_object["close"] = engine.function(engine.close)
    with pytest.raises(JsError, match="cannot be closed while"):
        engine.run("close()")


def test_engines_of_one_thread_close_in_any_order() -> None:
    first, second = Engine(), Engine()
    second.global_object["close"] = second.function(first.close)
    with pytest.raises(JsError, match="cannot be closed while another's"):
        second.run("close()")
    assert (first.run("1"), second.run("2")) == (1, 2)
    first.close()
    third = Engine()
    assert (second.run("2"), third.run("3")) == (2, 3)
    second.close()
    assert third.run("3") == 3
    third.close()


def test_engines_of_several_threads_run_side_by_side() -> None:
    barrier = threading.Barrier(4)
    results: list[Any] = []

    def work(number: int) -> None:
        engine = Engine()
        barrier.wait()
        engine.global_object["number"] = engine.function(lambda: number)
        source = (
            "var all = []; for (let i = 0; i < 3e5; i++) all[i % 999] = { i, text: 'x' + i }; number() + all.length"
        )
        results.extend(engine.run(source) for _ in range(3))
        engine.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == sorted([999, 1000, 1001, 1002] * 3)
