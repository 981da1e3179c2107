"""Frames in `error.stack`, and CallSite objects: the origin of evaluated code, async frames, source-mapped locations."""

from __future__ import annotations

import pytest
from rig import Box

# name, program, printed lines; <F> is the program's path
CASES = [
    ("eval tells where it was called", "console.log(eval('new Error(1).stack').split('\\n')[1].trim())", ["at eval (eval at <anonymous> (<F>:1:13), <anonymous>:1:1)"]),
    ("a function made of text", "function make() { return new Function('return new Error(1).stack'); }\nconsole.log(make()().split('\\n')[1].trim())", ["at eval (eval at make (<F>:1:26), <anonymous>:3:8)"]),
    ("evaluated code with a name", "console.log((0, eval)('new Error(1).stack\\n//# sourceURL=named.js').split('\\n')[1].trim())", ["at eval (named.js:1:1)"]),
    ("evaluated within evaluated", "console.log(eval('eval(\"new Error(1).stack\")').split('\\n')[1].trim())", ["at eval (eval at <anonymous> (eval at <anonymous> (<F>:1:13)), <anonymous>:1:1)"]),
    (
        "what waits for all, any and the settled",
        "const late = async () => { await 1; throw new Error('x'); };\nconst shown = (e) => e.stack.split('\\n')[2].trim();\n"
        "(async () => {\n  try { await Promise.all([1, late()]); } catch (e) { console.log(shown(e)); }\n"
        "  try { await Promise.any([late()]); } catch (e) { console.log(shown(e.errors[0])); }\n"
        "  console.log(shown((await Promise.allSettled([0, 1, late()]))[2].reason));\n})();",
        ["at async Promise.all (index 1)", "at async Promise.any (index 0)", "at async Promise.allSettled (index 2)"],
    ),
    (
        "methods have the type of their receiver",
        "class World { z() { return new Error(1).stack; } get g() { return new Error(1).stack; } #p() { return new Error(1).stack; } q() { return this.#p(); } }\n"
        "const first = (stack) => console.log(stack.split('\\n')[1].trim().replace(/:\\d+:\\d+/, '')); const w = new World();\n"
        "first(w.z()); first(w.g); first(w.q()); first((function () { return new Error(1).stack; }).call(w)); w.other = w.z; first(w.other()); w.third = function y() { return new Error(1).stack; }; first(w.third());\n"
        "w.own = function () { return new Error(1).stack; }; first(w.own()); first((() => new Error(1).stack)()); first([1].map(() => new Error(1).stack)[0]);\n"
        "first((function () { return new Error(1).stack; }).call(5));",
        ["at World.z (<F>)", "at get g (<F>)", "at #p (<F>)", "at World.<anonymous> (<F>)", "at World.z (<F>)", "at World.y [as third] (<F>)", "at w.own (<F>)", "at <F>", "at <F>", "at Number.<anonymous> (<F>)"],
    ),
    (
        "the limit of frames",
        "const frames = () => { const e = (function r(n) { return n ? r(n - 1) : new Error('m'); })(30); return typeof e.stack === 'string' ? e.stack.split('\\n').length - 1 : e.stack; };\n"
        "const all = []; for (const limit of [10, 0, 3, 1.5, -1, 'x', Infinity]) { Error.stackTraceLimit = limit; all.push(frames()); }\n"
        "delete Error.stackTraceLimit; all.push(frames()); console.log(String(all));",
        ["10,0,3,1,0,,33,"],
    ),
    (
        "captureStackTrace leaves out what is above",
        "function outer() { inner(); } function inner() { Error.captureStackTrace(o, outer); }\nconst o = { name: 'N', message: 'm' }; outer(); console.log(o.stack);",
        ["N: m", "    at Object.<anonymous> (<F>:2:40)"],
    ),
    (
        "a stack that the program wrote, deleted or froze",
        "const e = new Error('a'); e.stack = 'mine'; console.log(e.stack); delete e.stack; console.log(e.stack); console.log(Object.freeze(new Error('f')).stack.split('\\n')[0])",
        ["mine", "undefined", "Error: f"],
    ),
    (
        "call sites of evaluated and native code",
        "Error.prepareStackTrace = (e, sites) => sites;\nconst report = (s) => [s.isEval(), s.isNative(), s.getEvalOrigin(), s.getFunctionName()].join();\n"
        "console.log(report(eval('new Error(1).stack')[0])); console.log(report([1].map(() => new Error(1).stack)[0][1]));",
        ["true,false,,eval", "false,true,,map"],
    ),
    (
        "call sites know this, type, function and class",
        "Error.prepareStackTrace = (e, sites) => sites;\nfunction sloppy() { return new Error(1).stack[0]; }\nclass K { constructor() { this.site = new Error(1).stack[0]; } m() { return new Error(1).stack[0]; } }\n"
        "const own = { a: 1 }; const s = sloppy.call(own); console.log(s.getThis() === own, s.getFunction() === sloppy, s.getTypeName());\n"
        "console.log(new K().site.isConstructor(), String(new K().site).split(' (')[0], new K().m().getMethodName(), new K().m().getTypeName(), new K().m().getThis());",
        ["true true Object", "true new K m K undefined"],
    ),
    (
        "a hook that throws leaves an error that can be printed",
        "Error.prepareStackTrace = () => { throw new Error('hook'); }; const e = new Error('x'); try { e.stack; console.log('no'); } catch (h) { console.log(h.message); }",
        ["hook"],
    ),
    (
        "an agent sees that node:https called it, and the runtime's frames else nowhere",
        "const https = require('https');\nclass Asking extends https.Agent { addRequest() { throw new Error('who'); } }\n"
        "try { https.get('https://localhost', { agent: new Asking() }); } catch (e) { console.log(e.stack.split('\\n').map((line) => line.replace(/:\\d+/g, '').trim()).join('\\n')); }\n"
        "try { https.get('http://localhost'); } catch (e) { console.log(e.stack.includes('node:https')); }",
        ["Error: who", "at Asking.addRequest (<F>)", "at request (node:https)", "at Object.get (node:https)", "at Object.<anonymous> (<F>)", "false"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "program", "lines"), CASES, ids=[case[0] for case in CASES])
def test_stacks(box: Box, name: str, program: str, lines: list[str]) -> None:
    box.write({"a.cjs": program})
    result = box.run("a.cjs")
    assert result.stderr == b""
    assert result.stdout.decode().replace(str(box.folder / "a.cjs"), "<F>").splitlines() == lines


def test_an_error_crosses_every_border_with_its_places(box: Box) -> None:
    files = {
        "a.mts": "import type { X } from './b.cjs';\nimport b from './b.cjs';\nexport const start = (): string => b.viaCommonJs((): string => new Error('x').stack!);\nconsole.log(start());",
        "b.cjs": "exports.viaCommonJs = (f) => require('./c.ts').viaRequired(f);",
        "c.ts": "interface Y {}\nexport function viaRequired(f: () => string): string { return [f].map((each) => each())[0]; }",
    }  # fmt: skip
    box.write(files)

    def place(file: str, words: str) -> str:
        before = files[file][: files[file].index(words)]
        return f"{file}:{before.count(chr(10)) + 1}:{len(before.rpartition(chr(10))[2]) + 1}"

    frames = [line.strip().replace(f"{box.folder}/", "") for line in box.run("a.mts").stdout.decode().splitlines()]
    assert frames == [
        "Error: x", f"at {place('a.mts', 'new Error')}", f"at {place('c.ts', 'each())')}", "at Array.map (native)",
        f"at Module.viaRequired ({place('c.ts', 'map(')})", f"at exports.viaCommonJs ({place('b.cjs', 'viaRequired(')})",
        f"at start ({place('a.mts', 'viaCommonJs(')})", f"at {place('a.mts', 'start());')}",
    ]  # fmt: skip


def test_changed_prototypes_do_not_hide_an_error(box: Box) -> None:
    box.write({
        "a.cjs": "Array.prototype.map = String.prototype.split = RegExp.prototype.exec = Map.prototype[Symbol.iterator] = () => { throw 1; };\nthrow new TypeError('real');"
    })  # fmt: skip
    result = box.run("a.cjs")
    assert result.stderr.decode().endswith(f"\nTypeError: real\n      at {box.folder}/a.cjs:2:7\n")
    assert result.returncode == 1


def test_an_error_behind_a_proxy_and_a_chain_of_causes_are_printed_whole(box: Box) -> None:
    box.write({"a.cjs": "let e = new Error('0'); for (let i = 1; i < 20000; i++) e = new Error(`${i}`, { cause: e }); throw new Proxy(e, { get() { throw 1; } });"})  # fmt: skip
    said = box.run("a.cjs").stderr.decode()
    assert said.count("\nerror: ") == 20000
    assert "\nerror: 19999\n" in said
    assert "\nerror: 0\n" in said
