"""Programs of several files through the real rt: cycles, both kinds of modules, macros, data, and unusable files."""

from __future__ import annotations

import json
import os

import pytest
from rig import Box
from several_files import run

LINE_OF_A_MILLION = f'var a = "{"x" * 1_000_000}"; console.log(a.length); '


# --- ES modules and CommonJS together


def test_commonjs_requires_the_module_that_imports_it_while_it_runs(box: Box) -> None:
    files = {
        "a.mjs": "import b from './b.cjs'; export function fn() { return 'fn' } export const k = 1; console.log('a', b.early)",
        "b.cjs": "exports.early = 1; const a = require('./a.mjs'); console.log('b', a.fn(), a.k); exports.late = 2",
    }
    assert run(box, files) == (0, "a 1\nb fn 1\n", "")


LAZY = """
    const reported = (name) => { console.log('read', name); return name };
    module.exports = { plain: 1, get one() { return reported('one') }, get two() { return reported('two') }, get three() { return reported('three') }, get bad() { throw new Error('bad') } };
"""


def test_getters_of_commonjs_are_called_when_their_names_are_imported(box: Box) -> None:
    files = {
        "a.mjs": """
            import whole, { plain, one } from './lazy.cjs'; import './b.mjs';
            console.log(plain, one, Object.keys(whole).length);
            const space = await import('./lazy.cjs'); console.log(Object.keys(space).join(), space.three);
            await import('./c.mjs'); console.log(space.three);
        """,
        "b.mjs": "import { two } from './lazy.cjs'; console.log(two)",
        "c.mjs": "export { three as other } from './lazy.cjs'; import { other } from './c.mjs'; console.log(other)",
        "lazy.cjs": LAZY,
    }
    said = "read one\nread two\ntwo\n1 one 5\nbad,default,one,plain,three,two undefined\nread three\nthree\nthree\n"
    assert run(box, files) == (0, said, "")


def test_getters_of_commonjs_are_called_for_a_namespace(box: Box) -> None:
    files = {"a.mjs": "import * as all from './lazy.cjs'; console.log(all.one, all.bad)", "lazy.cjs": LAZY}
    assert run(box, files) == (0, "read one\nread two\nread three\none undefined\n", "")


def test_getters_that_compilers_made_are_bindings(box: Box) -> None:
    files = {
        "a.mjs": "const { x, y } = await import('./b.cjs'); const { z } = await import('./c.cjs'); console.log(x, y, z)",
        "b.cjs": "Object.defineProperty(exports, '__esModule', { value: true }); for (const name of ['x', 'y']) Object.defineProperty(exports, name, { enumerable: true, get: () => name })",
        "c.cjs": "Object.defineProperty(exports, 'z', { enumerable: true, get: function () { return 'z' } })",
    }
    assert run(box, files) == (0, "x y z\n", "")


def test_names_are_found_even_if_exports_do_not_show_them(box: Box) -> None:
    files = {
        "a.mjs": "import * as all from './b.cjs'; import { hidden } from './b.cjs'; console.log(Object.keys(all).join(), hidden, all.got)",
        "b.cjs": "Object.defineProperty(exports, 'hidden', { value: 1 }); exports.seen = 2; Object.defineProperty(exports, 'got', { get() { return 3 } })",
    }
    assert run(box, files) == (0, "default,hidden,seen 1 undefined\n", "")


@pytest.mark.parametrize("name", ["a.ts", "a.cts", "a.js"])
def test_with_runs_where_code_is_sloppy(box: Box, name: str) -> None:
    assert run(box, {name: "with ({ a: 1 }) console.log(a)"}, name) == (0, "1\n", "")
    status, _, err = run(box, {name: "export {}; with ({ a: 1 }) console.log(a)"}, name)
    assert status == 1 and "with" in err


def test_commonjs_requires_the_module_that_imports_it_later(box: Box) -> None:
    files = {
        "a.mjs": "import b from './b.cjs'; export function fn() { return 'fn' } console.log('a', b.get())",
        "b.cjs": "exports.get = () => require('./a.mjs').fn()",
    }
    assert run(box, files) == (0, "a fn\n", "")


