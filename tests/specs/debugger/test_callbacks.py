"""What a debugger sees of callbacks: exceptions that nothing catches, and the asynchronous callers of a function."""

from __future__ import annotations

import pytest
from front_end import Debugged
from rig import Box

THROWING = """\
const fail = () => { throw new Error('thrown'); };
const ways = {
  main: fail,
  required: () => require('./thrower.cjs'),
  timer: () => setTimeout(fail, 1),
  immediate: () => setImmediate(fail),
  tick: () => process.nextTick(fail),
  event: () => new (require('node:events'))().on('x', fail).emit('x'),
  file: () => require('node:fs').readFile(__filename, fail),
  connection: () =>
    require('node:net').createServer(fail).listen(0, function () { require('node:net').connect(this.address().port); }),
  stored: () => new (require('node:async_hooks').AsyncLocalStorage)().run(1, () => setTimeout(fail, 1)),
  caught: () => { try { fail(); } catch {} require('./thrower.cjs'); },
};
ways[process.argv[2]]();
"""
CALLING = """\
function inner() {
  debugger;
}
function outer() {
  WAY(inner);
}
outer();
"""


@pytest.mark.parametrize(
    "way",
    ["main", "required", "timer", "immediate", "tick", "event", "file", "connection", "stored", "caught"],
)
def test_uncaught_exceptions_pause(box: Box, way: str) -> None:
    box.write({"a.cjs": THROWING, "thrower.cjs": "throw new Error('thrown')"})
    debugged = Debugged(box, "--inspect-brk=0", "a.cjs", way)
    front = debugged.front
    front.begin()
    front.await_event("Debugger.paused")
    front.do("Debugger.setPauseOnExceptions", state="uncaught")
    front.do("Debugger.resume")
    event = front.await_event("Debugger.paused")
    assert (event["reason"], event["data"]["uncaught"]) == ("exception", True)
    assert debugged.place(event) == (("thrower.cjs", 1) if way in ("required", "caught") else ("a.cjs", 1))
    front.do("Debugger.resume")
    front.await_event("Runtime.executionContextDestroyed")
    status, _, err = debugged.finish()
    assert status == 1
    assert "thrown" in err


@pytest.mark.parametrize(
    ("way", "name"),
    [("setTimeout", "Timeout"), ("setImmediate", "Immediate"), ("process.nextTick", "TickObject")],
)
def test_stacks_continue_across_callbacks(box: Box, way: str, name: str) -> None:
    box.write({"a.cjs": CALLING.replace("WAY", way)})
    debugged = Debugged(box, "--inspect-brk=0", "a.cjs")
    front = debugged.front
    front.begin()
    front.await_event("Debugger.paused")
    front.do("Debugger.setAsyncCallStackDepth", maxDepth=8)
    front.do("Debugger.resume")
    event = front.await_event("Debugger.paused")
    callers = event["asyncStackTrace"]
    assert callers["description"] == name
    assert [frame["functionName"] for frame in callers["callFrames"]] == ["outer", ""]
    front.do("Debugger.resume")
    front.await_event("Runtime.executionContextDestroyed")
    assert debugged.finish()[0] == 0


@pytest.mark.parametrize("flags", [[], ["--input-type=module"]])
def test_evaluated_code_breaks_at_its_start(box: Box, flags: list[str]) -> None:
    debugged = Debugged(box, "--inspect-brk=0", *flags, "-e", "console.log(\n1)")
    front = debugged.front
    front.begin()
    event = front.await_event("Debugger.paused")
    assert event["reason"] == "Break on start"
    assert event["callFrames"][0]["location"]["lineNumber"] == 0
    front.do("Debugger.resume")
    front.await_event("Runtime.executionContextDestroyed")
    status, out, _ = debugged.finish()
    assert (status, out) == (0, "1\n")
