// node:http: invalid status codes, a server's socket with an encoding, and agent.getName with options.
const http = require('node:http');
const https = require('node:https');
const net = require('node:net');

const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
const name = (options) => new https.Agent().getName({ host: 'a', ...options });
for (const options of [{}, { secureOptions: 0 }, { sigalgs: 'x' }, { honorCipherOrder: false, secureOptions: 4 }]) console.log(name(options));
const server = http.createServer((request, response) => {
  for (const status of [{}, { a: { b: 1 } }, [], null, undefined, Symbol('s'), -1, '1000', true])
    console.log(attempt(() => response.writeHead(status)));
  console.log(attempt(() => request.socket.setEncoding('utf8')));
  response.end();
});
server.on('connection', (socket) => console.log(attempt(() => socket.setEncoding('utf8'))));
server.on('upgrade', (request, socket) => {
  console.log(attempt(() => socket.setEncoding('utf8')));
  socket.destroy();
  server.close();
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  http.get({ port, agent: false }, (response) => {
    response.resume().on('end', () => {
      net.connect(port).end('GET / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
    });
  });
});
