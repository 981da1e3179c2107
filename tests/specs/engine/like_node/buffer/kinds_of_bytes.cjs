// `isUtf8` and `isAscii` with inputs of all kinds.
const { isAscii, isUtf8 } = require('node:buffer');
const attempt = (run) => {
  try {
    return run();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
const detached = new ArrayBuffer(4);
structuredClone(detached, { transfer: [detached] });
const inputs = [
  Buffer.from('text'), Buffer.from('é'), Buffer.from([0xc3]), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from([0xf4, 0x90, 0x80, 0x80]),
  Buffer.alloc(0), Buffer.alloc(1000, 'ab'), Buffer.concat([Buffer.alloc(1000, 'ab'), Buffer.from([0x80])]), new ArrayBuffer(4),
  new SharedArrayBuffer(4), new Uint16Array([0xffff]), new DataView(new ArrayBuffer(2)), detached, 'text', 1, null, undefined, [], {},
];
for (const input of inputs) console.log(attempt(() => isUtf8(input)), attempt(() => isAscii(input)));