def test_a_required_module_may_import_one_that_is_being_evaluated(box: Box) -> None:
    files = {
        "a.mjs": "import './b.mjs'; export const k = 1; console.log('a')",
        "b.mjs": "export {}; console.log('b', require('./c.mjs').q); import('./c.mjs').then((c) => console.log('again', c.q, c.k()))",
        "c.mjs": "import * as a from './a.mjs'; export const q = 2, k = () => a.k; try { a.k } catch (e) { console.log(e.name) }",
    }
    assert run(box, files) == (0, "ReferenceError\nb 2\na\nagain 2 1\n", "")


def test_errors_of_commonjs_come_after_earlier_imports(box: Box) -> None:
    files = {
        "a.mjs": "import './before.mjs'; import { x } from './throws.cjs'; console.log('never', x)",
        "before.mjs": "console.log('before')",
        "throws.cjs": "exports.x = 1; throw new Error('thrown')",
    }
    status, out, err = run(box, files)
    assert (status, out) == (1, "before\n")
    assert "error: thrown\n      at throws.cjs:1:22" in err


def test_a_name_that_commonjs_did_not_export_yet_is_not_blamed(box: Box) -> None:
    files = {
        "a.mjs": "import { late } from './t.cjs'; late()",
        "t.cjs": "throw new Error('thrown'); Object.assign(exports, {late: 1})",
    }
    status, _, err = run(box, files)
    assert status == 1
    assert "error: thrown" in err
    assert "does not provide" not in err


def test_a_required_module_with_a_default_export_is_seen_as_one(box: Box) -> None:
    files = {
        "a.cjs": """
            const m = require('./m.mjs'), plain = require('./plain.mjs');
            console.log(m.__esModule, '__esModule' in m, Object.keys(m).join(), m === require('./m.mjs'), m.inc(), m.count);
            console.log('__esModule' in plain, require('./own.mjs').__esModule, require('./chosen.mjs'));
            import('./plain.mjs').then((again) => console.log(again === plain));
        """,
        "m.mjs": "export default 1; export let count = 0; export const inc = () => ++count",
        "plain.mjs": "export const a = 1",
        "own.mjs": "export default 1; export const __esModule = 'mine'",
        "chosen.mjs": "const v = 'chosen'; export { v as 'module.exports' }",
    }
    expected = "true true __esModule,count,default,inc true 1 1\nfalse mine chosen\ntrue\n"
    assert run(box, files) == (0, expected, "")


def test_a_module_that_awaits_cannot_be_required_and_can_be_imported(box: Box) -> None:
    files = {
        "a.cjs": "try { require('./t.mjs') } catch (e) { console.log(e.name, e.code) } import('./t.mjs').then((m) => console.log(m.x))",
        "t.mjs": "await 0; export const x = 1",
    }
    assert run(box, files) == (0, "TypeError ERR_REQUIRE_ASYNC_MODULE\n1\n", "")


def test_import_meta_in_commonjs(box: Box) -> None:
    files = {
        "a.cjs": "module.exports = import.meta.dirname === __dirname; console.log(module.exports, import.meta.main)"
    }
    assert run(box, files) == (0, "true true\n", "")


# --- import()


def test_import_of_everything_that_is_not_an_es_module(box: Box) -> None:
    files = {
        "a.mjs": """
            for (const name of ['./j.json', './c.cjs', './t.txt', './n', 'node:path', 'data:text/javascript,export default 7', 'data:application/json,[8]'])
              console.log(typeof (await import(name)).default);
        """,
        "j.json": "{}",
        "c.cjs": "module.exports = () => {}",
        "t.txt": "text",
        "n": "export default 1 as number",
    }
    assert run(box, files) == (0, "object\nfunction\nstring\nnumber\nobject\nnumber\nobject\n", "")


