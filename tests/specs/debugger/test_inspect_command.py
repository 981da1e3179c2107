"""`rt inspect`: the command-line debugger starts a program or attaches to one, shows its pauses, and evaluates in it."""

from __future__ import annotations

import json
import subprocess

from rig import Box
from watching import Watching

PROGRAM = """const other = require('./other.cjs');
function twice(n) {
  const local = { n, list: [1, 'two'] };
  debugger;
  return n * 2;
}
console.log('first', twice(21));
console.log('second', other);
"""
FILES = {
    "main.cjs": PROGRAM,
    "other.cjs": "const deep = 1;\nmodule.exports = deep + 1;\n",
    "typed.ts": "const x: number = 1;\ndebugger;\n",
}


class Prompt:
    """`rt inspect` in a box: writes lines, and reads the output up to the next prompt."""

    def __init__(self, box: Box, *words: str) -> None:
        self.watching = Watching(box, "inspect", *words, stdin=subprocess.PIPE)

    def read(self) -> str:
        return self.watching.read_until("debug> ").replace("\b", "")

    def pause(self) -> str:
        """Read up to the location of the next pause and its source."""
        before = "Inspect"
        while before.endswith("Inspect"):  # of the banner
            before = self.watching.read_until(" in ").replace("\b", "")
        return before.splitlines()[-1].removeprefix("debug> ") + " in " + self.read()

    def write(self, line: str) -> None:
        assert self.watching.process.stdin is not None
        self.watching.process.stdin.write(line.encode() + b"\n")
        self.watching.process.stdin.flush()

    def ask(self, line: str) -> str:
        self.write(line)
        return self.read()

    def step(self, line: str) -> str:
        self.write(line)
        return self.pause()

    def end(self) -> int:
        process = self.watching.process
        process.communicate()
        return process.returncode


def test_a_program_is_stepped_through(box: Box) -> None:
    box.write(FILES)
    prompt = Prompt(box, "--port=0", "main.cjs")
    assert prompt.pause() == (
        "Break on start in main.cjs:1\n> 1 const other = require('./other.cjs');\n"
        "  2 function twice(n) {\n  3   const local = { n, list: [1, 'two'] };\n"
    )
    assert prompt.ask("breakpoints") == "No breakpoints yet\n"
    assert prompt.ask("sb('other.cjs', 2)") == "Warning: script 'other.cjs' was not loaded yet.\n"
    assert "> 2 module.exports" in prompt.step("c")
    assert "\n#1 " in prompt.ask("bt")
    assert prompt.ask("exec deep") == "1\n"
    assert prompt.ask("p { a: deep }") == "{ a: 1 }\n"
    assert prompt.ask("") == "{ a: 1 }\n"  # the last command again
    prompt.ask("watch('typeof local')")
    shown = prompt.step("cont")
    assert shown.startswith("break in main.cjs:4\nWatchers:\n  0: typeof local = 'object'\n\n  2 function")
    assert prompt.ask("exec local") == "{ n: 21, list: Array(2) }\n"
    assert prompt.ask("exec local.list") == "[ 1, 'two' ]\n"
    assert "'local'" in prompt.ask("exec .scope")
    assert prompt.ask("exec nothing.there").startswith("ReferenceError: nothing is not defined\n")
    assert (
        prompt.ask("list(1)") == "  3   const local = { n, list: [1, 'two'] };\n> 4   debugger;\n  5   return n * 2;\n"
    )
    assert "* " in prompt.ask("scripts") and "node:" not in prompt.ask("scripts(true)")  # the runtime's are not listed
    assert prompt.ask("sb('main.cjs', 8)").count("\n") > 2
    assert prompt.ask("breakpoints") == "#0 other.cjs:2\n#1 main.cjs:8\n"
    assert "main.cjs:8" in prompt.step("c")
    prompt.write("repl")
    prompt.watching.read_until("Press Ctrl+C to leave debug repl\n> ")
    prompt.write("other + 1")
    prompt.watching.read_until("3\n> ")
    assert prompt.ask(".interrupt") == ""
    prompt.write("restart")
    prompt.watching.read_until("2 breakpoints restored.")
    assert "Break on start in main.cjs:1" in prompt.pause()
    prompt.write("cb('main.cjs', 7)")
    prompt.watching.read_until("Could not find breakpoint at main.cjs:7\ndebug> ")
    prompt.ask("takeHeapSnapshot('heap')")
    assert json.loads((box.folder / "heap").read_text())["snapshot"]
    prompt.ask("kill")
    assert "Use `run` to start the app again." in prompt.ask("c")
    assert prompt.end() == 0
    box.await_nothing_left()


def test_an_empty_line_waits_until_the_pause_is_shown(box: Box) -> None:
    slow = "fs.existsSync('asked') || fs.writeFileSync('asked', ''); while (!fs.existsSync('go'));"
    box.write({"main.cjs": "const fs = require('fs');\nlet a = 1;\na = 2;\na = 3;\na = 4;\n"})
    prompt = Prompt(box, "--port=0", "main.cjs")
    prompt.pause()
    prompt.step("n")
    prompt.ask(f"watch({slow!r})")
    prompt.write("n")
    box.await_file("asked")  # the pause is about to be shown
    prompt.write("")  # repeats the step
    (box.folder / "go").touch()
    for line in (3, 4):
        shown = prompt.pause()
        assert f"main.cjs:{line}\n" in shown and f"> {line} a = {line - 1};" in shown
    assert prompt.end() == 0


def test_typescript_and_a_program_that_listens(box: Box) -> None:
    box.write(FILES)
    prompt = Prompt(box, "--port=0", "typed.ts")
    assert prompt.pause().startswith("Break on start in typed.ts:1\n> 1 const x")
    assert "typed.ts:2" in prompt.step("c")
    assert prompt.end() == 0
    program = box.start("--inspect-wait=0", "main.cjs", stderr=subprocess.PIPE)
    assert program.stderr is not None
    place = ""
    while not place:
        _, found, rest = program.stderr.readline().decode().partition("  ws://")
        place = rest.partition("/")[0] if found else ""
    attached = Prompt(box, place)
    assert "main.cjs:4" in attached.pause()
    assert "> 4   debugger;" in attached.ask("list()")
    assert attached.end() == 0
    assert b"first 42" in program.communicate()[0]


def test_invalid_targets(box: Box) -> None:
    done = box.run("inspect")
    assert (done.returncode, done.stderr.startswith(b"Usage: rt inspect ")) == (9, True)
    done = box.run("inspect", "--help")
    assert (done.returncode, b"rt inspect" in done.stdout) == (0, True)
    done = box.run("inspect", "-p", "655555555")
    assert (done.returncode, done.stderr) == (1, b"Target process: 655555555 doesn't exist.\n")
    done = box.run("inspect", "--port=0", "nothing.cjs")
    assert (done.returncode, done.stderr) == (1, b"Target exited before the inspector was ready (code 1)\n")
