"""TypeScript's parameter properties and verbatimModuleSyntax, where what runs depends on types: the same output as tsc's."""

from __future__ import annotations

import pytest
from rig import Box

CALLS = {
    "in a try": "try { super(5); } finally { console.log('made'); }",
    "in a branch": "if (name) { super(5); } else { super(6); } console.log('made');",
    "in an expression": "const self = super(5); console.log(self === this ? 'made' : 'other');",
    "in an arrow function": "const call = () => { super(5); }; call(); console.log('made');",
    "as a statement": "super(5); console.log('made');",
    "after another statement": "const five = 5; super(five); console.log('made');",
}


@pytest.mark.parametrize("defines", [True, False])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_parameter_properties_follow_super(box: Box, call: str, defines: bool) -> None:
    source = f"""
    class Base {{ constructor(readonly id: number) {{}} }}
    class Named extends Base {{
      own = 'own ' + this.id;
      constructor(public name: string, private readonly more = 7) {{ {call} }}
      show() {{ return [this.id, this.name, this.more, this.own].join(); }}
    }}
    console.log(new Named("n").show(), Object.keys(new Named("n")).sort().join());
    """
    box.write({"tsconfig.json": {"compilerOptions": {"useDefineForClassFields": defines}}, "a.ts": source})
    assert box.run("a.ts").stdout.decode() == "made\nmade\n5,n,7,own 5 id,more,name,own\n"


@pytest.mark.parametrize(
    ("statement", "is_verbatim", "runs"),
    [
        ("export { type T } from './side'", True, True),
        ("export { type T, type T as U } from './side'", True, True),
        ("export { type T, v } from './side'", True, True),
        ("import { type T } from './side'", True, True),
        ("import {} from './side'", True, True),
        ("export type { T } from './side'", True, False),
        ("import type { T } from './side'", True, False),
        ("export type * from './side'", True, False),
        ("import { type T } from './side'", False, False),
        ("export { type T } from './side'", False, False),
    ],
)
def test_statements_that_name_only_types(box: Box, statement: str, is_verbatim: bool, runs: bool) -> None:
    box.write(
        {
            "tsconfig.json": {"compilerOptions": {"verbatimModuleSyntax": is_verbatim}},
            "a.ts": f"{statement};\nconsole.log('main');",
            "side.ts": "console.log('side'); export type T = 1; export const v = 1;",
        }
    )
    done = box.run("a.ts")
    assert (done.stdout.decode(), done.stderr) == ("side\nmain\n" if runs else "main\n", b"")


def test_an_auto_accessor_names_its_function(box: Box) -> None:
    source = "class A { accessor f = () => {}; static accessor g = class {}; accessor #h = () => {}; get h() { return this.#h } }"
    box.write({"a.ts": f"{source} console.log([new A().f.name, A.g.name, new A().h.name].join());"})
    assert box.run("a.ts").stdout == b"f,g,#h\n"
