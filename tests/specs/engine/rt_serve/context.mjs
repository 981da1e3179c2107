// The handlers of RT.serve run in the async context in which it was called, as in Bun.
import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage();
const now = () => storage.getStore();
const options = (name) => ({
  port: 0,
  routes: {
    '/every': () => new Response(now()),
    '/method': { GET: async () => { await RT.sleep(1); return new Response(now()); } },
  },
  fetch(request, own) {
    if (request.headers.has('upgrade') && own.upgrade(request)) return undefined;
    if (request.url.endsWith('/fails')) throw new Error('fails');
    return new Response(`${name} ${now()}`);
  },
  error: () => new Response(`error ${now()}`),
  websocket: {
    open: () => console.log('open', now()),
    message(ws) { console.log('message', now()); ws.close(); },
    close: () => console.log('close', now()),
  },
});
const server = storage.run('outer', () => RT.serve(options('first')));
const ask = async (path) => console.log(path, await (await fetch(new URL(path, server.url))).text());
for (const path of ['/', '/every', '/method', '/fails']) await storage.run('who asks', () => ask(path));
const socket = new WebSocket(server.url);
socket.onopen = () => socket.send('x');
await new Promise((resolve) => { socket.onclose = resolve; });
await RT.sleep(1);
storage.run('inner', () => server.reload(options('second')));
for (const path of ['/', '/every', '/fails']) await ask(path);
server.reload(options('third'));
await ask('/');
await server.stop(true);
