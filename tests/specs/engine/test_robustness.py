"""Extreme source files: huge, broken, endless, deeply nested. A clear error, bounded memory, never a Python
traceback.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from rig import Box

MB = 1 << 20
DEEP = 100_000

# Files, the main one first; the exit status, and the output (the last line on stdout, or the beginning of stderr).
RUN: dict[str, tuple[dict[str, Any], str]] = {
    "50 MB of code": (
        {"a.js": "var a = 1;\n" + ("// " + "x" * 97 + "\nvar f = () => 1;\n") * (50 * MB // 118) + "console.log('end')"},
        "end",
    ),
    "50 MB of TypeScript": (
        {"a.ts": "let a: number = 1;\n" + ("a = a as number; // " + "z" * 80 + "\n") * (50 * MB // 101) + "console.log(a)"},
        "1",
    ),
    "50 MB in one string": ({"a.js": "const s = '" + "y" * 50 * MB + "'; console.log(s.length)"}, str(50 * MB)),
    "1 MB in one line": ({"a.js": "let a = 0;" + "a += 1;" * 150_000 + "console.log(a)"}, "150000"),
    "100,000 imports": (
        {
            "a.mjs": "".join(f"import {{ x as x{i} }} from './b.mjs';\n" for i in range(100_000)) + "console.log(x99999)",
            "b.mjs": "export const x = 'seen'",
        },
        "seen",
    ),
    "a chain of sums": ({"a.js": "let x = " + "1+" * DEEP + "1; console.log(x)"}, str(DEEP + 1)),
    "bytes that are no UTF-8 in a string": ({"a.js": b"console.log('\xff\xfe\x80'.length)"}, "3"),
    "a NUL in a string": ({"a.js": "console.log('a\0b'.length)"}, "3"),
    "a byte-order mark": ({"a.js": "\ufeffconsole.log('mark')"}, "mark"),
    "a module that imports itself": ({"a.mjs": "import * as me from './a.mjs'; export const x = 1; console.log(me.x)"}, "1"),
    "a ring of CommonJS": (
        {"a.cjs": "exports.a = 1; console.log(require('./b.cjs').b)", "b.cjs": "exports.b = require('./a.cjs').a + 1"},
        "2",
    ),
    "a deep JSON document": ({"a.mjs": "import x from './d.json'; console.log(x.length)", "d.json": "[" * 5000 + "]" * 5000}, "1"),
    "thousands of CommonJS files in a chain": (
        {f"{'a' if i == 0 else f'r{i}'}.cjs": f"exports.v = 1 + require('./r{i + 1}.cjs').v; {'console.log(exports.v)' if i == 0 else ''}" for i in range(2000)}
        | {"r2000.cjs": "exports.v = 0"},
        "2000",
    ),
}  # fmt: skip
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "parentheses": ({"a.js": "(" * DEEP + "1" + ")" * DEEP}, "error: This file is nested too deeply to run"),
    "objects": ({"a.js": "x = " + "{a:" * DEEP + "1" + "}" * DEEP}, "error: This file is nested too deeply to run"),
    "functions": ({"a.js": "function f(){" * DEEP + "}" * DEEP}, "error: This file is nested too deeply to run"),
    "operators": ({"a.js": "x = " + "!" * 2 * DEEP + "1"}, "error: This file is nested too deeply to run"),
    "templates": ({"a.js": "x = " + "`${" * DEEP + "1" + "}`" * DEEP}, "error: This file is nested too deeply to run"),
    "types": ({"a.ts": "type A = " + "Array<" * DEEP + "1" + ">" * DEEP}, "error: This file is nested too deeply to run"),
    "elements": ({"a.jsx": "x = " + "<a>" * DEEP + "</a>" * DEEP}, "error: This file is nested too deeply to run"),
    "branches": ({"a.js": "if (1) {} " + "else if (1) {} " * DEEP}, "error: This file is nested too deeply to run"),
    "a name that is no UTF-8": ({"a.js": b"let \xff = 1"}, "error: File appears to be binary"),
    "a NUL in the code": ({"a.js": "let a\0 = 1"}, "error: Invalid Character"),
    "a thousand missing modules": ({"a.mjs": "".join(f"import './no{i}.mjs';" for i in range(1000))}, "error: Cannot find module './no0.mjs'"),
    "a name of 5,000 characters": ({"a.mjs": f"import './{'a' * 5000}'"}, "error: Cannot find module './aaaa"),
    "a name with a NUL": ({"a.mjs": "import './a\\0b'"}, "error: Cannot find module './a"),
    "a deep TOML document": ({"a.mjs": "import './d.toml'", "d.toml": "a = " + "[" * 5000 + "]" * 5000}, "error: nested too deeply"),
    "a broken JSON document": ({"a.mjs": "import './d.json'", "d.json": "{"}, "error: JSON Parse error: "),
    "required files that never end": (
        {"a.cjs": "require('./r.cjs')", "r.cjs": "delete require.cache[__filename]; require(__filename)"},
        "RangeError: Maximum call stack size exceeded",
    ),
}  # fmt: skip


def message_of(err: bytes) -> str:
    """Return the error message, without the source lines and carets before it."""
    lines = err.decode(errors="replace").splitlines()
    return next((line for line in lines if "rror" in line.partition(":")[0]), "")


@pytest.mark.parametrize("name", RUN)
def test_it_runs(box: Box, name: str) -> None:
    """With a few copies of the source in memory, and no more."""
    files, printed = RUN[name]
    box.write(files)
    process = box.start(next(iter(files)))
    assert process.stdout is not None and process.stderr is not None
    out, err = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert (err, process.returncode) == (b"", 0)
    assert out.decode().splitlines()[-1] == printed
    assert usage.ru_maxrss < 700_000  # 360 MB at most here


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_rejected_with_a_message(box: Box, name: str) -> None:
    files, words = REFUSED[name]
    box.write(files)
    done = box.run(next(iter(files)))
    assert done.returncode == 1
    assert message_of(done.stderr).startswith(words)
    assert b"Traceback" not in done.stderr
    assert len(done.stderr) < 20_000


def test_links_that_lead_to_themselves(box: Box) -> None:
    (box.folder / "loop.mjs").symlink_to("loop.mjs")
    box.write({"a.mjs": "import './loop.mjs'"})
    assert message_of(box.run("a.mjs").stderr).startswith("error: Cannot find module './loop.mjs'")
    assert message_of(box.run("./loop.mjs").stderr).startswith('error: Module not found "./loop.mjs"')
