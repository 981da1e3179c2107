// Every form of compression: synchronous, callback, promise, stream; invalid arguments, and errors for corrupt data.
const zlib = require('node:zlib');
const { inspect, promisify } = require('node:util');

const log = (...parts) => process.stdout.write(`${parts.map((part) => (typeof part === 'string' ? part : inspect(part))).join(' ')}\n`);
const attempt = (name, run) => {
  try {
    const result = run();
    log(name, result?.length ?? result);
  } catch (error) {
    log(name, error.name, error.code, error.errno, error.message.split('\n')[0], Object.keys(error));
  }
};
const closed = (stream) => new Promise((resolve) => stream.on('close', resolve));
let seed = 7;
const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
const data = Buffer.from(Array.from({ length: 300000 }, () => (random() < 0.7 ? 97 + Math.floor(random() * 4) : Math.floor(random() * 256))));
const { constants } = zlib;
const dictionary = Buffer.from('hello');

function refusals() {
  const cut = (bytes, size) => bytes.subarray(0, size);
  const join = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));
  for (const name of ['inflate', 'gunzip', 'inflateRaw', 'unzip', 'brotliDecompress', 'zstdDecompress']) {
    attempt(name, () => zlib[`${name}Sync`]('garbage'));
    attempt(name, () => zlib[`${name}Sync`](''));
    attempt(name, () => zlib[`${name}Sync`](5));
    attempt(name, () => zlib[name]('garbage'));
  }
  attempt('cut', () => zlib.inflateSync(cut(zlib.deflateSync('hello'), 6)));
  attempt('cut', () => zlib.brotliDecompressSync(cut(zlib.brotliCompressSync('hello'), 4)));
  attempt('cut', () => zlib.zstdDecompressSync(cut(zlib.zstdCompressSync('hello'), 4)));
  attempt('two', () => zlib.gunzipSync(join(zlib.gzipSync('a'), zlib.gzipSync('b'))));
  attempt('two', () => zlib.unzipSync(join(zlib.gzipSync('a'), zlib.gzipSync('b'))));
  attempt('two', () => zlib.zstdDecompressSync(join(zlib.zstdCompressSync('hello'), zlib.zstdCompressSync('hello'))));
  attempt('junk', () => zlib.gunzipSync(join(zlib.gzipSync('a'), 'xx')));
  attempt('zeros', () => zlib.gunzipSync(join(zlib.gzipSync('a'), [0, 0, 0, 104])));
  attempt('junk', () => zlib.inflateSync(join(zlib.deflateSync('a'), 'xx')));
  attempt('junk', () => zlib.inflateSync(join(zlib.deflateSync('a'), 'xx'), { rejectGarbageAfterEnd: true }));
  attempt('two', () => zlib.gunzipSync(join(zlib.gzipSync('a'), zlib.gzipSync('b')), { rejectGarbageAfterEnd: true }));
  attempt('zeros', () => zlib.gunzipSync(join(zlib.gzipSync('a'), [0]), { rejectGarbageAfterEnd: true }));
  attempt('junk', () => zlib.brotliDecompressSync(join(zlib.brotliCompressSync('hello'), 'abc')));
  attempt('junk', () => zlib.zstdDecompressSync(join(zlib.zstdCompressSync('hello'), 'abc')));
  attempt('params', () => zlib.brotliCompressSync('x', { params: { [constants.BROTLI_PARAM_QUALITY]: 99 } }));
  attempt('params', () => zlib.brotliCompressSync('x', { params: { 999: 1 } }));
  attempt('params', () => zlib.brotliCompressSync('x', { params: { 1: 'a' } }));
  attempt('params', () => zlib.zstdCompressSync('x', { params: { [constants.ZSTD_c_windowLog]: 99 } }));
  attempt('params', () => zlib.zstdCompressSync('x', { params: { 9999: 1 } }));
  attempt('size', () => zlib.zstdCompressSync('abc', { pledgedSrcSize: 2 }));
  attempt('size', () => zlib.zstdCompressSync('abc', { pledgedSrcSize: 3 }));
  const words = zlib.deflateSync('xhellohello', { dictionary });
  attempt('dictionary', () => zlib.inflateSync(words));
  attempt('dictionary', () => zlib.inflateSync(words, { dictionary: Buffer.from('hell') }));
  attempt('dictionary', () => zlib.inflateSync(words, { dictionary: new Uint8Array(dictionary).buffer }));
  attempt('dictionary', () => zlib.inflateRawSync(zlib.deflateRawSync('xhellohello', { dictionary }), { dictionary }));
  attempt('dictionary', () => zlib.brotliDecompressSync(zlib.brotliCompressSync('xhellohello', { dictionary }), { dictionary }));
  attempt('dictionary', () => zlib.zstdDecompressSync(zlib.zstdCompressSync('xhellohello', { dictionary }), { dictionary }));
  attempt('dictionary', () => zlib.deflateSync('x', { dictionary: 3 }));
  attempt('longest', () => zlib.inflateSync(zlib.deflateSync(Buffer.alloc(1000)), { maxOutputLength: 10 }));
  for (const options of [{ level: 10 }, { level: 'x' }, { level: NaN }, { level: Infinity }, { windowBits: 8 }, { windowBits: 7 }, { windowBits: 16 },
    { memLevel: 0 }, { strategy: 5 }, { chunkSize: 3 }, { flush: 9 }, { finishFlush: -1 }, { maxOutputLength: 0 }, { rejectGarbageAfterEnd: 1 }]) {
    for (const name of ['gzipSync', 'deflateSync', 'deflateRawSync', 'inflateSync']) attempt(inspect(options), () => zlib[name](zlib.deflateSync('x'), options));
  }
  attempt('crc32', () => zlib.crc32('hello', 5));
  attempt('crc32', () => zlib.crc32(data));
  attempt('crc32', () => zlib.crc32(5));
  attempt('crc32', () => zlib.crc32('a', 'b'));
  attempt('crc32', () => zlib.crc32('a', -1));
  attempt('no callback', () => zlib.deflate('x'));
  attempt('level', () => zlib.createDeflate().params(20, 0));
  attempt('kind', () => zlib.createDeflate().flush(9));
  attempt('data', () => zlib.gzipSync(new Uint16Array([1, 2])));
  attempt('data', () => zlib.gzipSync(new DataView(new ArrayBuffer(3))));
  attempt('data', () => zlib.gzipSync(new ArrayBuffer(3)));
  attempt('info', () => Object.keys(zlib.gzipSync('x', { info: true })));
}

