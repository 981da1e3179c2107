'use strict';
// NODE_OPTIONS in the environment of a worker: which flags it may contain, and how they join those of `execArgv`.
const { Worker } = require('node:worker_threads');

const code = 'process.stdout.write(`${Boolean(process.throwDeprecation)} ${Boolean(process.noDeprecation)}`)';

function start(env, execArgv) {
  return new Promise((resolve) => {
    const worker = new Worker(code, { eval: true, env, execArgv, stdout: true });
    let text = '';
    worker.stdout.on('data', (data) => (text += data));
    worker.on('exit', () => resolve(text));
  });
}

async function main() {
  for (const variable of [undefined, '--throw-deprecation', '--no_deprecation', '--throw-deprecation --max-old-space-size=200']) {
    for (const execArgv of [undefined, [], ['--no-deprecation']]) {
      const env = variable === undefined ? {} : { NODE_OPTIONS: variable };
      console.log(`${variable} ${execArgv}`, await start(env, execArgv));
    }
  }
  process.env.NODE_OPTIONS = '--throw-deprecation';
  console.log(await start(undefined, []), await start({}, []));
  for (const word of ['--title=a', '--title', '--use-openssl-ca', '--eval=1', '-e', '-r=1', '--unknown', '--', '--no-zero-fill-buffers']) {
    try {
      new Worker('', { eval: true, env: { NODE_OPTIONS: word } }).terminate();
      console.log(word, 'is allowed');
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
}
main();
