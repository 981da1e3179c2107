"""The JavaScriptCore dialect: its shapes as Bun answers them, and clients of both dialects at once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from front_end import FrontEnd, url_of
from jsc_tour import GOLDEN, PROGRAM, take_tour
from rig import Box

# Not available from V8: the prototypes of classes, the sizes of weak collections, an empty scope of the script, the position of an error
# among its properties; and what JavaScriptCore calls a thrown object.
DIFFERENCES = {
    "/scopes",
    "/values/(class A {})/result/classPrototype",
    "/values/(class {})/result/classPrototype",
    "/values/new Error('x')/result/preview/overflow",
    "/values/new Error('x')/result/preview/properties",
    "/values/new RangeError('y')/result/preview/overflow",
    "/values/new RangeError('y')/result/preview/properties",
    "/values/new WeakMap()/result/preview/entries",
    "/values/new WeakMap()/result/preview/size",
    "/values/new WeakMap()/result/size",
    "/values/new WeakSet()/result/preview/entries",
    "/values/new WeakSet()/result/preview/size",
    "/values/new WeakSet()/result/size",
    "/values/throw { code: 1 }/result/description",
}


def differences(one: Any, other: Any, path: str = "") -> set[str]:
    """Return the paths at which two records differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        found: set[str] = set()
        for name in one.keys() | other.keys():
            here = f"{path}/{name}"
            found |= differences(one[name], other[name], here) if name in one and name in other else {here}
        return found
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return {
            each
            for index, pair in enumerate(zip(one, other, strict=True))
            for each in differences(*pair, f"{path}/{index}")
        }
    return set() if one == other else {path}


def jsc(url: str, *domains: str) -> FrontEnd:
    front = FrontEnd(url)
    for domain in ("Inspector", "Debugger", *domains):
        assert front.do(f"{domain}.enable") == {}
    front.do("Debugger.setPauseOnDebuggerStatements", enabled=True)
    return front


def begin(box: Box, text: str, *domains: str) -> FrontEnd:
    """Start a program that is paused before its first statement; return its client."""
    box.write({"a.ts": text})
    front = jsc(url_of(box.start("--inspect-brk=0", "a.ts")), *domains)
    front.do("Inspector.initialized")
    assert paused(front)["reason"] == "DebuggerStatement"
    return front


def paused(front: FrontEnd) -> dict[str, Any]:
    return front.await_event("Debugger.paused")


def top(event: dict[str, Any]) -> tuple[str, int]:
    """Return the function and the line, from 1, in which the program is paused."""
    frame = event["callFrames"][0]
    return frame["functionName"], frame["location"]["lineNumber"] + 1


def test_the_shapes_are_those_of_bun(box: Box) -> None:
    box.write({"tour.ts": PROGRAM})
    record = take_tour(url_of(box.start("--inspect-brk=0", "tour.ts")))
    assert differences(json.loads(GOLDEN.read_text()), json.loads(json.dumps(record))) == DIFFERENCES


STEPS = """\
interface Options { by: number }

function add(value: number, options: Options): number {
  const sum = value + options.by;
  return sum;
}

function twice(value: number): number {
  const first = add(value, { by: value });
  return first;
}
const result: number = twice(2);
console.log(result);
"""


def test_steps(box: Box) -> None:
    front = begin(box, STEPS)
    resolved = front.do("Debugger.setBreakpointByUrl", url=f"{box.folder.resolve()}/a.ts", lineNumber=8)
    assert [place["lineNumber"] for place in resolved["locations"]] == [8]
    front.do("Debugger.resume")
    event = paused(front)
    assert (event["reason"], event["data"]) == ("Breakpoint", {"breakpointId": resolved["breakpointId"]})
    assert top(event) == ("twice", 9)
    for step, place in (
        ("stepInto", ("add", 4)),
        ("stepOut", ("twice", 10)),
        ("stepNext", ("module code", 13)),
    ):
        front.events.clear()
        front.do(f"Debugger.{step}")
        event = paused(front)
        assert top(event) == place, step
        assert not any(each["method"] == "Debugger.resumed" for each in front.events)
    front.do("Debugger.stepOut")
    front.await_event("Debugger.resumed")  # nothing is left to step to
    assert front.do("Debugger.stepOver")["message"] == "Must be paused"


