// msw
import https from 'node:https';
import { HttpResponse, http, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { ask, get, serve, step } from './ask.mjs';

const { server: real, place } = await serve();
const server = setupServer(
  http.get('http://api.test/a', () => HttpResponse.json({ mock: true }, { headers: { 'x-a': '1' } })),
  http.post('https://api.test/b', async ({ request }) => HttpResponse.text(`got ${await request.text()}`)),
  http.get('https://api.test/c', () => HttpResponse.text('secure')),
  http.post('http://api.test/size', async ({ request }) => HttpResponse.text(`${(await request.arrayBuffer()).byteLength}`)),
  http.get('http://api.test/large', () => HttpResponse.text('x'.repeat(300_000))),
  http.get('http://api.test/pieces', () => {
    const parts = ['a', 'b', 'c'];
    const pull = (controller) => (parts.length > 0 ? controller.enqueue(Buffer.from(parts.shift())) : controller.close());
    return new HttpResponse(new ReadableStream({ pull }));
  }),
  http.get('http://api.test/broken', () => HttpResponse.error()),
  http.get(`${place}/mocked`, () => HttpResponse.text('mocked')),
  http.get(`${place}/passed`, () => passthrough()),
);
server.listen({ onUnhandledRequest: 'bypass' });

await step('fetch', () => get('http://api.test/a'));
await step('fetch over TLS', () => get('https://api.test/b', { method: 'POST', body: 'hello' }));
await step('http', () => ask('http://api.test/a'));
await step('https', () => ask('https://api.test/b', { method: 'POST', body: 'hi' }));
await step('a place that is there', () => ask(`${place}/mocked`));
await step('passed on', () => ask(`${place}/passed`));
await step('passed on by fetch', () => get(`${place}/passed`));
await step('nobody asked', () => ask(`${place}/other`, { method: 'POST', body: 'z'.repeat(1000) }));
await step('broken', () => ask('http://api.test/broken'));
await step('broken for fetch', () => get('http://api.test/broken'));
await step('upload', () => get('http://api.test/size', { method: 'POST', body: new Uint8Array(500_000) }));
await step('upload of a stream', () => get('http://api.test/size', { method: 'POST', duplex: 'half', body: new Blob(['abc']).stream() }));
await step('large', async () => (await get('http://api.test/large')).length);
await step('pieces', () => get('http://api.test/pieces'));
await step('at once', async () => (await Promise.all(Array.from({ length: 10 }, () => get('https://api.test/c')))).join());
await step('one connection', async () => {
  const agent = new https.Agent({ keepAlive: true });
  const said = [];
  for (let i = 0; i < 3; i++) said.push(await ask('https://api.test/c', { agent }));
  agent.destroy();
  return said;
});

server.use(http.get('http://api.test/a', () => HttpResponse.json({ mock: 2 })));
await step('another handler', () => get('http://api.test/a'));
server.close();
await step('closed', () => get(`${place}/mocked`));
real.close();
real.closeAllConnections();
