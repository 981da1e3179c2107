"""No source crashes or hangs the transpiler, whether invalid, deeply nested, huge or unusual."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rt_supervisor._native import Resolver, SourceMap, Transformed, TransformOptions, transform

OPTIONS = TransformOptions(define=[("A", "1"), ("p.q", '"x"')], drop=["console"])
PATHS = ["/p/a.ts", "/p/a.tsx", "/p/a.js", "/p/a.mjs", "/p/a.cjs"]

SEEDS = [
    "enum A { a, b = a << 1, c = 'x'.length } const enum B { z = A.b } namespace N.M { export let v = A.a; v++ } export { N }",
    "@d class K<T> extends B<T> { @m() #p = 1; static accessor [k()] = 2; @x @y get g() { return this.#p } constructor(private z?: T) { super() } }",
    "const e = <A.b {...p} key='k' x={<></>}>t &amp; {...c}</A.b>; /* @__PURE__ */ f(<p/>);",
    "import d, { type T, x as y } from 'm' with { type: 'macro' }; import z = require('z'); y(1, { a: [`t`] }); export = z",
    "async function* g() { await using r = f(); for await (const { a = 1, ...b } of c) yield* a?.b?.[c!] ?? (d as any)<T>(e) }",
    "label: for (;;) { if (a) break label; else try { throw /re[/]/g } catch { console.log(`${a}${`${p.q}`}`) } finally {} }",
    "export * as ns from 'a'; export default abstract class { declare x: number; [i: string]: any; static { using q = null } }",
    "var a = 0x1f, b = 1_0n, c = '\\u{1F600}\\x41\\\n', d = \"é😀\u2028\", 变量 = ~-!+(a ** 2); if (a) function f() {} with (b) c",
]

TOKENS = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ";",
    ",",
    ".",
    "?",
    ":",
    "=",
    "=>",
    "...",
    "`",
    "${",
    "'",
    '"',
    "/",
    "//",
    "/*",
    "*/",
    "#",
    "@",
    "!",
    "as",
    "enum",
    "namespace",
    "class",
    "await",
    "using",
    "import",
    "export",
]


def check(source: str | bytes, path: str) -> Transformed:
    """Access every member of a result."""
    result = transform(source, path, OPTIONS)
    for problem in result.problems:
        assert problem.message
        assert problem.place.line >= 1
        assert problem.place.column >= 1
    if not result.problems:
        assert result.has_changes or result.code == result.source
        assert (result.map() is None) == (not result.has_changes)
    assert isinstance(result.requests, list)
    return result


@given(st.data())
@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_mutations_of_real_code(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(SEEDS))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(source)))
        end = min(len(source), start + data.draw(st.integers(0, 12)))
        new = data.draw(st.one_of(st.sampled_from(TOKENS), st.text(max_size=3), st.sampled_from(SEEDS)))
        source = source[:start] + new + source[end:]
    check(source, data.draw(st.sampled_from(PATHS)))


@given(st.binary(max_size=200), st.sampled_from(PATHS))
@settings(max_examples=200, deadline=None)
def test_any_bytes(data: bytes, path: str) -> None:
    check(data, path)


@given(st.lists(st.sampled_from([*TOKENS, "a", "1", "\n"]), max_size=60), st.sampled_from(PATHS))
@settings(max_examples=400, deadline=None)
def test_any_tokens(tokens: list[str], path: str) -> None:
    check(" ".join(tokens), path)


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes_as_a_map(data: bytes) -> None:
    with contextlib.suppress(ValueError):
        SourceMap(data).lookup(1, 1)


@pytest.mark.parametrize("seed", range(4))
def test_seeds_cut_short(seed: int) -> None:
    source = SEEDS[seed]
    for length in random.Random(seed).sample(range(len(source)), 40):
        for path in PATHS:
            check(source[:length], path)


@pytest.mark.parametrize("source", SEEDS)
def test_seeds_in_every_kind_of_file(source: str) -> None:
    results = {path: check(source, path) for path in PATHS}
    assert any(not result.problems for result in results.values()), results["/p/a.tsx"].problems


LEVELS = [
    "({n}1{n})", "[{n}]", "x={n}{{a:1}}", "!", "- ", "a=>", "a?", "+1", ".b", "()", "if(a)", "typeof ", "a=", "`${{", "do ",
    "<a>", "new ", "await ", "a??", "a||", "?.b", "[0]", "@a ", "function f(){{", "class A{{a=", "namespace A{{", "A<", "()=>",
    "case 1:", "else ", "{{", "keyof ", "a|", "''+", "``", " as b", "a**", "a,", "yield ", "async()=>", "...[", "{{...{{",
]  # fmt: skip


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("count", [3_000, 100_000])
def test_depth_never_overflows_the_stack(level: str, count: int) -> None:
    level = level.replace("{n}", "").replace("{{", "{")
    opened = (level * count)[:4_000_000]
    closing = {"(": ")", "[": "]", "{": "}"}
    closed = "".join(closing.get(character, "") for character in reversed(level)) * count
    for source in (opened, f"x={opened}1{closed}", f"a{opened}", f"{opened}a{closed}"):
        for path in ("/p/a.tsx", "/p/a.js"):
            transform(source, path, OPTIONS)


def test_ordinary_depth_is_fine() -> None:
    for source in ("[" * 1500 + "]" * 1500, "1" + "+1" * 20_000, "a" + ".b()" * 20_000, "s+=1;" * 200_000):
        result = transform(f"x={source}", "/p/a.ts", OPTIONS)
        assert not result.problems
    deep = transform("[" * 30_000 + "]" * 30_000, "/p/a.js", OPTIONS)
    assert deep.problems[0].message == "This file is nested too deeply to run"


def test_lines_without_semicolons_are_not_deep() -> None:
    source = "a.b(c)['d'] = `x`\n" * 150_000
    assert not transform(source, "/p/a.js", OPTIONS).problems


def test_a_megabyte_in_one_line_and_in_many() -> None:
    assert not transform("let s = 0;" + "s += 1;" * 150_000, "/p/a.ts", OPTIONS).problems
    lines = "".join(f"export function f{i}(x) {{ return [x, {i}].map((z) => z) }}\n" for i in range(20_000))
    big = transform(lines, "/p/a.js", OPTIONS)
    assert not big.problems
    assert len(big.exports) == 20_000


@given(data=st.data())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_broken_configs_never_stop_resolution(data: st.DataObject, tmp_path: Path) -> None:
    text = (
        '{ // c\n "extends": ["./b.json", "pkg"], "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./*"], } } }'
    )
    start = data.draw(st.integers(0, len(text)))
    new = data.draw(st.one_of(st.text(max_size=4), st.sampled_from(['"', "{", "}", "[", "null", "1", "(", "//", "/*"])))
    mutated = text[:start] + new + text[start + data.draw(st.integers(0, 10)) :]
    (tmp_path / "tsconfig.json").write_text(mutated, encoding="utf-8", errors="replace")
    (tmp_path / "a.ts").write_text("")
    resolver = Resolver()
    assert resolver.resolve("./a", str(tmp_path / "x.ts")).path == str(tmp_path / "a.ts")
    config = resolver.tsconfig(str(tmp_path / "a.ts"))
    assert config is not None
    assert all(problem.message for problem in config.problems)


def test_templates_and_regular_expressions_add_no_depth() -> None:
    binary = "([{!-=<" * 60_000
    for source in (
        f"`{binary}`",
        f"`{binary}${{[1]}}{binary}`",
        f"/`/; `{binary}\\`{binary}`; () => {{ return /[/`]/ }}",
    ):
        assert not transform(f"export const x = {source}", "/p/a.js", OPTIONS).problems
    deep = transform("/`/;x=`${" + "[" * 30_000 + "]" * 30_000 + "}`", "/p/a.js", OPTIONS)
    assert deep.problems[0].message == "This file is nested too deeply to run"