async function forms(Compress, Decompress, options) {
  const lower = (name) => name[0].toLowerCase() + name.slice(1);
  const [there, back] = [lower(Compress), lower(Decompress)];
  const bytes = zlib[`${there}Sync`](data, options);
  log(Compress, Decompress, zlib[`${back}Sync`](bytes).equals(data));
  log((await promisify(zlib[back])(await promisify(zlib[there])(data, options))).equals(data));

  const stream = new zlib[Compress](options);
  const reported = [];
  const sizes = [];
  for (const event of ['end', 'finish', 'close', 'drain']) stream.on(event, () => reported.push(event));
  stream.on('data', (piece) => sizes.push(piece.length));
  stream.write(data.subarray(0, 1000));
  await new Promise((resolve) => stream.flush(resolve));
  log('flushed', sizes.length > 0, stream.bytesWritten);
  stream.write(data.subarray(1000, 100000));
  stream.end(data.subarray(100000));
  await closed(stream);
  log(reported, stream.bytesWritten, stream._closed, sizes.every((size) => size <= 16384));

  const small = new zlib[Decompress]({ chunkSize: 64 });
  const pieces = [];
  small.on('data', (piece) => pieces.push(piece));
  for (let at = 0; at < bytes.length; at += 777) small.write(bytes.subarray(at, at + 777));
  small.end();
  await closed(small);
  log('small', Buffer.concat(pieces).equals(data), Math.max(...pieces.map((piece) => piece.length)));

  for (const [name, input, more] of [['garbage', 'this is no data at all, is it?'], ['cut', bytes.subarray(0, bytes.length >> 1)],
    ['junk', Buffer.concat([bytes, Buffer.from([0, 1, 2, 3, 4, 5, 6])]), { rejectGarbageAfterEnd: true }]]) {
    const bad = new zlib[Decompress](more);
    bad.on('error', (error) => log(name, error.name, error.code, error.errno, error.message));
    bad.resume();
    bad.end(input);
    await closed(bad);
  }
  log(await new Promise((resolve) => zlib[back](bytes, { maxOutputLength: 100 }, (error, out) => resolve([error.code, error.message, out]))));
  const piped = [];
  const [first, second] = [new zlib[Compress](options), new zlib[Decompress]()];
  first.pipe(second).on('data', (piece) => piped.push(piece));
  first.end(data);
  await closed(second);
  log('piped', Buffer.concat(piped).equals(data));
}

