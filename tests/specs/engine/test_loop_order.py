"""Small programs of timers, immediates, ticks, promises and errors print in the same order as under Node 26.

Hypothesis generates the programs. The clock must not affect the result: whatever starts a timer runs longer than the
timer takes, and so does every immediate, because Node recomputes the remaining time of a timer that another one
started. A slow machine only lengthens these times.

Excluded are differences that rt shares with Bun: in the main ES module ticks run before microtasks, and after a tick
that throws the others follow at once, whereas Node continues with the next callback.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from js_peers import node
from rig import executable

HEAD = """
const log = (...words) => console.log(...words);
const pass = () => { const end = performance.now() + 4; while (performance.now() < end); };
process.on('uncaughtException', (error, origin) => { log('caught', error.message ?? error, origin); });
process.on('rejectionHandled', () => log('handled late'));
process.on('exit', (code) => log('exit', code));
"""

# A step is its kind and the steps that its callback runs.
Step = tuple[str, list["Step"]]
LEAVES = ("throw", "reject", "reject-caught", "late", "cleared", "unref", "exit-code")
CALLS = (
    "tick",
    "micro",
    "queue",
    "await",
    "async",
    "timer",
    "timer1",
    "immediate",
    "thenable",
    "race",
)
KINDS = st.sampled_from(CALLS)
STEPS: st.SearchStrategy[Any] = st.recursive(
    st.tuples(st.sampled_from(LEAVES + CALLS), st.just([])),
    lambda inner: st.tuples(KINDS, st.lists(inner, max_size=4)),
    max_leaves=12,
)


def source_of(steps: Sequence[Step], name: str = "") -> str:
    return "\n".join(_step(kind, inner, f"{name}{place}") for place, (kind, inner) in enumerate(steps))


def _step(kind: str, inner: list[Step], name: str) -> str:
    if kind == "tick":
        inner = [("reject" if each == "throw" else each, below) for each, below in inner]
    body = f"log('{kind} {name}');\n{source_of(inner, name + '.')}\n"
    match kind:
        case "tick":
            return f"process.nextTick(() => {{ {body} }});"
        case "micro":
            return f"Promise.resolve().then(() => {{ {body} }});"
        case "queue":
            return f"queueMicrotask(() => {{ {body} }});"
        case "await":
            return f"(async () => {{ await null; {body} await undefined; log('after {name}'); }})();"
        case "async":
            return f"(async () => {{ {body} }})().then(() => log('then {name}'), (e) => log('caught by then {name}', e.message));"
        case "timer":
            return f"setTimeout(() => {{ {body} }}, 0); pass();"
        case "timer1":
            return f"setTimeout(() => {{ {body} }}, 1); pass();"
        case "immediate":
            return f"setImmediate(() => {{ pass(); {body} pass(); }});"
        case "thenable":
            return f"Promise.resolve({{ then(done) {{ {body} done(); }} }}).then(() => log('then {name}'));"
        case "race":
            return (
                f"Promise.race([new Promise((d) => process.nextTick(d)), Promise.resolve()]).then(() => {{ {body} }});"
            )
        case "throw":
            return f"throw new Error('{name}');"
        case "reject":
            return f"Promise.reject(new Error('{name}'));"
        case "reject-caught":
            return f"Promise.reject(1).catch(() => log('caught {name}'));"
        case "late":
            return f"{{ const p = Promise.reject(new Error('{name}')); setImmediate(() => {{ pass(); p.catch(() => log('late {name}')); }}); }}"
        case "cleared":
            return f"clearImmediate(setImmediate(() => log('never {name}'))); clearTimeout(setTimeout(() => log('never {name}'), 0));"
        case "unref":
            return f"setTimeout(() => log('unref {name}'), 100000).unref(); setImmediate(() => {{ pass(); log('immediate {name}'); }});"
        case "exit-code":
            return "process.exitCode = 7;"
    raise AssertionError(kind)


def _tail(steps: Sequence[Step]) -> str:
    again = f"process.once('beforeExit', () => {{ log('before exit'); {source_of(steps[:2], 'b')} }});"
    return f"{again}\n{source_of(steps)}\nlog('end');"


def run_program(program: str, path: Path) -> tuple[int, str]:
    done = subprocess.run([program, str(path)], capture_output=True, text=True, timeout=30)
    return done.returncode, done.stdout


@settings(
    max_examples=25,
    phases=[Phase.explicit, Phase.generate],  # a program of twelve steps is small enough to read
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(STEPS, min_size=1, max_size=6))
@example(steps=[("timer", [("throw", [])]), ("timer", [("tick", [])]), ("immediate", [("micro", [])])])
@example(
    steps=[
        ("immediate", [("immediate", []), ("tick", [("micro", [])])]),
        ("immediate", [("throw", [])]),
        ("immediate", []),
    ]
)
@example(steps=[("timer", [("timer", []), ("immediate", [])]), ("timer", [("immediate", [])])])
@example(
    steps=[("micro", [("tick", []), ("micro", [])]), ("tick", [("micro", [("tick", [])])]), ("queue", [("throw", [])])]
)
@example(steps=[("reject", []), ("tick", [("reject", [])]), ("late", []), ("timer", [("reject", []), ("tick", [])])])
def test_order(tmp_path: Path, steps: list[Step]) -> None:
    path = tmp_path / "program.cjs"
    path.write_text(HEAD + _tail(steps))
    # A machine that stalls for milliseconds can reorder a timer and an immediate, in Node too; a real error repeats.
    for _ in range(3):
        ours, theirs = run_program(executable(), path), run_program(node(), path)
        if ours == theirs:
            return
    assert ours == theirs, path.read_text()
