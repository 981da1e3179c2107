// node:http and node:https through proxies from an agent's `proxyEnv` and from setGlobalProxyFromEnv: the requests that
// proxies receive, NO_PROXY, and tunnels that fail to open.
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const net = require('node:net');

const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', 'key.pem', '-out', 'cert.pem'];
const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject];
execFileSync('openssl', request, { stdio: 'ignore' });
const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(name, 'utf8'));
const listening = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
const ports = new Map();
const hidden = (text) => [...ports].reduce((shown, [port, name]) => shown.replaceAll(port, name), String(text));

const reported = [];
function proxying(server) {
  const seen = ({ method, url, headers }) => reported.push(hidden(`${method} ${url} ${JSON.stringify(Object.entries(headers).sort())}`));
  server.on('request', (asked, answer) => {
    seen(asked);
    answer.end('by the proxy');
  });
  server.on('connect', (asked, socket) => {
    seen(asked);
    const answers = { 1: 'HTTP/1.1 502 Bad Gateway\r\n\r\n', 2: 'no protocol at all\r\n\r\n', 3: '' };
    const [name, port] = asked.url.split(':');
    if (answers[port] !== undefined) return void socket.end(answers[port]);
    if (port === '4') return undefined; // never answered
    const up = net.connect(port, name, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(up).pipe(socket);
    });
    for (const each of [up, socket]) each.on('error', () => [up, socket].forEach((one) => one.destroy()));
    return undefined;
  });
  return listening(server);
}

function ask(library, options) {
  reported.length = 0;
  return new Promise((resolve) => {
    const events = [];
    const asked = library.get(options, (answer) => {
      let text = '';
      answer.on('data', (bytes) => (text += bytes));
      answer.on('end', () => resolve([answer.statusCode, text, asked.path, ...events]));
    });
    asked.on('timeout', () => events.push('timeout'));
    asked.on('error', ({ code, message, statusCode }) => resolve([code, message, statusCode, ...events]));
  }).then((said) => console.log(hidden(JSON.stringify(said)), hidden(reported.join(' | '))));
}

async function main() {
  const plain = await listening(http.createServer((asked, answer) => answer.end(`plain ${asked.url}`)));
  const secure = await listening(https.createServer({ key, cert }, (asked, answer) => answer.end(`secure ${asked.url}`)));
  const open = await proxying(http.createServer());
  const sealed = await proxying(https.createServer({ key, cert }));
  for (const [port, name] of [[plain, 'PLAIN'], [secure, 'SECURE'], [open, 'PROXY'], [sealed, 'SEALED']]) ports.set(String(port), name); // prettier-ignore
  const agents = (proxyEnv, more) => [
    new http.Agent({ proxyEnv, ...more }),
    new https.Agent({ proxyEnv, ca: cert, rejectUnauthorized: false, ...more }),
  ];
  const at = `http://localhost:${open}`;

  for (const [env, more] of [
    [{ HTTP_PROXY: at, HTTPS_PROXY: at }],
    [{ http_proxy: at, https_proxy: at, HTTP_PROXY: 'http://nowhere.invalid' }, { keepAlive: true }],
    [{ HTTP_PROXY: `http://us%20er:pass@localhost:${open}`, HTTPS_PROXY: `http://user@localhost:${open}` }],
    [{ HTTP_PROXY: 'socks5://localhost:1', HTTPS_PROXY: 'localhost:1' }],
  ]) {
    const [ofHttp, ofHttps] = agents(env, more);
    await ask(http, { host: 'localhost', port: plain, path: '/a?b', agent: ofHttp });
    await ask(https, { host: 'localhost', port: secure, path: '/a?b', agent: ofHttps, ca: cert });
    ofHttp.destroy();
    ofHttps.destroy();
  }
  const [, through] = agents({ HTTPS_PROXY: at });
  for (const port of [1, 2, 3]) await ask(https, { host: 'localhost', port, agent: through });
  await ask(https, { host: 'localhost', port: 4, agent: through, timeout: 30 });
  await ask(https, { host: 'localhost', port: 4, agent: agents({ HTTPS_PROXY: at }, { timeout: 40 })[1] });
  await ask(https, { host: 'localhost', port: 1, agent: agents({ HTTPS_PROXY: 'http://127.0.0.1:1' })[1] });
  await ask(http, { host: 'localhost', port: 1, agent: agents({ HTTP_PROXY: 'http://127.0.0.1:1' })[0] });

  const lists = ['*', 'localhost', 'LOCALHOST', '.localhost', '*.localhost', 'host', `a, localhost:${plain}`, 'localhost:1'];
  for (const NO_PROXY of [...lists, '127.0.0.1', '127.0.0.0-127.0.0.9', '127.0.0.2-127.0.0.9', '']) {
    const [agent] = agents({ HTTP_PROXY: at, NO_PROXY });
    for (const host of ['localhost', 'a.localhost', '127.0.0.1']) {
      console.log(NO_PROXY.replace(plain, 'PLAIN'), host);
      await ask(http, { host, port: plain, agent, lookup: (_, { all }, done) => done(null, all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4) }); // prettier-ignore
    }
  }
  const [listed] = agents({ HTTP_PROXY: at });
  await ask(http, { host: 'localhost', port: plain, agent: listed, headers: { Expect: 'nothing', 'X-Y': 'z' } });
  for (const headers of [{ Host: 'else.where' }, { host: `localhost:${plain}` }, ['Host', 'else.where', 'A', 'b']]) {
    try {
      await ask(http, { host: 'localhost', port: plain, agent: listed, headers });
    } catch ({ code, message }) {
      console.log(code, hidden(message));
    }
  }
  await ask(http, { host: 'localhost', port: plain, agent: listed, headers: ['Host', `localhost:${plain}`, 'A', 'b'] });
  await ask(http, { host: 'localhost', port: plain, agent: listed, setHost: false });

  for (const text of ['http://256.1.1.1', 'http://:1', 'http://a\r:b@c', 'http://a:99999']) {
    try {
      agents({ HTTP_PROXY: text });
    } catch ({ code, message, name }) {
      console.log(name, code, message);
    }
  }
  for (const bad of [42, 'text', null, [], true, { http_proxy: 'no address' }]) {
    try {
      http.setGlobalProxyFromEnv(bad);
    } catch ({ code, message, name }) {
      console.log(name, code, message);
    }
  }
  const before = [http.globalAgent, https.globalAgent];
  const same = () => [http.globalAgent === before[0], https.globalAgent === before[1]];
  console.log(http.setGlobalProxyFromEnv({})(), same());
  const restore = http.setGlobalProxyFromEnv({ http_proxy: at, https_proxy: at });
  console.log(same(), http.globalAgent.options.timeout, restore.name, restore.length);
  await ask(http, `http://localhost:${plain}/global`);
  await ask(https, `https://localhost:${secure}/global`);
  restore();
  console.log(same());
  await ask(http, `http://localhost:${plain}/global`);
}


process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
process.env.NODE_NO_WARNINGS = '1';
main().then(() => process.exit());
