"""The flags that change code: define, drop, pure annotations, loaders, completion values, macros."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rt_supervisor._native import Engine, TransformOptions, default_loader, transform

Run = Callable[..., list[str]]


def test_define_json_names_and_chains(run: Run) -> None:
    source = "console.log([A, B, C, D, E, F, typeof A, C.x[1]]); console.log(G, typeof H, conf.deep.flag + 1, `${conf.deep.flag}`)"
    define = [("A", "1"), ("B", '"str"'), ("C", '{"x":[1,{"y":null}]}'), ("D", "true"), ("E", "null"), ("F", "-1.5e3")]
    define += [("G", "Object.name"), ("H", "undefined"), ("conf.deep.flag", "5")]
    for path in ("/p/a.js", "/p/a.ts", "/p/node_modules/x/a.cjs"):
        assert run(source, path, define=define) == [
            '[1,"str",{"x":[1,{"y":null}]},true,null,-1500,"number",{"y":null}]',
            "Object undefined 6 5",
        ]


def test_define_reaches_computed_members_but_not_locals(run: Run) -> None:
    source = "var process = { env: { X: 1 } }; { const A = 'local'; console.log(A) } console.log(A, process['env']['NODE_ENV'])"
    assert run(source, "/p/a.js", define=[("A", "2")]) == ["local", "2 undefined"]
    assert run("console.log(proc['env']['E'], proc.env.E)", "/p/a.js", define=[("proc.env.E", '"d"')]) == ["d d"]


def test_other_text_is_a_string(run: Run) -> None:
    define = [("A", "foo()"), ("B", "two words"), ("C", "'q'"), ("D", "import.meta.url"), ("E", "`t`")]
    assert run("console.log(A, B, C, D, E)", "/p/a.js", define=define) == ["foo() two words q import.meta.url `t`"]


def test_the_last_define_of_a_name_wins(run: Run) -> None:
    assert run("console.log(A)", "/p/a.js", define=[("A", "1"), ("A", "2")]) == ["2"]


@pytest.mark.parametrize("define", [("A", "{bad"), ("1a", "1"), ("A", "1 + 1"), ("A", ""), ("a..b", "1")])
def test_invalid_defines_are_rejected(define: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="define"):
        TransformOptions(define=[define])


def test_invalid_loaders_and_runtimes_are_rejected() -> None:
    with pytest.raises(ValueError, match=r'^invalid loader "bad", expected one of:'):
        TransformOptions(loaders={".foo": "bad"})
    with pytest.raises(ValueError, match="jsx runtime"):
        TransformOptions(jsx_runtime="other")  # type: ignore[arg-type]


DROPPED = """
globalThis.foo = (x) => { console.log('foo', x); return 'foo' }; foo.bar = (x) => console.log('bar', x); let n = 0;
console.log(foo(n++) ?? 'dflt', foo.bar(n++), typeof foo); foo?.(n++); const f = foo; f('alias');
{ const foo = () => 'local'; console.log(foo()) } console.log(n);
"""


@pytest.mark.parametrize("path", ["/p/a.js", "/p/a.ts"])
def test_dropped_calls_are_undefined_and_evaluate_nothing(path: str, run: Run) -> None:
    assert run(DROPPED, path, drop=["foo"]) == ["dflt undefined function", "foo alias", "local", "0"]
    assert run(DROPPED, path, drop=["foo.bar"]) == [
        "foo 0",
        "foo undefined function",
        "foo 1",
        "foo alias",
        "local",
        "2",
    ]


PURE = """
function f(x) { console.log('called', x); return x }
/* @__PURE__ */ f(1); /*#__PURE__*/ f(f(2)); const kept = /* @__PURE__ */ f(3); 0, /* @__PURE__ */ f(4);
true && /* @__PURE__ */ f(5); void /* @__PURE__ */ f(6); /* @__PURE__ */ new f(7); f(8);
try { /* @__PURE__ */ f(missing) } catch (e) { console.log(e.name) }
"""


def test_unused_pure_calls_are_removed_but_not_their_effects(run: Run) -> None:
    assert run(PURE, "/p/a.js") == ["called 2", "called 3", "called 8", "ReferenceError"]


def test_pure_annotations_can_be_ignored(run: Run) -> None:
    printed = run(PURE, "/p/a.js", ignore_dce_annotations=True)
    assert printed == [f"called {n}" for n in (1, 2, 2, 3, 4, 5, 6, 7, 8)] + ["ReferenceError"]


def test_loaders() -> None:
    options = TransformOptions(loaders={".foo": "ts", "bar": "js", ".json": "text"})
    assert not transform("let a: number", "/p/a.foo", options).problems
    assert transform("let a: number", "/p/a.bar", options).problems
    assert not transform("let a: any = <b/>", "/p/a.bar", options, loader="tsx").problems
    assert [default_loader(name) for name in ("a.mts", "x/b.tsx", "c.JSON", ".env", "d.toml", "e")] == [
        "ts", "tsx", None, None, "toml", None,
    ]  # fmt: skip


COMPLETIONS = [
    ("1; 2; 3", "3"),
    ("let y = 5; y * 2", "10"),
    ("'use strict'; 5", "5"),
    ('"plain"', "plain"),
    ("if (true) { 4 }", "4"),
    ("1; if (false) 2", "undefined"),
    ("for (let i = 0; i < 3; i++) i", "2"),
    ("var x = 3", "undefined"),
    ("7; var x = 3", "7"),
    ("function f() {}", "undefined"),
    ("{a: 1}", "1"),
    ("({a: 1}) satisfies object", '{"a":1}'),
    ("enum E { A = 1, B }; E.B", "2"),
    ("switch (1) { case 1: 5; break; default: 6 }", "5"),
    ("try { 1; throw 0 } catch { 2 } finally { 3 }", "2"),
    ("do { 8 } while (0)", "8"),
    ("x => x", "[function ]"),
    ("(class A {})", "[function A]"),
    ("", "undefined"),
    ("/* lead */ 8 // tail", "8"),
]


@pytest.mark.parametrize(("source", "expected"), COMPLETIONS)
def test_completion_values(source: str, expected: str, engine: Engine) -> None:
    result = transform(source, "/p/[eval]", TransformOptions(), loader="tsx", completion="globalThis.value")
    assert not result.problems
    show = "typeof v === 'string' ? v : typeof v === 'function' ? `[function ${v.name}]` : String(JSON.stringify(v))"
    program = f"globalThis.value = undefined; (() => {{ {result.code}\n }})(); ((v) => {show})(globalThis.value)"
    assert engine.run(program) == expected


def test_macro_calls_are_reported_and_then_replaced(run: Run) -> None:
    source = """import { f, g as h } from './m' with { type: 'macro' }; import * as ns from './n' with { type: "macro" };
    console.log(f('a', 1), h({ a: [1] }), ns.k(undefined), f(x)); { const f = () => 'shadow'; console.log(f()) }"""
    first = transform(source, "/p/a.ts", TransformOptions())
    calls = [(c.specifier, c.imported, c.arguments, not c.obstacle, c.line) for c in first.macro_calls]
    assert calls == [
        ("./m", "f", "'a', 1", True, 2),
        ("./m", "g", "{ a: [1] }", True, 2),
        ("./n", "k", "undefined", True, 2),
        ("./m", "f", "x", False, 2),
    ]
    assert first.requests == []
    results = {0: '"one"', 1: '{"b":[true,null]}', 2: "-3", 3: "void 0"}
    second = transform(source, "/p/a.ts", TransformOptions(), macros=results)
    assert 'console.log("one", { "b": [true, null] }, -3, void 0)' in second.code
    assert "shadow" in second.code


def test_macro_calls_inside_macro_calls_and_constants() -> None:
    source = "import { f } from './m' with { type: 'macro' }; const a = 1, b = a + 1; let c = 2; f(f(b), 'x' as T); f(c); f(a, b)"
    first = transform(source, "/p/a.ts", TransformOptions())
    assert [(c.arguments, c.constants, c.obstacle.partition(".")[0]) for c in first.macro_calls] == [
        ("b", "const a = 1;const b = a + 1;", ""),
        ("f(b), 'x' as T", "", "Cannot convert argument type to JS"),
        ("c", "", "Cannot convert identifier to JS"),
        ("a, b", "const a = 1;const b = a + 1;", ""),
    ]
    second = transform(source, "/p/a.ts", TransformOptions(), macros={0: "[2]", 3: "4"})
    assert [(c.arguments, c.obstacle == "") for c in second.macro_calls][1] == ('[2], "x" as T', True)
    third = transform(source, "/p/a.ts", TransformOptions(), macros={0: "[2]", 1: "5", 3: "4"})
    assert "5;" in third.code
