"""TypeScript's experimental decorators and their metadata: the same behaviour and errors as TypeScript's output."""

from __future__ import annotations

from pathlib import Path

import pytest
from rig import Box

RECORDED = Path(__file__).parent / "decorator_metadata"

METADATA = """
Reflect.metadata = (key: string, value: any) => (target: any, name: string) =>
  key === "design:type" && console.log(name, value === undefined ? value : value.name);
const d = (...a: any[]) => {};
class Dep {}
abstract class A {
  @d a: Dep | null; @d b: Dep | undefined | null; @d c: (Dep | null); @d e: string | null; @d f: Dep | string; @d g: null;
  @d h: undefined | (Dep) | never; @d abstract i: Dep | null; @d j?: Dep;
}
"""
NAMED_TYPES = """
Reflect.metadata = (key: string, value: any) => (target: any, name: string) =>
  console.log(key.slice(7), name, Array.isArray(value) ? value.map((one) => one?.name).join() : value?.name);
const d = (...a: any[]) => {};
type Name = string; type Deep = Name; type Choice = "a" | "b"; type Maybe = Deep | null; type Brand = string & { brand: 1 };
type Circle = Round; type Round = Circle; type List<T> = T[];
enum Color { Red, Green = "g" }
class A<Name> {
  @d a: Deep; @d b: Choice; @d c: Maybe; @d e: Brand; @d f: Circle; @d g: List<string>; @d h: Name; @d i: Color.Red; @d j: Color.Green;
  @d one(first: Deep, ...rest: Deep[]): Choice { return "a" }
  @d two(...rest: ReadonlyArray<number>) {}
  @d three(...rest: [string, number]) {}
  @d get k(): string { return "" } other() {} set k(value: Deep) {}
  get l(): number { return 1 } @d set l(value: number) {}
  @d static set m(value) {} static get m(): Deep { return "" }
}
"""
NAMED_EXPECTED = """
type a String|type b String|type c String|type e String|type f Object|type g Array|type h Object|type i Number|type j String
returntype one String|paramtypes one String,String|type one Function
returntype two undefined|paramtypes two Number|type two Function
returntype three undefined|paramtypes three Object|type three Function
paramtypes k String|type k String|paramtypes l Number|type l Number|paramtypes m Object|type m String
"""
PRIVATE = """
const d = (value: any) => { console.log("decorated with", value); return (...a: any[]) => {}; };
const c = (value: any) => {};
class A { static #x = 1; @d(A.#x) a: any; static { console.log("block") } @d(A.#x + 1) static b() {} static #y = (console.log("last"), 2); }
@c export class B { static #x = 3; @d(B.#x) a: any }
export default class C { static #x = 4; @d(C.#x) a: any }
function inner() { class D { static #x = 5; @d(D.#x) static s = 6; @d(7) t = 8 } return new D(); }
console.log(Object.keys(inner()).join());
"""


def program(box: Box, source: str, **options: bool) -> list[str]:
    config = {"compilerOptions": {"experimentalDecorators": True, "emitDecoratorMetadata": True, **options}}
    box.write({"tsconfig.json": config, "a.ts": source})
    done = box.run("a.ts")
    return (done.stdout + done.stderr).decode().splitlines()


LOOSE = ["a Dep", "b Dep", "c Dep", "e String", "f Object", "g undefined", "h Dep", "i Dep", "j Dep"]
STRICT = [*(f"{name} Object" for name in "abcef"), "g undefined", "h Object", "i Object", "j Dep"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, LOOSE),
        ({"strict": True}, STRICT),
        ({"strictNullChecks": True}, STRICT),
        ({"strict": True, "strictNullChecks": False}, LOOSE),
    ],
    ids=["as-it-is", "strict", "null-checks", "strict-but"],
)
def test_types_that_may_be_null(box: Box, options: dict[str, bool], expected: list[str]) -> None:
    assert program(box, METADATA, **options) == expected


def test_named_types_rest_parameters_and_accessors(box: Box) -> None:
    """Same as TypeScript's output, except for the parameter of an untyped setter, which has the type of its getter."""
    lines = [line for line in program(box, NAMED_TYPES) if line != "paramtypes m String"]
    expected = [one for line in NAMED_EXPECTED.strip().splitlines() for one in line.split("|")]
    assert sorted(lines) == sorted(expected)


def test_private_names_are_read_inside_the_class(box: Box) -> None:
    values = ["block", "last", *(f"decorated with {value}" for value in (1, 2, 3, 4, 7, 5)), "t"]
    assert program(box, PRIVATE) == values


@pytest.mark.parametrize(
    "source",
    [
        "const X = >@d class {}",
        "const X = class { >@d x = 1 }",
        "const X = class { m(>@d a) {} }",
        "class X { >@d #x = 1 }",
        "class X { >@d #x() {} }",
        "class X { >@d constructor() {} }",
        "class X { #m(>@d a) {} }",
    ],
)
def test_places_that_typescript_refuses(box: Box, source: str) -> None:
    line, place = (
        "const d = () => {}; " + source.replace(">", "", 1),
        len("const d = () => {}; ") + source.index(">") + 1,
    )
    said = program(box, line)
    assert said[0] == f"1 | {line}"
    assert said[2:] == ["error: Decorators are not valid here", f"    at {box.folder}/a.ts:1:{place}"]


