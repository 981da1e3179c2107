"""What `rt repl` takes as one input: lines that need more lines, and imports and exports as parts of a script."""

from __future__ import annotations

import subprocess

import pytest
from rig import Box, executable

INCOMPLETE = [
    "function f() {", "function f()", "({", "[1, 2", "f(", "1 +", "a ?", "`a", "`a ${b", "`a ${b} c", "/* open", "if (x)",
    "if (x) {", "for (;;) {", "class A {", "const x =", "foo.", "<div>", "<div", "try {}", "await f(", "import { a",
    "type T = {", "interface I {", "const f = async () => {", "xs.map((n) =>", "xs.map((n) => `a", "f(a, (b) => /* c",
    "f((a) => g((b) =>", "let x: (a: number) =>", "@", "'a\\", "switch (x) { case 1:", "do {} while",
    "new Promise((done) => {", "let a: Map<string,",
]  # fmt: skip
COMPLETE = [
    "1", "let x", "(1 + ))", "}", "'open", '"open', "function f() {}", "`a`", "a b", "if (x) y", "{ a: 1 }", "await 1",
    "type T = string", "<T>(x: T) => x", "return 5", "/re", "with (a) b", "let let = 1", "enum E { A }", "1;2",
    "export const a = 1", "xs.map((n) => ))", "f((a) => a b)", "if (x) => y",
]  # fmt: skip


def blocks_of(box: Box, texts: list[str]) -> list[str]:
    """Return what one REPL prints for each of `texts`, after which what is incomplete is given up."""
    lines = "".join(f"{text}\n.break\n'end of input'\n" for text in texts)
    done = subprocess.run(
        [executable(), "repl"],
        input=lines.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=box.folder,
        env=box.environment(),
    )
    return done.stdout.decode().split('"end of input"\n')[:-1]


def test_input_is_incomplete_while_more_could_complete_it(box: Box) -> None:
    found = dict(zip([*INCOMPLETE, *COMPLETE], blocks_of(box, [*INCOMPLETE, *COMPLETE]), strict=True))
    assert [text for text in INCOMPLETE if found[text]] == []
    assert [text for text in COMPLETE if not found[text]] == []


@pytest.mark.parametrize(
    ("text", "names", "printed"),
    [
        ("import a from './m.mjs'", "a", "1"),
        ("import * as a from './m.mjs'", "a.default", "1"),
        ("import a, * as b from './m.mjs'", "a + b.b", "3"),
        ("import { b, b as c, 'x y' as d } from './m.mjs'", "b + c + d", "7"),
        ("import a, { b } from './m.mjs'; b", "a + b", "3"),
        ("import './m.mjs'", "globalThis.ran", "true"),
        ("import {} from './m.mjs'", "globalThis.ran", "true"),
        ("import a from './d.json' with { type: 'json' }", "a.n", "4"),
        ("import {\n b\n} from './m.mjs'\nb", "b", "2"),
        ("export const a = 1", "a", "1"),
        ("export default function f() { return 8 }", "f()", "8"),
        ("export * from './m.mjs'", "globalThis.ran", "true"),
        ("export { b } from './m.mjs'", "globalThis.ran", "true"),
        ("export { z }; let z = 5", "z", "5"),
    ],
)
def test_imports_and_exports_are_parts_of_a_script(box: Box, text: str, names: str, printed: str) -> None:
    box.write(
        {
            "m.mjs": "globalThis.ran = true; export default 1; export const b = 2; export { three as 'x y' }; const three = 3;",
            "d.json": '{"n": 4}',
        }
    )
    assert blocks_of(box, [text, names])[1] == f"{printed}\n"


def test_object_literals_are_expressions(box: Box) -> None:
    texts = ["{ a: 1 }", " {} ", "{ let a = 1 }", "{ a: 1 as number }", "export default {}", "export default 5"]
    printed = [block.replace("\n", "").replace(" ", "") for block in blocks_of(box, texts)]
    assert printed == ["{a:1,}", "{}", "undefined", "{a:1,}", "{}", "5"]
