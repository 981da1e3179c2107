// A Console writes to its `_stdout` and `_stderr`, which a program may replace, and clears terminals only.
const { Console } = require('node:console');
const { Writable } = require('node:stream');

const texts = [];
const collect = (label, properties) =>
  Object.assign(new Writable({ write: (chunk, encoding, done) => (texts.push([label, `${chunk}`]), done()) }), properties);
const own = new Console({ stdout: collect('out'), stderr: collect('err') });
own.log('before');
own._stdout = collect('replaced out');
own._stderr = collect('replaced err');
own.log('after');
own.error('failed');
own.clear();
own._stdout = collect('terminal', { isTTY: true });
process.env.TERM = 'dumb';
own.clear();
process.env.TERM = 'xterm';
own.clear();
for (const [data, properties] of [
  [{ a: 1, b: 2 }, ['a']],
  [[1, 2], ['x', 'length']],
  [[{ a: 1, b: 2 }, 5], ['b']],
  [['ab'], []],
]) {
  own.table(data, properties);
}
console.log(JSON.stringify(texts, undefined, 1));