ASSIGNED = """
function stored(target: any, key: string) {
  const values = new WeakMap<object, unknown>();
  const get = function (this: object) { return `stored ${values.get(this)}`; };
  Object.defineProperty(target, key, { get, set(value) { values.set(this, value); }, configurable: true, enumerable: true });
}
const plain = (...a: any[]) => {};
class A { @stored name = "n"; size = this.name; @stored empty; @plain kept = 1; @plain "quo-ted" = 2; @plain never; @plain static s = 3; static #p = 4; }
console.log(new A().name, new A().size, new A().empty, Object.keys(new A()).join(), A.s);
class Base { set x(value: any) { console.log("set", value); } set y(value: any) { console.log("not reached"); } }
class B extends Base { @plain x = 5; y = 6; @stored z = this; }
console.log(Object.keys(new B()).join());
class C extends Base { constructor(early: boolean) { if (early) super(); else { super(); } console.log("after", this.x, Object.keys(this).join()); } @plain w = 7; get x() { return 8; } }
new C(true); new C(false);
class D { constructor(public first: number) { console.log(this.second, this.first); } @plain second = 9; @plain arrow = () => this.second; }
console.log(new D(10).arrow());
"""


@pytest.mark.parametrize("options", [{}, {"useDefineForClassFields": True}], ids=["as-it-is", "define"])
def test_decorated_fields_are_assigned(box: Box, options: dict[str, bool]) -> None:
    """As in Bun, decorated fields are assigned whatever `useDefineForClassFields` says, in their original position."""
    assert program(box, ASSIGNED, **options) == [
        "stored n stored n stored undefined size,kept,quo-ted 3",
        "set 5",
        "y",
        "after 8 w",
        "after 8 w",
        "9 10",
        "9",
    ]


@pytest.mark.parametrize("is_strict", [True, False])
def test_metadata_is_what_typescript_records(box: Box, is_strict: bool) -> None:
    """A program with each kind of type in each place; the output is that of tsc 5.9's JavaScript in Node."""
    for name in ("main.ts", "kinds.ts"):
        box.write({name: (RECORDED / name).read_text()})
    options = {"experimentalDecorators": True, "emitDecoratorMetadata": True, "strictNullChecks": is_strict}
    box.write({"tsconfig.json": {"compilerOptions": options}})
    done = box.run("main.ts")
    assert done.stderr == b""
    expected = (RECORDED / ("strict.txt" if is_strict else "loose.txt")).read_text()
    assert done.stdout.decode().splitlines() == expected.splitlines()


def test_metadata_implies_experimental_decorators(box: Box) -> None:
    source = "const note = (target: any, name: string) => console.log(typeof target, name); class A { @note field = 1 }"
    box.write({"tsconfig.json": {"compilerOptions": {"emitDecoratorMetadata": True}}, "a.ts": source})
    assert box.run("a.ts").stdout == b"object field\n"


TYPES_ONLY = {
    "a.ts": "import Default, { Face, type Marked, Value } from './types'; import type { Whole } from './types';\n"
    "import { Other } from './other'; import * as all from './types';\n"
    "const d = (...a: any[]): any => {}; class A { @d a!: Face; @d b!: Default; @d c!: Marked; @d e!: Whole; @d f!: all.Face;\n"
    "@d g(x: Face[], y: Other, ...z: Face[]): Promise<Face> { return null as any } constructor(@d h: Face, readonly i: Other) {} }\n"
    "console.log(new Value().v, new A(null as any, null as any) instanceof A);",
    "types.ts": "export interface Face { a: 1 } export type Marked = string; export type Whole = 1; export class Value { v = 'value' }"
    " export default interface Default { d: 1 }",
    "other.ts": "console.log('other runs'); export interface Other { o: 1 }",
}


@pytest.mark.parametrize("options", [{}, {"isolatedModules": True}, {"useDefineForClassFields": False}])
def test_imported_types_at_decorated_positions_need_no_export(box: Box, options: dict[str, bool]) -> None:
    box.write(TYPES_ONLY)
    box.write(
        {
            "tsconfig.json": {
                "compilerOptions": {"experimentalDecorators": True, "emitDecoratorMetadata": True, **options}
            }
        }
    )
    done = box.run("a.ts")
    assert (done.stdout, done.stderr) == (b"other runs\nvalue true\n", b"")


def test_metadata_is_recorded_before_decorators_of_parameters_run(box: Box) -> None:
    """A decorator of a parameter reads the types, as those of dependency injection do."""
    source = """
    const seen = new Map<any, any>();
    (Reflect as any).metadata = (key: string, value: any) => (target: any, name: any) => { seen.set(`${name} ${key}`, value); };
    const read = (target: any, name: any, index: number) => console.log(name, index, seen.get(`${name} design:paramtypes`)[index].name);
    class A { m(@read a: string, @read b: number) {} constructor(@read c: boolean) {} }
    """
    assert program(box, source) == ["m 1 Number", "m 0 String", "undefined 0 Boolean"]


def test_names_of_decorated_functions_and_classes(box: Box) -> None:
    source = """
    import * as self from './a';
    const d = (...a: any[]): any => {};
    export default @d class {}
    class A { @d f = () => {}; @d static g = class {}; @d h = function () {}; @d 'a b' = async () => {}; @d static s = () => {}; @d m() {} }
    const a: any = new A(), A2: any = A;
    console.log([a.f.name, A2.g.name, a.h.name, a['a b'].name, A2.s.name, a.m.name, (self as any).default.name].join());
    """
    assert program(box, source) == ["f,g,h,a b,s,m,default"]
