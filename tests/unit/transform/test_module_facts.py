"""The facts that the module loader gets from a transformation, and sources that are left unchanged."""

from __future__ import annotations

import pytest

from rt_supervisor._native import Transformed, TransformOptions, transform


def facts(source: str | bytes, path: str = "/p/a.js", **more: str) -> Transformed:
    result = transform(source, path, TransformOptions(), **more)  # type: ignore[arg-type]
    assert not result.problems
    return result


KINDS = [
    ("import 'x'", "module"),
    ("export {}", "module"),
    ("await 1", "module"),
    ("await (1)", "module"),
    ("for await (const x of y) ;", "module"),
    ("import.meta.url", "module"),
    ("import.meta; module.exports = 1", "commonjs"),
    ("import('x'); require('y')", "commonjs"),
    ("import 'x'; require('y'); exports", "module"),
    ("exports.a = 1", "commonjs"),
    ("console.log(this)", "commonjs"),
    ("function f() { this.x } class A { b = this }", "module"),
    ("with (a) b", "commonjs"),
    ("return 5", "commonjs"),
    ("var a = 010", "commonjs"),
    ("__dirname", "commonjs"),
    ("async () => { await 1 }", "module"),
    ("", "module"),
]


@pytest.mark.parametrize(("source", "kind"), KINDS)
def test_kind(source: str, kind: str) -> None:
    assert facts(source).kind == kind


AWAITS = ["(async () => { await 1 })()", "[1]", "/x/u", "+1", "-1", "`a`", "(1), require('y')"]


@pytest.mark.parametrize("path", ["/p/a.ts", "/p/a.mts", "/p/a.cts", "/p/a.tsx", "/p/a.js", "/p/a.cjs"])
@pytest.mark.parametrize("value", AWAITS)
def test_ambiguous_calls_and_divisions_are_awaited(value: str, path: str) -> None:
    result = facts(f"await {value}", path)
    assert (result.kind, result.has_top_level_await) == ("module", True)


@pytest.mark.parametrize("path", ["/p/a.ts", "/p/a.js", "/p/a.cjs"])
def test_a_script_may_have_a_variable_of_that_name(path: str) -> None:
    for source in ("var await = console.log; await (5)", "var await"):
        assert facts(source, path).kind == "commonjs"


def test_a_file_without_module_syntax_has_its_package_type() -> None:
    assert facts("x = 1").is_ambiguous
    assert facts("x = 1").kind == "module"
    assert facts("x = 1", "/p/node_modules/y/a.js").kind == "commonjs"
    assert facts("x = 1", package_type="commonjs").kind == "commonjs"
    assert facts("x = 1", "/p/node_modules/y/a.js", package_type="module").kind == "module"
    assert facts("", "/p/node_modules/y/a.js").kind == "module"
    assert not facts("exports.a").is_ambiguous


def test_requests_in_order_with_places() -> None:
    source = """import a, { b } from 'a';
import j from './j.json' with { type: 'json' };
export * from "s"; export { x as y } from 'e';
const d = import('d'), t = import(`t`), u = import('./' + v);
require('r'); require.resolve('rr'); require(dynamic);
"""
    found = [(r.specifier, r.kind, r.line, r.column) for r in facts(source).requests]
    assert found == [
        ("a", "import", 1, 22),
        ("./j.json", "import", 2, 15),
        ("s", "export", 3, 15),
        ("e", "export", 3, 43),
        ("d", "dynamic", 4, 18),
        ("t", "dynamic", 4, 35),
        ("r", "require", 5, 9),
        ("rr", "resolve", 5, 31),
    ]
    assert facts(source).requests[1].attributes == {"type": "json"}


def test_export_names() -> None:
    source = """export const { a, b: [c, ...d] } = x, e = 1; export function f() {} export class G {} export default 1;
    const v = 1; export { v as 'string name', v }; export * as ns from 'n'; export * from 's'; export { q } from 'e'"""
    result = facts(source)
    assert result.exports == ["a", "c", "d", "e", "f", "G", "default", "string name", "v", "ns", "q"]
    assert result.star_exports == ["s"]
    types = facts("export type T = 1; export interface I {} export enum E {} export declare const x: 1", "/p/a.ts")
    assert types.exports == ["E"]


def test_commonjs_names_that_can_be_seen() -> None:
    source = """exports.a = exports['b-c'] = 1; module.exports.d = 2; Object.defineProperty(exports, '__esModule', {});
    module.exports = { e, f: 1, ...require('spread') }; __exportStar(require('star'), exports); other.g = 1"""
    result = facts(source)
    assert result.commonjs_exports == ["a", "b-c", "d", "__esModule", "e", "f"]
    assert result.commonjs_reexports == ["spread", "star"]
    assert result.names == ["require", "module", "exports"]


UNTOUCHED = [
    "const a = `x${1}` ?? /re/g; export default a\n",
    "#!/usr/bin/env rt\nconsole.log(1)\r\n// comment\r\n",
    "const x = /* @__PURE__ */ f(); class A { #p; static { } }",
    "'use strict'; module.exports = { a() {}, get b() { return 1 } }",
    "",
]


@pytest.mark.parametrize("source", UNTOUCHED)
def test_runnable_code_is_unchanged(source: str) -> None:
    result = facts(source)
    assert not result.has_changes
    assert result.code == source
    assert result.map() is None


def test_only_updates_named_by_a_flag_are_reprinted() -> None:
    options = TransformOptions(define=[("SOME.thing", "1")], drop=["debugging"])
    assert not transform("const a = 1; console.log(a)", "/p/a.js", options).has_changes
    assert transform("console.log(SOME.thing)", "/p/a.js", options).code == "console.log(1);\n"


def test_byte_order_marks_and_bad_bytes() -> None:
    assert facts("\ufeffa").code == "a"
    assert facts(b"\xef\xbb\xbfa").code == "a"
    assert facts(b"'\xff'").code == "'\ufffd'"
    assert facts("'\ud800'").code in ("'\ufffd'", "'\ufffd\ufffd\ufffd'")


def test_import_meta_of_commonjs_is_a_variable() -> None:
    assert facts("module.exports = import.meta.url").code == "module.exports = __rt_import_meta.url;\n"


def test_sources_must_be_text() -> None:
    with pytest.raises(TypeError):
        transform(1, "/p/a.js", TransformOptions())  # type: ignore[arg-type]
