"""`Runtime.terminateExecution`: the JavaScript that runs ends, the program goes on, as in Node."""

from __future__ import annotations

import subprocess

import pytest
from front_end import FrontEnd, url_of
from rig import Box

LOOP = "console.log('busy'); for (;;) {}"
CASES = {
    # name -> (file, code, the rest of the output)
    "the main module": ("a.cjs", f"setTimeout(() => console.log('timer'));\ntry {{ {LOOP} }} finally {{ console.log('no') }}", "timer\n"),
    "an ES module": ("a.mts", f"const n: number = 1; setTimeout(() => console.log('timer', n));\n{LOOP}", "timer 1\n"),
    "a microtask": ("a.cjs", f"Promise.resolve().then(() => {{ {LOOP} }}).finally(() => console.log('no'));\nsetTimeout(() => console.log('timer'));", "timer\n"),
    "a tick": ("a.cjs", f"process.nextTick(() => {{ {LOOP} }}); process.nextTick(() => console.log('tick'));", "tick\n"),
    "a timeout": ("a.cjs", f"setTimeout(() => {{ {LOOP} }}, 1); setTimeout(() => console.log('later'), 2);", "later\n"),
    "an interval": ("a.cjs", f"let n = 0; const i = setInterval(() => {{ if (++n === 1) {{ {LOOP} }} console.log(n); clearInterval(i); }}, 1);", "2\n"),
    "an immediate": ("a.cjs", f"setImmediate(() => {{ {LOOP} }}); setImmediate(() => console.log('next')); setTimeout(() => console.log('timer'), 50);", "next\ntimer\n"),
    "a callback of the file system": ("a.cjs", f"require('fs').stat(__filename, () => {{ setTimeout(() => console.log('timer')); {LOOP} }});", "timer\n"),
    "a listener of beforeExit": ("a.cjs", f"process.once('beforeExit', () => {{ {LOOP} }}); process.on('exit', () => console.log('exit'));", "exit\n"),
    "a listener of exit": ("a.cjs", f"process.on('exit', () => {{ {LOOP} }});", ""),
}  # fmt: skip


def finish(program: subprocess.Popen[bytes], front: FrontEnd) -> tuple[int, str, str]:
    front.close()
    out, err = program.communicate(timeout=60)
    return program.returncode, out.decode(), err.decode()


@pytest.mark.parametrize("case", CASES)
def test_the_program_goes_on(box: Box, case: str) -> None:
    name, code, rest = CASES[case]
    box.write({name: code})
    program = box.start("--inspect-wait=0", name)
    front = FrontEnd(url_of(program))
    front.begin()
    assert program.stdout is not None and program.stdout.readline() == b"busy\n"
    assert front.do("Runtime.terminateExecution") == {}
    front.await_event("Runtime.executionContextDestroyed")
    status, out, err = finish(program, front)
    assert (status, out) == (0, rest)
    assert err == "Debugger attached.\nWaiting for the debugger to disconnect...\n"


def test_a_program_that_does_not_run_is_not_affected(box: Box) -> None:
    box.write({"a.cjs": "process.stdin.on('data', (text) => { console.log(`got ${text}`); process.exit(); });"})
    program = box.start("--inspect-wait=0", "a.cjs", stdin=subprocess.PIPE)
    front = FrontEnd(url_of(program))
    front.begin()
    front.do("Runtime.evaluate", expression="new Promise((run) => setImmediate(run))", awaitPromise=True)
    assert front.do("Runtime.terminateExecution") == {}
    assert front.do("Runtime.evaluate", expression="6 * 7")["result"]["value"] == 42
    assert program.stdin is not None
    program.stdin.write(b"it")
    program.stdin.flush()
    front.await_event("Runtime.executionContextDestroyed")
    assert finish(program, front)[:2] == (0, "got it\n")


def test_a_paused_program_ends_when_it_continues(box: Box) -> None:
    box.write({"a.ts": "type A = 1;\nsetTimeout(() => console.log('timer'));\ndebugger;\nconsole.log('no');\n"})
    program = box.start("--inspect-wait=0", "a.ts")
    front = FrontEnd(url_of(program))
    front.begin()
    front.await_event("Debugger.paused")
    number = front.ask("Runtime.terminateExecution")
    front.do("Debugger.resume")
    front.await_event("Runtime.executionContextDestroyed")
    assert front.answers[number]["result"] == {}
    assert finish(program, front)[:2] == (0, "timer\n")


def test_an_evaluation_that_does_not_end(box: Box) -> None:
    """A console's loop ends; the program, which waits meanwhile, goes on."""
    box.write({"a.ts": "console.log('ran');"})
    program = box.start("--inspect-wait=0", "a.ts")
    front = FrontEnd(url_of(program))
    front.do("Runtime.enable")
    number = front.ask("Runtime.evaluate", expression="console.log('in'); for (;;) {}")
    front.await_event("Runtime.consoleAPICalled")
    assert front.do("Runtime.terminateExecution") == {}
    assert front.do("Runtime.evaluate", expression="6 * 7")["result"]["value"] == 42
    assert "error" in front.answers[number]
    front.do("Runtime.runIfWaitingForDebugger")
    front.await_event("Runtime.executionContextDestroyed")
    status, printed = finish(program, front)[:2]
    assert status == 0
    assert printed.removeprefix("in\n") == "ran\n"  # the event precedes the output, which may not have been written


def test_the_other_dialect_has_no_such_command(box: Box) -> None:
    box.write({"a.ts": "setInterval(() => {}, 1000);"})
    front = FrontEnd(url_of(box.start("--inspect=0", "a.ts")))
    front.do("Inspector.enable")
    assert "was not found" in front.do("Runtime.terminateExecution")["message"]