def test_scopes_and_the_console_in_a_frame(box: Box) -> None:
    front = begin(box, STEPS)
    front.do("Debugger.setBreakpointByUrl", urlRegex=r"a\.ts$", lineNumber=4)
    front.do("Debugger.resume")
    event = paused(front)
    frame = event["callFrames"][0]
    assert [scope["type"] for scope in frame["scopeChain"]] == ["closure", "closure", "global"]
    assert frame["scopeChain"][0]["name"] == "add"
    listed = front.do("Runtime.getDisplayableProperties", objectId=frame["scopeChain"][0]["object"]["objectId"])
    found = {each["name"]: each["value"] for each in listed["properties"]}
    assert (found["value"]["value"], found["sum"]["value"]) == (2, 4)
    assert found["options"]["className"] == "Object"
    ran = front.do("Debugger.evaluateOnCallFrame", callFrameId=frame["callFrameId"], expression="sum * 10 + options.by")
    assert (ran["result"]["value"], ran["wasThrown"]) == (42, False)
    assert [each["functionName"] for each in event["callFrames"]] == ["add", "twice", "module code"]
    assert front.do("Runtime.evaluate", expression="6 * 7", saveResult=True)["savedResultIndex"] == 1
    assert front.do("Runtime.evaluate", expression="$1")["result"]["value"] == 42


def test_options_and_actions_of_breakpoints(box: Box) -> None:
    text = (
        "function f(n: number): number {\n  return n + 1;\n}\nfor (let n = 0; n < 6; n++) f(n);\nconsole.log('end');\n"
    )
    front = begin(box, text, "Console")
    actions = [
        {"type": "log", "data": "n is ${n}"},
        {"type": "evaluate", "data": "globalThis.last = n"},
        {"type": "probe", "id": 7, "data": "n * 2"},
        {"type": "sound", "id": 9},
    ]
    options = {"condition": "n > 1", "ignoreCount": 1, "actions": actions, "autoContinue": True}
    front.do("Debugger.setBreakpointByUrl", urlRegex="a.ts$", lineNumber=1, options=options)
    front.do("Debugger.setBreakpointByUrl", urlRegex="a.ts$", lineNumber=4)
    front.do("Debugger.resume")
    seen: list[tuple[str, Any]] = []
    assert top(paused_after(front, seen)) == ("module code", 5)
    messages = [each["message"]["text"] for method, each in seen if method == "Console.messageAdded"]
    assert messages == ["n is 3", "n is 4", "n is 5"]
    samples = [each["sample"] for method, each in seen if method == "Debugger.didSampleProbe"]
    assert [(each["probeId"], each["payload"]["value"]) for each in samples] == [(7, 6), (7, 8), (7, 10)]
    sounds = [each["breakpointActionId"] for method, each in seen if method == "Debugger.playBreakpointActionSound"]
    assert sounds == [9, 9, 9]
    assert front.do("Runtime.evaluate", expression="last")["result"]["value"] == 5
    wrong = front.do(
        "Debugger.setBreakpointByUrl", urlRegex="x", lineNumber=1, options={"actions": [{"type": "shout"}]}
    )
    assert wrong["message"] == "Unknown breakpoint action type: shout"


