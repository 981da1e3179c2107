'use strict';
// Owns: the stops of the tour: each uses one part of the library. A stop throws, or its promise is rejected, if the library's
// result is wrong. Stops use only syntax, nothing of the language that a program could have replaced.

const assert = require('assert');
const { AsyncLocalStorage } = require('async_hooks');
const { Buffer } = require('buffer');
const childProcess = require('child_process');
const crypto = require('crypto');
const EventEmitter = require('events');
const fs = require('fs');
const http = require('http');
const net = require('net');
const os = require('os');
const path = require('path');
const querystring = require('querystring');
const readline = require('readline');
const { PassThrough, Readable, pipeline } = require('stream');
const { StringDecoder } = require('string_decoder');
const url = require('url');
const util = require('util');
const vm = require('vm');
const { Worker } = require('worker_threads');
const zlib = require('zlib');

const { promises } = fs;
const { later, soon } = { later: setTimeout, soon: setImmediate };
const same = (found, expected) => {
  if (found !== expected) throw new Error(`found ${found} instead of ${expected}`);
};
const folder = __dirname;
const file = `${folder}/file.txt`;
const map = new Map([['a', { b: [1] }]]);
const set = new Set([1]);
const rows = [{ a: 1, b: 'x' }];
const settled = (work) =>
  new Promise((resolve, reject) => work((error, value) => (error ? reject(error) : resolve(value))));

const printer = new console.Console(process.stderr);

