"""Node modules that are not implemented can be imported in every way; their functions throw when called, not before."""

from __future__ import annotations

import json
import re
from pathlib import Path

from rig import Box

LIBRARY = Path(__file__).parents[3] / "rt_supervisor" / "engine_worker" / "js"

EVERY_WAY = """
import { createRequire, builtinModules } from 'node:module';
const require = createRequire(import.meta.url);
let count = 0;
for (const name of builtinModules) {
  const names = name.startsWith('node:') ? [name] : [name, `node:${name}`];
  for (const each of names) {
    const required = require(each);
    const imported = (await import(each)).default;
    const main = required.__esModule ? required.default : required;
    if (main !== imported || process.getBuiltinModule(each) !== required) throw new Error(each);
  }
  count++;
}
console.log(count === builtinModules.length && count > 60);
"""

CALLS = """
const wrong = [];
for (const id of MISSING) {
  const exported = require(`node:${id}`);
  for (const [name, value] of Object.entries(exported)) {
    if (typeof value !== 'function') continue;
    for (const act of [() => value(), () => new (class extends value {})()]) {
      try {
        act();
        wrong.push(`${id}.${name}`);
      } catch (error) {
        const isRefusal = error.code === 'ERR_NOT_IMPLEMENTED' && error.message.includes(id.includes(':') ? ` ${id} ` : `node:${id}`);
        if (!isRefusal && !/not a constructor/.test(error.message)) wrong.push(`${id}.${name}: ${error.message}`);
      }
    }
  }
}
console.log(JSON.stringify(wrong));
"""


def output_of(box: Box, name: str, code: str) -> str:
    box.write({name: code})
    result = box.run(name)
    assert result.stderr == b""
    return result.stdout.decode()


def test_every_built_in_imports_in_every_way(box: Box) -> None:
    assert output_of(box, "a.mjs", EVERY_WAY) == "true\n"


def test_modules_that_require_the_prefix_exist_only_with_it(box: Box) -> None:
    code = "try { require('sea') } catch (error) { console.log(error.code, typeof require('node:sea')) }"
    assert output_of(box, "a.cjs", code) == "MODULE_NOT_FOUND object\n"


def test_members_of_missing_modules_throw_at_the_call(box: Box) -> None:
    missing = sorted(table_rows())
    assert output_of(box, "a.cjs", f"const MISSING = {json.dumps(missing)};\n{CALLS}") == "[]\n"


def test_every_row_is_in_the_list_of_missing_modules() -> None:
    text = (LIBRARY / "node/module/builtins.js").read_text()
    listed = re.search(r"const MISSING = setOf\(\[(.*?)\]\)", text, re.DOTALL)
    assert listed is not None
    assert set(re.findall(r"'([^']*)'", listed[1])) == table_rows()


def table_rows() -> set[str]:
    text = (LIBRARY / "node/missing/table.js").read_text()
    return set(re.findall(r"^  '?([\w/:]+)'?: (?:\{|[a-z][a-zA-Z]+[A-Z]\w+,$)", text, re.MULTILINE))


REFUSED = """
const reported = [];
const attempt = async (name, work) => {
  try {
    await work();
    reported.push(`${name}: nothing`);
  } catch (error) {
    reported.push(`${name}: ${error.code} ${error.message}`);
  }
};
const isClass = (name) => name[0] === name[0].toUpperCase() && name !== 'FFI';
for (const name of process.argv.slice(1)) {
  const part = RT[name];
  if (part !== RT[name]) throw new Error(`${name} is made twice`);
  if (typeof part === 'function') await attempt(name, () => (isClass(name) ? new (class extends part {})() : part()));
  const owners = isClass(name) ? [part, part.prototype] : [typeof part === 'function' ? {} : part];
  for (const owner of owners)
    for (const key of Object.getOwnPropertyNames(owner))
      if (typeof owner[key] === 'function' && key !== 'constructor') await attempt(`${name}.${key}`, () => owner[key]());
}
console.log(reported.join('\\n'));
"""
PARTS = "FFI FetchSession Image ModuleGraph S3Client Terminal WebView build jest openInEditor registerMacro s3 secrets"


def test_missing_members_of_the_global_throw_when_called(box: Box) -> None:
    result = box.run("-e", REFUSED, *PARTS.split())
    assert result.returncode == 0, result.stderr.decode()
    lines = result.stdout.decode().splitlines()
    assert len(lines) > 90
    for line in lines:
        assert re.fullmatch(r"[\w.]+: ERR_NOT_IMPLEMENTED \w+ of RT(\.\w+)? is not implemented by rt", line), line
