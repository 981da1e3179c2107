"""TypeScript semantics; every expectation is what the program prints."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rt_supervisor._native import EmitConfig, TransformOptions, transform

Run = Callable[..., list[str]]

ENUMS = {
    "numbers count up and map back": (
        "enum A { a, b = 5, c, d = 'x', e = a | 4, f = 'y'.length } console.log(A, A[5])",
        ['{"0":"a","1":"f","4":"e","5":"b","6":"c","a":0,"b":5,"c":6,"d":"x","e":4,"f":1} b'],
    ),
    "declarations merge": ("enum A { x = 1 } enum A { y = x + 1, z = A.x } console.log(A.x, A.y, A.z)", ["1 2 1"]),
    "names may be quoted": ("enum E { 'a-b' = 1, 'c d', é } console.log(E['a-b'], E[2], E.é)", ["1 c d 3"]),
    "const enums are there": (
        "const enum K { A = 1, B = A * 2, C = 'c' as any } enum R { X = K.B + 10 } console.log(K.A, K['B'], K.C, R.X)",
        ["1 2 c 12"],
    ),
    "constants are evaluated": (
        "enum B { A = 1 << 3, B = ~A, C = A ** 2, D = -1, E = 7 % 4, F = `t${1}` } console.log(B.A, B.B, B.C, B.D, B.E, B.F)",
        ["8 -9 64 -1 3 t1"],
    ),
    "declared ones are gone": ("declare enum X { a } console.log(typeof X)", ["undefined"]),
    "they are local to their block": (
        "function f() { enum L { a = 1 } return L.a } console.log(f(), typeof L)",
        ["1 undefined"],
    ),
}

NAMESPACES = {
    "exports are properties": (
        "namespace N { export const a = 1; const hidden = 2; export function f() { return a + hidden } export class K { v = a } }"
        "namespace N { export const b = a + 10 } console.log(N.a, N.f(), new N.K().v, N.b, N.hidden, Object.keys(N))",
        ['1 3 1 11 undefined ["a","f","K","b"]'],
    ),
    "dotted ones nest and see each other": (
        "namespace A.B.C { export const deep = 'deep' } namespace A.B { export namespace D { export let z = C.deep + '!' } }"
        "import Alias = A.B.C; import Q = A.B; console.log(A.B.C.deep, A.B.D.z, Alias.deep, Q.D.z)",
        ["deep deep! deep deep!"],
    ),
    "exported variables are live": (
        "namespace M { export let n = 1; export function inc() { n++; n += 2; [n] = [n * 10] } export var u: number, w = 5;"
        "export const { p, q: [r] } = { p: 'p', q: ['r'] } } M.inc(); console.log(M.n, M.u, M.w, M.p, M.r)",
        ["40 undefined 5 p r"],
    ),
    "every way to assign reaches the property": (
        "namespace D { export let z: any; ({ z } = { z: 7 }); console.log(z); ({ z = 3 } = {} as any); console.log(z);"
        "({ a: z } = { a: 4 }); for (z of [1, 2]) ; for (z in { k: 1 }) ; z ||= 1; const o = { z }; console.log(z, o) }"
        "console.log(D.z)",
        ["7", "3", 'k {"z":"k"}', "k"],
    ),
    "inner names shadow": (
        "namespace S { export const v = 'ns'; function f(v: string) { return v } { const v = 'block'; console.log(v) }"
        "console.log(v, f('param')) }",
        ["block", "ns param"],
    ),
    "merged blocks see nested namespaces": (
        "namespace N { export const x = 1; export namespace M { export const y = x + 1 } }"
        "namespace N { export namespace M { export const z = y + x } } console.log(N.M.y, N.M.z)",
        ["2 3"],
    ),
    "they merge with functions, classes and enums": (
        "function fn() { return fn.prop } namespace fn { export const prop = 1 } class Cl { static own = 'own' }"
        "namespace Cl { export const st = 2; export type T = string } enum En { a = 1 }"
        "namespace En { export function parse(s: string) { return (En as any)[s] } } namespace N { export enum E { q = 7 } }"
        "console.log(fn(), Cl.st, Cl.own, En.parse('a'), N.E.q)",
        ["1 2 own 1 7"],
    ),
    "aliases": (
        "namespace G { export const a = 1; export namespace I { export const b = 2 } }"
        "namespace H { import X = G.a; export import Y = G; import Z = G.I; console.log(X, Y.a, Z.b, Y.I.b) } console.log(H.Y.a)",
        ["1 1 2 2", "1"],
    ),
    "inner ones stay inside": (
        "namespace A { namespace B { export const q = 1 } export const r = B.q } console.log(A.r, (A as any).B)",
        ["1 undefined"],
    ),
    "types alone leave nothing": (
        "namespace T { export interface I {} export type U = 1; namespace In { export type V = 1 } } declare namespace D { const x: 1 }"
        "console.log(typeof T, typeof D)",
        ["undefined undefined"],
    ),
    "the old keyword": ("module Old { export const o = 'old' } console.log(Old.o)", ["old"]),
}

CLASSES = {
    "parameter properties come before fields": (
        "class P { x = this.a; constructor(public a: number, private b = 2, readonly c?: string, protected d: any[] = [], e = 0) {} }"
        "console.log(new P(1), Object.keys(new P(1)))",
        ['{"a":1,"b":2,"d":[]} ["a","b","c","d","x"]'],
    ),
    "and after super": (
        "class B { constructor(public x: number) {} } class D extends B { y = this.x * 2;"
        "constructor(public z: number) { const t = 1; super(z); console.log(this.y, this.z, t) } } new D(4)",
        ["8 4 1"],
    ),
    "declared and abstract members are gone": (
        "abstract class A { abstract x: number; declare y: string; z!: number; [k: string]: any; abstract m(): void;"
        "m2(): void; m2(a?: any) {} } class B extends A { x = 1; m() {} } console.log(Object.keys(new B()))",
        ['["z","x"]'],
    ),
    "accessors": (
        "class A { accessor a = 5; static accessor s = 'st'; accessor #p = 1; bump() { this.#p++; return this.#p }"
        "accessor ['c' + 1] = 2; accessor 'str' = 3; accessor 5 = 4; accessor none } const a = new A(); a.a++;"
        "console.log(a.a, A.s, a.bump(), a.c1, a.str, a[5], a.none, Object.keys(a));"
        "console.log(typeof Object.getOwnPropertyDescriptor(A.prototype, 'a').get)",
        ["6 st 2 2 3 4 undefined []", "function"],
    ),
    "an accessor's computed name is evaluated once": (
        "let n = 0; class A { accessor [`k${n++}`] = 1 } const a = new A(); a.k0 = 5; console.log(a.k0, n)",
        ["5 1"],
    ),
}

TYPES = {
    "casts and assertions": (
        "const s = { a: 1 } satisfies Record<string, number>; const t = [1, 'a'] as const; let n: string | null = 'abc';"
        "console.log(s.a satisfies number, t[1], n!.length, n!?.length, (n as string)!.toUpperCase(), (<any>n).length);"
        "(n as any) = 'x'; n! += 'y'; let def!: number; def = 3; console.log(n, def)",
        ["1 a 3 3 ABC 3", "xy 3"],
    ),
    "functions": (
        "function f(this: { q: number }, b?: number, ...r: string[]) { return this.q + (b ?? 0) + r.length }"
        "function o(a: string): string; function o(a: any) { return a } function asr(x: unknown): asserts x {}"
        "const g = <T>(x: T) => x, v = <number>(<any>'5'), inst = Map<string, number>;"
        "console.log(f.call({ q: 1 }, 2, 'x'), f.length, o('ov'), g<number>(4), typeof v, new inst().size)",
        ["4 1 ov 4 string 0"],
    ),
    "keywords are names": (
        "const type = 1, of = 2, as = 3, declare = 4, namespace = 5, abstract = 6, satisfies = 8, is = 13, infer = 15;"
        "console.log(type + of + as + declare + namespace + abstract + satisfies + is + infer)",
        ["57"],
    ),
    "resources are disposed of in reverse": (
        "const r = (n) => ({ [Symbol.dispose]() { console.log('dispose', n) } });"
        "{ using a = r('a'), b = r('b'); console.log('body') } using top = r('top'); console.log('end')",
        ["body", "dispose b", "dispose a", "end", "dispose top"],
    ),
}

ALL = {**ENUMS, **NAMESPACES, **CLASSES, **TYPES}


@pytest.mark.parametrize("name", ALL)
def test_programs_print_the_same_as_with_typescript(name: str, run: Run) -> None:
    source, expected = ALL[name]
    assert run(source) == expected


def test_fields_are_assigned_when_the_config_says_so(run: Run) -> None:
    config = EmitConfig(use_define_for_class_fields=False)
    source = (
        "class A { set v(x: number) { console.log('setter', x) } } class B extends A { v = 1; w; declare z: string }"
        "console.log(Object.keys(new B())); class R { x = this.y; constructor(public y: number) {} } console.log(new R(4).x);"
        "class S { static s = 1; static #p = 2; static get() { return S.s + S.#p } } console.log(S.get())"
    )
    assert run(source, config=config) == ["setter 1", "[]", "4", "3"]


IMPORTS = [
    ("import { Foo, type Bar, baz } from './t'; let f: Foo; console.log(baz)", ["./t"]),
    ("import { T } from './t'; let x: T", []),
    ("import { v } from './t'; type V = typeof v", []),
    ("import type { Q } from './gone'; export type * from './gone'; export type { R } from './gone'", []),
    ("import './t'", ["./t"]),
    ("import {} from './t'", ["./t"]),
    ("import D, { x } from './t'; x; let d: D", ["./t"]),
    ("import * as ns from './t'; let d: ns.D", []),
    ("import x = require('./t'); x()", ["./t"]),
    ("import x = require('./t'); let d: x.D", []),
    ("import { C } from './t'; @C class K {}", ["./t"]),
]


@pytest.mark.parametrize(("source", "expected"), IMPORTS)
def test_only_imports_of_values_remain(source: str, expected: list[str]) -> None:
    result = transform(source, "/p/a.ts", TransformOptions())
    assert [request.specifier for request in result.requests] == expected
    assert result.kind == "module" or source.startswith("import x = require")


def test_verbatim_imports_remain_unless_they_say_type() -> None:
    source = "import { T, type U } from './t'; import type { V } from './v'; import { type W } from './w'"
    result = transform(source, "/p/a.ts", TransformOptions(), config=EmitConfig(verbatim_module_syntax=True))
    assert [request.specifier for request in result.requests] == ["./t", "./w"]


def test_an_export_assignment_is_commonjs_unless_the_file_imports() -> None:
    assert transform("export = { a: 1 }", "/p/a.ts", TransformOptions()).code.strip() == "module.exports = { a: 1 };"
    mixed = transform("import a from 'a'; export = a", "/p/a.ts", TransformOptions())
    assert mixed.kind == "module"
    assert set(mixed.exports) == {"default", "module.exports"}


LEGACY = EmitConfig(experimental_decorators=True, emit_decorator_metadata=True)


def test_experimental_decorators_replace_and_see_metadata(run: Run) -> None:
    source = """
    (Reflect as any).metadata = (key: string, value: any) => (t: any, k: any) =>
      console.log(key, k ?? t.name, Array.isArray(value) ? value.map((v) => v?.name) : value?.name);
    function ro(t: any, k: string, d: PropertyDescriptor) { d.value = () => 'replaced ' + k; return d }
    function dec(...args: any[]): any { console.log(args.length, String(args[1]), args[2]) }
    class Other {}
    @dec class K { @ro hi(a: number, b: Other): string { return '' } @dec f: Date; constructor(@dec p: string) {} }
    console.log(new K('').hi(1, new Other()));
    """
    assert run(source, config=LEGACY) == [
        "design:returntype hi String",
        'design:paramtypes hi ["Number","Other"]',
        "design:type hi Function",
        "design:type f Date",
        "3 f undefined",
        'design:paramtypes K ["String"]',
        "3 undefined 0",
        "1 undefined undefined",
        "replaced hi",
    ]


def test_experimental_decorators_of_instance_members_come_first(run: Run) -> None:
    source = """
    const d = (n) => { console.log('eval ' + n); return () => console.log('apply ' + n) };
    @d('class') class K { constructor(@d('cp') x) {} @d('sm') static sm(@d('smp') a) {} @d('m') m() {} @d('sf') static sf = 2; @d('f') f = 1 }
    """
    names = ["m", "f", "sm", "smp", "sf", "class", "cp"]
    printed = run(source, config=EmitConfig(experimental_decorators=True))
    assert [line.removeprefix("eval ") for line in printed if line.startswith("eval")][:7] == names
    assert printed.index("apply m") < printed.index("apply sm") < printed.index("apply class")


def test_javascript_has_the_standard_decorators_only(run: Run) -> None:
    source = "const d = (...a) => console.log(a.length, typeof a[1]); class K { @d m() {} }"
    assert run(source, "/p/a.js", config=EmitConfig(experimental_decorators=True)) == ["2 object"]
    assert run(source, "/p/a.jsx", config=EmitConfig(experimental_decorators=True)) == ["2 object"]
    assert run(source, "/p/a.ts", config=EmitConfig(experimental_decorators=True)) == ["3 string"]
    assert run(source, "/p/a.tsx", config=EmitConfig(experimental_decorators=True)) == ["3 string"]
