"""Exchanges with a debugger in the JavaScriptCore dialect, for comparison with those that Bun has answered.

`python tests/jsc_tour.py BUN` records `tests/specs/debugger/goldens/jsc.json`; `take_tour` makes the same exchanges with any
program that is paused before its first statement.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from front_end import FrontEnd

GOLDEN = Path(__file__).parent / "specs/debugger/goldens/jsc.json"
PROGRAM = """\
type Point = { x: number };

class Shape {
  name = "s";
}
console.log("text", 1, null);
console.info("info");
console.debug("debug");
console.warn("warned");
console.error("failed");
console.log({ a: 1 }, new Shape());
console.log(new Map([[1, 2]]));
console.group("g");
console.groupEnd();
console.assert(false, "asserted");
console.trace("traced");
console.dir({ b: 2 });
debugger;
"""
VALUES = [
    "undefined",
    "null",
    "true",
    "5",
    "-0",
    "NaN",
    "Infinity",
    "'text'",
    "10n",
    "Symbol('s')",
    "({ a: 1, b: 'x' })",
    "({})",
    "[1, 'a']",
    "new Map([[1, { a: 1 }], ['x', 2]])",
    "new Set([1, 2])",
    "new WeakMap()",
    "new WeakSet()",
    "/a/g",
    "new Error('x')",
    "new RangeError('y')",
    "(() => 1)",
    "(function named(a) { return a; })",
    "(class A {})",
    "(class {})",
    "new Proxy({}, {})",
    "new Uint8Array(3)",
    "Object.create(null)",
    "new (class Point { x = 1; })()",
    "nosuch",
    "throw 5",
    "throw { code: 1 }",
    "syntax error",
]
ERRORS: list[tuple[str, dict[str, Any]]] = [
    ("Nope.enable", {}),
    ("DOM.enable", {}),
    ("Network.enable", {}),
    ("Debugger.nosuch", {}),
    ("Debugger.enable", {}),
    ("Runtime.evaluate", {}),
    ("Runtime.evaluate", {"expression": 5}),
    ("Runtime.evaluate", {"expression": "1", "returnByValue": "yes"}),
    ("Debugger.setBreakpoint", {"location": {"scriptId": "99999", "lineNumber": 2}}),
    ("Debugger.setBreakpointByUrl", {"lineNumber": 2}),
    ("Debugger.setBreakpointByUrl", {"lineNumber": "2", "url": "/x"}),
    ("Debugger.setPauseOnExceptions", {"state": "bad"}),
    ("Debugger.getScriptSource", {"scriptId": "99999"}),
    ("Debugger.removeSymbolicBreakpoint", {"symbol": "zzz"}),
    ("Console.setLoggingChannelLevel", {"source": "javascript", "level": "off"}),
    ("Heap.getPreview", {"heapObjectId": 1}),
    ("Runtime.getRuntimeTypesForVariablesAtOffsets", {"locations": []}),
    ("Runtime.getBasicBlocks", {"sourceID": "1"}),
]


def take_tour(url: str) -> dict[str, Any]:
    """Make the exchanges; return what is stable of the answers."""
    front = FrontEnd(url)
    for domain in ("Inspector", "Runtime", "Console", "Debugger"):
        front.do(f"{domain}.enable")
    front.do("Debugger.setPauseOnDebuggerStatements", enabled=True)
    front.do("Debugger.setBreakpointsActive", active=True)
    front.do("Inspector.initialized")
    script = front.await_event("Debugger.scriptParsed", lambda params: params["url"].endswith("tour.ts"))
    paused = front.await_event("Debugger.paused")
    record: dict[str, Any] = {
        "script": {name: script[name] for name in ("startLine", "startColumn", "isContentScript", "scriptType")},
        "start": {"reason": paused["reason"], "function": paused["callFrames"][0]["functionName"]},
        "frame": sorted(paused["callFrames"][0]),
        "scopes": [scope["type"] for scope in paused["callFrames"][0]["scopeChain"]],
    }
    record["values"] = {
        text: _stable(front.do("Runtime.evaluate", expression=text, generatePreview=True)) for text in VALUES
    }
    record["errors"] = [[method, params, front.do(method, **params)] for method, params in ERRORS]
    collection = front.do("Runtime.evaluate", expression=VALUES[13])["result"]["objectId"]
    entries = front.do("Runtime.getCollectionEntries", objectId=collection, fetchStart=1, fetchCount=1)
    record["entries"] = _stable(entries)
    value = front.do("Runtime.evaluate", expression="({ a: 1, get b() { return 2; }, [Symbol('q')]: 3 })")
    record["properties"] = _stable(
        front.do("Runtime.getProperties", objectId=value["result"]["objectId"], ownProperties=True)
    )
    front.do("Debugger.resume")
    record["end"] = _messages_until_pause(front, record)["reason"]
    front.socket.close()
    return record


def _messages_until_pause(front: FrontEnd, record: dict[str, Any]) -> dict[str, Any]:
    """Record the console's messages; return the parameters of the pause that follows."""
    while not any(event["method"] == "Debugger.paused" for event in front.events):
        front.hear()
    shown = ("source", "level", "text", "type", "line")
    record["console"] = [
        {name: event["params"]["message"][name] for name in shown}
        for event in front.events
        if event["method"] == "Console.messageAdded"
    ]
    return front.await_event("Debugger.paused")


def _stable(value: Any) -> Any:
    """Return an answer without identities."""
    if isinstance(value, dict):
        return {name: "OBJECT" if name == "objectId" else _stable(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_stable(each) for each in value]
    return value


def main(bun: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tour.ts")
        path.write_text(PROGRAM)
        command = [bun, "--inspect-brk=127.0.0.1:0/x", str(path)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            for line in process.stderr:
                plain = re.sub(rb"\x1b\[[0-9;]*m", b"", line).decode()
                if found := re.match(r"^  (ws://\S+)$", plain):
                    break
            try:
                assert found is not None
                record = take_tour(found[1])
            finally:
                process.kill()
    GOLDEN.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
