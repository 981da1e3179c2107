"""Macros in dead branches are not called: conditions that are constant during transpilation decide."""

from __future__ import annotations

import pytest
from rig import Box

MACROS = """
export function reported(x) { console.error('called', x); return x }
export const no = () => false;
export const yes = () => true;
"""
HEAD = 'import { reported, no, yes } from "./macros" with { type: "macro" };'
# The code, its output, and which calls are evaluated.
CASES = {
    "if false": ("if (false) reported(1); console.log(2)", "2", ""),
    "the other branch": ("if (true) console.log(reported(1)); else console.log(reported(2))", "1", "1"),
    "and, or, nullish": ("console.log(false && reported(1), true || reported(2), 'x' ?? reported(3), null ?? reported(4))", "false true x 4", "4"),
    "a condition": ("console.log(1 ? reported(1) : reported(2), '' ? reported(3) : reported(4))", "1 4", "1 4"),
    "comparisons": ("if ('a' === 'b' || 1 > 2 || !undefined === false) reported(1); console.log(0)", "0", ""),
    "nested": ("if (false) { if (true) { reported(1) } else { reported(2) } } console.log(0)", "0", ""),
    "a definition": ("if (DEBUG) reported(1); console.log(DEBUG ? reported(2) : reported(3))", "3", "3"),
    "another macro": ("if (no()) reported(1); console.log(yes() ? reported(2) : reported(3))", "2", "2"),
    "macros decide about macros": ("if (yes()) { if (no()) reported(1); else console.log(reported(2)) }", "2", "2"),
    "unknown conditions": ("if (globalThis.x) reported(1); console.log(0)", "0", "1"),
    "a local undefined": ("(function (undefined) { if (undefined) console.log(reported(1)) })(1)", "1", "1"),
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
    box.write(
        {
            "macros.js": MACROS,
            "main.ts": f"{HEAD} console.log(reported(1))",
            "dead.ts": f"{HEAD} if (false) reported(1)",
        }
    )
    assert b"Macros are disabled" in box.run("--no-macros", "main.ts").stderr
    assert box.run("--no-macros", "dead.ts").returncode == 0
