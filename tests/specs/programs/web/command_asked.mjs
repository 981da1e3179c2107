// Shared by the cases of command-line servers: starts the command with a free port, requests the paths, and ends it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
await new Promise((done) => probe.close(done));
const [paths, ...command] = process.argv.slice(2);
const child = spawn(command[0], command.slice(1).map((word) => word.replace('PORT', port)), { stdio: ['ignore', 'pipe', 'inherit'] });
let said = '';
child.stdout.on('data', (chunk) => { said += chunk; });
const base = `http://127.0.0.1:${port}`;
for (;;) { try { await (await fetch(`${base}/ready`)).text(); break; } catch { await delay(20); } }
for (const path of paths.split(' ')) {
  const [url, header] = path.split('@');
  const answer = await fetch(base + url, { redirect: 'manual', headers: { 'user-agent': 'test', 'accept-encoding': 'gzip', ...(header && Object.fromEntries([header.split('=').map(decodeURIComponent)])) } });
  const headers = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive', 'last-modified', 'etag'].includes(name)).map(([name, value]) => `${name}: ${value.replaceAll(port, 'PORT')}`);
  const text = await answer.text();
  console.log(path, answer.status, headers.join('; '), '|', /<!doctype/i.test(text) ? [...text.matchAll(/href="([^"]*)"/g)].map(([, link]) => link).join() : text.trim());
}
child.kill('SIGTERM');
const [code, signal] = await once(child, 'close');
console.log('ended', process.env.STATUS ? [code, signal] : '', said.split('\n').filter((line) => /^Serving|GET|error/i.test(line.trim()) && !line.includes('/ready')).map((line) => line.replaceAll(port, 'PORT').replace(/\d+-\d+-\d+T[\d:.]+Z|\w+, \d+ \w+ \d+ [\d:]+ GMT|\d+\/\d+\/\d+|\d+:\d+:\d+( [AP]M)?/g, 'TIME').replace(/in \d+ ms/, 'in N ms')).join('\n'));