async function rest() {
  const changing = zlib.createDeflate({ level: 9 });
  const out = [];
  changing.on('data', (piece) => out.push(piece));
  changing.write(data.subarray(0, 50000));
  await new Promise((resolve) => changing.params(0, constants.Z_DEFAULT_STRATEGY, resolve));
  changing.end(data.subarray(50000));
  await closed(changing);
  log('params', zlib.inflateSync(Buffer.concat(out)).equals(data));
  const reset = zlib.createDeflate();
  reset.reset();
  await new Promise((resolve) => reset.close(resolve));
  attempt('reset', () => reset.reset());
  const ended = zlib.createGzip();
  ended.on('error', (error) => log('reported', error.code));
  ended.end('x');
  ended.resume();
  await closed(ended);
  await new Promise((resolve) => ended.flush(resolve));
  ended.write('y', (error) => log('written', error.code));
  await new Promise(setImmediate);
  const called = zlib.Gzip();
  log(called instanceof zlib.Gzip);
}

function names() {
  const described = ([name, { value, writable, configurable, enumerable }]) =>
    [name, typeof value, writable, configurable, enumerable, value?.name, value?.length];
  for (const each of Object.entries(Object.getOwnPropertyDescriptors(zlib)).map(described)) {
    if (!/zip(Entry|File|Buffer|Arch|Content)/i.test(each[0])) log(each.join());
  }
  log(Object.keys(zlib).join(), inspect(zlib.codes), inspect(constants, { maxArrayLength: null }));
  for (let Class = zlib.Gzip; Class !== require('stream').Transform; Class = Object.getPrototypeOf(Class)) log(Class.name, Object.getOwnPropertyNames(Class.prototype ?? {}));
  const forms = [{}, { level: 1 }, { level: 9 }, { level: 3, memLevel: 9 }, { strategy: 2 }, { strategy: 3 }, { strategy: 4 }, { windowBits: 9 }];
  for (const text of ['', 'hello', 'hello world hello world hello world', 'a'.repeat(1000)]) {
    for (const form of forms) log(zlib.deflateSync(text, form).toString('hex'), zlib.gzipSync(text, form).toString('hex'));
    log(zlib.brotliCompressSync(text).toString('hex'), zlib.zstdCompressSync(text).toString('hex'));
  }
}

(async () => {
  names();
  refusals();
  for (const [Compress, Decompress] of [['Deflate', 'Inflate'], ['Gzip', 'Gunzip'], ['DeflateRaw', 'InflateRaw'], ['Gzip', 'Unzip'], ['Deflate', 'Unzip'],
    ['BrotliCompress', 'BrotliDecompress'], ['ZstdCompress', 'ZstdDecompress']]) {
    await forms(Compress, Decompress, Compress === 'BrotliCompress' ? { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } } : {});
  }
  await rest();
})();