def test_a_missing_file_is_found_once_it_exists(box: Box) -> None:
    files = {
        "a.mjs": """
            import fs from 'node:fs';
            await import('./late.mjs').catch((e) => console.log(e.code));
            fs.writeFileSync(import.meta.dirname + '/late.mjs', 'export default 1');
            console.log((await import('./late.mjs')).default);
        """
    }
    assert run(box, files) == (0, "ERR_MODULE_NOT_FOUND\n1\n", "")


def test_a_module_that_failed_fails_again(box: Box) -> None:
    files = {
        "a.mjs": "for (const n of [1, 2]) await import('./t.mjs').catch((e) => console.log(n, e.message)); await import('./s.mjs').catch((e) => console.log(e.name))",
        "t.mjs": "console.log('runs once'); throw new Error('t')",
        "s.mjs": "let a = ;",
    }
    assert run(box, files) == (0, "runs once\n1 t\n2 t\nSyntaxError\n", "")


def test_an_await_that_never_settles(box: Box) -> None:
    files = {"a.mjs": "process.on('exit', (code) => console.log('exit', code));\nawait new Promise(() => {})"}
    assert run(box, files) == (13, "exit 13\n", "warn: Detected unsettled top-level await at a.mjs:2\n")


# --- unusable files, and many files


def test_a_folder_a_pipe_and_a_missing_file(box: Box) -> None:
    box.write({"folder.ts/x": "", "f.mjs": "import './folder.ts'", "p.mjs": "await import('./pipe.mjs')"})
    os.mkfifo(box.folder / "pipe.mjs")
    assert run(box, {}, "./folder.ts") == (1, "", 'error: Module not found "./folder.ts"\n')
    assert run(box, {}, "./gone.ts") == (1, "", 'error: Module not found "./gone.ts"\n')
    assert "error: Cannot find module './folder.ts' from 'f.mjs'" in run(box, {}, "f.mjs")[2]
    status, _, err = run(box, {}, "p.mjs")
    assert status == 1
    assert "pipe.mjs" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_an_unreadable_file(box: Box) -> None:
    box.write({"a.mjs": "import './u.mjs'", "u.mjs": ""})
    (box.folder / "u.mjs").chmod(0)
    assert "error: Cannot read u.mjs: permission denied" in run(box, {}, "a.mjs")[2]


def test_a_line_of_a_million_characters(box: Box) -> None:
    status, out, err = run(box, {"a.js": LINE_OF_A_MILLION + "nope()"})
    assert (status, out) == (1, "1000000\n")
    assert "ReferenceError: nope is not defined\n      at a.js:1:" in err
    status, out, err2 = run(box, {"a.js": LINE_OF_A_MILLION + ") nope()"})
    assert (status, out) == (1, "")
    assert "error: Unexpected )\n    at a.js:1:" in err2
    assert max(len(line) for line in (err + err2).splitlines()) < 200


def test_a_chain_and_a_ring_of_thousands(box: Box) -> None:
    count = 5000
    chain = {
        f"c{i}.mjs": f"import {{ v as w }} from './c{i + 1}.mjs'; export const v = w + 1;" for i in range(count - 1)
    }
    chain[f"c{count - 1}.mjs"] = "export const v = 1;"
    assert run(box, {"a.mjs": "import { v } from './c0.mjs'; console.log(v)", **chain}) == (0, f"{count}\n", "")
    ring = {
        f"r{i}.mjs": f"import {{ f as g }} from './r{(i + 1) % 500}.mjs'; export function f(k) {{ return k && g(k - 1) }}"
        for i in range(500)
    }
    assert run(box, {"b.mjs": "import { f } from './r0.mjs'; console.log(f(499))", **ring}) == (0, "0\n", "")


def test_ten_thousand_typescript_modules(box: Box) -> None:
    count = 10_000
    files = {}
    for i in range(count):
        below = [j for j in (2 * i + 1, 2 * i + 2) if j < count]
        imports = "".join(f"import {{ v{j} }} from './m{j}';" for j in below)
        files[f"m{i}.ts"] = f"{imports} export const v{i}: number = {i}{''.join(f' + v{j}' for j in below)};"
    files["a.ts"] = "import { v0 } from './m0'; console.log(v0, process.memoryUsage().rss < 400e6)"
    assert run(box, files, "a.ts") == (0, f"{sum(range(count))} true\n", "")


