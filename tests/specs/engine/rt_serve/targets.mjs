// The URL formed by a request's target and Host, rejected ones, and the head of a response to HEAD.
import net from 'node:net';

/** Returns a server's response to a request, without its date. */
function ask(server, text) {
  return new Promise((resolve) => {
    let all = '';
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')));
    socket.on('data', (data) => (all += data.toString('latin1')));
    socket.on('close', () => resolve(all.replace(/date:[^\n]*\n/gi, '').replaceAll('\r\n', '|')));
    socket.on('error', (error) => resolve(error.code));
  });
}

const answers = {
  '/length': () => new Response('', { headers: { 'content-length': '11' } }),
  '/chunked': () => new Response('', { headers: { 'transfer-encoding': 'chunked' } }),
  '/fresh': () => new Response(null, { status: 304, headers: { 'content-length': '5' } }),
  '/close': () => new Response('bye', { headers: { connection: 'close' } }),
  '/generator': () =>
    new Response(async function* () {
      yield 'a';
      yield new Uint8Array([98]);
      return 'c';
    }),
};
{
  using server = RT.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => answers[new URL(request.url).pathname]?.() ?? new Response(request.url),
  });
  const targets = ['/..', '/../a', '/a/./b', '/%2e%2e/x', '//a', '/a/../b?../c', '/%zz', '/"<>`{}^', '/a\\b', '*', 'relative'];
  targets.push('http://other:80/x?y', 'https://other/x', 'ftp://other/x', 'http:///x');
  for (const target of targets)
    console.log(target, await ask(server, `GET ${target} HTTP/1.1\r\nHost: Name:1\r\nConnection: close\r\n\r\n`));
  console.log('OPTIONS *', await ask(server, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'));
  console.log('CONNECT', await ask(server, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'));
  for (const name of ['a b', 'a@b', 'a/b?c', 'a#b', '\xe4', 'a:b', '[::1]:8', '[::1', 'A.EXAMPLE', 'a\\b'])
    console.log('host', name, await ask(server, `GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`));
  for (const path of ['/length', '/chunked', '/fresh', '/generator'])
    console.log('HEAD', path, await ask(server, `HEAD ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`));
  console.log('GET /generator', await (await fetch(new URL('/generator', server.url))).text());
  console.log('closes', await ask(server, 'GET /close HTTP/1.1\r\nHost: a\r\n\r\n'));
}
{
  // A handler that answers before the body has arrived gets an error for the rest, not a truncated body.
  const { promise, resolve } = Promise.withResolvers();
  using server = RT.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      request.text().then(
        (text) => resolve(`all: ${text.length}`),
        (error) => resolve(`${error.name}: ${error.message}`),
      );
      return new Response('early');
    },
  });
  const socket = net.connect(server.port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\npart');
  socket.once('data', () => socket.end('rest'));
  console.log(await promise);
}
for (const options of [{ unix: Buffer.from('') }, { hostname: Buffer.from('127.0.0.1'), unix: Buffer.from('') }]) {
  using server = RT.serve({ port: 0, fetch: () => new Response('ok'), ...options });
  console.log(server.port > 0, server.hostname);
}
try {
  RT.serve({ port: 0, fetch: () => new Response('ok'), tls: [{}, { key: '', cert: '' }] });
} catch (error) {
  console.log(error.message);
}
