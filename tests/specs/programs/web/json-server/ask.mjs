import { inspect } from 'node:util';
import { spawn } from 'node:child_process';
import net from 'node:net';

const print = (...values) => { process.stdout.write(`${values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' ')}\n`); };
const port = await new Promise((resolve) => { const probe = net.createServer().listen(0, () => { const { port: free } = probe.address(); probe.close(() => resolve(free)); }); });
const server = spawn('json-server', ['--port', `${port}`, 'db.json'], { stdio: 'ignore' });
const at = `http://localhost:${port}`;
let first;
while (first === undefined) first = await fetch(`${at}/posts`).catch(() => undefined);
print(first.status, await first.json());
const ask = async (path, method = 'GET', body = undefined) => {
  const answer = await fetch(at + path, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) });
  print(method, path, answer.status, await answer.text());
};
await ask('/posts/1');
await ask('/posts?_sort=views&_order=desc');
await ask('/posts?_page=1&_limit=1');
await ask('/posts/1?_embed=comments');
await ask('/profile');
await ask('/posts', 'POST', { id: '3', title: 'third' });
await ask('/posts/3', 'PATCH', { views: 5 });
await ask('/posts/3', 'PUT', { title: 'again' });
await ask('/posts/3', 'DELETE');
await ask('/posts/9');
server.kill();