def test_decorators_that_are_waited_for(box: Box) -> None:
    code = """
    const p = Promise.resolve((v, c) => console.log(c.kind, String(c.name)));
    @(await p) class A extends (await Object) { @(await p) m() {} [await 'k']() { return this } }
    async function f() { @(await p) class B { @(await p) f = 1 } return B.name }
    async function* g() { @(await p) class C { @(yield 'three') m() {} } yield C.name }
    console.log(new A().k() instanceof A, await f());
    const it = g(); console.log((await it.next()).value, (await it.next((v, c) => console.log('got', c.name))).value);
    """
    printed = "method m\nclass A\nfield f\nclass B\ntrue B\ngot m\nclass C\nthree C\n"
    assert run(box, {"a.ts": code}) == (0, printed, "")
    assert run(box, {"b.mjs": code}) == (0, printed, "")


def test_a_deferred_import_is_evaluated_when_it_is_used(box: Box) -> None:
    files = {
        "a.ts": "import defer * as ns from './b.mjs'; import defer * as cjs from './c.cjs'; import defer * as never from './d.mjs';\n"
        "console.log('before', Object.prototype.toString.call(ns)); console.log(ns.x, ns.default, 'y' in ns, Object.keys(ns).join()); console.log(cjs.a); import defer from './e.mjs'; console.log(defer)",
        "b.mjs": "console.log('b'); export const x = 1; export default 2",
        "c.cjs": "console.log('c'); exports.a = 3",
        "d.mjs": "console.log('never')",
        "e.mjs": "export default 4",
    }
    printed = "before [object Deferred Module]\nb\n1 2 false default,x\nc\n3\n4\n"
    assert run(box, files) == (0, printed, "")


def test_a_deferred_namespace_has_the_exports_of_an_import(box: Box) -> None:
    files = {
        "a.mjs": "import defer * as marked from './marked.mjs'; import defer * as own from './own.mjs'; import defer * as cjs from './c.cjs';\n"
        "import defer * as path from 'node:path'; import defer * as data from './d.json'; import defer * as text from './d.json' with { type: 'text' };\n"
        "console.log(marked.__esModule, '__esModule' in marked, Object.keys(marked).join(), marked.then);\n"
        "console.log(Object.keys(own).join(), own.value); console.log(Object.keys(cjs).join(), cjs.default.a); console.log(typeof path.default.join, path.join === path.default.join);\n"
        "console.log(data.k, JSON.stringify(data.default)); console.log(text.default.trim());",
        "marked.mjs": "export const __esModule = false; export default 1; export const then = 2;",
        "own.mjs": "export const value = 3; export { value as 'module.exports' }; export default 4;",
        "c.cjs": "exports.a = 5",
        "d.json": '{"k":6}',
    }
    printed = (
        'false true __esModule,default undefined\ndefault,module.exports,value 3\na,default 5\nfunction true\n6 {"k":6}\n'
        '{"k":6}\n'
    )
    assert run(box, files) == (0, printed, "")


