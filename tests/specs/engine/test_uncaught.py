"""What people see of errors that nobody caught: whole outputs, frames' columns left out."""

from __future__ import annotations

import re

import pytest
from rig import Box

# name, program, standard error, exit status
CASES = [
    (
        "properties-are-aligned-and-code-comes-last",
        "throw Object.assign(new Error('m'), { code: 'E', long: { a: { b: 1 } }, f() {}, n: null });",
        'error: m\n long: {\n  a: [Object ...],\n},\n    f: [Function: f],\n    n: null,\n code: "E"\n\n      at <FILE>:1\n',
        1,
    ),
    (
        "a-cause-and-an-error-in-a-property-follow",
        "throw Object.assign(new Error('o', { cause: new TypeError('c') }), { inner: new RangeError('i') });",
        "error: o\n      at <FILE>:1\n\n<PREVIEW>TypeError: c\n      at <FILE>:1\n\n<PREVIEW>RangeError: i\n      at <FILE>:1\n",
        1,
    ),
    (
        "an-error-that-is-its-own-cause",
        "const e = new Error('c'); e.cause = e; throw e;",
        "error: c\n cause: [Circular],\n\n      at <FILE>:1\n",
        1,
    ),
    (
        "children-of-an-aggregate",
        "throw new AggregateError([new Error('a'), 'text', 4], 'many');",
        "error: a\n      at <FILE>:1\nerror: text\ntext\nerror: 4\n4\n",
        1,
    ),
    ("null", "throw null;", "error: null\nnull\n", 1),
    ("a-symbol", "throw Symbol('q');", "error: q\nSymbol(q)\n", 1),
    ("an-object", "throw { a: 1 };", "error\n{\n  a: 1,\n}\n", 1),
    (
        "what-looks-like-an-error",
        "throw { name: 'N', message: 'm' };",
        'N: m\n{\n  name: "N",\n  message: "m",\n}\n',
        1,
    ),
    (
        "the-programs-own-prepareStackTrace-hides-nothing",
        "Error.prepareStackTrace = () => 5; throw new Error('p');",
        "error: p\n      at <FILE>:1\n",
        1,
    ),
    (
        "a-handler-that-throws",
        "process.on('uncaughtException', () => { throw new Error('again'); }); throw new Error('first');",
        "error: again\n      at <FILE>:1\n",
        7,
    ),
    ("the-exit-code-of-the-program-gives-way", "process.exitCode = 3; throw 1;", "error: 1\n1\n", 1),
]


def said(box: Box, err: bytes) -> str:
    text = err.decode().replace(str(box.folder / "a.js"), "<FILE>")
    text = re.sub(r"(<FILE>:\d+):\d+", r"\1", text)
    return re.sub(r"(^\d+ \|.*\n)+ *\^\n", "<PREVIEW>", text, flags=re.M)


@pytest.mark.parametrize(("name", "program", "expected", "status"), CASES, ids=[case[0] for case in CASES])
def test_uncaught(box: Box, name: str, program: str, expected: str, status: int) -> None:
    box.write({"a.js": program})
    result = box.run("a.js")
    assert said(box, result.stderr).removeprefix("<PREVIEW>") == expected
    assert result.returncode == status


def test_preview_of_a_very_long_line_is_a_window(box: Box) -> None:
    box.write({"a.js": f"/* {'q' * 5000} */ throw new Error('far'); // {'z' * 5000}"})
    lines = box.run("a.js").stderr.decode().split("\n")
    assert len(lines[0]) < 200
    assert lines[0].startswith("1 | q")
    assert lines[0][lines[1].index("^") :].startswith("new Error('far')")
