// What built-in modules publish on diagnostics channels: sockets, servers, requests, children, workers, require.
const channels = require('node:diagnostics_channel');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const http = require('node:http');
const names = ['udp.socket', 'worker_threads', 'child_process', 'net.client.socket', 'net.server.socket',
  'tracing:child_process.spawn:start', 'tracing:child_process.spawn:end', 'tracing:child_process.spawn:error',
  'tracing:net.server.listen:asyncStart', 'tracing:net.server.listen:asyncEnd', 'tracing:net.server.listen:error',
  'http.client.request.created', 'http.client.request.start', 'http.client.request.error', 'http.client.response.finish',
  'http.server.request.start', 'http.server.response.created', 'http.server.response.finish',
  'tracing:module.require:start', 'tracing:module.require:end', 'tracing:module.require:error'];
for (const name of names) {
  channels.subscribe(name, (message) => {
    const said = Object.keys(message).map((key) => `${key}=${typeof message[key] === 'string' ? '' : message[key]?.constructor?.name}`);
    seen.push(`${name} ${said.join(' ')} ${message.error?.code ?? ''}`.trim());
  });
}
const seen = [];
const show = (title) => { console.log(title); for (const each of seen.splice(0).sort()) console.log(' ', each); };
(async () => {
  require('node:path');
  try { require('not-there'); } catch {}
  show('require');
  require('node:dgram').createSocket('udp4').close();
  seen.splice(0, seen.length, ...seen.filter((each) => !each.includes('module.require')));
  show('udp');
  await once(spawn('true'), 'exit');
  spawn('/not/there').on('error', () => {});
  show('children');
  const server = http.createServer((request, response) => response.end('yes')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  http.createServer().listen(server.address().port, '127.0.0.1').on('error', () => {});
  const [answer] = await once(http.get({ port: server.address().port, host: '127.0.0.1' }), 'response');
  await once(answer.resume(), 'end');
  await once(http.get({ port: 1, host: '127.0.0.1' }), 'error');
  server.close();
  await once(server, 'close');
  show('http');
  const { Worker } = require('node:worker_threads');
  seen.length = 0;
  await once(new Worker('', { eval: true }), 'exit');
  show('worker');
})();
