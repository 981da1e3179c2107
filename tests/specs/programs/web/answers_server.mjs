// Shared by the clients of this family: a server with an address for each kind of response, `tried`, which prints the result,
// and `stop`.
import { createServer } from 'node:http';
import { gzipSync, brotliCompressSync } from 'node:zlib';
import { once } from 'node:events';
import { format } from 'node:util';

export const log = (...values) => process.stdout.write(`${format(...values)}\n`);

/** A server with many kinds of responses; `base` is its address. */
let flaky = 0;
export const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const say = (status, headers, text) => response.writeHead(status, headers).end(text);
  if (pathname === '/json') return say(200, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] }, '{"a":[1,"ü"]}');
  if (pathname === '/echo') {
    const { host, connection, 'user-agent': agent, 'content-type': type, ...headers } = request.headers;
    const said = { method: request.method, query: [...searchParams], type: type?.replace(/boundary=.*/, 'boundary'), headers, body: body.replace(/-{2,}[\w.-]+/g, '--B') };
    if (/multipart/.test(type)) delete said.headers['content-length'];
    return say(200, { 'content-type': 'application/json' }, JSON.stringify(said));
  }
  if (pathname === '/gzip') return say(200, { 'content-encoding': 'gzip' }, gzipSync('zipped'));
  if (pathname === '/br') return say(200, { 'content-encoding': 'br' }, brotliCompressSync('brotli'));
  if (pathname === '/redirect') return say(Number(searchParams.get('status') ?? 302), { location: searchParams.get('to') ?? '/echo?redirected=1' });
  if (pathname === '/status') return say(Number(searchParams.get('status')), {}, 'status body');
  if (pathname === '/flaky') return say(flaky++ % 3 < 2 ? 503 : 200, {}, `attempt ${flaky}`);
  if (pathname === '/never') return undefined;
  if (pathname === '/cut') { response.writeHead(200, { 'content-length': 100 }); response.write('part'); return setImmediate(() => response.destroy()); }
  if (pathname === '/slow') { response.write('a'); return request.on('close', () => {}); }
  if (pathname === '/big') return say(200, {}, 'x'.repeat(300_000));
  if (pathname === '/auth') return say(200, {}, request.headers.authorization ?? 'none');
  return say(404, { 'content-type': 'text/plain' }, 'not found');
}).listen(0);
await once(server, 'listening');
export const base = `http://localhost:${server.address().port}`;
export const stop = () => { server.close(() => log('closed')); server.closeAllConnections(); };
export const tried = async (name, work) => { try { log(name, await work()); } catch (error) { log(name, 'failed:', error.name, error.code, error.message?.replaceAll(base, '<base>'), error.cause?.code ?? ''); } };