def test_import_defer_as_a_call_evaluates_at_the_first_use(box: Box) -> None:
    files = {
        "a.mjs": "import defer * as still from './b.mjs'; const ns = await import.defer('./b.mjs'); console.log('before', ns === still);\n"
        "console.log(Object.isExtensible(ns), Reflect.has(ns, 'then'), ns.x); console.log((await import.defer('./d.json', { with: { type: 'json' } })).default.k);\n"
        "const reason = (promise) => promise.then(() => 'none', (error) => error.constructor.name);\n"
        "console.log(await reason(import.defer('./b.mjs', 1)), await reason(import.defer('./b.mjs', { with: 1 })));\n"
        "console.log(await reason(import.defer('./b.mjs', { get with() { throw new RangeError() } })), await reason(import.defer('./broken.mjs')));\n"
        "console.log(await reason(import.defer(Symbol())), (await import.defer('node:path')).basename('/a/b')); require('./c.cjs');",
        "b.mjs": "console.log('b'); export const x = 1",
        "c.cjs": "import.defer('./late.cjs').then((ns) => { console.log('c'); console.log(ns.y); })",
        "late.cjs": "console.log('late'); exports.y = 2",
        "d.json": '{"k":6}',
        "broken.mjs": "export const = 1",
    }
    printed = "before true\nb\nfalse false 1\n6\nTypeError TypeError\nRangeError SyntaxError\nTypeError b\nc\nlate\n2\n"
    assert run(box, files) == (0, printed, "")


def test_top_level_await_below_a_deferred_import_runs_at_once(box: Box) -> None:
    files = {
        "a.mjs": "import './first.mjs'; import defer * as ns from './b.mjs'; import './last.mjs';\n"
        "console.log('a'); console.log(ns.x); const again = await import.defer('./c.mjs'); console.log('again'); console.log(again.y);",
        "first.mjs": "console.log('first')",
        "last.mjs": "console.log('last')",
        "b.mjs": "import './await.mjs'; console.log('b'); export const x = 1",
        "await.mjs": "console.log('await'); await 1; console.log('awaited')",
        "c.mjs": "import './later.mjs'; console.log('c'); export const y = 2",
        "later.mjs": "await 1; console.log('later')",
    }
    assert run(box, files) == (0, "first\nawait\nlast\nawaited\na\nb\n1\nlater\nagain\nc\n2\n", "")


def test_a_deferred_namespace_cannot_be_used_while_its_module_is_evaluated(box: Box) -> None:
    files = {
        "a.mjs": "import defer * as self from './a.mjs'; export const x = 1; import './b.mjs';\n"
        "const use = (run) => { try { return run(); } catch (error) { return `${error.name}: ${error.message}`; } };\n"
        "console.log(use(() => self.x)); console.log(self.then); setTimeout(() => console.log(use(() => self.x)));",
        "b.mjs": "import defer * as a from './a.mjs'; try { a.x } catch (error) { console.log(error.name); }",
    }
    printed = "TypeError\nTypeError: Deferred module is not ready for sync execution\nundefined\n1\n"
    assert run(box, files) == (0, printed, "")


def test_a_deferred_import_that_cannot_be_loaded_fails_before_the_program_runs(box: Box) -> None:
    files = {
        "a.mjs": "console.log('a'); import defer * as ns from './b.mjs'",
        "b.mjs": "import { no } from './c.mjs'",
        "c.mjs": "",
    }
    status, printed, _ = run(box, files)
    assert (status, printed) == (1, "")


@pytest.mark.parametrize("arguments", [["a.txt"], ["a.note", "--loader", ".note:text"], ["a.md"]])
def test_require_of_text_returns_a_namespace(box: Box, arguments: list[str]) -> None:
    name, *flags = arguments
    code = (
        f"const text = require('./{name}'); console.log(typeof text.default, text.default.trim(), text.__esModule, text === require('./{name}'));\n"
        f"console.log(Object.prototype.toString.call(text)); import('./{name}').then((all) => console.log(all.default === text.default));"
    )
    box.write({"a.cjs": code, name: "words\n"})
    shown = "<p>words</p>" if name == "a.md" else "words"
    assert box.run(*flags, "a.cjs").stdout.decode() == f"string {shown} true true\n[object Module]\ntrue\n"


def test_a_lock_file_is_data(box: Box) -> None:
    files = {"a.mjs": "import x from './bun.lock'; console.log(x.a)", "bun.lock": '{ "a": 1, // comment\n }'}
    assert run(box, files) == (0, "1\n", "")


