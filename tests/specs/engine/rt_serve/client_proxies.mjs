// WebSocket and fetch through proxies: tunnels, the requests to the proxy, and its refusals. The program may set headers for
// the proxy; a proxy may use TLS itself.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';

const { serve } = globalThis.RT ?? globalThis.Bun;
const subject = ['-subj', '/CN=localhost', '-keyout', 'key.pem', '-out', 'cert.pem'];
execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject], { stdio: 'ignore' });
const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(name, 'utf8'));

const serverOf = (tls) =>
  serve({
    port: 0,
    hostname: '127.0.0.1',
    tls,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(`served ${new URL(request.url).pathname}`)),
    websocket: { message: (socket, message) => socket.send(message) },
  });
const [plain, secure] = [serverOf(undefined), serverOf({ key, cert })];

const reported = [];
const seen = ({ method, url, headers }) => {
  const auth = headers['proxy-authorization'] && atob(headers['proxy-authorization'].slice(6));
  reported.push([method, url.replace(/:\d+/, ':PORT'), auth, headers['x-mine']].filter(Boolean).join(' '));
};
const proxyOf = (made) => {
  made.on('connect', (request, socket) => {
    seen(request);
    if (request.headers['x-refuse']) return void socket.end('HTTP/1.1 407 No\r\n\r\n');
    const [host, port] = request.url.split(':');
    const up = net.connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(up).pipe(socket);
    });
    for (const each of [up, socket]) each.on('error', () => [up, socket].forEach((one) => one.destroy()));
  });
  made.on('request', (request, response) => {
    seen(request);
    response.end('by the proxy');
  });
  return new Promise((resolve) => made.listen(0, '127.0.0.1', () => resolve(`127.0.0.1:${made.address().port}`)));
};
const [open, sealed] = [await proxyOf(http.createServer()), await proxyOf(https.createServer({ key, cert }))];

const spoken = (url, options) =>
  new Promise((resolve) => {
    const said = [];
    const socket = new WebSocket(url, options);
    socket.onopen = () => socket.send('hi');
    socket.onmessage = ({ data }) => {
      said.push(data);
      socket.close();
    };
    socket.onerror = () => said.push('error');
    socket.onclose = ({ code }) => resolve([...said, code].join(' '));
  });
const fetched = (url, options) =>
  fetch(url, options).then(
    async (response) => `${response.status} ${await response.text()}`,
    (error) => `rejects ${error.code}`,
  );
const tls = { rejectUnauthorized: false };
const proxies = [
  [`http://${open}`],
  [`http://user:pass%20word@${open}`],
  [{ url: `http://${open}`, headers: { 'X-Mine': 'yes' } }],
  [{ url: `http://user:word@${open}`, headers: { 'Proxy-Authorization': `Basic ${btoa('another:one')}` } }],
  [`https://${sealed}`],
];
for (const [proxy] of proxies) {
  for (const [kind, url, ask] of [
    ['ws', `ws://127.0.0.1:${plain.port}`, spoken],
    ['wss', `wss://127.0.0.1:${secure.port}`, spoken],
    ['http', `http://127.0.0.1:${plain.port}/a`, fetched],
    ['https', `https://127.0.0.1:${secure.port}/a`, fetched],
  ]) {
    reported.length = 0;
    console.log(kind, await ask(url, { proxy, tls }), '|', reported.join());
  }
}
const refusing = { url: `http://${open}`, headers: { 'X-Refuse': '1' } };
console.log(await spoken(`ws://127.0.0.1:${plain.port}`, { proxy: refusing }));
console.log(await fetched(`https://127.0.0.1:${secure.port}`, { proxy: refusing, tls }));
console.log(await spoken(`ws://127.0.0.1:${plain.port}`, { proxy: `https://${sealed}` })); // whose certificate is not trusted
for (const proxy of ['not a url', 'socks5://127.0.0.1:1']) {
  try {
    new WebSocket('ws://127.0.0.1:1', { proxy });
  } catch (error) {
    console.log(error.name, error.message);
  }
}
process.exit();
