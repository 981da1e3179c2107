'use strict';
// A tour of the library that calls a little of everything, as a function of the folder to write to. Prints 'tour ok', or what
// failed.
module.exports = function (folder) {
  const problems = [];
  const step = (name, f) => { try { const r = f(); if (r !== undefined && r !== true) problems.push(name + ': ' + String(r)); } catch (e) { problems.push(name + ': ' + (e && e.message || e)); } };
  step('console', () => { console.error({ a: [1, { b: new Map([[1, 2]]) }], s: Symbol('x'), e: 5n, d: new Date(0), f() {}, c: class A {}, u: undefined }); });
  step('error', () => { console.error(String(new Error('x').stack).slice(0, 8)); });
  step('buffer', () => Buffer.from('abc').toString('hex') === '616263');
  step('buffer2', () => Buffer.concat([Buffer.alloc(2), Buffer.from([1])]).equals(Buffer.from([0, 0, 1])));
  step('fs', () => { const fs = require('fs'); fs.writeFileSync(folder + '/file', 'x'); return fs.readFileSync(folder + '/file', 'utf8') === 'x' && fs.readdirSync('/').length > 3 && fs.statSync('/tmp').isDirectory(); });
  step('path', () => require('path').join('a', '..', 'b') === 'b');
  step('url', () => new URL('http://a/b?c=d').searchParams.get('c') === 'd');
  step('util', () => require('util').format('%s %j', 1, { a: 1 }) === '1 {"a":1}');
  step('inspect', () => require('util').inspect({ a: [1, new Set([1])] }) === '{ a: [ 1, Set(1) { 1 } ] }');
  step('events', () => { const E = require('events'); const e = new E(); let n = 0; e.on('x', () => n++); e.once('x', () => n++); e.emit('x'); return n === 2; });
  step('child', () => require('child_process').execSync('echo hi').toString() === 'hi\n');
  step('spawnSync', () => require('child_process').spawnSync('echo', ['a']).stdout.toString() === 'a\n');
  step('stream', () => { const s = new (require('stream').Readable)({ read() {} }); s.push('x'); s.push(null); return s.read().toString() === 'x'; });
  step('assert', () => { require('assert').deepStrictEqual({ a: [1] }, { a: [1] }); });
  step('os', () => typeof require('os').hostname() === 'string');
  step('qs', () => require('querystring').parse('a=1').a === '1');
  step('sd', () => new (require('string_decoder').StringDecoder)('utf8').write(Buffer.from('é')) === 'é');
  step('encoder', () => new TextDecoder().decode(new TextEncoder().encode('a')) === 'a');
  step('abort', () => new AbortController().signal.aborted === false);
  step('event', () => { const t = new EventTarget(); let n = 0; t.addEventListener('x', () => n++); t.dispatchEvent(new Event('x')); return n === 1; });
  step('process', () => typeof process.memoryUsage().rss === 'number' && process.env.PATH.length > 0 && process.hrtime().length === 2);
  step('require', () => { require('fs').writeFileSync(folder + '/module.cjs', 'module.exports = 5'); delete require.cache[folder + '/module.cjs']; return require(folder + '/module.cjs') === 5; });
  step('timers', () => { setTimeout(() => {}, 1); setImmediate(() => {}); queueMicrotask(() => {}); });
  step('promises', () => { require('fs').promises.readFile(folder + '/file', 'utf8').then((t) => { if (t !== 'x') throw 1; console.log('late ok'); }); });
  step('import', () => { import('path').then((p) => { if (p.join('a') !== 'a') throw 1; console.log('import ok'); }); });
  step('spawn', () => { const c = require('child_process').spawn('echo', ['z']); c.stdout.on('data', (d) => console.log('child', String(d).trim())); });
  process.on('exit', () => { console.log(problems.length ? problems.join('\n') : 'tour ok'); });
};
