"""Reports of uncaught errors: complete output except for the columns of frames."""

from __future__ import annotations

import json
import re

import pytest
from rig import Box

# name, program, standard error, exit status
CASES = [
    (
        "properties-are-aligned-and-code-comes-last",
        "throw Object.assign(new Error('m'), { code: 'E', long: { a: { b: 1 } }, f() {}, n: null });",
        'error: m\n long: {\n  a: [Object ...],\n},\n    f: [Function: f],\n    n: null,\n code: "E"\n\n      at <FILE>:1\n',
        1,
    ),
    (
        "a-cause-and-an-error-in-a-property-follow",
        "throw Object.assign(new Error('o', { cause: new TypeError('c') }), { inner: new RangeError('i') });",
        "error: o\n      at <FILE>:1\n\n<PREVIEW>TypeError: c\n      at <FILE>:1\n\n<PREVIEW>RangeError: i\n      at <FILE>:1\n",
        1,
    ),
    (
        "an-error-that-is-its-own-cause",
        "const e = new Error('c'); e.cause = e; throw e;",
        "error: c\n cause: [Circular],\n\n      at <FILE>:1\n",
        1,
    ),
    (
        "children-of-an-aggregate",
        "throw new AggregateError([new Error('a'), 'text', 4], 'many');",
        "error: a\n      at <FILE>:1\nerror: text\ntext\nerror: 4\n4\n",
        1,
    ),
    ("null", "throw null;", "error: null\nnull\n", 1),
    ("a-symbol", "throw Symbol('q');", "error: q\nSymbol(q)\n", 1),
    ("an-object", "throw { a: 1 };", "error\n{\n  a: 1,\n}\n", 1),
    (
        "what-looks-like-an-error",
        "throw { name: 'N', message: 'm' };",
        'N: m\n{\n  name: "N",\n  message: "m",\n}\n',
        1,
    ),
    (
        "the-programs-own-prepareStackTrace-hides-nothing",
        "Error.prepareStackTrace = () => 5; throw new Error('p');",
        "error: p\n      at <FILE>:1\n",
        1,
    ),
    (
        "a-handler-that-throws",
        "process.on('uncaughtException', () => { throw new Error('again'); }); throw new Error('first');",
        "error: again\n      at process.<anonymous> (<FILE>:1)\n",
        7,
    ),
    (
        "named-functions-without-their-receivers-and-others-with",
        "class World { z() { throw new Error('r'); } }\nconst run = function () { this.z(); };\nclass On { go() { (0, [run][0]).call(new World()); } }\nnew On().go();",
        "error: r\n      at z (<FILE>:1)\n      at run (<FILE>:2)\n      at go (<FILE>:3)\n      at <FILE>:4\n",
        1,
    ),
    (
        "a-nameless-function-with-its-receiver",
        "class World {}\n(function () { throw new Error('n'); }).call(new World());",
        "error: n\n      at World.<anonymous> (<FILE>:2)\n      at <FILE>:2\n",
        1,
    ),
    ("a-nameless-timer", "setTimeout(() => { throw new Error('t'); });", "error: t\n      at <FILE>:1\n", 1),
    ("a-nameless-immediate", "setImmediate(() => { throw new Error('t'); });", "error: t\n      at <FILE>:1\n", 1),
    ("the-exit-code-of-the-program-gives-way", "process.exitCode = 3; throw 1;", "error: 1\n1\n", 1),
]


def report_of(box: Box, err: bytes) -> str:
    text = err.decode().replace(str(box.folder / "a.js"), "<FILE>")
    text = re.sub(r"(<FILE>:\d+):\d+", r"\1", text)
    return re.sub(r"(^\d+ \|.*\n)+ *\^\n", "<PREVIEW>", text, flags=re.M)


@pytest.mark.parametrize(("name", "program", "expected", "status"), CASES, ids=[case[0] for case in CASES])
def test_uncaught(box: Box, name: str, program: str, expected: str, status: int) -> None:
    box.write({"a.js": program})
    result = box.run("a.js")
    assert report_of(box, result.stderr).removeprefix("<PREVIEW>") == expected
    assert result.returncode == status


COLOURED = """\
import { readFileSync as r } from 'node:fs'; // a comment
const n: number = 0x1F + 1_000.5e3; /* block */ const t = `tpl ${n} x`;
async function f(a: string = "q\\"q", b?: Map<any, never>): Promise<void> {
  if (a.startsWith('x')) throw Object.assign(new TypeError(`bad ${a} \x07`), { code: 'E', cause: new Error('why') });
}
await f('x');
"""


def test_colours_add_nothing_but_colours(box: Box) -> None:
    box.write({"a.ts": COLOURED, "b.ts": "const x: number = ;"})
    for file in ("a.ts", "b.ts"):
        coloured = box.run(file, environment={"FORCE_COLOR": "1", "NO_COLOR": ""}).stderr.decode()
        assert "\x1b[" in coloured
        plain = box.run(file).stderr.decode().replace("\x07", "\u2407", 1)
        assert re.sub("\x1b\\[[0-9;]*m", "", coloured).replace("\x07", "\u2407") == plain.replace("\x07", "\u2407")
    assert "\x1b[35mconst\x1b[0m x: \x1b[34mnumber\x1b[0m = \x1b[2m;\x1b[0m\n" in coloured


