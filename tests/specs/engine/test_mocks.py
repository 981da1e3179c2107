"""Mocks of node:test compared with Node: properties, timers with dates, signals and promises, errors."""

from __future__ import annotations

import subprocess

import js_peers as peers
from rig import Box, executable

PROGRAM = r"""
const { test } = require('node:test');
const { inspect } = require('node:util');
const scheduler = require('node:timers/promises');
const say = (f) => { try { console.log(inspect(f())); } catch (e) { console.log(e.code, e.name, e.message); } };
test('a', async (t) => {
  const o = { x: 1 }; Object.defineProperty(o, 'fixed', { value: 1, configurable: true });
  say(() => t.mock.property(o, 'none', 1));
  say(() => t.mock.property(null, 'x', 1));
  const p = t.mock.property(o, 'x', 2);
  say(() => [o.x, p.mock.accessCount()]);
  p.mock.mockImplementation(9);
  say(() => [o.x, p.mock.accessCount(), p.mock.accesses.map((a) => [a.type, a.value])]);
  say(() => p.mock.mockImplementationOnce(1, 0));
  say(() => p.mock.mockImplementationOnce(1, 'a'));
  const f = t.mock.property(o, 'fixed', 2);
  say(() => o.fixed);
  say(() => { 'use strict'; o.fixed = 4; });
  say(() => f.mock.mockImplementation(4));
  say(() => t.mock.method(o, 5));
  say(() => t.mock.method(o, 'x', { getter: 1 }));
  say(() => t.mock.getter(o, 'x', { getter: false }));
  say(() => t.mock.setter(o, 'x', { setter: false }));
  for (const now of [-1, 'a', NaN]) say(() => t.mock.timers.enable({ now }));
  say(() => t.mock.timers.enable({ apis: ['nix'] }));
  say(() => t.mock.timers.setTime(1));
  t.mock.timers.enable({ now: 1000 });
  say(() => [Date.now(), Date.isMock, Date.name, Date.length, new Date().getTime(), new Date(5).getTime(), typeof Date(), `${Date}`, new Date() instanceof Date, Date.UTC(2000, 0), Date.parse('2000')]);
  const s = AbortSignal.timeout(50);
  const w = scheduler.scheduler.wait(60).then((v) => ['waited', v]);
  const q = scheduler.setTimeout(70, 'v');
  say(() => s.aborted);
  t.mock.timers.tick(49);
  say(() => s.aborted);
  t.mock.timers.tick(1);
  say(() => [s.aborted, s.reason.name]);
  t.mock.timers.tick(30); console.log(inspect([await w, await q]));
  const c = new AbortController();
  const r = scheduler.setTimeout(10, 1, { signal: c.signal });
  c.abort();
  await r.catch((e) => console.log(e.name, e.code, e.message));
  let n = 0;
  setTimeout(() => n++, 10);
  t.mock.timers.setTime(5000);
  say(() => [n, Date.now()]);
  t.mock.timers.reset();
  say(() => [Date.isMock, Date.now() > 1e12]);
  for (const options of [null, 5]) say(() => { t.waitFor(() => {}, options); });
  for (const options of [null, { serializers: 1 }, { serializers: [() => '', 1] }]) { say(() => t.assert.snapshot(1, options));
  say(() => t.assert.fileSnapshot(1, 'x', options)); }
});
"""


def test_behaves_as_in_node(box: Box) -> None:
    box.write({"run.cjs": PROGRAM})
    reported = []
    for command in (executable(), peers.node()):
        done = subprocess.run(
            [command, "--test-reporter=dot", "--test-reporter-destination=dots", "run.cjs"],
            cwd=box.folder,
            env=box.environment() | {"NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=60,
        )
        reported.append((done.stdout, done.returncode))
    assert reported[0] == reported[1]
    assert (reported[0][1], reported[0][0].count("\n") > 40) == (0, True)
