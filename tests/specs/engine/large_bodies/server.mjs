// A server that sends, or counts, SIZE bytes; /peak returns its peak memory in kB.
import http from 'node:http';
import { readFileSync } from 'node:fs';
const SIZE = Number(process.env.SIZE);
const PIECE = Buffer.alloc(1 << 18);
const peak = () => /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
function pieces() {
  let given = 0;
  const pull = (controller) => {
    if (given >= SIZE) return controller.close();
    given += PIECE.length;
    return controller.enqueue(PIECE);
  };
  return new ReadableStream({ pull }, { highWaterMark: 1 });
}
async function count(body) {
  let size = 0;
  for await (const chunk of body) size += chunk.length;
  return `${size}`;
}
function send(response) {
  let given = 0;
  const more = () => {
    while (given < SIZE) {
      given += PIECE.length;
      if (!response.write(PIECE)) return void response.once('drain', more);
    }
    return response.end();
  };
  more();
}
if (process.argv[2] === 'serve') {
  const server = RT.serve({
    port: 0, idleTimeout: 0, maxRequestBodySize: 2 ** 50,
    async fetch(request) {
      if (request.url.endsWith('/peak')) return new Response(peak());
      return new Response(request.method === 'POST' ? await count(request.body) : pieces());
    },
  });
  console.log(server.port);
} else {
  const server = http.createServer(async (request, response) => {
    if (request.url === '/peak') response.end(peak());
    else if (request.method === 'POST') response.end(await count(request));
    else send(response);
  });
  server.listen(0, () => console.log(server.address().port));
}
