// Gets or posts SIZE bytes; prints how many were transferred, and the maximum growth of its own and the server's memory in kB.
import http from 'node:http';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
const SIZE = Number(process.env.SIZE);
const PIECE = Buffer.alloc(1 << 18);
const [kind, client, method] = process.argv.slice(2);
const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
const server = spawn(process.execPath, [`${import.meta.dirname}/server.mjs`, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
const url = `http://127.0.0.1:${Number((await once(server.stdout, 'data'))[0])}/`;
const peakOfServer = async () => Number(await (await fetch(`${url}peak`)).text());
async function count(body) {
  let size = 0;
  for await (const chunk of body) size += chunk.length;
  return size;
}
function pieces() {
  let given = 0;
  const pull = (controller) => {
    if (given >= SIZE) return controller.close();
    given += PIECE.length;
    return controller.enqueue(PIECE);
  };
  return new ReadableStream({ pull }, { highWaterMark: 1 });
}
async function byHttp() {
  const request = http.request(url, { method });
  const answered = once(request, 'response');
  if (method === 'POST') {
    for (let given = 0; given < SIZE; given += PIECE.length) if (!request.write(PIECE)) await once(request, 'drain');
  }
  request.end();
  const [response] = await answered;
  return method === 'POST' ? Number(Buffer.concat(await response.toArray())) : count(response);
}
async function byFetch() {
  if (method === 'GET') return count((await fetch(url)).body);
  return Number(await (await fetch(url, { method, body: pieces(), duplex: 'half' })).text());
}
const [serverBefore, before] = [await peakOfServer(), peak()];
const size = client === 'fetch' ? await byFetch() : await byHttp();
console.log(JSON.stringify({ size, server: (await peakOfServer()) - serverBefore, client: peak() - before }));
server.kill();
process.exit();
