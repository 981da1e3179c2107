"""Macros: functions that run during transpilation, whose results replace their calls."""

from __future__ import annotations

import pytest
from rig import Box
from several_files import run

MACROS = """
    console.log('loaded');
    export function f(...args: unknown[]) { return args.map((arg) => Array.isArray(arg) ? 'array' : arg === null ? 'null' : typeof arg) }
    export const same = (value: unknown) => value;
    export async function later() { await new Promise((resolve) => setTimeout(resolve, 1)); return { a: [1, null, undefined, -0] } }
    export function fails() { throw new RangeError('macro broke') }
    export default () => 'default';
    export const kinds = { date: 1 };
    export const date = () => new Date(0), never = () => new Promise(() => {}), circular = () => { const a = {}; a.a = a; return a };
"""
IMPORT = "import d, { f, same, later, fails, kinds, date, never, circular, gone } from './m' with { type: 'macro' };\n"


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        (
            "f('a', 1, { b: [1] }, [1], null, undefined, true, `t`)",
            "string,number,object,array,null,undefined,boolean,string",
        ),
        ("f(1 as number, -1, 'a' + 'b')", "number,number,string"),
        ("same(same(same(1)) + 1)", "2"),
        ("JSON.stringify(later())", '{"a":[1,null,null,0]}'),
        ("Object.is(later().a[3], -0)", "true"),
        ("d()", "default"),
        ("same({ '__proto__': 1, '\\u2028': /x/g })['\\u2028']", "/x/g"),
    ],
)
def test_macros_leave_their_values(box: Box, expression: str, printed: str) -> None:
    status, out, err = run(box, {"a.ts": f"{IMPORT}console.log(String({expression}))", "m.ts": MACROS})
    assert (status, out, err) == (0, f"loaded\n{printed}\n", "")


def test_constants_are_known_to_macros_and_variables_are_not(box: Box) -> None:
    source = f"{IMPORT}const one = 1; const two = one + 1; let no = 3;\nconsole.log(same([one, two]).join())"
    assert run(box, {"a.ts": source, "m.ts": MACROS})[:2] == (0, "loaded\n1,2\n")
    status, _, err = run(box, {"a.ts": f"{source}; same(no)", "m.ts": MACROS})
    assert status == 1
    assert '"Cannot convert identifier to JS. Try a statically-known value" error in macro\n    at a.ts:3:' in err


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("fails()", "RangeError: macro broke\n      at fails (m.ts:6:37)"),
        ("kinds()", "error: Macro must be a function\n    at a.ts:2:1"),
        ("gone()", "error: Macro 'gone' not found in 'm.ts'\n    at a.ts:2:1"),
        ("date()", "error: cannot coerce Date to source code. Please return a simpler type\n    at a.ts:2:1"),
        ("circular()", "error: cannot coerce a circular structure to source code."),
        ("never()", "error: This macro returns a promise that is never settled\n    at a.ts:2:1"),
        ("same(() => 1)", 'error: "Cannot convert argument type to JS" error in macro\n    at a.ts:2:1'),
        ("same(...[1])", 'error: "Cannot convert argument type to JS" error in macro\n    at a.ts:2:1'),
        ("same`x`", "error: template literal macro invocations are not supported\n    at a.ts:2:1"),
    ],
)
def test_errors_of_macros(box: Box, call: str, said: str) -> None:
    status, out, err = run(box, {"a.ts": IMPORT + call, "m.ts": MACROS})
    assert status == 1
    assert out in ("", "loaded\n")
    assert said in err


def test_macros_are_refused_where_they_may_not_run(box: Box) -> None:
    files = {
        "a.ts": "import { v } from 'p'; console.log(v)",
        "b.ts": "import { f } from 'p/m.js' with { type: 'macro' }; console.log(f(1))",
        "node_modules/p/index.js": "import { f } from './m.js' with { type: 'macro' }; export const v = f(1)",
        "node_modules/p/m.js": "export const f = (x) => x + 1",
    }
    assert "error: For security reasons, macros cannot be run from node_modules." in run(box, files)[2]
    assert run(box, files, "b.ts") == (0, "2\n", "")
    assert run(box, files, "--no-macros", "b.ts")[2].endswith("error: Macros are disabled\n    at b.ts:1:64\n")
    unused = {"c.ts": "import { f } from 'nowhere' with { type: 'macro' }; console.log('ran')"}
    assert run(box, unused, "--no-macros", "c.ts") == (0, "ran\n", "")
