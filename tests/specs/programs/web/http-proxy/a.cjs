const http = require('node:http');
const { format } = require('node:util');
const log = (...values) => process.stdout.write(`${format(...values)}\n`);
const net = require('node:net');
const { once } = require('node:events');
const httpProxy = require('http-proxy');

(async () => {
  const target = http.createServer((request, response) => {
    if (request.url.includes('cut')) return request.socket.destroy();
    if (request.url.includes('moved')) return response.writeHead(302, { location: `http://${request.headers.host}/new`, 'set-cookie': 'a=b; Domain=old.example; Path=/' }).end();
    const { host, connection, ...headers } = request.headers;
    let body = '';
    request.on('data', (chunk) => { body += chunk; }).on('end', () => response.writeHead(200, { 'X-Target': '1' }).end(JSON.stringify({ url: request.url, method: request.method, body, headers: Object.keys(headers).filter((name) => !/^(accept|sec-|user-agent)/.test(name)).sort(), forwarded: headers['x-forwarded-for'] })));
  });
  target.on('upgrade', (request, socket, head) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    socket.on('data', (chunk) => socket.end(`echo ${request.url} ${chunk}`));
  });
  await once(target.listen(0), 'listening');
  const to = `http://localhost:${target.address().port}`;
  const proxy = httpProxy.createProxyServer({ target: to, xfwd: true, cookieDomainRewrite: 'new.example', ws: true });
  proxy.on('proxyReq', (question) => question.setHeader('x-added', 'by the proxy'));
  proxy.on('proxyRes', (answer) => { answer.headers['x-seen'] = answer.statusCode; });
  proxy.on('error', (error, request, response) => { log('[proxy error]', error.code); if (response.writeHead) response.writeHead(502).end('bad gateway'); });
  const front = http.createServer((request, response) => {
    if (request.url.startsWith('/gone')) return proxy.web(request, response, { target: 'http://127.0.0.1:1' });
    if (request.url.startsWith('/api')) return proxy.web(request, response, { target: `${to}/base`, changeOrigin: true, headers: { 'x-more': '1' } });
    if (request.url.startsWith('/moved')) return proxy.web(request, response, { autoRewrite: true, protocolRewrite: 'https' });
    if (request.url.startsWith('/self')) return proxy.web(request, response, { selfHandleResponse: true }), proxy.once('proxyRes', (answer) => { answer.resume(); response.end('handled'); });
    return proxy.web(request, response);
  });
  front.on('upgrade', (request, socket, head) => proxy.ws(request, socket, head));
  await once(front.listen(0), 'listening');
  const base = `http://localhost:${front.address().port}`;
  for (const [path, options] of [['/plain?a=1'], ['/post', { method: 'POST', body: 'sent on' }], ['/api/x'], ['/moved', { redirect: 'manual' }], ['/self'], ['/cut'], ['/gone']]) {
    const answer = await fetch(base + path, options);
    const headers = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)).map(([name, value]) => `${name}: ${value.replace(/:\d+/, ':PORT')}`);
    log(path, answer.status, headers, await answer.text());
  }
  const socket = net.connect(front.address().port);
  socket.write('GET /up HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  let said = String((await once(socket, 'data'))[0]);
  socket.write('hello');
  for await (const chunk of socket) said += chunk;
  log(JSON.stringify(said));
  const alone = httpProxy.createServer({ target: to }).listen(0);
  await new Promise((done) => setImmediate(done));
  log((await (await fetch(`http://localhost:${alone._server.address().port}/alone`)).json()).url);
  alone.close();
  for (const each of [front, target]) { each.close(); each.closeAllConnections(); }
})();
