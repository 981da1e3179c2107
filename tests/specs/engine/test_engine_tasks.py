"""V8's tasks between turns: they run in time, and keep a program alive exactly as in Node."""

from __future__ import annotations

import pytest
from rig import Box

WAIT = "const cells = new Int32Array(new SharedArrayBuffer(16));"
WASM = "const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);"
PROGRAMS = {
    "compiling WebAssembly keeps a program alive": (
        WASM + "WebAssembly.compile(bytes).then((m) => console.log(m instanceof WebAssembly.Module))",
        "true",
    ),
    "so does instantiating it": (
        WASM + "WebAssembly.instantiate(bytes).then((m) => console.log(Object.keys(m).join()))",
        "module,instance",
    ),
    "bytes that are no WebAssembly": (
        "WebAssembly.compile(new Uint8Array(3)).catch((error) => console.log(error.name))",
        "CompileError",
    ),
    "a wait that is notified": (
        WAIT + "Atomics.waitAsync(cells, 0, 0).value.then(console.log); console.log(Atomics.notify(cells, 0))",
        "1|ok",
    ),
    "a wait that times out while something else goes on": (
        WAIT + "Atomics.waitAsync(cells, 0, 0, 20).value.then((v) => { console.log(v); clearTimeout(timer) });"
        "const timer = setTimeout(() => {}, 1e8)",
        "timed-out",
    ),
    "a wait's time keeps nothing alive": (
        WAIT + "Atomics.waitAsync(cells, 0, 0, 1e8).value.then(console.log); process.on('exit', (c) => console.log(c))",
        "0",
    ),
    "waits come in the order of their times, between timers": (
        WAIT
        + "for (const ms of [60, 20]) Atomics.waitAsync(cells, 0, 0, ms).value.then(() => console.log('wait', ms));"
        "for (const ms of [40, 90]) setTimeout(console.log, ms, 'timer', ms)",
        "wait 20|timer 40|wait 60|timer 90",
    ),
    "what was collected is told, with ticks and microtasks after each": (
        """
        const registry = new FinalizationRegistry((held) => {
          console.log('gone', held); process.nextTick(() => console.log('tick')); Promise.resolve().then(() => console.log('micro'));
        });
        (() => { registry.register({}, 'a') })();
        setTimeout(() => gc(), 1); setTimeout(() => console.log('late'), 60)
        """,
        "gone a|tick|micro|late",
    ),
    "what that throws is uncaught": (
        """
        process.on('uncaughtException', (error) => console.log('uncaught', error.message));
        const registry = new FinalizationRegistry((held) => { throw new Error(held) });
        (() => { registry.register({}, 'a') })();
        gc(); setTimeout(() => console.log('late'), 30)
        """,
        "uncaught a|late",
    ),
    "a registry keeps nothing alive": (
        "globalThis.r = new FinalizationRegistry(() => {}); r.register(globalThis.o = {}, 1); console.log('end')",
        "end",
    ),
    "weak references are cleared between turns only": (
        """
        let ref; (() => { ref = new WeakRef({}) })(); gc(); console.log(ref.deref() !== undefined);
        setTimeout(() => { gc(); console.log(ref.deref() === undefined) }, 5)
        """,
        "true|true",
    ),
    "a turn with nothing but V8's work is followed by beforeExit": (
        WAIT + "Atomics.waitAsync(cells, 0, 0).value.then(() => setTimeout(() => console.log('timer'), 1));"
        "setImmediate(() => Atomics.notify(cells, 0)); process.on('beforeExit', () => console.log('before'))",
        "timer|before",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(box: Box, name: str) -> None:
    source, expected = PROGRAMS[name]
    box.write({"main.cjs": source})
    done = box.run("--expose-gc", "main.cjs")
    assert done.stderr == b""
    assert done.stdout.decode().splitlines() == expected.split("|")
    assert done.returncode == 0


# A module of many functions, whose compilation keeps other threads busy for a while.
LARGE = """
const leb = (n) => { const out = []; do { const b = n & 127; n >>>= 7; out.push(n ? b | 128 : b) } while (n); return out };
const section = (id, body) => [id, ...leb(body.length), ...body];
const count = 20000, code = [];
for (let i = 0; i < count; i++) code.push(7, 0, 32, 0, 65, 1, 106, 11);
const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...section(1, [1, 96, 1, 127, 1, 127]),
  ...section(3, [...leb(count), ...new Array(count).fill(0)]), ...section(7, [1, 1, 102, 0, 0]),
  ...section(10, [...leb(count), ...code])]);
"""


@pytest.mark.parametrize("rounds", [1, 20])
def test_compiling_on_other_threads_wakes_the_loop(box: Box, rounds: int) -> None:
    """Nothing else is pending: the program lives until compilation is done, and no longer."""
    source = f"let left = {rounds}; const again = async () => {{ const m = await WebAssembly.compile(bytes);"
    source += "const { exports } = await WebAssembly.instantiate(m); if (--left) return again(); console.log(exports.f(41)) }; again();"
    box.write({"main.cjs": LARGE + source, "main.mjs": LARGE + source.replace("again();", "await again();")})
    for name in ("main.cjs", "main.mjs"):
        done = box.run(name)
        assert (done.stdout, done.stderr, done.returncode) == (b"42\n", b"", 0)


def test_compiling_started_by_beforeexit_is_waited_for(box: Box) -> None:
    source = "process.once('beforeExit', () => WebAssembly.compile(bytes).then(() => console.log('compiled')))"
    box.write({"main.cjs": LARGE + source})
    assert box.run("main.cjs").stdout == b"compiled\n"


def test_an_error_there_without_a_listener_ends_the_program(box: Box) -> None:
    source = "const r = new FinalizationRegistry(() => { throw new Error('reported') }); (() => { r.register({}, 1) })(); gc();"
    box.write({"main.cjs": source + "setTimeout(() => console.log('never'), 1e8)"})
    done = box.run("--expose-gc", "main.cjs")
    assert done.returncode == 1
    assert b"error: reported" in done.stderr
