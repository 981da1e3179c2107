"""Programs that replace parts of CommonJS or inspect them: Module, its hooks, the main module, `module` itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rig import Box

LOG = """
const Module = require('module'), log = [];
const { require: ownRequire } = Module.prototype, { _load: ownLoad, _resolveFilename: ownResolve } = Module;
Module.prototype.require = function (id) { log.push('require ' + id); return ownRequire.call(this, id); };
Module._load = function (request, parent, isMain) {
  if (this !== Module) throw new Error('not called on Module');
  log.push(`load ${request} ${parent?.filename === __filename} ${isMain}`);
  return request === 'virtual' ? 'made up' : ownLoad.apply(this, arguments);
};
Module._resolveFilename = function (request, parent, isMain, options) {
  log.push(`resolve ${request} ${isMain} ${JSON.stringify(options)}`);
  return ownResolve.call(this, request === 'alias' ? './dep.cjs' : request, parent, isMain, options);
};
const report = () => console.log(log.splice(0).join('\\n'));
"""
PRELOAD = "const M = require('module'), own = M._extensions['.js']; globalThis.hits = []; "
COUNTS = PRELOAD + "M._extensions['.js'] = (m, f) => { hits.push(require('path').basename(f)); return own(m, f); };"
REPLACES = (
    PRELOAD
    + "M._extensions['.js'] = (m, f) => m._compile(require('fs').readFileSync(f, 'utf8').replaceAll('WORD', '1'), f);"
)

# name -> files (the first is run, after --preload of hook.cjs if present), expected output
PROGRAMS: dict[str, tuple[dict[str, Any], str]] = {
    "hooks are asked in Node's order, once for each": (
        {
            "a.cjs": LOG + "console.log(require('virtual'), require('alias'), require('./dep.cjs') === 'dep'); report(); require('./dep.cjs'); report(); require('node:fs'); report(); require.resolve('alias', { paths: [__dirname] }); report()",
            "dep.cjs": "module.exports = 'dep'",
        },
        "made up dep true\n"
        "require virtual\nload virtual true false\n"
        "require alias\nload alias true false\nresolve alias false undefined\n"
        "require ./dep.cjs\nload ./dep.cjs true false\nresolve ./dep.cjs false undefined\n"
        "require ./dep.cjs\nload ./dep.cjs true false\nresolve ./dep.cjs false undefined\n"
        "require node:fs\nload node:fs true false\n"
        'resolve alias false {"paths":["<dir>"]}\n',
    ),
    "a module that is replaced on an instance": (
        {"a.cjs": "module.require = (id) => 'own ' + id; console.log(require('x'))"},
        "own x\n",
    ),
    "extensions of one's own": (
        {
            "a.cjs": "require.extensions['.txt'] = (m, f) => { m.exports = require('fs').readFileSync(f, 'utf8').trim(); };\n"
            "require.extensions['.custom'] = (m, f) => m._compile('module.exports = \"custom\"', f);\n"
            "require.extensions['.test.js'] = (m) => { m.exports = 'test'; };\n"
            "console.log(require('./t.txt'), require('./c'), require('./folder'), require('./u.test.js'), require('./u.js'));\n"
            "delete require.extensions['.custom']; try { require('./d') } catch (e) { console.log(e.code) }",
            "t.txt": "text\n", "c.custom": "", "d.custom": "", "folder/index.custom": "", "u.test.js": "", "u.js": "module.exports = 'plain'",
        },
        "text custom custom test plain\nMODULE_NOT_FOUND\n",
    ),
    "the hook of .ts, and what it is without": (
        {
            "a.cjs": "const own = require.extensions['.ts']; console.log(typeof own, Object.keys(require.extensions).join());\n"
            "require.extensions['.ts'] = (m, f) => m._compile('module.exports = \"hooked\"', f); console.log(require('./b.ts'));\n"
            "require.extensions['.ts'] = own; console.log(require('./c.ts').x);\n"
            "require.extensions['.js'] = require.extensions['.ts']; console.log(require('./d.js'))",
            "b.ts": "", "c.ts": "enum E { A = 7 } exports.x = E.A as number", "d.js": "module.exports = 8 as number",
        },
        "function .js,.json,.node,.ts,.cts,.mjs,.mts\nhooked\n7\n8\n",
    ),
    "a _compile that changes the text": (
        {
            "a.cjs": "const own = require.extensions['.js'];\n"
            "require.extensions['.js'] = (m, f) => { const compile = m._compile; m._compile = function (code, file) { return compile.call(this, code.replace('ONE', '1'), file); }; own(m, f); };\n"
            "console.log(require('./b.js'), require('./c.cjs'), require('./d.js').default)",
            "b.js": "module.exports = ONE", "c.cjs": "module.exports = ONE + 1", "d.js": "export default 3",
        },
        "1 2 3\n",
    ),
    "fs.readFileSync in place of the text": (
        {
            "a.cjs": "const fs = require('fs'), own = fs.readFileSync; let calls = 0;\n"
            "fs.readFileSync = (...args) => { if (!/\\.js(on)?$/.test(args[0])) return own(...args); calls++; return args[0].endsWith('n') ? Buffer.from('{\"p\":1}') : 'module.exports = \"patched\"'; };\n"
            "console.log(require('./b.js'), require('./c.json'), calls); fs.readFileSync = () => 42; try { require('./d.js') } catch (e) { console.log(e.name) }\n"
            "fs.readFileSync = own; console.log(require('./d.js'))",
            "b.js": "", "c.json": "{}", "d.js": "module.exports = 'original'",
        },
        'patched {\n  p: 1,\n} 2\nTypeError\noriginal\n',
    ),
    "a wrapper of one's own": (
        {
            "a.cjs": "const Module = require('module'), [head] = Module.wrapper; Module.wrapper[0] = head + 'const extra = 5;';\n"
            "const m = new Module('x'); m._compile('exports.v = extra', '/x/y.js'); Module.wrapper[0] = head; console.log(m.exports.v, JSON.stringify(Module.wrap('1')))",
        },
        '5 "(function (exports, require, module, __filename, __dirname) { 1\\n});"\n',
    ),
    "Module.wrap of one's own": (
        {
            "a.cjs": "const Module = require('module'), { wrap } = Module; Module.wrap = function (text) { console.log(this === Module); return wrap('var extra = 1;' + text) };\n"
            "console.log(require('./b.cjs'), require('./c.ts'), require('./d.json').d); Module.wrap = wrap; console.log(require('./e.js'));\n"
            "Module.wrapper = ['(function (exports) { exports.head = 1;', '})']; console.log(JSON.stringify(require('./f.js')));\n"
            "Module.wrap = () => '('; try { require('./g.js') } catch (e) { console.log(e.name) }",
            "b.cjs": "module.exports = extra + 1", "c.ts": "const c: number = extra; module.exports = c", "d.json": '{"d":4}',
            "e.js": "module.exports = typeof extra", "f.js": "exports.tail = 2", "g.js": "exports.g = 1",
        },
        "true\ntrue\n2 1 4\nundefined\n{\"head\":1,\"tail\":2}\nSyntaxError\n",
    ),
    "a module by hand": (
        {
            "a.cjs": "const Module = require('module'); const m = new Module('/else/where.js', module); console.log(m.id, m.path, m.filename, m.loaded, m.parent === module, module.children.includes(m));\n"
            "m.load(__dirname + '/sub/b.js'); console.log(m.loaded, m.exports.where, JSON.stringify(m.paths) === JSON.stringify(Module._nodeModulePaths(__dirname + '/sub')));\n"
            "const bad = new Module('bad'); try { bad.load(__dirname + '/throws.js') } catch (e) { console.log(e.message, bad.loaded) }",
            "sub/b.js": "exports.where = require('path').basename(__dirname)", "throws.js": "throw new Error('boom')",
        },
        "/else/where.js /else null false true true\ntrue sub true\nboom false\n",
    ),
    "what the entry knows of itself": (
        {"a.cjs": "console.log(module.parent, module.id, module.loaded, require.main === module, process.mainModule === module, module.children.length, module.isPreloading, module.paths[0] === __dirname + '/node_modules', process._eval)"},
        "null . false true true 0 false true undefined\n",
    ),
    "what a required module knows": (
        {"a.cjs": "console.log(require('./b.cjs').join())", "b.cjs": "module.exports = [module.parent.id, module.parent === require.main, module.id === __filename]"},
        ".,true,true\n",
    ),
    "names by hand": (
        {
            "a.cjs": "const Module = require('module'); console.log(Module._resolveFilename('./b.cjs', module) === require.resolve('./b.cjs'), Module._resolveFilename('fs'), Module._resolveFilename('./b.cjs', null, false, { paths: [__dirname] }) === __dirname + '/b.cjs');\n"
            "const parent = new Module('/some/where/x.js'); parent.filename = '/some/where/x.js'; parent.paths = Module._nodeModulePaths('/some/where');\n"
            "try { Module._resolveFilename('p', parent) } catch (e) { console.log(e.code, e.requireStack) }\n"
            "console.log(Module._resolveFilename('p', parent, false, { paths: [__dirname] }) === require.resolve('p'));\n"
            "for (const paths of ['/x', new Set(), [{}], [1]]) try { Module._resolveFilename('p', null, false, { paths }) } catch (e) { console.log(e.code) }\n"
            "try { require.resolve('gone', { paths: ['nowhere'] }) } catch (e) { console.log(e.code) }\n"
            "console.log(Module._resolveLookupPaths('foo'), Module._resolveLookupPaths('./b', { filename: '/baz/abc' }), Module._resolveLookupPaths('./b', {}), Module._resolveLookupPaths('b', { paths: ['a'] }), Module._resolveLookupPaths('fs'));\n"
            "console.log(Module._nodeModulePaths('/a/node_modules/b/../c').join(), Module._nodeModulePaths('.').at(-1), Module._findPath('./b.cjs', [__dirname]) === __dirname + '/b.cjs', Module._findPath('gone', ['/']));\n"
            "console.log(require.resolve.paths('p')[0] === __dirname + '/node_modules', require.resolve.paths('./p')[0] === __dirname, require.resolve.paths('fs'))",
            "b.cjs": "", "node_modules/p/index.js": "",
        },
        "true fs true\nMODULE_NOT_FOUND [ \"/some/where/x.js\" ]\ntrue\nERR_INVALID_ARG_VALUE\nERR_INVALID_ARG_VALUE\nERR_INVALID_ARG_TYPE\nERR_INVALID_ARG_TYPE\nMODULE_NOT_FOUND\n"
        "[] [ \"/baz\" ] [ \".\" ] [ \"a\" ] null\n/a/node_modules/c/node_modules,/a/node_modules,/node_modules /node_modules true false\ntrue true null\n",
    ),
    "folders that are added to module.paths": (
        {
            "a.cjs": "module.paths.push(__dirname + '/extra', __dirname + '/more/node_modules'); console.log(require('p'), require('q'))",
            "extra/p.js": "module.exports = 'p'", "more/node_modules/q/package.json": {"exports": "./main.js"}, "more/node_modules/q/main.js": "module.exports = 'q'",
        },
        "p q\n",
    ),
    "folders that come first in module.paths": (
        {
            "a.cjs": "module.paths.unshift(__dirname + '/lib'); console.log(require('p/package'), require('q'), require('p/package.json').own)",
            "lib/p/package.js": "module.exports = 'lib'", "lib/q.js": "module.exports = 'q of lib'",
            "node_modules/p/package.json": {"own": True}, "node_modules/q/index.js": "module.exports = 'q'",
        },
        "lib q of lib true\n",
    ),
    "Module._load without a module": (
        {
            "a.cjs": "const Module = require('module'); console.log(Module._load(__dirname + '/b.cjs'), typeof Module._load('fs', { filename: __filename }).readFileSync);\n"
            "const parent = { filename: __filename }; Module._load('./c.cjs', parent); console.log(require.cache[require.resolve('./c.cjs')].parent === parent)",
            "b.cjs": "module.exports = 'b'", "c.cjs": "",
        },
        "b function\ntrue\n",
    ),
    "another main": (
        {
            "a.cjs": "process.argv.splice(1, 1, __dirname + '/b.cjs'); require('module').runMain()",
            "b.cjs": "console.log(require.main === module, module.id, process.argv.length)",
        },
        "true . 2\n",
    ),
    "another main that is an ES module": (
        {
            "a.cjs": "process.argv[1] = __dirname + '/b.mjs'; require('module').runMain(); console.log('first')",
            "b.mjs": "import './c.mjs'; console.log(typeof module)", "c.mjs": "await 1; console.log('c')",
        },
        "first\nc\nundefined\n",
    ),
    "a preload that sees the main module": (
        {"a.js": "require('./b.js'); require('./c.cjs'); console.log(hits.join())", "b.js": "exports.x = 1", "c.cjs": "exports.x = 1", "hook.cjs": COUNTS},
        "a.js,b.js,c.cjs\n",
    ),
    "a preload that sees what ES modules import": (
        {"a.mjs": "import './b.js'; await import('./c.cjs'); import './d.js'; console.log(hits.join())", "b.js": "exports.x = 1", "c.cjs": "exports.x = 1", "d.js": "export {}", "hook.cjs": COUNTS},
        "b.js,c.cjs\n",
    ),
    "a preload that changes texts": (
        {"a.mjs": "import b from './b.js'; import './c.js'; console.log(b)", "b.js": "module.exports = require('./c.js').v + WORD", "c.js": "exports.v = WORD", "hook.cjs": REPLACES},
        "2\n",
    ),
    "a preload in place of the main module's start": (
        {
            "a.js": "console.log('main')",
            "hook.cjs": "const M = require('module'), own = M.runMain; console.log(module.isPreloading, M.prototype.isPreloading); M.runMain = (...args) => { console.log('before', args.length, new M('x').isPreloading); return own(...args); };",
        },
        "true true\nbefore 1 false\nmain\n",
    ),
    "a preload that does not start it": ({"a.js": "console.log('never')", "hook.cjs": "require('module').runMain = () => console.log('instead')"}, "instead\n"),
    "createRequire": (
        {
            "a.mjs": "import Module, { createRequire } from 'module'; console.log(createRequire(import.meta.url)('./b.cjs'), createRequire(import.meta.dir + '/')('./b.cjs'), createRequire(new URL('./x/y.js', import.meta.url))('../b.cjs'));\n"
            "for (const bad of ['./x', undefined, 1, {}]) try { createRequire(bad) } catch (e) { console.log(e.code) }",
            "b.cjs": "module.exports = 'b'",
        },
        "b b b\n" + "ERR_INVALID_ARG_VALUE\n" * 4,
    ),
    "an ES module has no module": (
        {"a.mjs": "export {}; console.log(typeof module, typeof exports, typeof require, typeof __filename, require.main === module, module !== require.main, import.meta.main); try { module.exports = 1 } catch (e) { console.log(e.message) } import './b.mjs'", "b.mjs": "export {}; console.log(require.main == module, require.main != module)"},
        "false true\nundefined undefined function string true false true\nmodule is not defined\n",
    ),
    "a module that is told apart by typeof": (
        {"a.mjs": "import { kind } from 'umd'; console.log(kind)", "node_modules/umd/package.json": {"type": "module"}, "node_modules/umd/index.js": "export const kind = typeof module === 'object' && module.exports ? 'commonjs' : 'module'"},
        "module\n",
    ),
    '"use strict" alone is CommonJS': (
        {"a.mjs": "import x, * as all from './b.js'; console.log(x, Object.keys(all).join())", "b.js": "'use strict'; const a = 1"},
        "{} default\n",
    ),
    "a function as the body of an if": ({"a.js": "if (1) function f() {} else function g() {}\nlabel: function h() {}\nconsole.log(typeof f, typeof h)"}, "undefined undefined\n"),
    "the same in CommonJS": ({"a.cjs": "if (1) function f() {}\nconsole.log(typeof f)"}, "function\n"),
    "only a script may have it": ({"a.js": "for (var i = 0 in {}); var public = 1; console.log('\\01'.length, i, public)", "b.js": ""}, "1 0 1\n"),
    "the same, required and imported": (
        {"a.mjs": "import './b.js'; import.meta.require('./c.js'); import('./d.js').then(() => console.log(globalThis.seen.join()))"} | {f"{name}.js": f"var let = '{name}'; (globalThis.seen ??= []).push(let)" for name in "bcd"},
        "b,c,d\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(box: Box, name: str) -> None:
    files, printed = PROGRAMS[name]
    box.write(files)
    preload = ("--preload", "./hook.cjs") if "hook.cjs" in files else ()
    done = box.run(*preload, next(iter(files)))
    assert done.stderr.decode() == ""
    assert done.stdout.decode() == printed.replace("<dir>", str(box.folder))


@pytest.mark.parametrize("flag", ["-e", "-p"])
def test_evaluated_code_knows_its_text(box: Box, flag: str) -> None:
    code = "console.log([process._eval, module.id, module.parent, require.main === module, typeof exports].join())"
    done = box.run(flag, code)
    assert done.stdout.decode().splitlines()[0] == f"{code},.,,true,object", done.stderr


def test_code_from_standard_input_has_a_source(box: Box) -> None:
    box.write({"code": "console.log(JSON.stringify([process._eval, module.id]))"})
    with open(box.folder / "code", "rb") as code:
        done = box.run("-", stdin=code)
    assert json.loads(done.stdout) == ["console.log(JSON.stringify([process._eval, module.id]))", "."]
