"""Code that is transpiled for a debugger stays on the author's lines, so clients need no source map; and the runtime's
own scripts are neither listed nor stepped into.
"""

from __future__ import annotations

import re

import pytest
from front_end import FrontEnd, url_of
from rig import Box

from rt_supervisor import _native

TYPED = """\
#!/usr/bin/env rt
import { readFileSync } from "node:fs";

interface Shape {
  kind: string;
}

enum Colour {
  Red = 1,
  Blue,
}

namespace Space {
  export const inside = 5;
}

abstract class Base<T> {
  #hidden: T;
  constructor(
    public readonly first: T,
    private second: number,
  ) {
    this.#hidden = first;
  }
  get value(): T {
    return this.#hidden;
  }
}

class Derived extends Base<string> {
  static count = 0;
  async *each(): AsyncGenerator<number> {
    yield 1;
    yield* [2];
  }
}

const text = `first ${
  1 + 1
}
  second
`;
const call = (
  shape: Shape,
  colour: Colour = Colour.Red,
): string => {
  return `${shape.kind}:${colour}`;
};
let counter = 0;
counter++;
label: for (const item of [1, 2, 3] as number[]) {
  if (item === 2)
    continue label;
  counter +=
    item;
}
function choose(flag: boolean): number | undefined {
  if (flag) return;
  return (
    counter
  );
}
const made = new Derived("x", 2);
const results: unknown[] = [];
for await (const each of made.each()) results.push(each);
results.push(
  text.length,
  call({ kind: "k" }, Colour.Blue),
  choose(false),
  Space.inside,
  made.value,
  typeof readFileSync,
);
console.log(JSON.stringify(results));
"""


def parts(code: str) -> list[str]:
    """Return the words and signs of a text without templates."""
    return re.findall(r"\w+|[^\w\s]", code)


def test_the_code_differs_only_in_its_layout() -> None:
    options = {kind: _native.TransformOptions(inline_maps=kind) for kind in (False, True)}
    plain, aligned = (_native.transform(TYPED, "/a.ts", options[kind]).code for kind in (False, True))
    assert plain is not None and aligned is not None
    body = aligned.rpartition("\n//# sourceMappingURL=")[0]
    assert parts(body) == parts(plain) and body != plain
    lines = body.split("\n")
    for number, line in enumerate(TYPED.split("\n")):
        for mark in (
            "enum",
            "class",
            "function",
            "label:",
            "counter++",
            "const made",
            "console.log",
            "yield 1",
            "return `",
        ):
            if line.strip().startswith(mark) and mark != "enum":
                assert lines[number].strip().startswith(mark.split()[0]), (number, line, lines[number])


def test_the_program_behaves_the_same(box: Box) -> None:
    box.write({"a.ts": TYPED})
    plain, inspected = box.run("a.ts"), box.run("--inspect=0", "a.ts")
    assert plain.returncode == 0 and inspected.stdout == plain.stdout


TSX = """\
/** @jsxRuntime classic */ /** @jsx h */
const h = (name: string, props: object | null, ...children: unknown[]) => ({ name, props, children });

type Props = { label: string };

function Button(props: Props) {
  const label = props.label;
  return (
    <button
      title={label}
    >
      {label.toUpperCase()}
    </button>
  );
}
console.log(Button({ label: "a" }).children);
"""


@pytest.mark.parametrize("kind", ["main", "imported", "required", "worker"])
def test_breakpoints_on_the_authors_lines_without_source_maps(box: Box, kind: str) -> None:
    """A line of the file is a line of the code, whatever loads the file."""
    loads = {
        "imported": 'type A = 1;\nimport "./a.tsx";\n',
        "required": 'type A = 1;\nrequire("./a.tsx");\n',
        "worker": 'type A = 1;\nnew Worker(new URL("./a.tsx", import.meta.url).pathname);\n',
    }
    box.write({"a.tsx": TSX, "b.ts": loads.get(kind, "")})
    program = box.start("--inspect-wait=0", "a.tsx" if kind == "main" else "b.ts")
    front = FrontEnd(url_of(program))
    if kind == "worker":
        front.do("NodeWorker.enable", waitForDebuggerOnStart=True)
        front.begin()
        session = front.await_event("NodeWorker.attachedToWorker")["sessionId"]
        front = front.worker(session)
    front.do("Debugger.enable")
    for line in (6, 11):
        front.do("Debugger.setBreakpointByUrl", urlRegex=r".*a\.tsx$", lineNumber=line)
    front.do("Runtime.runIfWaitingForDebugger")
    if kind == "worker":
        front.await_event("Debugger.paused")  # before its first statement
        front.do("Debugger.resume")
    for line in (6, 11):
        frame = front.await_event("Debugger.paused")["callFrames"][0]
        assert (frame["functionName"], frame["location"]["lineNumber"]) == ("Button", line)
        front.do("Debugger.resume")


CALLBACKS = """\
import { EventEmitter } from "node:events";

const emitter: EventEmitter = new EventEmitter();
emitter.on("a", function heard(): void {
  debugger;
});
[1].forEach(function visit(): void {
  emitter.emit("a");
});
setTimeout(function later(): void {
  debugger;
}, 1);
setTimeout(function last(): void {
  void 0;
}, 20);
"""


def test_steps_do_not_stop_in_the_runtime(box: Box) -> None:
    box.write({"a.ts": CALLBACKS})
    front = FrontEnd(url_of(box.start("--inspect-wait=0", "a.ts")))
    front.do("Runtime.enable")
    front.do("Debugger.enable")
    front.do("Runtime.runIfWaitingForDebugger")
    event = front.await_event("Debugger.paused")
    assert [frame["functionName"] for frame in event["callFrames"]] == ["heard", "visit", ""]
    front.do("Debugger.stepOut")  # through `emit` of the runtime
    event = front.await_event("Debugger.paused")
    assert (event["callFrames"][0]["functionName"], event["callFrames"][0]["location"]["lineNumber"]) == ("visit", 8)
    front.do("Debugger.resume")
    event = front.await_event("Debugger.paused")
    assert [frame["functionName"] for frame in event["callFrames"]] == ["later"]
    front.do("Debugger.stepInto")
    event = front.await_event("Debugger.paused")
    assert event["callFrames"][0]["functionName"] == "later"  # its end
    front.do("Debugger.setBlackboxPatterns", patterns=["nothing"])  # keeps the runtime's
    front.do("Debugger.stepInto")
    event = front.await_event("Debugger.paused")
    assert event["callFrames"][0]["functionName"] == "last"
    assert not any("node:internal" in url for url in front.scripts.values())
    front.do("Debugger.resume")
