// What HTTP/2 streams, Web Locks, `import()` and consoles publish on diagnostics channels.
const channels = require('node:diagnostics_channel');
const http2 = require('node:http2');
const { once } = require('node:events');
const { Console } = require('node:console');

const seen = [];
const show = (title) => {
  console.log(title);
  for (const each of seen.splice(0)) console.log(' ', each);
};
const detail = (value) =>
  typeof value === 'object' && value !== null ? (value.code ?? (Array.isArray(value) ? value.length : value.constructor?.name ?? 'bare')) : value;
for (const event of ['created', 'start', 'finish', 'error', 'close', 'bodyChunkSent', 'bodySent']) {
  for (const side of ['client', 'server']) {
    channels.subscribe(`http2.${side}.stream.${event}`, ({ stream, ...more }) => {
      const shown = Object.entries(more).map(([key, value]) => `${key}=${key === 'headers' ? value[':path'] ?? value[':status'] : detail(value)}`);
      seen.push(`${side} ${event} ${stream.constructor.name} closed=${stream.closed} rst=${stream.rstCode} ${shown.join(' ')}`);
    });
  }
}
const ofSide = (side) => {
  for (let i = seen.length; i-- > 0;) if (!seen[i].startsWith(side)) seen.splice(i, 1);
};

async function streams() {
  const server = http2.createServer();
  let done;
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    stream.on('close', () => done());
    if (headers[':path'] === '/push') {
      stream.pushStream({ ':path': '/pushed' }, (error, pushed) => pushed.respond().end?.());
      stream.respond({ ':status': 200 }, { endStream: true });
    } else if (headers[':path'] === '/trailers') {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ a: 'b' }));
      stream.end('body');
    } else if (headers[':path'] === '/close') {
      stream.respond();
      stream.end('body');
      stream.close();
      console.log('closed', stream.closed);
    } else if (headers[':path'] === '/fail') stream.destroy(new Error('broken'));
    else if (headers[':path'] !== '/wait') {
      stream.respond({ ':status': headers[':path'] === '/none' ? 204 : 200 });
      stream.resume().on('end', () => stream.end('answer'));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  for (const side of ['client', 'server']) {
    for (const [path, method, body] of [
      ['/', 'GET', []],
      ['/none', 'HEAD', []],
      ['/text', 'POST', ['one']],
      ['/texts', 'POST', ['one', 'two']],
      ['/bytes', 'POST', [Buffer.from('one'), Buffer.from('two')]],
      ['/mixed', 'POST', [Buffer.from('one'), 'two']],
      ['/empty', 'POST', []],
      ['/trailers', 'GET', []],
      ['/close', 'GET', []],
      ['/fail', 'GET', []],
    ]) {
      const isEnded = new Promise((resolve) => (done = resolve));
      const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
      if (path !== '/text') await once(client, 'connect');
      const request = client.request({ ':path': path, ':method': method });
      request.on('error', () => {}).resume();
      for (const part of body) request.write(part);
      if (method === 'POST') request.end();
      await Promise.all([isEnded, new Promise((resolve) => request.on('close', resolve))]);
      client.close();
      await once(client, 'close');
      ofSide(side);
      show(`${side} ${path}`);
    }
  }
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  const abort = new AbortController();
  const request = client.request({ ':path': '/wait' }, { signal: abort.signal });
  const failed = once(request, 'error').catch((error) => error);
  abort.abort();
  await failed;
  client.close();
  await new Promise((resolve) => client.on('close', resolve));
  show('aborted before there is a connection');
  server.close();
}

async function locks() {
  for (const event of ['start', 'grant', 'miss', 'end'])
    channels.subscribe(`locks.request.${event}`, (message) => seen.push(`lock ${event} ${JSON.stringify(message)} ${message.error?.message ?? ''}`));
  await navigator.locks.request('a', async () => {
    await navigator.locks.request('a', { ifAvailable: true }, (lock) => seen.push(`callback ${lock}`));
  });
  await navigator.locks.request('b', { mode: 'shared' }, () => Promise.reject(new Error('no'))).catch(() => {});
  show('locks');
}

async function imports() {
  const tracing = channels.tracingChannel('module.import');
  const hear = (event) => (context) =>
    seen.push(`${event} ${context.url} ${context.parentURL.startsWith('file:///')} ${context.error?.code ?? ''} ${context.result !== undefined}`);
  const listeners = Object.fromEntries(['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((event) => [event, hear(event)]));
  tracing.subscribe(listeners);
  await import('node:path').then(() => seen.push('imported'));
  await import('not-there').catch(() => seen.push('refused'));
  tracing.unsubscribe(listeners);
  await import('node:os');
  show('imports');
}

function consoles() {
  const written = [];
  const stream = new (require('node:stream').Writable)({ write: (chunk, _, reported) => (written.push(`${chunk}`), reported()) });
  const own = new Console(stream);
  const reported = (event) => (args) => {
    written.push(`${event} ${args.length}\n`);
    args.push('added');
  };
  const heard = {};
  for (const event of ['log', 'info', 'debug', 'warn', 'error']) channels.subscribe(`console.${event}`, (heard[event] = reported(event)));
  own.log('a');
  own.info('a', 'b');
  own.debug('a');
  own.warn('a');
  own.error(new Error('x').message);
  own.dirxml('d');
  own.count();
  own.group('g');
  own.assert(false, 'no');
  own.table([]);
  for (const event in heard) channels.unsubscribe(`console.${event}`, heard[event]);
  own.log('unheard');
  console.log(written.join(''));
}

(async () => {
  await streams();
  await locks();
  await imports();
  consoles();
})();