@pytest.mark.parametrize("base", ["./gone.json", "@tsconfig/gone/tsconfig.json", "gone"])
def test_a_missing_base_of_a_tsconfig_is_ignored(box: Box, base: str) -> None:
    tsconfig = f'{{"extends": "{base}", "compilerOptions": {{"jsx": "react", "jsxFactory": "make"}}}}'
    source = "const make = (name) => 'made ' + name; console.log(<a/>)"
    files = {"a.tsx": source, "a.jsx": source, "tsconfig.json": tsconfig}
    for name in ("a.tsx", "a.jsx"):
        assert run(box, files, name) == (0, "made a\n", "")
    assert run(box, files, "-e", "console.log('ran')") == (0, "ran\n", "")


def test_elements_with_side_effects(box: Box) -> None:
    made = "exports.jsxDEV = exports.jsx = (t) => console.log('jsx', t); exports.createElement = (t) => console.log('create', t); exports.Fragment = 'F'"
    files = {"a.jsx": "<a/>; <><b/></>;", "c.jsx": "import React from 'react'; <a/>; <><b/></>;"}
    files |= {f"node_modules/react/{name}.js": made for name in ("index", "jsx-runtime", "jsx-dev-runtime")}
    assert run(box, files, "a.jsx") == (0, "", "")
    assert run(box, files, "--jsx-side-effects", "a.jsx") == (0, "jsx a\njsx b\njsx F\n", "")
    classic = ("--jsx-side-effects", "--jsx-runtime=classic", "c.jsx")
    assert run(box, files, *classic) == (0, "create a\ncreate b\ncreate F\n", "")


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ("a\n", ["a", ""]),
        ("\n", ["", ""]),
        ("a", ["a"]),
        ("a\r\nb", ["a\r", "b"]),
        ("", []),
        ("\u00e9\n\n", ["\u00e9", "", ""]),
    ],
)
def test_lines_of_the_console(box: Box, given: str, lines: list[str]) -> None:
    box.write({"given": given})
    with open(box.folder / "given", "rb") as file:
        done = box.run("-e", "for await (const line of console) console.log(JSON.stringify(line))", stdin=file)
    assert [json.loads(line) for line in done.stdout.splitlines()] == lines


def test_import_meta_resolve_needs_no_file(box: Box) -> None:
    code = """
    for (const name of ['./gone.mjs', '../up.mjs?x=1#h', './folder/', '/abs/gone.js', 'file:///x/y.js', 'fs', 'node:fs', 'data:text/javascript,1', 'there'])
      console.log(import.meta.resolve(name).replace(import.meta.url.slice(0, -'/a.mjs'.length), '<dir>').replace(/file:.*\\/up/, '<up>'));
    console.log(import.meta.resolve('./z.mjs', 'file:///x/y.mjs'));
    for (const call of [() => import.meta.resolve('gone'), () => import.meta.resolveSync('./gone.mjs')]) try { call() } catch (error) { console.log(error.code, error.message) }
    """
    files = {"a.mjs": code, "node_modules/there/index.js": ""}
    printed = (
        "<dir>/gone.mjs\n<up>.mjs?x=1#h\n<dir>/folder/\nfile:///abs/gone.js\nfile:///x/y.js\nnode:fs\nnode:fs\n"
        "data:text/javascript,1\n<dir>/node_modules/there/index.js\nfile:///x/z.mjs\n"
        "ERR_MODULE_NOT_FOUND Cannot find package 'gone' imported from a.mjs\n"
        "ERR_MODULE_NOT_FOUND Cannot find module './gone.mjs' imported from a.mjs\n"
    )
    assert run(box, files) == (0, printed, "")


def test_bindings_without_a_value_in_a_required_module(box: Box) -> None:
    files = {
        "a.mjs": "import './b.mjs'; export default class Foo {}; export const x = 2; export function f() {}",
        "b.mjs": "import.meta.require('./c.cjs'); export {}",
        "c.cjs": "const a = require('./a.mjs'); for (const key of ['default', 'x', 'f', '__esModule']) try { console.log(typeof a[key]) } catch (e) { console.log(e.message) } console.log(a)",
    }
    printed = "Cannot access 'default' before initialization\nCannot access 'x' before initialization\nfunction\nboolean\nModule {\n  f: [Function: f],\n}\n"
    assert run(box, files) == (0, printed, "")


