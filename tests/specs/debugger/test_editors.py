"""The messages of the debuggers of VS Code, as its adapters send them: js-debug, and Bun's adapter (`"type": "bun"`)."""

from __future__ import annotations

import base64
import json
from typing import Any

from front_end import FrontEnd, page_of, url_of
from rig import Box

TYPED = """\
interface Item {
  count: number;
}
type Unused = string;

const items: Map<string, Item> = new Map([["a", { count: 1 }]]);
function total(list: Map<string, Item>): number {
  let sum = 0;
  for (const item of list.values()) {
    sum += item.count;
  }
  return sum;
}
console.log("total", total(items));
"""


def generated(script: dict[str, Any], line: int) -> dict[str, Any]:
    """Return the place in the code of the first token of a line (from 0), by the script's source map."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    source_map = json.loads(base64.b64decode(script["sourceMapURL"].partition(",")[2]))
    source_line = 0
    for number, tokens in enumerate(source_map["mappings"].split(";")):
        column = 0
        for token in filter(None, tokens.split(",")):
            fields, value, shift = [], 0, 0
            for letter in token:
                digit = digits.index(letter)
                value, shift = value | (digit & 31) << shift, shift + 5
                if not digit & 32:
                    fields.append(-(value >> 1) if value & 1 else value >> 1)
                    value, shift = 0, 0
            column, source_line = column + fields[0], source_line + fields[2]
            if source_line == line:
                return {"scriptId": script["scriptId"], "lineNumber": number, "columnNumber": column}
    raise AssertionError(f"line {line} has no code")


def test_the_adapter_of_bun(box: Box) -> None:
    """It attaches by URL, finds the file by its path, and breaks at a place that it computes with the source map."""
    box.write({"a.ts": TYPED})
    program = box.start("--inspect-wait=127.0.0.1:0/rt", "a.ts")
    front = FrontEnd(url_of(program))
    for method, params in (
        ("Inspector.enable", {}),
        ("Runtime.enable", {}),
        ("Console.enable", {}),
        ("Debugger.enable", {}),
        ("Debugger.setAsyncStackTraceDepth", {"depth": 200}),
        ("Debugger.setPauseOnDebuggerStatements", {"enabled": True}),
        ("Debugger.setBlackboxBreakpointEvaluations", {"blackboxBreakpointEvaluations": True}),
        ("Debugger.setBreakpointsActive", {"active": True}),
        ("Debugger.setPauseOnExceptions", {"state": "uncaught"}),
    ):
        assert front.do(method, **params) == {}, method
    by_url = front.do("Debugger.setBreakpointByUrl", url=f"{box.folder.resolve()}/a.ts", lineNumber=13, options={})
    front.do("Inspector.initialized")
    script = front.await_event("Debugger.scriptParsed", lambda params: params["url"] == f"{box.folder.resolve()}/a.ts")
    front.await_event("Debugger.paused", lambda params: params["data"] == {"breakpointId": by_url["breakpointId"]})
    place = generated(script, 11)
    set_there = front.do("Debugger.setBreakpoint", location=place, options={"condition": "sum > 0"})
    assert set_there["actualLocation"]["lineNumber"] == place["lineNumber"] == 11
    front.do("Debugger.resume")
    event = front.await_event("Debugger.paused")
    assert event["data"] == {"breakpointId": set_there["breakpointId"]}
    frame = event["callFrames"][0]
    assert (frame["functionName"], frame["location"]["scriptId"]) == ("total", script["scriptId"])
    scope = front.do(
        "Runtime.getDisplayableProperties", objectId=frame["scopeChain"][0]["object"]["objectId"], generatePreview=True
    )
    listed = next(each["value"] for each in scope["properties"] if each["name"] == "list")
    assert (listed["subtype"], listed["size"], listed["preview"]["entries"][0]["key"]["description"]) == ("map", 1, "a")
    entries = front.do("Runtime.getCollectionEntries", objectId=listed["objectId"], fetchStart=0, fetchCount=10)[
        "entries"
    ]
    assert (entries[0]["key"]["value"], entries[0]["value"]["className"]) == ("a", "Object")
    options = {
        "generatePreview": True,
        "emulateUserGesture": True,
        "doNotPauseOnExceptionsAndMuteConsole": True,
        "includeCommandLineAPI": True,
    }
    hover = front.do("Debugger.evaluateOnCallFrame", callFrameId=frame["callFrameId"], expression="nosuch", **options)
    assert (hover["wasThrown"], hover["result"]["className"]) == (True, "ReferenceError")
    front.do("Debugger.removeBreakpoint", breakpointId=set_there["breakpointId"])
    front.do("Debugger.resume")
    message = front.await_event("Console.messageAdded")["message"]
    assert [each["value"] for each in message["parameters"]] == ["total", 1]
    assert (message["line"], message["stackTrace"]["callFrames"][-1]["scriptId"]) == (14, script["scriptId"])
    front.socket.close()
    assert program.communicate(timeout=60)[0] == b"total 1\n"


def test_js_debug(box: Box) -> None:
    """It finds the address at /json/list, and pauses before each script with a source map to set its breakpoints."""
    box.write({"a.ts": TYPED})
    program = box.start("--inspect-brk=0", "a.ts")
    [target] = page_of(url_of(program), "/json/list")[1]
    front = FrontEnd(target["webSocketDebuggerUrl"])
    for method, params in (
        ("Runtime.enable", {}),
        ("NodeRuntime.enable", {}),
        ("NodeWorker.enable", {"waitForDebuggerOnStart": True}),
        ("Debugger.enable", {}),
        ("Debugger.setAsyncCallStackDepth", {"maxDepth": 32}),
        ("Debugger.setPauseOnExceptions", {"state": "none"}),
        ("Debugger.setBlackboxPatterns", {"patterns": ["^node:.*"]}),
        ("Runtime.setCustomObjectFormatterEnabled", {"enabled": True}),
    ):
        assert front.do(method, **params).keys() <= {"debuggerId"}, method
    kind = "beforeScriptWithSourceMapExecution"
    before = front.do("Debugger.setInstrumentationBreakpoint", instrumentation=kind)["breakpointId"]
    front.do("Runtime.runIfWaitingForDebugger")
    event = front.await_event("Debugger.paused")
    assert (event["reason"], event["data"]["url"]) == ("instrumentation", f"file://{box.folder.resolve()}/a.ts")
    assert event["data"]["sourceMapURL"].startswith("data:application/json")
    added = front.do("Debugger.setBreakpointByUrl", urlRegex=r"file:\/\/.*\/a\.ts($|\?)", lineNumber=11, columnNumber=0)
    assert [place["lineNumber"] for place in added["locations"]] == [11]
    front.do("Debugger.removeBreakpoint", breakpointId=before)
    front.do("Debugger.resume")
    assert front.await_event("Debugger.paused")["reason"].startswith("Break on start")
    front.do("Debugger.resume")
    event = front.await_event("Debugger.paused")
    assert event["hitBreakpoints"] == [added["breakpointId"]]
    frame = event["callFrames"][0]
    scope = front.do("Runtime.getProperties", objectId=frame["scopeChain"][0]["object"]["objectId"], ownProperties=True)
    assert next(each["value"]["value"] for each in scope["result"] if each["name"] == "sum") == 1
    front.do("Debugger.resume")
    front.close()
    assert program.communicate(timeout=60)[0] == b"total 1\n"
