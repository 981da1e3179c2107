"""What modules look like to a program: `import.meta`, namespaces of `require()`, JSON, broken modules, archives, hooks."""

from __future__ import annotations

import pytest
from rig import Box


def run(box: Box, name: str, *arguments: str) -> str:
    done = box.run(*arguments, name)
    return (done.stdout + done.stderr).decode()


@pytest.mark.parametrize(
    "use",
    [
        "",
        "console.log(typeof require, typeof __filename);",
        "import defer * as d from './d.mjs'; console.log(d.x);",
    ],
)
def test_import_meta_shows_nothing_of_the_transpiler(box: Box, use: str) -> None:
    box.write(
        {
            "a.mjs": f"{use}\nconsole.log(Reflect.ownKeys(import.meta).filter((key) => `${{key}}`.startsWith('__')).length);",
            "d.mjs": "export const x = 1",
        }
    )
    assert run(box, "a.mjs").splitlines()[-1] == "0"


def test_a_program_that_mentions_the_transpilers_names_gets_nothing(box: Box) -> None:
    box.write({"a.mjs": "console.log(import.meta.__commonjs);"})
    assert run(box, "a.mjs") == "undefined\n"


def test_require_of_a_module_returns_a_namespace(box: Box) -> None:
    box.write(
        {
            "m.mjs": "export let live = 1; export const next = () => ++live; export default 'd';",
            "plain.mjs": "export const a = 1;",
            "own.mjs": "const value = 7; export { value as 'module.exports' }; export default 1;",
            "a.cjs": "const { isModuleNamespaceObject } = require('util').types; const m = require('./m.mjs'), plain = require('./plain.mjs');\n"
            "console.log(isModuleNamespaceObject(m), isModuleNamespaceObject(plain), Object.keys(m).join(), m.__esModule, plain.__esModule);\n"
            "m.next(); console.log(m.live, m.default, m === require('./m.mjs'), require('./own.mjs'));\n"
            "import('./m.mjs').then((all) => console.log(all === m, all.live, '__esModule' in all)); import('./plain.mjs').then((all) => console.log(all === plain));",
        }
    )
    assert run(box, "a.cjs").splitlines() == [
        "true true __esModule,default,live,next true undefined",
        "2 d true 7",
        "false 2 false",
        "true",
    ]


@pytest.mark.parametrize("statement", ["return;", "var await = 1;", "var yield = 1;"])
@pytest.mark.parametrize("place", ["a.mjs", "esm/a.js", "a.mts"])
def test_a_broken_module_is_not_run_as_commonjs(box: Box, place: str, statement: str) -> None:
    box.write(
        {
            place: f"console.log('ran'); {statement}",
            "esm/package.json": {"type": "module"},
            "import.cjs": f"import('./{place}').catch((error) => console.log(error.name));",
            "require.cjs": f"try {{ require('./{place}') }} catch (error) {{ console.log(error.name) }}",
        }
    )
    done = box.run(place)
    assert (done.stdout, done.returncode) == (b"", 1)
    assert run(box, "import.cjs") == run(box, "require.cjs") == "SyntaxError\n"


def test_a_file_of_unknown_kind_may_be_commonjs(box: Box) -> None:
    box.write(
        {
            "a.js": "console.log('ran'); return;",
            "cjs/package.json": {"type": "commonjs"},
            "cjs/a.js": "var await = 1; console.log(await);",
        }
    )
    assert (run(box, "a.js"), run(box, "cjs/a.js")) == ("ran\n", "1\n")


def test_json_that_is_imported_as_such_has_only_a_default_export(box: Box) -> None:
    box.write(
        {
            "d.json": '{"a": 1, "default": 2}',
            "all.mjs": "import * as all from './d.json' with { type: 'json' }; console.log(Object.keys(all).join(), all.default.a);",
            "dynamic.mjs": "const all = await import('./d.json', { with: { type: 'json' } }); console.log(Object.keys(all).join());",
            "named.mjs": "import { a } from './d.json' with { type: 'json' };",
            "plain.ts": "import { a } from './d.json'; console.log(a);",
        }
    )
    assert (run(box, "all.mjs"), run(box, "dynamic.mjs"), run(box, "plain.ts")) == ("default 1\n", "default\n", "1\n")
    assert "does not provide an export named 'a'" in run(box, "named.mjs")


@pytest.mark.parametrize("name", ["a.cjs", "a.mjs", "a.ts"])
def test_regexp_has_no_state_at_the_start(box: Box, name: str) -> None:
    box.write(
        {
            name: "console.log(JSON.stringify([RegExp.$_, RegExp.lastMatch, RegExp.leftContext, RegExp.rightContext, RegExp.$1]));"
        }
    )
    assert run(box, name) == '["","","","",""]\n'


ARCHIVE = """
const fs = require('fs'), Module = require('module'), path = require('path');
const root = path.join(__dirname, 'a.zip');
const files = {
  'main.js': "console.log('main', require('./dep.js'), require.main === module, path(__filename), process.argv.slice(2).join());",
  'dep.js': "module.exports = 'dep';",
};
globalThis.path = (name) => path.relative(root, name);
const { readFileSync } = fs, { _resolveFilename: resolve } = Module;
fs.readFileSync = (name, ...rest) => {
  const text = typeof name === 'string' && name.startsWith(root) ? files[path.relative(root, name)] : undefined;
  return text === undefined ? readFileSync(name, ...rest) : rest[0] === undefined ? Buffer.from(text) : text;
};
Module._resolveFilename = (request, parent, ...rest) =>
  request.startsWith(root) ? request
  : parent?.filename?.startsWith(root) && request.startsWith('.') ? path.join(path.dirname(parent.filename), request)
  : resolve(request, parent, ...rest);
"""


def test_the_main_module_may_be_inside_an_archive_that_a_preload_reads(box: Box) -> None:
    box.write({"pnp.cjs": ARCHIVE, "a.zip": "the bytes of an archive"})
    for main in ("./a.zip/main.js", str(box.folder / "a.zip/main.js")):
        done = box.run("-r", "./pnp.cjs", main, "x", "y")
        assert (done.stdout, done.stderr) == (b"main dep true main.js x,y\n", b"")
    assert box.run("-r", "./pnp.cjs", "./a.zip/none.js").returncode == 1
    assert box.run("./a.zip/main.js").returncode == 1


def test_hooks_of_register_and_of_register_hooks_together(box: Box) -> None:
    """Those of `registerHooks` run first, and do not see how the module of the others is loaded."""
    box.write(
        {
            "a.mjs": "import { register, registerHooks } from 'node:module';\n"
            "registerHooks({ load(url, context, next) { console.log('load', url.split('/').pop()); return next(url, context); } });\n"
            "process.removeAllListeners('warning'); register('./hooks.mjs', import.meta.url);\n"
            "console.log(Object.keys(await import('./x.mjs')).join(), (await import('virtual:v')).default);",
            "hooks.mjs": "import './part.mjs'; export async function resolve(name, context, next) {"
            " return name.startsWith('virtual:') ? { url: name, shortCircuit: true } : next(name, context); }\n"
            "export async function load(url, context, next) {"
            " if (url.startsWith('virtual:')) return { format: 'module', shortCircuit: true, source: 'export default 7' };"
            " const loaded = await next(url, context); return { ...loaded, source: `${loaded.source}; export const extra = 1` }; }",
            "part.mjs": "export {}",
            "x.mjs": "export const x = 1",
        }
    )
    assert box.run("--no-deprecation", "a.mjs").stdout == b"load x.mjs\nload virtual:v\nextra,x 7\n"
