// Values of another realm (a vm context, as Jest creates for each test file) are accepted like those of the main one.
'use strict';
const vm = require('vm'),
  assert = require('assert'),
  fs = require('fs'),
  util = require('util'),
  zlib = require('zlib'),
  crypto = require('crypto'),
  { Blob } = require('buffer');
const ctx = vm.createContext({});
const R = (s) => vm.runInContext(s, ctx);
const u8 = R('new Uint8Array([104,105])'),
  ab = R('new Uint8Array([104,105]).buffer'),
  date = R('new Date(1e12)'),
  re = R('/boom/'),
  err = R('new TypeError("boom")'),
  map = R('new Map([["a",1]])'),
  set = R('new Set([1])'),
  pr = R('Promise.resolve(5)'),
  dv = R('new DataView(new ArrayBuffer(2))'),
  arr = R('[1,2]'),
  fn = R('(x)=>x'),
  opts = R('({encoding:"utf8"})'),
  sab = R('new SharedArrayBuffer(2)');
const shown = (value) => util.inspect(value, { breakLength: Infinity });
const T = async (name, f) => {
  try {
    console.log(name, shown(await f()));
  } catch (error) {
    console.log(name, 'threw', error.name, error.code);
  }
};
(async () => {
  await T('throws re', () =>
    assert.throws(() => {
      throw new Error('boom');
    }, re),
  );
  await T('throws cross err', () =>
    assert.throws(() => {
      throw err;
    }, /boom/),
  );
  await T('throws obj', () =>
    assert.throws(() => {
      throw err;
    }, R('({name:"TypeError",message:/boom/})')),
  );
  await T('rejects', () => assert.rejects(R('Promise.reject(new Error("boom"))'), re));
  await T('match', () => assert.match('boom', re));
  await T('ifError', () => assert.ifError(err));
  await T('doesNotReject', () => assert.doesNotReject(pr));
  await T('utimes', () => {
    fs.writeFileSync('rt.t', 'x');
    fs.utimesSync('rt.t', date, date);
    return fs.statSync('rt.t').mtimeMs;
  });
  await T('write', () => {
    fs.writeFileSync('rt.t', u8);
    return fs.readFileSync('rt.t', opts);
  });
  await T('writep', () => fs.promises.writeFile('rt.t', u8));
  await T('append dv', () => fs.appendFileSync('rt.t', dv));
  await T('from ab', () => Buffer.from(ab).toString());
  await T('from u8', () => Buffer.from(u8).toString());
  await T('concat', () => Buffer.concat([u8, Buffer.from('x')]).toString());
  await T('isBuffer', () => [Buffer.isBuffer(u8), Buffer.byteLength(ab), Buffer.byteLength(u8), Buffer.compare(u8, u8)]);
  await T('indexOf', () => Buffer.from('xhi').indexOf(u8));
  await T('equals', () => Buffer.from('hi').equals(u8));
  await T('from date', () => Buffer.from(R('new String("hi")')).toString());
  await T('from arr', () => Buffer.from(arr));
  await T('isUtf8', () => require('buffer').isUtf8(ab));
  await T('transcode', () => require('buffer').transcode(u8, 'utf8', 'latin1'));
  await T('copyBytesFrom', () => Buffer.copyBytesFrom(u8));
  await T('gzip u8', () => zlib.gunzipSync(zlib.gzipSync(u8)).toString());
  await T('gzip ab', () => zlib.gunzipSync(zlib.gzipSync(ab)).toString());
  await T('crc32', () => zlib.crc32(u8));
  await T('hash u8', () => crypto.createHash('md5').update(u8).digest('hex'));
  await T('hash dv', () => crypto.createHash('md5').update(dv).digest('hex'));
  await T('hmac ab', () => crypto.createHmac('md5', ab).update('x').digest('hex'));
  await T('digest ab', async () => (await crypto.subtle.digest('SHA-1', ab)).byteLength);
  await T('digest u8', async () => (await crypto.subtle.digest('SHA-1', u8)).byteLength);
  await T('getRandom', () => crypto.getRandomValues(u8).length);
  await T('timingSafe', () => crypto.timingSafeEqual(ab, ab));
  await T('scrypt', () => crypto.scryptSync(ab, u8, 8).length);
  await T('randomFill', () => crypto.randomFillSync(R('new ArrayBuffer(4)')).byteLength);
  await T('pbkdf2', () => crypto.pbkdf2Sync('x', ab, 1, 8, 'sha1').length);
  await T('blob', async () => await new Blob([u8, ab, dv]).size);
  await T('response', async () => (await new Response(ab).arrayBuffer()).byteLength);
  await T('resp u8', async () => (await new Response(u8).arrayBuffer()).byteLength);
  await T('request', async () => (await new Request('http://x', { method: 'POST', body: ab }).arrayBuffer()).byteLength);
  await T('headers', () => [...new Headers(map)]);
  await T('headers arr', () => [...new Headers(R('[["a","b"]]'))]);
  await T('usp', () => new URLSearchParams(map).toString());
  await T('td', () => new TextDecoder().decode(ab).length);
  await T('td sab', () => new TextDecoder().decode(sab).length);
  await T('encodeInto', () => new TextEncoder().encodeInto('hi', u8).written);
  await T('sc map', () => structuredClone(map));
  await T('sc date', () => structuredClone(date));
  await T('sc set', () => structuredClone(set));
  await T('sc err', () => structuredClone(err).message);
  await T('sc re', () => structuredClone(re));
  await T('sc ab tr', () => {
    const a = R('new ArrayBuffer(3)');
    return [structuredClone(a, { transfer: [a] }).byteLength, a.byteLength];
  });
  await T('inspect', () => util.inspect([date, re, map, set, err instanceof Error, arr, u8, ab].slice(0, 4)));
  await T('types', () => [
    util.types.isDate(date),
    util.types.isRegExp(re),
    util.types.isMap(map),
    util.types.isPromise(pr),
    util.types.isNativeError(err),
    util.isDeepStrictEqual(map, new Map([['a', 1]])),
  ]);
  await T('deepEqual', () => assert.deepEqual(arr, [1, 2]));
  await T('deepStrict', () => assert.deepStrictEqual(arr, [1, 2]));
  await T('callbackify', () => new Promise((r) => util.callbackify(() => pr)((e, v) => r([e, v]))));
  await T('promisify', () => util.promisify(R('(cb)=>cb(null,7)'))());
  await T('stream from', async () => {
    const out = [];
    for await (const x of require('stream').Readable.from(R('["a","b"]'))) out.push(x);
    return out;
  });
  await T(
    'stream write',
    () =>
      new Promise((r) => {
        const w = new (require('stream').Writable)({
          write(c, e, cb) {
            r([c.toString(), Buffer.isBuffer(c)]);
            cb();
          },
        });
        w.write(R('new Uint8Array([104])'));
      }),
  );
  await T('pipeline gen', () =>
    require('stream/promises').pipeline(
      R('(async function*(){yield "a"})'),
      async function* (s) {
        for await (const x of s) yield x;
      },
      async (s) => {
        for await (const x of s);
      },
    ),
  );
  await T('once', () => Promise.race([require('events').once(process, 'x', R('({})')), 5]));
  await T('setTimeout', () => new Promise((r) => setTimeout(R('(r)=>r(3)'), 1, r)));
  await T(
    'mp',
    () =>
      new Promise((r) => {
        const { port1, port2 } = new MessageChannel();
        port2.on?.('message', (m) => {
          port1.close();
          r(m);
        });
        port1.postMessage({ date, map });
      }),
  );
  await T('spawnSync', () => require('child_process').spawnSync('cat', { input: u8 }).stdout.toString().length);
  await T('spawn args', () => require('child_process').execFileSync('echo', R('["a","b"]')).toString());
  await T('cp env', () => require('child_process').execSync('echo $Q', R('({env:{Q:"1"},encoding:"utf8"})')));
  await T('nextTick', () => new Promise((r) => process.nextTick(R('(r)=>r(1)'), r)));
  await T('url', () => new URL(R('new String("http://a/b")')).href);
  await T('fs url', () => fs.existsSync(R('"rt.t"')));
  await T('mkdtemp', () => typeof fs.mkdtempSync('q-'));
  await T('http', () =>
    require('http')
      .request(R('({host:"127.0.0.1",port:1,headers:{a:"b"}})'))
      .on('error', () => {})
      .getHeader('a'),
  );
  await T('v8', () => require('v8').deserialize(require('v8').serialize(map)));
  await T('sql', () => {
    const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(':memory:');
    return db.prepare('select ? as x').get(u8);
  });
  await T('mock timers', () => {
    const { mock } = require('node:test');
    mock.timers.enable({ apis: ['Date'], now: date });
    const n = Date.now();
    mock.timers.reset();
    return n;
  });
  await T('error cause', () => util.inspect(new Error('x', { cause: err })).includes('boom'));
  await T('AbortSignal.any', () => AbortSignal.any(R('[]')).aborted);
  await T('queueMicrotask', () => new Promise((r) => queueMicrotask(R('(r)=>()=>r(2)')(r))));
  await T('performance', () => performance.timerify(R('()=>4'))());
  await T('glob ', () => fs.globSync(R('["rt.*"]')).length);
  await T('readv', () => fs.writevSync(fs.openSync('rt.t', 'w'), R('[new Uint8Array(2)]')));
  await T('CompressionStream', async () => {
    const c = new CompressionStream('gzip');
    const w = c.writable.getWriter();
    w.write(R('new Uint8Array(3).buffer'));
    w.close();
    return (await new Response(c.readable).arrayBuffer()).byteLength > 3;
  });
  for (const f of fs.readdirSync('.')) if (f.startsWith('q-')) fs.rmdirSync(f);
  process.exit();
})();
