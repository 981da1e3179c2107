// Bodies with a wrong declared length, sockets with an abstract name, unsolicited responses, preconnected connections, fields
// of a WebSocket, and rejected arguments of a server's methods.
import { once } from 'node:events';
import net from 'node:net';
const show = (...values) => console.log(...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
const failure = (error) => `${error.name}: ${error.message} ${error.code ?? ''}`;
const refused = async (name, work) => show(name, await (async () => work())().then((value) => `gives ${JSON.stringify(value)}`, failure));
const listening = async (connected) => {
  const server = net.createServer(connected).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return [server, `http://127.0.0.1:${server.address().port}/`];
};

// --- a stream has the length of its Content-Length, or its connection ends
{
  const chunks = () => new ReadableStream({ async pull(controller) { await RT.sleep(1); this.count = (this.count ?? 0) + 1; if (this.count > 3) controller.close(); else controller.enqueue(new TextEncoder().encode('abcd')); } });
  const server = RT.serve({ port: 0, development: false, error: (error) => new Response(error.message, { status: 500 }), fetch: (request) => new Response(chunks(), { headers: { 'content-length': new URL(request.url).pathname.slice(1) } }) });
  for (const length of ['12', '3', '6', '20', 'x', '-1', '1e1']) {
    const socket = net.connect(server.port, '127.0.0.1');
    socket.write(`GET /${length} HTTP/1.1\r\nHost: x\r\n\r\n`);
    let got = '';
    socket.on('data', (bytes) => { got += bytes; if (/0\r\n\r\n$|says$|\r\n\r\n(abcd){3}$/.test(got) && !got.includes(' 20\r')) socket.end(); });
    await once(socket, 'close');
    const [head, ...body] = got.split('\r\n\r\n');
    show(length, head.split('\r\n').filter((line) => /^HTTP|length|transfer/i.test(line)).join(' | '), body.join(' ').replaceAll('\r\n', ' '));
  }
  await server.stop(true);
}
// --- a direct stream may write nothing and wait
{
  const server = RT.serve({ port: 0, fetch: () => new Response(new ReadableStream({ type: 'direct', async pull(controller) { controller.write(''); await controller.flush(); controller.write('x'); await controller.flush(); controller.write(new Uint8Array(0)); await controller.flush(); controller.end(); } })) });
  show('direct', await (await fetch(server.url)).text());
  await server.stop(true);
}
// --- an abstract name instead of a path
{
  const unix = `\0rt-test-${process.pid}`;
  const server = RT.serve({ unix, async fetch(request) { return new Response(await request.text()); } });
  show(server.url.href.replace(process.pid, 'N'), server.address === unix, await (await fetch('http://x/', { unix, method: 'POST', body: 'by its name' })).text());
  await server.stop(true);
  await refused('a long path', () => RT.serve({ unix: `/tmp/${'a'.repeat(120)}`, fetch() {} }).url);
}
// --- a redirect away from a unix socket's origin leaves the socket
{
  const unix = `\0rt-test-redirect-${process.pid}`;
  const outside = RT.serve({ port: 0, fetch: () => new Response('outside') });
  const inside = RT.serve({ unix, fetch: (request) => request.url.endsWith('/out') ? Response.redirect(outside.url.href) : request.url.endsWith('/on') ? Response.redirect('http://x/there') : new Response('inside') });
  for (const path of ['out', 'on']) show('redirect', path, await (await fetch(`http://x/${path}`, { unix })).text());
  await Promise.all([inside.stop(true), outside.stop(true)]);
}
// --- data after a response belongs to no request
{
  const answers = (text) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  const [server, url] = await listening((socket) => socket.on('error', () => {}).on('data', (bytes) => {
    if (`${bytes}`.includes('/next')) socket.write(answers('right'));
    else if (`${bytes}`.includes('/moves')) socket.write(`HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n${answers('wrong')}`);
    else socket.write(answers('first') + answers('second'));
  }));
  for (const path of ['', 'moves', '']) show('asks', path, await (await fetch(url + path)).text());
  server.close();
}
// --- a preconnected connection serves the next request, even while it is being opened
{
  let count = 0;
  const [server, url] = await listening((socket) => { count++; socket.on('error', () => {}).on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')); });
  fetch.preconnect(url);
  show('ahead', await (await fetch(url)).text(), count);
  const both = [fetch(url), fetch(url)].map(async (answer) => (await answer).text());
  show('then', await Promise.all(both), count);
  server.close();
  for (const wrong of ['', 'x', 'ftp://x/', 'unix:///tmp/x', 'http://localhost:0', 'http://:0', undefined]) await refused(`preconnect ${wrong}`, () => fetch.preconnect(wrong));
}
// --- fields of a WebSocket are sent as written, and once
{
  const [server, url] = await listening((socket) => socket.on('error', () => {}).once('data', (bytes) => {
    show(`${bytes}`.split('\r\n').filter((line) => /^(?:host|my|user-agent|origin)/i.test(line)).sort());
    socket.end();
  }));
  const client = new WebSocket(url.replace('http', 'ws'), { headers: { MyField: 'a', My_Other: 'b', host: 'elsewhere', 'user-agent': 'me', Origin: 'https://x' } });
  await once(client, 'close');
  server.close();
}
// --- pings and pongs are events of the client, as in Bun
{
  const server = RT.serve({ port: 0, websocket: { open: (socket) => socket.ping('from the server'), message() {} }, fetch: (request, own) => void own.upgrade(request) });
  const client = new WebSocket(server.url.href.replace('http', 'ws'));
  const { data: asked } = await once(client, 'ping').then(([event]) => event);
  client.binaryType = 'nodebuffer';
  client.ping('from the client');
  const { data: answered } = await once(client, 'pong').then(([event]) => event);
  client.binaryType = 'arraybuffer';
  client.ping('x');
  const { data: again } = await once(client, 'pong').then(([event]) => event);
  show('ping', await asked.text?.(), 'pong', Buffer.isBuffer(answered), `${answered}`, again.constructor.name, again.byteLength);
  await server.stop(true);
}
// --- rejected methods and options of a server
{
  const server = RT.serve({ port: 0, fetch: () => new Response('x') });
  const foreign = new Request('http://x/');
  for (const method of ['requestIP', 'timeout']) for (const given of [undefined, 5, foreign]) await refused(`${method} ${given === foreign ? 'a foreign request' : given}`, () => server[method](given, 5) ?? null);
  for (const given of [undefined, 5, '', null]) await refused(`fetch ${JSON.stringify(given)}`, async () => (await server.fetch(given)).status);
  await server.stop(true);
  for (const idleTimeout of [0, 255, 256, 1.5, Infinity, '1']) await refused(`idleTimeout ${idleTimeout}`, () => RT.serve({ port: 0, idleTimeout, fetch() {} }).stop(true).constructor.name);
  for (const perMessageDeflate of [true, { compress: 'shared', decompress: false }, { compress: '5KB' }, { decompress: 'x' }])
    await refused(JSON.stringify(perMessageDeflate), () => RT.serve({ port: 0, websocket: { perMessageDeflate, message() {} }, fetch() {} }).stop(true).constructor.name);
  await refused('SNI', () => RT.serve({ port: 0, tls: [{ key: 'x', cert: 'x' }, { key: 'x', cert: 'x' }], fetch() {} }));
}
process.exit();
