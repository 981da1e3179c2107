"""`require.cache`: it shows imported modules too, and a module that is deleted there is evaluated again, as in Bun."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rig import Box

FILES = {
    "a.mjs": "globalThis.count = (globalThis.count ?? 0) + 1; export const a = globalThis.count;",
    "b.mjs": "export { a } from './a.mjs';",
    "c.cjs": "globalThis.runs = (globalThis.runs ?? 0) + 1; exports.c = globalThis.runs;",
    "d.json": '{"d": 1}',
}
HEAD = """
import { writeFileSync } from 'node:fs';
import Module from 'node:module';
import './b.mjs';
import './c.cjs';
import './d.json';
const path = (name) => `${import.meta.dir}/${name}`;
const shown = () => Object.keys(require.cache).filter((name) => name.startsWith(import.meta.dir)).map((name) => name.slice(import.meta.dir.length + 1)).sort();
"""


def printed(box: Box, code: str, *flags: str) -> list[str]:
    box.write({**FILES, "main.mjs": HEAD + code})
    result = box.run(*flags, "main.mjs")
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode().splitlines()


def test_imported_modules_are_shown(box: Box) -> None:
    lines = printed(
        box,
        """
        console.log(shown().join(), require.cache === Module._cache, path('a.mjs') in require.cache, path('x') in require.cache);
        const { id, loaded, exports } = require.cache[path('a.mjs')];
        console.log(id === path('a.mjs'), loaded, exports.a, exports === require('./a.mjs'), require.cache[path('x')]);
        console.log(require.cache[path('c.cjs')].exports.c, require.cache[path('d.json')].exports.default.d);
        """,
    )
    assert lines == ["a.mjs,b.mjs,c.cjs,d.json true true false", "true true 1 true undefined", "1 1"]


def test_deleted_modules_are_read_and_evaluated_again(box: Box) -> None:
    lines = printed(
        box,
        """
        for (const name of ['a.mjs', 'c.cjs', 'd.json']) console.log(delete require.cache[path(name)], path(name) in require.cache);
        writeFileSync('d.json', '{"d": 2}');
        console.log((await import('./a.mjs')).a, require('./a.mjs').a, (await import('./b.mjs')).a);
        console.log((await import('./c.cjs')).c, require('./c.cjs').c, (await import('./d.json')).d, require('./d.json').d);
        delete require.cache[path('a.mjs')];
        console.log(require('./a.mjs').a, (await import('./a.mjs')).a, shown().includes('a.mjs'));
        await import('./a.mjs?x');
        console.log(shown().includes('a.mjs?x'), delete require.cache[path('a.mjs?x')], shown().includes('a.mjs'));
        require.cache[path('a.mjs')] = { exports: { a: 'replaced' } };
        console.log(require('./a.mjs').a, (await import('./a.mjs')).a);
        """,
    )
    assert lines == [*["true false"] * 3, "2 2 1", "2 2 2 2", "3 3 true", "true true true", "replaced 3"]


def test_programs_that_see_node_only_have_the_modules_of_commonjs(box: Box) -> None:
    box.write({**FILES, "main.cjs": "import('./b.mjs').then(() => console.log(Object.keys(require.cache).length, require('node:util').types.isProxy(require.cache)))"})  # fmt: skip
    assert box.run("--identity=node", "main.cjs").stdout == b"1 false\n"
