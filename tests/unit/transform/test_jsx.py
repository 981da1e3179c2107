"""JSX becomes the calls that the chosen runtime expects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rt_supervisor._native import EmitConfig, TransformOptions, transform

Run = Callable[..., list[str]]

SOURCE = "const C = () => {}; for (const x of [<div/>, <C x={1} y='s' z>t</C>, <><i/>x</>]) console.log(x)"

DEVELOPMENT = [
    '["jsxDEV","div",{},null,false]',
    '["jsxDEV","C",{"x":1,"y":"s","z":true,"children":"t"},null,false]',
    '["jsxDEV","Fragment",{"children":[["jsxDEV","i",{},null,false],"x"]},null,true]',
]
PRODUCTION = [
    '["jsx","div",{},null]',
    '["jsx","C",{"x":1,"y":"s","z":true,"children":"t"},null]',
    '["jsxs","Fragment",{"children":[["jsx","i",{},null],"x"]},null]',
]
CLASSIC = ['["h","div",null]', '["h","C",{"x":1,"y":"s","z":true},"t"]', '["h","F",null,["h","i",null],"x"]']
FACTORY = "const h = (t, p, ...c) => ['h', named(t), p, ...c], F = 'F', named = (t) => t.name ?? t;"


def test_development_is_the_default(run: Run) -> None:
    assert run(SOURCE, "/p/a.tsx") == DEVELOPMENT


def test_production_by_environment_and_by_config(run: Run) -> None:
    assert run(SOURCE, "/p/a.tsx", production=True) == PRODUCTION
    assert run(SOURCE, "/p/a.tsx", config=EmitConfig(jsx="react-jsx")) == PRODUCTION
    assert run(SOURCE, "/p/a.tsx", config=EmitConfig(jsx="react-jsxdev")) == DEVELOPMENT


@pytest.mark.parametrize("how", ["flags", "config", "pragma"])
def test_classic(how: str, run: Run) -> None:
    config, flags, pragma = None, {}, ""
    match how:
        case "flags":
            flags = {"jsx_runtime": "classic", "jsx_factory": "h", "jsx_fragment": "F"}
        case "config":
            config = EmitConfig(jsx="react", jsx_factory="h", jsx_fragment="F")
        case _:
            pragma = "/** @jsxRuntime classic */ /** @jsx h */ /** @jsxFrag F */\n"
    assert run(pragma + FACTORY + SOURCE, "/p/a.tsx", config=config, **flags) == CLASSIC


def test_factory_may_be_a_member(run: Run) -> None:
    source = "const lib = { dom: { make: (...a) => a } }; console.log(<a href='#'>b</a>)"
    assert run(source, "/p/a.tsx", jsx_runtime="classic", jsx_factory="lib.dom.make") == ['["a",{"href":"#"},"b"]']


def test_keys(run: Run) -> None:
    source = """const p = { a: 1 }; console.log(<p key="k" {...p}/>); console.log(<p {...p} key="k">x</p>);
    console.log(<p key={1 + 1} {...null}>{...[1, 2]}</p>)"""
    assert run(source, "/p/a.tsx", production=True) == [
        '["jsx","p",{"a":1},"k"]',
        '["createElement","p",{"a":1,"key":"k"},"x"]',
        '["jsx","p",{"children":[1,2]},2]',
    ]


def test_text_and_entities(run: Run) -> None:
    source = """console.log(<p title="a &quot;q&quot; \\n" x='it&apos;s'>
  line one
  line two

  {'x'}  tail &amp;&lt;&nbsp;&copy;&#65;&#x42;&unknown; &amp
</p>)"""
    assert run(source, "/p/a.tsx", production=True) == [
        '["jsxs","p",{"title":"a \\"q\\" \\\\n","x":"it\'s","children":["line one line two","x",'
        '"  tail &<\u00a0©AB&unknown; &amp"]},null]'
    ]


def test_names(run: Run) -> None:
    source = """const a = { b: { C: function M() {} } }, lower = 1, $x = () => {}, _y = () => {};
    for (const e of [<s:r x:y='#'/>, <a.b.C/>, <t-g/>, <lower/>, <$x/>, <_y/>]) console.log(e[1])"""
    assert run(source, "/p/a.tsx") == ["s:r", "M", "t-g", "lower", "$x", "_y"]


def test_import_source() -> None:
    flag = transform("let q = <a/>", "/p/a.jsx", TransformOptions(jsx_import_source="preact"), package_type="module")
    assert [request.specifier for request in flag.requests] == ["preact/jsx-dev-runtime"]
    pragma = transform("/** @jsxImportSource vue */ export default <a/>", "/p/a.tsx", TransformOptions())
    assert [(request.specifier, request.kind, request.line) for request in pragma.requests] == [
        ("vue/jsx-dev-runtime", "import", 0)
    ]


@pytest.mark.parametrize(
    ("extension", "works"),
    [("js", True), ("jsx", True), ("tsx", True), ("ts", False), ("mjs", False), ("cjs", False), ("mts", False)],
)
def test_extensions_that_hold_jsx(extension: str, works: bool) -> None:
    assert (not transform("x(<p a='1'/>)", f"/p/a.{extension}", TransformOptions()).problems) == works


def test_unused_elements_are_removed(run: Run) -> None:
    source = (
        "const C = () => {}, f = (x) => { console.log(x); return x }; <C a={f(1)}>{f(2)}</C>; <C/>; console.log('end')"
    )
    assert run(source, "/p/a.jsx") == ["1", "2", "end"]
    kept = transform("<C/>;", "/p/a.jsx", TransformOptions(jsx_side_effects=True))
    assert "jsxDEV" in kept.code
    assert "jsxDEV(" not in transform("<C/>;", "/p/a.jsx", TransformOptions()).code


def test_members_of_elements_without_parentheses(run: Run) -> None:
    source = """/* é */ const a = <b x="é" />.length + <p><q/></p>['length'], c = <></> ?.missing; // comment
    console.log(a, c, (<b/>).length, <i>{<b/>.length}</i>[2].children)"""
    assert run(source, "/p/a.tsx") == ["10 undefined 5 5"]


def test_places_are_those_of_the_source_beside_members_of_elements() -> None:
    result = transform("const a = <b/>.c, é = <d/>.e;\nimport('./x'); import('./y')", "/p/a.tsx", TransformOptions())
    assert [(request.line, request.column) for request in result.requests if request.line] == [(2, 8), (2, 23)]
    problem = transform("const a = <b/>.c; let b = ;", "/p/a.tsx", TransformOptions()).problems[0]
    assert (problem.place.line, problem.place.column) != (0, 0)
