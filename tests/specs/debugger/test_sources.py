"""What front ends show: the original TypeScript, the console, errors."""

from __future__ import annotations

import base64
import json

from front_end import FrontEnd, url_of
from rig import Box

TYPED = """\
interface Point { x: number; y: number }
type Unused = {
  a: string;
};

function add(point: Point): number {
  return point.x + point.y;
}
console.log('sum', add({ x: 1, y: 2 }));
throw new RangeError('lost');
"""


def author_line(source_map: dict[str, object], line: int) -> int:
    """Return the line (from 0) of the source that the first token of the generated `line` maps to."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    source_line = 0
    for number, tokens in enumerate(str(source_map["mappings"]).split(";")):
        first = True
        for token in filter(None, tokens.split(",")):
            fields, value, shift = [], 0, 0
            for letter in token:
                digit = digits.index(letter)
                value, shift = value | (digit & 31) << shift, shift + 5
                if not digit & 32:
                    fields.append(-(value >> 1) if value & 1 else value >> 1)
                    value, shift = 0, 0
            source_line += fields[2]
            if number == line and first:
                return source_line
            first = False
    raise AssertionError(f"nothing is said of line {line}")


def test_typescript_carries_its_map(box: Box) -> None:
    box.write({"a.ts": TYPED})
    program = box.start("--inspect-brk=0", "a.ts")
    front = FrontEnd(url_of(program))
    front.do("Runtime.enable")
    front.ask("Debugger.enable")
    front.ask("Runtime.runIfWaitingForDebugger")
    script = front.await_event("Debugger.scriptParsed", lambda params: params["url"].endswith("/a.ts"))
    assert script["url"] == f"file://{box.folder.resolve()}/a.ts"
    kind, _, data = script["sourceMapURL"].partition(",")
    assert kind == "data:application/json;charset=utf-8;base64"
    source_map = json.loads(base64.b64decode(data))
    assert source_map["sourcesContent"] == [TYPED]
    event = front.await_event("Debugger.paused")
    line = event["callFrames"][0]["location"]["lineNumber"]
    assert TYPED.splitlines()[author_line(source_map, line)].startswith("console.log")
    front.do("Debugger.resume")
    reported = front.await_event("Runtime.consoleAPICalled")
    assert [each["value"] for each in reported["args"]] == ["sum", 3]
    assert reported["stackTrace"]["callFrames"][0]["url"].endswith("/a.ts")
    details = front.await_event("Runtime.exceptionThrown")["exceptionDetails"]
    assert details["exception"]["className"] == "RangeError"
    assert details["url"].endswith("/a.ts")
    assert TYPED.splitlines()[author_line(source_map, details["lineNumber"])].startswith("throw")
    front.close()
    out, err = program.communicate(timeout=60)
    assert (program.returncode, out) == (1, b"sum 3\n")
    assert b"RangeError: lost" in err


def test_the_server_that_the_program_opens(box: Box) -> None:
    """Files loaded after `inspector.open` have source maps; the console's methods keep their names."""
    box.write(
        {
            "b.ts": "export const two: number = 2;\n\nexport function f(): number { return two; }\n",
            "a.cjs": """
                const inspector = require('node:inspector');
                inspector.open(0, undefined, true);
                console.log(console.log.name, inspector.url() !== undefined, require('./b.ts').f());
                inspector.close();
                console.log(inspector.url());
            """,
        }
    )
    program = box.start("a.cjs")
    front = FrontEnd(url_of(program))
    front.begin()
    script = front.await_event("Debugger.scriptParsed", lambda params: params["url"].endswith("/b.ts"))
    assert script["sourceMapURL"].startswith("data:application/json")
    assert front.await_event("Runtime.consoleAPICalled")["args"][0]["value"] == "log"
    out, _ = program.communicate(timeout=60)  # which closes without a request
    assert (program.returncode, out) == (0, b"log true 2\nundefined\n")


def test_profiles_and_heaps(box: Box) -> None:
    box.write(
        {
            "a.cjs": "globalThis.work = () => { let n = 0; while (n < 1e8) n++; return n; }; setInterval(() => {}, 5); console.log(1);"
        }
    )
    program = box.start("--inspect=0", "a.cjs")
    front = FrontEnd(url_of(program))
    assert program.stdout is not None and program.stdout.readline() == b"1\n"
    front.do("Profiler.enable")
    front.do("Profiler.start")
    assert front.do("Runtime.evaluate", expression="work()")["result"]["value"] == 10**8
    profile = front.do("Profiler.stop")["profile"]
    assert "work" in " ".join(node["callFrame"]["functionName"] for node in profile["nodes"])
    front.do("HeapProfiler.takeHeapSnapshot")
    chunks = [
        event["params"]["chunk"] for event in front.events if event["method"] == "HeapProfiler.addHeapSnapshotChunk"
    ]
    assert json.loads("".join(chunks))["snapshot"]["node_count"] > 1000
    front.do("Runtime.enable")
    front.ask("Runtime.evaluate", expression="process.exit(3)")
    front.await_event("Runtime.executionContextDestroyed")
    front.close()
    program.communicate(timeout=60)
    assert program.returncode == 3
