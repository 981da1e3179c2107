// The global fetch through dispatchers of the package: for one request, and globally.
import { Agent, MockAgent, ProxyAgent, RetryAgent, getGlobalDispatcher, interceptors, setGlobalDispatcher } from 'undici';
import { createServer } from 'node:http';
import { base, log, stop, tried } from './answers_server.mjs';

const before = getGlobalDispatcher();
const said = async (answer) => [answer.status, answer.headers.get('content-type'), answer.redirected, await answer.text()];
class Counting extends Agent {
  seen = [];
  dispatch(options, handler) {
    this.seen.push(`${options.method} ${options.path}`);
    return super.dispatch(options, handler);
  }
}
const counting = new Counting();
await tried('named', async () => said(await fetch(`${base}/json`, { dispatcher: counting })));
await tried('redirect', async () => {
  const answer = await fetch(`${base}/redirect`, { dispatcher: counting });
  return [answer.status, answer.redirected, new URL(answer.url).pathname];
});
await tried('stream', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('one '));
      controller.enqueue(new TextEncoder().encode('two'));
      controller.close();
    },
  });
  return (await (await fetch(`${base}/echo`, { method: 'POST', body, duplex: 'half', dispatcher: counting })).json()).body;
});
await tried('stream fails', async () => {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(new Error('no more'));
    },
  });
  try {
    return await fetch(`${base}/echo`, { method: 'POST', body, duplex: 'half', dispatcher: counting });
  } catch (error) {
    return error.constructor.name;
  }
});
await tried('bytes', async () => (await (await fetch(`${base}/echo`, { method: 'PUT', body: new Uint8Array([104, 105]), dispatcher: counting })).json()).body);
await tried('form', async () => (await (await fetch(`${base}/echo`, { method: 'PUT', body: new URLSearchParams({ a: 'b c' }), dispatcher: counting })).json()).body);
await tried('gzip', async () => said(await fetch(`${base}/gzip`, { dispatcher: counting })));
await tried('of a Request', async () => (await fetch(new Request(`${base}/json`, { dispatcher: counting }))).status);
await tried('big', async () => (await (await fetch(`${base}/big`, { dispatcher: counting })).arrayBuffer()).byteLength > 60000);
await tried('part of big', async () => {
  const reader = (await fetch(`${base}/big`, { dispatcher: counting })).body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return value.length > 0;
});
log(counting.seen);
await tried('refused', async () => {
  try {
    return await fetch('http://127.0.0.1:2', { dispatcher: counting });
  } catch (error) {
    return [error.message, error.cause?.message];
  }
});
const aborted = async (make) => {
  const controller = new AbortController();
  const promise = make(controller.signal);
  controller.abort(new RangeError('enough'));
  try {
    return await promise;
  } catch (error) {
    return [error.name, error.message];
  }
};
await tried('aborted', () => aborted((signal) => fetch(`${base}/never`, { signal, dispatcher: counting })));
await tried('late abort', async () => {
  const controller = new AbortController();
  const answer = await fetch(`${base}/big`, { signal: controller.signal, dispatcher: counting });
  controller.abort(new RangeError('enough'));
  try {
    return await answer.text();
  } catch (error) {
    return [error.name, error.message];
  }
});
await tried('retry', async () => said(await fetch(`${base}/flaky`, { dispatcher: new RetryAgent(new Agent(), { minTimeout: 1, maxTimeout: 2 }) })));
await tried('composed', async () => {
  const dispatcher = new Agent().compose((dispatch) => (options, handler) => dispatch({ ...options, path: '/json' }, handler));
  return said(await fetch(`${base}/none`, { dispatcher }));
});
await tried('interceptor', async () => {
  try {
    return await fetch(`${base}/status?status=500`, { dispatcher: new Agent().compose(interceptors.responseError()) });
  } catch (error) {
    return [error.message, error.cause?.constructor.name];
  }
});
await tried('wrong', async () => {
  try {
    return await fetch(`${base}/json`, { dispatcher: {} });
  } catch (error) {
    return error.constructor.name;
  }
});
await tried('proxy', async () => {
  const asked = [];
  const proxy = createServer((question, answer) => {
    asked.push(question.url.replace(/\d{4,}/, 'PORT'));
    answer.end('by proxy');
  });
  await new Promise((resolve) => proxy.listen(0, resolve));
  const agent = new ProxyAgent({ uri: `http://localhost:${proxy.address().port}`, proxyTunnel: false });
  const text = await (await fetch('http://elsewhere.invalid/x', { dispatcher: agent })).text();
  await agent.close();
  proxy.close();
  proxy.closeAllConnections();
  return [text, asked];
});
const mock = new MockAgent();
mock.disableNetConnect();
setGlobalDispatcher(mock);
const pool = mock.get('http://mocked');
pool.intercept({ path: '/a' }).reply(200, { a: 1 }, { headers: { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] } }).persist();
pool.intercept({ path: '/post', method: 'POST', body: 'sent', headers: { 'x-a': 'b' } }).reply(201, 'made');
pool.intercept({ path: '/r' }).reply(302, '', { headers: { location: '/a' } });
pool.intercept({ path: '/error' }).replyWithError(new RangeError('mine'));
await tried('mocked', async () => {
  const answer = await fetch('http://mocked/a');
  return [answer.headers.getSetCookie(), await said(answer)];
});
await tried('mocked post', async () => said(await fetch('http://mocked/post', { method: 'POST', body: 'sent', headers: { 'x-a': 'b' } })));
await tried('mocked redirect', async () => said(await fetch('http://mocked/r')));
for (const path of ['error', 'unknown'])
  await tried(`mocked ${path}`, async () => {
    try {
      return await fetch(`http://mocked/${path}`);
    } catch (error) {
      return [error.message, error.cause?.name];
    }
  });
await tried('nothing waits', () => mock.pendingInterceptors().map(({ path }) => path));
setGlobalDispatcher(new Counting());
await tried('global', async () => [(await fetch(`${base}/json`)).status, getGlobalDispatcher().seen]);
await getGlobalDispatcher().destroy();
setGlobalDispatcher(before);
await tried('again', async () => (await fetch(`${base}/json`)).status);
await counting.destroy();
await before.destroy();
stop();
