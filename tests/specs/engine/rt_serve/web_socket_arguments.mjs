// Accepted and rejected arguments of RT.serve's web socket methods, the types of received bytes, and details of the server: its
// address as one object, requests to itself, HEAD with a coding. Compared with Bun, which accepts blobs as well.
import { once } from 'node:events';
const show = (...values) => console.log(...values);
const report = (label, work) => {
  let text;
  try {
    text = String(work());
  } catch (error) {
    text = `${error.name}: ${error.message} ${error.code ?? ''}`.trim();
  }
  show(label, '-', text);
};
const VALUES = [undefined, null, '', 5, {}, Symbol('a'), true];
const server = RT.serve({
  port: 0,
  fetch(request, own) {
    if (request.headers.has('upgrade') && own.upgrade(request)) return undefined;
    const { pathname } = new URL(request.url);
    if (request.method === 'HEAD') return new Response(null, { headers: pathname === '/length' ? { 'Content-Length': '11' } : { 'Transfer-Encoding': 'chunked' } });
    return new Response(`answer to ${pathname}`);
  },
  websocket: {
    open(ws) {
      const bytes = new Uint8Array(1);
      for (const value of VALUES) {
        const name = typeof value === 'symbol' ? 'symbol' : String(JSON.stringify(value));
        for (const method of ['subscribe', 'unsubscribe', 'isSubscribed', 'publish']) report(`${method} ${name}`, () => ws[method](value, 'x'));
        for (const method of ['publish', 'publishText', 'publishBinary']) {
          report(`${method} of ${name}`, () => ws[method]('topic', value));
          report(`${method} compress ${name}`, () => ws[method]('topic', method === 'publishBinary' ? bytes : 'a', value));
        }
        for (const method of ['send', 'sendText', 'sendBinary']) {
          if (value !== '') report(`${method} ${name}`, () => ws[method](value));
          report(`${method} compress ${name}`, () => ws[method](method === 'sendBinary' ? bytes : 'a', value));
        }
        report(`ping ${name}`, () => ws.ping(value));
        report(`cork ${name}`, () => ws.cork(value));
        report(`binaryType ${name}`, () => (ws.binaryType = value));
        report(`subscriberCount ${name}`, () => server.subscriberCount(value));
      }
      for (const type of ['buffer', 'Uint8Array', 'uint8array', 'blob', 'nodebuffer', 'arraybuffer']) report(type, () => { ws.binaryType = type; return ws.binaryType; });
      ws.send('ready');
    },
    ping(ws, data) { show('ping', data.constructor.name); },
    pong() {},
    async message(ws, message) {
      show('message', ws.binaryType, message.constructor.name, message.byteLength ?? message.size);
      const { [message.constructor.name]: next } = { ArrayBuffer: 'uint8array', Uint8Array: 'nodebuffer', Buffer: 'blob' };
      if (next !== undefined) ws.binaryType = next;
      else ws.close(1000, 'done');
      ws.send('next');
    },
  },
});
const socket = new WebSocket(server.url);
let isRequested = false;
socket.onmessage = ({ data }) => {
  if (data === 'ready') isRequested = true;
  if (isRequested && (data === 'ready' || data === 'next')) socket.send(new Uint8Array(3));
};
const [{ code }] = await once(socket, 'close');
show('closed', code);

show('one address', server.url === server.url, server.url instanceof URL);
for (const input of ['/path', `${server.url}whole`, new Request(`${server.url}request`)]) {
  const response = await server.fetch(input);
  show(response.url.replace(server.url, 'http://server/'), await response.text());
}
for (const path of ['length', 'coded']) {
  const { headers } = await fetch(server.url + path, { method: 'HEAD' });
  show('HEAD', path, headers.get('content-length'), headers.get('transfer-encoding'));
}
for (const hostname of ['', null, undefined]) {
  const other = RT.serve({ hostname, unix: `/tmp/rt-socket-${process.pid}`, fetch: () => new Response('') });
  show(other.hostname, other.port, other.url.protocol);
  await other.stop(true);
}
await server.stop(true);