const stops = {
  'console': () => {
    console.error('%s %d %j %o', 'a', 1, { a: 1 }, { b: 2 });
    console.error({ a: [1, { b: map }], e: 5n, d: new Date(0), u: undefined, s: set, r: /a/g, f: stops, y: Symbol.iterator });
    console.error(new Error('x', { cause: new TypeError('y') }));
    printer.table(rows);
    printer.group('g');
    console.error('in\nside');
    printer.groupEnd();
    printer.count('n');
    printer.countReset('n');
  },
  'inspect': () => {
    same(util.inspect({ a: [1, set], m: map }), "{ a: [ 1, Set(1) { 1 } ], m: Map(1) { 'a' => { b: [Array] } } }");
    same(util.format('%s %d %i', 'a', 1, '2'), 'a 1 2');
    util.inspect(new Proxy({}, {}), { showProxy: true, colors: true });
  },
  'util': () => {
    util.styleText('red', 'x');
    same(util.stripVTControlCharacters('\x1b[1mx'), 'x');
    same(util.isDeepStrictEqual({ a: [1] }, { a: [1] }), true);
    same(util.parseArgs({ args: ['-f', '--bar', 'b'], options: { f: { type: 'boolean', short: 'f' }, bar: { type: 'string' } } }).values.bar, 'b');
    same(new util.MIMEType('text/html; charset=utf-8').params.get('charset'), 'utf-8');
  },
  'fs': () => {
    fs.writeFileSync(file, 'x\n');
    fs.appendFileSync(file, 'y');
    same(fs.readFileSync(file, 'utf8'), 'x\ny');
    same(fs.readFileSync(file).length, 3);
    same(fs.statSync(file).isFile(), true);
    fs.mkdirSync(`${folder}/a/b`, { recursive: true });
    fs.copyFileSync(file, `${folder}/a/b/c`);
    same(fs.readdirSync(`${folder}/a`, { recursive: true }).length, 2);
    same(fs.readdirSync(`${folder}/a`, { withFileTypes: true })[0].name, 'b');
    same(fs.globSync(`${folder}/a/*`).length, 1);
    fs.cpSync(`${folder}/a`, `${folder}/d`, { recursive: true });
    fs.rmSync(`${folder}/a`, { recursive: true });
    fs.rmSync(`${folder}/d`, { recursive: true });
    same(fs.existsSync(`${folder}/a`), false);
    let code;
    try {
      fs.readFileSync('/nowhere/x');
    } catch (error) {
      code = error.code;
    }
    same(code, 'ENOENT');
  },
  'fs callbacks': async () => {
    await settled((done) => fs.writeFile(file, 'z', done));
    same(await settled((done) => fs.readFile(file, 'utf8', done)), 'z');
    same((await settled((done) => fs.stat(file, done))).size, 1);
    let text = '';
    await settled((done) => fs.createReadStream(file, 'utf8').on('data', (piece) => (text += `${piece}`)).on('error', done).on('close', done));
    same(text, 'z');
    await settled((done) => fs.createWriteStream(file).on('error', done).on('close', done).end('w'));
  },
  'fs.promises': async () => {
    await promises.writeFile(file, 'p');
    same(await promises.readFile(file, 'utf8'), 'p');
    const handle = await promises.open(file);
    same((await handle.stat()).size, 1);
    await handle.close();
    await promises.mkdir(`${folder}/p/q`, { recursive: true });
    same((await promises.readdir(`${folder}/p`)).length, 1);
    await promises.rm(`${folder}/p`, { recursive: true });
  },
  'require': () => {
    delete require.cache[`${folder}/module.cjs`];
    same(require('./module.cjs').five, 5);
    let code;
    try {
      require('./missing.cjs');
    } catch (error) {
      code = error.code;
    }
    same(code, 'MODULE_NOT_FOUND');
  },
  'import': async () => {
    same((await import(`./module.mjs?${(count += 1)}`)).five, 5);
    same((await import(`./typed.ts?${count}`)).six, 6);
  },
  'events': () => {
    const emitter = new EventEmitter();
    let heard = 0;
    emitter.prependListener('x', (a, b) => (heard += a + b));
    emitter.once('x', () => (heard += 1));
    emitter.emit('x', 1, 2);
    same(heard, 4);
    same(emitter.eventNames().length, 1);
    emitter.removeAllListeners('x');
    const target = new EventTarget();
    target.addEventListener('x', () => (heard += 1));
    target.dispatchEvent(new Event('x'));
    same(heard, 5);
    const controller = new AbortController();
    const any = AbortSignal.any([controller.signal]);
    controller.abort();
    same(any.aborted, true);
  },
  'once': async () => {
    const emitter = new EventEmitter();
    soon(() => emitter.emit('x', 1));
    same((await EventEmitter.once(emitter, 'x'))[0], 1);
  },
  'timers': async () => {
    let ran = 0;
    clearTimeout(later(() => (ran += 9), 1));
    process.nextTick(() => (ran += 1));
    queueMicrotask(() => (ran += 1));
    await settled((done) => later(done, 1));
    await settled((done) => soon(done));
    await require('timers/promises').setTimeout(1);
    same(ran, 2);
  },
  'streams': async () => {
    let text = '';
    const made = new PassThrough();
    made.setEncoding('utf8');
    made.on('data', (piece) => (text += `${piece}`));
    await settled((done) => pipeline(Readable.from(['a', 'b']), made, done));
    same(text, 'ab');
    const readable = new Readable({ read() {} });
    readable.push('abc');
    readable.setEncoding('utf8');
    same(readable.read(2), 'ab');
    readable.unshift('z');
    same(readable.read(), 'zc');
    same(await new Response(new ReadableStream({ start: (c) => (c.enqueue(Buffer.from('w')), c.close()) })).text(), 'w');
  },
  'url': () => {
    same(new URL('../x?q=1#h', 'http://user:p@ex.com:81/a/b').href, 'http://user:p@ex.com:81/x?q=1#h');
    same(new URL('http://münchen.de/ä').hostname, 'xn--mnchen-3ya.de');
    const params = new URLSearchParams('a=1&b=2&a=3');
    params.append('c', 'x y');
    params.delete('b');
    same(params.toString(), 'a=1&a=3&c=x+y');
    same(url.parse('http://a.com:80/b?c=d').host, 'a.com:80');
    same(url.format({ protocol: 'http', host: 'x', pathname: '/y' }), 'http://x/y');
    same(url.fileURLToPath('file:///a%20b'), '/a b');
    same(querystring.stringify({ a: '1', b: 'é' }), 'a=1&b=%C3%A9');
    same(querystring.parse('a=1&b=2').b, '2');
    same(new URLPattern({ pathname: '/a/:b' }).test('http://x/a/c'), true);
  },
  'path': () => {
    same(path.join('a', '..', 'b'), 'b');
    same(path.resolve('/a', 'b'), '/a/b');
    same(path.basename('/x/y.js', '.js'), 'y');
    same(path.relative('/a/b', '/a/c'), '../c');
    same(path.parse('/a/b.c').ext, '.c');
    same(path.win32.join('a', '..', 'b'), 'b');
  },
  'buffer': () => {
    same(Buffer.from('abc').toString('hex'), '616263');
    same(Buffer.concat([Buffer.alloc(2), Buffer.from([1])]).length, 3);
    same(Buffer.from('YWI=', 'base64').toString(), 'ab');
    same(Buffer.from('abc').indexOf('c'), 2);
    same(new TextDecoder().decode(new TextEncoder().encode('é')), 'é');
    same(new StringDecoder('utf8').write(Buffer.from('é')), 'é');
    same(new Blob(['ab', 'c']).slice(1).size, 2);
    same(structuredClone({ a: [1, { b: 2 }] }).a[1].b, 2);
    same(atob(btoa('x')), 'x');
  },
  'crypto': () => {
    same(crypto.createHash('sha1').update('a').digest('hex').length, 40);
    same(crypto.randomBytes(4).length, 4);
    same(crypto.createHmac('sha256', 'k').update('x').digest('base64').length, 44);
    same(crypto.randomUUID().length, 36);
    same(crypto.pbkdf2Sync('a', 'b', 1, 8, 'sha1').length, 8);
  },
  'web crypto': async () => same((await globalThis.crypto.subtle.digest('SHA-256', new Uint8Array(1))).byteLength, 32),
  'zlib': async () => {
    same(zlib.gunzipSync(zlib.gzipSync('hello')).toString(), 'hello');
    same((await settled((done) => zlib.deflate('a', done))).length > 0, true);
  },
  'child_process': async () => {
    same(childProcess.spawnSync('true').status, 0);
    const child = childProcess.spawn('echo', ['x'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (piece) => (text += `${piece}`));
    await settled((done) => child.on('error', done).on('close', () => done()));
    same(text, 'x\n');
  },
  'net': async () => {
    const server = net.createServer((socket) => socket.end('hi'));
    await settled((done) => server.on('error', done).listen(0, '127.0.0.1', done));
    let text = '';
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('data', (piece) => (text += `${piece}`));
    await settled((done) => client.on('error', done).on('close', () => done()));
    await settled((done) => server.close(done));
    same(text, 'hi');
  },
  'http and fetch': async () => {
    const server = http.createServer((request, response) => {
      response.setHeader('x-method', request.method);
      request.on('data', () => {});
      request.on('end', () => response.end('answer'));
    });
    await settled((done) => server.on('error', done).listen(0, '127.0.0.1', done));
    try {
      const place = `http://127.0.0.1:${server.address().port}/a?b=c`;
      const response = await fetch(place, { method: 'POST', body: 'x', headers: { a: 'b', connection: 'close' } });
      same(response.headers.get('X-Method'), 'POST');
      same(await response.text(), 'answer');
      let text = '';
      await settled((done) =>
        http.get(place, { agent: false }, (message) => message.on('data', (piece) => (text += `${piece}`)).on('end', done)).on('error', done),
      );
      same(text, 'answer');
    } finally {
      server.closeAllConnections();
      await settled((done) => server.close(() => done()));
    }
  },
  'headers': () => {
    const headers = new Headers({ 'Content-Type': 'a/b', 'X': '1' });
    headers.append('x', '2');
    same(headers.get('X'), '1, 2');
    same(new Request('http://a/b', { method: 'post', body: 'x' }).method, 'POST');
    same(new Response('x', { status: 201 }).status, 201);
    const form = new FormData();
    form.append('a', 'b');
    same(form.get('a'), 'b');
  },
  'worker': async () => {
    const worker = new Worker(`${folder}/worker.cjs`);
    const reported = await settled((done) => worker.on('error', done).on('message', (message) => done(null, message)));
    await settled((done) => worker.on('exit', () => done()));
    same(reported.five, 5);
  },
  'AsyncLocalStorage': async () => {
    const storage = new AsyncLocalStorage();
    same(await storage.run(5, () => settled((done) => soon(() => done(null, storage.getStore())))), 5);
  },
  'readline': async () => {
    const input = new PassThrough();
    const reader = readline.createInterface({ input });
    let lines = '';
    reader.on('line', (line) => (lines += `${line};`));
    input.end('a\nb\n');
    await settled((done) => reader.on('close', () => done()));
    same(lines, 'a;b;');
  },
  'assert': () => {
    assert.deepStrictEqual({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] });
    let code;
    try {
      assert.deepStrictEqual([1, 2], [1, 3]);
    } catch (error) {
      code = error.code;
    }
    same(code, 'ERR_ASSERTION');
  },
  'vm': () => same(vm.runInNewContext('a + 1', { a: 1 }), 2),
  'os': () => same(os.cpus().length > 0 && os.userInfo().uid >= 0 && os.networkInterfaces() !== null, true),
  'process': () => {
    void process.env.PATH;
    process.env.NEW_NAME = 'x';
    delete process.env.NEW_NAME;
    process.hrtime();
    process.memoryUsage();
    let heard;
    process.once('warning', (warning) => (heard = warning));
    process.emit('warning', new Error('w'));
    same(heard.message, 'w');
  },
};
let count = 0;
const ofRT = {
  'RT': async () => {
    same(RT.semver.satisfies('1.2.3', '>= 1.0.0'), true);
    same(RT.YAML.parse('a: [1]').a[0], 1);
    same(RT.TOML.parse('a = 1').a, 1);
    same(RT.stringWidth('a\x1b[1mb'), 2);
    same(RT.escapeHTML('<'), '&lt;');
    same(RT.deepEquals({ a: [1] }, { a: [1] }), true);
    same(await RT.file(__filename).exists(), true);
    same(RT.spawnSync(['true']).exitCode, 0);
    same(RT.hash('a') === RT.hash('a'), true);
    RT.inspect({ a: 1 });
  },
  'RT.serve': async () => {
    const server = RT.serve({ port: 0, fetch: () => new Response('served') });
    try {
      same(await (await fetch(server.url)).text(), 'served');
    } finally {
      await server.stop(true);
    }
  },
};
if (globalThis.RT !== undefined) Object.assign(stops, ofRT); // Bun takes the tour as well

module.exports = stops;
