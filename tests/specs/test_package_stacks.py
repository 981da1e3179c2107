"""Errors inside packages that ship compiled code: the stack and the source preview show the original source, as Node
does with --enable-source-maps.

preact and immer are minified (the map contains the sources), ajv is compiled from TypeScript (the sources lie beside
it), as is rxjs, down to ES5.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
from pathlib import Path

import js_peers as peers
import pytest
from npm_packages import installed, packages
from rig import Box

__all__ = ["installed", "packages"]
VERSIONS = {"preact": "10.27.2", "immer": "10.1.3", "ajv": "8.17.1", "rxjs": "7.8.2", "source-map-support": "0.5.21"}


def relative(text: str, packages: Path) -> str:
    return text.replace(f"{packages.resolve()}/", "")


def test_minified(installed: Box, packages: Path) -> None:
    installed.write(
        {"a.cjs": "const { cloneElement } = require('preact');\nfunction mine() { cloneElement(null, {}); }\nmine();"}
    )
    result = installed.run("a.cjs")
    assert result.returncode == 1
    assert relative(result.stderr.decode(), packages).splitlines() == [
        "10 |  * @param {Array<import('./internal').ComponentChildren>} rest Any additional arguments will be used",
        "11 |  * as replacement children.",
        "12 |  * @returns {import('./internal').VNode}",
        "13 |  */",
        "14 | export function cloneElement(vnode, props, children) {",
        "15 | \tlet normalizedProps = assign({}, vnode.props),",
        f"{' ' * (8 + len('let normalizedProps = assign({}, vnode.'))}^",
        "TypeError: Cannot read properties of null (reading 'props')",
        "      at exports.cloneElement (preact/src/clone-element.js:15:41)",
        f"      at mine ({installed.folder}/a.cjs:2:19)",
        f"      at {installed.folder}/a.cjs:3:1",
    ]


def test_compiled_from_typescript(installed: Box, packages: Path) -> None:
    installed.write(
        {"a.ts": "import Ajv from 'ajv';\ninterface A { type: string }\nnew Ajv().compile({ type: 'nope' } as A);"}
    )
    result = installed.run("a.ts")
    assert result.returncode == 1
    lines = relative(result.stderr.decode(), packages).splitlines()
    assert lines[5:7] == ["523 |       else throw new Error(message)", f"{' ' * 23}^"]
    assert lines[7].startswith("error: schema is invalid: data/type must be equal to one of the allowed values")
    assert lines[8:] == [
        "      at validateSchema (ajv/lib/core.ts:523:18)",
        "      at _addSchema (ajv/lib/core.ts:725:30)",
        "      at compile (ajv/lib/core.ts:388:22)",
        f"      at {installed.folder}/a.ts:3:11",
    ]


def test_a_package_that_applies_source_maps_finds_the_same_locations(installed: Box, packages: Path) -> None:
    installed.write({
        "a.cjs": "require('source-map-support/register');\ntry { new (require('ajv'))().compile({ type: 'nope' }); } catch (error) { console.log(error.stack); }"
    })  # fmt: skip
    lines = relative(installed.run("a.cjs").stdout.decode(), packages).splitlines()
    assert [line.partition("(")[2] for line in lines[1:4]] == [
        f"ajv/lib/core.ts:{place})" for place in ("523:18", "725:30", "388:22")
    ]


PROGRAM = """
process.env.NODE_ENV = 'production';
const { produce, applyPatches } = require('immer');
const { of, map, Subject, firstValueFrom, EMPTY } = require('rxjs');
const Ajv = require('ajv');
const closed = new Subject();
closed.unsubscribe();
const tries = [
  () => produce({ a: 1 }, (draft) => { draft.a = 2; return { b: 1 }; }), () => produce({ a: 1 }, 5), () => applyPatches(5, 1),
  () => produce({ a: {} }, (draft) => { Object.defineProperty(draft, 'x', {}); }), () => produce({ a: {} }, (draft) => { draft.a.b = 3; throw new Error('mine'); }),
  () => produce({ a: { get b() { throw new Error('getter'); } } }, (draft) => { draft.a.c = 3; }), () => closed.next(1), () => of(1).pipe(5).subscribe(),
  () => new Ajv().addSchema(5), () => new Ajv().compile({ $ref: 'x#/y' }), () => new Ajv({ strict: true }).compile({ unknown: 1 }),
];
for (const run of tries) { try { run(); } catch (error) { console.log(error.stack); } }
firstValueFrom(EMPTY).catch((error) => console.log(error.stack));
of(1, 2).pipe(map(() => { throw new TypeError('user'); })).subscribe({ error(error) { console.log(error.stack); } });
"""


def frames(text: str, packages: Path) -> list[str]:
    """Return the messages, and for each frame in a package its last name and its location."""
    shown = []
    for line in relative(text, packages).splitlines():
        frame = re.match(r" +at (?:new )?(?:(\S+) (?:\[as \S+\] )?)?\(?([a-z]+/\S+:\d+:\d+)\)?$", line)
        if frame is not None:
            shown.append(f"{(frame[1] or '').replace('<anonymous>', '').rpartition('.')[2]} {frame[2]}")
        elif not line.startswith("    at "):
            shown.append(line)
    return shown


def test_locations_and_names_are_those_of_node(installed: Box, packages: Path) -> None:
    installed.write({"a.cjs": PROGRAM})
    command = [peers.node(), "--enable-source-maps", "a.cjs"]
    theirs = subprocess.run(command, cwd=installed.folder, capture_output=True, text=True, check=True).stdout
    ours = installed.run("a.cjs")
    assert ours.stderr == b""
    found = frames(ours.stdout.decode(), packages)
    assert [line.partition(" ")[2] for line in found] == [line.partition(" ")[2] for line in frames(theirs, packages)]
    assert {"die immer/src/utils/errors.ts:45:8", "shallowCopy immer/src/utils/common.ts:183:4"} <= set(found)
    assert "getPlugin immer/src/utils/plugins.ts:42:3" in found
    assert "errorContext rxjs/src/internal/util/errorContext.ts:29:5" in found


MAP = '{"version":3,"sources":["../src/x.ts"],"names":[],"mappings":"AAAA;;AAIE"}'  # maps 3:1 to 5:3
CODE = "'use strict';\n\nexports.f = () => { throw new Error('in'); };\n"


def test_a_map_is_read_when_a_stack_is(box: Box) -> None:
    box.write({
        "node_modules/p/dist/x.js": f"{CODE}//# sourceMappingURL=x.js.map\n",
        "node_modules/p/package.json": {"main": "dist/x.js"},
        "a.cjs": f"const {{ f }} = require('p'); require('fs').writeFileSync('node_modules/p/dist/x.js.map', {MAP!r});\nf();",
    })  # fmt: skip
    assert b"at exports.f (%s/node_modules/p/src/x.ts:5:3)" % bytes(box.folder) in box.run("a.cjs").stderr


@pytest.mark.parametrize("content", ["{", "[]", '{"version":3,"sources":[],"mappings":"AAAA"}', None])
def test_an_unreadable_map_counts_as_missing(box: Box, content: str | None) -> None:
    box.write({"x.js": f"{CODE}//# sourceMappingURL=x.js.map\n", "a.cjs": "require('./x').f();"})
    if content is not None:
        box.write({"x.js.map": content})
    said = box.run("a.cjs").stderr.decode()
    assert said.startswith("1 | 'use strict';\n2 | \n3 | exports.f = () => { throw new Error('in'); };\n")
    assert f"at exports.f ({box.folder}/x.js:3:27)" in said


@pytest.mark.parametrize("content", [["one\ntwo\nthree\nfour\nfrom the map"], [None], None])
def test_a_map_inside_the_file(box: Box, content: list[str | None] | None) -> None:
    whole = MAP if content is None else MAP.replace('"names"', f'"sourcesContent":{json.dumps(content)},"names"')
    data = base64.b64encode(whole.encode()).decode()
    box.write({
        "dist/x.mjs": CODE.replace("exports.f =", "export const f =").replace("\n", "\r\n") + f"//# sourceMappingURL=data:application/json;base64,{data}\r\n",
        "src/x.ts": "1\n2\n3\n4\nfrom the file",
        "package.json": "{}",
        "a.ts": "import { f } from './dist/x.mjs';\ninterface X {}\nf();",
    })  # fmt: skip
    said = box.run("a.ts").stderr.decode()
    assert f"5 | from the {'map' if content and content[0] else 'file'}\n" in said
    assert f"at f ({box.folder}/src/x.ts:5:3)\n      at {box.folder}/a.ts:3:1\n" in said
