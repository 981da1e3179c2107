"""Macros in dead branches are not called: conditions that are constant during transpilation decide."""

from __future__ import annotations

import pytest
from rig import Box

MACROS = """
export function told(x) { console.error('called', x); return x }
export const no = () => false;
export const yes = () => true;
"""
HEAD = 'import { told, no, yes } from "./macros" with { type: "macro" };'
# The code, its output, and which calls are evaluated.
CASES = {
    "if false": ("if (false) told(1); console.log(2)", "2", ""),
    "the other branch": ("if (true) console.log(told(1)); else console.log(told(2))", "1", "1"),
    "and, or, nullish": ("console.log(false && told(1), true || told(2), 'x' ?? told(3), null ?? told(4))", "false true x 4", "4"),
    "a condition": ("console.log(1 ? told(1) : told(2), '' ? told(3) : told(4))", "1 4", "1 4"),
    "comparisons": ("if ('a' === 'b' || 1 > 2 || !undefined === false) told(1); console.log(0)", "0", ""),
    "nested": ("if (false) { if (true) { told(1) } else { told(2) } } console.log(0)", "0", ""),
    "a definition": ("if (DEBUG) told(1); console.log(DEBUG ? told(2) : told(3))", "3", "3"),
    "another macro": ("if (no()) told(1); console.log(yes() ? told(2) : told(3))", "2", "2"),
    "macros decide about macros": ("if (yes()) { if (no()) told(1); else console.log(told(2)) }", "2", "2"),
    "unknown conditions": ("if (globalThis.x) told(1); console.log(0)", "0", "1"),
    "a local undefined": ("(function (undefined) { if (undefined) console.log(told(1)) })(1)", "1", "1"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_branch(box: Box, name: str) -> None:
    code, printed, called = CASES[name]
    box.write({"macros.js": MACROS, "main.ts": f"{HEAD}\n{code}"})
    done = box.run("--define", "DEBUG:false", "main.ts")
    assert done.stdout.decode().rstrip("\n") == printed
    assert [line.split()[1] for line in done.stderr.decode().splitlines()] == called.split()


def test_a_macro_that_is_never_called_may_be_missing(box: Box) -> None:
    box.write({"main.ts": "import { x } from './nowhere' with { type: 'macro' }; console.log(false && x())"})
    assert box.run("main.ts").stdout == b"false\n"


def test_no_macros_forbids_those_that_would_be_called(box: Box) -> None:
    box.write({"macros.js": MACROS, "main.ts": f"{HEAD} console.log(told(1))", "dead.ts": f"{HEAD} if (false) told(1)"})
    assert b"Macros are disabled" in box.run("--no-macros", "main.ts").stderr
    assert box.run("--no-macros", "dead.ts").returncode == 0
