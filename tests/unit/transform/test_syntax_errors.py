"""Syntax errors: the message, the location, the line, and hints."""

from __future__ import annotations

import pytest

from rt_supervisor._native import SyntaxProblem, TransformOptions, transform


def first(source: str, path: str = "/p/a.ts") -> SyntaxProblem:
    result = transform(source, path, TransformOptions())
    assert result.problems, source
    return result.problems[0]


MESSAGES = [
    ("const r = 1 + ;", "Unexpected ;", 15),
    ("let = ;", "Unexpected ;", 7),
    ("const a: = 1;", "Unexpected =", 10),
    ("foo(", "Unexpected end of file", 4),
    ("var class = 1", 'Expected identifier but found "class"', 5),
    ("throw\nx", 'Unexpected newline after "throw"', 1),
    ("if (1) const x = 1", "Cannot use a declaration in a single-statement context", 8),
    ("({ a = 1 })", 'Unexpected "="', 4),
    ("1 = 2", "Invalid assignment target", 1),
    ("x => {} ()", 'Expected ";" but found "("', 9),
    ("export default", "Unexpected end of file", 14),
    ('console.log("a" "b")', 'Expected ")" but found ""b""', 17),
    ("if (x {", 'Expected ")" but found "{"', 7),
    ("var a = 'unterminated", "Unterminated string literal", 9),
    ("/* open", 'Expected "*/" to terminate multi-line comment', 1),
    ("const x;", 'The constant "x" must be initialized', 7),
    ("break;", 'Cannot use "break" here', 1),
    ("continue;", 'Cannot use "continue" here', 1),
    ("}", "Unexpected }", 1),
    ("x = {a: 1,, b: 2}", "Unexpected ,", 11),
    ("class A { #x; #x }", '"#x" has already been declared', 15),
    ("const x = 1 /* c */ y", 'Expected ";" but found "y"', 21),
    ("x // z\n b c", 'Expected ";" but found "c"', 4),
    ("for (;;", "Unexpected end of file", 7),
    ("for (;;\n", "Unexpected end of file", 8),
    ("f( // c\n\n", "Unexpected end of file", 8),
    ("x\n  y z", 'Expected ";" but found "z"', 5),
]


@pytest.mark.parametrize(("source", "message", "column"), MESSAGES)
def test_messages_and_columns(source: str, message: str, column: int) -> None:
    problem = first(source)
    assert (problem.message, problem.place.column) == (message, column)


# What is missing from a truncated file, if only one token could follow.
LACKS = {
    '")"': [
        "foo(1",
        "foo({a: 1}",
        "(a",
        "let a = (b",
        "new A(1",
        "if (a",
        "while (1",
        "for (const a of b",
        "function f(a",
    ],
    '"]"': ["[1", "a[1", "let [a", "let [a = [1"],
    '"}"': ["({a", "({a: 1", "let {a", "class A {", "class A { a", "class A { a = 1", "enum A { B", "x = {a: {b: 1}"],
    '">"': ["<div", "<div a"],
    '":"': ["a ? b"],
    '"case"': ["switch (a) {"],
    "identifier": [
        "({",
        "({a,",
        "f({a: 1,",
        "a.",
        "function f(",
        "function f(a,",
        "import {",
        "import { a,",
        "export {",
        "class",
    ],
    "string": ["import a from", "import { a } from", "export * from"],
    None: [
        "{",
        "f(",
        "f(1,",
        "[",
        "[1,",
        "a +",
        "a, ",
        "if (a) {",
        "f(() => { a",
        "class A { m() {",
        "switch (a) { case 1: b",
    ],
}


@pytest.mark.parametrize(("wanted", "sources"), LACKS.items(), ids=[str(wanted) for wanted in LACKS])
@pytest.mark.parametrize("behind", ["", "\n", " // (", "\n/* { */\n"])
def test_expectations_at_the_end(wanted: str | None, sources: list[str], behind: str) -> None:
    message = f"Expected {wanted} but found end of file" if wanted else "Unexpected end of file"
    said = {source: first(source + behind, "/p/a.tsx").message for source in sources}
    assert said == dict.fromkeys(sources, message)


