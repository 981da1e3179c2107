// nock
import http from 'node:http';
import { Readable } from 'node:stream';
import nock from 'nock';
import { ask, get, serve, step } from './ask.mjs';

const { server: real, place } = await serve();
const api = () => nock('http://api.test');

api().get('/a').reply(200, { ok: 1 }, { 'x-a': 'b' });
await step('get', () => ask('http://api.test/a'));
nock('https://api.test').post('/b', { x: 1 }).reply(201, 'made');
await step('post', () => ask('https://api.test/b', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"x":1}' }));
api().get('/c').query({ q: '1' }).times(2).reply(200, 'c');
await step('fetch', () => get('http://api.test/c?q=1'));
await step('fetch again', () => get('http://api.test/c?q=1'));
await step('no match', async () => (await ask('http://api.test/none')).slice(0, 3));
api().get('/e').replyWithError('boom');
await step('error', () => ask('http://api.test/e'));
api().get('/late').delay(20).reply(200, 'late');
await step('delay', () => ask('http://api.test/late'));
api().get('/later').delay(60_000).reply(200, 'later');
await step('timeout', () => ask('http://api.test/later', { timeout: 30 }));
nock.disableNetConnect();
await step('disabled', () => ask(`${place}/x`));
nock.enableNetConnect('127.0.0.1');
await step('enabled', () => ask(`${place}/x`));
await step('enabled for fetch', () => get(`${place}/f`));
api().get('/stream').reply(200, () => Readable.from(['a', 'b', 'c']));
await step('stream', () => ask('http://api.test/stream'));
api().persist().get(/^\/re/).reply(200, 're');
const agent = new http.Agent({ keepAlive: true });
await step('agent', () => ask('http://api.test/re1', { agent }));
await step('the same agent', () => ask('http://api.test/re2', { agent }));
agent.destroy();
console.log(nock.isDone(), nock.pendingMocks().length);
nock.cleanAll();
nock.restore();
await step('restored', () => get(`${place}/r`));
real.close();
real.closeAllConnections();
process.exit(); // the delayed response was too late
