// Iterators as bodies, parts of files with their own Content-Range, cancellation of a stream when its client disconnects, and a
// server at ::1 only.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RT = globalThis.RT ?? globalThis.Bun;
const folder = mkdtempSync(join(tmpdir(), 'parts-'));
const file = join(folder, 'digits.txt');
writeFileSync(file, '0123456789');
const part = (start, end, init) => () => new Response(RT.file(file).slice(start, end), init);
const reported = (range, status) => ({ status, headers: { 'Content-Range': range } });

let given;
const answers = {
  '/yields': () =>
    new Response(async function* () {
      const controller = yield 'a';
      given = controller;
      controller.write('b');
      await controller.flush();
      const again = yield 'c';
      console.log('the same controller', again === controller);
      return 'd';
    }),
  '/ends': () =>
    new Response({
      async *[Symbol.asyncIterator]() {
        try {
          const controller = yield 'a';
          controller.write('b');
          await controller.end();
          yield 'never';
        } finally {
          console.log('let go');
        }
      },
    }),
  '/own-range': part(2, 5, reported('bytes 2-4/10')),
  '/own-status': part(2, 5, reported('bytes 2-4/10', 200)),
  '/created': part(2, 5, { status: 201 }),
  '/no-range': part(2, 5),
  '/all': part(0, 10, reported('bytes 0-9/10')),
  '/nothing': part(3, 3, reported('bytes 3-3/10')),
};
const server = RT.serve({ port: 0, fetch: (request) => answers[new URL(request.url).pathname]() });
for (const path in answers) {
  const response = await fetch(new URL(path, server.url));
  console.log(path, response.status, response.headers.get('content-range'), await response.text());
}
console.log(['write', 'flush', 'end', 'close', 'error'].map((name) => typeof given[name]).join());
await server.stop(true);

// Two concurrent reads, the return value, an error, and a reader that stops.
const reader = new Response(async function* () {
  for (const letter of 'abc') yield letter;
}).body.getReader();
const reads = await Promise.all([reader.read(), reader.read(), reader.read(), reader.read()]);
console.log(reads.map(({ done, value }) => (done ? 'done' : new TextDecoder().decode(value))).join());
const failing = new Response(async function* () {
  yield 'a';
  throw new Error('broken');
});
await failing.text().catch((error) => console.log(error.message));
let isOver = false;
const stopped = new Response(async function* () {
  try {
    yield 'a';
    yield 'b';
  } finally {
    isOver = true;
  }
}).body.getReader();
await stopped.read();
await stopped.cancel();
console.log('stopped', isOver);

// The client disconnects.
const gone = Promise.withResolvers();
const aborting = new AbortController();
const slow = RT.serve({
  port: 0,
  fetch: (request) => {
    request.signal.addEventListener('abort', () => console.log('the request is aborted'));
    return new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(3)),
        cancel: (reason) => gone.resolve(reason),
      }),
    );
  },
});
const response = await fetch(slow.url, { signal: aborting.signal });
await response.body.getReader().read();
aborting.abort();
const reason = await gone.promise;
console.log(reason.name, reason.message);
await slow.stop(true);

const sixth = RT.serve({ port: 0, hostname: '::1', fetch: (request, { requestIP }) => Response.json(typeof requestIP) });
console.log(await (await fetch(`http://localhost:${sixth.port}/`)).text());
await sixth.stop(true);
await fetch(`http://localhost:${sixth.port}/`).catch((error) => console.log(error.code));
rmSync(folder, { recursive: true });

// A clone of a route's request.
const cloning = RT.serve({
  port: 0,
  routes: {
    '/:id': (request) => {
      const clone = request.clone();
      const again = clone.clone();
      request.cookies.set('b', '2');
      return Response.json([clone.params, again.params, clone.cookies.get('a'), clone.cookies.get('b'), again.cookies.get('a')]);
    },
  },
});
console.log(await (await fetch(`${cloning.url}5`, { headers: { Cookie: 'a=1' } })).text());
await cloning.stop(true);
