"""`--check`: syntax errors are reported as Node reports them, and nothing runs."""

from __future__ import annotations

import pytest
from rig import Box

GOOD = {
    "a.cjs": "console.log('ran'); return;",
    "a.mjs": "console.log('ran'); await 1; export {};",
    "a.js": "console.log('ran'); with (Math) max(1);",
    "a.ts": "const x: number = 1; console.log('ran'); export type T = typeof x; declare const y: string;",
    "a.tsx": "console.log('ran', <a/>);",
    "missing-import.mjs": "import './not-there.mjs'; console.log('ran');",
}

BAD = {
    "b.cjs": ("let x = 1;\nfunction f( { return 1 }\n", 2),
    "b.mjs": ("export const a = 1;\nexport const b = ;\n", 2),
    "b.ts": ("const x: number = 1;\nconst x: number = 2;\n", 2),
    "label.cjs": ("for (;;) {\n  break missing;\n}\n", 2),
    "regexp.cjs": ("module.exports = 1;\nconst r = /(/;\n", 2),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_correct_file_does_not_run(box: Box, name: str) -> None:
    box.write({name: GOOD[name]})
    result = box.run("--check", name)
    assert (result.stdout, result.stderr, result.returncode) == (b"", b"", 0)


@pytest.mark.parametrize("name", BAD)
def test_a_syntax_error_has_its_place(box: Box, name: str) -> None:
    text, line = BAD[name]
    box.write({name: text})
    result = box.run("--check", name)
    report = result.stderr.decode().splitlines()
    assert report[0] == f"{box.folder}/{name}:{line}"
    assert report[1] == text.splitlines()[line - 1]
    assert report[2].strip() == "^"
    assert [row for row in report if "SyntaxError: " in row] == [report[-1]]
    assert (result.stdout, result.returncode) == (b"", 1)


def test_standard_input_is_checked(box: Box) -> None:
    box.write({"in": "console.log('ran'); let x; let x;"})
    with (box.folder / "in").open() as stdin:
        result = box.run("--check", "-", stdin=stdin)
    assert (result.stdout, result.returncode) == (b"", 1)
    assert result.stderr.decode().startswith(f"{box.folder}/[stdin]:1\n")


def test_preloads_do_not_run(box: Box) -> None:
    box.write({"a.cjs": "", "p.cjs": "console.log('preload');"})
    assert box.run("--check", "--require", "./p.cjs", "a.cjs").stdout == b""


def test_with_code_it_is_refused_as_in_node(box: Box) -> None:
    result = box.run("--check", "-e", "1")
    assert (result.stderr, result.returncode) == (b"error: either --check or --eval can be used, not both\n", 9)
