// Headers, Request and Response without a network.
import { format } from 'node:util';

const print = (...args) => process.stdout.write(`${format(...args)}\n`);
const attempt = async (name, work) => {
  try {
    print(name, await work());
  } catch (error) {
    print(name, error.name, error.message);
  }
};
const headers = new Headers([['B', '1'], ['a', ' x '], ['b', '2'], ['Set-Cookie', 'c=1'], ['set-cookie', 'd=2']]);
print([...headers], headers.get('B'), headers.has('SET-cookie'), headers.getSetCookie(), headers.get('none'));
headers.append('a', 'y');
headers.set('B', 'z');
headers.delete('set-cookie');
print([...headers.keys()].join(), [...headers.values()].join('|'), Object.prototype.toString.call(headers), Object.prototype.toString.call(headers.keys()));
headers.forEach((value, name, all) => print(name, value, all === headers));
await attempt('null', () => new Headers(null));
await attempt('number', () => new Headers(1));
await attempt('pairs', () => new Headers([['a']]));
await attempt('not pairs', () => new Headers([1]));
await attempt('name', () => new Headers({ 'a b': 'c' }));
await attempt('value', () => new Headers({ a: 'b\0' }));
await attempt('wide', () => new Headers({ a: 'b\u0100' }));
await attempt('few', () => new Headers().append('a'));
await attempt('none', () => new Headers().get());
await attempt('forEach', () => new Headers().forEach(1));

await attempt('text', () => new Response('héllo').text());
await attempt('bytes', async () => [...(await new Response('hé').bytes())].join());
await attempt('buffer', async () => (await new Response('abc').arrayBuffer()).byteLength);
await attempt('json', () => new Response('{"a":1}').json());
await attempt('bad json', () => new Response('{bad').json());
await attempt('no json', () => new Response('').json());
await attempt('mark', async () => (await new Response(new Uint8Array([0xef, 0xbb, 0xbf, 97])).text()).length);
await attempt('types', () => [new Response('a'), new Response(new URLSearchParams('a=1')), new Response(new Uint8Array(1)), new Response(null), new Response()].map((each) => each.headers.get('content-type')));
await attempt('given type', () => new Response('a', { headers: { 'Content-Type': 'x/y' } }).headers.get('content-type'));
await attempt('used', async () => {
  const response = new Response('a');
  print(response.bodyUsed, (await response.text()), response.bodyUsed);
  return response.text();
});
await attempt('clone', async () => {
  const response = new Response('twice');
  const copy = response.clone();
  return [await response.text(), await copy.text(), copy.status];
});
await attempt('clone of used', async () => {
  const response = new Response('a');
  await response.text();
  return response.clone();
});
await attempt('locked', async () => {
  const response = new Response('a');
  response.body.getReader();
  return response.text();
});
await attempt('stream', async () => {
  let text = '';
  for await (const chunk of new Response('streamed').body) text += new TextDecoder().decode(chunk);
  return text;
});
await attempt('from stream', () => new Response(new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode('a')); c.enqueue(new TextEncoder().encode('b')); c.close(); } })).text());
await attempt('bad stream', () => new Response(new ReadableStream({ start(c) { c.enqueue(1); c.close(); } })).text());
await attempt('failing stream', () => new Response(new ReadableStream({ start(c) { c.error(new Error('mine')); } })).text());
await attempt('status', () => new Response('', { status: 99 }));
await attempt('status 204', () => new Response('x', { status: 204 }));
await attempt('statusText', () => new Response('', { statusText: 'a\nb' }));
await attempt('static', async () => {
  const json = Response.json({ a: [1] }, { status: 201, headers: { a: 'b' } });
  const redirect = Response.redirect('http://h/x', 307);
  const error = Response.error();
  return [json.status, json.headers.get('content-type'), await json.text(), redirect.status, redirect.headers.get('location'), error.type, error.status, error.ok];
});
await attempt('json of nothing', () => Response.json(undefined));
await attempt('json without', () => Response.json());
await attempt('redirect', () => Response.redirect('http://h/', 200));
const request = new Request('http://h/a?b#c', { method: 'post', headers: { A: 'b' }, body: 'text' });
print(request.method, request.url, request.headers.get('a'), request.headers.get('content-type'), request.mode, request.credentials, request.cache, request.redirect, request.referrer, request.integrity, request.keepalive, request.destination, request.duplex, request.signal.aborted);
await attempt('of request', async () => {
  const copy = new Request(request, { headers: { C: 'd' } });
  return [copy.method, await copy.text(), copy.headers.get('a'), copy.headers.get('c')];
});
await attempt('get with body', () => new Request('http://h/', { body: 'x' }));
await attempt('trace', () => new Request('http://h/', { method: 'TRACE' }));
await attempt('method', () => new Request('http://h/', { method: 'A B' }));
await attempt('relative', () => new Request('/a'));
await attempt('no url', () => new Request());
await attempt('signal', () => new Request('http://h/', { signal: 1 }));
await attempt('navigate', () => new Request('http://h/', { mode: 'navigate' }));
await attempt('form type', () => new Response('a').formData());
print(Object.keys(Object.getOwnPropertyDescriptors(Response.prototype)).join(), Response.length, Request.length, Headers.length, fetch.length, fetch.name);
const { inspect } = await import('node:util');
print(inspect(new Headers({ a: "b" })), inspect(new Response("x", { headers: { a: "b" } })), inspect(request));

// The stream of a body that is, or was, being read is locked to that reader.
const bodies = {
  text: () => new Response('text'),
  bytes: () => new Response(new Uint8Array(3)),
  blob: () => new Response(new Blob(['x'])),
  request: () => new Request('http://a/', { method: 'POST', body: 'x' }),
  stream: () => new Response(ReadableStream.from([new Uint8Array(2)])),
};
for (const name in bodies) {
  const one = bodies[name]();
  const reading = one.text();
  await attempt(`${name}: a reader`, () => one.body.getReader());
  await attempt(`${name}: tee`, () => one.body.tee());
  await attempt(`${name}: cancel`, () => one.body.cancel());
  await reading;
  print(one.body.locked, one.bodyUsed);
}
