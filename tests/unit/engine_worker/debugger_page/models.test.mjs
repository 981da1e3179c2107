// The parts of the debugger's page that need no browser: addresses, positions, conditions, profiles, previews.
import assert from 'node:assert/strict';
import { test } from 'node:test';

const page = '../../../../rt_supervisor/engine_worker/debugger_page';
const { socketUrl } = await import(`${page}/protocol/address.js`);
const { Session } = await import(`${page}/protocol/session.js`);
const { Breakpoints, conditionOf } = await import(`${page}/program/breakpoints.js`);
const { Profile } = await import(`${page}/program/profile.js`);
const { SourceMap } = await import(`${page}/program/source_map.js`);
const { pathOf } = await import(`${page}/program/sources.js`);
const { valueText } = await import(`${page}/views/values.js`);

test('the fragment names the socket', () => {
  assert.equal(socketUrl('#127.0.0.1:9229/abc', '127.0.0.1:9229'), 'ws://127.0.0.1:9229/abc');
  assert.equal(socketUrl('#ws://127.0.0.1:9229/abc', '127.0.0.1:9229'), 'ws://127.0.0.1:9229/abc');
  assert.equal(socketUrl('#[::1]:9229/a/b', '[::1]:9229'), 'ws://[::1]:9229/a/b');
  // The loopback interface under another name is the host that the page came from.
  assert.equal(socketUrl('#127.0.0.1:9229/abc', 'localhost:9229'), 'ws://localhost:9229/abc');
  assert.equal(socketUrl('#127.0.0.1:9230/abc', 'localhost:9229'), 'ws://127.0.0.1:9230/abc');
  for (const fragment of ['', '#', '#9229', '#host/abc', '#host:9229']) assert.equal(socketUrl(fragment, 'localhost:9229'), null);
});

test('a source map leads to the source and back', () => {
  // Line 0 of the script is line 2 of the source; line 1 has no code of the source.
  const map = { version: 3, names: [], sources: ['/w/ä.ts'], sourcesContent: ['a\nb\nc é\n'], mappings: 'AAEA,IAAC' };
  const url = `data:application/json;charset=utf-8;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
  const read = SourceMap.read('file:///w/%C3%A4.ts', url);
  assert.deepEqual(read.sources.map(pathOf), ['/w/ä.ts']);
  const [source] = read.sources;
  assert.equal(read.text(source), 'a\nb\nc é\n');
  assert.deepEqual(read.toSource(0, 5), { url: source, line: 2, column: 1 });
  assert.deepEqual(read.toSource(1, 0), { url: source, line: 2, column: 1 }); // what precedes it
  assert.deepEqual(read.toScript(source, 0), { line: 0, column: 0 }); // the next line with code
  assert.equal(read.toScript(source, 3), null);
  for (const bad of [undefined, '', 'a.js.map', 'data:application/json;base64,e30=', 'data:application/json;base64,%']) {
    assert.equal(SourceMap.read('file:///w/a.ts', bad), null);
  }
});

test('a source map in a file is loaded, and knows the parts of a line', async () => {
  // Line 0 of the script: column 0 is line 0, column 4 and 8 are columns 2 and 6 of line 1. Line 1: column 0 is column 8 of line 1.
  const map = { version: 3, names: [], sources: ['../src/a.ts'], mappings: 'AAAA,IACE,IAAI;AAAE' };
  const loaded = [];
  const load = (text) => (url) => (loaded.push(url), Promise.resolve(text));
  const read = await SourceMap.load('file:///w/dist/a.js', 'maps/a.js.map', load(`)]}'\n${JSON.stringify(map)}`));
  assert.deepEqual(loaded, ['file:///w/dist/maps/a.js.map']);
  const source = 'file:///w/dist/src/a.ts'; // relative to the map
  assert.deepEqual(read.sources, [source]);
  assert.equal(read.isWhole, false);
  assert.equal(read.text(source), null);
  assert.deepEqual(read.toScript(source, 1), { line: 0, column: 4 });
  assert.deepEqual(read.toScript(source, 1, 3), { line: 0, column: 8 });
  assert.deepEqual(read.rangesOf(source, 1), [
    { line: 0, from: 4, to: 8 },
    { line: 1, from: 0, to: 0 },
  ]);
  assert.deepEqual(read.rangesOf(source, 2), []);
  for (const text of [null, '', 'not JSON', '{}', '{"version":3,"sources":[],"mappings":""}'])
    assert.equal(await SourceMap.load('file:///w/dist/a.js', 'a.js.map', load(text)), null);
});

