"""What Bun's own tests of its REPL expect holds for `rt repl`. With a pipe, rt prints neither banner nor prompts; Bun does."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from rig import Box

MODULES = {
    "both.mjs": "export const first = 'one'; export const second = 'two'; export default 'whole'",
    "named.mjs": "export const right = 'correct', wrong = 'other', third = 3",
    "effect.mjs": "globalThis.hasEffect = 'it ran'",
    "local.js": "module.exports = { value: 'from the file' }",
    "loaded.js": "var loaded = 42",
}


class Case(NamedTuple):
    """Lines of input, patterns that the output contains, and patterns that it must not contain."""

    lines: tuple[str, ...]
    contains: tuple[str, ...]
    lacks: tuple[str, ...] = ()


def case(*lines: str, shows: str | tuple[str, ...], lacks: str | tuple[str, ...] = ()) -> Case:
    return Case(lines, *((given,) if isinstance(given, str) else given for given in (shows, lacks)))


CASES = {
    # evaluation
    "an expression": case("1 + 1", shows="^2$"),
    "several expressions": case("1 + 1", "2 * 3", "Math.sqrt(16)", shows=("^2$", "^6$", "^4$")),
    "a string": case("'hello'.toUpperCase()", shows="HELLO"),
    "an object in parentheses": case("({ a: 1, b: 2 })", shows=("a: 1", "b: 2")),
    "an array": case("[1, 2, 3].map(x => x * 2)", shows=r"\[ 2, 4, 6 \]"),
    # _ and _error
    "the last result": case("42", "_", shows="^42\n42$"),
    "the last result changes": case("10", "_ * 2", "_ + 5", shows=("^10$", "^20$", "^25$")),
    "the last error": case("throw new Error('an error')", "'m: ' + _error.message", shows='"m: an error"'),
    # commands
    ".help": case(".help", shows=(".help", ".exit", ".load", ".save")),
    ".load": case(".load loaded.js", "loaded + 1", shows="^43$"),
    ".load of a missing file": case(".load absent.js", "1 + 1", shows=("ENOENT", "^2$")),
    ".load without a file": case(".load", shows="Usage.*filename"),
    ".save without a file": case(".save", shows="Usage.*filename"),
    "an unknown command": case(".nonexistent", "1 + 1", shows=("[Uu]nknown", "^2$")),
    ".history": case("1 + 1", "2 + 2", ".history", shows=(r"1 \+ 1", r"2 \+ 2")),
    ".break": case("function foo() {", ".break", "typeof foo", shows='"undefined"'),
    ".break after a brace": case("{", ".break", "99", shows="^99$"),
    "the first letters of a command": case(".ex", "7", shows="", lacks="7"),
    ".copy": case("42", ".copy", shows=("Copied", "clipboard")),
    ".copy of an expression": case(".copy 1 + 1", shows=("Copied", "clipboard")),
    ".copy sets the last result": case(".copy 'hello'", "_ + '!'", shows='"hello!"'),
    # errors
    "a syntax error": case("(1 + ))", "1 + 1", shows=("SyntaxError", "^2$")),
    "a name that is not defined": case("undefinedName", "1 + 1", shows=("undefinedName is not defined", "^2$")),
    "a thrown string": case("throw 'custom error'", "1 + 1", shows=("custom error", "^2$")),
    "a thrown error": case("throw new Error('boom')", shows="boom"),
    "an error of the system": case("fs.readFileSync('/absent/file')", shows="ENOENT"),
    "a custom inspection that throws": case(
        "({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('boom') } })", "7 * 6", shows="^42$"
    ),
    "a proxy that throws": case("new Proxy({}, { ownKeys() { throw new Error('boom') } })", "100 + 23", shows="^123$"),
    # imports
    "a default import": case("import path from 'path'", "typeof path.join", shows="function"),
    "named imports": case("import { join, resolve } from 'path'", "typeof join", shows="function"),
    "a namespace": case("import * as os from 'os'", "typeof os.cpus", shows="function"),
    "an import in a later line": case("import path from 'path'", "path.posix.join('/a', 'b')", shows='"/a/b"'),
    "a module that does not exist": case("import _ from 'absent-module'", "1 + 1", shows=("Cannot find", "^2$")),
    "default and named imports": case(
        "import def, { first, second } from './both.mjs'",
        "[def, first, second].join()",
        shows="whole,one,two",
        lacks="undefined",
    ),
    "an alias": case("import { right as wrong } from './named.mjs'", "wrong", shows="correct", lacks="other"),
    "several aliases": case(
        "import { right as x, wrong as y, third } from './named.mjs'", "[x, y, third].join()", shows="correct,other,3"
    ),
    "an import for its effect": case("import './effect.mjs'", "hasEffect", shows="it ran"),
    # require
    "require": case("typeof require, typeof require.resolve", shows="function"),
    "require of a built-in module": case("const path = require('path')", "typeof path.join", shows="function"),
    "require of a file": case("require('./local').value", shows="from the file"),
    "the name of the module": case("module.filename", shows=r"/\[repl\]", lacks=r"[a-zA-Z0-9]\[repl\]"),
    # globals
    "the peer's global": case("typeof Bun.version", shows="string"),
    "console": case("console.log('hello')", shows="^hello$"),
    "Buffer": case("Buffer.from('hello').length", shows="^5$"),
    "process": case("typeof process.version", shows="string"),
    "__dirname and __filename": case("typeof __dirname + typeof __filename", shows="stringstring"),
    "module": case("typeof module", shows="object"),
    # variables
    "variables": case("const x = 10", "const y = 20", "x + y", shows="^30$"),
    "let": case("let count = 0", "count++", "count++", "count", shows="^0\n1\n2$"),
    "a function": case("function add(a, b) { return a + b }", "add(5, 3)", shows="^8$"),
    "a class": case("class P { constructor(x) { this.x = x } twice() { return this.x * 2 } }", "new P(7).twice()", shows="14"),
    "a constant again": case("const x = 1", "const x = 2", "x", shows="^2$", lacks="already"),
    "an array pattern": case("const [a, b, c] = [10, 20, 30]", "a + b + c", shows="^60$"),
    "an object pattern": case("const { px, py } = { px: 5, py: 7 }", "px * py", shows="^35$"),
    "a pattern with another name": case("const { a: renamed } = { a: 99 }", "renamed", shows="^99$"),
    "a pattern with a default": case("const { missing = 42 } = {}", "missing", shows="^42$"),
    "the rest of an array": case("const [first, ...rest] = [1, 2, 3, 4]", "rest", shows=r"\[ 2, 3, 4 \]"),
    "the rest of an object": case("const { keep, ...others } = { keep: 1, x: 2, y: 3 }", "Object.keys(others).join()", shows="x,y"),
    "a nested pattern": case("const { outer: { inner } } = { outer: { inner: 'deep' } }", "inner", shows="deep"),
    # several lines
    "a function in several lines": case("function f(name) {", "  return 'hi ' + name", "}", "f('you')", shows="hi you"),
    "an object in several lines": case("({", "  x: 1,", "  y: 2", "})", shows=("x: 1", "y: 2")),
    "a directive": case('"use strict"', shows="use strict"),
    # await and types
    "await": case("await Promise.resolve(42)", shows="^42$"),
    "await of a rejection": case("await Promise.reject(new Error('async fail'))", "1 + 1", shows=("async fail", "^2$")),
    "an async function": case("async function f() { return 123 }", "await f()", shows="^123$"),
    "types": case("const x: number = 42", "x", shows="^42$"),
    "interfaces": case("interface User { name: string }", "const u: User = { name: 'it' }", "u.name", shows='"it"'),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_lines_in_a_pipe(box: Box, name: str) -> None:
    box.write(MODULES)
    lines, contains, lacks = CASES[name]
    (box.folder / "input").write_text("\n".join([*lines, ".exit"]) + "\n")
    with (box.folder / "input").open() as given:
        done = box.run("repl", stdin=given)
    output = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, output
    assert all(re.search(pattern, output, re.M) for pattern in contains), output
    assert not any(re.search(pattern, output, re.M) for pattern in lacks), output


def test_save_writes_the_inputs(box: Box) -> None:
    (box.folder / "input").write_text("const x = 1\nconst y = 2\n.save saved.js\n.exit\n")
    with (box.folder / "input").open() as given:
        assert box.run("repl", stdin=given).returncode == 0
    assert (box.folder / "saved.js").read_text() == "const x = 1\nconst y = 2\n"


# Arguments, what is printed, and, if it is not 0, the status with a part of what goes to stderr.
COMMAND_LINES = [
    (("-e", "1 + 1"), "", None),
    (("-e", "console.log('hello')"), "hello\n", None),
    (("--eval", "console.log(2 + 2)"), "4\n", None),
    (("-p", "1 + 1"), "2\n", None),
    (("--print", "2 * 3"), "6\n", None),
    (("-p", "void 0"), "undefined\n", None),
    (("-p", ""), "undefined\n", None),
    (("-p", "const x: number = 42; x * 2"), "84\n", None),
    (("-p", "await Promise.resolve(123)"), "123\n", None),
    (("-p", "{ a: 1, b: 2 }"), "{\n  a: 1,\n  b: 2,\n}\n", None),
    (("-e", "throw new Error('boom')"), "", (1, "boom")),
    (("-e", "const ="), "", (1, "SyntaxError")),
    (("-e", "await Promise.reject(new Error('async fail'))"), "", (1, "async fail")),
    (("-e", "process.exitCode = 42"), "", (42, "")),
    (("-e", "process.on('beforeExit', () => console.log('before'))"), "before\n", None),
    (("-e", "setTimeout(() => console.log('timer'), 50)"), "timer\n", None),
    (("-p", "setTimeout(() => console.log('timer'), 50); 'result'"), 'timer\n"result"\n', None),
    (("-p", "require('path').posix.join('/a', 'b')"), '"/a/b"\n', None),
    (("-e", "import path from 'path'; console.log(typeof path.join)"), "function\n", None),
    (("-e", "console.log(typeof __dirname, typeof __filename)"), "string string\n", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "printed", "failure"), COMMAND_LINES, ids=[" ".join(row[0]) for row in COMMAND_LINES]
)
def test_command_lines(box: Box, words: tuple[str, ...], printed: str, failure: tuple[int, str] | None) -> None:
    done = box.run("repl", *words)
    status, text = failure or (0, "")
    assert (done.stdout.decode(), done.returncode) == (printed, status), done.stderr
    assert text in done.stderr.decode()