def test_inspect_colours_the_source_of_an_error(box: Box) -> None:
    box.write({"a.ts": "const made: Error = new Error('x');\nconsole.log(RT.inspect(made, { colors: true }));"})
    lines = box.run("a.ts").stdout.decode().splitlines()
    assert (
        lines[0]
        == "\x1b[1m1 |\x1b[0m \x1b[35mconst\x1b[0m made: Error = \x1b[35mnew\x1b[0m Error(\x1b[32m'x'\x1b[0m)\x1b[2m;\x1b[0m"
    )
    assert lines[1].endswith("\x1b[31m\x1b[1m^\x1b[0m")
    assert lines[3].startswith("      \x1b[2mat \x1b[0m\x1b[36m\x1b[2m/")


@pytest.mark.parametrize("name", ["a(b) c.js", "d (e)/f.js", "g:1.js", "data.mjs", "h.js?x=(2)"])
def test_previews_of_files_with_odd_names(box: Box, name: str) -> None:
    program = "export function thrown() { throw new Error('x'); }"
    file = name.partition("?")[0]
    specifier = f"data:text/javascript,{program}" if name == "data.mjs" else f"./{name}"
    box.write({file: program, "main.mjs": f"import {{ thrown }} from {json.dumps(specifier)};\nthrown();"})
    lines = box.run("main.mjs").stderr.decode().splitlines()
    assert lines[:3] == [f"1 | {program}", " " * 37 + "^", "error: x"]


def test_preview_under_evaluated_code_is_where_it_was_called(box: Box) -> None:
    box.write({"a.js": "// one\neval('throw new Error(2)');"})
    lines = box.run("a.js").stderr.decode().splitlines()
    assert lines[1:3] == ["2 | eval('throw new Error(2)');", "    ^"]
    assert lines[4] == f"      at eval (eval at <anonymous> ({box.folder}/a.js:2:1), <anonymous>:1:7)"


def test_carets_stand_under_tabs_and_wide_characters(box: Box) -> None:
    box.write({"a.js": "\tconst s = '日本'; throw new Error(s);"})
    assert box.run("a.js").stderr.decode().splitlines()[1] == " " * (8 + len("const s = ''; throw ") + 4) + "^"


def test_preview_of_a_very_long_line_is_a_window(box: Box) -> None:
    box.write({"a.js": f"/* {'q' * 5000} */ throw new Error('far'); // {'z' * 5000}"})
    lines = box.run("a.js").stderr.decode().split("\n")
    assert len(lines[0]) < 200
    assert lines[0].startswith("1 | q")
    assert lines[0][lines[1].index("^") :].startswith("new Error('far')")


EXIT_THROWS = "process.on('exit', (code) => { console.log('exit', code); throw new Error('in exit'); });"
HOOK = "const types = new Map(); require('async_hooks').createHook({ init(id, type) { types.set(id, type); }, "
HOOK += "%s(id) { if (types.get(id) === 'Timeout') throw new Error('in hook'); } }).enable(); setTimeout(() => {}, 1);"

# name, program with an 'exit' listener that throws, reported errors, whether that listener ran, status. As in Node
# 26, the listener's error is not reported after another one (Bun reports it).
SECOND_ERRORS = [
    ("nothing-else", "", ["in exit"], True, 1),
    ("an-exit-code-stays", "process.exitCode = 5", ["in exit"], True, 5),
    ("a-timer", "setTimeout(() => { throw new Error('first') })", ["first", "in exit"], True, 1),
    ("process-exit", "setTimeout(() => process.exit(3))", ["in exit"], True, 3),
    ("a-listener", "process.on('uncaughtException', () => { throw new Error('again') }); throw 1", ["again"], False, 7),
    ("a-monitor", "process.on('uncaughtExceptionMonitor', () => { throw new Error('m') }); throw 1", ["m"], False, 7),
    (
        "a-capture-callback",
        "process.setUncaughtExceptionCaptureCallback(() => { throw new Error('c') }); setImmediate(() => { throw 1 })",
        ["c"],
        False,
        7,
    ),
    ("emit-broken", "process.emit = () => { throw new Error('emit') }; throw 1", ["emit"], False, 7),
    (
        "a-rejection",
        "process.on('unhandledRejection', () => { throw new Error('ur') }); setTimeout(() => { Promise.reject(1) })",
        ["ur", "in exit"],
        True,
        1,
    ),
    (
        "a-signal",
        "process.on('SIGUSR2', () => { throw new Error('s') }); process.kill(process.pid, 'SIGUSR2'); setTimeout(() => {}, 9e4)",
        ["s", "in exit"],
        True,
        1,
    ),
    ("before-exit", "process.on('beforeExit', () => { throw new Error('be') })", ["be", "in exit"], True, 1),
    ("a-hook-before", HOOK % "before", ["in hook", "in exit"], True, 1),
    ("a-hook-after", HOOK % "after", ["in hook", "in exit"], True, 1),
    ("a-hook-destroy", HOOK % "destroy", ["in hook", "in exit"], True, None),  # 7 in Node, 1 here
]


@pytest.mark.parametrize(
    ("program", "seen", "heard", "status"),
    [case[1:] for case in SECOND_ERRORS],
    ids=[case[0] for case in SECOND_ERRORS],
)
def test_errors_while_an_error_ends_the_program(
    box: Box, program: str, seen: list[str], heard: bool, status: int | None
) -> None:
    box.write({"a.cjs": f"{EXIT_THROWS}\n{program}"})
    done = box.run("a.cjs")
    err = done.stderr.decode()
    assert re.findall(r"^(?:error|Error): (.*)", err, re.M) == seen
    assert (done.stdout.startswith(b"exit"), "bug in rt" in err) == (heard, False)
    assert done.returncode == status or status is None


def test_an_await_without_end_keeps_its_status(box: Box) -> None:
    box.write({"a.mjs": f"{EXIT_THROWS}\nawait new Promise(() => {{}})"})
    assert box.run("a.mjs").returncode == 13