def paused_after(front: FrontEnd, seen: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the parameters of the next pause; the events before it go into `seen`."""
    while True:
        while front.events:
            event = front.events.pop(0)
            if event["method"] == "Debugger.paused":
                return event["params"]  # type: ignore[no-any-return]
            seen.append((event["method"], event.get("params")))
        front.hear()


def test_symbolic_breakpoints(box: Box) -> None:
    text = (
        "function one(): void {\n  void 0;\n}\nconst two = (n: number): number => n;\nclass C {\n  three(): number {\n    return 3;\n  }\n}\n"
        "one();\ntwo(1);\nnew C().three();\n"
    )
    front = begin(box, text)
    front.do("Debugger.addSymbolicBreakpoint", symbol="one")
    front.do("Debugger.addSymbolicBreakpoint", symbol="T.*O", isRegex=True, caseSensitive=False)
    front.do("Debugger.addSymbolicBreakpoint", symbol="three", options={"condition": "true"})
    for name, line in (("one", 2), ("two", 4), ("three", 7)):
        front.do("Debugger.resume")
        event = paused(front)
        assert (event["reason"], event["data"], top(event)) == ("FunctionCall", {"name": name}, (name, line))
    front.do("Debugger.removeSymbolicBreakpoint", symbol="one")
    assert "already exists" in front.do("Debugger.addSymbolicBreakpoint", symbol="three")["message"]


def test_pauses_at_exceptions_assertions_and_microtasks(box: Box) -> None:
    text = (
        "function fail(): never {\n  throw new RangeError('lost');\n}\ntry { fail(); } catch {}\nconsole.assert(1 < 0, 'less');\nconst next: number = 1;\n"
        "debugger;\nawait Promise.resolve(next);\nconsole.log('end');\n"
    )
    front = begin(box, text)
    front.do("Debugger.setPauseOnExceptions", state="all")
    front.do("Debugger.setPauseOnAssertions", enabled=True)
    front.do("Debugger.resume")
    event = paused(front)
    assert (event["reason"], event["data"]["description"], top(event)) == ("exception", "RangeError: lost", ("fail", 2))
    front.do("Debugger.setPauseOnExceptions", state="none")
    front.do("Debugger.resume")
    event = paused(front)
    assert (event["reason"], event["data"], event["callFrames"][0]["functionName"]) == (
        "assert",
        {"message": "less"},
        "module code",
    )
    front.do("Debugger.setPauseOnMicrotasks", enabled=True)
    front.do("Debugger.resume")
    assert (event := paused(front))["reason"] == "DebuggerStatement" and top(event) == ("module code", 7)
    front.do("Debugger.setPauseOnDebuggerStatements", enabled=False)
    front.do("Debugger.resume")
    assert (event := paused(front))["reason"] == "Microtask" and top(event) == ("module code", 9)


def test_ignored_debugger_statements_and_the_next_turn(box: Box) -> None:
    front = begin(box, "setInterval(() => {\n  console.log(1);\n}, 1);\ndebugger;\n")
    front.do("Debugger.setPauseOnDebuggerStatements", enabled=False)
    front.do("Debugger.continueUntilNextRunLoop")
    event = paused(front)
    assert event["reason"] == "PauseOnNextStatement" and top(event) == ("", 2)


def test_async_stacks_name_the_awaiting_function(box: Box) -> None:
    text = "async function outer(): Promise<void> {\n  await null;\n  debugger;\n}\nawait outer();\n"
    front = begin(box, text)
    front.do("Debugger.setAsyncStackTraceDepth", depth=20)
    front.do("Debugger.resume")
    event = paused(front)
    assert top(event) == ("outer", 3)
    assert event["asyncStackTrace"]["callFrames"][-1]["lineNumber"] == 5


def test_clients_of_both_dialects_at_once(box: Box) -> None:
    box.write({"a.ts": STEPS})
    url = url_of(box.start("--inspect-brk=0", "a.ts"))
    one, other = jsc(url), FrontEnd(url)
    other.do("Runtime.enable")
    other.do("Debugger.enable")
    one.do("Inspector.initialized")
    assert paused(one)["reason"] == "DebuggerStatement"
    assert other.await_event("Debugger.paused")["reason"].startswith("Break on start")
    other.do("Debugger.setBreakpointByUrl", urlRegex="a.ts$", lineNumber=4)
    other.do("Debugger.resume")
    one.await_event("Debugger.resumed")
    assert top(paused(one)) == ("add", 5)
    assert other.await_event("Debugger.paused")["callFrames"][0]["location"]["lineNumber"] == 4
    one.do("Debugger.stepOut")
    assert other.await_event("Debugger.paused")["callFrames"][0]["location"]["lineNumber"] == 9
    other.close()
    assert top(paused(one)) == ("twice", 10)


@pytest.mark.parametrize("first", ["Debugger.setPauseOnDebuggerStatements", "Inspector.enable", "Heap.enable"])
def test_a_client_that_begins_with_commands_of_both_dialects(box: Box, first: str) -> None:
    box.write({"a.ts": STEPS})
    front = FrontEnd(url_of(box.start("--inspect-brk=0", "a.ts")))
    front.do("Runtime.enable")
    front.do("Debugger.enable")
    front.do(first, **({"enabled": True} if "Statements" in first else {}))
    front.do("Inspector.initialized")
    parsed = front.await_event("Debugger.scriptParsed", lambda params: params["url"] == f"{box.folder.resolve()}/a.ts")
    assert parsed["module"] is True
    assert paused(front)["callFrames"][0]["isTailDeleted"] is False


def test_scripts_and_functions(box: Box) -> None:
    front = begin(box, STEPS)
    script = next(number for number, url in front.scripts.items() if url.endswith("/a.ts"))
    source = front.do("Debugger.getScriptSource", scriptId=script)["scriptSource"].split("\n")
    for number, line in enumerate(STEPS.split("\n")):
        if line.startswith("function"):
            assert source[number].startswith(line.partition("(")[0]), number
    found = front.do("Debugger.searchInContent", scriptId=script, query="ADD(", caseSensitive=False)["result"]
    assert [each["lineNumber"] for each in found] == [2, 8]
    places = front.do(
        "Debugger.getBreakpointLocations",
        start={"scriptId": script, "lineNumber": 2},
        end={"scriptId": script, "lineNumber": 6},
    )["locations"]
    assert {place["lineNumber"] for place in places} == {3, 4}
    function = front.do("Runtime.evaluate", expression="(function named() {})")["result"]["objectId"]
    details = front.do("Debugger.getFunctionDetails", functionId=function)["details"]
    assert details["name"] == "named"
    assert not any(url.startswith("node:internal") for url in front.scripts.values())


def test_heap_profiles_coverage_and_parsing(box: Box) -> None:
    front = begin(
        box,
        "globalThis.work = () => { let n = 0; while (n < 1e7) n++; return n; };\nsetInterval(() => {}, 1000);\n",
        "Heap",
    )
    front.do("Debugger.resume")
    assert front.do("Heap.gc") == {}
    front.await_event("Heap.garbageCollected")
    front.do("Runtime.evaluate", expression="globalThis.kept = new (class Kept { n = 1; })()")
    snapshot = json.loads(front.do("Heap.snapshot")["snapshotData"])
    assert (snapshot["version"], snapshot["type"]) == (3, "Inspector")
    nodes, classes = snapshot["nodes"], snapshot["nodeClassNames"]
    kept = next(nodes[at] for at in range(0, len(nodes), 4) if classes[nodes[at + 2]] == "Kept")
    assert front.do("Heap.getRemoteObject", heapObjectId=kept)["result"]["className"] == "Kept"
    assert front.do("Heap.getPreview", heapObjectId=kept)["preview"]["properties"][0]["name"] == "n"
    assert {snapshot["edges"][at + 2] for at in range(0, len(snapshot["edges"]), 4)} <= {0, 1, 2, 3}
    front.do("ScriptProfiler.startTracking", includeSamples=True)
    assert front.do("Runtime.evaluate", expression="work()")["result"]["value"] == 10**7
    front.do("ScriptProfiler.stopTracking")
    traces = front.await_event("ScriptProfiler.trackingComplete")["samples"]["stackTraces"]
    assert any(frame["name"].endswith("work") for trace in traces for frame in trace["stackFrames"])
    front.do("Runtime.enableControlFlowProfiler")
    script = next(number for number, url in front.scripts.items() if url.endswith("/a.ts"))
    front.do("Runtime.evaluate", expression="work()")
    assert any(block["hasExecuted"] for block in front.do("Runtime.getBasicBlocks", sourceID=script)["basicBlocks"])
    assert front.do("Runtime.parse", source="1 + 1") == {"result": "none"}
    assert front.do("Runtime.parse", source="var a = ")["result"] == "recoverable"
    wrong = front.do("Runtime.parse", source="var = 1")
    assert (wrong["result"], wrong["range"]) == ("irrecoverable", {"startOffset": 4, "endOffset": 5})
    promise = front.do("Runtime.evaluate", expression="new Promise((done) => setTimeout(done, 1, 5))")["result"][
        "objectId"
    ]
    assert front.do("Runtime.awaitPromise", promiseObjectId=promise)["result"]["value"] == 5


def test_the_end_by_an_error(box: Box) -> None:
    front = begin(box, "type A = string;\nthrow new RangeError('lost');\n", "Console", "LifecycleReporter")
    graph = front.do("LifecycleReporter.getModuleGraph")
    path = f"{box.folder.resolve()}/a.ts"
    assert (graph["esm"], graph["cjs"], graph["main"]) == ([path], [], path)
    front.do("Debugger.resume")
    message = front.await_event("Console.messageAdded")["message"]
    assert (message["source"], message["level"], message["text"], message["line"]) == (
        "javascript",
        "error",
        "RangeError: lost",
        2,
    )
    error = front.await_event("LifecycleReporter.error")
    assert (error["name"], error["message"], error["urls"][0]) == ("RangeError", "lost", path)


def test_a_program_that_has_ended_evaluates_until_the_client_leaves(box: Box) -> None:
    """As in Bun, with `preventExit` or without."""
    box.write({"a.ts": "globalThis.answer = 42 as number;\nprocess.on('exit', () => console.log('exit'));\n"})
    program = box.start("--inspect-wait=0", "a.ts")
    front = FrontEnd(url_of(program))
    for method in ("Inspector.enable", "Runtime.enable", "LifecycleReporter.enable", "LifecycleReporter.preventExit"):
        assert front.do(method) == {}
    front.do("Inspector.initialized")
    assert program.stdout is not None and program.stdout.readline() == b"exit\n"
    assert program.stderr is not None
    while b"Waiting for the debugger" not in program.stderr.readline():
        pass
    assert front.do("Runtime.evaluate", expression="answer")["result"]["value"] == 42
    assert front.do("LifecycleReporter.stopPreventingExit") == {}
    front.close()
    assert program.wait(timeout=60) == 0


def test_a_reload_is_reported(box: Box) -> None:
    box.write({"a.ts": "console.log('one' as string); setInterval(() => {}, 1e6);"})
    program = box.start("--hot", "--inspect-wait=0", "a.ts")
    front = FrontEnd(url_of(program))
    for method in ("Inspector.enable", "Console.enable", "LifecycleReporter.enable", "Inspector.initialized"):
        assert front.do(method) == {}
    assert front.await_event("Console.messageAdded")["message"]["text"] == "one"
    box.write({"a.ts": "console.log('two' as string); setInterval(() => {}, 1e6);"})
    front.await_event("LifecycleReporter.reload")
    assert front.await_event("Console.messageAdded")["message"]["text"] == "two"


def test_messages_that_are_not_commands(box: Box) -> None:
    front = begin(box, "0;\n")
    for text, code in (
        (b"not json", -32700),
        (b"[]", -32600),
        (b'{"id":"a","method":"x"}', -32600),
        (b'{"id":1}', -32600),
    ):
        front.say(text)
        first, data = front.frame()
        assert (first, json.loads(data)["error"]["code"]) == (0x81, code), text
    front.say(b"[" * 100_000)
    assert json.loads(front.frame()[1])["error"]["code"] == -32700
    assert front.do("Runtime.evaluate", expression="1")["result"]["value"] == 1


def test_tests_are_reported(box: Box) -> None:
    text = (
        "import { describe, test } from 'node:test';\nimport assert from 'node:assert';\n"
        "describe('group', () => {\n  test('one', () => {});\n  test('two', () => assert.equal(1, 2));\n  test.skip('three', () => {});\n});\n"
    )
    front = begin(box, text, "TestReporter")
    front.do("Debugger.resume")
    found: dict[int, dict[str, Any]] = {}
    ended: dict[str, str] = {}
    while len(ended) < 4:
        front.hear()
        while front.events:
            event = front.events.pop(0)
            if event["method"] == "TestReporter.found":
                found[event["params"]["id"]] = event["params"]
            elif event["method"] == "TestReporter.end":
                ended[found[event["params"]["id"]]["name"]] = event["params"]["status"]
                assert event["params"]["elapsed"] >= 0
    assert ended == {"one": "pass", "two": "fail", "three": "skip", "group": "fail"}
    group = next(each for each in found.values() if each["name"] == "group")
    assert (group["type"], group["line"], group["url"]) == ("describe", 3, f"{box.folder.resolve()}/a.ts")
    assert {each["parentId"] for each in found.values() if each["type"] == "test"} == {group["id"]}
