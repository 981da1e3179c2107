// HTTP/2 bodies: written before there is a connection, rejected while being sent, read late, never read, sent from a
// descriptor that stays open; a field with several values; a session over a stream that is not a socket.
const http2 = require('node:http2');
const fs = require('node:fs');
const { duplexPair } = require('node:stream');
const { once } = require('node:events');

const text = async (stream) => { let all = ''; stream.setEncoding('utf8'); for await (const part of stream) all += part; return all; };

(async () => {
  const fd = fs.openSync(__filename, 'r');
  const server = http2.createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    switch (headers[':path']) {
      case '/echo': stream.respond(); stream.pipe(stream); break;
      case '/refuse': setImmediate(() => { stream.respond({ ':status': 413 }); stream.end('no'); }); break;
      case '/none': stream.respond({ ':status': 204 }); stream.on('close', () => console.log('204 closes its stream', stream.destroyed)); break;
      case '/trailers': stream.respond(undefined, { waitForTrailers: true }); stream.end('nobody listens'); break;
      case '/fd': stream.respondWithFD(fd, { 'content-type': 'text/plain' }); break;
      case '/push':
        stream.pushStream({ ':path': '/pushed' }, (error, pushed) => { pushed.respond(); pushed.end('pushed'); });
        stream.respond();
        stream.end('asked for');
        break;
      default: stream.respond(); stream.end(JSON.stringify(headers['x-several']));
    }
  });
  server.listen(0);
  await once(server, 'listening');
  const client = http2.connect(`http://localhost:${server.address().port}`);
  const post = client.request({ ':method': 'POST', ':path': '/echo' });
  post.write('written before ');
  post.end('there is a connection');
  console.log(await text(post));

  const large = client.request({ ':method': 'POST', ':path': '/refuse' });
  large.on('error', () => {});
  large.end(Buffer.alloc(1_000_000));
  const [refused] = await once(large, 'response');
  console.log(refused[':status'], await text(large));

  const none = client.request({ ':path': '/none' });
  console.log((await once(none, 'response'))[0][':status'], JSON.stringify(await text(none)));
  console.log(await text(client.request({ ':path': '/trailers' })));
  console.log((await text(client.request({ ':path': '/fd' }))).length === fs.fstatSync(fd).size);
  fs.closeSync(fd);
  console.log(await text(client.request([':path', '/several', 'x-several', 'a', 'x-several', 'b'])));

  let pushed;
  client.on('stream', (stream) => { pushed = text(stream); });
  const late = client.request({ ':path': '/push' });
  await once(late, 'response');
  console.log(await pushed);
  await new Promise((resolve) => { setImmediate(resolve); });
  late.on('data', (part) => console.log('late:', String(part)));
  await once(late, 'end');

  const [here, there] = duplexPair();
  server.emit('connection', there);
  const over = http2.connect('http://localhost:80', { createConnection: () => here });
  console.log(await text(over.request({ ':path': '/over' })));
  over.close();
  client.close();
  server.close();
})();
