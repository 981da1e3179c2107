"""Errors in files are reported in one form, however the file is used and whichever part finds the error: the
transpiler, the engine (duplicate declarations, private names, patterns), the linker, or the reader of a data file.
"""

from __future__ import annotations

import pytest
from rig import Box

BROKEN = "const a = 1;\r\nconst b = ;\r\n"
TOLD = "2 | const b = ;\n              ^\nerror: Unexpected ;\n    at <DIR>/b.js:2:11\n"


@pytest.mark.parametrize(
    ("name", "files", "arguments"),
    [
        ("entry", {}, ["b.js"]),
        ("import", {"a.mjs": "import './b.js'; console.log('no');"}, ["a.mjs"]),
        ("dynamic import", {"a.mjs": "import('./b.js');"}, ["a.mjs"]),
        ("require", {"a.cjs": "require('./b.js');"}, ["a.cjs"]),
        ("preload", {"a.js": "console.log('no');"}, ["-r", "./b.js", "a.js"]),
        ("in a macro", {"a.ts": "import { m } from './b.js' with { type: 'macro' }; console.log(m());"}, ["a.ts"]),
    ],
)
def test_wherever_a_file_is_met(box: Box, name: str, files: dict[str, str], arguments: list[str]) -> None:
    box.write({"b.js": BROKEN, **files})
    result = box.run(*arguments)
    assert result.stderr.decode().replace(str(box.folder), "<DIR>") == TOLD
    assert (result.stdout, result.returncode) == (b"", 1)


# file, its content, the report
FOUND = [
    ("b.js", "\tlet a; let a;", "1 | \tlet a; let a;\n                   ^\nerror: \"a\" has already been declared\n    at <FILE>:1:13\n"),
    ("b.mjs", "x: for (;;) break y; break;", "1 | x: for (;;) break y; break;\n                      ^\nerror: Undefined label 'y'\n    at <FILE>:1:19\n"),
    ("b.cjs", "function f() { super(); }", "1 | function f() { super(); }\n                   ^\nerror: Unexpected \"super\"\n    at <FILE>:1:16\n"),
    ("b.ts", "type X = 1;\nclass A { m(): void { this.#y } }", "2 | class A { m(): void { this.#y } }\n                               ^\nerror: Private field '#y' must be declared in an enclosing class\n    at <FILE>:2:28\n"),
    ("b.ts", "interface Y {}\n\nconst r: RegExp = /(/;", "3 | const r: RegExp = /(/;\n                      ^\nerror: Invalid regular expression: /(/: Unterminated group\n    at <FILE>:3:19\n"),
    ("b.json", '{"a": 1,\n  "b": }', "2 |   \"b\": }\n           ^\nerror: JSON Parse error: Unexpected token '}'\n    at <FILE>:2:8\n"),
    ("b.json", "[1,\r\n2", "2 | 2\n     ^\nerror: JSON Parse error: Expected ',' or ']' after array element\n    at <FILE>:2:2\n"),
    ("b.json", "", "1 | \n    ^\nerror: JSON Parse error: Unexpected end of JSON input\n    at <FILE>:1:1\n"),
    ("b.toml", "a = 1\nb = \n", "2 | b = \n        ^\nerror: Invalid value\n    at <FILE>:2:5\n"),
    ("b.jsonc", '{"a": }', '1 | {"a": }\n          ^\nerror: Unexpected }\n    at <FILE>:1:7\n'),
]  # fmt: skip


@pytest.mark.parametrize(("file", "content", "seen"), FOUND)
@pytest.mark.parametrize("entry", ["import './{}';", "require('./{}');"])
def test_an_error_in_a_file_is_reported_alike_for_every_importer(
    box: Box, entry: str, file: str, content: str, seen: str
) -> None:
    main = "a.mjs" if entry.startswith("import") else "a.cjs"
    box.write({file: content, main: entry.format(file)})
    result = box.run(main)
    assert result.stderr.decode().replace(str(box.folder / file), "<FILE>") == seen
    assert result.returncode == 1


def test_a_name_that_is_not_exported_is_shown_where_it_is_imported(box: Box) -> None:
    box.write(
        {
            "a.ts": "interface Q {}\nimport {\n  a,\n  nope,\n} from './b';\nconsole.log(a, nope);",
            "b.ts": "export const a = 1;",
        }
    )
    said = box.run("a.ts").stderr.decode()
    message = "The requested module './b' does not provide an export named 'nope'"
    assert said.endswith(f"4 |   nope,\n      ^\nSyntaxError: {message}\n      at {box.folder}/a.ts:4:3\n")


def test_a_caught_error_has_its_location(box: Box) -> None:
    box.write(
        {
            "a.cjs": "try { require('./b.cjs'); } catch (e) { console.log(e.name, e.stack.split('\\n').slice(0, 2).join()); }",
            "b.cjs": "let a; let a;",
        }
    )
    place = f"{box.folder}/b.cjs:1:12"
    assert box.run("a.cjs").stdout.decode() == (
        f"SyntaxError SyntaxError: Identifier 'a' has already been declared,    at {place}\n"
    )
