"""Hostile input of programs: source maps, circular settings and exports, invalid and mutated text."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mutations import SOURCE_MARKS, TS, Mutator
from rig import Box

TESTS = Path(__file__).parents[2]


def test_maps_do_not_show_files_of_the_machine(box: Box) -> None:
    source_map: dict[str, Any] = {"version": 3, "sources": ["../../secret.txt"], "names": [], "mappings": "AAAA"}
    code = "throw new Error('boom');\n//# sourceMappingURL=a.js.map\n"
    box.write({"secret.txt": "secret\n", "p/package.json": {"name": "p"}, "p/dist/a.js": code})
    climbing: list[dict[str, Any]] = [
        {"sources": ["../../secret.txt"]},
        {"sources": ["../" * 60 + str(box.folder)[1:] + "/secret.txt"]},
        {"sources": [f"{box.folder}/secret.txt"]},
        {"sources": [f"file://{box.folder}/secret.txt"]},
        {"sources": ["secret.txt"], "sourceRoot": str(box.folder)},
        {"sources": ["linked.txt"]},
    ]
    (box.folder / "p/dist/linked.txt").symlink_to("../../secret.txt")
    for change in climbing:
        box.write({"p/dist/a.js.map": source_map | change})
        done = box.in_bash("$RT p/dist/a.js")
        assert done.returncode == 1
        assert b"boom" in done.stderr
        assert b"secret\n" not in done.stderr, change
    box.write({"p/secret.txt": "ours\n", "p/dist/a.js.map": {**source_map, "sources": ["../secret.txt"]}})
    assert b"1 | ours\n" in box.in_bash("$RT p/dist/a.js").stderr


USUAL: dict[str, Any] = {"version": 3, "sources": ["x.ts"], "names": [], "mappings": "AAAA"}
NESTED = '{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'
MAPS: dict[str, Any] = {
    "many lines": USUAL | {"mappings": "AAAA;" * 5_000_000},
    "one long line": USUAL | {"mappings": "AAAA," * 5_000_000},
    "many sources": USUAL | {"sources": [f"s{number}.ts" for number in range(500_000)]},
    "sections in sections": NESTED * 100_000 + json.dumps(USUAL) + "}]}" * 100_000,
    "nested without end": '{"version":3,"sources":' + "[" * 1_000_000,
    "a number without end": USUAL | {"mappings": "g" * 5_000_000},
    "large numbers": USUAL | {"mappings": "+////////////D," * 1000},
    "negative places": USUAL | {"mappings": "DDDD"},
    "places that are not there": USUAL | {"mappings": "AAgggggggB"},
    "no list of sources": USUAL | {"sources": 3},
    "sources that are no text": USUAL | {"sources": [None, 3, {}]},
    "mappings that are no text": USUAL | {"mappings": 3},
    "null": "null",
    "no JSON": "{" * 10,
    "its own source": USUAL | {"sources": ["a.js.map"]},
    "a device": USUAL | {"sources": ["/dev/zero"]},
    "a pipe": USUAL | {"sources": ["pipe"]},
    "a folder": USUAL | {"sources": ["."]},
}


@pytest.mark.parametrize("name", MAPS)
def test_hostile_maps_end(box: Box, name: str) -> None:
    box.write({"a.js": "throw new Error('boom');\n//# sourceMappingURL=a.js.map\n", "a.js.map": MAPS[name]})
    os.mkfifo(box.folder / "pipe")
    done = box.in_bash("$RT a.js")
    assert done.returncode == 1, done.stderr[-500:]
    assert b"error: boom\n" in done.stderr


@pytest.mark.parametrize(
    "where",
    [
        "a.js",
        "/dev/zero",
        "pipe",
        "link",
        ".",
        "http://127.0.0.1:1/x",
        "../" * 50 + "etc/passwd",
        "data:," + "A" * 5_000_000,
    ],
)
def test_hostile_locations_of_maps_are_handled(box: Box, where: str) -> None:
    box.write({"a.js": f"throw new Error('boom');\n//# sourceMappingURL={where}\n"})
    os.mkfifo(box.folder / "pipe")
    (box.folder / "link").symlink_to("link")
    done = box.in_bash("$RT a.js")
    assert done.returncode == 1
    assert b"error: boom\n" in done.stderr
    assert b"root:" not in done.stderr


# A tsconfig.json and its bases, which form a circle.
CIRCLES: dict[str, dict[str, Any]] = {
    "itself": {"tsconfig.json": {"extends": "./tsconfig.json"}},
    "two": {"tsconfig.json": {"extends": "./b.json"}, "b.json": {"extends": "./tsconfig.json"}},
    "a list": {"tsconfig.json": {"extends": ["./b.json", "./tsconfig.json"]}, "b.json": {"extends": ["./b.json"]}},
    "a package": {
        "tsconfig.json": {"extends": "m"},
        "node_modules/m/package.json": {"name": "m", "tsconfig": "./t.json"},
        "node_modules/m/t.json": {"extends": "../../tsconfig.json"},
    },
    "references": {
        "tsconfig.json": {"references": [{"path": "."}, {"path": "./q"}]},
        "q/tsconfig.json": {"extends": "../tsconfig.json"},
    },
    "paths": {"tsconfig.json": {"compilerOptions": {"baseUrl": ".", "paths": {"*": ["*", "./*"], "m/*": ["m/*"]}}}},
}


@pytest.mark.parametrize("name", CIRCLES)
def test_circles_of_settings_end(box: Box, name: str) -> None:
    box.write({**CIRCLES[name], "a.ts": "const x: string = 'ran'; console.log(x)"})
    done = box.in_bash("$RT a.ts")
    assert b"bug in rt" not in done.stderr
    assert done.stdout == b"ran\n" or (done.returncode == 1 and b"error: " in done.stderr), done.stderr


EXPORTS: dict[str, dict[str, Any]] = {
    "of a name": {"name": "m", "exports": {".": "m", "./a": "m/a"}},
    "of a place": {"name": "m", "exports": {"./a": "./a", "./*": "./*"}},
    "of imports": {"name": "m", "exports": {"./a": "./a.js"}, "imports": {"#x": "#x", "#y": "#z", "#z": "#y"}},
    "of patterns": {"name": "m", "exports": {"./*": "./*/*/*/*"}},
    "of conditions": {"name": "m", "exports": {"./a": {"import": {"node": {"default": {"import": "./a"}}}}}},
    "through the package": {"name": "m", "exports": {"./a": "./node_modules/m/a.js"}},
}


@pytest.mark.parametrize("name", EXPORTS)
def test_circles_of_exports_end(box: Box, name: str) -> None:
    """The exports of a package refer to the requested name again."""
    box.write(
        {
            "node_modules/m/package.json": EXPORTS[name],
            "node_modules/m/a.js": "require('#x')",
            "package.json": {
                "name": "app",
                "imports": {"#self": "app/self", "#m": "m/a"},
                "exports": {"./self": "#self"},
            },
            "a.mjs": "for (const name of ['m/a', '#self', '#m', 'app/self', 'm/a/b/c']) {\n"
            "  await import(name).then(() => console.log('read'), (error) => console.log(error.code));\n}\n",
        }
    )
    done = box.in_bash("$RT a.mjs")
    assert done.returncode == 0, done.stderr
    reported = done.stdout.decode().split()
    assert len(reported) == 5
    assert all(word == "read" or word.startswith(("ERR_", "MODULE_")) for word in reported), reported


def test_a_program_may_contain_invalid_utf_8(box: Box) -> None:
    (box.folder / "a.js").write_bytes(b"// \xff\xfe\xc3\nconsole.log('\xff'.length)")
    assert box.in_bash("$RT a.js").stdout == b"1\n"


IN_ONE_PROCESS = """
import sys
from mutations import SOURCE_MARKS, TSX, Mutator
from rt_supervisor import _native
refused = 0
options = _native.TransformOptions()
mutator = Mutator(7, [TSX], SOURCE_MARKS)
for _ in range(3000):
    refused += bool(_native.transform(mutator.mutate(), "/a.tsx", options).problems)
