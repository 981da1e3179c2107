// The exact output of v8.serialize, and Buffers and views in messages between processes.
const v8 = require('node:v8');
const { inspect } = require('node:util');
const { fork } = require('node:child_process');

const shared = [1];
const values = [
  1,
  -0,
  2 ** 40,
  'x',
  '\u20ac'.repeat(40),
  { a: [1, 2, { b: null }], m: new Map([[1, new Set([2])]]), d: new Date(5), r: /x/gi, n: 10n, u: undefined },
  [shared, shared, , 1],
  Buffer.from('hi'),
  new Uint8Array([1, 2]),
  new Uint8Array(0),
  new Float64Array([1.5]),
  new BigInt64Array([1n]),
  new DataView(new ArrayBuffer(3), 1),
  [new Int16Array(2), Buffer.alloc(2)],
  new Uint8Array([1, 2, 3, 4]).subarray(1, 3),
  new ArrayBuffer(4),
];
if (process.argv[2] === 'child') {
  process.on('message', (message) => process.send({ said: message.map((each) => inspect(each)), back: message }));
} else {
  for (const value of values) {
    const bytes = v8.serialize(value);
    console.log(bytes.toString('hex'), Buffer.isBuffer(bytes), inspect(v8.deserialize(bytes)));
  }
  for (const value of [() => 1, Symbol('x'), { a() {} }, new SharedArrayBuffer(2), Promise.resolve(), new WeakMap()]) {
    try {
      console.log(v8.serialize(value).toString('hex'));
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  const child = fork(__filename, ['child'], { serialization: 'advanced' });
  child.send(values.filter((each) => !(each instanceof DataView))); // its message would contain an address
  child.once('message', ({ said, back }) => {
    for (const text of said) console.log(text);
    for (const value of back) console.log(inspect(value), Buffer.isBuffer(value));
    child.disconnect();
  });
}
