"""TypeScript's experimental decorators and their metadata: what TypeScript's own output does, and what it refuses."""

from __future__ import annotations

import pytest
from rig import Box

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