print("done", refused > 0)
"""
# Imports each text as well: whatever passes the transpiler is compiled and run by V8.
IMPORT_ALL = """
let read = 0, refused = 0;
for (let number = 0; number < 1000; number++) {
  await import(`./m${number}.ts`).then(() => read++, (error) => { if (!(error instanceof Error)) throw error; refused++ });
}
console.log('done', read + refused === 1000, read > 0, refused > 0);
"""


def test_mutated_typescript_is_read_or_rejected(box: Box) -> None:
    """In one process, which a panic or hang of the transpiler would end."""
    box.write({"fuzz.py": IN_ONE_PROCESS})
    python = Path(sys.executable)
    done = box.in_bash(f"{python} fuzz.py", environment={"PYTHONPATH": str(TESTS)})
    assert done.stdout == b"done True\n", done.stderr[-500:]


def test_mutated_typescript_is_run_or_rejected(box: Box) -> None:
    mutator = Mutator(11, [TS], SOURCE_MARKS)
    for number in range(1000):
        (box.folder / f"m{number}.ts").write_text(mutator.mutate())
    box.write({"all.mts": IMPORT_ALL})
    done = box.in_bash("$RT all.mts")
    assert done.stdout == b"done true true true\n", (done.returncode, done.stdout, done.stderr[-500:])
