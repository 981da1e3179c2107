import http from 'node:http';
import { HttpResponse, delay, http as on, passthrough } from 'msw';
import { setupServer } from 'msw/node';

const real = http.createServer((request, response) => response.end(`real ${request.method} ${request.url}`));
await new Promise((listening) => real.listen(0, '127.0.0.1', listening));
const place = `http://127.0.0.1:${real.address().port}`;

const server = setupServer(
  on.get('http://api.test/users/:id', ({ params, request }) => HttpResponse.json({ id: params.id, query: new URL(request.url).search })),
  on.post('http://api.test/echo', async ({ request }) => HttpResponse.text((await request.text()).toUpperCase(), { status: 202 })),
  on.get('http://api.test/slow', async () => {
    await delay(10);
    return new HttpResponse(null, { status: 204, headers: { 'x-slow': 'yes' } });
  }),
  on.get('http://api.test/broken', () => HttpResponse.error()),
  on.get(`${place}/real`, () => passthrough()),
);
server.events.on('request:start', ({ request }) => console.log('>', request.method, request.url.replace(place, 'place')));
server.listen({ onUnhandledRequest: 'error' });

function asked(url, options = {}, body = undefined) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, options, (response) => {
      let text = '';
      response.on('data', (piece) => (text += piece));
      response.on('end', () => resolve([response.statusCode, response.headers['content-type'], text]));
    });
    request.on('error', reject);
    request.end(body);
  });
}

console.log(await (await fetch("http://api.test/users/7?a=1")).text());
const echoed = await fetch('http://api.test/echo', { method: 'POST', body: 'hey' });
console.log(echoed.status, await echoed.text());
const slow = await fetch('http://api.test/slow');
console.log(slow.status, slow.headers.get('x-slow'));
await fetch('http://api.test/broken').catch((error) => console.log(error.name, error.message));
await fetch('http://other.test/').catch((error) => console.log(error.name));
console.log(...(await asked('http://api.test/users/9')));
console.log(...(await asked('http://api.test/echo', { method: 'POST' }, 'by http')));
console.log((await asked(`${place}/real`))[2], await (await fetch(`${place}/real`)).text());
server.use(on.get('http://api.test/users/:id', () => HttpResponse.json({ overridden: true }), { once: true }));
for (let i = 0; i < 2; i++) console.log(await (await fetch('http://api.test/users/1')).text());
server.close();
console.log(await (await fetch(`${place}/after`)).text());
real.close();