def test_builtin_modules_can_be_preloaded(box: Box) -> None:
    assert run(box, {}, "--preload", "node:sys", "-e", "console.log('main')") == (0, "main\n", "")
    status, printed, told = run(box, {}, "--import", "node:nothing", "-e", "console.log('main')")
    assert (status, printed) == (1, "") and "No such built-in module: node:nothing" in told


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_data_in_utf_16_is_read(box: Box, encoding: str) -> None:
    files = {"a.json": '{"a": "é"}', "a.txt": "é", "a.toml": 'a = "é"', "a.yaml": "a: é", "a.jsonc": '{"a": "é"} // c'}
    for name, text in files.items():
        (box.folder / name).write_bytes(f"\ufeff{text}".encode(encoding))
    box.write({"a.mjs": "".join(f"import {name[2:]} from './{name}';" for name in files)})
    with (box.folder / "a.mjs").open("a", encoding="utf-8") as file:
        file.write("console.log(JSON.stringify([json, txt, toml, yaml, jsonc, require('./a.json')]))")
    value = '{"a":"é"}'
    assert box.run("a.mjs").stdout.decode() == f'[{value},"é",{value},{value},{value},{value}]\n'


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_byte_order_mark_says_that_a_source_is_utf16(box: Box, encoding: str) -> None:
    (box.folder / "a.ts").write_bytes(
        "\ufeffimport { x } from './b.cjs'; console.log('é汉🎉', x);\nthrow new Error('ü')".encode(encoding)
    )
    (box.folder / "b.cjs").write_bytes("\ufeffexports.x = '🎉'.length".encode(encoding))
    status, printed, told = run(box, {}, "a.ts")
    assert (status, printed) == (1, "é汉🎉 2\n")
    assert told.startswith("1 | import { x } from './b.cjs'; console.log('é汉🎉', x);\n2 | throw new Error('ü')\n")


def test_evaluated_code_may_use_require_and_import_meta(box: Box) -> None:
    code = "console.log(require.main === module, import.meta.main, typeof exports)"
    assert run(box, {}, "-e", code) == (0, "true true object\n", "")


def test_files_without_an_extension_can_have_a_loader(box: Box) -> None:
    files = {"a.ts": "import text from './LICENSE'; console.log(text)", "LICENSE": "not (valid) code"}
    assert run(box, files, "--loader", ":text", "a.ts") == (0, "not (valid) code\n", "")


def test_preloads_come_in_the_order_of_the_command_line_and_imports_last(box: Box) -> None:
    files = {
        "main.mjs": "console.log('main')",
        "i.cjs": "console.log('i')",
        "r.cjs": "console.log('r')",
        "p.mjs": "console.log('p')",
    }
    assert (
        run(box, files, "--import", "./i.cjs", "--preload", "./p.mjs", "-r", "./r.cjs", "main.mjs")[1]
        == "p\nr\ni\nmain\n"
    )
    assert run(box, files, "--require", "./r.cjs", "--import", "./i.cjs", "main.mjs")[1] == "r\ni\nmain\n"


def test_errors_as_warnings_show_no_source(box: Box) -> None:
    code = """console.warn(new Error('one')); console.warn('two', new TypeError('three')); console.group(); console.warn(new Error('four')); console.groupEnd()
const coded = new Error('five'); coded.code = 'X'; console.warn(coded); console.error(new Error('six'))"""
    said = run(box, {"a.mjs": code})[2].splitlines()
    words = [line for line in said if not line.lstrip().startswith(("at ", "1 |", "2 |", "^"))]
    assert words == [
        "warn: one",
        "",
        "two TypeError: three",
        "",
        "  warn: four",
        "",
        "warn: five",
        ' code: "X"',
        "",
        "",
        "error: six",
        "",
    ]
    assert sum("|" in line for line in said) == 2  # of the last one alone