test('breakpoints of one line are told apart by their columns', () => {
  const breakpoints = new Breakpoints();
  const url = 'file:///w/a.ts';
  breakpoints.toggleAt({ url, line: 1, column: 9 });
  breakpoints.put({ url, line: 1 }, { condition: 'a' });
  breakpoints.put({ url, line: 1, column: 9 }, { log: 'b' });
  assert.deepEqual(
    breakpoints.on(url, 1).map(({ column, condition, log }) => [column, condition, log]),
    [
      [null, 'a', ''],
      [9, '', 'b'],
    ],
  );
  breakpoints.toggleAt({ url, line: 1, column: 9 });
  assert.equal(breakpoints.at({ url, line: 1, column: 9 }), undefined);
  breakpoints.toggle(url, 1); // removes all that are left
  assert.deepEqual(breakpoints.all, []);
});

test('a log point prints and never pauses', () => {
  assert.equal(conditionOf({ condition: 'a > 1', log: '' }), 'a > 1');
  assert.equal(conditionOf({ condition: '', log: "'a', a" }), "(console.log('a', a), false)");
  assert.equal(conditionOf({ condition: 'a, b', log: 'a' }), '(a, b) && (console.log(a), false)');
});

test('a session answers, refuses and ends', async () => {
  const sent = [];
  const session = new Session((text) => sent.push(JSON.parse(text)));
  const events = [];
  session.on('Debugger.paused', (event) => events.push(event.reason));
  const calls = [session.call('A.b', { c: 1 }), session.attempt('A.c'), session.attempt('A.d')];
  assert.deepEqual(sent[0], { id: 1, method: 'A.b', params: { c: 1 } });
  session.receive('{"id":1,"result":{"d":2}}');
  session.receive('{"id":2,"error":{"code":-32601,"message":"not found"}}');
  session.receive('{"method":"Debugger.paused","params":{"reason":"other"}}');
  session.close();
  assert.deepEqual(await Promise.all(calls), [{ d: 2 }, null, null]);
  assert.deepEqual(events, ['other']);
  await assert.rejects(session.call('A.e'), /not connected/);
});

test('a profile adds up what its samples say', () => {
  const node = (id, functionName, url, children) => ({
    id,
    children,
    callFrame: { functionName, scriptId: '1', url, lineNumber: id, columnNumber: 0 },
  });
  const nodes = [
    node(1, '(root)', '', [2, 4]),
    node(2, 'outer', 'file:///a.ts', [3]),
    node(3, 'inner', 'node:fs'),
    node(4, '(idle)', ''),
  ];
  // outer for 1 ms, inner in it for 2 ms, outer for 1 ms, idle for 6 ms.
  const raw = { nodes, startTime: 0, endTime: 10_000, samples: [2, 3, 2, 4], timeDeltas: [0, 1000, 2000, 1000] };
  const profile = new Profile(raw, { toSource: ({ lineNumber }) => ({ url: 'file:///a.ts', line: lineNumber, column: 0 }) });
  const times = profile.functions.map(({ name, selfMs, totalMs, isRuntime }) => [name, selfMs, totalMs, isRuntime]);
  assert.deepEqual(times.sort(), [
    ['inner', 2, 2, true],
    ['outer', 2, 4, false],
  ]);
  const calls = profile.calls.map(({ time, depth, startMs, endMs }) => [time.name, depth, startMs, endMs]);
  assert.deepEqual(calls, [
    ['outer', 0, 0, 4],
    ['inner', 1, 1, 3],
  ]);
  assert.equal(profile.depth, 2);
});

test('values as text', () => {
  const preview = (properties, rest) => ({ type: 'object', overflow: false, properties, ...rest });
  const number = { name: '0', type: 'number', value: '1' };
  assert.equal(valueText({ type: 'string', value: 'a"b' }), '"a\\"b"');
  assert.equal(valueText({ type: 'number', unserializableValue: '-0', description: '-0' }), '-0');
  assert.equal(valueText({ type: 'undefined' }), 'undefined');
  assert.equal(valueText({ type: 'object', subtype: 'null', value: null }), 'null');
  assert.equal(valueText({ type: 'function', description: 'async function go(a) { }' }), 'async ƒ go()');
  assert.equal(valueText({ type: 'function', description: 'class A extends B { }' }), 'class A extends B');
  assert.equal(valueText({ type: 'object', description: 'Object', preview: preview([{ ...number, name: 'a' }]) }), '{a: 1}');
  const list = { type: 'object', subtype: 'array', className: 'Array', description: 'Array(1)', preview: preview([number]) };
  assert.equal(valueText(list), '(1) [1]');
  const entries = [
    { key: { type: 'string', description: 'k', properties: [] }, value: { type: 'number', description: '2', properties: [] } },
  ];
  const map = { type: 'object', subtype: 'map', description: 'Map(1)', preview: preview([], { entries }) };
  assert.equal(valueText(map), "Map(1) {'k' => 2}");
});
