// Programs that read, pause or take over the connection of an HTTP server, whose bytes otherwise go to the parser only.
const http = require('node:http');
const net = require('node:net');
const crypto = require('node:crypto');
const { once } = require('node:events');

const hash = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex').slice(0, 12);
const turns = async (count) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Sends `parts` one after the other, each once the server has told that it got the one before; returns all output. */
async function talk(server, parts, next = () => turns(20)) {
  const socket = net.connect(server.address().port, '127.0.0.1');
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => (text += chunk));
  for (const part of parts) {
    socket.write(part);
    await next();
  }
  socket.end();
  await closed;
  return text.replace(/Date: .*\r\n/g, '').replace(/\r\n/g, '|');
}

async function run(label, options, work) {
  const log = [];
  const server = http.createServer(options);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const result = await work(server, (...values) => log.push(values.join(' ')));
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  console.log(label, result ?? '', '\n ', log.join('\n  '));
}

const GET = 'GET /one HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

(async () => {
  await run('a listener from the start', {}, async (server, say) => {
    server.on('connection', (socket) => socket.once('data', (chunk) => say('data', chunk.length, Buffer.isBuffer(chunk))));
    server.on('request', (request, response) => {
      say(request.url, request.socket.bytesRead, request.socket.listenerCount('data'));
      response.end('ok');
    });
    return talk(server, [GET, LAST]);
  });

  await run('a listener after the first request', {}, async (server, say) => {
    server.on('request', (request, response) => {
      say(request.url, request.socket.bytesRead, request.socket.listenerCount('data'));
      if (request.url === '/one') request.socket.on('data', (chunk) => say('data', chunk.length));
      response.end('ok');
    });
    return talk(server, [GET, GET, LAST]);
  });

  await run('a listener for readable', {}, async (server, say) => {
    server.on('request', (request, response) => {
      say(request.url);
      response.end('ok');
      if (request.url === '/one') request.socket.prependListener('readable', () => say('readable', request.socket.readableLength > 0));
    });
    const socket = net.connect(server.address().port, '127.0.0.1');
    socket.write(GET);
    await once(socket, 'data');
    await turns(5);
    socket.write(LAST);
    await turns(20);
    socket.destroy();
  });

  await run('a head in pieces, and pipelined requests', {}, async (server, say) => {
    server.on('request', (request, response) => {
      say(request.method, request.url, request.socket.bytesRead);
      request.resume().on('end', () => response.end(request.url));
    });
    return talk(server, ['GET /a HT', 'TP/1.1\r\nHo', 'st: a\r\n\r', '\n' + GET + 'POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbo', 'dy' + LAST]);
  });

  await run('a paused connection', {}, async (server, say) => {
    let continued;
    server.on('connection', (socket) => {
      socket.pause();
      continued = () => {
        say('resumed');
        socket.resume();
      };
    });
    server.on('request', (request, response) => {
      say(request.url, request.socket.isPaused());
      response.end('ok');
    });
    let count = 0;
    return talk(server, [GET, LAST], async () => {
      await turns(20);
      say('sent', ++count);
      if (count === 1) continued();
      await turns(20);
    });
  });

  await run('a large body that is read slowly', {}, async (server, say) => {
    server.on('request', async (request, response) => {
      const hashed = crypto.createHash('sha256');
      let size = 0;
      for await (const chunk of request) {
        await turns(3);
        hashed.update(chunk);
        size += chunk.length;
      }
      response.end(`${size} ${hashed.digest('hex').slice(0, 12)}`);
    });
    const body = Buffer.alloc(3_000_000, 'abcdefg');
    const request = http.request({ port: server.address().port, method: 'POST', headers: { 'Content-Length': body.length } });
    request.end(body);
    const [response] = await once(request, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    say(text === `${body.length} ${hash(body)}`);
    request.destroy();
  });

  for (const event of ['upgrade', 'connect']) {
    await run(event, {}, async (server, say) => {
      server.on(event, (request, socket, head) => {
        say(request.method, head.toString());
        socket.write('HTTP/1.1 101 Switching\r\n\r\n');
        socket.on('data', (chunk) => say('data', chunk));
        socket.on('end', () => socket.end('bye'));
      });
      const start = event === 'connect' ? 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n' : 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
      return talk(server, [`${start}first`, 'second', 'third']);
    });
  }

  await run('an upgrade that nothing handles', {}, async (server, say) => {
    server.on('request', (request, response) => {
      say(request.url);
      response.end('ok');
    });
    return talk(server, ['GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', LAST]);
  });

  await run('an invalid request', {}, async (server, say) => {
    server.on('clientError', (error, socket) => {
      say(error.code, error.bytesParsed, JSON.stringify(error.rawPacket?.toString()));
      socket.end('HTTP/1.1 400 Bad\r\n\r\n');
    });
    server.on('request', (request, response) => response.end('ok'));
    return talk(server, [GET, 'what is this\r\n\r\n']);
  });

  await run('bytes after the error', {}, async (server, say) => {
    server.on('clientError', (error, socket) => {
      say(error.code);
      socket.on('data', (chunk) => say('data', chunk));
      setImmediate(() => setImmediate(() => setImmediate(() => socket.end('bye'))));
    });
    return talk(server, ['\0\r\n\r\n'], () => turns(1));
  });

  await run('an idle connection', { keepAliveTimeout: 50 }, async (server, say) => {
    server.keepAliveTimeoutBuffer = 0;
    server.on('request', (request, response) => response.end('ok'));
    const socket = net.connect(server.address().port, '127.0.0.1');
    socket.write(GET);
    socket.resume();
    await once(socket, 'close');
    say('closed');
  });
})();
