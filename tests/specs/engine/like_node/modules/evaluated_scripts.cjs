// Evaluated CommonJS is a sloppy-mode script in the global scope: in workers, with -e and -p, and from standard input.
const { Worker } = require('node:worker_threads');
const { spawnSync } = require('node:child_process');
const log = (...args) => process.stdout.write(`${require('node:util').format(...args)}\n`);
const SEND = "require('node:worker_threads').parentPort.postMessage";
const CODES = [
  `undeclared = 1; ${SEND}(undeclared)`,
  // as packages assemble code that also has to run in browsers (fflate)
  `;u8=Uint8Array;var __w=require('worker_threads');onmessage=function(e){for(var k in e.data)self[k]=e.data[k]};postMessage=function(m){__w.parentPort.postMessage(m)},close=process.exit;self=global;postMessage(u8.name+typeof onmessage)`,
  `with ({ a: 1 }) { ${SEND}(a) }`,
  `var top = 1; function declared() {} let lexical = 2; ${SEND}([globalThis.top, typeof globalThis.declared, typeof globalThis.lexical, (0, eval)('lexical'), this === globalThis])`,
  `${SEND}([typeof module, typeof exports, exports === module.exports, typeof require, typeof __filename, typeof __dirname, globalThis.require === require, delete globalThis.module])`,
  `import('node:path').then((path) => ${SEND}(typeof path.join))`,
  `(function () { ${SEND}([this === globalThis, arguments.length]) })()`,
  `import { parentPort } from 'node:worker_threads'; parentPort.postMessage(typeof this)`,
];
const asked = (code) => new Promise((resolve) => {
  new Worker(code, { eval: true }).on('message', resolve).on('error', (error) => resolve(`${error.name} ${error.message}`)).on('exit', (status) => resolve(`exit ${status}`));
});
(async () => {
  for (const code of CODES) log(await asked(code));
  for (const code of [`${SEND}(1); throw new RangeError('thrown')`, `require('nothing-there')`, `'use strict'; undeclared = 1; require('fs')`]) {
    const worker = new Worker(code, { eval: true });
    log(await new Promise((resolve) => { worker.on('error', (error) => resolve([error.name, error.code])); }));
  }
  const run = (...args) => String(spawnSync(process.execPath, args.slice(1), { input: args[0], stdio: ['pipe', 'pipe', 'ignore'] }).stdout);
  const code = "q = require('path').sep; process.stdout.write([q, this === globalThis, globalThis.q, typeof module].join() + '\\n')";
  log(run('', '-e', code), run(code, '-'), run('', '-p', "with ({ a: 5 }) a"), run('', '-p', "var w = require('fs'); typeof globalThis.w"));
})();
