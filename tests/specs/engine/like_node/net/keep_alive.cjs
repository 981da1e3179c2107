// How setKeepAlive and setNoDelay convert their arguments: numbers, strings and other values.
const net = require('net');

const server = net
  .createServer((socket) => socket.resume())
  .listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1', () => {
      for (const value of [0, 1000, 1500, -1, Infinity, -Infinity, NaN, '2000', 'x', null, undefined, {}, 1e12, 2 ** 31, true]) {
        try {
          console.log(String(value), client.setKeepAlive(true, value) === client);
        } catch (error) {
          console.log(String(value), error.code, error.message);
        }
      }
      for (const value of [0, 1, 'on', null]) console.log(client.setKeepAlive(value) === client, client.setNoDelay(value) === client);
      client.destroy();
      server.close();
    });
  });
