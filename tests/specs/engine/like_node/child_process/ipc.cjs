// IPC messages between a program and a fork of itself.
const log = (...args) => process.stdout.write(`${require('node:util').format(...args)}\n`);
const { fork, spawn } = require('node:child_process');
const role = process.argv[2];
const roles = {
  echo() {
    process.on('message', (message) => process.send(message === undefined ? 'undefined' : message));
  },
  quiet() { log('quiet child', process.connected, typeof process.channel); },
  early() { process.send({ early: true }); },
  listens() {
    process.once('message', (message) => {
      log('child got', message);
      process.disconnect();
      log('child connected', process.connected);
      process.on('disconnect', () => log('child disconnect'));
      process.send('too late', (error) => log('child', error.code, error.message));
    });
  },
  waits() { setTimeout(() => process.on('message', (message) => { log('late', message); process.exit(); }), 50); },
  unrefed() {
    process.on('message', () => {});
    process.channel.unref();
    log('does not wait');
  },
  args() { process.send([process.argv.slice(2), process.execArgv, process.env.NODE_CHANNEL_FD, process.env.NODE_CHANNEL_SERIALIZATION_MODE]); },
  exits() { process.send('last words'); process.exit(3); },
  floods() {
    let isRoomy = true;
    for (let i = 0; i < 2000; i++) isRoomy = process.send({ i, filler: 'x'.repeat(500) });
    process.disconnect();
  },
};
if (role) {
  roles[role]();
  return;
}

const start = (name, options, args = []) => fork(__filename, [name, ...args], options);
const over = (child, title, extra) => new Promise((resolve) => {
  const seen = [];
  // Node emits no 'close' after the parent's disconnect(); the order of 'exit' and 'disconnect' is not defined.
  let awaited = 2;
  for (const name of ['message', 'disconnect', 'exit', 'error']) {
    child.on(name, (...args) => {
      const place = name === 'disconnect' && seen.at(-1)?.[0] === 'exit' ? seen.length - 1 : seen.length;
      seen.splice(place, 0, [name, ...args.filter((arg) => arg !== undefined).map((arg) => (arg instanceof Error ? `${arg.name} ${arg.code} ${arg.message}` : arg))]);
      if ((name === 'exit' || name === 'disconnect') && --awaited === 0) setImmediate(() => { log(title, seen); resolve(); });
    });
  }
  extra?.(child, seen);
});
(async () => {
  for (const serialization of ['json', 'advanced']) {
    const messages = ['text', 1, 1.5, true, null, { a: [1, { b: 2 }], u: undefined }, [new Date(0), new Map([[1, new Set([2])]]), /x/g, new Uint8Array([1, 2]), 'é\n\u2028'], new Error('e').message, 'x'.repeat(300000).length];
    if (serialization === 'json') messages[6] = [new Date(0), 'é\n\u2028'];
    const child = start('echo', { serialization });
    let count = 0;
    await over(child, serialization, () => {
      child.on('message', () => { if (++count === messages.length) child.disconnect(); });
      log(child.connected, typeof child.channel, messages.map((message) => child.send(message)));
    });
    log(child.connected, child.channel);
  }
  const big = start('echo');
  await over(big, 'big', () => {
    big.removeAllListeners('message');
    big.on('message', (message) => { log(message.length); big.disconnect(); });
    big.send('y'.repeat(5_000_000));
  });
  await over(start('quiet'), 'quiet');
  await over(start('early'), 'early');
  await over(start('listens'), 'listens', (child) => child.send('hello', (error) => log('sent', error)));
  await over(start('waits'), 'waits', (child) => child.send('waited for'));
  await over(start('unrefed'), 'unrefed');
  await over(start('args', { execArgv: [] }, ['a b', '-x']), 'args');
  await over(start('exits'), 'exits');
  await over(start('quiet', { silent: true }), 'silent', (child) => child.stdout.on('data', (text) => log('heard', String(text))));
  const flooded = start('floods');
  let sum = 0;
  await over(flooded, 'flood', () => {
    flooded.removeAllListeners('message');
    flooded.on('message', ({ i }) => { sum += i; });
  });
  if (sum === 0) log('nothing');
  const refused = (title, run) => {
    try {
      log(title, run());
    } catch (error) {
      log(title, error.name, error.code, error.message);
    }
  };
  const child = start('echo');
  refused('nothing', () => child.send());
  for (const value of [undefined, () => {}, Symbol('x'), 1n]) refused(typeof value, () => child.send(value));
  refused('options', () => child.send('x', undefined, 3));
  await over(child, 'twice', () => {
    child.disconnect();
    child.disconnect();
    log(child.send('x', (error) => log(error.code)), child.send('y'));
  });
  const none = spawn('true');
  log(none.send, none.disconnect, none.connected);
  await over(spawn(process.execPath, [__filename, 'early'], { stdio: ['inherit', 'inherit', 'inherit', 'pipe', 'ipc'] }), 'at four');
  await over(start('echo'), 'killed', (one) => one.send('x', () => one.kill('SIGKILL')));
  await over(start('no-such-role', { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }), 'crashes');
  process.on('exit', () => log('end', process.connected, process.send, process.channel));
})();
