"""Node's REPL: `rt -i` on a terminal, and with lines from a pipe, compared with Node's."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

import js_peers as peers
from rig import Box, executable
from screens import Session

LINES = r"""1+1
var a = 5
let x = { b: 1 }
x
[1, 2
].length
foo.bar
throw new Error('thrown')
null.x
_error.message
"use strict"; undefinedvariable = 1
function f() {
return 7
}
f()
{ a: 1 }
`a
b`
class A { #x = 1; get() { return this.#x } }
new A().get()
let x = 5
for (const q of [1, 2]) q
.nothing
(
.break
1 +
.clear
0x
import fs from 'fs'
import * as all from "node:fs"
import path, { join as glued } from 'path'
export const t = 1
return 5
throw 5
throw { a: 1 }
try { throw 1 } catch (e) { e }
// comment
''
undefined
[1, 2, 3].map((n) =>
n * 2)
path.join('a', 'b')
require('node:path') === path
module.id
exports
this === globalThis
_
_ = 8
_
util.inspect.replDefaults.maxArrayLength = 1
[1, 2, 3]
.help
.save saved.js
.load loaded.js
"""


def run_repl(box: Box, command: list[str], lines: str, **environment: str) -> str:
    done = subprocess.run(
        command,
        input=lines.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=box.folder,
        env={**box.environment(), **environment},
        check=True,
    )
    return done.stdout.decode()


def without_frames(text: str) -> str:
    """Remove the first line, which names the program, and the frames of the library, which rt does not show."""
    text = text.split("\n", 1)[1]
    return re.sub(r"\n +at .*\(node:.*\)(?= \{|$)", "", text, flags=re.M)


def test_lines_from_a_pipe_are_answered_as_by_node(box: Box) -> None:
    box.write({"loaded.js": "function loaded() {\n  return 9;\n}\nloaded() + 1\n"})
    found = run_repl(box, [executable(), "-i"], LINES)
    assert found.startswith("Welcome to rt v")
    assert without_frames(found) == without_frames(run_repl(box, [peers.node(), "-i"], LINES))


def test_code_of_the_command_line_is_evaluated_first(box: Box) -> None:
    for flag in ("-e", "--eval"):
        found = run_repl(box, [executable(), "--interactive", flag, "var given = 5"], "given\n")
        assert found.endswith("> 5\n> ")
    assert run_repl(box, [executable(), "-i"], "1\n").endswith("> 1\n> ")


def test_lines_wait_for_an_awaiting_one(box: Box) -> None:
    lines = "await new Promise((done) => setTimeout(done, 20, 'first'))\n'second'\nconst { sep } = await import('path')\nsep\n"
    assert without_frames(run_repl(box, [executable(), "-i"], lines)) == (
        "Type \".help\" for more information.\n> 'first'\n> 'second'\n> undefined\n> '/'\n> "
    )


def test_statements_that_await_may_go_on_in_the_next_line(box: Box) -> None:
    loaded = """
        let x = await Promise.resolve(5)
          .then((n) => n + 1)
        function f() { return 1 }
        (2)
        const y = await [1, 2]
          /* and */ .length
        let z = 1
        ++z
        class A {}
        [await y].length + z
    """
    box.write({"loaded.js": loaded})
    found = run_repl(box, [executable(), "-i"], ".load loaded.js\n[x, typeof f, y, z, typeof A]\n")
    assert found.endswith("> [ 6, 'function', 2, 2, 'function' ]\n> ")


def test_errors_that_come_later_do_not_end_it(box: Box) -> None:
    lines = "process.nextTick(() => { throw new Error('tick') }); 1\nPromise.reject(new Error('rejected')); 2\n"
    found = run_repl(box, [executable(), "-i"], f"{lines}await new Promise((done) => setTimeout(done, 20, 3))\n")
    assert "Uncaught Error: tick\n" in found and "Uncaught Error: rejected\n" in found and "> 3\n" in found
    listened = "process.on('uncaughtException', () => console.log('heard')); 1\nnothing\n"
    assert "\n> heard\n" in run_repl(box, [executable(), "-i"], listened)


def test_ctrl_c_ends_the_evaluation_and_not_the_repl(box: Box) -> None:
    with subprocess.Popen(
        [executable(), "-i"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=box.folder, env=box.environment()
    ) as repl:
        assert repl.stdin and repl.stdout
        repl.stdin.write(b"var kept = 21; process.stdout.write('go\\n'); for (;;);\n")
        repl.stdin.flush()
        while repl.stdout.readline() != b"> go\n":
            pass
        repl.send_signal(signal.SIGINT)
        rest, _ = repl.communicate(b"kept * 2\n")
        assert b"Uncaught Error: Script execution was interrupted by `SIGINT`" in rest
        assert b"> 42\n" in rest
        assert repl.returncode == 0


def test_on_a_terminal_it_completes_edits_and_remembers(box: Box, tmp_path: Path) -> None:
    history = tmp_path / "history"
    session = Session(box, "-i", NODE_REPL_HISTORY=str(history))
    session.read_until("> ")
    session.type("Math.ma")
    session.read_until("Math.ma")
    session.type("\t")
    session.read_until("Math.max")
    session.type("(1, 40 + 1)\r")
    session.read_until("41")
    session.type(".editor\r")
    session.read_until("Entering editor mode")
    session.type("const q = 1;\rq + 76\r\x04")
    session.read_until("77")
    session.type("process.stdout.write('g' + 'o\\n'); for (;;);\r")
    session.read_until("go")
    session.type("\x03")
    session.read_until("interrupted")
    session.type(".exit\r")
    assert session.finish() == 0
    assert history.read_text().splitlines()[-1] == "Math.max(1, 40 + 1)"