def test_truncated_types_give_no_hint() -> None:
    for source in ("interface A {", "interface A { b", "type A = {", "let a: string[", "type A = { b: string"):
        assert first(source).message == "Unexpected end of file"


def test_place_and_line() -> None:
    problem = first('const ok = "";\nconst é𠮷 = ;\r\nnext')
    assert (problem.path, problem.place.line, problem.place.text) == ("/p/a.ts", 2, "const é𠮷 = ;")
    assert problem.place.column == len("const é𠮷 = ".encode("utf-16-le")) // 2 + 1


def test_redeclarations_show_both_places() -> None:
    problem = first("type T = 1;\nlet x = 1;\nlet x = 2;")
    assert (problem.message, problem.place.line, problem.place.column) == ('"x" has already been declared', 3, 5)
    [note] = problem.notes
    assert (note.message, note.place.line, note.place.text) == ('"x" was originally declared here', 2, "let x = 1;")


def test_several_at_once() -> None:
    problems = transform("let a = 1; let a = 2; break;", "/p/a.ts", TransformOptions()).problems
    assert len(problems) >= 2
    assert len({problem.message for problem in problems}) >= 2


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("/p/e.js", "const x: number = 1"),
        ("/p/f.mjs", "enum A { x }"),
        ("/p/g.jsx", "type X = 1;"),
        ("/p/h.cjs", "const y = 1 as any"),
        ("/p/i.js", "const x = a!;"),
        ("/p/k.js", "interface A {}"),
    ],
)
def test_types_in_javascript_are_errors(path: str, source: str) -> None:
    assert first(source, path).place.line == 1


@pytest.mark.parametrize(
    "source",
    [
        "declare module 'x' { declare const y: 1 }",
        "class A { abstract m(): void }",
        "let a: Nope.B",
        "function f(a?: string, b: string) {}",
        "class A { constructor(a?: string, b: string) {} }",
        "type F = (a?: string, b: string) => void",
        "type T = [a?: string, b: string]",
        "function f(...a?: string[]) {}",
        "function f(a? = 5) {}",
        "class A { constructor(): void {} }",
        "class A { set x(v): void {} }",
        "class A { readonly m() {} }",
        "class A { public private x }",
        "class A { static public x = 1 }",
        "class A { readonly private x = 1 }",
        "class A { private #x = 1 }",
        "class A { async public x() {} }",
        "abstract class A { abstract f() {} }",
        "abstract class A { private abstract x }",
        "interface I { public x }",
        "interface I { [k: 'a']: any }",
        "interface I implements J {}",
        "type T = readonly string",
        "import type { type A } from './x'",
        "declare namespace N { console.log(1) }",
        "namespace N { export = 5 }",
        "const a = Map<string, string>.name",
    ],
)
def test_type_errors_alone_do_not_stop_anything(source: str) -> None:
    assert transform(source, "/p/a.ts", TransformOptions()).problems == []


@pytest.mark.parametrize(
    "source",
    [
        "class A extends {}",
        "class B extends A extends A {}",
        "switch (1) { default: default: }",
        "class A { set x(a, b) {} }",
        "export export const x = 1",
        "let x! = ;",
    ],
)
def test_input_without_a_program_is_rejected(source: str) -> None:
    assert first(source).message


def test_of_two_errors_the_relevant_one_is_reported() -> None:
    problems = transform("function f(a?: string, b) {}\nlet = = 1", "/p/a.ts", TransformOptions()).problems
    assert [problem.place.line for problem in problems] == [2]


def test_a_long_line_is_cut_for_printing() -> None:
    assert len(first("x = 1;" * 100_000 + "let = ;").place.text) <= 10_000
