"""`rt repl` without a terminal: what is evaluated, how results and errors are printed, exit statuses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from rig import Box, executable


def run(box: Box, *arguments: str, lines: str = "", status: int = 0, **environment: str) -> str:
    """Return the standard output of `rt repl`."""
    done = subprocess.run(
        [executable(), "repl", *arguments],
        input=lines.encode(),
        capture_output=True,
        cwd=box.folder,
        env={**box.environment(), **environment},
    )
    assert done.returncode == status, done.stderr.decode()
    return done.stdout.decode()


def answers(box: Box, *lines: str) -> list[str]:
    """Return the printed lines for input that is given line by line."""
    return run(box, lines="".join(f"{line}\n" for line in lines)).splitlines()


TYPESCRIPT = [
    (["const a: number = 3", "a"], ["undefined", "3"]),
    (["interface User { name: string }", "const u: User = { name: 'x' }", "u.name"], ["undefined", "undefined", '"x"']),
    (["type T = string", "'a' as T"], ["undefined", '"a"']),
    (["enum E { A = 4 }", "E.A"], ["undefined", "4"]),
    (["import type { X } from './absent'"], ["undefined"]),
    (["const c = 1", "let c = 2", "c++, c"], ["undefined", "undefined", "3"]),
    (["<T>(x: T) => x"], ["[Function]"]),
    (["function f<T>(x: T): T { return x }", "f<number>(5)!"], ["undefined", "5"]),
    (
        ["abstract class A { constructor(public x = 7) {} }", "class B extends A {}", "new B().x"],
        [*["undefined"] * 2, "7"],
    ),
]
DECLARATIONS = [
    (["const x = 1", "const x = 2", "x"], ["undefined", "undefined", "2"]),
    (["let x = 1", "const f = () => x", "let x = 2", "f()"], [*["undefined"] * 3, "2"]),
    (["var x = 1", "let x = 2", "x"], ["undefined", "undefined", "2"]),
    (["let x = 1", "var x = 2", "x"], ["undefined", "undefined", "2"]),
    (["function x() {}", "const x = 3", "x"], ["undefined", "undefined", "3"]),
    (["let x = 1", "function x() { return 8 }", "x()"], ["undefined", "undefined", "8"]),
    (["class A {}", "class A { y = 1 }", "new A().y"], ["undefined", "undefined", "1"]),
    (["var A = 1", "class A { y = 2 }", "new A().y"], ["undefined", "undefined", "2"]),
    (["const { a, b: [c], ...d } = { a: 1, b: [2], e: 3 }", "[a, c, d.e]"], ["undefined", "[ 1, 2, 3 ]"]),
    (["let y = await Promise.resolve(4), z = 5", "y + z"], ["undefined", "9"]),
    (["const w = (() => { throw 1 })()", "const w = 6", "w"], ["error: 1", "1", "undefined", "6"]),
    (["for (let i = 0; i < 3; i++) i", "typeof i"], ["2", '"undefined"']),
]
VALUES = [
    (["await Promise.resolve(42)", "Promise.resolve(3)"], ["42", "Promise { <resolved> }"]),
    (["{ a: 1 }", "{}"], ["{", "  a: 1,", "}", "{}"]),
    (["'text'", "_", "undefined", "_"], ['"text"', '"text"', "undefined", '"text"']),
    (["_ = 8", "5", "_"], ["8", "5", "5"]),
    (["if (1) { 7 }", '"use strict"', "1; 2"], ["7", '"use strict"', "2"]),
    (["// comment", ";"], ["undefined", "undefined"]),
    (["function f() {", "  return 9", "}", "f()"], ["undefined", "9"]),
    (["`a", "b`"], ['"a\\nb"']),
    (["[1, 2]", "  .length"], ["[ 1, 2 ]", "Unknown command: .length", "Type .help for the commands."]),
    (["[1,", "2].map((n) =>", "n * 2)"], ["[ 2, 4 ]"]),
    (["this === globalThis", "typeof require, module.filename === __dirname + '/[repl]'"], ["true", "true"]),
    (["export const t = 1", "t", "export default 5"], ["undefined", "1", "5"]),
    (["import path, { join as glued } from 'path'", "glued('a', 'b') === path.join('a', 'b')"], ["true"]),
    (["import * as os from 'node:os'", "typeof os.cpus", "import 'fs'"], ['"function"']),
    (["fs === require('fs')", "Math.max(...[1, 2])"], ["true", "2"]),
]


@pytest.mark.parametrize(("lines", "expected"), TYPESCRIPT + DECLARATIONS + VALUES)
def test_inputs_are_evaluated(box: Box, lines: list[str], expected: list[str]) -> None:
    assert answers(box, *lines) == expected


INCOMPLETE = [
    *(
        "function f() {",
        "function f()",
        "({",
        "[1, 2",
        "f(",
        "1 +",
        "a ?",
        "`a",
        "`a ${b",
        "`a ${b} c",
        "/* open",
        "a &&",
    ),
    *(
        "if (x)",
        "if (x) {",
        "if (a) b; else",
        "for (;;) {",
        "while (x) {",
        "class A {",
        "const x =",
        "foo.",
        "!",
        "typeof",
    ),
    *("<div>", "<div", "<A b={", "<A>{x", "<>", "try {}", "await f(", "import { a", "import {\n a,\n", "type T = {"),
    *("interface I {", "const f = async () => {", "x = {\n a: 1,", "'a\\", "switch (x) { case 1:", "do {} while", "@"),
    *("new Promise((done) => {", "let a: Map<string,", "xs.map((n) =>", "xs.map((n) => {", "xs.map((n) => `a", "f`a"),
    *(
        "f((a) => g((b) =>",
        "let x: (a: number) =>",
        "f(a, (b) => /* c",
        "async function* g() {\n for await (const x of y) {",
    ),
]
COMPLETE = [
    *(
        "1",
        "let x",
        "(1 + ))",
        "}",
        "'open",
        '"open',
        "function f() {}",
        "`a`",
        "a b",
        "if (x) y",
        "{ a: 1 }",
        "foo\n.bar",
    ),
    *(
        "await 1",
        "type T = string",
        "<T>(x: T) => x",
        "return 5",
        "/re",
        "let let = 1",
        "enum E { A }",
        "// c",
        "1;2",
    ),
    *(
        "export const a = 1",
        "declare function f(): void",
        "xs.map((n) => ))",
        "f((a) => a b)",
        "if (x) => y",
        "with (a) b",
    ),
]


def test_the_parser_decides_whether_an_input_is_complete(box: Box) -> None:
    # An incomplete input is abandoned by the command after it; any other prints something first.
    texts = INCOMPLETE + COMPLETE
    lines = "".join(f"{text}\n.break\n'#{number}'\n" for number, text in enumerate(texts))
    rest = run(box, lines=lines)
    for number, text in enumerate(texts):
        answer, marker, rest = rest.partition(f'"#{number}"\n')
        assert marker and (answer == "") == (text in INCOMPLETE), f"{text!r}: {answer}"


def test_modules_are_those_of_the_working_folder(box: Box) -> None:
    box.write(
        {
            "local.ts": "export const value: string = 'local'; export interface Shape {}",
            "old.cjs": "module.exports = { value: 'old' }",
            "data.json": '{"a": 1}',
            "node_modules/pkg/index.js": "module.exports = 'pkg'",
        }
    )
    assert answers(
        box,
        "import { value, Shape } from './local'",
        "value + typeof Shape",
        "require('./old').value",
        "import data from './data.json' with { type: 'json' }",
        "data.a",
        "(await import('pkg')).default",
        "require.resolve('pkg') === __dirname + '/node_modules/pkg/index.js'",
    ) == ['"localundefined"', '"old"', "1", '"pkg"', "true"]
    assert "Cannot find module './absent'" in run(box, lines="require('./absent')\n")
    assert "./absent" in run(box, lines="import './absent'\n5\n")


def test_jsx_uses_the_configured_factory(box: Box) -> None:
    box.write({"tsconfig.json": '{"compilerOptions": {"jsx": "react", "jsxFactory": "h"}}'})
    assert answers(box, "const h = (...all) => all.length", "<a b={1}>{2}</a>") == ["undefined", "3"]


def test_errors_show_the_input_and_do_not_end_it(box: Box) -> None:
    assert answers(box, "const a = 1", "  throw new TypeError('no')", "_error.message")[1:] == [
        "1 |   throw new TypeError('no')",
        "            ^",
        "TypeError: no",
        "      at REPL2:1:9",
        '"no"',
    ]
    assert answers(box, "(1 + ))", "2") == [
        "1 | (1 + ))",
        "         ^",
        "SyntaxError: Unexpected )",
        "    at REPL1:1:6",
        "2",
    ]
    assert answers(box, "function f(x: string) {", "  return x.y.z", "}", "f('')")[1:5] == [
        "1 | function f(x: string) {",
        "2 |   return x.y.z",
        "                 ^",
        "TypeError: Cannot read properties of undefined (reading 'z')",
    ]
    assert answers(box, "throw 's'", "1") == ["error: s", "s", "1"]
    assert answers(box, "missing", "1")[-3:] == ["ReferenceError: missing is not defined", "      at REPL1:1:1", "1"]
    assert (
        answers(box, "({ get a() { throw 1 }, [Symbol.for('nodejs.util.inspect.custom')]() { throw 2 } })", "1")[-1]
        == "1"
    )


def test_errors_that_come_later_do_not_end_it(box: Box) -> None:
    found = run(
        box,
        lines="setTimeout(() => { throw new Error('late') }); 0\n"
        "Promise.reject(new Error('rejected')); 0\nawait new Promise((done) => setTimeout(done, 20, 'end'))\n",
    )
    assert "error: late" in found and "error: rejected" in found and found.endswith('"end"\n')


def test_the_end_of_the_input_ends_it(box: Box) -> None:
    assert run(box, lines="") == ""
    assert run(box, lines="1\n2") == "1\n2\n"
    assert run(box, lines="process.exitCode = 3\n", status=3) == "3\n"
    assert run(box, lines="process.exit(4)\n5\n", status=4) == ""
    assert run(box, lines="throw 1\n") == "error: 1\n1\n"
    assert "SyntaxError" in run(box, lines="function f() {\n")
    assert run(box, lines="1\n.exit\n2\n") == "1\n"
    assert run(box, lines="'é日本😀'\n") == '"é日本😀"\n'


def test_commands(box: Box, tmp_path: Path) -> None:
    box.write({"loaded.ts": "const loaded: number = 41\nloaded + 1\n"})
    assert answers(box, ".load loaded.ts", "loaded") == ["42", "41"]
    assert answers(box, ".load absent.ts", "1")[0].startswith("Failed to load absent.ts: ENOENT")
    assert answers(box, ".load", ".save", ".type") == [
        "Usage: .load <filename>",
        "Usage: .save <filename>",
        "Usage: .type <expression>",
    ]
    saved = tmp_path / "saved.ts"
    assert answers(box, "let q = 1", "q +", "1", f".save {saved}") == ["undefined", "2", f"Session saved to {saved}"]
    assert saved.read_text() == "let q = 1\nq +\n1\n"
    assert answers(box, ".save /absent/file")[0].startswith("Failed to save /absent/file: ENOENT")
    assert answers(box, "7", ".history") == ["7", "   1  7"]
    assert answers(box, "function f() {", ".break", "6") == ["6"]
    assert answers(box, "({", ".clear", "6") == ["6"]
    assert answers(box, ".copy 1 + 1", "_", ".copy") == [
        "\x1b]52;c;Mg==\x07Copied 1 characters to clipboard",
        "2",
        "\x1b]52;c;Mg==\x07Copied 1 characters to clipboard",
    ]
    assert answers(box, ".unknown", ".5") == ["Unknown command: .unknown", "Type .help for the commands.", "0.5"]
    assert answers(box, ".ex", "1") == []
    assert ".load" in run(box, lines=".help\n")
    assert answers(box, ".type 1")[0].startswith("TypeScript is not installed in this project")


def test_a_command_is_a_dot_a_name_and_text_on_one_line(box: Box) -> None:
    box.write({"a b.ts": "'loaded'\n"})
    assert answers(box, "  .load   a b.ts  ") == ['"loaded"']
    assert answers(box, ".5") == ["0.5"]
    for text in (".a()", ".a.b", ".", ". help", ".ex9"):
        assert "SyntaxError" in run(box, lines=f"{text}\n"), text


def test_the_last_line_can_abandon_an_input(box: Box) -> None:
    for abandoning in (".break", "  .clear  ", ".break"):
        assert answers(box, "if (1) {", "f(", abandoning, "6") == ["6"]
    assert answers(box, "f(", ".exit", "6") == []
    assert "Commands:" in run(box, lines="f(\n.help\n")
    for text in (".save x", ".break now", ".bre", "x.break"):  # text of the input
        assert "SyntaxError" in run(box, lines=f"f(\n{text}\n"), text


def test_types_of_expressions(box: Box) -> None:
    installed = Path(__file__).parents[3] / "node_modules"
    if not (installed / "typescript").exists():
        pytest.skip("scripts/javascript-tools has not installed TypeScript")
    (box.folder / "node_modules").symlink_to(installed)
    assert answers(box, "const a = { b: [1, 'x'] }", ".type a.b", ".type (x: string) => x.length", ".type 5;")[1:] == [
        "(string | number)[]",
        "(x: string) => number",
        "5",
    ]
    assert answers(box, "const a = {}", ".type a.c", ".type 1 +")[1:] == [
        "error: Property 'c' does not exist on type '{}'.",
        "error: Expression expected.",
    ]
    assert sorted(path.name for path in box.folder.iterdir() if path.name.startswith(".rt-repl")) == []


def test_code_of_the_command_line(box: Box) -> None:
    assert run(box, "-e", "1 + 1") == ""
    assert run(box, "-p", "const x: number = 42; x * 2") == "84\n"
    assert run(box, "-p", "await Promise.resolve('a')") == '"a"\n'
    assert run(box, "--print", "{ a: 1 }") == "{\n  a: 1,\n}\n"
    assert run(box, "-p", "") == "undefined\n"
    assert run(box, "-p", "setTimeout(() => console.log('timer'), 5); 'result'") == 'timer\n"result"\n'
    assert run(box, "--eval", "import path from 'path'; console.log(typeof path.join)") == "function\n"
    assert run(box, "-e", "process.exitCode = 9", status=9) == ""
    assert run(box, "-e", "throw new Error('boom')", status=1) == ""
    assert run(box, "-e", "const =", status=1) == ""
    assert run(box, "-e", "await Promise.reject(1)", status=1) == ""
    assert run(box, "a", "-p", "process.argv.slice(1)") == '[ "a" ]\n'


def test_flags_of_programs_apply(box: Box) -> None:
    box.write({"before.ts": "globalThis.before = 'yes' as string"})
    assert run(box, "--preload", "./before.ts", lines="before\n") == '"yes"\n'
    assert run(box, "--preload", "./before.ts", "-p", "before") == '"yes"\n'
    assert run(box, "--inspect=127.0.0.1:0", "-p", "typeof require('inspector').url()") == '"string"\n'


def test_a_script_of_the_same_name_needs_run(box: Box) -> None:
    box.write({"package.json": '{"scripts": {"repl": "echo script"}}'})
    assert run(box, lines="1\n") == "1\n"
    assert subprocess.check_output([executable(), "run", "repl"], cwd=box.folder, env=box.environment()) == b"script\n"


def test_it_starts_from_its_cached_start(box: Box) -> None:
    for _ in range(3):  # the second start stores an image, the third may begin without Python
        assert run(box, lines="const a: number = 1; a\n") == "1\n"
        assert run(box, "-p", "2") == "2\n"  # further words are not those of the cached start
