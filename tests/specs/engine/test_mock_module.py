"""`mock.module` compared with Node: packages, files and built-ins by `import` and `require`, caching, restoring,
errors.
"""

from __future__ import annotations

import subprocess

import js_peers as peers
import pytest
from rig import Box, executable

FILES = {
    "script.cjs": "module.exports = { own: 1 };\n",
    "module.mjs": "export const own = 1;\nexport default 2;\n",
    "user.mjs": "import { own } from './module.mjs';\nimport fs from 'node:fs';\nexport const seen = [own, typeof fs.readFileSync];\n",
    "data.json": '{ "own": 1 }\n',
    "node_modules/dep/package.json": '{ "main": "./main.js" }\n',
    "node_modules/dep/main.js": "exports.dep = true;\n",
}
BEGIN = """
const { test } = require('node:test');
const { inspect } = require('node:util');
const show = (...values) => console.log(values.map((value) => inspect({ ...value })).join(' '));
const attempt = (work) => { try { show(work()); } catch (error) { console.log(error.code, error.name, error.message); } };
"""
CASES = {
    "refused": """test('one', (t) => {
  for (const [specifier, options] of [[5], ['./script.cjs', null], ['./script.cjs', { cache: 5 }], ['./script.cjs', { namedExports: null }],
    ['./script.cjs', { exports: 3 }], ['./script.cjs', { exports: {}, namedExports: {} }], ['./script.cjs', { exports: {}, defaultExport: 1 }]])
    attempt(() => t.mock.module(specifier, options));
  t.mock.module('./script.cjs');
  attempt(() => t.mock.module('./script.cjs'));
});""",
    "both ways of loading": """test('one', async (t) => {
  const exports = { default: { a: 1 }, b: 2 };
  for (const name of ['./script.cjs', './module.mjs', 'dep', 'fs', 'node:path']) {
    t.mock.module(name, { exports: { ...exports, default: { ...exports.default } } });
    attempt(() => require(name));
    show(await import(name));
  }
  t.mock.reset();
  show(require('./script.cjs'), await import('./module.mjs'), require('dep'), { fs: typeof require('fs').readFileSync });
});""",
    "names on a default that takes none": """test('one', async (t) => {
  t.mock.module('./script.cjs', { defaultExport: null, namedExports: { a: 1 } });
  attempt(() => require('./script.cjs'));
  await import('./script.cjs').catch((error) => console.log(error.message));
  t.mock.module('./module.mjs', { defaultExport: 4, namedExports: { a: 1 } });
  show(await import('./module.mjs'));
});""",
    "what imports it sees the mock": """test('one', async (t) => {
  t.mock.module('./module.mjs', { exports: { own: 'mocked' } });
  t.mock.module('node:fs', { exports: { default: { readFileSync: 3 } } });
  console.log(inspect((await import('./user.mjs')).seen));
});""",
    "one or many": """test('one', async (t) => {
  for (const cache of [true, false]) {
    for (const name of ['./script.cjs', './module.mjs', 'node:os']) {
      const original = require(name);
      const mock = t.mock.module(name, { cache, exports: { x: {} } });
      console.log(require(name) === require(name), await import(name) === await import(name), require(name).x === (await import(name)).x);
      mock.restore();
      mock.restore();
      console.log(require(name) === original, require(name).x);
    }
  }
});
test('restored by itself', async (t) => {
  await t.test('inside', (t) => { t.mock.module('dep', { exports: { x: 1 } }); show(require('dep')); });
  show(require('dep'));
  const url = require('node:url').pathToFileURL(`${__dirname}/module.mjs`);
  t.mock.module(url, { exports: { x: 1 } });
  show(await import('./module.mjs'), await import(`${url}`));
});""",
}


@pytest.mark.parametrize("name", CASES)
def test_behaves_as_in_node(box: Box, name: str) -> None:
    box.write(FILES | {"run.cjs": f"{BEGIN}{CASES[name]}\n"})
    reported = []
    for command in (executable(), peers.node()):
        done = subprocess.run(
            [
                command,
                "--no-warnings",
                "--experimental-test-module-mocks",
                "--test-reporter=dot",
                "--test-reporter-destination=dots",
                "run.cjs",
            ],
            cwd=box.folder,
            env=box.environment() | {"NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=60,
        )
        reported.append((done.stdout, done.stderr, done.returncode))
    assert reported[0] == reported[1]
    assert reported[0][2] == 0


def test_a_mock_of_json_needs_its_attribute(box: Box) -> None:
    code = """
        const { mock } = require('node:test');
        mock.module('./data.json', { exports: { default: 5 } });
        import('./data.json').catch((error) => console.log(error.name, error.code));
        import('./data.json', { with: { type: 'json' } }).then((module) => console.log(module.default));
    """
    box.write(FILES | {"run.cjs": code})
    outputs = []
    for command in ([executable(), "--identity=node"], [peers.node()]):
        flags = ["--no-warnings", "--experimental-test-module-mocks"]
        done = subprocess.run(
            [*command, *flags, "run.cjs"], cwd=box.folder, env=box.environment(), capture_output=True, timeout=60
        )
        outputs.append(sorted(done.stdout.splitlines()))
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) == 2
