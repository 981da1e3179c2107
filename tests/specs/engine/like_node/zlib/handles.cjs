// Packages construct zlib handles directly, with the class of a stream's handle (ssh2 does).
const zlib = require('node:zlib');
const { inspect } = require('node:util');
const log = (...args) => process.stdout.write(`${args.map((each) => (typeof each === 'string' ? each : inspect(each))).join(' ')}\n`);
const { DEFLATE, INFLATE, GZIP, GUNZIP, DEFLATERAW, INFLATERAW, UNZIP, Z_PARTIAL_FLUSH, Z_FINISH, Z_NO_FLUSH, Z_SYNC_FLUSH } = zlib.constants;
const Handle = zlib.createInflate()._handle.constructor;
log(Handle.name, zlib.createGzip()._handle.constructor === Handle, process.binding('zlib').Zlib === Handle);

function handleOf(mode, bits = 15) {
  const state = new Uint32Array(2), handle = new Handle(mode);
  handle.onerror = (...reported) => log('onerror', ...reported);
  handle.init(bits, 6, 8, 0, state, () => log('processed', state), undefined);
  return { handle, state };
}

// Chunks with a flush in between, output buffers that are too small, offsets into larger buffers.
const { handle: deflate, state } = handleOf(DEFLATE);
const out = Buffer.alloc(64, '.'), text = Buffer.from('..hello hello hello..');
deflate.writeSync(Z_PARTIAL_FLUSH, text, 2, 17, out, 4, 60);
log(state, out.toString('hex'));
const { handle: inflate, state: left } = handleOf(INFLATE);
const back = Buffer.alloc(16, '.');
inflate.writeSync(Z_PARTIAL_FLUSH, out, 4, 60 - state[0], back, 1, 5);
log(left, String(back));
const rest = left[1];
inflate.writeSync(Z_PARTIAL_FLUSH, out, 64 - state[0] - rest, rest, back, 6, 10);
log(left, String(back));
inflate.writeSync(Z_PARTIAL_FLUSH, null, 0, 0, back, 0, 16);
log(left, String(back.subarray(0, 2)));
deflate.reset();
deflate.params(1, 0);
deflate.writeSync(Z_FINISH, Buffer.from('again'), 0, 5, out, 0, 64);
log(String(zlib.inflateSync(out.subarray(0, 64 - state[0]))));
deflate.close();
inflate.close();

for (const [to, from, bits] of [[GZIP, GUNZIP], [DEFLATERAW, INFLATERAW], [GZIP, UNZIP], [DEFLATE, UNZIP], [DEFLATE, INFLATE, 9]]) {
  const one = handleOf(to, bits), other = handleOf(from, bits), squeezed = Buffer.alloc(100), plain = Buffer.alloc(100);
  one.handle.writeSync(Z_FINISH, Buffer.from('some text'), 0, 9, squeezed, 0, 100);
  other.handle.writeSync(Z_SYNC_FLUSH, squeezed, 0, 100 - one.state[0], plain, 0, 100);
  log(to, from, other.state, plain.toString('latin1', 0, 9));
}
handleOf(INFLATE).handle.writeSync(Z_NO_FLUSH, Buffer.from('no zlib'), 0, 7, back, 0, 16);

const { handle: later } = handleOf(DEFLATE);
later.write(Z_FINISH, Buffer.alloc(100_000), 0, 100_000, Buffer.alloc(1000), 0, 1000);
log('asked');

// Or they write to a stream's handle, into its buffer, and read the remaining counts from its state (pngjs does).
for (const [stream, text] of [[zlib.createInflate(), zlib.deflateSync('one two three')], [zlib.createInflate({ chunkSize: 64 }), zlib.deflateSync('x'.repeat(200))], [zlib.createDeflate(), Buffer.from('four')], [new zlib.Gunzip(), zlib.gzipSync('five')]]) {
  log(Object.prototype.toString.call(stream._writeState), stream._outBuffer.length, stream._outOffset);
  stream._handle.writeSync(Z_FINISH, text, 0, text.length, stream._outBuffer, 0, stream._outBuffer.length);
  const room = stream._outBuffer.length;
  log(stream._writeState[0], stream._writeState[1] <= text.length, String(stream._outBuffer.subarray(0, room - stream._writeState[0])).slice(0, 40).replace(/[^ -~]/g, '?'));
  stream._handle.close();
}
const wrong = zlib.createInflate();
wrong.on('error', (error) => log(error.code, error.errno, error.message, wrong._handle));
wrong._handle.writeSync(Z_FINISH, Buffer.from('wrong'), 0, 5, wrong._outBuffer, 0, 100);
