import request from 'supertest';
import express from 'express';
import nock from 'nock';
import inject from 'light-my-request';
import https from 'node:https';
import http from 'node:http';
import { log } from './ask.mjs';
const app = express();
app.use(express.json());
app.get('/user', (q, r) => r.status(200).json({ name: 'j' }));
app.post('/up', (q, r) => r.set('x-a', 'b').cookie('c', 'd').send(q.body));
app.get('/agent', (q, r) => r.send(q.headers.cookie ?? 'none'));
const one = await request(app).get('/user').expect('Content-Type', /json/).expect(200);
log(one.body, one.status, one.type);
const two = await request(app).post('/up').send({ x: 1 }).set('Accept', 'application/json');
log(two.body, two.headers['x-a'], two.headers['set-cookie']);
try {
  await request(app).get('/none').expect(200);
} catch (error) {
  log(error.message);
}
const agent = request.agent(app);
await agent.post('/up').send({});
log((await agent.get('/agent')).text);
const injected = await inject(
  (q, r) => {
    let t = '';
    q.on('data', (d) => (t += d));
    q.on('end', () => {
      r.writeHead(201, 'Made', { 'x-b': '1' });
      r.end(`${q.method} ${q.url} ${t}`);
    });
  },
  { method: 'POST', url: '/in?a=1', payload: { p: 1 }, headers: { h: '1' } },
);
log(injected.statusCode, injected.statusMessage, injected.payload, injected.headers['x-b']);
nock.disableNetConnect();
nock('https://api.example.com')
  .get('/a')
  .query({ q: '1' })
  .reply(200, { ok: true }, { 'x-n': 'k' })
  .post('/b', { z: 1 })
  .reply(201, (uri, body) => ({ uri, body }))
  .get('/err')
  .replyWithError('broken');
const get = (u, o = {}, body) =>
  new Promise((d) => {
    const q = https.request(u, o, (r) => {
      let t = '';
      r.on('data', (x) => (t += x));
      r.on('end', () => d([r.statusCode, r.headers['x-n'], t]));
    });
    q.on('error', (e) => d([e.code, e.message]));
    q.end(body);
  });
log(await get('https://api.example.com/a?q=1'));
log(
  await get(
    'https://api.example.com/b',
    { method: 'POST', headers: { 'content-type': 'application/json' } },
    '{"z":1}',
  ),
);
log(await get('https://api.example.com/err'));
log((await get('https://api.example.com/unknown'))[0]);
log(nock.isDone(), nock.pendingMocks());
nock('http://f.example').get('/').reply(203, 'fetched');
const f = await fetch('http://f.example/');
log(f.status, await f.text());
nock.restore();
nock.enableNetConnect();
