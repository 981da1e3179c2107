"""The resolver and the runtime agree on the built-in modules."""

from __future__ import annotations

import json

from rig import Box

from rt_supervisor.engine_worker.modules.builtin_names import BUILTINS


def test_both_halves_name_the_same_modules(box: Box) -> None:
    result = box.run("-p", "JSON.stringify(require('node:module').builtinModules)")
    assert sorted(json.loads(result.stdout)) == sorted(BUILTINS)


PEERS = """
import RT0, { serve, $ } from 'rt'; import * as all from 'bun'; import { test } from 'bun:test'; import { dlopen } from 'rt:ffi';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
console.log(RT0 === RT, serve === RT.serve, $ === RT.$, all.default === Bun, require('bun') === Bun, require('rt') === RT);
console.log((await import('rt')).Glob === RT.Glob, typeof require('rt:jsc').heapStats, require('rt:test').test === test);
for (const call of [() => test('a', () => {}), () => dlopen('a', {}), () => require('bun:test').jest.fn()]) {
  try { call() } catch (error) { console.log(error.code, error.message) }
}
"""


def test_the_modules_of_bun_are_the_global_or_throw_when_called(box: Box) -> None:
    box.write({"a.mjs": PEERS})
    assert box.run("a.mjs").stdout.decode().splitlines() == [
        "true true true true true true",
        "true function false",
        "ERR_NOT_IMPLEMENTED test of bun:test is not implemented by rt",
        "ERR_NOT_IMPLEMENTED dlopen of rt:ffi is not implemented by rt",
        "ERR_NOT_IMPLEMENTED jest.fn of bun:test is not implemented by rt",
    ]


def test_features_are_turned_on_by_a_flag(box: Box) -> None:
    box.write({"a.ts": "import { feature } from 'bun:bundle';\nimport { Worker, isMainThread } from 'node:worker_threads';\nconsole.log(isMainThread, feature('A') ? 1 : 0, feature('B') ? 1 : 0, feature('C') ? 1 : 0);\nif (isMainThread) new Worker(new URL(import.meta.url));"})  # fmt: skip
    assert box.run("--feature=A", "--feature", "B", "a.ts").stdout == b"true 1 1 0\nfalse 1 1 0\n"
    assert box.run("a.ts").stdout == b"true 0 0 0\nfalse 0 0 0\n"
