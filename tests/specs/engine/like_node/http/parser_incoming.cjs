// The parser of a connection names the request that it reads until that has been read and answered; close() works as free().
const http = require('node:http');
const net = require('node:net');

const server = http.createServer((request, response) => {
  const { parser } = request.socket;
  console.log(parser.incoming === request);
  request.on('end', () => {
    console.log(parser.incoming === request);
    process.nextTick(() => console.log(parser.incoming));
  });
  request.socket.on('close', () => {
    console.log(request.socket.parser, typeof parser.close, typeof parser.free);
    server.close();
  });
  response.end('hello');
});
server.listen(0, () => {
  const client = net.connect(server.address().port);
  client.end('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\nConnection: close\r\n\r\nhello world');
  client.resume();
});
