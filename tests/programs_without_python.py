"""Programs that run without Python, and the project files they need, for `tests/specs/test_without_python.py`."""

from __future__ import annotations

# Prints whether Python was started: Python closes the descriptor over which it receives its orders.
TELLS_HOW = """
import { readdirSync, readlinkSync } from 'node:fs'
const open = readdirSync('/proc/self/fd').map((name) => { try { return readlinkSync(`/proc/self/fd/${name}`) } catch { return '' } })
console.log(open.some((name) => name.includes('rt-program')) ? 'without Python' : 'with Python')
"""
# Adds and removes signal listeners; the last signal ends the program.
SIGNALS = """
import { once } from 'node:events'
import { execSync } from 'node:child_process'
const heard = (...what) => console.log('heard', ...what)
const alive = setInterval(() => {}, 1e6)
process.on('SIGUSR2', heard)
process.once('SIGINT', heard)
process.kill(process.pid, 'SIGINT')
await once(process, 'SIGINT')
process.kill(process.pid, 'SIGUSR2')
process.kill(process.pid, 'SIGHUP', process.on('SIGHUP', heard))
await new Promise((done) => process.on('SIGHUP', done))
execSync('kill -USR2 $PPID', { shell: '/bin/bash' })
await once(process, 'SIGUSR2')
try { process.on('SIGKILL', heard) } catch (error) { console.log(error.message) }
clearInterval(alive)
"""
CHILDREN = """
import { exec, execSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
console.log(String(execSync('echo a child')), spawnSync('cat', { input: 'given' }).stdout.toString(), spawnSync('none-such').error?.message)
console.log(spawnSync('sh', ['-c', 'kill -9 $$']).signal, spawnSync('true', { cwd: '/none' }).error.message)
console.log(spawnSync('sleep', ['1000'], { timeout: 1 }).error?.code, spawnSync('yes', { maxBuffer: 1000 }).error?.code)
console.log(spawnSync('sh', ['-c', 'echo more >&3; cat'], { input: Buffer.alloc(300000, 97), stdio: ['pipe', 'pipe', 'inherit', 'pipe'] }).output.map((each) => each?.length))
const child = spawn('sh', ['-c', 'read line; echo out $line; echo err >&2; exit 3'])
child.stdin.end('in\\n')
child.stdout.on('data', (data) => console.log('out', String(data)))
child.on('exit', (...how) => console.log('exit', how))
console.log('close', await once(child, 'close'))
exec('echo $X; pwd', { env: { X: 'x' }, cwd: '/' }, (...all) => console.log(all))
spawn('none-such').on('error', (error) => console.log(error.code, error.message))
const killed = spawn('sleep', ['1000'])
killed.kill('SIGTERM')
console.log(await once(killed, 'exit'))
"""
PROGRAMS = {
    "plain": "const who: string = 'world'\nconsole.log(`hello ${who}`, process.argv.slice(2), process.cwd(), import.meta.url, import.meta.main, import.meta.dirname)",
    "files": "import fs from 'node:fs'\nfs.writeFileSync('made', 'text')\nconsole.log(fs.readFileSync('made', 'utf8'), fs.existsSync('none'))",
    "modules": "import { sep } from 'node:path'\nimport * as own from './lib/own.ts'\nconsole.log(sep, own, own.default())",
    "timers": "setImmediate(() => { console.log('soon'); setTimeout(() => console.log('later'), 5) })\nawait new Promise((done) => setTimeout(done, 1))",
    "both streams": "for (let i = 0; i < 50; i++) { console.log('out', i); console.error('error', i) }",
    "much output": "for (let i = 0; i < 20000; i++) console.log('line', i)",
    "surrogates": "console.log('a\\ud800b'); process.stdout.write(new Uint8Array([104, 105, 10]))",
    "exit": "process.on('exit', (code) => console.log('exit', code))\nsetTimeout(() => process.exit(3), 1)\nawait new Promise(() => {})",
    "exit in a listener": "process.on('exit', () => process.exit(4))",
    "exit code": "process.exitCode = 5",
    "exit after await": "await 1\nprocess.exit(6)",
    "exit in a microtask": "queueMicrotask(() => process.exit(7))",
    "before exit": "let left = 2\nprocess.on('beforeExit', () => { if (left-- > 0) setTimeout(() => console.log('again', left), 1) })",
    "error": "interface Gone { a: number }\n\nfunction fail(): never { throw new Error('with a place') }\nfail()",
    "error later": "setTimeout(() => { throw new TypeError('later') }, 1)",
    "rejection": "Promise.reject(new RangeError('nobody waits'))",
    "caught": "process.on('uncaughtException', (error) => console.log('caught', error.message))\nthrow new Error('it')",
    "stack": "const deep = () => new Error('here').stack\nconsole.log(deep())",
    "never": "await new Promise(() => {})",
    "syntax": "const x = ;",
    "no export": "import { nope } from 'node:fs'\nconsole.log(nope)",
    "no module": "import './nowhere.ts'",
    "data": "import data from './data.json'\nconsole.log(data)",
    "commonjs": "console.log(require('./data.json'), __filename.length > 0)",
    "import()": "console.log(Object.keys(await import('./lib/own.ts')), (await import('node:os')).EOL)",
    "imports in order": "import { AsyncLocalStorage } from 'node:async_hooks'\nconst reported: unknown[] = []\nconst report = (what: unknown) => reported.push(what)\nprocess.nextTick(report, 'tick')\nsetImmediate(report, 'immediate')\nimport('node:fs').then((fs) => report(typeof fs.default))\nimport('./lib/early.cjs').then((early) => report(Object.keys(early)))\nqueueMicrotask(() => report('microtask'))\nconst kept = new AsyncLocalStorage()\nkept.run(5, () => import('./lib/own.ts').then((own) => report([own.one, kept.getStore()])))\nPromise.resolve().then(() => report(1)).then(() => report(2)).then(() => report(3))\nreport(await import('./lib/own.ts') === await import('./lib/own.ts'))\nimport('./lib/own.ts').then(() => report('again'))\nPromise.resolve().then(() => report(4)).then(() => report(5)).then(() => report(6)).then(() => report(7))\nawait new Promise((done) => setTimeout(done, 10))\nreport(await new Function('return import(\\'./lib/own.ts\\')')())\nreport(await import('exported'))\nconsole.log(reported)",
    "imports that fail": "for (const name of ['./none.ts', 'nobody-has-it', './lib/throws.cjs', './lib/rejects.mjs', './lib/rejects.mjs', './lib/broken.js', './lib/own.ts?again', 'data:text/javascript,export default 9', './data.json', './lib/awaits.mjs', 'getters'])\n  try { console.log(name, await import(name)) } catch (error) { console.log(name, error.code, error.message ?? error) }",
    "import() that exits": "process.on('exit', (code) => console.log('exit', code))\nsetTimeout(() => import('./lib/exits.cjs'), 1)",
    "import() nobody waits for": "import('./lib/rejects.mjs')",
    "import() that is reported": "import { tracingChannel } from 'node:diagnostics_channel'\nconst report = (name: string) => (about: any) => console.log(name, about.url, about.error?.code)\ntracingChannel('module.import').subscribe({ start: report('start'), end: report('end'), asyncStart: report('asyncStart'), asyncEnd: report('asyncEnd'), error: report('error') })\nawait import('./lib/own.ts')\nawait import('node:fs')\nawait import('./none.ts').catch(() => {})",
    "children": "import { execSync } from 'node:child_process'\nconsole.log('before')\nconsole.log(String(execSync('echo a child')))",
    "children of all kinds": CHILDREN,
    "children that are left": "import { spawn } from 'node:child_process'\nconst left = spawn('sh', ['-c', 'trap \"\" TERM; echo here; sleep 1000'], { stdio: ['ignore', 'pipe', 'ignore'] })\nleft.stdout.once('data', () => process.exit(5))",
    "children, then Python": "import { execSync, spawnSync } from 'node:child_process'\nprocess.title = 'other words than those that it was called with'\nconsole.log(String(execSync('echo a child')), RT.TOML.parse('a = 1'), spawnSync('echo', ['another']).status)",
    "environment": "process.env.NEW = '1'\nconsole.log(process.env.NEW, process.env.GIVEN, process.title, typeof process.hrtime.bigint())",
    "signals": "process.on('SIGUSR2', () => { console.log('heard'); process.exit() })\nprocess.kill(process.pid, 'SIGUSR2')\nsetTimeout(() => {}, 60000)",
    "signals that keep nothing alive": "process.on('SIGUSR2', console.log)\nprocess.kill(process.pid, 'SIGUSR2')\nawait new Promise((done) => process.on('SIGUSR2', done))",
    "signals, some of which end it": SIGNALS
    + "process.off('SIGUSR2', heard)\nprocess.kill(process.pid, 'SIGUSR2')\nsetTimeout(() => {}, 60000)",
    "signals, then Python": "process.on('SIGPIPE', (...all) => { console.log(...all); process.exit() })\nRT.TOML.parse('a = 1')\nprocess.kill(process.pid, 'SIGPIPE')\nsetTimeout(() => {}, 60000)",
    "killed": "console.log('gathered')\nprocess.kill(process.pid, 'SIGTERM')\nsetTimeout(() => {}, 60000)",
    "servers": "import http from 'node:http'\nconst server = http.createServer((_, answer) => answer.end('served'))\nserver.listen(0, async () => {\n  console.log(await (await fetch(`http://localhost:${server.address().port}`)).text())\n  server.close()\n})",
    "workers": "import { Worker, isMainThread, parentPort } from 'node:worker_threads'\nif (isMainThread) new Worker(import.meta.filename).on('message', console.log).on('exit', console.log)\nelse parentPort.postMessage('from a worker')",
    "standard input": "let text = ''\nfor await (const part of process.stdin) text += part\nconsole.log(text)",
    "require": "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\nconsole.log(require('./data.json'), require('node:os').EOL)",
    "built-ins change": "import fs, { existsSync } from 'node:fs'\nimport { syncBuiltinESMExports } from 'node:module'\nfs.existsSync = () => 'changed'\nfs.added = 1\nsyncBuiltinESMExports()\nconsole.log(existsSync('x'))",
    "wasm": "console.log(await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])))",
    "garbage": "const seen = new FinalizationRegistry(() => {})\nfor (let i = 0; i < 1e5; i++) seen.register({}, i)\nawait new Promise((done) => setTimeout(done, 20))\nconsole.log('done')",
    "recursion": "const endless = () => 1 + endless()\ntry { endless() } catch (error) { console.log(error.message) }",
}
# Files of a project that the programs below require and import.
PROJECT = {
    "given.txt": "given\n",
    "data.json": '{"k": 1, "2": [null], "__proto__": {"own": true}, "1": "\\u00e9"}',
    "lib/own.ts": "export const one: number = 1\nexport default () => 'called'\n",
    "lib/index.js": "exports.folder = __dirname.endsWith('lib')",
    "lib/early.cjs": "exports.early = 1\nconst late = require('./late.cjs')\nexports.seen = late.seen",
    "lib/shipped.js": "export function shipped(){throw new TypeError('shipped')}\n//# sourceMappingURL=data:application/json,"
    + '{"version":3,"sources":["written.ts"],"sourcesContent":["\\n\\nfunction shipped() {\\n  throw new TypeError()\\n}"],"names":["named"],"mappings":"AAEA,OAAOA,YACC"}',
    "lib/late.cjs": "exports.seen = Object.keys(require('./early.cjs'))",
    "lib/throws.cjs": "exports.before = 1\nthrow new RangeError('thrown while it is loaded')",
    "lib/exits.cjs": "console.log('exits')\nprocess.exit(3)",
    "lib/awaits.mjs": "await 1\nexport const late = 1",
    "lib/names.mjs": "const require = 'own'\nexport const kinds = [typeof require, typeof __filename, typeof module]",
    "lib/rejects.mjs": "console.log('once')\nthrow { thrown: 1 }",
    "lib/broken.js": "const x = ;",
    "lib/twice.js": "let twice\nlet twice",
    "lib/broken.json": '{"a":}',
    "lib/typed.cts": "import fs = require('fs')\nexport const kinds: string[] = [typeof fs.readFileSync, typeof module]",
    "node_modules/main/package.json": '{"name": "main", "version": "1.2.3", "main": "lib/entry"}',
    "node_modules/main/lib/entry.js": "module.exports = () => [require('../package.json').version, require('exported/part')]",
    "node_modules/exported/package.json": '{"exports": {".": {"require": "./r.cjs", "import": "./i.mjs"}, "./part": "./part.js"}}',
    "node_modules/exported/r.cjs": "exports.kind = 'required'",
    "node_modules/exported/i.mjs": "export const kind = 'imported'",
    "node_modules/exported/part.js": "module.exports = 'part'",
    "node_modules/modern/package.json": '{"type": "module", "main": "index.js"}',
    "node_modules/modern/index.js": "import main from 'main'\nexport const answers = main()\nexport default class Named {}",
    "node_modules/compiled/index.js": "Object.defineProperty(exports, '__esModule', { value: true })\nexports.default = 'd'\nexports.named = 'n'",
    "node_modules/getters/index.js": "const made = { plain: 1 }\nObject.defineProperty(made, 'lazy', { enumerable: true, get() { console.log('read'); return 5 } })\nmodule.exports = made",
}
FAILS = """
function code(load) { try { return load() } catch (error) { return [error.code, error.name, error.message, error.requireStack?.length] } }
"""
COMMONJS = {
    "required.cjs": "console.log(require('main')(), require('exported'), require('./lib/early.cjs'), require('compiled'), require('./lib'), require('./data'), require('./data.json') === require('./data'))\nconsole.log(require('modern'), require('./lib/own.ts'), require('node:path').sep)",
    "itself.js": "console.log(require.main === module, module.id, module.loaded, module.children.length, module.paths.length, this === exports, __filename, __dirname)\nrequire('./lib/late.cjs')\nconsole.log(module.children[0].id, Object.keys(require.cache), require.resolve('exported'), require.resolve.paths('x').length, import.meta.url)\nexports.fetch = 1",
    "failing.cjs": FAILS
    + "for (const name of ['./none', 'no-such-package', 'exported/none', 'node:none', './lib/throws.cjs', './lib/throws.cjs', './lib/broken.js', './lib/twice.js', './lib/broken.json', './lib/awaits.mjs']) console.log(name, code(() => require(name)))\nfor (let i = 0; i < 2; i++) try { require('./lib/rejects.mjs') } catch (error) { console.log(error) }",
    "again.cjs": "const { writeFileSync } = require('fs')\nfor (const value of [1, 2, 3]) {\n  writeFileSync('changing.js', `exports.value = ${value}`)\n  console.log(require('./changing.js').value)\n  delete require.cache[require.resolve('./changing.js')]\n}",
    "own module.cjs": "const Module = require('module')\nconst made = new Module('/made.js')\nmade._compile('module.exports = [__filename, typeof require]', '/made.js')\nconsole.log(made.exports)\nModule._extensions['.txt'] = (module, name) => { module.exports = require('fs').readFileSync(name, 'utf8') }\nconsole.log(require('./given.txt'), require('./given'))\nconst load = Module._load\nModule._load = function (...words) { console.log('loads', words[0]); return load.apply(this, words) }\nrequire('./lib/late.cjs')\nconsole.log(require('./lib/typed.cts'))",
    "compile cache.cjs": "const m = require('node:module')\nconsole.log(m.getCompileCacheDir(), m.enableCompileCache('/dev/null/x'), m.enableCompileCache('cache'), m.enableCompileCache('other'))\nconsole.log(require('main')(), m.flushCompileCache(), require('fs').readdirSync(m.getCompileCacheDir()).length > 1)\nrequire('child_process').execSync('true')\nrequire('./lib/late.cjs')\nimport('./lib/own.ts').then(() => console.log(m.getCompileCacheDir(), m.enableCompileCache().status))",
    "leaves.cjs": "process.on('exit', (code) => console.log('exit', code))\nrequire('./lib/exits.cjs')",
    "throws.cjs": "function deep() { throw new TypeError('top') }\ndeep()",
    "imports.mjs": "import main from 'main'\nimport * as exported from 'exported'\nimport compiled, { named } from 'compiled'\nimport data from './data.json' with { type: 'json' }\nimport manifest from './node_modules/main/package.json'\nimport early, { seen } from './lib/early.cjs'\nimport { answers } from 'modern'\nconsole.log(main(), exported, compiled, named, data, manifest, early, seen, answers)",
    "getters.mjs": "import made, { plain } from 'getters'\nimport { lazy } from 'getters'\nconsole.log(plain, lazy, Object.keys(made))",
    "imports what throws.mjs": "import { before } from './lib/throws.cjs'\nconsole.log(before)",
    "imports what exits.mjs": "import './lib/exits.cjs'\nconsole.log('never')",
}
# Common modules of small programs.
USUAL = """
import crypto from 'node:crypto'
import os from 'node:os'
import data from './data.json'
import main from 'main'
const { memoryUsage, cpuUsage, resourceUsage, threadCpuUsage, hrtime, umask, uptime } = process
process.env.ADDED = 'yes'
delete process.env.HOME
console.log(process.env.ADDED, 'HOME' in process.env, data.k, main()[0])
console.log([memoryUsage().rss > 1e6, memoryUsage().heapUsed > 1e5, memoryUsage.rss() > 1e6, cpuUsage().user > 0, threadCpuUsage().user > 0])
console.log(Object.keys(resourceUsage()), resourceUsage().maxRSS > 1000, typeof hrtime.bigint(), hrtime().length, umask(0o27) === umask(0o22), umask())
console.log(uptime() > 0 && uptime() < 60, process.getuid(), process.geteuid(), process.getgid(), process.getegid(), process.getgroups())
console.log(os.type(), os.hostname(), os.release(), os.version(), os.machine(), os.totalmem(), os.freemem() > 1e6, os.uptime() > 1, os.loadavg().length, os.availableParallelism(), os.endianness())
console.log(crypto.randomUUID().length, globalThis.crypto.getRandomValues(new Uint8Array(64)).some(Boolean), crypto.randomBytes(16).length, crypto.randomInt(5) < 5)
const filled = new Uint8Array(64)
crypto.randomFillSync(filled, 16, 32)
console.log(filled.subarray(16, 48).some(Boolean), [...filled.subarray(0, 16), ...filled.subarray(48)].some(Boolean))
"""
# The system: queries, changes, and operations that fail.
SYSTEM = """
import os from 'node:os'
const [{ model, speed, times }] = os.cpus()
console.log(os.cpus().length, model.length > 0, speed >= 0, Object.entries(times).map(([name, ms]) => [name, ms >= 0]))
console.log(os.networkInterfaces(), os.userInfo(), os.homedir() === os.userInfo().homedir, os.constants.errno.ENOENT)
console.log(os.getPriority(), os.setPriority(0, os.getPriority()), process.stdout.columns, process.kill(process.pid, 0))
const refused = [() => os.getPriority(99999999), () => os.setPriority(99999999, 1), () => process.chdir('none'), () => process.kill(99999999)]
for (const ask of refused) try { console.log(ask()) } catch (error) { console.log(error.message, error.code, error.errno, error.syscall, error.path, error.dest) }
process.chdir('/')
process.title = 'a title that is longer'
const comm = (await import('node:fs')).readFileSync('/proc/self/comm', 'utf8')
console.log(process.cwd(), comm, process.title)
"""
# ES modules that use the names of CommonJS variables.
NAMES = """
import { kinds } from './lib/names.mjs'
console.log(kinds, typeof require, __dirname.length, require('./data.json').k, require.resolve('main').length)
"""
# Errors and call sites: locations in running code, mapped to the original source.
PLACES = """
interface Gone { of: number; lines: string }
import assert from 'node:assert'
import { findSourceMap, getCallSites } from 'node:module'
import { inspect } from 'node:util'
import { shipped } from './lib/shipped.js'
const places = (text = '') => text.replaceAll(import.meta.dirname, '').split('\\n')
type Thrower = () => never
const fail: Thrower = () => { throw new RangeError('typed') }
for (const work of [fail, shipped]) try { work() } catch (error) { console.log(places((error as Error).stack), places(inspect(error)).length) }
Error.prepareStackTrace = (_, sites) => sites.map((site) => [site.getFunctionName(), site.getLineNumber(), site.getColumnNumber(), site.getFileName()?.length])
console.log(new Error('sites').stack, (() => { try { shipped() } catch (error) { return (error as Error).stack } })())
Error.prepareStackTrace = undefined
console.log(places(eval('new Error(`of eval`).stack')), findSourceMap('./nowhere.js'))
try { assert(places.length === 7) } catch (error) { console.log((error as Error).message) }
"""
# Cryptography of all kinds, synchronous and asynchronous, and failing calls.
CRYPTO = """
import crypto from 'node:crypto'
import { promisify } from 'node:util'
const hex = (bytes: ArrayBuffer | Uint8Array) => Buffer.from(bytes as Uint8Array).toString('hex')
console.log(crypto.createHash('sha256').update('a').update(new Uint8Array([1, 2])).update('\\ud800').digest('hex'), crypto.hash('md5', 'text'))
const copied = crypto.createHash('shake256', { outputLength: 8 }).update('x')
console.log(copied.copy().digest('base64'), copied.digest(), crypto.createHmac('sha1', 'key').update('é').digest('latin1').length)
console.log(crypto.getHashes().length > 40, crypto.getCurves().length > 60, crypto.getCipherInfo('aes-128-gcm'), crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('a')))
const [key, iv] = [Buffer.alloc(32, 1), Buffer.alloc(12, 2)]
const cipher = crypto.createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from('aad'))
const sealed = Buffer.concat([cipher.update('secret ', 'utf8'), cipher.update('text'), cipher.final()])
const opened = crypto.createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from('aad')).setAuthTag(cipher.getAuthTag())
console.log(hex(sealed), opened.update(sealed, undefined, 'utf8') + opened.final('utf8'))
const pair = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
const signature = crypto.sign('sha256', Buffer.from('data'), pair.privateKey)
console.log(crypto.verify('sha256', Buffer.from('data'), pair.publicKey, signature), crypto.verify('sha256', Buffer.from('other'), pair.publicKey, signature))
console.log(Object.keys(pair.publicKey.export({ format: 'jwk' })), crypto.createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })).equals(pair.privateKey), pair.publicKey.asymmetricKeyDetails)
console.log(hex(crypto.pbkdf2Sync('p', 's', 10, 16, 'sha512')), hex(crypto.scryptSync('p', 's', 16)), hex(crypto.hkdfSync('sha256', 'k', 's', 'i', 16)))
console.log(hex(await promisify(crypto.pbkdf2)('p', 's', 10, 16, 'sha512')), (await promisify(crypto.randomBytes)(9)).length, crypto.checkPrimeSync(7n), crypto.generatePrimeSync(32, { bigint: true }) > 1n)
console.log(hex(await globalThis.crypto.subtle.digest('SHA-384', new Uint8Array(3))), (await promisify(crypto.generateKeyPair)('ed25519')).privateKey.asymmetricKeyType)
const alice = crypto.createECDH('secp256k1'), bob = crypto.createECDH('secp256k1')
alice.generateKeys()
console.log(alice.computeSecret(bob.generateKeys()).equals(bob.computeSecret(alice.getPublicKey())))
const refused = [() => crypto.createHash('none'), () => crypto.createHmac('none', ''), () => crypto.createCipheriv('none', key, iv), () => crypto.createCipheriv('aes-128-cbc', key, iv),
  () => crypto.createPrivateKey('x'), () => crypto.createPublicKey({ key: Buffer.from([1]), format: 'der', type: 'spki' }), () => crypto.scryptSync('a', 'b', 8, { N: 3 }), () => crypto.hash('sha256', 'a', { outputLength: 5 } as never),
  () => opened.final(), () => crypto.randomFillSync(new Uint8Array(2), 3), () => new crypto.X509Certificate('x'), () => crypto.privateDecrypt(pair.privateKey, sealed)]
for (const ask of refused) try { console.log('given', ask()) } catch (error) { console.log(error.name, error.message, { ...error }) }
await promisify(crypto.verify)('none', Buffer.from('data'), pair.publicKey, signature).catch((error) => console.log(error.message, error.code))
crypto.hkdf('none', 'k', 's', 'i', 16, () => {})
"""
# Compression, synchronous, asynchronous and in chunks, and failing calls.
ZLIB = """
import zlib from 'node:zlib'
import { promisify } from 'node:util'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
const text = Buffer.from('some text, '.repeat(20000))
for (const [pack, unpack] of [['deflate', 'inflate'], ['gzip', 'gunzip'], ['gzip', 'unzip'], ['deflateRaw', 'inflateRaw'], ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress']]) {
  const packed = zlib[`${pack}Sync`](text), later = await promisify(zlib[pack])(text)
  console.log(pack, packed.length, packed.equals(later), zlib[`${unpack}Sync`](packed).equals(text), (await promisify(zlib[unpack])(packed)).equals(text))
}
console.log(zlib.crc32('text'), zlib.crc32(Buffer.from('more'), 7), zlib.deflateSync('x', { dictionary: Buffer.from('x'), level: 9, windowBits: 9 }).toString('hex'))
const parts = []
const gzip = zlib.createGzip({ chunkSize: 64 })
await pipeline(Readable.from([text.subarray(0, 5000), text.subarray(5000, 90000), Buffer.from('end')]), gzip, async function * (source) { for await (const part of source) parts.push(part) })
console.log(parts.length, gzip.bytesWritten, zlib.gunzipSync(Buffer.concat(parts)).length)
const deflate = zlib.createDeflate()
deflate.write('before')
await promisify(deflate.params.bind(deflate))(0, 0)
deflate.reset()
deflate.close()
const refused = [() => zlib.inflateSync('no'), () => zlib.gunzipSync(zlib.gzipSync('cut').subarray(0, 12)), () => zlib.brotliDecompressSync('no'), () => zlib.zstdDecompressSync('no'), () => zlib.inflateSync(zlib.deflateSync('x', { dictionary: Buffer.from('x') })), () => zlib.deflateSync('x', { windowBits: 99 })]
for (const ask of refused) try { console.log('given', ask()) } catch (error) { console.log(error.name, error.message, error.code, error.errno) }
await promisify(zlib.gunzip)('no').catch((error) => console.log(error.message, error.code, error.errno))
"""
# Sockets and name lookups.
NETWORK = """
import dns from 'node:dns/promises'
import net from 'node:net'
import { once } from 'node:events'
import { unlinkSync } from 'node:fs'
const ports = new Map()
const shown = (address) => ({ ...address, port: ports.get(address.port) ?? ports.set(address.port, ports.size).size - 1 })
for (const place of [{ host: '127.0.0.1', port: 0 }, { host: '::1', port: 0 }, { path: 'socket' }, { path: '\\0rt-test-' + process.pid }]) {
  const server = net.createServer((socket) => { socket.setKeepAlive(true, 5000); socket.setNoDelay(); socket.pipe(socket) }).listen(place)
  await once(server, 'listening')
  const bound = server.address()
  const socket = net.connect(place.path ? place : { ...place, port: bound.port, noDelay: true, keepAlive: true })
  await once(socket, 'connect')
  if (!place.path) console.log(shown(bound), shown(socket.address()), socket.remoteAddress, socket.remoteFamily, socket.localAddress)
  socket.end('echo')
  console.log(String((await once(socket, 'data'))[0]))
  await once(socket, 'close')
  server.close()
}
const failed = async (place) => console.log(...(await once(net.connect(place), 'error').catch((error) => [error])).map((error) => [error.code, error.syscall, error.address, error.message.replace(/:\\d+/, '')]))
const taken = net.createServer().listen(0, '127.0.0.1')
await once(taken, 'listening')
const { port } = taken.address()
console.log((await once(net.createServer().listen(port, '127.0.0.1'), 'listening').catch((error) => error)).code)
const reset = net.connect(port, '127.0.0.1')
const [accepted] = await once(taken, 'connection')
reset.resetAndDestroy()
console.log((await once(accepted, 'error').catch((error) => error)).code ?? 'reset')
taken.close()
await once(taken, 'close')
for (const place of [{ port, host: '127.0.0.1' }, { path: './none' }, { path: 'x'.repeat(200) }]) await new Promise((done) => net.connect(place).on('error', (error) => done(console.log(error.code, error.syscall))))
console.log((await dns.lookup('127.0.0.1')).address, (await dns.lookup('::1', { all: true })), (await dns.lookup('localhost', 4)).address)
for (const name of ['none.invalid', 'x'.repeat(70) + '.invalid']) await dns.lookup(name).catch((error) => console.log(error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN', error.syscall, error.hostname === name))
console.log(await dns.lookupService('127.0.0.1', 80).then(({ service }) => service, (error) => error.code))
net.connect({ port: 1, host: '127.0.0.1' }).on('error', () => {}).destroy()
"""
